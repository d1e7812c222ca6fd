/* guard_decode.h - reads one instruction of the running program, for reports of this room and of
 * internal/memcheck. Private. It knows x86-64 and aarch64; on other processors it knows no
 * instruction. Threads: any, in signal handlers too. It reads at most one byte after the
 * instruction, and portable__guard_move on aarch64 12 bytes before it. */
#ifndef PORTABLE__GUARD_DECODE_H
#define PORTABLE__GUARD_DECODE_H

#include <stdint.h>

/* Whether an instruction of aarch64 can run at another address: it is not known to access memory; yes; no, as it depends on its address or on the
 * instructions next to it; only together with the store that belongs to it (ldxr); only together with the load (stxr). */
enum { PORTABLE__ACCESS_NONE, PORTABLE__ACCESS_PLAIN, PORTABLE__ACCESS_RELATIVE, PORTABLE__ACCESS_MONITORED, PORTABLE__ACCESS_CONDITIONAL };

struct portable__access {
  uint32_t bytes;  /* of memory that it reads or writes; 0: not known */
  int8_t is_write; /* 1: it writes, or reads and writes; 0: it reads; -1: not known, as always on x86-64, where a fault says it */
  uint8_t how;
};

struct portable__access portable__guard_access(const unsigned char *code);

enum { PORTABLE__MOVE_NONE, PORTABLE__MOVE_REGISTER, PORTABLE__MOVE_LOAD, PORTABLE__MOVE_ZERO };

struct portable__move {
  int kind;                 /* register to register, memory to register, zero to memory */
  int to, from;             /* registers by the processor's numbers */
  uintptr_t address;        /* of the memory */
  const unsigned char *end; /* of the instruction */
};

/* Gives the kind of a `mov` of 8 bytes, and fills the rest. Registers: values by the processor's numbers, 16 of x86-64, 32 of aarch64, whose last
 * one is the stack pointer. NONE: it is another instruction, has a prefix before REX, an index register, or changes its base. */
int portable__guard_move(const unsigned char *code, const uintptr_t *registers, struct portable__move *out);

#endif
