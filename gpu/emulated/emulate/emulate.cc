// The emulated device: blocks are threads of the machine, their threads fibers, which run until they wait for one
// another. What a GPU leaves to luck is an error here: barriers that not all threads reach, masks that name a lane
// which does not come, accesses outside of what was allocated.
#include "emulate.h"

#include <csetjmp>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "shim.h"
#undef threadIdx
#undef blockIdx
#undef blockDim
#undef gridDim

namespace emulate {
namespace {

using std::string;

string text(const char* format, ...) __attribute__((format(printf, 1, 2)));
string text(const char* format, ...) {
  char buffer[1024];
  va_list args;
  va_start(args, format);
  vsnprintf(buffer, sizeof buffer, format, args);
  va_end(args);
  return buffer;
}

int fail(char* error, size_t size, const string& what) {
  snprintf(error, size, "%s", what.c_str());
  return 1;
}

// --- memory

constexpr size_t kPage = 4096, kAlign = 256;
constexpr unsigned char kBeside = 0x5a;
// kRubbish is what memory holds that nobody has written: where threads are shuffled it is NaN as float32 and as
// float64.
const unsigned char kRubbish = getenv("LINCHPIN_EMULATED_SEED") && *getenv("LINCHPIN_EMULATED_SEED") ? 0xff : 0xa5;

struct Allocation {
  char* base;  // of a page that nobody may touch; such a page ends it, too
  size_t bytes, mapped;
};

std::mutex memoryMutex;
std::map<EmulateSlot, Allocation> allocations;

// An allocation ends less than 256 bytes before a page that nobody may touch; bytes before and after it are marked.
string allocate(EmulateSlot bytes, EmulateSlot* out) {
  const size_t room = (bytes + kAlign - 1) / kAlign * kAlign + kAlign, pages = (room + kPage - 1) / kPage * kPage;
  const size_t mapped = pages + 2 * kPage;
  char* base = (char*)mmap(nullptr, mapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (base == MAP_FAILED || mprotect(base + kPage, pages, PROT_READ | PROT_WRITE) != 0) {
    if (base != MAP_FAILED) munmap(base, mapped);
    return text("%llu bytes of host memory", bytes);
  }
  char *first = base + kPage, *end = first + pages, *p = end - (room - kAlign);
  memset(first, kBeside, p - first);
  memset(p, kRubbish, bytes);
  memset(p + bytes, kBeside, end - (p + bytes));
  *out = (EmulateSlot)p;
  std::lock_guard<std::mutex> lock(memoryMutex);
  allocations[*out] = {base, size_t(bytes), mapped};
  return "";
}

string release(EmulateSlot p) {
  std::lock_guard<std::mutex> lock(memoryMutex);
  const auto at = allocations.find(p);
  if (at == allocations.end()) return text("free of %#llx, which is not allocated", p);
  const Allocation a = at->second;
  allocations.erase(at);
  string out;
  const char *first = a.base + kPage, *end = a.base + a.mapped - kPage, *begin = (const char*)p;
  for (const char* x = first; x < end; x++) {
    if (x == begin) x += a.bytes;
    if (x < end && (unsigned char)*x != kBeside) {
      out = text("something was written at byte %lld of an allocation of %zu bytes", (long long)(x - begin), a.bytes);
      break;
    }
  }
  munmap(a.base, a.mapped);
  return out;
}

// describe says where an address lies. It takes no lock: it is for signal handlers as well.
string describe(EmulateSlot address) {
  string out = text("address %#llx", address);
  for (const auto& [p, a] : allocations)
    if (address >= (EmulateSlot)a.base && address < (EmulateSlot)a.base + a.mapped)
      out += text(", byte %lld of an allocation of %zu bytes", (long long)(address - p), a.bytes);
  return out;
}

string within(EmulateSlot p, EmulateSlot bytes) {
  std::lock_guard<std::mutex> lock(memoryMutex);
  auto at = allocations.upper_bound(p);
  if (at != allocations.begin() && p + bytes <= (--at)->first + at->second.bytes) return "";
  return text("%llu bytes at %s", bytes, describe(p).c_str());
}

// --- fibers

enum State : char { unborn, ready, waiting, done };

// An odd number of pages: what the processor knows of pages crowds where all are a power of two apart.
constexpr size_t kStack = 68 << 10;

// Fiber is a thread of a block. What a call for other threads needs lies in its first 64 bytes.
struct alignas(128) Fiber {
  void* stackPointer;
  uint64_t result;
  Call call;
  unsigned number;
  State state;
  char* stack;
  Place place;
};

// switchTo goes on with the fiber whose stack pointer is `to`, until somebody comes back to what is left in *save.
#if defined(__x86_64__)
// Both mostly stand at the same place, so that the processor foresees where it goes on, and the returns after that. All
// else is in registers that the compiler saves, or is read again. build.mk sees to it that nothing lies under the stack
// pointer.
__attribute__((always_inline)) inline void switchTo(void** save, void* to) {
  __asm__ volatile(
      "leaq -24(%%rsp), %%rdx\n\t"
      "leaq 1f(%%rip), %%rcx\n\t"
      "movq %%rcx, (%%rdx)\n\t"
      "movq %%r15, 8(%%rdx)\n\t"
      "movq %%rbp, 16(%%rdx)\n\t"
      "movq %%rdx, (%%rdi)\n\t"
      "movq (%%rsi), %%rax\n\t"
      "movq 8(%%rsi), %%r15\n\t"
      "movq 16(%%rsi), %%rbp\n\t"
      "leaq 24(%%rsi), %%rsp\n\t"
      "cmpq %%rcx, %%rax\n\t"
      "je 1f\n\t"
      "jmpq *%%rax\n"
      "1:\n\t"
      : "+D"(save), "+S"(to)
      :
      : "rax", "rbx", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "xmm0", "xmm1", "xmm2", "xmm3",
      "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15", "cc",
      "memory");
}
#elif defined(__aarch64__)
extern "C" void emulate_switch(void** save, void* to);
inline void switchTo(void** save, void* to) { emulate_switch(save, to); }
__asm__(R"(
.text
.globl emulate_switch
.hidden emulate_switch
.type emulate_switch,%function
emulate_switch:
  sub sp, sp, #160
  stp x19, x20, [sp, #0]
  stp x21, x22, [sp, #16]
  stp x23, x24, [sp, #32]
  stp x25, x26, [sp, #48]
  stp x27, x28, [sp, #64]
  stp x29, x30, [sp, #80]
  stp d8, d9, [sp, #96]
  stp d10, d11, [sp, #112]
  stp d12, d13, [sp, #128]
  stp d14, d15, [sp, #144]
  mov x9, sp
  str x9, [x0]
  mov sp, x1
  ldp x19, x20, [sp, #0]
  ldp x21, x22, [sp, #16]
  ldp x23, x24, [sp, #32]
  ldp x25, x26, [sp, #48]
  ldp x27, x28, [sp, #64]
  ldp x29, x30, [sp, #80]
  ldp d8, d9, [sp, #96]
  ldp d10, d11, [sp, #112]
  ldp d12, d13, [sp, #128]
  ldp d14, d15, [sp, #144]
  add sp, sp, #160
  ret
)");
#else
#error "emulate: the switch between fibers is written for x86-64 and arm64"
#endif

// Stacks are kept for the next block: the machine gives them slowly.
struct Stacks {
  std::mutex mutex;
  std::vector<char*> spare;
  char* take() {
    {
      std::lock_guard<std::mutex> lock(mutex);
      if (!spare.empty()) {
        char* p = spare.back();
        spare.pop_back();
        return p;
      }
    }
    char* p = (char*)mmap(nullptr, kStack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) return nullptr;
    mprotect(p, kPage, PROT_NONE);
    return p;
  }
  void give(const std::vector<char*>& all) {
    std::lock_guard<std::mutex> lock(mutex);
    spare.insert(spare.end(), all.begin(), all.end());
  }
} stacks;

// --- launches

struct Launch {
  const char* name;
  const Kernel* kernel;
  EmulateShape shape;
  const uint64_t* slots;
  std::atomic<unsigned> next{0};
  std::atomic<bool> failed{false};
  // progress counts barriers that blocks have passed; stalled is, for each thread of the machine, when it began to wait
  // for other blocks, in these terms.
  static constexpr uint64_t finished = ~0ull, busy = ~0ull - 1;
  std::atomic<uint64_t> progress{0};
  std::vector<std::atomic<uint64_t>> stalled;
  unsigned workers;  // threads of the machine that have not ended; see Crew
  std::mutex mutex;
  string error;

  Launch(const char* name, const Kernel* kernel, const EmulateShape& shape, const uint64_t* slots, unsigned workers)
      : name(name), kernel(kernel), shape(shape), slots(slots), stalled(workers), workers(workers) {
    for (auto& at : stalled) at = busy;
  }

  void fail(const string& what) {
    std::lock_guard<std::mutex> lock(mutex);
    if (error.empty()) error = what;
    failed = true;
  }
};

struct Random {
  uint64_t state;
  uint64_t next() {  // splitmix64
    uint64_t x = state += 0x9e3779b97f4a7c15ull;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;
    return x ^ x >> 31;
  }
  unsigned under(unsigned n) { return unsigned(next() % n); }
};

const char* nameOf(Kind kind) {
  static const char* const names[] = {"", "__syncthreads", "__syncthreads_count", "__syncthreads_and",
      "__syncthreads_or", "__syncwarp", "__shfl_sync", "__shfl_up_sync", "__shfl_down_sync", "__shfl_xor_sync",
      "__ballot_sync", "__any_sync", "__all_sync", "__reduce_or_sync", "__reduce_and_sync", "__reduce_xor_sync",
      "__reduce_add_sync", "__reduce_min_sync", "__reduce_max_sync", "__match_any_sync"};
  return names[kind];
}

bool ofBlock(Kind kind) { return kind >= syncThreads && kind <= syncThreadsOr; }

bool alike(const Call& a, const Call& b) {
  return a.kind == b.kind && a.mask == b.mask && a.line == b.line && (a.file == b.file || strcmp(a.file, b.file) == 0);
}

string placeOf(const Call& c) {
  const char* slash = strrchr(c.file, '/');
  string out = text("%s at %s:%d", nameOf(c.kind), slash ? slash + 1 : c.file, c.line);
  if (!ofBlock(c.kind)) out += text(" with mask %#x", c.mask);
  return out;
}

// Order is in which order threads go on. In the plain one a warp runs until it waits for the block, then the next warp.
enum Order { plain, anyOrder, newestFirst, oldestFirst };

// Line has the threads that are ready, those that have waited longest at its head.
struct Line {
  std::vector<unsigned> all;
  size_t head = 0;
  size_t size() const { return all.size() - head; }
  void clear() { all.clear(), head = 0; }
  void add(unsigned number) {
    all.push_back(number);
    if (head <= 4096 || head <= all.size() / 2) return;
    all.erase(all.begin(), all.begin() + head);
    head = 0;
  }
  unsigned take(size_t i) {
    std::swap(all[head + i], all[head]);
    const unsigned number = all[head++];
    if (head == all.size()) clear();
    return number;
  }
  unsigned takeLast() {
    const unsigned number = all.back();
    all.pop_back();
    if (head == all.size()) clear();
    return number;
  }
};

// Block runs the threads of one block after the other, on one thread of the machine.
struct Block {
  Launch& launch;
  const unsigned worker;  // the thread of the machine
  unsigned index = 0;
  const unsigned size;
  unsigned live = 0, born = 0, arrived = 0;
  std::vector<Fiber> fibers;
  std::vector<unsigned> expecting, ended;  // a warp: lanes that wait for others of it, and lanes that have ended
  Fiber* self = nullptr;                   // who runs
  Line queue;
  // In the plain order, lanes of a warp that have met go on before the queue, each after the one before it.
  unsigned met = 0, lastMet = 31;
  Fiber* metWarp = nullptr;
  std::vector<unsigned> asleep;  // that go on when no other can
  std::vector<unsigned> order;   // in which threads begin
  std::vector<char*> spare, owned;
  void* main = nullptr;
  Random random;
  Order policy = plain;
  unsigned looks = 0;
  unsigned idle = 0;  // how often in a row a thread found nothing to do
  uint64_t seen = 0;
  std::chrono::steady_clock::time_point since;
  sigjmp_buf escape;

  Block(Launch& l, unsigned worker)
      : launch(l), worker(worker), size(l.shape.block), fibers(size), expecting((size + 31) / 32),
        ended((size + 31) / 32), order(size) {}
  ~Block() { stacks.give(owned); }

  void begin(unsigned i) {
    index = i;
    live = size;
    born = arrived = 0;
    queue.clear();
    met = 0;
    asleep.clear();
    for (unsigned t = 0; t < size; t++) fibers[t].number = t, fibers[t].state = unborn;
    std::fill(expecting.begin(), expecting.end(), 0);
    for (unsigned w = 0; w < ended.size(); w++) ended[w] = size - 32 * w < 32 ? ~0u << (size - 32 * w) : 0;
    random.state = launch.shape.seed + (uint64_t)i * 0x632be59bd9b4e019ull;
    policy = launch.shape.seed ? Order(1 + random.under(3)) : plain;
    for (unsigned t = 0; t < size; t++) order[t] = t;
    if (launch.shape.seed)
      for (unsigned t = size; t > 1; t--) std::swap(order[t - 1], order[random.under(t)]);
    spare = owned;
  }

  static void enter();

  bool bear(unsigned number) {
    if (spare.empty()) {
      char* stack = stacks.take();
      if (!stack) {
        launch.fail("no memory for stacks");
        return false;
      }
      owned.push_back(stack);
      spare.push_back(stack);
    }
    Fiber& f = fibers[number];
    f.stack = spare.back();
    spare.pop_back();
    f.place = {{number, 0, 0}, {index, 0, 0}, {size, 1, 1}, {launch.shape.grid, 1, 1}};
    // Not all stacks begin at the same place of a page, which would crowd them in the machine's caches.
    char* top = f.stack + kStack - 256 - number % 32 * 320;
#if defined(__x86_64__)
    void** saved = (void**)top;
    *--saved = nullptr;  // where enter would return to
    saved -= 2;          // registers
    *--saved = (void*)&Block::enter;
#else
    void** saved = (void**)(top - 160);
    memset(saved, 0, 160);
    saved[11] = (void*)&Block::enter;  // x30
#endif
    f.stackPointer = saved;
    f.state = ready;
    return true;
  }

  // awaken returns a thread that sleeps, or null.
  Fiber* awaken() {
    if (asleep.empty()) return nullptr;
    std::swap(asleep[random.under(unsigned(asleep.size()))], asleep.back());
    const unsigned number = asleep.back();
    asleep.pop_back();
    return &fibers[number];
  }

  // prefetch lets the processor fetch what it takes to go on with a thread soon.
  static void prefetch(const Fiber& f) {
    for (int i = 0; i < 4; i++) __builtin_prefetch((const char*)f.stackPointer + 64 * i);
  }

  // takeMet returns the next lane of the warp that has met, and has the one after it fetched.
  Fiber* takeMet() {
    const unsigned after = met & (~1u << lastMet);
    lastMet = __builtin_ctz(after ? after : met);
    met &= ~(1u << lastMet);
    if (const unsigned next = met & (~1u << lastMet)) prefetch(metWarp[__builtin_ctz(next)]);
    Fiber* f = metWarp + lastMet;
    f->state = ready;
    return f;
  }

  // pick returns a thread to go on with, or null.
  Fiber* pick() {
    if (launch.failed.load(std::memory_order_relaxed)) return nullptr;
    if (met) return takeMet();
    const size_t waitingToRun = queue.size();
    const bool unborn = born < size;
    if (!waitingToRun && !unborn) return awaken();
    bool young = !waitingToRun;
    if (policy == anyOrder && waitingToRun && unborn) young = random.under(2);
    if (policy == oldestFirst && waitingToRun && unborn) young = random.under(64) == 0;
    if (young) {
      const unsigned number = order[born++];
      return bear(number) ? &fibers[number] : nullptr;
    }
    if (policy == newestFirst) return &fibers[queue.takeLast()];
    if (policy == plain && waitingToRun > 16) {  // after a barrier, what most threads need is not in the caches
      __builtin_prefetch(&fibers[queue.all[queue.head + 16]]);
      prefetch(fibers[queue.all[queue.head + 6]]);
    }
    return &fibers[queue.take(policy == anyOrder ? random.under(unsigned(waitingToRun)) : 0)];
  }

  void wake(unsigned number) {
    fibers[number].state = ready;
    queue.add(number);
  }

  // go runs a fiber, or, without one, `run`, until somebody goes back to the one that runs.
  void go(Fiber* to) {
    Fiber* from = self;
    if (to == from) return;
    self = to;
    switchTo(from ? &from->stackPointer : &main, to ? to->stackPointer : main);
  }

  __attribute__((noreturn)) void leave() {
    Fiber* f = self;
    f->state = done;
    ended[f->number / 32] |= 1u << f->number % 32;
    live--;
    if (arrived && arrived == live) releaseBlock();
    releaseWarp(f->number / 32);
    spare.push_back(f->stack);  // for whom `run` takes next
    go(nullptr);
    __builtin_unreachable();
  }

  // Out of line, so that `meet` has little to keep on the stacks of threads.
  __attribute__((noinline)) void leftOut(const Fiber& f) {
    launch.fail(text("thread %u of block %u: %s does not name lane %u itself", f.number, index, placeOf(f.call).c_str(),
        f.number % 32));
  }

  uint64_t meet(uint64_t value, const char* file, int line, Kind kind, unsigned mask, int argument, int width) {
    Fiber* me = self;
    me->call = {kind, mask, file, line, value, argument, width};
    const Call& call = me->call;
    me->state = waiting;
    if (ofBlock(call.kind)) {
      if (++arrived == live) releaseBlock();
    } else if (call.mask >> me->number % 32 & 1) {
      expecting[me->number / 32] |= 1u << me->number % 32;
      tryWarp(me->number / 32, call);
    } else {
      leftOut(*me);
    }
    go(pick());  // for good, where the launch has failed
    return me->result;
  }

  __attribute__((noinline)) void releaseBlock() {
    const Fiber* first = nullptr;
    uint64_t count = 0;
    for (const Fiber& f : fibers) {
      if (f.state != waiting) continue;
      if (!first) first = &f;
      if (!alike(first->call, f.call)) {
        launch.fail(text("threads %u and %u of block %u meet at different barriers: %s, and %s", first->number,
            f.number, index, placeOf(first->call).c_str(), placeOf(f.call).c_str()));
        return;
      }
      count += f.call.value;
    }
    arrived = 0;
    launch.progress.fetch_add(1, std::memory_order_relaxed);
    uint64_t result = count;
    if (first->call.kind == syncThreadsAnd) result = count == live;
    if (first->call.kind == syncThreadsOr) result = count > 0;
    for (Fiber& f : fibers) {
      if (f.state != waiting) continue;
      f.result = result;
      wake(f.number);
    }
  }

  // tryWarp lets the lanes that a call names go on when all of them have come.
  void tryWarp(unsigned warp, const Call& call) {
    if (const unsigned members = call.mask & ~ended[warp]; !(members & ~expecting[warp]))
      releaseLanes(warp, members, call);
  }

  __attribute__((noinline)) void releaseLanes(unsigned warp, unsigned members, const Call& call) {
    const unsigned first = warp * 32;
    for (unsigned m = members; m; m &= m - 1) {
      const Call& other = fibers[first + __builtin_ctz(m)].call;
      if (other.kind != call.kind || other.mask != call.mask) return;  // if nobody else lets it go, `stuck` will tell
      if (alike(other, call)) continue;
      launch.fail(text("lanes of warp %u of block %u meet at different places: %s, and %s", warp, index,
          placeOf(call).c_str(), placeOf(other).c_str()));
      return;
    }
    finish(&fibers[first], members, call.kind);
    expecting[warp] &= ~members;
    if (policy == plain) {
      met |= members;
      metWarp = &fibers[first];
      return;
    }
    for (unsigned m = members; m; m &= m - 1) wake(first + __builtin_ctz(m));
  }

  // releaseWarp looks again after a lane has ended.
  void releaseWarp(unsigned warp) {
    for (unsigned lane = 0; lane < 32; lane++)
      if (expecting[warp] >> lane & 1) tryWarp(warp, fibers[warp * 32 + lane].call);
  }

  // finish computes what the members of a warp's call of a kind get.
  static void finish(Fiber* f, unsigned members, Kind kind) {
    const auto each = [=](auto what) {
      for (unsigned m = members; m; m &= m - 1) what(int(__builtin_ctz(m)));
    };
    const auto all = [=](uint64_t result) { each([=](int lane) { f[lane].result = result; }); };
    const auto reduce = [=](auto by) {
      const unsigned first = __builtin_ctz(members);
      uint64_t out = f[first].call.value;
      for (unsigned m = members & (members - 1); m; m &= m - 1) out = by(out, f[__builtin_ctz(m)].call.value);
      all(out);
    };
    // source says which lane of a part, base to last, a lane reads. What a lane has that does not take part is
    // anybody's guess.
    const auto move = [=](auto source) {
      each([=](int lane) {
        const Call& c = f[lane].call;
        const int base = lane & ~(c.width - 1), from = source(lane, c.argument, base, base + c.width - 1);
        f[lane].result = members >> from & 1 ? f[from].call.value : 0xa5a5a5a5a5a5a5a5ull;
      });
    };
    uint64_t votes = 0;
    if (kind == ballot || kind == any || kind == Kind::all)
      each([&](int lane) { votes |= f[lane].call.value << lane; });
    switch (kind) {
      case ballot: return all(votes);
      case any: return all(votes != 0);
      case Kind::all: return all(votes == members);
      case reduceOr: return reduce([](uint64_t a, uint64_t b) { return a | b; });
      case reduceAnd: return reduce([](uint64_t a, uint64_t b) { return a & b; });
      case reduceXor: return reduce([](uint64_t a, uint64_t b) { return a ^ b; });
      case reduceAdd: return reduce([](uint64_t a, uint64_t b) { return a + b; });
      case reduceMin:  // unsigned ones come without a sign
        return reduce([](uint64_t a, uint64_t b) { return int64_t(b) < int64_t(a) ? b : a; });
      case reduceMax: return reduce([](uint64_t a, uint64_t b) { return int64_t(b) > int64_t(a) ? b : a; });
      case matchAny:
        return each([=](int lane) {
          uint64_t same = 0;
          each([&, lane](int other) {
            if (f[other].call.value == f[lane].call.value) same |= 1u << other;
          });
          f[lane].result = same;
        });
      case shuffle: return move([](int, int x, int base, int last) { return base + (x & (last - base)); });
      case shuffleUp: return move([](int lane, int x, int base, int) { return lane - x < base ? lane : lane - x; });
      case shuffleDown: return move([](int lane, int x, int, int last) { return lane + x > last ? lane : lane + x; });
      case shuffleXor: return move([](int lane, int x, int, int last) { return (lane ^ x) > last ? lane : lane ^ x; });
      default: return;  // syncWarp, and calls of blocks
    }
  }

  void relax() {
    if (launch.failed.load(std::memory_order_relaxed)) go(nullptr);
    unsigned number = 0;
    if (met) {  // others of the block first, those that have waited longest
      number = takeMet()->number;
    } else if (queue.size()) {
      number = queue.take(0);
    } else if (born < size) {
      number = order[born++];
      if (!bear(number)) go(nullptr);
    } else if (const Fiber* f = awaken()) {
      number = f->number;
    } else {
      watch();
      if (idle++ < briefly) sched_yield();
      else usleep(20);  // others may need the processor
      return;
    }
    idle = 0;
    wake(self->number);
    go(&fibers[number]);
  }

  // briefly is how often in a row a thread that waits for other blocks only yields, before it sleeps.
  static constexpr unsigned briefly = 8;

  // watch notices that all blocks wait in relax for what none of them does: each of them has looked for a while since
  // the last barrier that any of them passed.
  void watch() {
    const uint64_t progress = launch.progress;
    const auto now = std::chrono::steady_clock::now();
    if (progress != seen) seen = progress, looks = 0;
    if (looks++ == 0) since = now;
    if (looks < 16 || now - since < std::chrono::seconds(2)) return;
    launch.stalled[worker] = progress;
    for (const auto& at : launch.stalled)
      if (at != progress && at != Launch::finished) return;
    launch.fail(text("every block waits in a loop for another one; thread %u of block %u is one of those that wait",
        self->number, index));
    go(nullptr);
  }

  // step lets others go on at one step in eight, and at one in 64 for as long as any of them can, so that what a thread
  // has read may be old by all that a block does before its next barrier.
  void step() {
    const unsigned chance = random.under(64);
    if (chance >= 8) return;
    if (chance == 0) {
      self->state = ready;
      asleep.push_back(self->number);
    } else {
      wake(self->number);
    }
    go(pick());
  }

  // stuck describes a block in which no thread can go on.
  string stuck() {
    std::map<string, std::vector<unsigned>> places;
    for (const Fiber& f : fibers)
      if (f.state == waiting) places[placeOf(f.call)].push_back(f.number);
    string out = text("deadlock in block %u of %u threads:", index, size);
    for (const auto& [where, threads] : places) {
      out += text(" %zu threads wait in %s (", threads.size(), where.c_str());
      for (size_t i = 0; i < threads.size() && i < 4; i++) out += text(i ? ", %u" : "%u", threads[i]);
      out += threads.size() > 4 ? ", ...);" : ");";
    }
    return out + text(" %u have ended", size - live);
  }

  void run(unsigned i) {
    begin(i);
    const int signal = sigsetjmp(escape, 1);
    if (signal) return;
    self = nullptr;
    while (Fiber* to = pick()) go(to);
    if (live > 0 && !launch.failed) launch.fail(stuck());
    launch.progress++;
  }
};

// running_ is the block that this thread of the machine runs.
__attribute__((tls_model("initial-exec"))) thread_local Block* running_ = nullptr;

void Block::enter() {
  const Block& b = *running_;
  b.launch.kernel->run(b.launch.slots, &b.self->place);
  running_->leave();  // nothing else is in a register
}

// --- shared memory: what a compiled file keeps for a thread of the machine is its shared memory, and nothing else

struct Image {
  const void* inside;
  char* begin;
  size_t bytes;
};

int findImage(dl_phdr_info* info, size_t, void* data) {
  Image* image = (Image*)data;
  bool inside = false;
  size_t tls = 0;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const auto& h = info->dlpi_phdr[i];
    const uintptr_t begin = info->dlpi_addr + h.p_vaddr;
    if (h.p_type == PT_LOAD && (uintptr_t)image->inside >= begin && (uintptr_t)image->inside < begin + h.p_memsz)
      inside = true;
    if (h.p_type == PT_TLS) tls = h.p_memsz;
  }
  if (!inside) return 0;
  image->begin = (char*)info->dlpi_tls_data;
  image->bytes = image->begin ? tls : 0;
  return 1;
}

constexpr size_t kDynamic = 256 << 10;

// Shared fills the shared memory with rubbish before a block, and looks for writes past its end after it.
struct Shared {
  Image image;
  char* dynamic;
  size_t asked;
  Shared(const Kernel& k, size_t asked) : asked(asked) {
    dynamic = k.shared ? (char*)k.shared() : nullptr;
    image = {(const void*)k.run, nullptr, 0};
    dl_iterate_phdr(findImage, &image);
  }
  size_t size() const { return std::min(kDynamic, asked + 1024); }
  void fill() {
    if (!dynamic) {
      memset(image.begin, kRubbish, image.bytes);
      return;
    }
    memset(image.begin, kRubbish, dynamic - image.begin);
    memset(dynamic, kRubbish, size());
    memset(dynamic + kDynamic, kRubbish, image.begin + image.bytes - (dynamic + kDynamic));
  }
  bool intact() const {
    if (!dynamic) return true;
    for (size_t i = asked; i < size(); i++)
      if ((unsigned char)dynamic[i] != kRubbish) return false;
    return true;
  }
};

// --- faults

struct sigaction before[NSIG];

void onFault(int signal, siginfo_t* info, void* context) {
  Block* b = running_;
  if (!b) {  // not ours
    const struct sigaction& old = before[signal];
    if (old.sa_flags & SA_SIGINFO) return old.sa_sigaction(signal, info, context);
    if (old.sa_handler != SIG_DFL && old.sa_handler != SIG_IGN) return old.sa_handler(signal);
    sigaction(signal, &old, nullptr);
    return;
  }
  running_ = nullptr;
  const char* what = signal == SIGILL ? "a check of the compiler failed (alignment, bounds, shift)"
      : signal == SIGFPE              ? "a division failed"
                                      : "access outside of memory";
  string where = signal == SIGSEGV || signal == SIGBUS ? ": " + describe((EmulateSlot)info->si_addr) : "";
  for (char* stack : b->owned)
    if ((char*)info->si_addr >= stack && (char*)info->si_addr < stack + kPage)
      where = ": the stack of a thread is full";
  string thread = text("block %u", b->index);
#if defined(__x86_64__)
  const uintptr_t at = ((ucontext_t*)context)->uc_mcontext.gregs[REG_RSP],
                  pc = ((ucontext_t*)context)->uc_mcontext.gregs[REG_RIP];
#else
  const uintptr_t at = ((ucontext_t*)context)->uc_mcontext.sp, pc = ((ucontext_t*)context)->uc_mcontext.pc;
#endif
  for (const Fiber& f : b->fibers)
    if ((f.state == ready || f.state == waiting) && at >= (uintptr_t)f.stack && at < (uintptr_t)f.stack + kStack)
      thread = text("thread %u of block %u", f.number, b->index);
  Dl_info library;
  string code;
  if (dladdr((void*)pc, &library) && library.dli_fname)
    code = text(" (addr2line -Cfie %s %#zx)", library.dli_fname, size_t(pc - (uintptr_t)library.dli_fbase));
  b->launch.fail(thread + ": " + what + where + code);
  siglongjmp(b->escape, 1);
}

void catchFaults() {
  struct sigaction action = {};
  action.sa_sigaction = onFault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigfillset(&action.sa_mask);
  for (int s : {SIGSEGV, SIGBUS, SIGILL, SIGFPE}) sigaction(s, &action, &before[s]);
}

// work runs blocks until none is left.
void work(Launch& launch, unsigned worker) {
  Block block(launch, worker);
  Shared shared(*launch.kernel, launch.shape.shared);
  for (unsigned i; !launch.failed && (i = launch.next++) < launch.shape.grid;) {
    if (launch.shape.seed) i = launch.shape.grid - 1 - i;
    shared.fill();
    running_ = &block;
    block.run(i);
    running_ = nullptr;
    if (!launch.failed && !shared.intact())
      launch.fail(text("block %u wrote past its %u bytes of dynamic shared memory", i, launch.shape.shared));
  }
  launch.stalled[worker] = Launch::finished;
}

// Crew is the threads of the machine. They stay until the process ends: to begin one takes longer than most launches.
class Crew {
  struct Hand {
    std::condition_variable called;
    Launch* launch = nullptr;  // to work on
    unsigned worker = 0;       // of that launch
  };

  std::mutex mutex;
  std::condition_variable ended;  // a launch has
  std::vector<Hand*> idle;

  void stay(Hand* hand) {
    sigset_t mask;
    sigfillset(&mask);
    for (int s : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT}) sigdelset(&mask, s);
    pthread_sigmask(SIG_SETMASK, &mask, nullptr);
    std::vector<char> alternate(64 << 10);
    stack_t alt = {};
    alt.ss_sp = alternate.data();
    alt.ss_size = alternate.size();
    sigaltstack(&alt, nullptr);
    std::unique_lock<std::mutex> lock(mutex);
    for (;;) {
      hand->called.wait(lock, [&] { return hand->launch != nullptr; });
      Launch& launch = *hand->launch;
      lock.unlock();
      work(launch, hand->worker);
      lock.lock();
      hand->launch = nullptr;
      idle.push_back(hand);
      if (--launch.workers == 0) ended.notify_all();
    }
  }

 public:
  void run(Launch& launch) {
    std::unique_lock<std::mutex> lock(mutex);
    for (unsigned i = launch.workers; i-- > 0;) {
      if (idle.empty()) {
        Hand* hand = new Hand;
        std::thread(&Crew::stay, this, hand).detach();
        idle.push_back(hand);
      }
      Hand* hand = idle.back();
      idle.pop_back();
      hand->launch = &launch;
      hand->worker = i;
      hand->called.notify_one();
    }
    ended.wait(lock, [&] { return launch.workers == 0; });
  }
};

Crew& crew = *new Crew;  // never destroyed: its threads outlive all

// --- what is called from Go

std::vector<void*> libraries;
std::map<string, const Kernel*> kernels;

const Kernel* find(const char* name) {
  const auto at = kernels.find(name);
  if (at != kernels.end()) return at->second;
  const string symbol = string("emulated_") + name;
  for (void* library : libraries)
    if (const void* p = dlsym(library, symbol.c_str())) return kernels[name] = (const Kernel*)p;
  return nullptr;
}

int load(const char* path, char* error, size_t size) {
  static std::once_flag once;
  std::call_once(once, catchFaults);
  void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library) return fail(error, size, dlerror());
  libraries.push_back(library);
  return 0;
}

int result(char* error, size_t size, const string& what) { return what.empty() ? 0 : fail(error, size, what); }

int alloc(EmulateSlot bytes, EmulateSlot* out, char* error, size_t size) {
  return result(error, size, allocate(bytes, out));
}
int give(EmulateSlot p, char* error, size_t size) { return result(error, size, release(p)); }

int copy(EmulateSlot p, void* host, EmulateSlot bytes, int in, char* error, size_t size) {
  const string wrong = within(p, bytes);
  if (!wrong.empty()) return fail(error, size, "copy of " + wrong);
  memcpy(in ? (void*)p : host, in ? host : (void*)p, bytes);
  return 0;
}

int fill(EmulateSlot p, int value, EmulateSlot bytes, char* error, size_t size) {
  const string wrong = within(p, bytes);
  if (!wrong.empty()) return fail(error, size, "fill of " + wrong);
  memset((void*)p, value, bytes);
  return 0;
}

int bound(const char* name, unsigned* threads, char* error, size_t size) {
  const Kernel* kernel = find(name);
  if (!kernel) return fail(error, size, text("no compiled file has a kernel \"%s\"", name));
  *threads = kernel->bound;
  return 0;
}

int launch(const char* name, const EmulateShape* shape, const EmulateSlot* slots, const char* kinds, char* error,
    size_t size) {
  const Kernel* kernel = find(name);
  if (!kernel) return fail(error, size, text("no compiled file has a kernel \"%s\"", name));
  if (strcmp(kernel->kinds, kinds) != 0)
    return fail(error, size,
        text("%s takes arguments of kinds \"%s\", not \"%s\" (p pointer, i 4 and l 8 bytes, f float, d double)", name,
            kernel->kinds, kinds));
  if (shape->block > kernel->bound)
    return fail(error, size, text("%s is bound to blocks of %u threads, not %u", name, kernel->bound, shape->block));
  if (shape->shared > kDynamic - 1024) return fail(error, size, text("%u bytes of shared memory", shape->shared));
  const unsigned workers = shape->cooperative ? shape->grid : std::min(shape->grid, std::max(1u, shape->workers));
  Launch l(name, kernel, *shape, (const uint64_t*)slots, workers);
  crew.run(l);
  if (l.error.empty()) return 0;
  fail(error, size, string(name) + ": " + l.error);
  return 2;
}

const EmulateApi api = {load, alloc, give, copy, fill, launch, bound};

}  // namespace

extern "C" uint64_t emulate_meet(
    uint64_t value, const char* file, int line, Kind kind, unsigned mask, int argument, int width) {
  return running_->meet(value, file, line, kind, mask, argument, width);
}
extern "C" void emulate_relax() { running_->relax(); }
extern "C" void emulate_step() {
  if (running_->policy != plain) running_->step();
}
}  // namespace emulate

extern "C" const EmulateApi* emulate_api(void) { return &emulate::api; }
