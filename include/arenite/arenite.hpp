// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

#pragma once

/// All of the core; defines nothing itself. Each header says which threads and interrupts may call what is in it.

#include "align.hpp"
#include "arena.hpp"
#include "buffer.hpp"
#include "constraint.hpp"
#include "dry_run.hpp"
#include "dry_session.hpp"
#include "lifetimes.hpp"
#include "observer.hpp"
#include "observers/asan.hpp"
#include "observers/fences.hpp"
#include "observers/guard.hpp"
#include "observers/recorder.hpp"
#include "observers/trace.hpp"
#include "plan.hpp"
#include "planner.hpp"
#include "report.hpp"
#include "session.hpp"
#include "status.hpp"
#include "text.hpp"
#include "version.hpp"
