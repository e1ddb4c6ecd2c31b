// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#include "writers.hpp"

#include <arenite/align.hpp>
#include <arenite/buffer.hpp>
#include <arenite/version.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "csv.hpp"
#include "error.hpp"
#include "json.hpp"
#include "names.hpp"

namespace arenite::tool {
namespace {

// Of a 32-bit target.
constexpr std::size_t kMostSteps32 = 0xFFFF;
constexpr std::size_t kMostBuffers32 = 0xFFFE;
constexpr std::size_t kMostBytes32 = 0x7FFFFFFF;

std::string namespace_of(const Problem& problem, const std::string& output) {
  return tool::namespace_of(output.empty() || output == "-" ? problem.source : output);
}

std::string plural(std::size_t count, const std::string& what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

// The first line of each header, and what the plan is.
void begin(std::ostream& out, const Problem& problem, const Layout& layout) {
  out << "// Made by arenite " << ARENITE_VERSION_MAJOR << '.' << ARENITE_VERSION_MINOR << '.' << ARENITE_VERSION_PATCH
      << " from " << comment_of(base_name(problem.source)) << ", strategy " << layout.strategy << ": do not edit.\n//\n"
      << "// " << plural(layout.size, "byte") << " for " << plural(problem.buffers.size(), "buffer") << "; ";
  if (layout.proven()) {
    out << "no plan is smaller.\n";
  } else {
    out << "no plan has less than " << layout.lower_bound << ".\n";
  }
  if (problem.model && !problem.model->scratch_given) {
    out << "// What kernels ask for as scratch on the device is not in it.\n";
  }
}

// A constant with the index of a buffer.
struct Constant {
  std::string name;
  std::size_t index = 0;
};

// For the inputs and outputs of a model, and for the buffers of a list that have names.
std::vector<Constant> constants_of(const Problem& problem) {
  const auto count = [&problem](Role role) {
    return std::count_if(problem.rows.begin(), problem.rows.end(), [role](const Row& row) { return row.role == role; });
  };
  const bool one_input = count(Role::kInput) == 1;
  const bool one_output = count(Role::kOutput) == 1;
  std::set<std::string> taken = {"kBuffers", "kPlan"};
  std::vector<Constant> constants;
  for (std::size_t i = 0; i < problem.rows.size(); ++i) {
    const Row& row = problem.rows[i];
    std::string name = "k";
    if (row.role == Role::kInput || row.role == Role::kOutput) {
      const bool input = row.role == Role::kInput;
      name += input ? "Input" : "Output";
      if (!(input ? one_input : one_output)) name += camel_of(row.name);
    } else if (row.role == Role::kBuffer && !problem.model && row.name != std::to_string(row.id)) {
      name += camel_of(row.name);
    }
    if (name == "k") continue;
    while (!taken.insert(name).second) name += "_" + std::to_string(i);
    constants.push_back({std::move(name), i});
  }
  return constants;
}

// What a small target cannot hold, it is told.
void refuse_small_targets(std::ostream& out, const Problem& problem, const Layout& layout) {
  std::size_t step = 0;
  std::size_t bytes = std::max(layout.size, layout.alignment);
  for (const Buffer& buffer : problem.buffers) {
    step = std::max<std::size_t>(step, buffer.last);
    bytes = std::max(bytes, buffer.alignment.bytes());
  }
  const std::size_t count = problem.buffers.size();
  if (step > kMostSteps32) {
    out << "static_assert(" << step
        << " <= static_cast<arenite::Step>(-1), \"this target has no steps beyond 65535\");\n";
  }
  if (count > kMostBuffers32) {
    out << "static_assert(" << count << " <= arenite::kMaxBuffers, \"this target has no lists of so many buffers\");\n";
  }
  if (bytes > kMostBytes32) {
    out << "static_assert(" << bytes << " <= arenite::kMaxSize, \"this target has no blocks of so many bytes\");\n";
  }
  if (step > kMostSteps32 || count > kMostBuffers32 || bytes > kMostBytes32) out << '\n';
}

template <class Number>
void print_table(std::ostream& out, const std::vector<Number>& numbers) {
  constexpr std::size_t kInLine = 10;
  out << "    {{";
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (i != 0) out << (i % kInLine == 0 ? ",\n      " : ", ");
    out << numbers[i];
  }
  out << "}}";
}

std::string kind_of(const std::string& output, const std::string& kind) {
  if (!kind.empty()) return kind;
  const std::string_view name = base_name(output);
  const std::size_t dot = name.rfind('.');
  const std::string_view extension = dot == std::string_view::npos ? std::string_view() : name.substr(dot);
  if (extension == ".csv") return "csv";
  if (extension == ".json") return "json";
  if (extension == ".hpp" || extension == ".h") return "cpp";
  return "";
}

}  // namespace

std::string plan_file(const Problem& problem, const Layout& layout, const std::string& output,
                      const std::string& kind) {
  const std::string chosen = kind_of(output, kind);
  if (chosen == "csv") return csv_of(problem, layout);
  if (chosen == "json") return text_of(json_of(problem, layout));
  if (chosen == "cpp") return cpp_of(problem, layout, output);
  if (chosen == "tflm") return buffer_plan_of(problem, layout, output);
  const std::string name = output == "-" ? "standard output" : output;
  if (!kind.empty()) throw InputError(name, "", "there is no kind '" + kind + "': say csv, json, cpp or tflm");
  throw InputError(
      name, "",
      "the name does not tell what to write: end it in .csv, .json, .hpp or .h, or say --as csv, json, cpp or "
      "tflm");
}

std::string cpp_of(const Problem& problem, const Layout& layout, const std::string& output) {
  const std::size_t count = problem.buffers.size();
  if (count == 0) throw InputError(problem.source, "", "has no buffers: a C++ array of none cannot be written");
  const std::string space = namespace_of(problem, output);
  const std::vector<Constant> constants = constants_of(problem);
  std::ostringstream out;
  begin(out, problem, layout);
  out << "//\n//     arenite::Arena<" << space << "::kPlan.size() + 1024"
      << (layout.alignment > kDefaultAlignment ? ", " + space + "::kPlan.alignment()" : "")
      << "> arena;  // 1024: whatever else it is to hold\n"
      << "//     auto buffers = arena.overlay(" << space << "::kPlan);\n"
      << "//     auto* first = buffers.data<std::int8_t>("
      << (constants.empty() ? "0" : space + "::" + constants.front().name) << ");\n\n"
      << "#pragma once\n\n#include <arenite/buffer.hpp>\n#include <arenite/plan.hpp>\n\n#include <cstddef>\n\n"
      << "namespace " << space << " {\n\n";
  refuse_small_targets(out, problem, layout);
  out << "// Bytes, first step, last step, alignment.\ninline constexpr arenite::Buffer kBuffers[] = {\n";
  std::size_t widest = 0;
  std::vector<std::string> lines;
  for (const Buffer& buffer : problem.buffers) {
    std::ostringstream line;
    line << "    {" << buffer.size << ", " << buffer.first << ", " << buffer.last << ", " << buffer.alignment.bytes()
         << "},";
    lines.push_back(line.str());
    widest = std::max(widest, lines.back().size());
  }
  for (std::size_t i = 0; i < count; ++i) {
    out << lines[i] << std::string(widest - lines[i].size(), ' ') << "  // " << i << " at " << layout.offsets[i] << ": "
        << comment_of(problem.rows[i].name) << '\n';
  }
  out << "};\n\n";
  for (const Constant& constant : constants) {
    out << "inline constexpr std::size_t " << constant.name << " = " << constant.index << ";  // "
        << comment_of(problem.rows[constant.index].name) << '\n';
  }
  if (!constants.empty()) out << '\n';
  out << "// Size and alignment of the block, lower bound, offsets, sizes.\n"
      << "inline constexpr arenite::Plan<" << count << "> kPlan(\n    arenite::PlanSummary(" << layout.size << ", "
      << layout.alignment << "), " << layout.lower_bound << ",\n";
  print_table(out, layout.offsets);
  out << ",\n";
  std::vector<std::size_t> sizes;
  for (const Buffer& buffer : problem.buffers) sizes.push_back(buffer.size);
  print_table(out, sizes);
  out << ");\n\n";
  if (count <= kMostChecked) {
    out << "static_assert(kPlan.verify(kBuffers).ok(), \"the plan is not one for these buffers\");\n";
  } else {
    out << "// Too long for some compilers to check by themselves: a test may call kPlan.verify(kBuffers).ok().\n";
  }
  out << "\n}  // namespace " << space << '\n';
  return out.str();
}

std::string buffer_plan_of(const Problem& problem, const Layout& layout, const std::string& output) {
  constexpr std::size_t kMostOffset = 0x7FFFFFFF;
  const std::size_t count = problem.buffers.size();
  if (count > kMostOffset) throw InputError(problem.source, "", "has more buffers than a BufferPlan can hold");
  for (std::size_t i = 0; i < count; ++i) {
    if (layout.offsets[i] > kMostOffset) {
      throw InputError(problem.source,
                       "buffer " + std::to_string(problem.rows[i].id) + " '" + problem.rows[i].name + "'",
                       "lies at " + std::to_string(layout.offsets[i]) + ", and a BufferPlan ends at 2147483647");
    }
  }
  const bool pinned = std::any_of(problem.offsets.begin(), problem.offsets.end(),
                                  [](const std::optional<std::size_t>& offset) { return offset.has_value(); });
  if (problem.model && pinned) {
    throw InputError(problem.source, "",
                     "carries an offline plan, which TensorFlow Lite Micro does not give to the planner that reads a "
                     "BufferPlan: take the model without it");
  }
  const std::string space = namespace_of(problem, output);
  std::ostringstream out;
  begin(out, problem, layout);
  out << "//\n"
         "//     tflite::NonPersistentMemoryPlannerShim planner("
      << space
      << "::kBufferPlan);\n"
         "//     auto* allocator = tflite::MicroAllocator::Create(arena, sizeof(arena), &planner);\n"
         "//     tflite::MicroInterpreter interpreter(model, resolver, allocator);\n"
         "//\n"
         "// Offsets are from the start of the arena, which is aligned to "
      << layout.alignment
      << ", in the order in which the planner is asked:\n"
         "// first the tensors, then scratch. That planner reserves nothing and checks nothing: see to it that the "
         "arena has\n"
         "// kBytes beside all that the interpreter keeps, `interpreter.arena_used_bytes()`.\n\n"
         "#pragma once\n\n"
         "#include <cstddef>\n\n"
         "#include \"tensorflow/lite/micro/memory_planner/memory_plan_struct.h\"\n\n"
         "namespace "
      << space << " {\n\n"
      << "inline constexpr std::size_t kBytes = " << layout.size << ";\n\n";
  const auto print_offset = [&](std::size_t i) {
    out << "{" << layout.offsets[i] << "}";
    return "  // " + std::to_string(i) + ": " + comment_of(problem.rows[i].name) + '\n';
  };
  if (count <= 1) {
    out << "inline constexpr tflite::BufferPlan kStorage = {" << count << ", {{" << (count == 0 ? 0 : layout.offsets[0])
        << "}}};\n"
        << "inline constexpr const tflite::BufferPlan* kBufferPlan = &kStorage;\n";
  } else {
    out << "// The struct has room for one offset; it is read as if the others were behind it, and there they are.\n"
           "struct Storage {\n"
           "  tflite::BufferPlan plan;\n"
           "  tflite::BufferDescriptor others["
        << count - 1
        << "];\n"
           "};\n"
           "static_assert(sizeof(Storage) == tflite::SizeOfBufferPlan("
        << count
        << ") &&\n"
           "                  offsetof(Storage, others) ==\n"
           "                      offsetof(tflite::BufferPlan, buffer_plan_entries) + "
           "sizeof(tflite::BufferDescriptor),\n"
           "              \"this BufferPlan is not laid out as expected\");\n\n"
           "inline constexpr Storage kStorage = {\n    {"
        << count << ", {";
    const std::string comment = print_offset(0);
    out << "}},    " << comment << "    {\n";
    for (std::size_t i = 1; i < count; ++i) {
      out << "        ";
      const std::string remark = print_offset(i);
      out << "," << remark;
    }
    out << "    }};\n"
        << "inline constexpr const tflite::BufferPlan* kBufferPlan = &kStorage.plan;\n";
  }
  out << "\n}  // namespace " << space << '\n';
  return out.str();
}

}  // namespace arenite::tool
