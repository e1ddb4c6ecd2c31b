// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#include <CLI/CLI.hpp>
#include <arenite/align.hpp>
#include <arenite/version.hpp>

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <map>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "commands.hpp"
#include "error.hpp"
#include "number.hpp"

namespace arenite::tool {
namespace {

constexpr char kInputHelp[] =
    "A .tflite model; a CSV file with a header line (first,last inclusive, or lower,upper with upper exclusive; size; "
    "if you like id, name, alignment, offset); a plan written as JSON; or - for standard input";

// As a linker script and a datasheet have it.
constexpr char kSizes[] = "64K, 64KB and 64KiB are 65536";

void add_input(CLI::App& command, std::string& input) { command.add_option("MODEL", input, kInputHelp)->required(); }

void add_format(CLI::App& command, Format& format) {
  const std::map<std::string, Format> formats = {{"text", Format::kText}, {"json", Format::kJson}};
  command.add_option("--format", format, "Of what is printed: text or json")
      ->transform(CLI::CheckedTransformer(formats).description(""))
      ->option_text("text|json");
}

// "3:1024", or "1/3:1024" in subgraph 1.
Scratch scratch_from(const std::string& text) {
  const auto number = [&text](std::string_view part) {
    const auto value = number_from(part, std::numeric_limits<std::size_t>::max());
    if (!value) throw CLI::ValidationError("--scratch", "'" + text + "' is not OP:BYTES or SUBGRAPH/OP:BYTES");
    return static_cast<std::size_t>(*value);
  };
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos) number("");
  const std::string op = text.substr(0, colon);
  const std::size_t slash = op.find('/');
  Scratch scratch;
  if (slash != std::string::npos) scratch.subgraph = number(op.substr(0, slash));
  scratch.op = number(slash == std::string::npos ? op : op.substr(slash + 1));
  scratch.bytes = number(text.substr(colon + 1));
  return scratch;
}

void add_alignment(CLI::App& command, std::size_t& alignment, const std::string& help) {
  command.add_option("--alignment", alignment, help)
      ->check(CLI::Validator(
          [](const std::string& text) {
            const auto value = number_from(text, std::size_t{1} << 30);
            return value && is_power_of_two(static_cast<std::size_t>(*value))
                       ? std::string()
                       : "'" + text + "' is no power of two up to 1073741824";
          },
          ""))
      ->option_text("BYTES");
}

void add_load(CLI::App& command, LoadOptions& load) {
  add_alignment(command, load.alignment,
                "Of buffers that do not say, in bytes: a power of two (default: 16). Tensors are rounded up to it");
  command
      .add_option_function<std::vector<std::string>>(
          "--scratch",
          [&load](const std::vector<std::string>& given) {
            for (const std::string& text : given) load.scratch.push_back(scratch_from(text));
          },
          "Scratch that the kernel of an operator asks for; operators count from 0. May be given again")
      ->option_text("[SUBGRAPH/]OP:BYTES ...")
      ->allow_extra_args(false);
  command
      .add_option("--trace", load.trace,
                  "Takes the scratch from what TensorFlow Lite Micro's planner printed for this model on the device")
      ->option_text("FILE");
}

void add_strategy(CLI::App& command, LayoutOptions& layout) {
  std::vector<std::string> names;
  std::string help = "How to plan:";
  for (const StrategyName& strategy : strategies()) {
    names.emplace_back(strategy.name);
    help += std::string("\n") + strategy.name + ": " + strategy.what;
  }
  command.add_option("--strategy", layout.strategy, help)
      ->check(CLI::IsMember(names).description(""))
      ->option_text("NAME");
}

void add_time_limit(CLI::App& command, LayoutOptions& layout) {
  command.add_option("--time-limit", layout.seconds, "Ends a search after so long (default: by its budget of work)")
      ->check(CLI::Validator(
          [](const std::string& text) {
            double seconds = 0;
            const bool positive = CLI::detail::lexical_cast(text, seconds) && seconds > 0 && std::isfinite(seconds);
            return positive ? std::string() : "'" + text + "' is no number of seconds above 0";
          },
          ""))
      ->option_text("SECONDS");
}

CLI::Option* add_bytes(CLI::App& command, const std::string& name, std::size_t& bytes, const std::string& help) {
  return command.add_option(name, bytes, help + " (" + kSizes + ")")
      ->transform(CLI::AsSizeValue(false).description(""))
      ->check(CLI::Validator(
          [](const std::string& text) {
            return number_from(text).value_or(0) != 0 ? std::string() : "'" + text + "' is no number of bytes above 0";
          },
          ""))
      ->option_text("BYTES");
}

void add_output(CLI::App& command, std::string& output, std::string& kind) {
  CLI::Option* const file =
      command
          .add_option("-o,--output", output, "Writes the plan: *.csv, *.json, or *.hpp for C++; - for standard output")
          ->option_text("FILE");
  command
      .add_option("--as", kind,
                  "Writes it as csv, json, cpp (the list and its finished plan, for this library), or tflm (a "
                  "BufferPlan, for TFLM's NonPersistentMemoryPlannerShim), whatever the file is called")
      ->check(CLI::IsMember({"csv", "json", "cpp", "tflm"}).description(""))
      ->needs(file)
      ->option_text("KIND");
}

// Adds one command; the arguments live as long as the program does.
template <class Arguments>
Arguments& add_command(CLI::App& app, const char* name, const char* what, int (*run)(const Arguments&, Streams&),
                       Streams& streams, int& exit_code, CLI::App*& command) {
  auto arguments = std::make_shared<Arguments>();
  command = app.add_subcommand(name, what);
  command->callback([arguments, run, &streams, &exit_code] { exit_code = run(*arguments, streams); });
  return *arguments;
}

void add_commands(CLI::App& app, Streams& streams, int& exit_code) {
  CLI::App* command = nullptr;
  {
    auto& arguments = add_command(app, "plan", "How large the arena's planned region must be, and why", run_plan,
                                  streams, exit_code, command);
    add_input(*command, arguments.input);
    add_strategy(*command, arguments.layout);
    add_time_limit(*command, arguments.layout);
    add_bytes(*command, "--capacity", arguments.layout.capacity,
              "For the planned buffers: exit code 1, the missing bytes, and no file written, if they do not fit");
    add_load(*command, arguments.load);
    add_output(*command, arguments.output, arguments.kind);
    add_format(*command, arguments.format);
    command->footer(
        "Examples:\n"
        "  arenite plan model.tflite\n"
        "  arenite plan model.tflite --capacity 64KiB        in a build: fails when it no longer fits\n"
        "  arenite plan model.tflite --scratch 3:4096 -o model_plan.hpp");
  }
  {
    auto& arguments = add_command(app, "map", "A picture: steps on one axis, addresses on the other", run_map, streams,
                                  exit_code, command);
    add_input(*command, arguments.input);
    command
        ->add_option(
            "-o,--output", arguments.output,
            "*.svg, or *.html: one file that works offline, with other strategies to switch to; without it the "
            "map is printed")
        ->option_text("FILE");
    command->add_option("--title", arguments.title, "Over the picture, instead of the name of the file")
        ->option_text("TEXT");
    add_strategy(*command, arguments.layout);
    add_time_limit(*command, arguments.layout);
    add_load(*command, arguments.load);
    add_format(*command, arguments.format);
    command->footer(
        "Examples:\n"
        "  arenite map model.tflite                          on the terminal\n"
        "  arenite map model.tflite -o map.html\n"
        "  arenite map model.tflite --title \"Keyword spotting\" -o docs/map.svg");
  }
  {
    auto& arguments =
        add_command(app, "embed", "Writes the plan into the model, where TensorFlow Lite Micro looks for it", run_embed,
                    streams, exit_code, command);
    add_input(*command, arguments.input);
    command->add_option("-o,--output", arguments.output, "The model with the plan in it; - for standard output")
        ->required()
        ->option_text("FILE");
    command->add_option("--plan", arguments.plan, "This plan (CSV or JSON, as `arenite plan -o` writes it)")
        ->option_text("FILE");
    add_strategy(*command, arguments.layout);
    add_time_limit(*command, arguments.layout);
    add_load(*command, arguments.load);
    add_format(*command, arguments.format);
    command->footer(
        "The plan goes into the model's metadata 'OfflineMemoryAllocation': an offset for each tensor that is\n"
        "computed, and -1 for constants, for variables, and for all that the plan does not place. Scratch is not in\n"
        "it: the device places it around the plan, and what comes of that is the answer here. A plan that the model\n"
        "carries already is replaced. Everything else in the file stays as it is, byte for byte.\n"
        "Exit code 1, and all faults on standard error, if the plan is not valid; 2 if the model cannot carry one.\n"
        "Nothing is written then.\n\n"
        "Examples:\n"
        "  arenite embed model.tflite -o model_planned.tflite\n"
        "  arenite embed model.tflite --plan model_plan.csv -o model_planned.tflite");
  }
  {
    auto& arguments = add_command(app, "verify", "Is a plan valid? Exit code 1, with all that is wrong, if it is not",
                                  run_verify, streams, exit_code, command);
    add_input(*command, arguments.input);
    command
        ->add_option("--plan", arguments.plan,
                     "This plan (CSV or JSON); without it the one that the model carries, or the file's own offsets")
        ->option_text("FILE");
    add_bytes(*command, "--capacity", arguments.capacity, "It must not need more");
    add_load(*command, arguments.load);
    add_format(*command, arguments.format);
    command->footer(
        "All faults are listed, one a line: a payload that is too short or too long or counts other tensors, offsets\n"
        "that are negative, misaligned (to 16 in a model), too large or beyond the capacity, buffers that share bytes\n"
        "while both live (each pair; of more than 100 pairs the first 100 and how many there are), buffers that are\n"
        "missing or have another size in the plan, variables with an offset (activations may overwrite them), and\n"
        "variables of a later subgraph to which TensorFlow Lite Micro would give no memory. No faults are offsets of\n"
        "constants, which it ignores, and tensors without an offset, which it places on the device.\n"
        "Exit code 0 if the plan is valid, 1 if it is not or if there is none, 2 if a file cannot be read.\n\n"
        "Examples:\n"
        "  arenite verify model_planned.tflite\n"
        "  arenite verify model.tflite --plan model_plan.csv --capacity 64KiB");
  }
  {
    auto& arguments =
        add_command(app, "compare", "Two plans, models or strategies side by side; exit code 1 if B needs more than A",
                    run_compare, streams, exit_code, command);
    command->add_option("FILES", arguments.inputs, kInputHelp)->required()->expected(1, 2)->option_text("A [B]");
    command
        ->add_option("--strategies", arguments.strategies,
                     "One for each side, with a comma between them; otherwise what gives offsets is compared as it is, "
                     "and everything else by `search`; one file is compared with its own search")
        ->delimiter(',')
        ->expected(2)
        ->option_text("NAME,NAME");
    add_time_limit(*command, arguments.layout);
    add_load(*command, arguments.load);
    add_format(*command, arguments.format);
    command->footer(
        "Examples:\n"
        "  arenite compare old.tflite new.tflite\n"
        "  arenite compare model.tflite --strategies greedy,search");
  }
  {
    auto& arguments = add_command(app, "check", "One line for each of many models: does it fit into a budget?",
                                  run_check, streams, exit_code, command);
    command->add_option("MODELS", arguments.inputs, kInputHelp)->required()->option_text("MODEL ...");
    add_bytes(*command, "--budget", arguments.budget, "What each may need at most")->required();
    add_strategy(*command, arguments.layout);
    add_time_limit(*command, arguments.layout);
    add_load(*command, arguments.load);
    add_format(*command, arguments.format);
    command->footer(
        "Exit code 1 if one is over, 2 if one cannot be read: the others are checked all the same. A model that "
        "carries\n"
        "a plan is judged by that plan, with what TensorFlow Lite Micro places around it.\n"
        "Example, for CI:\n  arenite check models/*.tflite --budget 64KiB");
  }
  {
    auto& arguments =
        add_command(app, "trace", "The same as plan, for the requests that a device has recorded, scratch included",
                    run_trace, streams, exit_code, command);
    command
        ->add_option(
            "FILE", arguments.input,
            "What TensorFlow Lite Micro's planner printed (PrintMemoryPlan; of several plans the last), or this "
            "library's trace observer (print_event); - for standard input")
        ->required();
    add_strategy(*command, arguments.layout);
    add_time_limit(*command, arguments.layout);
    add_bytes(*command, "--capacity", arguments.layout.capacity, "As for plan");
    add_alignment(*command, arguments.load.alignment,
                  "Of buffers that do not say, in bytes: a power of two (default: 16)");
    add_output(*command, arguments.output, arguments.kind);
    add_format(*command, arguments.format);
    command->footer("Example:\n  arenite trace device.log");
  }
}

}  // namespace

int run(int argc, const char* const* argv, Streams& streams) {
  CLI::App app(
      "How big must the tensor arena be? Lays out the buffers of a model by their lifetimes, and proves that the\n"
      "answer is the smallest one where it can.\n\n"
      "Exit codes: 0 done, and the answer is yes; 1 the answer is no; 2 bad usage or input.",
      "arenite");
  app.set_version_flag("--version", "arenite " + std::to_string(ARENITE_VERSION_MAJOR) + "." +
                                        std::to_string(ARENITE_VERSION_MINOR) + "." +
                                        std::to_string(ARENITE_VERSION_PATCH));
  app.require_subcommand(1);
  app.footer("`arenite COMMAND --help` tells more about a command.");
  int exit_code = kYes;
  add_commands(app, streams, exit_code);
  if (argc < 2) {
    streams.err << app.help();
    return kBad;
  }
  const auto commands = app.get_subcommands([](const CLI::App*) { return true; });
  const auto is_named = [argv](const CLI::App* command) { return command->get_name() == argv[1]; };
  if (argv[1][0] != '-' && std::none_of(commands.begin(), commands.end(), is_named)) {
    streams.err << "arenite: there is no command '" << argv[1] << "'\nRun with --help for more information.\n";
    return kBad;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error, streams.out, streams.err) == 0 ? kYes : kBad;
  } catch (const InputError& error) {
    streams.err << "arenite: " << error.what() << '\n';
    return kBad;
  } catch (const std::bad_alloc&) {
    streams.err << "arenite: out of memory\n";
    return kBad;
  } catch (const std::exception& error) {  // none that is known
    streams.err << "arenite: internal error: " << error.what() << '\n';
    return kBad;
  }
  if (!streams.out.flush()) {
    streams.err << "arenite: standard output: cannot be written\n";
    return kBad;
  }
  return exit_code;
}

}  // namespace arenite::tool
