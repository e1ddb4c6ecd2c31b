# SPDX-FileCopyrightText: 2026 The Arenite authors
# SPDX-License-Identifier: MIT

"""The small faults that can be made in a C++ header, one at a time.

Works on tokens and knows no types: it relies on clang-format, which puts spaces around a binary operator and none
inside of template brackets. What it makes may not compile; the compiler sorts that out. Comments, strings, attributes,
preprocessor lines and a `static_assert` without a message (which is a check itself) are left as they are.
"""

import collections
import re

# A mutant: the text it replaces, where that stands, and the lines before and after, by which people know it. Its site
# is where the choice between it and the header as it is can be made by a running program, see `combined`.
Mutant = collections.namedtuple("Mutant", "begin end text before after site")
# `{0}` of a site's pattern is the choice, `{1}` the site's text with the mutant and `{2}` without.
Site = collections.namedtuple("Site", "begin end pattern")

TOKEN = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)
      | (?P<directive>^[ ]*\#(?:\\\n|[^\n])*)
      | (?P<string>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+')
      | (?P<number>\b\d(?:[\w.]|'\w)*)
      | (?P<word>[A-Za-z_]\w*)
      | (?P<operator><<=|>>=|->|::|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|\.\.\.|[^\s\w])
    """,
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)

BINARY = {  # between spaces
    "<": ("<=", ">="),
    "<=": ("<", ">"),
    ">": (">=", "<="),
    ">=": (">", "<"),
    "==": ("!=",),
    "!=": ("==",),
    "+": ("-",),
    "-": ("+",),
    "*": ("/",),
    "/": ("*",),
    "%": ("/",),
    "&": ("|",),
    "|": ("&",),
    "^": ("&",),
    "<<": (">>",),
    ">>": ("<<",),
    "+=": ("-=",),
    "-=": ("+=",),
    "*=": ("/=",),
    "/=": ("*=",),
    "&=": ("|=",),
    "|=": ("&=",),
    "<<=": (">>=",),
    ">>=": ("<<=",),
}
UNARY = {"!": "", "~": "", "++": "--", "--": "++"}
NEGATED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}
YES_OR_NO = {"<", "<=", ">", ">=", "==", "!=", "&&", "||", "!"}
OPEN = {"(": ")", "[": "]", "{": "}"}
NO_STATEMENT = set(
    "alignas class const constexpr default delete do else enum explicit for friend goto if inline namespace operator "
    "private protected public return static static_assert struct switch template try typedef typename union using "
    "void while case".split()
)


class Tokens:
    """The tokens of a text that mean something, and where each bracket ends."""

    def __init__(self, text):
        self.text = text
        self.kind, self.word, self.begin, self.end = [], [], [], []
        for match in TOKEN.finditer(text):
            if match.lastgroup not in ("comment", "directive"):
                self.kind.append(match.lastgroup)
                self.word.append(match.group())
                self.begin.append(match.start())
                self.end.append(match.end())
        self.partner = {}
        stack = []
        for i, word in enumerate(self.word):
            if self.kind[i] != "operator":
                continue
            if word in OPEN:
                stack.append(i)
            elif stack and word == OPEN[self.word[stack[-1]]]:
                self.partner[i] = stack[-1]
                self.partner[stack.pop()] = i
        self.attributes = set()  # [[...]]
        for i in range(len(self.word) - 1):
            if self.word[i] == "[" and self.word[i + 1] == "[" and self.begin[i + 1] == self.end[i]:
                self.attributes.update(range(i, self.partner[i] + 1))

    def __len__(self):
        return len(self.word)

    def at(self, i):
        return self.word[i] if 0 <= i < len(self.word) else ""

    def spaced(self, i):
        """Whether a token stands between spaces."""
        return self.text[self.begin[i] - 1].isspace() and self.text[self.end[i] : self.end[i] + 1].isspace()

    def left(self, i, stops):
        """The first token of what ends before token i, at this depth, back to one of the words."""
        while i > 0 and self.at(i - 1) not in stops and self.at(i - 1) not in OPEN:
            i -= 1
            if self.at(i) in (")", "]", "}"):
                i = self.partner[i]
        return i

    def right(self, i, stops):
        """The token behind what begins with token i, at this depth, up to one of the words."""
        while i < len(self) and self.at(i) not in stops and self.at(i) not in (")", "]", "}"):
            i = self.partner[i] + 1 if self.at(i) in OPEN else i + 1
        return i

    def is_code(self, brace):
        """Whether statements stand in this brace: not in that of a class, a namespace or a list of values."""
        before = self.at(brace - 1)
        if before in (")", "]", "noexcept", "const", "else", "do", "mutable", "override", ";", "{", "}", ":"):
            return before not in (";", "{", "}", ":") or self.in_code(brace)
        head = self.word[self.left(brace, (";", "}")) : brace]  # a return type behind an arrow
        return "->" in head and ")" in head and "=" not in head[len(head) - head[::-1].index("->") :]

    def in_code(self, i):
        depth = i - 1
        while depth >= 0:
            if self.at(depth) in (")", "]", "}"):
                depth = self.partner[depth]
            elif self.at(depth) in OPEN:
                return self.at(depth) == "{" and self.is_code(depth)
            depth -= 1
        return False


def number_variants(word):
    match = re.fullmatch(r"(0[xX][0-9a-fA-F']+|[1-9][0-9']*|0)([uUlLzZ]*)", word)
    if not match:
        return
    digits, suffix = match.groups()
    value = int(digits.replace("'", ""), 0)
    for other in (value + 1, value - 1):
        if other >= 0:
            yield (hex(other) if digits[1:2] in ("x", "X") else str(other)) + suffix


def replacements(tokens):
    """(first token, token behind the last, new text) of each mutant."""
    right_stops = (",", ";", "?", ":")
    left_stops = (",", ";", "?", ":", "}", "=", "return", "&&", "||", "+=", "-=", "|=", "&=", "<<=", ">>=")
    for i, word in enumerate(tokens.word):
        if i in tokens.attributes:
            continue
        kind = tokens.kind[i]
        if kind == "number":
            for other in number_variants(word):
                yield i, i + 1, other
        elif word in ("true", "false"):
            yield i, i + 1, "false" if word == "true" else "true"
        elif kind == "operator" and word in ("&&", "||") and tokens.spaced(i):
            neutral = "true" if word == "&&" else "false"
            yield tokens.left(i, left_stops), i, neutral + " "
            yield i + 1, tokens.right(i + 1, right_stops + ("&&", "||")), neutral
        elif kind == "operator" and word in BINARY and tokens.spaced(i):
            for other in BINARY[word]:
                if NEGATED.get(word) != other or not decides(tokens, i):
                    yield i, i + 1, other
        elif kind == "operator" and word in UNARY and tokens.at(i - 1) != "operator":
            if word in ("++", "--") and in_step(tokens, i) or word == "!" and decides(tokens, i):
                continue
            yield i, i + 1, UNARY[word]
        if word == "?" and kind == "operator":
            first = tokens.left(i, tuple(stop for stop in left_stops if stop not in ("&&", "||")))
            if not (i - first == 1 and tokens.at(first) in ("true", "false")):
                yield first, i, "true "
                yield first, i, "false "
        elif word in ("if", "while") and (tokens.at(i + 1) == "(" or tokens.at(i + 2) == "("):
            bracket = i + 1 if tokens.at(i + 1) == "(" else i + 2
            first = bracket + 1
            end = tokens.right(first, (";",))
            if tokens.at(end) == ";":  # if (declaration; condition)
                first, end = end + 1, tokens.partner[bracket]
            if end - first > 1 or tokens.at(first) not in ("true", "false"):
                if word == "if":
                    yield first, end, "true"
                yield first, end, "false"
        elif word == "for" and tokens.at(i + 1) == "(":
            first = tokens.right(i + 2, (";",)) + 1
            if tokens.at(first - 1) == ";":
                end = tokens.right(first, (";",))
                if end > first:
                    yield first, end, "false"
        elif word == "return" and tokens.at(i + 1) != ";":
            end = tokens.right(i + 1, (";",))
            value = tokens.word[i + 1 : end]
            if value not in (["{", "}"], ["0"], ["false"], ["nullptr"]) and "?" not in value:
                yield i + 1, end, "{}"
                if YES_OR_NO.intersection(value) and "?" not in value and value[0] != "{":
                    yield i + 1, end, "true"
        elif word == "static_assert":
            yield i, tokens.right(i, (";",)), ""
        if begins_statement(tokens, i):
            end = tokens.right(i, (";",))
            if tokens.at(end) == ";":
                yield i, end, ""


def decides(tokens, i):
    """Whether an operator makes a whole condition, operand of a logical operator or answer. Those are replaced by true
    and by false; a test that notices both notices that they are negated."""
    stops = ("&&", "||", "?", ":", ",", ";", "return", "=")
    before = tokens.at(tokens.left(i, stops) - 1)
    if before == "(":
        return tokens.at(tokens.left(i, stops) - 2) in ("if", "while", "constexpr")
    behind = tokens.at(tokens.right(i + 1, stops))
    return before in ("&&", "||", "return") or behind in ("&&", "||", "?") or (before == ";" and behind == ";")


def in_step(tokens, i):
    """Whether token i is in the last part of a `for (;;)`."""
    first = tokens.left(i, (";",))
    opening = tokens.left(first, ()) - 1
    return tokens.at(first - 1) == ";" and tokens.at(opening) == "(" and tokens.at(opening - 1) == "for"


def begins_statement(tokens, i):
    """Whether an assignment, a call, a `break`, `continue` or plain `return` begins here that can be dropped. What an
    `if` without `else` or a loop leads to is not dropped: its condition is replaced by false."""
    before = tokens.at(i - 1)
    if before == ")":
        opening = tokens.partner[i - 1]
        if tokens.at(opening - 1) not in ("if", "constexpr"):
            return False
        if tokens.at(tokens.right(i, (";",)) + 1) != "else":
            return False
    elif before not in (";", "{", "}", "else", "do"):
        return False
    word = tokens.word[i]
    if word in ("break", "continue") or (word == "return" and tokens.at(i + 1) == ";"):
        return True
    if before not in (")", "else", "do") and not tokens.in_code(i):
        return False
    return is_expression(tokens, i)


def is_expression(tokens, i):
    """Whether the statement that begins here is an expression."""
    if not (tokens.kind[i] == "word" or tokens.at(i) in ("*", "(", "++", "--")) or tokens.at(i) in NO_STATEMENT:
        return False
    # A declaration has two words side by side, or `&` or `*` bound to the first of them, or a template's arguments.
    end = tokens.right(i, (";", "=", "+=", "-=", "|=", "&=", "*=", "/=", "<<=", ">>=", ","))
    if tokens.at(end) not in (";", "=", "+=", "-=", "|=", "&=", "*=", "/=", "<<=", ">>="):
        return False
    j = i
    while j < end:
        pair = tokens.kind[j : j + 2] == ["word", "word"]
        bound = tokens.at(j) in ("&", "*", "&&") and j > i and not tokens.spaced(j) and tokens.kind[j - 1] == "word"
        if (pair or bound) and j + 1 <= end and tokens.at(j + 1) != ";":
            return False
        if tokens.at(j) == ">" and not tokens.spaced(j) and tokens.kind[j + 1] == "word":
            return False
        j = tokens.partner[j] + 1 if tokens.at(j) in OPEN else j + 1
    return True


STATEMENT = "{{ if ({0}) {{{1}}} else {{ {2} }} }}"
CONDITION = "({0}) ? bool(({1})) : bool(({2}))"
STEP = "({0}) ? void(({1})) : void(({2}))"
VALUE = "({0}) ? ({1}) : ({2})"


def site_of(tokens, first):
    """The site of a mutant that begins at a token: the least statement, condition or initializer around it. None where
    the program cannot choose, as in a type, a member or a constant."""
    i = first
    while True:
        word = tokens.at(i - 1)
        if i == 0:
            return None
        if word in (")", "]", "}"):
            opening = tokens.partner[i - 1]
            if word == ")" and tokens.at(opening - 1) in ("if", "for", "while", "constexpr"):
                return statement_site(tokens, i, first)
            if word == "}" and tokens.is_code(opening) and tokens.at(i) not in (",", ")", ";"):
                return statement_site(tokens, i, first)
            i = opening
        elif word == ";" or word in ("else", "do"):
            opening = tokens.left(i, ()) - 1
            if tokens.at(opening) == "(":
                return part_site(tokens, opening, i, first)
            return statement_site(tokens, i, first) if tokens.in_code(i) else None
        elif word == "(" and tokens.at(i - 2) in ("if", "for", "while"):
            return part_site(tokens, i - 1, i, first)
        elif word == "(" and tokens.at(i - 2) == "constexpr":
            return None
        elif word == "{" and tokens.is_code(i - 1):
            return statement_site(tokens, i, first)
        elif word == "{" and {"class", "struct", "union", "enum", "namespace"}.intersection(
            tokens.word[tokens.left(i - 1, (";", "}")) : i - 1]
        ):
            return None
        else:
            i -= 1


def site(tokens, first, end, pattern):
    return Site(tokens.begin[first], tokens.end[end - 1], pattern) if first < end else None


def statement_site(tokens, start, first):
    if {"static", "constexpr", "static_assert", "using", "switch", "case", "default"}.intersection(
        tokens.word[start : first + 1]
    ):
        return None
    end = tokens.right(start, (";",))
    if tokens.at(start) in ("return", "break", "continue") or is_expression(tokens, start):
        return site(tokens, start, end + 1, STATEMENT)
    return initializer_site(tokens, start, end, first)


def initializer_site(tokens, start, end, first):
    equals = tokens.right(start, (";", "=", ","))
    if tokens.at(equals) != "=" or tokens.at(equals + 1) in ("{", "[") or equals >= first:
        return None
    if tokens.right(equals, (";", ",")) != end or start == equals:
        return None
    return site(tokens, equals + 1, end, VALUE)


def part_site(tokens, opening, start, first):
    """In the brackets of an `if`, `for` or `while`."""
    end = min(tokens.right(start, (";",)), tokens.partner[opening])
    keyword = tokens.at(opening - 1)
    number = tokens.word[opening:start].count(";")
    parts = tokens.word[opening : tokens.partner[opening]].count(";") + 1
    if keyword == "constexpr" or (keyword == "for" and parts != 3):
        return None
    if keyword == "for" and number == 0 or (keyword == "if" and number + 1 < parts):
        return initializer_site(tokens, start, end, first)
    if keyword == "for" and number == 2:
        return site(tokens, start, end, STEP)
    return site(tokens, start, end, CONDITION) if "=" not in tokens.word[start:end] else None


def combined(text, mutants, choice):
    """The header with all of the mutants that have a site. `choice(i)` is the C++ expression by which mutant i is
    chosen; what the compiler says of it, it says of line i of the file `mutant`."""
    sites = collections.defaultdict(list)
    for i, mutant in enumerate(mutants):
        if mutant is not None and mutant.site and mutant.site.begin <= mutant.begin and mutant.end <= mutant.site.end:
            sites[mutant.site].append(i)
    # A site within a site: only the inner one is a choice.
    spans = sorted(sites, key=lambda place: (place.begin, -place.end))
    for i, outer in enumerate(spans):
        if any(inner.begin < outer.end for inner in spans[i + 1 :]):
            del sites[outer]
    made = set()
    for place in sorted(sites, reverse=True):
        original = text[place.begin : place.end]
        result = original
        for i in sites[place]:
            mutant = mutants[i]
            mutated = text[place.begin : mutant.begin] + mutant.text + text[mutant.end : place.end]
            if not mutated.strip(" ;") and place.pattern != STATEMENT:
                continue
            mutated = re.sub(r"//[^\n]*", "", mutated).replace("\n", " ")
            mutated = f'\n#line {i} "mutant"\n{mutated}\n#line 1 "rest"\n'
            result = place.pattern.format(choice(i), mutated, result)
            made.add(i)
        text = text[: place.begin] + result + text[place.end :]
    return text, made


def squeezed(text):
    return re.sub(r"\s+", " ", re.sub(r"//[^\n]*", "", text)).strip()


def own_checks(tokens):
    """The tokens of each `static_assert` without a message."""
    found = set()
    for i, word in enumerate(tokens.word):
        if word == "static_assert" and tokens.at(i + 1) == "(":
            if "string" not in tokens.kind[i : tokens.partner[i + 1]]:
                found.update(range(i, tokens.partner[i + 1]))
    return found


def mutants_of(text):
    """All mutants of a header, in the order of the text, each only once."""
    tokens = Tokens(text)
    spared = own_checks(tokens)
    found, seen, names = [], set(), collections.Counter()
    for first, end, new in replacements(tokens):
        if first >= end or first in spared:
            continue
        begin, stop = tokens.begin[first], tokens.end[end - 1]
        mutated = text[:begin] + new.rstrip() + text[stop:]
        if mutated in seen or mutated == text:
            continue
        seen.add(mutated)
        line_begin = text.rfind("\n", 0, begin) + 1
        line_end = (text + "\n").find("\n", stop)
        before = squeezed(text[line_begin:line_end])
        after = squeezed(text[line_begin:begin] + new.rstrip() + text[stop:line_end])
        found.append(Mutant(begin, stop, new.rstrip(), before, after, site_of(tokens, first)))
    # The same line may stand in a header more than once: its mutants are counted.
    named = []
    for mutant in sorted(found, key=lambda m: (m.begin, m.end)):
        names[mutant.before, mutant.after] += 1
        number = names[mutant.before, mutant.after]
        if number > 1:
            mutant = mutant._replace(after=f"{mutant.after}  // in place {number}")
        named.append(mutant)
    return named


def mutate(text, mutant):
    return text[: mutant.begin] + mutant.text + text[mutant.end :]
