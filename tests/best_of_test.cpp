// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#include <arenite/planner.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <type_traits>
#include <utility>
#include <vector>

#include "planning_cases.hpp"
#include "planning_oracle.hpp"

namespace {

using namespace arenite;
using planning::Buffers;
using planning::Offsets;
using planning::Order;
using planning::Planned;
using planning::Random;

template <class Member>
using Alone = detail::Portfolio<Member>;  // a member without greedy beside it

// --- what it takes ---------------------------------------------------------------------------------------------------

static_assert(best_of_eight::scratch(0) == 0 && best_of_eight::scratch(100) == 300);
static_assert(plan_bytes<best_of_eight>(100) == plan_bytes<greedy>(100));

// On a 32-bit target at most 24 bytes a buffer, its description included.
template <std::size_t N>
constexpr bool is_small() {
  return sizeof(std::size_t) != 4 || sizeof(Planner<N, best_of_eight>) <= (22 * N + 4 + 3) / 4 * 4;
}
static_assert(is_small<1>() && is_small<2>() && is_small<31>() && is_small<32>() && is_small<1000>());

// --- the members, as they are defined --------------------------------------------------------------------------------

std::size_t lifetime(const Buffer& buffer) { return std::size_t{buffer.last} - buffer.first + 1; }

std::size_t alive_at_step(const Buffers& buffers, std::size_t step) {
  std::size_t sum = 0;
  for (const Buffer& buffer : buffers) sum += alive_at(buffer, step) ? buffer.size : 0;
  return sum;
}

// The larger, the sooner. For lists whose unit is a byte.
std::size_t key(by_size, const Buffers& buffers, std::size_t i) { return buffers[i].size; }
std::size_t key(by_lifetime, const Buffers& buffers, std::size_t i) { return lifetime(buffers[i]); }
std::size_t key(by_area, const Buffers& buffers, std::size_t i) { return buffers[i].size * lifetime(buffers[i]); }
std::size_t key(by_conflicts, const Buffers& buffers, std::size_t i) {
  std::size_t sum = 0;
  for (const Buffer& other : buffers) sum += planning::share_a_step(buffers[i], other) ? other.size : 0;
  return sum;
}
std::size_t key(by_peak, const Buffers& buffers, std::size_t i) {
  std::size_t most = 0;
  for (std::size_t step = buffers[i].first; step <= buffers[i].last; ++step) {
    most = std::max(most, alive_at_step(buffers, step));
  }
  return most;
}
std::size_t key(by_first, const Buffers& buffers, std::size_t i) { return kMaxSize - buffers[i].first; }
std::size_t key(by_last, const Buffers& buffers, std::size_t i) { return buffers[i].last; }

template <class By>
Order order_of(const Buffers& buffers, bool earlier_first) {
  std::vector<std::size_t> keys;
  for (std::size_t i = 0; i < buffers.size(); ++i) keys.push_back(key(By(), buffers, i));
  Order order(buffers.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::sort(order.begin(), order.end(), [&](Index a, Index b) {
    if (keys[a] != keys[b]) return keys[a] > keys[b];
    return earlier_first ? a < b : a > b;
  });
  return order;
}

template <class By>
Offsets by_definition(lowest_gap<By>, const Buffers& buffers) {
  return planning::first_fit_of_many(buffers, order_of<By>(buffers, false));
}

// Tries every offset at which it might lie: zero and the padded end of each that was placed.
template <class By>
Offsets by_definition(smallest_gap<By>, const Buffers& buffers) {
  Offsets offsets(buffers.size());
  Order placed;
  for (const Index index : order_of<By>(buffers, false)) {
    const Buffer& buffer = buffers[index];
    if (buffer.size == 0) continue;
    std::vector<std::size_t> candidates = {0};
    for (const Index other : placed) {
      if (!planning::share_a_step(buffer, buffers[other])) continue;
      candidates.push_back(align_up(offsets[other] + buffers[other].size, buffer.alignment.bytes()));
    }
    std::sort(candidates.begin(), candidates.end());
    constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
    std::size_t best = kNone;
    std::size_t best_gap = kNone;
    for (const std::size_t candidate : candidates) {
      bool fits = true;
      std::size_t ceiling = kNone;
      for (const Index other : placed) {
        if (!planning::share_a_step(buffer, buffers[other])) continue;
        fits = fits && !planning::share_a_byte(buffer, candidate, buffers[other], offsets[other]);
        if (offsets[other] >= candidate) ceiling = std::min(ceiling, offsets[other]);
      }
      if (!fits) continue;
      const std::size_t gap = ceiling == kNone ? kNone : ceiling - candidate;
      if (best != kNone && gap >= best_gap) continue;
      best = candidate;
      best_gap = gap;
    }
    offsets[index] = best;
    placed.push_back(index);
  }
  return offsets;
}

template <class By>
Offsets by_definition(strip<By>, const Buffers& buffers) {
  Offsets offsets(buffers.size());
  Order placed;
  Order left = order_of<By>(buffers, true);
  left.erase(std::remove_if(left.begin(), left.end(), [&](Index index) { return buffers[index].size == 0; }),
             left.end());
  while (!left.empty()) {
    const auto rest = [&](Index index) {
      std::size_t top = 0;
      for (const Index other : placed) {
        if (!planning::share_a_step(buffers[index], buffers[other])) continue;
        top = std::max(top, offsets[other] + buffers[other].size);
      }
      return align_up(top, buffers[index].alignment.bytes());
    };
    const auto next =
        std::min_element(left.begin(), left.end(), [&](Index a, Index b) { return rest(a) < rest(b); });  // the first
    offsets[*next] = rest(*next);
    placed.push_back(*next);
    left.erase(next);
  }
  return offsets;
}

std::size_t size_of(const Buffers& buffers, const Offsets& offsets) {
  std::size_t size = 0;
  for (std::size_t i = 0; i < buffers.size(); ++i) size = std::max(size, offsets[i] + buffers[i].size);
  return size;
}

template <class Strategy>
testing::AssertionResult plans(const Buffers& buffers, const Offsets& expected) {
  const Planned<Strategy> plan(buffers);
  const testing::AssertionResult sound = planning::is_sound(*plan, buffers);
  if (!sound) return sound;
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    if (plan->offset(i) == expected[i]) continue;
    return testing::AssertionFailure() << planning::describe(buffers.data(), buffers.size()) << "\nbuffer " << i
                                       << " lies at " << plan->offset(i) << ", not at " << expected[i];
  }
  return testing::AssertionSuccess();
}

template <class Member>
testing::AssertionResult is_as_defined(const Buffers& buffers) {
  return plans<Alone<Member>>(buffers, by_definition(Member(), buffers));
}

template <class By>
void check_order(const Buffers& buffers) {
  ASSERT_TRUE(is_as_defined<lowest_gap<By>>(buffers));
  ASSERT_TRUE(is_as_defined<smallest_gap<By>>(buffers));
  ASSERT_TRUE(is_as_defined<strip<By>>(buffers));
}

// The first of the smallest; nothing after one at the lower bound.
template <class... Members>
Offsets best_by_definition(const Buffers& buffers) {
  Offsets best;
  const auto consider = [&](const Offsets& offsets) {
    if (best.empty() || size_of(buffers, offsets) < size_of(buffers, best)) best = offsets;
  };
  (consider(by_definition(Members(), buffers)), ...);
  return best;
}

Buffers short_list(Random& random) {
  const std::uint32_t steps = random.any_length(40);
  return planning::random_list(random, {1, 20, 0, random.between(1, 40), steps, steps, 4});
}

TEST(BestOf, MembersAreAsDefined) {
  Random random;
  SCOPED_TRACE(random.seed());
  for (int round = 0; round < (ARENITE_THOROUGH_TESTS ? 5000 : 100); ++round) {
    const Buffers buffers = short_list(random);
    check_order<by_size>(buffers);
    check_order<by_lifetime>(buffers);
    check_order<by_area>(buffers);
    check_order<by_conflicts>(buffers);
    check_order<by_peak>(buffers);
    check_order<by_first>(buffers);
    check_order<by_last>(buffers);
    if (testing::Test::HasFatalFailure()) return;
  }
}

TEST(BestOf, TakesTheFirstOfTheSmallest) {
  Random random;
  SCOPED_TRACE(random.seed());
  for (int round = 0; round < (ARENITE_THOROUGH_TESTS ? 20000 : 300); ++round) {
    const Buffers buffers = short_list(random);
    ASSERT_TRUE((plans<best_of<>>(buffers, by_definition(lowest_gap<by_size>(), buffers))));
    ASSERT_TRUE((plans<best_of<by_area, strip<by_last>>>(
        buffers, best_by_definition<lowest_gap<by_size>, lowest_gap<by_area>, strip<by_last>>(buffers))));
    ASSERT_TRUE((plans<best_of<strip<by_first>, by_size, smallest_gap<by_peak>>>(
        buffers, best_by_definition<strip<by_first>, lowest_gap<by_size>, smallest_gap<by_peak>>(buffers))));
    ASSERT_TRUE((plans<best_of_eight>(
        buffers,
        best_by_definition<lowest_gap<by_size>, strip<by_last>, strip<by_conflicts>, strip<by_peak>, strip<by_area>,
                           strip<by_first>, strip<by_lifetime>, smallest_gap<by_peak>>(buffers))));
  }
}

// --- against greedy --------------------------------------------------------------------------------------------------

// Whether no plan of the best of eight is above greedy's, and all that is at the lower bound is greedy's own.
testing::AssertionResult is_no_worse(const Buffers& buffers) {
  const Planned<best_of_eight> best(buffers);
  const Planned<greedy> other(buffers);
  const auto failure = [&] {
    return testing::AssertionFailure() << planning::describe(buffers.data(), buffers.size()) << "\n";
  };
  if (best->status() != Status::kOk || other->status() != Status::kOk) return failure() << "refused";
  if (!planning::verdict_on(*best).ok()) return failure() << "not sound";
  if (best->size() > other->size()) return failure() << best->size() << ", and greedy " << other->size();
  if (best->size() == other->size() && planning::offsets_of(*best) != planning::offsets_of(*other)) {
    return failure() << "as small as greedy, and elsewhere";
  }
  return testing::AssertionSuccess();
}

TEST(BestOf, IsNeverWorseThanGreedy) {
  Random random;
  SCOPED_TRACE(random.seed());
  for (int round = 0; round < (ARENITE_THOROUGH_TESTS ? 100000 : 300); ++round) {
    const std::uint32_t steps = random.any_length(200);
    const Buffers buffers = planning::random_list(
        random, {0, random.between(1, 60), 0, random.any_length(100000), steps, random.any_length(steps), 6});
    ASSERT_TRUE(is_no_worse(buffers));
  }
}

TEST(BestOf, PersonDetection) {
  constexpr auto kPlan = plan<best_of_eight>(person_detection::kBuffers);
  static_assert(kPlan.size() == 55296 && kPlan.proven() && kPlan.verify(person_detection::kBuffers).ok());
  static_assert(plan<best_of<strip<by_last>>>(person_detection::kBuffers).proven(), "one member is enough");
}

// --- the table of lists, by the compiler and at run time -------------------------------------------------------------

template <std::size_t N>
constexpr bool case_is_right(const planning::Case<N>& c) {
  const std::array<Buffer, N> buffers = c.buffers();
  const Plan<N> only_greedy = plan<best_of<by_size>>(buffers);
  const Plan<N> best = plan<best_of_eight>(buffers);
  bool right = only_greedy.size() == c.answer.greedy && best.size() <= c.answer.greedy && best.verify(buffers).ok() &&
               best.lower_bound() == c.answer.lower_bound && best.alignment() == c.answer.alignment;
  for (std::size_t i = 0; i < N; ++i) {
    right = right && only_greedy.offset(i) == c.rows[i].greedy;
    right = right && (best.size() < c.answer.greedy || best.offset(i) == c.rows[i].greedy);
  }
  return right;
}

template <std::size_t... I>
constexpr bool cases_are_right(std::index_sequence<I...>) {
  return (case_is_right(std::get<I>(planning::kCases)) && ...);
}
static_assert(cases_are_right(std::make_index_sequence<std::tuple_size_v<decltype(planning::kCases)>>()));

TEST(BestOf, EachCase) {
  planning::for_each_case(planning::kCases, [](const auto& c) { EXPECT_TRUE(case_is_right(c)) << c.name; });
}

TEST(BestOf, RefusesWhatGreedyRefuses) {
  planning::for_each_case(planning::kRefused, [](const auto& c) {
    const auto best = plan<best_of_eight>(c.buffers);
    if (best.status() == Status::kOk) {  // in another order there is less padding
      EXPECT_STREQ(c.name, "a padding that ends above the largest size");
      EXPECT_TRUE(best.verify(c.buffers).ok());
      return;
    }
    EXPECT_EQ(best.status(), c.status) << c.name;
    EXPECT_EQ(best.culprit(), c.culprit) << c.name;
    EXPECT_EQ(best.size(), 0u) << c.name;
  });
}

// A user writes an order with what is public only.
struct smallest_first {
  static constexpr void keys(const Buffer* buffers, std::size_t count, std::size_t* keys, Index* /*scratch*/) noexcept {
    for (std::size_t i = 0; i < count; ++i) keys[i] = kMaxSize - buffers[i].size;
  }
};

TEST(BestOf, TakesAnOrderOfTheUsers) {
  constexpr Buffer kPadded[] = {{8, 0, 0, 4}, {9, 0, 0, 4}};
  static_assert(plan<greedy>(kPadded).size() == 20);
  static_assert(plan<best_of<smallest_first>>(kPadded).size() == 17);
  static_assert(plan<best_of<strip<smallest_first>>>(kPadded).size() == 17);

  // Greedy pads beyond the largest size.
  constexpr Buffer kHuge[] = {{2, 0, 0, 1}, {1, 0, 0, planning::kTop}};
  EXPECT_EQ(plan<greedy>(kHuge).status(), Status::kSizeOverflow);
  constexpr auto kPlan = plan<best_of<smallest_first>>(kHuge);
  static_assert(kPlan.status() == Status::kOk && kPlan.offset(0) == 1 && kPlan.offset(1) == 0 && kPlan.proven());
}

// --- the same everywhere ---------------------------------------------------------------------------------------------

// FNV-1a (Fowler, Noll and Vo).
std::uint32_t add_to(std::uint32_t hash, std::size_t value) {
  return (hash ^ static_cast<std::uint32_t>(value)) * 16777619u;
}

template <class Strategy>
std::uint32_t hash_of_many(const planning::Shape& shape) {
  Random random(2026);
  std::uint32_t hash = 2166136261u;
  for (int round = 0; round < 300; ++round) {
    const Planned<Strategy> plan(planning::random_list(random, shape));
    for (std::size_t i = 0; i < plan->count(); ++i) hash = add_to(hash, plan->offset(i));
  }
  return hash;
}

// Numbers of this program on a 64-bit host; they hold on every target.
TEST(BestOf, PlansTheSameEverywhere) {
  constexpr planning::Shape kUsual = {0, 40, 0, 5000, 60, 40, 5};
  constexpr planning::Shape kTies = {0, 40, 0, 4, 12, 12, 0};
  constexpr planning::Shape kLarge = {0, 30, 0, 30000000, 65535, 65535, 20};  // its unit is more than a byte
  EXPECT_EQ(hash_of_many<best_of_eight>(kUsual), 787132899u);
  EXPECT_EQ(hash_of_many<best_of_eight>(kTies), 1718248294u);
  EXPECT_EQ(hash_of_many<best_of_eight>(kLarge), 824500284u);
  EXPECT_EQ(hash_of_many<Alone<strip<by_area>>>(kLarge), 3952877278u);
  EXPECT_EQ(hash_of_many<Alone<strip<by_conflicts>>>(kLarge), 2388079447u);
  EXPECT_EQ(hash_of_many<Alone<smallest_gap<by_peak>>>(kLarge), 1962879266u);
}

TEST(BestOf, DependsOnNothingButTheList) {
  Random random;
  SCOPED_TRACE(random.seed());
  for (int round = 0; round < 100; ++round) {
    const Buffers buffers = planning::random_list(random, {0, 60, 0, 50, 60, 60, 4});
    const Planned<best_of_eight> once(buffers, 0x00);
    const Planned<best_of_eight> twice(buffers, 0xFF);
    ASSERT_EQ(planning::offsets_of(*once), planning::offsets_of(*twice));
  }
}

// --- the strategy where none is named -------------------------------------------------------------------------------

TEST(Standard, TakesAsManyOrdersAsAListAffords) {
  using Two = best_of<by_size, strip<by_last>>;
  Random random;
  SCOPED_TRACE(random.seed());
  const auto expect_same = [&random](std::uint32_t count, auto strategy) {
    const Buffers list = planning::random_list(random, {count, count, 1, 5000, 2 * count, 60, 4});
    EXPECT_EQ(planning::offsets_of(*Planned<arenite::standard>(list)),
              planning::offsets_of(*Planned<decltype(strategy)>(list)))
        << count;
  };
  expect_same(150, best_of_eight());
  expect_same(151, Two());
  expect_same(256, Two());
  expect_same(257, greedy());
}

TEST(Standard, PlacesAListAsPlanDoes) {
  const Buffer buffers[] = {{10, 0, 1, 4}, {20, 1, 2, 4}, {30, 2, 3, 4}, {8, 0, 3, 4}};
  std::size_t offsets[4] = {};
  std::vector<Index> scratch(arenite::standard::scratch(4));
  const Buffer* const list = buffers;
  ASSERT_TRUE(arenite::standard::place(list, 4, offsets, scratch.data()));
  const auto plan = arenite::plan(buffers);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(offsets[i], plan.offset(i)) << i;
}

}  // namespace
