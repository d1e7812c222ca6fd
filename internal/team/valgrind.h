/* valgrind.h - asks valgrind, without its headers. Private, inline. valgrind recognises four
 * rotations that cancel out, and an exchange of a register with itself; elsewhere they do
 * nothing. */
#ifndef PORTABLE__VALGRIND_H
#define PORTABLE__VALGRIND_H

#include <stdint.h>

#define PORTABLE__VALGRIND_RUNS 0x1001 /* not 0: this is valgrind */
#define PORTABLE__VALGRIND_STACK 0x1501 /* from a to b; the answer is its number */
#define PORTABLE__VALGRIND_NO_STACK 0x1502

/* The answer; 0 without a listener. */
static inline uint64_t portable__valgrind(uint64_t what, uint64_t a, uint64_t b, uint64_t c) {
#if defined(__x86_64__)
  volatile uint64_t request[6] = {what, a, b, c, 0, 0};
  uint64_t answer = 0;
  __asm__ volatile("rolq $3, %%rdi\n\trolq $13, %%rdi\n\trolq $61, %%rdi\n\trolq $51, %%rdi\n\txchgq %%rbx, %%rbx"
                   : "+d"(answer)
                   : "a"(&request[0])
                   : "cc", "memory");
  return answer;
#elif defined(__aarch64__)
  volatile uint64_t request[6] = {what, a, b, c, 0, 0};
  register uint64_t answer __asm__("x3") = 0;
  register volatile uint64_t *asked __asm__("x4") = request;
  __asm__ volatile("ror x12, x12, #3\n\tror x12, x12, #13\n\tror x12, x12, #51\n\tror x12, x12, #61\n\torr x10, x10, x10"
                   : "+r"(answer)
                   : "r"(asked)
                   : "cc", "memory");
  return answer;
#else
  (void)what, (void)a, (void)b, (void)c;
  return 0;
#endif
}

#endif
