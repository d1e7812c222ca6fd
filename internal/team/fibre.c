/* fibre.c - makes and switches stacks (fibre.h). The switch keeps what a function keeps for its
 * caller: registers go to the stack, the stack pointer to *save. swapcontext would do, with two
 * system calls each time. */
#include "fibre.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#if PORTABLE__FIBRES

#define GUARD ((size_t)1 << 20) /* a frame without stack probes steps over less */

#if defined(__x86_64__)
__asm__(".text\n.globl portable__fibre_switch\n.hidden portable__fibre_switch\n.type portable__fibre_switch,@function\nportable__fibre_switch:\n"
        " push %rbp\n push %rbx\n push %r12\n push %r13\n push %r14\n push %r15\n mov %rsp,(%rdi)\n mov %rsi,%rsp\n"
        " pop %r15\n pop %r14\n pop %r13\n pop %r12\n pop %rbx\n pop %rbp\n ret\n.size portable__fibre_switch,.-portable__fibre_switch\n");
enum { SAVED = 8, RETURN_SLOT = 6 }; /* words that a new stack begins with; one more keeps it aligned */
#else
__asm__(".text\n.globl portable__fibre_switch\n.hidden portable__fibre_switch\n.type portable__fibre_switch,%function\nportable__fibre_switch:\n"
        " sub sp,sp,#160\n stp x19,x20,[sp]\n stp x21,x22,[sp,#16]\n stp x23,x24,[sp,#32]\n stp x25,x26,[sp,#48]\n stp x27,x28,[sp,#64]\n"
        " stp x29,x30,[sp,#80]\n stp d8,d9,[sp,#96]\n stp d10,d11,[sp,#112]\n stp d12,d13,[sp,#128]\n stp d14,d15,[sp,#144]\n"
        " mov x9,sp\n str x9,[x0]\n mov sp,x1\n"
        " ldp x19,x20,[sp]\n ldp x21,x22,[sp,#16]\n ldp x23,x24,[sp,#32]\n ldp x25,x26,[sp,#48]\n ldp x27,x28,[sp,#64]\n"
        " ldp x29,x30,[sp,#80]\n ldp d8,d9,[sp,#96]\n ldp d10,d11,[sp,#112]\n ldp d12,d13,[sp,#128]\n ldp d14,d15,[sp,#144]\n"
        " add sp,sp,#160\n ret\n.size portable__fibre_switch,.-portable__fibre_switch\n");
enum { SAVED = 20, RETURN_SLOT = 11 };
#endif

void portable__fibre_renew(struct portable__fibre *fibre, void (*begin)(void)) {
  void **top = (void **)(void *)(fibre->memory + fibre->bytes) - SAVED - 2;
  memset(top, 0, (SAVED + 2) * sizeof *top); /* the frame that called begin ends the stack */
  memcpy(&top[RETURN_SLOT], &begin, sizeof begin);
  fibre->sp = top;
}

int portable__fibre_make(struct portable__fibre *fibre, size_t bytes, int executable, void (*begin)(void)) {
  const int how = PROT_READ | PROT_WRITE | (executable ? PROT_EXEC : 0);
  char *p = mmap(NULL, bytes + GUARD, how, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (p == MAP_FAILED) return errno;
  if (mprotect(p, GUARD, PROT_NONE) != 0) {
    const int reason = errno;
    munmap(p, bytes + GUARD);
    return reason;
  }
  fibre->memory = p + GUARD;
  fibre->bytes = bytes;
  portable__fibre_renew(fibre, begin);
  return 0;
}

int portable__fibre_allow_code(struct portable__fibre *fibre) {
  return mprotect(fibre->memory, fibre->bytes, PROT_READ | PROT_WRITE | PROT_EXEC) == 0 ? 0 : errno;
}

void portable__fibre_free(struct portable__fibre *fibre) { munmap(fibre->memory - GUARD, fibre->bytes + GUARD); }

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

#endif
