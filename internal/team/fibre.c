/* fibre.c - makes and switches stacks (fibre.h). The switch keeps what a function keeps for its
 * caller: registers go to the stack, the stack pointer to *save. swapcontext would do, with two
 * system calls each time. */
#include "fibre.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "valgrind.h"

#if PORTABLE__FIBRES

#define GUARD ((size_t)1 << 20) /* a frame without stack probes steps over less */
#define GUARD_INSTALL 102       /* MADV_GUARD_INSTALL, from Linux 6.13 on */

/* The rules for unwinders: gdb goes from the entry of a stack to the caller of portable__fibre_call, whose registers lie where the
 * stack's `outside` points. The entry is called __morestack, locally, because gdb follows only frames of this name to a stack at a lower
 * address. */
#if defined(__x86_64__)
#define PUSHED " push %rbp\n push %rbx\n push %r12\n push %r13\n push %r14\n push %r15\n"
#define POPPED " pop %r15\n pop %r14\n pop %r13\n pop %r12\n pop %rbx\n pop %rbp\n ret\n"
#define PLACES ".cfi_offset rbp,-16\n.cfi_offset rbx,-24\n.cfi_offset r12,-32\n.cfi_offset r13,-40\n.cfi_offset r14,-48\n.cfi_offset r15,-56\n"
__asm__(".text\n.globl portable__fibre_switch\n.hidden portable__fibre_switch\n.type portable__fibre_switch,@function\n.p2align 4\nportable__fibre_switch:\n"
        ".cfi_startproc\n" PUSHED ".cfi_def_cfa_offset 56\n" PLACES " mov %rsp,(%rdi)\n mov %rsi,%rsp\n" POPPED
        ".cfi_endproc\n.size portable__fibre_switch,.-portable__fibre_switch\n"
        ".globl portable__fibre_call\n.hidden portable__fibre_call\n.type portable__fibre_call,@function\nportable__fibre_call:\n"
        ".cfi_startproc\n" PUSHED " mov %rsp,(%rdi)\n sub $8,%rsp\n.cfi_def_cfa_offset 64\n" PLACES " mov %rdx,%rdi\n call *%rsi\n add $8,%rsp\n"
        ".cfi_def_cfa_offset 56\n" POPPED ".cfi_endproc\n.size portable__fibre_call,.-portable__fibre_call\n"
        /* the frame above: at *r12 + 56 */
        ".type __morestack,@function\n__morestack:\n"
        ".cfi_startproc\n.cfi_escape 0x0f,0x05,0x7c,0x00,0x06,0x23,0x38\n" PLACES " sub $8,%rsp\n mov %r13,%rdi\n call *%rbx\n ud2\n.cfi_endproc\n"
        ".size __morestack,.-__morestack\n");
#define SHADOW_OFF "GLIBC_TUNABLES=glibc.cpu.x86_shstk=off"
enum { SAVED = 8, BEGIN_SLOT = 4, OUTSIDE_SLOT = 3, ARGUMENT_SLOT = 2, RETURN_SLOT = 6 }; /* words that a new stack begins with; one more keeps it aligned */
#else
#define STORED                                                                                                                       \
  " sub sp,sp,#160\n.cfi_def_cfa_offset 160\n" PLACES " stp x19,x20,[sp]\n stp x21,x22,[sp,#16]\n stp x23,x24,[sp,#32]\n"          \
  " stp x25,x26,[sp,#48]\n stp x27,x28,[sp,#64]\n stp x29,x30,[sp,#80]\n stp d8,d9,[sp,#96]\n stp d10,d11,[sp,#112]\n"              \
  " stp d12,d13,[sp,#128]\n stp d14,d15,[sp,#144]\n mov x9,sp\n str x9,[x0]\n"
#define LOADED                                                                                                                       \
  " ldp x19,x20,[sp]\n ldp x21,x22,[sp,#16]\n ldp x23,x24,[sp,#32]\n ldp x25,x26,[sp,#48]\n ldp x27,x28,[sp,#64]\n"                  \
  " ldp x29,x30,[sp,#80]\n ldp d8,d9,[sp,#96]\n ldp d10,d11,[sp,#112]\n ldp d12,d13,[sp,#128]\n ldp d14,d15,[sp,#144]\n"             \
  " add sp,sp,#160\n ret\n"
#define PLACES                                                                                                                       \
  ".cfi_offset 19,-160\n.cfi_offset 20,-152\n.cfi_offset 21,-144\n.cfi_offset 22,-136\n.cfi_offset 23,-128\n.cfi_offset 24,-120\n"   \
  ".cfi_offset 25,-112\n.cfi_offset 26,-104\n.cfi_offset 27,-96\n.cfi_offset 28,-88\n.cfi_offset 29,-80\n.cfi_offset 30,-72\n"   \
  ".cfi_offset 72,-64\n.cfi_offset 73,-56\n.cfi_offset 74,-48\n.cfi_offset 75,-40\n.cfi_offset 76,-32\n.cfi_offset 77,-24\n"   \
  ".cfi_offset 78,-16\n.cfi_offset 79,-8\n" /* d8 to d15 */
__asm__(".text\n.globl portable__fibre_switch\n.hidden portable__fibre_switch\n.type portable__fibre_switch,%function\nportable__fibre_switch:\n"
        ".cfi_startproc\n" STORED " mov sp,x1\n" LOADED ".cfi_endproc\n.size portable__fibre_switch,.-portable__fibre_switch\n"
        ".globl portable__fibre_call\n.hidden portable__fibre_call\n.type portable__fibre_call,%function\nportable__fibre_call:\n"
        ".cfi_startproc\n" STORED " mov x0,x2\n blr x1\n" LOADED ".cfi_endproc\n.size portable__fibre_call,.-portable__fibre_call\n"
        /* the frame above: at *x20 + 160 */
        ".type __morestack,%function\n__morestack:\n"
        ".cfi_startproc\n.cfi_escape 0x0f,0x06,0x84,0x00,0x06,0x23,0xa0,0x01\n" PLACES " mov x0,x21\n blr x19\n brk #1\n.cfi_endproc\n"
        ".size __morestack,.-__morestack\n");
#define SHADOW_OFF "GLIBC_TUNABLES=glibc.cpu.aarch64_gcs=0"
enum { SAVED = 20, BEGIN_SLOT = 0, OUTSIDE_SLOT = 1, ARGUMENT_SLOT = 2, RETURN_SLOT = 11 };
#endif
/* Hidden, so that its address is not taken from the table of addresses: binutils lose where in its section a local name is there, on aarch64. */
extern void portable__fibre_entry(void) __asm__("__morestack") __attribute__((visibility("hidden")));

/* Words of a stack that a switch goes on with; `at` runs first. */
static void **fresh(struct portable__fibre *fibre, size_t unused, void (*at)(void)) {
  void **top = (void **)(void *)(fibre->memory + fibre->bytes - unused) - SAVED - 2;
  memset(top, 0, (SAVED + 2) * sizeof *top); /* the frame that called begin ends the stack */
  memcpy(&top[RETURN_SLOT], &at, sizeof at);
  fibre->sp = top;
  return top;
}

void portable__fibre_renew(struct portable__fibre *fibre, void (*begin)(void)) { fresh(fibre, 0, begin); }

void portable__fibre_start(struct portable__fibre *fibre, size_t unused, void **outside, void (*begin)(void *argument), void *argument) {
  void **top = fresh(fibre, unused, portable__fibre_entry);
  memcpy(&top[BEGIN_SLOT], &begin, sizeof begin);
  top[OUTSIDE_SLOT] = outside;
  top[ARGUMENT_SLOT] = argument;
}

int portable__fibre_make(struct portable__fibre *fibre, size_t bytes, int executable, void (*begin)(void)) {
  const int how = PROT_READ | PROT_WRITE | (executable ? PROT_EXEC : 0);
  char *p = mmap(NULL, bytes + GUARD, how, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (p == MAP_FAILED) return errno;
  /* Many workers with 1024 stacks each would need more mappings than a process may have (vm.max_map_count), so mappings stay whole where Linux can. */
  if (madvise(p, GUARD, GUARD_INSTALL) != 0 && mprotect(p, GUARD, PROT_NONE) != 0) {
    const int reason = errno;
    munmap(p, bytes + GUARD);
    return reason;
  }
  fibre->memory = p + GUARD;
  fibre->bytes = bytes;
  fibre->watched = portable__valgrind(PORTABLE__VALGRIND_STACK, (uintptr_t)fibre->memory, (uintptr_t)fibre->memory + bytes, 0);
  portable__fibre_renew(fibre, begin);
  return 0;
}

int portable__fibre_allow_code(struct portable__fibre *fibre) {
  return mprotect(fibre->memory, fibre->bytes, PROT_READ | PROT_WRITE | PROT_EXEC) == 0 ? 0 : errno;
}

void portable__fibre_free(struct portable__fibre *fibre) {
  portable__valgrind(PORTABLE__VALGRIND_NO_STACK, fibre->watched, 0, 0);
  munmap(fibre->memory - GUARD, fibre->bytes + GUARD);
}

int portable__fibre_overflows(const struct portable__fibre *fibre, uintptr_t address) {
  return (uintptr_t)fibre->memory - address - 1 < GUARD;
}

/* The processor checks that a return goes where its call came from, and a switch would fail that check. Where it does not, the instruction leaves the
 * register alone. */
uint64_t portable__fibre_shadow(void) {
  uint64_t pointer = 0;
#if defined(__x86_64__)
  __asm__ volatile("rdsspq %0" : "+r"(pointer));
#else
  register uint64_t off __asm__("x16") = 1;
  __asm__ volatile("hint #40" : "+r"(off)); /* chkfeat: clears the bit if the guarded control stack is on */
  pointer = !off;
#endif
  return pointer;
}

const char *portable__fibre_lacks(uint64_t shadow) {
  return shadow ? "shadow stacks of the processor are on, and threads of a block switch stacks, which they forbid; start the program with "
                  SHADOW_OFF : NULL;
}

#else

int portable__fibre_make(struct portable__fibre *fibre, size_t bytes, int executable, void (*begin)(void)) {
  (void)fibre, (void)bytes, (void)executable, (void)begin;
  return ENOSYS;
}
void portable__fibre_renew(struct portable__fibre *fibre, void (*begin)(void)) { (void)fibre, (void)begin; }
int portable__fibre_allow_code(struct portable__fibre *fibre) {
  (void)fibre;
  return ENOSYS;
}
void portable__fibre_free(struct portable__fibre *fibre) { (void)fibre; }
void portable__fibre_switch(void **save, void *to) { (void)save, (void)to; }
void portable__fibre_call(void **save, void (*function)(void *argument), void *argument) { *save = NULL, function(argument); }
void portable__fibre_start(struct portable__fibre *fibre, size_t unused, void **outside, void (*begin)(void *argument), void *argument) {
  (void)fibre, (void)unused, (void)outside, (void)begin, (void)argument;
}
int portable__fibre_overflows(const struct portable__fibre *fibre, uintptr_t address) { return (void)fibre, (void)address, 0; }
uint64_t portable__fibre_shadow(void) { return 0; }
const char *portable__fibre_lacks(uint64_t shadow) { return (void)shadow, "the switch of stacks is written for x86-64 and aarch64 only"; }

#endif
