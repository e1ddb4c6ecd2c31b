// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

/// Lists with constraints by numbers that somebody chooses, and a model, written from the definitions, that says
/// whether a list is accepted and whether offsets are a plan for it. For the tests and for the fuzzer.

#include <arenite/constraint.hpp>
#include <arenite/planner.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "planning_oracle.hpp"

namespace constraint_model {

using arenite::Buffer;
using arenite::Constraint;
using arenite::ConstraintList;
using arenite::Index;
using arenite::kMaxSize;
using arenite::Status;
using arenite::Step;
using planning::Buffers;
using planning::Offsets;
using Constraints = std::vector<Constraint>;

struct Problem {
  Buffers buffers;
  Constraints constraints;

  std::string text() const {
    std::string out = planning::describe(buffers.data(), buffers.size());
    for (const Constraint& c : constraints) {
      out += "\nkind " + std::to_string(static_cast<int>(c.kind)) + " buffer " + std::to_string(c.buffer) + " of " +
             std::to_string(c.of) + " offset " + std::to_string(c.offset) + " size " + std::to_string(c.size) + " [" +
             std::to_string(c.first) + ", " + std::to_string(c.last) + "]";
    }
    return out;
  }
};

// `random` has the calls of `planning::Random`.
template <class Random>
Problem random_problem(Random& random, std::size_t most, std::uint32_t size, std::uint32_t steps,
                       std::uint32_t constraints) {
  Problem problem;
  const auto count = random.between(1, static_cast<std::uint32_t>(most));
  problem.buffers = planning::random_list(random, {count, count, 0, size, steps, steps, 2});
  const std::uint32_t how_many = random.below(constraints + 1);
  for (std::uint32_t k = 0; k < how_many; ++k) {
    const std::uint32_t kind = random.below(3);
    const std::size_t offset = random.below(3) == 0 ? 0 : random.below(3 * size);
    if (kind == 0) problem.constraints.push_back(arenite::pinned(random.below(count), offset & ~std::size_t{3}));
    if (kind == 1) {
      const auto first = static_cast<Step>(random.below(steps + 1));
      const auto last = static_cast<Step>(first + random.below(steps));
      problem.constraints.push_back(arenite::reserved(offset, random.below(size + 1), first, last));
    }
    if (kind == 2)
      problem.constraints.push_back(
          arenite::alias(random.below(count), random.below(count), offset % size & ~std::size_t{3}));
  }
  return problem;
}

// A piece of memory, and where it lies if that is given.
struct Piece {
  std::size_t size = 0;
  Step first = static_cast<Step>(-1);
  Step last = 0;
  std::size_t alignment = 1;
  std::optional<std::size_t> place;
  bool is_reserved = false;

  Buffer buffer() const { return {size, first, last, alignment}; }
};

inline bool share(const Piece& a, std::size_t place_a, const Piece& b, std::size_t place_b) {
  return planning::share_a_step(a.buffer(), b.buffer()) &&
         planning::share_a_byte(a.buffer(), place_a, b.buffer(), place_b);
}

class Model {
 public:
  explicit Model(const Problem& problem) : problem_(problem) {
    const std::size_t count = problem.buffers.size();
    owner_.resize(count);
    delta_.resize(count);
    for (const Buffer& buffer : problem.buffers) {
      if (!buffer.alignment.valid() || buffer.last < buffer.first || buffer.size > kMaxSize) return;
    }
    for (const Constraint& c : problem.constraints) {
      const bool is_alias = c.kind == Constraint::Kind::kAlias;
      if (c.kind != Constraint::Kind::kReserved && c.buffer >= count) return;
      if (is_alias && (c.of >= count || c.offset > kMaxSize)) return;
      if (c.kind == Constraint::Kind::kReserved && (c.last < c.first || !fits(c.offset, c.size))) return;
    }
    std::vector<const Constraint*> parent(count);
    for (const Constraint& c : problem.constraints) {
      if (c.kind != Constraint::Kind::kAlias) continue;
      if (parent[c.buffer] != nullptr) return;
      parent[c.buffer] = &c;
    }
    std::vector<Piece> pieces(count);
    for (std::size_t i = 0; i < count; ++i) {
      std::size_t at = i;
      for (std::size_t steps = 0; parent[at] != nullptr; at = parent[at]->of) {
        if (++steps > count) return;
        if (!fits(delta_[i], parent[at]->offset)) return;
        delta_[i] += parent[at]->offset;
      }
      owner_[i] = at;
      Piece& piece = pieces[at];
      const Buffer& buffer = problem.buffers[i];
      if (delta_[i] % buffer.alignment.bytes() != 0 || !fits(delta_[i], buffer.size)) return;
      piece.size = std::max(piece.size, delta_[i] + buffer.size);
      piece.first = std::min(piece.first, buffer.first);
      piece.last = std::max(piece.last, buffer.last);
      piece.alignment = std::max(piece.alignment, buffer.alignment.bytes());
    }
    for (const Constraint& c : problem.constraints) {
      if (c.kind == Constraint::Kind::kReserved) {
        Piece range{c.size, c.first, c.last, 1, c.offset, true};
        pieces.push_back(range);
      } else if (c.kind == Constraint::Kind::kPinned) {
        Piece& piece = pieces[owner_[c.buffer]];
        if (c.offset < delta_[c.buffer]) return;
        const std::size_t place = c.offset - delta_[c.buffer];
        if (!fits(place, piece.size)) return;
        if (place % piece.alignment != 0 || (piece.place && *piece.place != place)) return;
        piece.place = place;
      }
    }
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (pieces[i].place && pieces[j].place && share(pieces[i], *pieces[i].place, pieces[j], *pieces[j].place))
          return;
      }
    }
    pieces_ = pieces;
    accepted_ = true;
  }

  bool accepted() const { return accepted_; }

  bool is_sound(const Offsets& offsets) const {
    std::vector<std::size_t> places(pieces_.size());
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
      places[i] = i < offsets.size() && owner_[i] == i ? offsets[i] : 0;
      if (pieces_[i].place) {
        if (i < offsets.size() && owner_[i] == i && offsets[i] != *pieces_[i].place) return false;
        places[i] = *pieces_[i].place;
      }
    }
    for (std::size_t i = 0; i < offsets.size(); ++i) {
      if (offsets[i] != places[owner_[i]] + delta_[i] || offsets[i] % problem_.buffers[i].alignment.bytes() != 0)
        return false;
    }
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (share(pieces_[i], places[i], pieces_[j], places[j])) return false;
      }
    }
    return true;
  }

  // The least size, by trying every place of every piece.
  std::size_t best() const {
    Buffers list;
    Offsets places;
    std::size_t least = 0;
    for (const Piece& piece : pieces_) {
      if (!piece.place) continue;
      list.push_back(piece.buffer());
      places.push_back(*piece.place);
      if (!piece.is_reserved) least = std::max(least, *piece.place + piece.size);
    }
    const std::size_t placed = list.size();
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
      if (!pieces_[i].place && i < owner_.size() && owner_[i] == i) list.push_back(pieces_[i].buffer());
    }
    places.resize(list.size());
    while (!planning::fits_by_trial(list, least, places, placed)) ++least;
    return least;
  }

 private:
  static bool fits(std::size_t offset, std::size_t size) { return size <= kMaxSize && offset <= kMaxSize - size; }

  const Problem& problem_;
  std::vector<std::size_t> owner_;  // of each buffer: the one in which it lies in the end
  std::vector<std::size_t> delta_;
  std::vector<Piece> pieces_;
  bool accepted_ = false;
};

inline arenite::Verdict verify(const Problem& problem, const Offsets& offsets, std::size_t size) {
  const std::size_t count = problem.buffers.size();
  std::vector<Buffer> pieces(count);
  Offsets places(count);
  std::vector<Index> scratch(arenite::verify_scratch(count) + count);
  std::size_t alignment = 1;
  for (const Buffer& buffer : problem.buffers) alignment = std::max(alignment, buffer.alignment.bytes());
  return arenite::verify(problem.buffers.data(), offsets.data(), count,
                         ConstraintList(problem.constraints.data(), problem.constraints.size()), size, alignment,
                         {pieces.data(), places.data(), scratch.data()});
}

// What a strategy makes of a list.
struct Answer {
  Status status = Status::kOk;
  std::size_t size = 0;
  std::size_t lower_bound = 0;
  const char* wrong = nullptr;
};

template <class Strategy>
Answer answer(const Problem& problem, const Model& model) {
  const std::size_t count = problem.buffers.size();
  const ConstraintList constraints(problem.constraints.data(), problem.constraints.size());
  const std::size_t bytes = arenite::plan_bytes<Strategy>(count, constraints.count());
  std::vector<std::size_t> memory((bytes + sizeof(std::size_t) - 1) / sizeof(std::size_t));
  const arenite::PlanRef made =
      arenite::plan<Strategy>(problem.buffers.data(), count, constraints, memory.data(), bytes);
  Answer answer;
  answer.status = made.status();
  if (made.status() != Status::kOk) return answer;
  const Offsets offsets(made.offsets(), made.offsets() + count);
  std::size_t end = 0;
  for (std::size_t i = 0; i < count; ++i) end = std::max(end, offsets[i] + problem.buffers[i].size);
  answer.size = made.size();
  std::vector<Buffer> pieces(count);
  Offsets places(count);
  std::vector<Index> scratch(arenite::verify_scratch(count) + count);
  answer.lower_bound = made.lower_bound(scratch.data());
  if (made.size() != end) answer.wrong = "the size is not the highest end";
  if (!model.is_sound(offsets)) answer.wrong = "the model sees a fault";
  if (!verify(problem, offsets, made.size()).ok()) answer.wrong = "verify sees a fault";
  if (!made.verify(constraints, {pieces.data(), places.data(), scratch.data()}).ok()) {
    answer.wrong = "the plan's verify sees a fault";
  }
  if (made.known_lower_bound() != answer.lower_bound) answer.wrong = "two lower bounds";
  if (end != 0 && verify(problem, offsets, end - 1).ok()) answer.wrong = "verify sees no fault in less memory";
  return answer;
}

}  // namespace constraint_model
