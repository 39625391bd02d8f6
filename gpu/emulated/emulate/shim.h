// The words of CUDA C++ for g++, as far as the kernels use them. Every .cu is compiled with this header before it; see
// ARCHITECTURE.md, section 7. A thread is a fiber of emulate.cc; what waits for other threads is a call to it.
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <type_traits>
#include <utility>

#ifdef EMULATE_LIST  // only looking for the names of the kernels
#define __global__ EMULATED_KERNEL
#define __launch_bounds__(...) EMULATED_BOUNDS(__VA_ARGS__)
#else
#define __global__ __attribute__((visibility("default")))
#define __launch_bounds__(...)
#endif
#define __CUDA_ARCH__ 900
#define __device__
#define __host__
#define __constant__ static
#define __shared__ thread_local  // a block is a thread of the machine
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __align__(n) __attribute__((aligned(n)))

struct uint3 { unsigned x, y, z; };
typedef uint3 dim3;

#define EMULATED_VECTORS(T, name, one)                                   \
  struct alignas(2 * one) name##2 { T x, y; };                           \
  struct name##3 { T x, y, z; };                                         \
  struct alignas(4 * one < 16 ? 4 * one : 16) name##4 { T x, y, z, w; }; \
  inline name##2 make_##name##2(T x, T y) { return {x, y}; }             \
  inline name##4 make_##name##4(T x, T y, T z, T w) { return {x, y, z, w}; }
#define uint3 uint3_of_vectors
EMULATED_VECTORS(unsigned, uint, 4)
#undef uint3
EMULATED_VECTORS(int, int, 4)
EMULATED_VECTORS(unsigned char, uchar, 1)
EMULATED_VECTORS(unsigned short, ushort, 2)
EMULATED_VECTORS(float, float, 4)
EMULATED_VECTORS(double, double, 8)
EMULATED_VECTORS(long long, longlong, 8)
EMULATED_VECTORS(unsigned long long, ulonglong, 8)
#undef EMULATED_VECTORS

namespace emulate {

struct Place { uint3 thread, block, blockDim, gridDim; };

enum Kind : int {
  running,
  syncThreads,
  syncThreadsCount,
  syncThreadsAnd,
  syncThreadsOr,
  syncWarp,
  shuffle,
  shuffleUp,
  shuffleDown,
  shuffleXor,
  ballot,
  any,
  all,
  reduceOr,
  reduceAnd,
  reduceXor,
  reduceAdd,
  reduceMin,
  reduceMax,
  matchAny,
};

// Call is what a thread waits for others with. Two that meet must agree in kind, mask, and place in the source.
struct Call {
  Kind kind;
  unsigned mask;
  const char* file;
  int line;
  uint64_t value;
  int argument, width;
};

// meet returns when all threads that the call names have called. It takes what a Call has, in registers: reading back
// what was just written to the stack of another thread is slow.
extern "C" uint64_t emulate_meet(
    uint64_t value, const char* file, int line, Kind kind, unsigned mask, int argument, int width);
// relax lets others go on; for loops that wait for what another thread writes.
extern "C" void emulate_relax();
inline void relax() { emulate_relax(); }
// step may let others go on, where the order of threads is shuffled.
extern "C" void emulate_step();

// place_ is the Place of the thread that runs, in a register that compile.sh keeps free for it.
#if defined(__x86_64__)
register const Place* place_ asm("r15");
#else
register const Place* place_ asm("x28");
#endif
__attribute__((always_inline)) inline const Place& place() { return *place_; }

template <class T> uint64_t bits(T x) {
  uint64_t out = 0;
  memcpy(&out, &x, sizeof x);
  return out;
}
template <class T> T from(uint64_t x) {
  T out;
  memcpy(&out, &x, sizeof out);
  return out;
}

template <class T> struct Same { using type = T; };
template <class T> using Plain = typename Same<T>::type;  // not deduced

template <class T> constexpr bool isWord = std::is_arithmetic<T>::value && (sizeof(T) == 4 || sizeof(T) == 8);

__attribute__((always_inline)) inline uint64_t meet(
    Kind kind, unsigned mask, uint64_t value, int argument, int width, const char* file, int line) {
  __asm__ volatile("" ::: "memory");
  const uint64_t out = emulate_meet(value, file, line, kind, mask, argument, width);
  __asm__ volatile("" ::: "memory");
  return out;
}

// --- how a kernel is found and called

template <class P> constexpr char kindOf() {
  if (std::is_pointer<P>::value) return 'p';
  if (std::is_same<P, float>::value) return 'f';
  if (std::is_same<P, double>::value) return 'd';
  static_assert(std::is_pointer<P>::value || isWord<P>, "kernels take pointers and numbers of 4 or 8 bytes");
  return sizeof(P) == 4 ? 'i' : 'l';
}

struct Kernel {
  void (*run)(const uint64_t* slots, const Place* place);  // leaves the register of place_ changed
  const char* kinds;
  unsigned bound;
  void* (*shared)();  // of dynamic size, or null
};

template <class... P> struct Signature {
  static constexpr char kinds[sizeof...(P) + 1] = {kindOf<P>()..., 0};
  template <void (*F)(P...), size_t... I> static void run(const uint64_t* slots, std::index_sequence<I...>) {
    F(from<P>(slots[I])...);
  }
  template <void (*F)(P...)> static void call(const uint64_t* slots, const Place* place) {
    place_ = place;
    run<F>(slots, std::index_sequence_for<P...>{});
  }
};
template <class... P> Signature<P...> signatureOf(void (*)(P...));
constexpr unsigned boundOf(unsigned threads = 1024, unsigned = 0, unsigned = 0) { return threads; }

}  // namespace emulate

#define threadIdx (::emulate::place().thread)
#define blockIdx (::emulate::place().block)
#define blockDim (::emulate::place().blockDim)
#define gridDim (::emulate::place().gridDim)
#define warpSize 32

// --- barriers, votes, shuffles

#define EMULATED_WHERE const char *file = __builtin_FILE(), int line = __builtin_LINE()
inline void __syncthreads(EMULATED_WHERE) { emulate::meet(emulate::syncThreads, 0, 0, 0, 0, file, line); }
inline int __syncthreads_count(int x, EMULATED_WHERE) {
  return int(emulate::meet(emulate::syncThreadsCount, 0, x != 0, 0, 0, file, line));
}
inline int __syncthreads_and(int x, EMULATED_WHERE) {
  return int(emulate::meet(emulate::syncThreadsAnd, 0, x != 0, 0, 0, file, line));
}
inline int __syncthreads_or(int x, EMULATED_WHERE) {
  return int(emulate::meet(emulate::syncThreadsOr, 0, x != 0, 0, 0, file, line));
}
inline void __syncwarp(unsigned mask = ~0u, EMULATED_WHERE) {
  emulate::meet(emulate::syncWarp, mask, 0, 0, 0, file, line);
}
inline unsigned __ballot_sync(unsigned mask, int x, EMULATED_WHERE) {
  return unsigned(emulate::meet(emulate::ballot, mask, x != 0, 0, 0, file, line));
}
inline int __any_sync(unsigned mask, int x, EMULATED_WHERE) {
  return int(emulate::meet(emulate::any, mask, x != 0, 0, 0, file, line));
}
inline int __all_sync(unsigned mask, int x, EMULATED_WHERE) {
  return int(emulate::meet(emulate::all, mask, x != 0, 0, 0, file, line));
}

#define EMULATED_SHUFFLE(name, kind, type)                                                                       \
  template <class T> T name(unsigned mask, T x, type lane, int width = 32, EMULATED_WHERE) {                     \
    static_assert(emulate::isWord<T>, "shuffles move int, unsigned, long, long long, float and double");         \
    return emulate::from<T>(emulate::meet(emulate::kind, mask, emulate::bits(x), int(lane), width, file, line)); \
  }
EMULATED_SHUFFLE(__shfl_sync, shuffle, int)
EMULATED_SHUFFLE(__shfl_up_sync, shuffleUp, unsigned)
EMULATED_SHUFFLE(__shfl_down_sync, shuffleDown, unsigned)
EMULATED_SHUFFLE(__shfl_xor_sync, shuffleXor, int)
#undef EMULATED_SHUFFLE

// The argument of a reduction says that it is of signed numbers.
#define EMULATED_REDUCE(name, kind, T)                                                               \
  inline T name(unsigned mask, T x, EMULATED_WHERE) {                                                \
    return T(emulate::meet(emulate::kind, mask, uint64_t(int64_t(x)), T(-1) < T(0), 0, file, line)); \
  }
EMULATED_REDUCE(__reduce_or_sync, reduceOr, unsigned)
EMULATED_REDUCE(__reduce_and_sync, reduceAnd, unsigned)
EMULATED_REDUCE(__reduce_xor_sync, reduceXor, unsigned)
EMULATED_REDUCE(__reduce_add_sync, reduceAdd, unsigned)
EMULATED_REDUCE(__reduce_add_sync, reduceAdd, int)
EMULATED_REDUCE(__reduce_min_sync, reduceMin, unsigned)
EMULATED_REDUCE(__reduce_min_sync, reduceMin, int)
EMULATED_REDUCE(__reduce_max_sync, reduceMax, unsigned)
EMULATED_REDUCE(__reduce_max_sync, reduceMax, int)
#undef EMULATED_REDUCE

template <class T> unsigned __match_any_sync(unsigned mask, T x, EMULATED_WHERE) {
  static_assert(emulate::isWord<T>, "numbers of 4 or 8 bytes");
  return unsigned(emulate::meet(emulate::matchAny, mask, emulate::bits(x), 0, 0, file, line));
}
// Which lanes run together is up to the device; here each runs alone.
inline unsigned __activemask() { return 1u << (threadIdx.x % 32); }
#undef EMULATED_WHERE

inline void __threadfence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
inline void __threadfence_block() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
inline void __threadfence_system() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
inline long long clock64() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000ll + now.tv_nsec;
}
inline void __nanosleep(unsigned) { emulate::emulate_relax(); }

// --- atomics; the types are those that the device has

namespace emulate {
template <class T>
constexpr bool isInteger =
    std::is_same<T, int>::value || std::is_same<T, unsigned>::value || std::is_same<T, unsigned long long>::value;
template <class T> constexpr bool isOrdered = isInteger<T> || std::is_same<T, long long>::value;

// change replaces *p by by(*p) at once, and returns what was there.
template <class T, class By> T change(T* p, By by) {
  emulate_step();
  T old, next;
  __atomic_load(p, &old, __ATOMIC_RELAXED);
  do next = by(old);
  while (!__atomic_compare_exchange(p, &old, &next, true, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));
  return old;
}
}  // namespace emulate

#define EMULATED_ATOMIC(name, allowed, next)                         \
  template <class T> T name(T* p, emulate::Plain<T> x) {             \
    static_assert(allowed, "no " #name " of this type on a device"); \
    return emulate::change(p, [x](T old) -> T { return next; });     \
  }
EMULATED_ATOMIC(atomicAdd, (emulate::isInteger<T> || std::is_floating_point<T>::value), old + x)
EMULATED_ATOMIC(atomicSub, (std::is_same<T, int>::value || std::is_same<T, unsigned>::value), old - x)
EMULATED_ATOMIC(atomicMin, emulate::isOrdered<T>, old < x ? old : x)
EMULATED_ATOMIC(atomicMax, emulate::isOrdered<T>, old > x ? old : x)
EMULATED_ATOMIC(atomicOr, emulate::isOrdered<T>, old | x)
EMULATED_ATOMIC(atomicAnd, emulate::isOrdered<T>, (old & x))
EMULATED_ATOMIC(atomicXor, emulate::isOrdered<T>, old ^ x)
EMULATED_ATOMIC(atomicExch, (emulate::isInteger<T> || std::is_same<T, float>::value), x)
EMULATED_ATOMIC(atomicInc, (std::is_same<T, unsigned>::value), old >= x ? 0 : old + 1)
#undef EMULATED_ATOMIC
template <class T> T atomicCAS(T* p, emulate::Plain<T> compare, emulate::Plain<T> x) {
  static_assert(emulate::isInteger<T>, "no atomicCAS of this type on a device");
  return emulate::change(p, [=](T old) -> T { return old == compare ? x : old; });
}

// --- loads, bits, conversions, arithmetic

template <class T> T __ldg(const T* p) { return *p; }
// __ldcg is for what other threads may be writing.
template <class T> T __ldcg(const T* p) {
  emulate::emulate_step();
  return *p;
}
template <class T> T __ldcs(const T* p) { return *p; }
template <class T> T __ldca(const T* p) { return *p; }
template <class T> void __stcg(T* p, emulate::Plain<T> x) { *p = x; }
template <class T> void __stcs(T* p, emulate::Plain<T> x) { *p = x; }

inline int __popc(unsigned x) { return __builtin_popcount(x); }
inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
inline int __clz(int x) { return x ? __builtin_clz(unsigned(x)) : 32; }
inline int __clzll(long long x) { return x ? __builtin_clzll((unsigned long long)x) : 64; }
inline int __ffs(int x) { return __builtin_ffs(x); }
inline int __ffsll(long long x) { return __builtin_ffsll(x); }
inline unsigned __brev(unsigned x) {
  unsigned out = 0;
  for (int i = 0; i < 32; i++) out |= (x >> i & 1) << (31 - i);
  return out;
}
inline unsigned __umulhi(unsigned a, unsigned b) { return unsigned((unsigned long long)a * b >> 32); }
inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return (unsigned long long)((unsigned __int128)a * b >> 64);
}

inline int __float_as_int(float x) { return emulate::from<int>(emulate::bits(x)); }
inline unsigned __float_as_uint(float x) { return emulate::from<unsigned>(emulate::bits(x)); }
inline float __int_as_float(int x) { return emulate::from<float>(emulate::bits(x)); }
inline float __uint_as_float(unsigned x) { return emulate::from<float>(emulate::bits(x)); }
inline long long __double_as_longlong(double x) { return emulate::from<long long>(emulate::bits(x)); }
inline double __longlong_as_double(long long x) { return emulate::from<double>(emulate::bits(x)); }
inline long long __double2ll_rn(double x) { return llrint(x); }  // of numbers that fit
// __double2ll_rz saturates, as the device does.
inline long long __double2ll_rz(double x) {
  if (!(x < 0x1p63)) return x == x ? 0x7fffffffffffffffll : (long long)0x8000000000000000ull;
  return x < -0x1p63 ? (long long)0x8000000000000000ull : (long long)x;
}
inline int __double2hiint(double x) { return int(emulate::bits(x) >> 32); }
inline int __double2loint(double x) { return int(emulate::bits(x)); }
inline double __hiloint2double(int high, int low) {
  return emulate::from<double>((uint64_t)unsigned(high) << 32 | unsigned(low));
}

inline float __frcp_rn(float x) { return 1 / x; }
inline double __drcp_rn(double x) { return 1 / x; }
inline float __fadd_rn(float a, float b) { return a + b; }
inline float __fmul_rn(float a, float b) { return a * b; }
inline float __fdiv_rn(float a, float b) { return a / b; }
inline double __dadd_rn(double a, double b) { return a + b; }
inline double __dsub_rn(double a, double b) { return a - b; }
inline double __dmul_rn(double a, double b) { return a * b; }
inline double __ddiv_rn(double a, double b) { return a / b; }
inline double __fma_rn(double a, double b, double c) { return std::fma(a, b, c); }
inline float __fmaf_rn(float a, float b, float c) { return std::fma(a, b, c); }

// min and max of two types take the one that C++ would compute in.
template <class A, class B> constexpr std::common_type_t<A, B> min(A a, B b) {
  using T = std::common_type_t<A, B>;
  return T(b) < T(a) ? T(b) : T(a);
}
template <class A, class B> constexpr std::common_type_t<A, B> max(A a, B b) {
  using T = std::common_type_t<A, B>;
  return T(a) < T(b) ? T(b) : T(a);
}

// emulated_shared is the block's memory of dynamic size, or null; compile.sh makes it, and an EMULATED_ENTRY a kernel.
void* emulated_shared();
#define EMULATED_ENTRY(name, ...)                                                                       \
  extern "C" __attribute__((visibility("default"))) const emulate::Kernel emulated_##name;              \
  const emulate::Kernel emulated_##name = {decltype(emulate::signatureOf(&name))::template call<&name>, \
      decltype(emulate::signatureOf(&name))::kinds, emulate::boundOf(__VA_ARGS__), emulated_shared};
