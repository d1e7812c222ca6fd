/* stack_rules.h - finds the caller's frame and registers for an address in code, by the tables of
 * its module, on x86-64 and aarch64. Private; stack_rules.c reads the tables for stack_walk.c. */
#ifndef PORTABLE__STACK_RULES_H
#define PORTABLE__STACK_RULES_H

#include <stdint.h>

#include "stack.h"
#include "../tracing/trace.h"

/* DWARF's numbers. RETURN: the one whose rule is that of the caller's address. */
#if defined(__aarch64__)
enum { PORTABLE__FP = 29, PORTABLE__RETURN = 30, PORTABLE__SP = 31, PORTABLE__PC = 32, PORTABLE__REGISTERS = 33 };
#else
enum { PORTABLE__RBX = 3, PORTABLE__FP = 6, PORTABLE__SP = 7, PORTABLE__PC = 16, PORTABLE__RETURN = PORTABLE__PC, PORTABLE__REGISTERS = 17 };
#endif

enum { PORTABLE__KEEPS, PORTABLE__AT, PORTABLE__IS, PORTABLE__AT_EXPRESSION, PORTABLE__IS_EXPRESSION, PORTABLE__IN_REGISTER, PORTABLE__LOST };

/* How to find a register of the caller. offset: from the frame (AT, IS), or the number of a register. */
struct portable__register_rule {
  uint8_t how;
  int64_t offset;
  const unsigned char *expression; /* its length first */
};

/* One row of a table. The frame (CFA) is a register and an offset, or an expression. */
struct portable__row {
  uint64_t frame_register;
  int64_t frame_offset;
  const unsigned char *frame_expression; /* NULL: no expression */
  int32_t signal; /* the frame of a handler: the address of its caller is exact */
  struct portable__register_rule of[PORTABLE__REGISTERS];
};

/* 0: the module has no rule for that address. */
int portable__row_find(const struct portable__module *m, uintptr_t address, struct portable__row *row_out);

/* Evaluates an expression. 0: not possible. */
struct portable__walk;
int portable__expression(struct portable__walk *w, const unsigned char *expression, int with_frame, uintptr_t frame, uintptr_t *value_out);

/* A position of a walk: the registers there. */
struct portable__walk {
  uintptr_t of[PORTABLE__REGISTERS];
};

#endif
