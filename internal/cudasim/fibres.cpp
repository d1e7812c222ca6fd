/* fibres.cpp - a grid on the processor: block after block, the threads of a block one after another on one stack as long as none waits; a thread that waits
 * at a barrier or in a warp's operation keeps its stack, and the next threads go on on another one. So a kernel without barriers costs a call per thread.
 * A fault, a trap or a barrier that not all reach ends the grid with an error. FAKE_CUDA_ORDER=reverse: blocks and threads from the last to the first. */
#include <link.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include <algorithm>

#include "../team/fibre.h"
#include "fake.h"

#if !PORTABLE__FIBRES
#error "fibres.cpp: the switch of stacks (internal/team/fibre.c) is written for x86-64 and aarch64"
#endif

namespace fake {
namespace {

const size_t stack_bytes = 128 * 1024;

using Fibre = portable__fibre;

using Lanes = unsigned long long;

struct Warp_operation {
  int kind;
  Lanes mask, arrived = 0, gone = 0;
  unsigned long long value[64];
  bool done = false;
};

struct Lane {
  Fibre *fibre = nullptr;
  Warp_operation *operation = nullptr;
  bool at_barrier = false, ended = false;
};

/* The grid that runs; one at a time, under the lock. */
struct Grid_state {
  const fake_face *face;
  Function *function;
  Shape shape;
  const char *parameters;
  std::vector<Lane> lanes;
  unsigned threads, next, alive, at_barrier;
  int lane; /* that runs */
  int barrier_kind, barrier_sum, barrier_and, barrier_or, barrier_result;
  std::vector<int> ready;
  size_t ready_at;
  std::vector<std::vector<Warp_operation *>> warps;
  bool reverse;
  int wave; /* lanes of a warp: 32, or 64 of an AMD device */
};
Grid_state &g = *new Grid_state;

std::vector<Fibre *> &all_fibres = *new std::vector<Fibre *>, &idle = *new std::vector<Fibre *>;
void *scheduler;
sigjmp_buf out;
CUresult stopped;

void main_of_fibre();

Fibre *fresh() {
  if (idle.empty()) {
    auto *f = new Fibre;
    if (portable__fibre_make(f, stack_bytes, 0, main_of_fibre) != 0) abort();
    all_fibres.push_back(f);
    idle.push_back(f);
  }
  Fibre *f = idle.back();
  idle.pop_back();
  return f;
}

Fibre *running;

void enter_lane(int lane) {
  g.lane = lane;
  auto linear = unsigned(lane);
  g.face->thread->x = linear % g.shape.block[0];
  g.face->thread->y = linear / g.shape.block[0] % g.shape.block[1];
  g.face->thread->z = linear / g.shape.block[0] / g.shape.block[1];
}

void release_barrier() {
  g.barrier_result = g.barrier_kind == fake_block_count ? g.barrier_sum : g.barrier_kind == fake_block_and ? g.barrier_and : g.barrier_or;
  for (unsigned i = 0; i < g.threads; i++) {
    unsigned lane = g.reverse ? g.threads - 1 - i : i;
    if (g.lanes[lane].at_barrier) {
      g.lanes[lane].at_barrier = false;
      g.ready.push_back(int(lane));
    }
  }
  g.at_barrier = 0;
}

/* Lanes of a mask that there are. */
Lanes present(int warp, Lanes mask) {
  Lanes is = 0;
  for (int i = 0; i < g.wave; i++) {
    unsigned lane = unsigned(warp) * unsigned(g.wave) + unsigned(i);
    if ((mask >> i & 1) && lane < g.threads && !g.lanes[lane].ended) is |= 1ull << i;
  }
  return is;
}

void finish(Warp_operation *o, int warp) {
  o->done = true;
  for (int i = 0; i < g.wave; i++)
    if ((o->arrived >> i & 1) && warp * g.wave + i != g.lane) g.ready.push_back(warp * g.wave + i);
}

/* Nothing else can run: the lanes that wait in a wave's operation are all that come to it, because the others wait elsewhere. */
bool finish_wave() {
  g.lane = -1;
  for (size_t warp = 0; warp < g.warps.size(); warp++)
    for (Warp_operation *o : g.warps[warp])
      if (!o->done && o->kind >= fake_wave_sync) return finish(o, int(warp)), true;
  return false;
}

void try_warp(int warp) {
  for (Warp_operation *o : g.warps[size_t(warp)])
    if (!o->done && (present(warp, o->mask) & ~o->arrived) == 0) finish(o, warp);
}

void suspend() {
  Fibre *self = running;
  g.lanes[size_t(g.lane)].fibre = self;
  int lane = g.lane;
  portable__fibre_switch(&self->sp, scheduler);
  enter_lane(lane);
}

void main_of_fibre() {
  for (;;) {
    while (g.next < g.threads) {
      unsigned lane = g.reverse ? g.threads - 1 - g.next : g.next;
      g.next++;
      enter_lane(int(lane));
      g.function->entry->call(g.function->entry->function, g.parameters);
      int ended = g.lane;
      g.lanes[size_t(ended)].ended = true;
      g.alive--;
      if (g.alive && g.at_barrier == g.alive) release_barrier();
      g.lane = -1;
      try_warp(ended / g.wave);
      if (g.ready_at < g.ready.size()) break; /* those that wait come first */
    }
    idle.push_back(running);
    Fibre *self = running;
    portable__fibre_switch(&self->sp, scheduler);
  }
}

/* ---- what kernels call ---- */

int block_operation(int kind, int value) {
  if (g.at_barrier == 0) g.barrier_sum = 0, g.barrier_and = 1, g.barrier_or = 0;
  g.barrier_kind = kind;
  g.barrier_sum += value != 0, g.barrier_and &= value != 0, g.barrier_or |= value != 0;
  g.lanes[size_t(g.lane)].at_barrier = true;
  g.at_barrier++;
  if (g.at_barrier == g.alive) release_barrier();
  suspend();
  return g.barrier_result;
}

unsigned long long warp_operation(int kind, unsigned of, unsigned long long value, int source) {
  int warp = g.lane / g.wave, self = g.lane % g.wave;
  Lanes mask = kind >= fake_wave_sync ? ~0ull : of;
  if (!(mask >> self & 1)) {
    violation("kernel %s: lane %d calls a warp's operation with mask 0x%08x, in which it is not", g.function->name.c_str(), self, of);
    stopped = LAUNCH_FAILED;
    siglongjmp(out, 1);
  }
  auto &list = g.warps[size_t(warp)];
  Warp_operation *o = nullptr;
  for (Warp_operation *other : list)
    if (!other->done && other->mask == mask && other->kind == kind && !(other->arrived >> self & 1)) o = other;
  if (!o) {
    o = new Warp_operation;
    o->kind = kind, o->mask = mask;
    list.push_back(o);
  }
  o->arrived |= 1ull << self;
  o->value[self] = value;
  int lane = g.lane;
  try_warp(warp);
  if (!o->done) suspend();
  unsigned long long result = 0xA5A5A5A5A5A5A5A5ull; /* a lane that is not there */
  if ((kind == fake_warp_shuffle || kind == fake_wave_shuffle) && source >= 0 && source < g.wave && (o->arrived >> source & 1)) result = o->value[source];
  if (kind == fake_warp_ballot || kind == fake_wave_ballot) {
    result = 0;
    for (int i = 0; i < g.wave; i++)
      if ((o->arrived >> i & 1) && o->value[i]) result |= 1ull << i;
  }
  o->gone |= 1ull << (lane % g.wave);
  if (o->gone == o->arrived) {
    list.erase(std::find(list.begin(), list.end(), o));
    delete o;
  }
  return result;
}

void yield() {
  g.ready.push_back(g.lane);
  suspend();
}

void stop(int code) {
  stopped = code;
  siglongjmp(out, 1);
}

int say(const char *text) {
  return fprintf(stderr, "%s: block: [%u,%u,%u], thread: [%u,%u,%u]\n", text, g.face->block->x, g.face->block->y, g.face->block->z, g.face->thread->x,
                 g.face->thread->y, g.face->thread->z);
}

const fake_runtime runtime = {block_operation, warp_operation, yield, stop, say};

/* ---- one block ---- */

CUresult run_block() {
  g.next = 0, g.alive = g.threads, g.at_barrier = 0;
  g.lanes.assign(g.threads, Lane());
  g.ready.clear();
  g.ready_at = 0;
  while (g.alive) {
    if (g.ready_at < g.ready.size()) {
      int lane = g.ready[g.ready_at++];
      if (g.ready_at == g.ready.size()) g.ready.clear(), g.ready_at = 0;
      running = g.lanes[size_t(lane)].fibre;
      portable__fibre_switch(&scheduler, running->sp);
    } else if (g.next < g.threads) {
      running = fresh();
      portable__fibre_switch(&scheduler, running->sp);
    } else if (!finish_wave()) {
      unsigned in_warps = g.alive - g.at_barrier;
      violation("kernel %s, block (%u, %u, %u): %u threads wait at __syncthreads and %u in operations of warps that the others of their mask never reach",
                g.function->name.c_str(), g.face->block->x, g.face->block->y, g.face->block->z, g.at_barrier, in_warps);
      return LAUNCH_FAILED;
    }
  }
  return OK;
}

struct sigaction before_segv, before_bus, before_fpe;
pthread_t runner;

void fault(int number, siginfo_t *info, void *context) {
  if (pthread_equal(pthread_self(), runner)) {
    char text[160];
    Allocation *a = find(reinterpret_cast<uintptr_t>(info->si_addr));
    snprintf(text, sizeof text, "fake cuda: kernel %s: address %p%s", g.function->name.c_str(), info->si_addr,
             !a ? " is no memory of this driver" : a->kind == Kind::device ? " is another device's" : "");
    say(text);
    stopped = number == SIGFPE ? LAUNCH_FAILED : ILLEGAL_ADDRESS;
    siglongjmp(out, 1);
  }
  if (number == SIGSEGV && others_have(reinterpret_cast<uintptr_t>(info->si_addr))) return; /* it is tried again */
  const struct sigaction &old = number == SIGSEGV ? before_segv : number == SIGBUS ? before_bus : before_fpe;
  if (old.sa_flags & SA_SIGINFO)
    old.sa_sigaction(number, info, context);
  else if (old.sa_handler == SIG_DFL || old.sa_handler == SIG_IGN)
    sigaction(number, &old, nullptr); /* it comes again */
  else
    old.sa_handler(number);
}

struct Tls {
  uintptr_t of;
  char *data;
  size_t bytes;
};

/* The static shared memory of a module is its thread-local storage. */
Tls tls_of(const fake_face *face) {
  Tls tls{reinterpret_cast<uintptr_t>(face), nullptr, 0};
  auto *touched = static_cast<char *>(face->touch());
  dl_iterate_phdr(
      [](dl_phdr_info *info, size_t, void *data) {
        auto *t = static_cast<Tls *>(data);
        bool mine = false;
        size_t bytes = 0;
        for (int i = 0; i < info->dlpi_phnum; i++) {
          const auto &h = info->dlpi_phdr[i];
          if (h.p_type == PT_LOAD && t->of - info->dlpi_addr - h.p_vaddr < h.p_memsz) mine = true;
          if (h.p_type == PT_TLS) bytes = h.p_memsz;
        }
        if (mine) t->data = static_cast<char *>(info->dlpi_tls_data), t->bytes = bytes;
        return int(mine);
      },
      &tls);
  if (touched < tls.data || touched >= tls.data + tls.bytes) tls.bytes = 0;
  return tls;
}

}  // namespace

size_t static_shared(const fake_face *face) {
  size_t bytes = tls_of(face).bytes;
  return bytes > 16 ? bytes - 16 : 0; /* what touch() touches is not the kernel's */
}

CUresult run_grid(Function *function, const Shape &shape, unsigned dynamic, const std::vector<char> &parameters) {
  const fake_face *face = function->module->face;
  alignas(64) char room[8192];
  memcpy(room, parameters.data(), std::min(parameters.size(), sizeof room));
  g.face = face, g.function = function, g.shape = shape, g.parameters = room;
  g.threads = shape.block[0] * shape.block[1] * shape.block[2];
  g.reverse = strcmp(setting("FAKE_CUDA_ORDER"), "reverse") == 0;
  for (auto &list : g.warps) list.clear();
  g.wave = attribute(function->module->context->device, ATTRIBUTE_WARP_SIZE);
  g.warps.resize((g.threads + unsigned(g.wave) - 1) / unsigned(g.wave));
  *face->runtime = &runtime;
  *face->block_size = {shape.block[0], shape.block[1], shape.block[2]};
  *face->grid_size = {shape.grid[0], shape.grid[1], shape.grid[2]};
  Tls shared = tls_of(face);
  unsigned guard = std::min(face->dynamic_most - dynamic, 256u);
  struct sigaction action = {};
  action.sa_sigaction = fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  runner = pthread_self();
  sigaction(SIGSEGV, &action, &before_segv);
  sigaction(SIGBUS, &action, &before_bus);
  sigaction(SIGFPE, &action, &before_fpe);
  stopped = OK;
  CUresult code = OK;
  {
    const Others others;
    if (sigsetjmp(out, 1) == 0) {
      uint64_t blocks = uint64_t(shape.grid[0]) * shape.grid[1] * shape.grid[2];
      for (uint64_t i = 0; i < blocks && !code; i++) {
        uint64_t b = g.reverse ? blocks - 1 - i : i;
        *face->block = {unsigned(b % shape.grid[0]), unsigned(b / shape.grid[0] % shape.grid[1]), unsigned(b / shape.grid[0] / shape.grid[1])};
        if (shared.bytes) memset(shared.data, 0xA5, shared.bytes);
        memset(face->dynamic_shared, 0xA5, dynamic);
        memset(face->dynamic_shared + dynamic, 0xFD, guard);
        code = run_block();
        for (unsigned k = 0; k < guard; k++)
          if (face->dynamic_shared[dynamic + k] != char(0xFD)) {
            violation("kernel %s writes at byte %u of %u bytes of dynamic shared memory", function->name.c_str(), dynamic + k, dynamic);
            break;
          }
      }
    } else {
      code = stopped;
    }
  } /* opens the memory before the handlers go */
  if (code) { /* stacks were left in the middle */
    idle = all_fibres;
    for (Fibre *f : all_fibres) portable__fibre_renew(f, main_of_fibre);
    for (auto &list : g.warps) list.clear();
  }
  sigaction(SIGSEGV, &before_segv, nullptr);
  sigaction(SIGBUS, &before_bus, nullptr);
  sigaction(SIGFPE, &before_fpe, nullptr);
  fflush(stdout);
  return code;
}

}  // namespace fake
