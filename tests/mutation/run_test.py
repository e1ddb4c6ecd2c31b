# SPDX-FileCopyrightText: 2026 The Arenite authors
# SPDX-License-Identifier: MIT

"""Tests of the mutation tests: of the faults that are made, and of the script on a project of one header.

usage: run_test.py COMPILER
"""

import contextlib
import glob
import io
import os
import re
import sys
import tempfile
import textwrap
import unittest
import unittest.mock

sys.dont_write_bytecode = True
import run  # noqa: E402
from mutants import mutants_of, mutate  # noqa: E402

COMPILER = sys.argv.pop() if len(sys.argv) > 1 else "c++"

HEADER = """\
#pragma once

#define MANY 7

/// The smaller one: a < b.
constexpr int smaller(int a, int b) {
  return a < b ? a : b;
}

inline int sum(const int* values, int count) {
  int result = 0;
  for (int i = 0; i < count; ++i) result += values[i];
  return result;
}

inline int none(int count) {
  do --count; while (count > 0);
  return count;
}

inline int& same(int* one) {
  return *one;
}

template <class T>
T* chosen(T* one, T* other) {
  if (one != nullptr) return one;
  return other;
}
"""

TEST = """\
#include <arenite/small.hpp>

#include <gtest/gtest.h>

static_assert(smaller(3, 5) == 3 && smaller(5, 3) == 3);

TEST(Sum, OfTwo) {
  const int* const values = new int[2]{3, 4};
  EXPECT_EQ(sum(values, 2) & 7, 7);
  delete[] values;
}

TEST(None, IsLeft) {
  EXPECT_EQ(none(3), 0);
  EXPECT_EQ(none(-3), -4);
}

TEST(Chosen, IsTheFirst) {
  int one = 0;
  EXPECT_EQ(&same(&one), &one);
  EXPECT_EQ(chosen<int>(&one, nullptr), &one);
  EXPECT_EQ(chosen<int>(nullptr, &one), &one);
}
"""


def changes(text):
    return [(m.before, m.after) for m in mutants_of(textwrap.dedent(text))]


def afters(text):
    return [after for _, after in changes(text)]


class Mutants(unittest.TestCase):
    def test_a_comparison(self):
        self.assertEqual(
            afters("bool f(int a, int b) { return a <= b; }"),
            [
                "bool f(int a, int b) { return {}; }",
                "bool f(int a, int b) { return true; }",
                "bool f(int a, int b) { return a < b; }",
            ],
        )
        self.assertEqual(afters("const bool c = a <= b;"), ["const bool c = a < b;", "const bool c = a > b;"])

    def test_an_operand_of_and_or_or(self):
        found = afters("const bool c = !a && (b || d);")
        self.assertEqual(
            found,
            [
                "const bool c = true && (b || d);",
                "const bool c = !a && true;",
                "const bool c = !a && (false || d);",
                "const bool c = !a && (b || false);",
            ],
        )

    def test_numbers(self):
        self.assertEqual(afters("int a = 0;"), ["int a = 1;"])
        self.assertEqual(afters("int a = 1'000u;"), ["int a = 1001u;", "int a = 999u;"])
        self.assertEqual(afters("int a = 0x10;"), ["int a = 0x11;", "int a = 0xf;"])
        self.assertEqual(afters("double a = 1.5;"), [])

    def test_a_check(self):
        found = afters("void f() {\n  if (g(1) || h) return;\n  k();\n}")
        for after in ("if (true) return;", "if (false) return;", "if (false || h) return;", ";"):
            self.assertIn(after, found)
        self.assertNotIn("if (g(1) || h) ;", found)

    def test_statements_but_not_declarations(self):
        found = changes(
            """\
            class A {
              A(int b) : b_(b) {}
              int b_;
              void f() {
                B* const b = g();
                B& c = *b;
                B d(b);
                B<int> e(b);
                a.b->c(d);
                *b = c;
                b.c<int>(d > e);
                while (b) ++b;
                k([b] { h(b); });
              }
            };
            """
        )
        dropped = [before for before, after in found if after == ";"]
        self.assertEqual(dropped, ["a.b->c(d);", "*b = c;", "b.c<int>(d > e);", "k([b] { h(b); });"])
        self.assertIn(("while (b) ++b;", "while (false) ++b;"), found)
        self.assertIn(("k([b] { h(b); });", "k([b] { ; });"), found)

    def test_what_is_left_alone(self):
        self.assertEqual(
            changes(
                """\
                #if A < 1 && \\
                    B < 2
                // a < b
                template <std::size_t N, class T = A<1u>*>
                [[gnu::aligned(8)]] std::vector<A&&> f(const T& a, T&& b, const char* = "a < b");
                static_assert(sizeof(A) == 8);
                /* a
                   + 1 */
                """
            ),
            [
                (
                    "template <std::size_t N, class T = A<1u>*>",
                    f"template <std::size_t N, class T = A<{other}u>*>",
                )
                for other in (2, 0)
            ],
        )

    def test_a_static_assert_with_a_message(self):
        found = afters('static_assert(N > 0, "at least one");')
        self.assertIn(";", found)
        self.assertIn('static_assert(N >= 0, "at least one");', found)

    def test_a_line_that_is_there_twice(self):
        self.assertEqual(afters("a = 0;\na = 0;"), ["a = 1;", "a = 1;  // in place 2"])

    def test_the_text_that_is_made(self):
        text = "int a = 1; // one\nint b = a + 2;\n"
        plus = [m for m in mutants_of(text) if m.after == "int b = a - 2;"]
        self.assertEqual(mutate(text, plus[0]), "int a = 1; // one\nint b = a - 2;\n")


class Script(unittest.TestCase):
    """Each way in which a mutant can end, and what is said of it."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.root = os.path.join(cls.folder.name, "a project")
        cls.judges, run.JUDGES = run.JUDGES, {"small.hpp": ["small_test"]}
        cls.write("include/arenite/small.hpp", HEADER)
        cls.write("tests/small_test.cpp", TEST)

    @classmethod
    def tearDownClass(cls):
        run.JUDGES = cls.judges
        cls.folder.cleanup()

    @classmethod
    def write(cls, name, text):
        path = os.path.join(cls.root, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def run_on(self, only=None, survivors="", options=("--verbose",)):
        self.write("tests/mutation/survivors.txt", survivors)
        arguments = ["--root", self.root, "--cxx", COMPILER, "--jobs", "1", "small.hpp"]
        with contextlib.redirect_stdout(io.StringIO()) as output:
            code = run.main(arguments + (["--only", only] if only else []) + list(options))
        return code, output.getvalue()

    def test_how_each_mutant_ends(self):
        _, output = self.run_on()
        line = "- return a < b ? a : b;\n+ return"
        self.assertIn(f"small.hpp: static_assert small_test\n{line} true ? a : b;", output)
        self.assertIn(f"small.hpp: survived \n{line} a <= b ? a : b;", output)
        line = "- for (int i = 0; i < count; ++i) result += values[i];\n+ for (int i = 0;"
        self.assertIn(f"small.hpp: test small_test Sum.OfTwo\n{line} i < count; ++i) result -= values[i];", output)
        self.assertRegex(output, "small.hpp: sanitizer small_test.*\n" + re.escape(f"{line} i <= count;"))
        line = "- do --count; while (count > 0);\n+ do ; while (count > 0);"
        self.assertRegex(output, "small.hpp: hang small_test.*\n" + re.escape(line))
        self.assertIn("small.hpp: test small_test Chosen.IsTheFirst\n- if (one != nullptr) return one;", output)
        self.assertIn("small.hpp: does not compile small_test\n- return *one;\n+ return {};", output)

    def test_alone_and_together_are_the_same(self):
        _, together = self.run_on("result -= values[i]")
        build = os.path.join(self.root, "alone")
        _, alone = self.run_on("result -= values[i]", options=("--verbose", "--alone", "--build", build))
        self.assertEqual(together, alone)

    def test_a_survivor_needs_a_reason(self):
        code, output = self.run_on("return a <= b")
        self.assertIn("survived, and no reason is given:\n- return a < b ? a : b;\n+ return a <= b ? a : b;", output)
        self.assertEqual(code, 1)

    def test_a_survivor_with_a_reason(self):
        listed = "small.hpp\n\n- return a < b ? a : b;\n+ return a <= b ? a : b;\n  Of two equal ones either will do.\n"
        code, output = self.run_on("return a <= b", listed)
        self.assertNotIn("no reason", output)
        self.assertEqual(code, 0)

    def test_a_reason_must_be_there(self):
        with self.assertRaises(SystemExit):
            self.run_on("return a <= b", "small.hpp\n\n- return a < b ? a : b;\n+ return a <= b ? a : b;\n")

    def test_the_whole_header_and_a_list_that_is_out_of_date(self):
        stale = "small.hpp\n\n- gone;\n+ ;\n  It is no more.\n"
        code, output = self.run_on(None, stale, ())
        self.assertIn("listed as a survivor, but does not survive, or is no more:\n- gone;\n+ ;\n", output)
        self.assertEqual(code, 1)
        self.assertRegex(output, r"small.hpp: \d+ mutants\n +1  does not compile\n +\d+  static_assert\n")

    def refused(self, *arguments):
        """What the script says when it refuses its arguments."""
        with contextlib.redirect_stderr(io.StringIO()) as errors, self.assertRaises(SystemExit) as end:
            run.main(["--root", self.root, "--cxx", COMPILER, *arguments])
        self.assertEqual(end.exception.code, 2)
        return errors.getvalue()

    def test_arguments_that_cannot_be(self):
        self.assertIn("--only zzz: no mutant has that in its line", self.refused("small.hpp", "--only", "zzz"))
        self.assertIn("no mutant has that", self.refused("small.hpp", "--list", "--only", "zzz"))
        self.assertIn("--cxx no-compiler: there is no such", self.refused("small.hpp", "--cxx", "no-compiler"))
        self.assertIn("no headers: there is no", self.refused("small.hpp", "--root", os.path.join(self.root, "tests")))
        self.assertIn("--jobs 0: at least one", self.refused("small.hpp", "--jobs", "0"))
        self.assertIn("no test judges large.hpp", self.refused("large.hpp"))

    def test_a_list_of_some(self):
        with contextlib.redirect_stdout(io.StringIO()) as output:
            code = run.main(["--root", self.root, "--list", "--only", "return a <= b", "small.hpp"])
        self.assertEqual(code, 0)
        self.assertEqual(output.getvalue(), "small.hpp\n- return a < b ? a : b;\n+ return a <= b ? a : b;\n")

    def test_each_judge_is_there(self):
        root = os.path.dirname(os.path.dirname(run.HERE))
        bench = run.Bench(root, os.path.join(self.root, "judges"), COMPILER)
        for header, judges in self.judges.items():
            self.assertTrue(os.path.exists(os.path.join(bench.include, header)), header)
            for name in judges:
                found = glob.glob(os.path.join(bench.tests, name.partition("@")[0] + ".cpp"))
                self.assertTrue(found, f"{header}: {name}")

    def test_a_header_without_judges_is_named(self):
        self.write("include/arenite/more/other.hpp", "inline int other() { return 1; }\n")
        self.addCleanup(os.remove, os.path.join(self.root, "include/arenite/more/other.hpp"))
        with contextlib.redirect_stderr(io.StringIO()) as errors, contextlib.redirect_stdout(io.StringIO()) as output:
            run.main(["--root", self.root, "--list", "*"])
        self.assertEqual(errors.getvalue(), "no test judges more/other.hpp\n")
        self.assertIn("small.hpp\n- ", output.getvalue())

    def test_each_header_of_a_test_is_known_by_its_path(self):
        bench = run.Bench(os.path.realpath(self.root), os.path.join(self.root, "paths"), COMPILER)
        names = [os.path.relpath(path, bench.root) for path in bench.headers_of(bench.source("small_test"))]
        self.assertEqual(names, ["include/arenite/small.hpp", "tests/small_test.cpp"])

    def test_a_test_that_fails_anyway(self):
        self.write("tests/small_test.cpp", TEST.replace("& 7, 7", "& 7, 6"))
        with self.assertRaisesRegex(SystemExit, "small_test fails without any change: test"):
            self.run_on("result -= values[i]")
        self.write("tests/small_test.cpp", TEST)

    def test_what_only_the_clock_says_is_no_outcome(self):
        bench = run.Bench(os.path.realpath(self.root), os.path.join(self.root, "clock"), COMPILER)
        self.assertIsNone(bench.run([sys.executable, "-c", "while True: pass"], 1)[0])
        with self.assertRaisesRegex(SystemExit, "sleep still runs after 0.25 s by the clock, with less than 1 s"):
            with unittest.mock.patch.object(run, "CLOCK", 0.25):
                bench.run(["sleep", "60"], 1)
        with self.assertRaisesRegex(SystemExit, "sh was killed: is there too little memory"):
            bench.run(["sh", "-c", "kill -9 $$"], 1)


if __name__ == "__main__":
    unittest.main()
