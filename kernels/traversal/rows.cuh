// Sums over the rows of a CSR matrix with a thread an arc, as edge-parallel strategies want them, in a fixed order:
// each warp takes a contiguous range of arcs, sums the pieces of rows in it, and rows that cross warps are joined in
// order. No atomics, so the same bits every time.
#pragma once
#include "../device/threads.cuh"

constexpr unsigned noRow = ~0u;

// RowPieces are what warps leave for rows that cross their ranges. One a block, in shared memory.
template <class T> struct RowPieces {
  T head[32], tail[32];
  unsigned tailRow[32];
  bool headEnds[32];
};

// sumRows calls emit(row, sum) once, from one thread, for every row with arcs for which active(row) holds; sum adds
// part(row, arc) over the row. rows has the row of every arc. The caller synchronises before and after.
template <class T, class Active, class Part, class Emit>
__device__ inline void sumRows(
    unsigned arcs, const unsigned* __restrict__ rows, RowPieces<T>& pieces, Active active, Part part, Emit emit) {
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
  const unsigned tiles = (arcs - 1) / 32 + 1, each = (tiles + warps - 1) / warps * 32;
  const unsigned long long start = (unsigned long long)warp * each;
  const unsigned begin = start < arcs ? unsigned(start) : arcs, end = arcs - begin < each ? arcs : begin + each;
  const unsigned headRow = begin > 0 && begin < arcs ? rows[begin - 1] : noRow;  // begun by an earlier warp
  T head = number<T>(0), carry = number<T>(0);
  unsigned carryRow = noRow;
  bool headEnds = true;
  for (unsigned base = begin; base < end; base += 32) {
    const unsigned arc = base + lane;
    const unsigned row = arc < end ? rows[arc] : noRow;
    const bool on = row != noRow && active(row);
    if (!__any_sync(~0u, on)) continue;
    T x = on ? part(row, arc) : number<T>(0);
#pragma unroll
    for (int k = 1; k < 32; k *= 2) {
      T before = shuffleUp(~0u, x, k);
      unsigned beforeRow = __shfl_up_sync(~0u, row, k);
      if (lane >= k && beforeRow == row) x = add(x, before);
    }
    if (row == carryRow && on) x = add(carry, x);
    const bool last = on && (arc + 1 == arcs || rows[arc + 1] != row);
    __syncwarp();
    if (last && row != headRow) emit(row, x);
    // The last lane of the head row, here or still going on, knows the sum of its piece.
    const bool heads = on && row == headRow;
    const unsigned inHead = __ballot_sync(~0u, heads);
    if (inHead) {
      const int from = 31 - __clz(inHead);
      head = shuffle(~0u, x, from);
      headEnds = __shfl_sync(~0u, int(last), from);
    }
    carry = shuffle(~0u, x, 31);
    carryRow = __shfl_sync(~0u, on && !last ? row : noRow, 31);
  }
  if (lane == 0) {
    pieces.head[warp] = head;
    pieces.headEnds[warp] = headEnds;
    pieces.tail[warp] = carry;
    pieces.tailRow[warp] = carryRow == headRow ? noRow : carryRow;
  }
  __syncthreads();
  if (lane == 0 && pieces.tailRow[warp] != noRow) {
    T sum = pieces.tail[warp];
    unsigned next = warp + 1;
    for (;; next++) {
      sum = add(sum, pieces.head[next]);
      if (pieces.headEnds[next]) break;
    }
    emit(pieces.tailRow[warp], sum);
  }
}
