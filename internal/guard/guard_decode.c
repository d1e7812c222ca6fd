/* guard_decode.c - the decoder for signal handlers: the number of bytes that an instruction
 * accesses (portable__guard_access), and the effect of a move of 8 bytes (portable__guard_move).
 * That of x86-64 is here, that of aarch64 in guard_a64.h. For reports only: an instruction with a
 * mask may access less. The decoder of files is Go (cmd/yaklcheck/internal/statics); one list of
 * instructions tests both. Threads: any; no lock, no memory. */
#include "guard_decode.h"
#if defined(__aarch64__)
#include "guard_a64.h"
#endif

#include <stddef.h>
#include <string.h>

#if defined(__x86_64__)

struct opcode {
  int map;             /* 0: one byte, 1: 0f, 2: 0f 38, 3: 0f 3a */
  int prefix;          /* 0, 0x66, 0xf3, 0xf2: what belongs to the opcode */
  int wide;            /* REX.W and its like */
  uint32_t vector;     /* bytes of a vector register: 16, 32, 64; 0: not encoded by VEX or EVEX */
  unsigned char op, reg;
  unsigned char rex;           /* 0: none */
  int broadcast;               /* one element of memory for the whole vector */
  const unsigned char *operand; /* the byte behind the opcode */
};

static uint32_t integer(const struct opcode *o) { return o->wide ? 8 : o->prefix == 0x66 ? 2 : 4; }
static uint32_t whole(const struct opcode *o) { return o->vector ? o->vector : 16; }
static uint32_t multimedia(const struct opcode *o) { return o->vector ? o->vector : o->prefix ? 16 : 8; }
static uint32_t by_prefix(const struct opcode *o) { return o->prefix == 0xf3 ? 4 : o->prefix == 0xf2 ? 8 : whole(o); }

static uint32_t x87(const struct opcode *o) {
  switch (o->op) {
    case 0xd9: return o->reg == 5 || o->reg == 7 ? 2 : o->reg == 4 || o->reg == 6 ? 28 : 4;
    case 0xdb: return o->reg == 5 || o->reg == 7 ? 10 : 4;
    case 0xdc: return 8;
    case 0xdd: return o->reg == 7 ? 2 : o->reg == 4 || o->reg == 6 ? 108 : 8;
    case 0xde: return 2;
    case 0xdf: return o->reg < 4 ? 2 : o->reg == 5 || o->reg == 7 ? 8 : 10;
    default: return 4;
  }
}

static uint32_t one_byte(const struct opcode *o) {
  unsigned op = o->op;
  if (op < 0x40) return (op & 7) > 3 ? 0 : op & 1 ? integer(o) : 1;
  if (op >= 0xd8 && op <= 0xdf) return x87(o);
  switch (op) {
    case 0x63: return 4;
    case 0x69: case 0x6b: case 0x81: case 0x83: case 0x85: case 0x87: case 0x89: case 0x8b: case 0xc1: case 0xc7: case 0xd1: case 0xd3:
    case 0xa5: case 0xa7: case 0xab: case 0xad: case 0xaf: case 0xf7: return integer(o);
    case 0x80: case 0x84: case 0x86: case 0x88: case 0x8a: case 0xc0: case 0xc6: case 0xd0: case 0xd2:
    case 0xa4: case 0xa6: case 0xaa: case 0xac: case 0xae: case 0xf6: case 0xfe: return 1;
    case 0x8f: return 8;
    case 0xff: return o->reg < 2 ? integer(o) : 8;
    default: return 0;
  }
}

static uint32_t two_bytes(const struct opcode *o) {
  unsigned op = o->op;
  switch (op) {
    case 0x10: case 0x11: case 0xc2: return by_prefix(o);
    case 0x12: return o->prefix == 0xf3 || (o->prefix == 0xf2 && whole(o) > 16) ? whole(o) : 8;
    case 0x13: case 0x17: case 0xd6: return 8;
    case 0x16: return o->prefix == 0xf3 ? whole(o) : 8;
    case 0x14: case 0x15: case 0x28: case 0x29: case 0x2b: case 0x54: case 0x55: case 0x56: case 0x57: case 0x5b: case 0xc6: return whole(o);
    case 0x2a: return o->prefix >= 0xf2 ? (o->wide ? 8 : 4) : 8;
    case 0x2c: case 0x2d: return o->prefix == 0xf3 ? 4 : o->prefix ? (o->prefix == 0xf2 ? 8 : 16) : 8;
    case 0x2e: case 0x2f: return o->prefix == 0x66 ? 8 : 4;
    case 0x51: case 0x52: case 0x53: case 0x58: case 0x59: case 0x5c: case 0x5d: case 0x5e: case 0x5f: return by_prefix(o);
    case 0x5a: return o->prefix ? by_prefix(o) : whole(o) / 2;
    case 0x6e: return o->wide ? 8 : 4;
    case 0x7e: return o->prefix == 0xf3 || o->wide ? 8 : 4;
    case 0x6f: case 0x7f: case 0x70: return multimedia(o);
    case 0xae: return o->reg == 2 || o->reg == 3 ? 4 : 0;
    case 0xb0: case 0xb6: case 0xbe: case 0xc0: return 1;
    case 0xb7: case 0xbf: return 2;
    case 0xa3: case 0xab: case 0xb3: case 0xbb: case 0xa4: case 0xa5: case 0xac: case 0xad: case 0xaf: case 0xb1: case 0xb8: case 0xba: case 0xbc:
    case 0xbd: case 0xc1: case 0xc3: return integer(o);
    case 0xc4: return 2;
    case 0xc7: return o->wide ? 16 : 8;
    case 0xe6: return o->prefix == 0xf3 ? whole(o) / 2 : whole(o);
    default: break;
  }
  if (op >= 0x40 && op <= 0x4f) return integer(o);
  if (op >= 0x90 && op <= 0x9f) return 1;
  return (op >= 0x60 && op <= 0x7f) || op >= 0xd0 ? multimedia(o) : 0;
}

static uint32_t three_bytes(const struct opcode *o) {
  unsigned op = o->op, element = o->wide ? 8 : 4;
  if (o->map == 3) switch (op) {
      case 0x14: case 0x20: return 1;
      case 0x15: return 2;
      case 0x16: case 0x22: return element;
      case 0x17: case 0x21: return 4;
      case 0x18: case 0x19: case 0x38: case 0x39: return 16;
      case 0x1a: case 0x1b: case 0x3a: case 0x3b: return 32;
      case 0x0a: return 4;
      case 0x0b: return 8;
      case 0x1d: return whole(o) / 2;
      default: return whole(o);
    }
  if (op >= 0x96 && op <= 0xbf && (op & 15) > 5) return op & 1 && (op & 15) > 8 ? element : whole(o); /* fused multiply-add: odd ones from 9 on are of one number */
  switch (op) {
    case 0x13: return whole(o) / 2;
    case 0x18: case 0x58: return 4;
    case 0x19: case 0x59: return 8;
    case 0x1a: case 0x5a: return 16;
    case 0x1b: case 0x5b: return 32;
    case 0x78: return 1;
    case 0x79: return 2;
    case 0x20: case 0x23: case 0x25: case 0x30: case 0x33: case 0x35: return whole(o) / 2;
    case 0x21: case 0x24: case 0x31: case 0x34: return whole(o) / 4;
    case 0x22: case 0x32: return whole(o) / 8;
    case 0x90: case 0x91: case 0x92: case 0x93: case 0xa0: case 0xa1: case 0xa2: case 0xa3: return element;
    case 0xf0: case 0xf1: return o->vector ? 0 : o->prefix == 0xf2 && op == 0xf0 ? 1 : integer(o);
    case 0xf2: case 0xf3: case 0xf5: case 0xf6: case 0xf7: return element;
    default: return multimedia(o);
  }
}

static const int vex_prefix[] = {0, 0x66, 0xf3, 0xf2};

/* Reads prefixes, opcode and the reg field. 0: more prefixes than an instruction has. */
static int read_opcode(const unsigned char *p, struct opcode *o) {
  const unsigned char *first = p;
  for (;; p++) {
    if (p - first > 14) return 0;
    if (*p == 0x66 || *p == 0xf2 || *p == 0xf3) {
      if (*p != 0x66 || !o->prefix) o->prefix = *p; /* a repetition counts more than a size */
    } else if (*p != 0xf0 && *p != 0x67 && *p != 0x64 && *p != 0x65 && (*p & 0xe7) != 0x26) {
      break;
    }
  }
  if ((*p & 0xf0) == 0x40) {
    o->rex = *p++;
    o->wide = o->rex >> 3 & 1;
  }
  if (*p == 0xc5) {
    o->map = 1;
    o->prefix = vex_prefix[p[1] & 3];
    o->vector = p[1] & 4 ? 32 : 16;
    p += 2;
  } else if (*p == 0xc4) {
    o->map = p[1] & 3;
    o->prefix = vex_prefix[p[2] & 3];
    o->wide = p[2] >> 7;
    o->vector = p[2] & 4 ? 32 : 16;
    p += 3;
  } else if (*p == 0x62) {
    o->map = p[1] & 3;
    o->prefix = vex_prefix[p[2] & 3];
    o->wide = p[2] >> 7;
    o->vector = 16u << (p[3] >> 5 & 3);
    o->broadcast = p[3] >> 4 & 1;
    p += 4;
  } else if (*p == 0x0f) {
    o->map = p[1] == 0x38 ? 2 : p[1] == 0x3a ? 3 : 1;
    p += o->map == 1 ? 1 : 2;
  }
  o->op = p[0];
  o->operand = p + 1;
  o->reg = p[1] >> 3 & 7;
  return 1;
}

static uint32_t bytes_of(const struct opcode *o) {
  if (o->broadcast) return o->wide ? 8 : 4;
  return o->map == 0 ? one_byte(o) : o->map == 1 ? two_bytes(o) : three_bytes(o);
}

struct portable__access portable__guard_access(const unsigned char *code) {
  struct opcode o = {0};
  struct portable__access a = {.is_write = -1, .how = PORTABLE__ACCESS_PLAIN};
  if (read_opcode(code, &o)) a.bytes = bytes_of(&o);
  return a;
}

/* ---- moves ---- */

enum { RSP = 4, NO_INDEX = 0x24 };
enum { REX_B = 1, REX_X = 2, REX_R = 4 };

static unsigned mode_of(const struct opcode *o) { return *o->operand >> 6; }
static int register_of(const struct opcode *o) { return o->reg | (o->rex & REX_R) << 1; }
static int base_of(const struct opcode *o) { return (*o->operand & 7) | (o->rex & REX_B) << 3; }

/* Sets the address of an operand in memory, and returns its end. NULL: it has an index register. tail: bytes of the instruction behind the operand. */
static const unsigned char *memory(const struct opcode *o, size_t tail, const uintptr_t *registers, uintptr_t *address_out) {
  unsigned mode = mode_of(o);
  const unsigned char *at = o->operand + 1;
  uintptr_t address = registers[base_of(o)];
  int8_t near;
  int32_t far;
  if ((*o->operand & 7) == RSP) {
    if (*at++ != NO_INDEX || o->rex & REX_X) return NULL;
  } else if (mode == 0 && (*o->operand & 7) == 5) { /* relative to the next instruction */
    address = (uintptr_t)at + 4 + tail;
    mode = 2;
  }
  if (mode == 1) {
    memcpy(&near, at++, 1);
    address += (uintptr_t)(intptr_t)near;
  } else if (mode == 2) {
    memcpy(&far, at, 4);
    address += (uintptr_t)(intptr_t)far;
    at += 4;
  }
  *address_out = address;
  return at;
}

int portable__guard_move(const unsigned char *code, const uintptr_t *registers, struct portable__move *out) {
  struct opcode o = {0};
  int32_t value;
  out->kind = PORTABLE__MOVE_NONE;
  if (!read_opcode(code, &o) || !o.wide || o.vector || o.map != 0 || o.operand != code + 2) return out->kind;
  int is_register = mode_of(&o) == 3;
  if ((o.op == 0x89 || o.op == 0x8b) && is_register) {
    out->to = o.op == 0x89 ? base_of(&o) : register_of(&o);
    out->from = o.op == 0x89 ? register_of(&o) : base_of(&o);
    out->end = o.operand + 1;
    out->kind = PORTABLE__MOVE_REGISTER;
  } else if (o.op == 0x8b && (out->end = memory(&o, 0, registers, &out->address))) {
    out->to = register_of(&o);
    out->kind = PORTABLE__MOVE_LOAD;
  } else if (o.op == 0xc7 && o.reg == 0 && !is_register && (out->end = memory(&o, sizeof value, registers, &out->address))) {
    memcpy(&value, out->end, sizeof value);
    out->end += sizeof value;
    if (value == 0) out->kind = PORTABLE__MOVE_ZERO;
  }
  return out->kind;
}

#elif defined(__aarch64__)

struct portable__access portable__guard_access(const unsigned char *code) {
  uint64_t zeroed;
  uint32_t word;
  __asm__("mrs %0, dczid_el0" : "=r"(zeroed));
  memcpy(&word, code, sizeof word);
  return portable__a64_access(word, 4u << (zeroed & 15));
}

int portable__guard_move(const unsigned char *code, const uintptr_t *registers, struct portable__move *out) {
  return portable__a64_move(code, (uintptr_t)code, registers, out);
}

#else

struct portable__access portable__guard_access(const unsigned char *code) {
  (void)code;
  return (struct portable__access){.is_write = -1};
}

int portable__guard_move(const unsigned char *code, const uintptr_t *registers, struct portable__move *out) {
  (void)code, (void)registers;
  return out->kind = PORTABLE__MOVE_NONE;
}

#endif
