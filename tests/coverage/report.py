# SPDX-FileCopyrightText: 2026 The Arenite authors
# SPDX-License-Identifier: MIT

# How much of the headers the test programs ran, from the counts that they left: for each header, and all.
#
# A line counts as covered if any instantiation in any program ran it, and a side of a branch if any took it. A
# condition that the compiler knows is no branch, unless another instantiation decides it at run time. What runs at
# compile time is not counted.
#
# Fails if too little is covered, if what is not covered is not in the list that is kept (which says how it is written),
# or if what is in the list is covered.

import argparse
import pathlib
import re
import subprocess
import sys

LINE = re.compile(r' *(\d+)\| *([0-9.]+[kMGTPEZY]?)?\|(.*)')
BRANCH = re.compile(r' *\| *Branch \((\d+):(\d+)\): \[(?:True: (\S+), False: (\S+)|Folded - Ignored)\]')
STATEMENT = re.compile(r'\s+(return|if|for|while|switch|do)\b.*')
LISTED = re.compile(r'- (?:`(?P<condition>.+?)` is never (?P<side>true|false) in )?`(?P<line>.+?)`: (?P<reason>.+)')


class Header:
    def __init__(self, text):
        self.text = text.splitlines()
        self.lines = {}  # number of each line with code -> whether it ran
        self.branches = {}  # line and column of each -> [whether it was true, whether it was false]


def count(arguments):
    """What llvm-cov shows of the counts of all programs."""
    profiles = sorted(arguments.profiles.glob('*.profraw'))
    if len(profiles) != len(arguments.programs):
        sys.exit(f'{len(arguments.programs)} programs left {len(profiles)} files of counts in {arguments.profiles}')
    merged = arguments.profiles / 'all.profdata'
    subprocess.run([arguments.profdata, 'merge', '-sparse', *profiles, '-o', merged], check=True)
    objects = [word for program in arguments.programs for word in ('-object', program)][1:]
    # Its warning of mismatched data is of functions that one program has and does not call, and another calls.
    shown = subprocess.run(
        [arguments.cov, 'show', '-show-branches=count', '-show-instantiations=false', '-use-color=false']
        + ['-instr-profile', merged, *objects, arguments.headers],
        check=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding='utf-8',
    )
    return shown.stdout.splitlines()


def read(shown, folder):
    headers = {}
    for path in sorted(folder.rglob('*.hpp')):
        headers[path.relative_to(folder).as_posix()] = Header(path.read_text(encoding='utf-8'))
    header = None
    for row in shown:
        if row.startswith(f'{folder}/') and row.endswith(':'):
            header = headers[pathlib.Path(row[:-1]).relative_to(folder).as_posix()]
        elif match := LINE.fullmatch(row):
            number, runs = int(match[1]), match[2]
            if runs is not None:
                header.lines[number] = runs != '0'
        elif (match := BRANCH.fullmatch(row)) and match[3] is not None:
            sides = header.branches.setdefault((int(match[1]), int(match[2])), [False, False])
            sides[0] |= match[3] != '0'
            sides[1] |= match[4] != '0'
    # A statement that llvm-cov does not know is of a template that no program instantiates.
    for header in headers.values():
        for number, text in enumerate(header.text, 1):
            if STATEMENT.fullmatch(text):
                header.lines.setdefault(number, False)
    return headers


def condition(text):
    """The condition that the text begins with, up to the operator, bracket or semicolon that ends it."""
    depth = 0
    for at, character in enumerate(text):
        if depth == 0 and (character in ')]};,?' or text[at : at + 2] in ('&&', '||')):
            return text[:at].strip()
        depth += (character in '([{') - (character in ')]}')
    return text.strip()


def uncovered(headers):
    """What is not covered, as the list has it: header, condition, side, line.

    Lines of brackets alone go with their neighbours, and the branches of a line that never ran with the line.
    """
    for name, header in headers.items():
        for number, ran in header.lines.items():
            text = header.text[number - 1]
            if not ran and re.search(r'\w', text):
                yield name, None, None, text.strip()
        for (number, column), sides in header.branches.items():
            text = header.text[number - 1]
            for side, taken in zip(('true', 'false'), sides):
                if not taken and header.lines.get(number, True):
                    yield name, condition(text[column - 1 :]), side, text.strip()


def read_list(path):
    entries = set()
    name = None
    text = re.sub(r'\n +', ' ', path.read_text(encoding='utf-8'))
    for row in text.splitlines():
        if match := re.fullmatch(r'## `(.+)`', row):
            name = match[1]
        elif name and row.startswith('- '):
            match = LISTED.fullmatch(row)
            if not match:
                sys.exit(f'{path}: this is no entry: {row}')
            entries.add((name, match['condition'], match['side'], match['line']))
    return entries


def say(entry):
    name, condition, side, line = entry
    return f'{name}: ' + (f'`{condition}` is never {side} in ' if condition is not None else '') + f'`{line}`'


def percent(part, whole):
    return 100 * part / whole if whole else 100


def row(name, lines, sides):
    return (
        f'{name:42} {len(lines):6} {lines.count(False):6} {percent(sum(lines), len(lines)):6.2f}'
        f'   {len(sides):6} {sides.count(False):6} {percent(sum(sides), len(sides)):6.2f}'
    )


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--profdata', required=True, help='llvm-profdata')
    parser.add_argument('--cov', required=True, help='llvm-cov')
    parser.add_argument('--profiles', required=True, type=pathlib.Path, help='folder of what the programs counted')
    parser.add_argument('--headers', required=True, type=pathlib.Path, help='folder of the headers')
    parser.add_argument('--uncovered', required=True, type=pathlib.Path, help='list of what is not covered')
    parser.add_argument('--lines', required=True, type=float, help='least part of the lines, per cent')
    parser.add_argument('--sides', required=True, type=float, help='least part of the sides of branches, per cent')
    parser.add_argument('--output', required=True, type=pathlib.Path, help='file for what is printed')
    parser.add_argument('programs', nargs='+')
    arguments = parser.parse_args()

    headers = read(count(arguments), arguments.headers)
    report = [f'{"header":42} {"lines":>6} {"missed":>6} {"%":>6}   {"sides":>6} {"missed":>6} {"%":>6}']
    all_lines = []
    all_sides = []
    for name, header in headers.items():
        lines = list(header.lines.values())
        sides = [taken for both in header.branches.values() for taken in both]
        report.append(row(name, lines, sides))
        all_lines += lines
        all_sides += sides
    report.append(row('all', all_lines, all_sides))

    faults = []
    if percent(sum(all_lines), len(all_lines)) < arguments.lines:
        faults.append(f'Fewer than {arguments.lines} % of the lines are covered.')
    if percent(sum(all_sides), len(all_sides)) < arguments.sides:
        faults.append(f'Fewer than {arguments.sides} % of the sides of branches are covered.')
    now = set(uncovered(headers))
    listed = read_list(arguments.uncovered)
    faults += [f'Not covered and not listed: {entry}' for entry in sorted(map(say, now - listed))]
    faults += [f'Listed, but covered or gone: {entry}' for entry in sorted(map(say, listed - now))]

    text = '\n'.join(report + faults) + '\n'
    arguments.output.write_text(text, encoding='utf-8')
    print(text, end='')
    sys.exit(bool(faults))


main()
