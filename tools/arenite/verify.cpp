// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "commands.hpp"
#include "error.hpp"
#include "json.hpp"
#include "model.hpp"
#include "plan_check.hpp"

namespace arenite::tool {
namespace {

// What was looked at, and what came out.
struct Verification {
  Problem problem;
  std::string plan;                // where the plan is; empty: there is none
  std::optional<PlanCheck> check;  // none: there is no plan
  std::string missing;             // why not

  [[nodiscard]] bool good() const noexcept { return check && check->good(); }
};

Verification verify_model(const Model& model, const VerifyArguments& arguments) {
  const std::optional<std::string_view> payload = model.offline_plan();
  Verification result;
  result.problem = problem_without_plan(model, arguments.load);
  if (!arguments.plan.empty()) {
    result.plan = arguments.plan;
    result.check = check_plan(&model, result.problem, load(arguments.plan), arguments.capacity);
  } else if (payload) {
    result.plan = "metadata '" + std::string(kOfflinePlanName) + "'";
    result.check = check_payload(model, result.problem, *payload, arguments.capacity);
  } else {
    result.missing = "carries no offline plan";
  }
  return result;
}

Verification verify_list(Problem problem, const VerifyArguments& arguments) {
  Verification result;
  result.problem = std::move(problem);
  if (!arguments.plan.empty()) {
    result.plan = arguments.plan;
    LoadOptions options;
    options.alignment = arguments.load.alignment;
    result.check = check_plan(nullptr, result.problem, load(arguments.plan, options), arguments.capacity);
  } else if (!result.problem.offsets.empty()) {
    result.plan = result.problem.source;
    result.check = check_list(result.problem, arguments.capacity);
  } else {
    result.missing = "gives no offsets";
  }
  return result;
}

void print_text(const Verification& result, std::ostream& out) {
  if (!result.check) {
    out << result.problem.source << ": " << result.missing << '\n';
    return;
  }
  const PlanCheck& check = *result.check;
  if (!check.good()) {
    out << "not valid: " << check.count() << (check.count() == 1 ? " fault" : " faults") << "\n\n"
        << text_of(check, "  ");
  } else {
    const PlanSize size = size_of(result.problem, check.offsets);
    out << "valid: " << size.size << " bytes, " << proof_of(size.size, size.lower_bound) << "\n\n";
    out << "  lower bound " << size.lower_bound << ", placed " << size.placed << " of " << check.offsets.size()
        << " buffers\n";
  }
  for (const std::string& remark : check.remarks) out << "\nNote: " << remark << '\n';
}

Json json_of(const Verification& result) {
  Json json;
  json["source"] = result.problem.source;
  json["plan"] = result.check ? Json(result.plan) : Json();
  json["valid"] = result.good();
  if (!result.check) {
    json["findings"] = Json::array({{{"kind", "no_plan"},
                                     {"tensors", Json::array()},
                                     {"numbers", Json::object()},
                                     {"text", result.problem.source + ": " + result.missing}}});
    return json;
  }
  const PlanCheck& check = *result.check;
  if (check.good()) {
    const PlanSize size = size_of(result.problem, check.offsets);
    json["size"] = size.size;
    json["lower_bound"] = size.lower_bound;
    json["proven"] = size.proven();
    json["placed"] = size.placed;
    json["buffers"] = check.offsets.size();
  }
  json["faults"] = check.count();
  json["overlaps"] = check.overlaps;
  json["findings"] = findings_of(check);
  json["notes"] = check.remarks;
  return json;
}

}  // namespace

int run_verify(const VerifyArguments& arguments, Streams& streams) {
  const std::string name = arguments.input == "-" ? "standard input" : arguments.input;
  const std::string bytes = read_file(arguments.input);
  const Verification result = is_model(name, bytes) ? verify_model(Model(name, bytes), arguments)
                                                    : verify_list(load_bytes(name, bytes, arguments.load), arguments);
  if (arguments.format == Format::kJson) {
    streams.out << text_of(json_of(result));
  } else {
    print_text(result, streams.out);
  }
  return result.good() ? kYes : kNo;
}

}  // namespace arenite::tool
