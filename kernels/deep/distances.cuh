// Distances of a batch on a deep graph. See deep.cuh.
#pragma once
#include "deep.cuh"

// distances lowers rows until nothing changes. The key of a node is its least distance over all lanes, and buckets hold
// nodes by key: a lane that reaches a node late, because its source lies farther back, is passed on at once to where
// the others are, so that beyond the sources a node is done with for all lanes together. A lane that is later than that
// by over slack waits for its own bucket: where the sources of a batch lie in two places, those of one would run into
// what the others have swept.
template <class T, int W, bool Arcs, bool Masses> __device__ void Deep<T, W, Arcs, Masses>::distances(unsigned count) {
  unsigned limit = unsigned(p.width), near = count, round = 0, bucket = 0;
  for (;;) {
    const bool isFar = near == 0;
    unsigned list = round & 1;
    if (isFar) {  // these lie one step beyond the limit, for each is a step from a node within
      list = 2 + (bucket & 1);
      near = now(&s.far[bucket % 3]);
      if (near == 0) return;
      bucket++;
      limit += unsigned(p.width);
      if (threadIdx.x == 0) s.far[(bucket + 1) % 3] = 0;
    }
    if (threadIdx.x == 0) s.near[(round + 2) % 3] = 0;
    const auto take = [&](unsigned v) {  // what lowers v from here on lists it again
      if (t == 0) atomicExch(&s.state[v], 0);
      return s.keys[v];
    };
    eachNode([&](unsigned i) { return s.lists[size_t(list) * s.n + i]; }, 0, near, take,
        [&](unsigned, unsigned v, unsigned b, unsigned e, unsigned w, unsigned key) {
          lower(v, b, e, w, key, round, bucket, limit);
        });
    sync();
    near = now(&s.near[++round % 3]);
  }
}

template <class T, int W, bool Arcs, bool Masses>
__device__ void Deep<T, W, Arcs, Masses>::lower(
    unsigned v, unsigned b, unsigned e, unsigned w, unsigned key, unsigned round, unsigned bucket, unsigned limit) {
  constexpr unsigned far = kUnreached | kUnreached << 16;
  __syncwarp();  // v is off the list before any thread looks at its neighbours
  __threadfence_block();
  unsigned old[D], d[D];
#pragma unroll
  for (int k = 0; k < D; k++) old[k] = far;
  if (key != kNoKey) loadPairs(distancesOf(v), old);
#pragma unroll
  for (int k = 0; k < D; k++) d[k] = old[k];
  bool on = b + t < e && s.keys[w] != kNoKey;
  PROFILED(if (t == 0) note(kSeenArcs, e - b);)
  for (unsigned base = b;;) {
    PROFILED(const unsigned seen = __ballot_sync(~0u, on); if (t == 0) note(kSeenVectors, __popc(seen) * K * 2 / 16);)
    for (unsigned left = __ballot_sync(~0u, on); left;) {
      unsigned there[U][D];
#pragma unroll
      for (int q = 0; q < U; q++) {
        const unsigned from = __shfl_sync(~0u, w, left ? __ffs(left) - 1 : 0);
#pragma unroll
        for (int k = 0; k < D; k++) there[q][k] = far;
        if (left) loadPairs(distancesOf(from), there[q]);
        left &= left - 1;
      }
#pragma unroll
      for (int q = 0; q < U; q++)
#pragma unroll
        for (int k = 0; k < D; k++) d[k] = leastPair(d[k], there[q][k] + 0x00010001u);
    }
    if ((base += 32) >= e) break;
    on = base + t < e;
    if (on) w = p.targets[base + t], on = s.keys[w] != kNoKey;
  }
  bool changed = key == 0;  // a source has told nobody yet
  unsigned least = leastHalf(d[0]);
#pragma unroll
  for (int k = 0; k < D; k++) {
    changed |= d[k] != old[k];
    least = min(least, leastHalf(d[k]));
  }
  if (!__any_sync(~0u, changed)) return;
  storePairs(distancesOf(v), d);
  least = leastOfWarp(least);
  __threadfence_block();
  __syncwarp();
  if (t == 0) s.keys[v] = least;
  for (unsigned base = b; base < e; base += 32) {
    const bool in = base + t < e;
    if (e - b > 32) {
      on = in;
      if (in) w = p.targets[base + t], on = s.keys[w] != kNoKey;
    }
    if (in && !on) on = s.keys[w] != kNoKey;  // by now
    unsigned lowered = in && !on ? least + 1 : kNoKey;
    for (unsigned left = __ballot_sync(~0u, on); left;) {
      unsigned there[U][D];
      int from[U];
#pragma unroll
      for (int q = 0; q < U; q++) {
        from[q] = left ? __ffs(left) - 1 : -1;
        const unsigned u = __shfl_sync(~0u, w, max(from[q], 0));
#pragma unroll
        for (int k = 0; k < D; k++) there[q][k] = 0;
        if (left) loadPairs(distancesOf(u), there[q]);
        left &= left - 1;
      }
#pragma unroll
      for (int q = 0; q < U; q++) {
        unsigned least = 0xffff;
#pragma unroll
        for (int k = 0; k < D; k++) {
          const unsigned to = d[k] + 0x00010001u;
          least = min(least, leastHalf(to | ~lessPair(to, there[q][k])));
        }
        if (!__any_sync(~0u, least < kUnreached)) continue;
        least = leastOfWarp(least);
        if (int(t) == from[q]) lowered = least;
      }
    }
    note(w, lowered, round, bucket, limit);
  }
}

// note lists the neighbour w of each thread of the warp, in which a lane was lowered to `lowered`, kNoKey for none. One
// that is beyond the range in all lanes that were lowered is left as it is: no path that counts leads on from there.
template <class T, int W, bool Arcs, bool Masses>
__device__ void Deep<T, W, Arcs, Masses>::note(
    unsigned w, unsigned lowered, unsigned round, unsigned bucket, unsigned limit) {
  const bool on = lowered <= unsigned(p.farthest);  // kNoKey is farther
  if (!__any_sync(~0u, on)) return;
  bool fresh = false, beyond = false;
  if (on) {
    const unsigned key = min(s.keys[w], lowered);
    beyond = key >= limit || lowered >= limit + unsigned(p.slack);
    fresh = !atomicExch(&s.state[w], kListed);
  }
  const unsigned nearAt = append(fresh && !beyond, &s.near[(round + 1) % 3]);
  if (fresh && !beyond) s.lists[size_t(round + 1 & 1) * s.n + nearAt] = w;
  const unsigned farAt = append(fresh && beyond, &s.far[bucket % 3]);
  if (fresh && beyond) s.lists[size_t(2 + (bucket & 1)) * s.n + farAt] = w;
}

// keepSteps keeps of distances what the counts need, and adds up those of each lane. What lies beyond the range is not
// reached, and as far as the farthest nodes within, so that no arc leads there.
template <class T, int W, bool Arcs, bool Masses> __device__ void Deep<T, W, Arcs, Masses>::keepSteps() {
  constexpr unsigned together = 4;
  const unsigned farthest = unsigned(p.farthest);
  unsigned long long sum[W] = {};
  unsigned reach[W] = {};
  for (unsigned first = warp * together; first < s.n; first += warps * together) {
    unsigned pairs[together][D];
#pragma unroll
    for (unsigned q = 0; q < together; q++) {
      const unsigned v = first + q;
#pragma unroll
      for (int k = 0; k < D; k++) pairs[q][k] = kUnreached | kUnreached << 16;
      if (v < s.n && s.keys[v] != kNoKey) loadPairs(distancesOf(v), pairs[q]);
    }
#pragma unroll
    for (unsigned q = 0; q < together; q++) {
      const unsigned v = first + q;
      if (v >= s.n) break;
      unsigned here = 0, odd = 0, upper = 0;
#pragma unroll
      for (int i = 0; i < W; i++) {
        const unsigned found = pairs[q][i / 2] >> (i & 1) * 16 & 0xffff, d = min(found, farthest);
        const bool on = found < kUnreached && found == d;
        if (on && d > kDeepest) s.tooDeep = 1;
        here |= unsigned(on) << i;
        odd |= (d & 1) << i;
        upper |= (d >> 1 & 1) << i;
        if (on && d > 0) sum[i] += d, reach[i]++;
      }
      here = word(here), odd = word(odd), upper = word(upper);
      const unsigned i = t * W / 32;
      if (t * W % 32 == 0) {
        s.reached[size_t(v) * W + i] = here;
        s.steps[size_t(2 * v) * W + i] = odd;
        s.steps[size_t(2 * v + 1) * W + i] = upper;
      }
    }
  }
#pragma unroll
  for (int i = 0; i < W; i++) {
    if (reach[i]) atomicAdd(&s.reach[W * t + i], reach[i]);
    if (sum[i]) atomicAdd(&s.distances[W * t + i], sum[i]);
  }
}

// countArcs counts the arcs that end a shortest path at each node in some lane.
template <class T, int W, bool Arcs, bool Masses> __device__ void Deep<T, W, Arcs, Masses>::countArcs() {
  for (unsigned v = threadIdx.x; v < s.n; v += blockDim.x) {
    unsigned count = 0;
    if (s.keys[v] != kNoKey) {
      const Steps own = stepsOf(v);
      for (unsigned arc = p.offsets[v]; arc < p.offsets[v + 1]; arc++)
        count += follows(stepsOf(p.targets[arc]), own).any();
    }
    s.pending[v] = count;
    s.state[v] = 0;
  }
}
