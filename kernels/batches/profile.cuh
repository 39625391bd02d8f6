// What a launch spends its time on: counted by kernels compiled with LINCHPIN_PROFILE, of which the others have
// nothing.
#pragma once

#ifdef LINCHPIN_PROFILE
#define PROFILED(...) __VA_ARGS__
#else
#define PROFILED(...)
#endif

// Profiled are the numbers of a block. kSpent are cycles of its first thread: Forward and Backward in the passes of its
// batches, Meeting in waiting for the blocks of its team, Counting in the counts after each batch, Total from its first
// batch to its last. kSeen are counts: of Arcs looked at, and of Rows added up along them, of which Vectors of 16 bytes
// are read. By weights, Starting, Distances, PathArcs, Counts and Picking are parts of Forward; Rounds, Passed and
// Lowered are of distances (a node passed on, a row lowered along an arc), Relaxed and Compared the rows of distances
// that were looked at along arcs, to lower them and to find shortest-path arcs, Levels are rounds of counts, and Picks
// and Looks are at nodes that wait.
//
// host: enumeration
enum Profiled {
  kSpentForward,
  kSpentBackward,
  kSpentMeeting,
  kSpentCounting,
  kSpentTotal,
  kSeenBatches,
  kSeenLevels,
  kSeenEntries,
  kSeenArcs,
  kSeenRows,
  kSeenVectors,
  kSpentStarting,
  kSpentDistances,
  kSpentPathArcs,
  kSpentCounts,
  kSpentPicking,
  kSeenRounds,
  kSeenPassed,
  kSeenLowered,
  kSeenPicks,
  kSeenLooks,
  kSeenRelaxed,
  kSeenCompared,
  kProfiled
};
