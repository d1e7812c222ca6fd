/* guard_decode.h - reads one instruction of the running program, for reports of this room and of
 * internal/memcheck. Private. It knows x86-64; on other processors it knows no instruction.
 * Threads: any, in signal handlers too. It reads at most one byte after the instruction. */
#ifndef PORTABLE__GUARD_DECODE_H
#define PORTABLE__GUARD_DECODE_H

#include <stdint.h>

/* How many bytes of memory the instruction reads or writes; 0: unknown. */
uint32_t portable__guard_access(const unsigned char *code);

enum { PORTABLE__MOVE_NONE, PORTABLE__MOVE_REGISTER, PORTABLE__MOVE_LOAD, PORTABLE__MOVE_ZERO };

struct portable__move {
  int kind;                 /* register to register, memory to register, zero to memory */
  int to, from;             /* registers by the processor's numbers */
  uintptr_t address;        /* of the memory */
  const unsigned char *end; /* of the instruction */
};

/* Gives the kind of a `mov` of 8 bytes, and fills the rest. Registers: 16 values by the processor's numbers. NONE: it is another instruction, has
 * a prefix before REX, or an index register. */
int portable__guard_move(const unsigned char *code, const uintptr_t *registers, struct portable__move *out);

#endif
