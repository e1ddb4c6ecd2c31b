#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Arenite authors
# SPDX-License-Identifier: MIT

"""Which small faults in a header do the tests notice?

Makes one small change after the other in a copy of the headers (mutants.py says which), builds the tests that judge
that header and runs them until one fails. A change that none of them notices is a survivor. Each survivor must stand in
survivors.txt with the reason why it may live, and each one there must still survive: else this fails with 1.

Most mutants are built together, and a running program chooses one of them; while the compiler evaluates a constant it
sees none. What is not noticed so, and what cannot be chosen so, is built alone.

Needs Clang with GoogleTest; nothing else. What was found out once is kept in the build folder, and found out again
only for changes and tests that are no longer the same.
"""

import argparse
import collections
import concurrent.futures
import fnmatch
import glob
import hashlib
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import threading

sys.dont_write_bytecode = True
from mutants import combined, mutants_of, mutate, squeezed  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))

# The tests that judge a header: those that are likely to notice first, first. They are GoogleTest programs of tests/,
# `name@level` at another level of hardening; those in a folder are files that must not compile.
JUDGES = {
    "adapters/synchronized.hpp": ["synchronized_test"],
    "align.hpp": ["align_test", "arena_test"],
    "arena.hpp": [
        "arena_test",
        "observer_test",
        "session_test",
        "guard_test",
        "fences_test",
        "synchronized_test",
        "field_cases_test",
        "hardening_test@off",
        "hardening_test@debug",
        "compile_fail/arena_*",
    ],
    "arena_core.hpp": [
        "arena_test",
        "session_test",
        "guard_test",
        "dry_run_test",
        "hardening_test@off",
        "hardening_test@debug",
        "arena_model_test",
    ],
    "buffer.hpp": ["buffer_test", "verify_test", "planner_test", "constraint_test", "compile_fail/buffer_*"],
    "constraint.hpp": ["constraint_test", "compile_fail/constraint_*"],
    "adapters/tflm_offline_plan.hpp": ["tflm_offline_plan_test"],
    "dry_run.hpp": ["dry_run_test", "field_cases_test", "arena_model_test", "session_model_test"],
    "dry_session.hpp": ["dry_session_test", "session_model_test"],
    "host/search.hpp": ["search_test"],
    "lifetimes.hpp": ["lifetimes_test", "report_test", "compile_fail/graph_*"],
    "observer.hpp": ["observer_test", "guard_test", "recorder_test", "asan_test", "trace_test", "session_test"],
    "observers/asan.hpp": ["asan_test"],
    "observers/fences.hpp": ["fences_test", "hardening_test@debug", "hardening_test@off", "hardening_test"],
    "observers/guard.hpp": ["guard_test", "observer_test"],
    "observers/recorder.hpp": ["recorder_test", "report_test"],
    "observers/trace.hpp": ["trace_test"],
    "plan.hpp": ["plan_test", "planner_test", "arena_test", "report_test", "compile_fail/*plan*"],
    "planner.hpp": ["planner_test", "constraint_test", "plan_test", "compile_fail/*"],
    "planner/around.hpp": ["constraint_test"],
    "planner/best_of.hpp": ["best_of_test", "constraint_test"],
    "planner/first_fit.hpp": ["first_fit_test", "greedy_test", "best_of_test"],
    "planner/fit.hpp": ["best_of_test", "constraint_test", "search_strategy_test"],
    "planner/greedy.hpp": ["greedy_test"],
    "planner/linear.hpp": ["linear_test", "constraint_test"],
    "planner/lower_bound.hpp": ["lower_bound_test", "planner_test", "constraint_test"],
    "planner/orders.hpp": ["best_of_test", "constraint_test"],
    "planner/pieces.hpp": ["constraint_test", "planner_test"],
    "planner/search.hpp": ["search_strategy_test", "constraint_test"],
    "planner/sort.hpp": ["sort_test", "verify_test"],
    "planner/verify.hpp": ["verify_test", "constraint_test"],
    "report.hpp": ["report_test"],
    "session.hpp": ["session_test", "session_model_test", "field_cases_test"],
    "session_core.hpp": ["session_test", "session_model_test", "dry_session_test", "field_cases_test"],
    "status.hpp": ["status_test", "arena_test", "two_units_test"],
}
SLOW = {"arena_model_test", "session_model_test"}  # asked without the sanitizers only
CORE = ["align.hpp", "planner/verify.hpp", "arena_core.hpp", "arena.hpp"]
CLOCK = 200  # seconds by the clock that a second of processor time may take, before the run is given up

FLAGS = ["-std=c++17", "-O0", "-w", "-pthread", "-DARENITE_THOROUGH_TESTS=0"]
COMBINED = ["-O1", "-ferror-limit=0", "-Wno-invalid-constexpr", "-fbracket-depth=4096", "-fconstexpr-steps=100000000"]
SANITIZERS = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
PRECOMPILED = """\
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>
#include <vector>

inline const int chosen_mutant = [] {
  const char* const number = std::getenv("MUTANT");
  return number != nullptr ? std::atoi(number) : -1;
}();
#define CHOSEN_MUTANT(number) (!__builtin_is_constant_evaluated() && ::chosen_mutant == number)
"""

# How a mutant ends.
ILL_FORMED, STATIC_ASSERT, TEST, HANG, SANITIZER, SURVIVED = (
    "does not compile",
    "static_assert",
    "test",
    "hang",
    "sanitizer",
    "survived",
)
Outcome = collections.namedtuple("Outcome", "end who output", defaults=("",))


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def digest(*parts):
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:24]


class Bench:
    """The compiler, the tests and a build folder."""

    precompiled = {}  # by flags, once for all benches: see precompile()

    def __init__(self, root, build, cxx):
        self.root, self.build, self.cxx = root, build, cxx
        self.include = os.path.join(root, "include", "arenite")
        self.tests = os.path.join(root, "tests")
        os.makedirs(build, exist_ok=True)
        self.version = subprocess.run([cxx, "--version"], capture_output=True, text=True, check=True).stdout
        self.patience = {}  # seconds of processor time a program may take
        self.texts = {}
        self.lock = threading.Lock()
        self.trying = threading.RLock()
        self.cache_path = os.path.join(build, "cache.json")
        self.cache = json.loads(read(self.cache_path)) if os.path.exists(self.cache_path) else {}

    def save(self):
        with self.lock:
            with open(self.cache_path + ".new", "w", encoding="utf-8") as file:
                json.dump(self.cache, file)
            os.replace(self.cache_path + ".new", self.cache_path)

    def text(self, path):
        if path not in self.texts:
            self.texts[path] = squeezed(read(path))
        return self.texts[path]

    def headers_of(self, source):
        """The headers of the project that a test includes."""
        key = "headers of " + source
        if key not in self.texts:
            make = subprocess.run(
                [self.cxx, *FLAGS, "-MM", "-I", os.path.join(self.root, "include"), source],
                capture_output=True,
                text=True,
                check=True,
            ).stdout
            # As make writes them: a blank in a path has a backslash in front of it.
            words = re.findall(r"(?:\\.|\S)+", make.partition(": ")[2].replace("\\\n", " "))
            paths = {os.path.realpath(re.sub(r"\\([ #])", r"\1", word).replace("$$", "$")) for word in words}
            self.texts[key] = sorted(path for path in paths if path.startswith(self.root + os.sep))
        return self.texts[key]

    def key(self, judge, sanitized, header, mutated):
        """Changes when anything changes on which the answer of the judge depends."""
        source = self.source(judge)
        path = os.path.realpath(os.path.join(self.include, header))
        texts = [squeezed(mutated) if p == path else self.text(p) for p in self.headers_of(source)]
        texts += [self.text(other) for other in self.sources(judge)[1:]]
        if "/" in judge:
            texts.append(self.text(os.path.join(self.tests, "compile_fail", "run.cmake")))
        flags = " ".join(FLAGS + COMBINED + SANITIZERS) + PRECOMPILED
        return digest(self.version, flags, judge, str(sanitized), header, squeezed(mutated), *texts)

    def source(self, judge):
        return os.path.join(self.tests, judge.partition("@")[0] + ".cpp")

    def sources(self, judge):
        source = self.source(judge)
        return [source, *sorted(glob.glob(glob.escape(source[:-4]) + "_other.cpp"))]

    def judges_of(self, header):
        found = []
        for name in JUDGES[header]:
            if "/" not in name:
                found.append(name)
            else:
                paths = sorted(glob.glob(os.path.join(glob.escape(self.tests), name + ".cpp")))
                found += ["compile_fail/" + os.path.basename(path)[:-4] for path in paths]
        return found

    def precompile(self, flags):
        """A header with what the tests include anyway, built with these flags."""
        with self.lock:
            if (self.cxx, flags) not in self.precompiled:
                folder = os.path.join(self.build, digest(*flags))
                os.makedirs(folder, exist_ok=True)
                path = os.path.join(folder, "precompiled.hpp")
                with open(path, "w", encoding="utf-8") as file:
                    file.write(PRECOMPILED)
                subprocess.run([self.cxx, *flags, "-x", "c++-header", path, "-o", path + ".gch"], check=True)
                self.precompiled[self.cxx, flags] = path
            return self.precompiled[self.cxx, flags]

    def run(self, command, seconds, **more):
        """Its exit code, its output, and the processor time it took; None where it took more than `seconds` of that.

        Only processor time says something of the program. What the clock says depends on what else the machine does."""

        def limit():
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        try:
            done = subprocess.run(
                command,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                errors="replace",
                preexec_fn=limit,
                timeout=CLOCK * seconds,
                **more,
            )
        except subprocess.TimeoutExpired:
            message = f"still runs after {CLOCK * seconds} s by the clock, with less than {seconds} s of processor time"
            raise SystemExit(f"{command[0]} {message}") from None
        if done.returncode == -signal.SIGKILL:
            raise SystemExit(f"{command[0]} was killed: is there too little memory?\n{done.stdout[:2000]}")
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        took = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return (None if done.returncode == -signal.SIGXCPU else done.returncode), done.stdout, took

    def compile(self, judge, sanitized, include, program, *options):
        """The exit code and what the compiler says."""
        level = judge.partition("@")[2]
        hardening = ["-DARENITE_HARDENING=ARENITE_HARDENING_" + level.upper()] if level else []
        flags = (*FLAGS, *hardening, *(SANITIZERS if sanitized else []), *options)
        command = [self.cxx, *flags, "-include", self.precompile(flags), "-I", include, *self.sources(judge)]
        code, output, _ = self.run([*command, "-o", program, "-lgtest", "-lgtest_main"], 240)
        return code, output

    def ask(self, judge, sanitized, program, folder, patience, mutant=-1):
        """What a program says: an Outcome, or None if it sees nothing wrong, and how long it took."""
        options = ["--gtest_brief=1", "--gtest_fail_fast", "--gtest_color=no"]
        environment = dict(os.environ, ARENITE_TEST_SEED="1", MUTANT=str(mutant))
        code, output, took = self.run([program, *options], patience, env=environment, cwd=folder)
        if code == 0:
            return None, took
        failed = re.search(r"\[  FAILED  \] ([\w./]+)", output)
        who = f"{judge} {failed.group(1)}" if failed else judge
        return Outcome(HANG if code is None else SANITIZER if sanitized else TEST, who, output), took

    def judge(self, judge, sanitized, include, folder, patience):
        """What one judge says of headers, likewise."""
        os.makedirs(folder, exist_ok=True)
        if "/" in judge:
            command = ["cmake", "-D", "SOURCE=" + self.source(judge), "-D", "OBJECT=" + os.path.join(folder, "case.o")]
            command += ["-P", os.path.join(self.tests, "compile_fail", "run.cmake"), "--", self.cxx]
            code, output, took = self.run([*command, "-std=c++17", "-Werror", "-I" + include], 60)
            return (None if code == 0 else Outcome(TEST, judge, output)), took
        program = os.path.join(folder, "program")
        code, output = self.compile(judge, sanitized, include, program, "-ferror-limit=1")
        if code is None:
            return Outcome(HANG, judge + ", compiling"), 0
        if code != 0:
            asserted = re.search("static.assert|constant expression", output)
            return Outcome(STATIC_ASSERT if asserted else ILL_FORMED, judge, output), 0
        return self.ask(judge, sanitized, program, folder, patience)

    def folder(self, name):
        """A build folder with a copy of the headers."""
        folder = os.path.join(self.build, name)
        shutil.rmtree(os.path.join(folder, "include"), ignore_errors=True)
        shutil.copytree(os.path.join(self.root, "include"), os.path.join(folder, "include"))
        return folder

    def steps(self, header):
        judges = self.judges_of(header)
        return [(judge, False) for judge in judges] + [(j, True) for j in judges if "/" not in j and j not in SLOW]

    def known_end(self, header, mutated):
        """How a mutant ended before, or None."""
        known = [self.cache.get(self.key(*step, header, mutated)) for step in self.steps(header)]
        ends = [Outcome(*answer) for answer in known if answer and answer[0] != SURVIVED]
        return ends[0] if ends else Outcome(SURVIVED, "") if None not in known else None

    def note(self, step, header, mutated, outcome):
        key = self.key(*step, header, mutated)
        with self.lock:
            self.cache[key] = (outcome or Outcome(SURVIVED, ""))[:2]

    def end_of(self, header, mutated, folder):
        """How a mutant ends that is built alone."""
        include = os.path.join(folder, "include")
        path = os.path.join(include, "arenite", header)
        try:
            for step in self.steps(header):
                if self.key(*step, header, mutated) in self.cache:
                    continue
                self.try_unchanged(*step)
                with open(path, "w", encoding="utf-8") as file:
                    file.write(mutated)
                outcome, _ = self.judge(*step, include, folder, self.patience[step])
                self.note(step, header, mutated, outcome)
                if outcome:
                    return outcome
        finally:
            shutil.copyfile(os.path.join(self.include, header), path)
        return Outcome(SURVIVED, "")

    def combined_program(self, step, header, text, mutants, folder):
        """Builds one program with all mutants; which of them are in it."""
        include = os.path.join(folder, "include")
        mutants = list(mutants)
        while True:
            mixed, made = combined(text, mutants, "CHOSEN_MUTANT({})".format)
            with open(os.path.join(include, "arenite", header), "w", encoding="utf-8") as file:
                file.write(mixed)
            code, output = self.compile(*step, include, os.path.join(folder, "program"), *COMBINED)
            if code == 0:
                return made
            culprits = {int(n) for n in re.findall(r"^mutant:(\d+):\d+: error", output, re.MULTILINE)} & made
            if not culprits:
                break
            for i in culprits:
                mutants[i] = None
        print(f"{header}: {step[0]} cannot be built with all mutants at once\n{output[:2000]}", file=sys.stderr)
        return set()

    def try_combined(self, header, text, mutants, jobs, outcomes):
        """All mutants that can be chosen by a running program, in one program a judge. Fills `outcomes` with those that
        a judge notices; and notes of the others that the sanitizers see nothing."""
        folder = self.folder("combined")
        for step in self.steps(header):
            waiting = [m if m not in outcomes else None for m in mutants]
            if "/" in step[0] or not any(waiting):
                continue
            self.try_unchanged(*step)
            made = self.combined_program(step, header, text, waiting, folder)

            def work(i, step=step):
                answer, _ = self.ask(*step, os.path.join(folder, "program"), folder, self.patience[step], i)
                return i, answer

            with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
                for number, (i, answer) in enumerate(pool.map(work, sorted(made))):
                    if answer:
                        outcomes[mutants[i]] = answer
                    if answer or step[1]:
                        self.note(step, header, mutate(text, mutants[i]), answer)
                    if number % 20 == 0:
                        self.save()
            self.save()

    def try_unchanged(self, judge, sanitized):
        """A judge must take the headers as they are; the longer that takes, the more patient are we later."""
        with self.trying:
            if (judge, sanitized) in self.patience:
                return
            include = os.path.join(self.root, "include")
            outcome, took = self.judge(judge, sanitized, include, os.path.join(self.build, "unchanged"), 60)
            if outcome:
                raise SystemExit(f"{judge} fails without any change: {outcome.end}\n{outcome.output}")
            self.patience[judge, sanitized] = int(4 * took) + 2


def read_survivors(path):
    """{header: {(before, after): reason}}. Pairs of lines `- before` and `+ after`, then their reason, indented."""
    survivors = collections.defaultdict(dict)
    header, before, pairs, reason = None, None, [], []

    def close():
        for pair in pairs:
            survivors[header][pair] = " ".join(reason)
        if pairs and not reason:
            raise SystemExit(f"{path}: no reason for\n- {pairs[-1][0]}\n+ {pairs[-1][1]}")
        pairs.clear()
        reason.clear()

    for line in read(path).splitlines() if os.path.exists(path) else []:
        if line.startswith("# ") or not line.strip():
            close()
        elif line.startswith("- "):
            if reason:
                close()
            before = line[2:]
        elif line.startswith("+"):
            pairs.append((before, line[2:]))
        elif line.startswith("  "):
            reason.append(line.strip())
        else:
            close()
            header = line.strip()
    close()
    return survivors


def chosen(text, only):
    """The mutants of a text, or those with `only` in their line."""
    return [m for m in mutants_of(text) if not only or only in m.before or only in m.after]


def run_header(bench, header, jobs, only, alone, verbose):
    text = read(os.path.join(bench.include, header))
    mutants = chosen(text, only)
    outcomes = {}
    for mutant in mutants:
        known = bench.known_end(header, mutate(text, mutant))
        if known:
            outcomes[mutant] = known
    if not alone and len(outcomes) < len(mutants):
        bench.try_combined(header, text, mutants, jobs, outcomes)

    folders = [bench.folder(f"job{number}") for number in range(jobs)]
    rest = [m for m in mutants if m not in outcomes]

    def work(mutant):
        folder = folders.pop()
        try:
            return mutant, bench.end_of(header, mutate(text, mutant), folder)
        finally:
            folders.append(folder)

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for number, (mutant, outcome) in enumerate(pool.map(work, rest)):
            outcomes[mutant] = outcome
            if sys.stderr.isatty():
                print(f"\r{header}: {number}/{len(rest)}", end="", file=sys.stderr)
            if number % 10 == 0:
                bench.save()
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr)
    bench.save()
    if verbose:
        for mutant in mutants:
            print(f"{header}: {outcomes[mutant].end} {outcomes[mutant].who}\n- {mutant.before}\n+ {mutant.after}")
    return [(mutant, outcomes[mutant]) for mutant in mutants]


def report(header, outcomes, explained, whole):
    """Prints what became of the mutants of a header; whether all is well."""
    counts = collections.Counter(outcome.end for _, outcome in outcomes)
    survivors = {(m.before, m.after) for m, outcome in outcomes if outcome.end == SURVIVED}
    print(f"{header}: {len(outcomes)} mutants")
    for end in (ILL_FORMED, STATIC_ASSERT, TEST, HANG, SANITIZER, SURVIVED):
        print(f"  {counts[end]:5}  {end}")
    by_test = collections.Counter(o.who for _, o in outcomes if o.end in (TEST, HANG, SANITIZER, STATIC_ASSERT))
    print("  noticed first by")
    for who, count in by_test.most_common(12):
        print(f"  {count:5}  {who}")
    if len(by_test) > 12:
        print(f"  {sum(by_test.values()) - sum(c for _, c in by_test.most_common(12)):5}  {len(by_test) - 12} others")
    unexplained = [m for m, o in outcomes if o.end == SURVIVED and (m.before, m.after) not in explained]
    for mutant in unexplained:
        print(f"  survived, and no reason is given:\n- {mutant.before}\n+ {mutant.after}")
    stale = [pair for pair in explained if pair not in survivors] if whole else []
    for before, after in stale:
        print(f"  listed as a survivor, but does not survive, or is no more:\n- {before}\n+ {after}")
    return not unexplained and not stale


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("headers", nargs="*", metavar="header", help="as in planner/verify.hpp; * is allowed")
    parser.add_argument("--list", action="store_true", help="print the mutants and run nothing")
    parser.add_argument("--only", metavar="TEXT", help="only mutants with this text in their line, before or after")
    parser.add_argument("--alone", action="store_true", help="build each mutant alone: slow, for what is doubted")
    jobs = os.cpu_count()
    parser.add_argument("--jobs", type=int, default=jobs, metavar="N", help="at a time (default: %(default)s)")
    parser.add_argument("--cxx", default="clang++", help="the compiler (default: %(default)s)")
    parser.add_argument("--root", default=os.path.dirname(os.path.dirname(HERE)), help="the project")
    parser.add_argument("--build", help="build folder (default: build/mutation in the project)")
    parser.add_argument("--verbose", action="store_true", help="print what becomes of each mutant")
    given = parser.parse_args(arguments)
    root = os.path.realpath(given.root)
    include = os.path.join(root, "include", "arenite")
    if not os.path.isdir(include):
        parser.error(f"no headers: there is no {include}")
    if given.jobs < 1:
        parser.error(f"--jobs {given.jobs}: at least one")
    if not given.list and not shutil.which(given.cxx):
        parser.error(f"--cxx {given.cxx}: there is no such compiler")

    paths = glob.glob(os.path.join(glob.escape(include), "**", "*.hpp"), recursive=True)
    there = [os.path.relpath(path, include) for path in paths]
    headers = []
    for pattern in given.headers or CORE:
        names = [name for name in fnmatch.filter(JUDGES, pattern) if name in there]
        if not names:
            parser.error(f"no test judges {pattern}; there are {', '.join(JUDGES)}")
        headers += [name for name in names if name not in headers]
        unjudged = sorted(set(fnmatch.filter(there, pattern)) - JUDGES.keys())
        if unjudged:
            print(f"no test judges {', '.join(unjudged)}", file=sys.stderr)
    headers = [h for h in headers if not given.only or chosen(read(os.path.join(include, h)), given.only)]
    if not headers:
        parser.error(f"--only {given.only}: no mutant has that in its line")
    if given.list:
        for header in headers:
            for mutant in chosen(read(os.path.join(include, header)), given.only):
                print(f"{header}\n- {mutant.before}\n+ {mutant.after}")
        return 0

    bench = Bench(root, os.path.realpath(given.build or os.path.join(root, "build", "mutation")), given.cxx)
    survivors = read_survivors(os.path.join(root, "tests", "mutation", "survivors.txt"))
    well = True
    for header in headers:
        outcomes = run_header(bench, header, given.jobs, given.only, given.alone, given.verbose)
        well = report(header, outcomes, survivors[header], not given.only) and well
    return 0 if well else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
