/* stack_rules.c - reads .eh_frame_hdr and .eh_frame of a module, and evaluates the expressions in
 * them. In C, without the compiler's unwinder, because it runs in signal handlers, and the unwinder
 * takes locks and memory. Nothing is kept here. Tables are part of the program and are trusted;
 * before an expression reads the stack, the system is asked for access. */
#include "stack_rules.h"

#include <string.h>

#if defined(__x86_64__) || defined(__aarch64__)

struct reader {
  const unsigned char *at, *end;
};

static uint64_t fixed(struct reader *r, size_t bytes) {
  uint64_t n = 0;
  if ((size_t)(r->end - r->at) < bytes) {
    r->at = r->end;
    return 0;
  }
  memcpy(&n, r->at, bytes);
  r->at += bytes;
  return n;
}

static uint64_t leb(struct reader *r, int is_signed) {
  uint64_t n = 0;
  unsigned shift = 0;
  unsigned char b = 0;
  do {
    if (r->at >= r->end) return 0;
    b = *r->at++;
    if (shift < 64) n |= (uint64_t)(b & 0x7f) << shift;
    shift += 7;
  } while (b & 0x80);
  if (is_signed && (b & 0x40) && shift < 64) n |= ~UINT64_C(0) << shift;
  return n;
}

static uint64_t uleb(struct reader *r) { return leb(r, 0); }
static int64_t sleb(struct reader *r) { return (int64_t)leb(r, 1); }

/* A pointer as the table encodes it. 0xff: no pointer. */
static uint64_t pointer(struct reader *r, unsigned encoding, uintptr_t data) {
  uintptr_t from = (uintptr_t)r->at;
  uint64_t n = 0;
  if (encoding == 0xff) return 0;
  switch (encoding & 15) {
  case 0: case 4: case 12: n = fixed(r, 8); break;
  case 1: n = uleb(r); break;
  case 2: n = fixed(r, 2); break;
  case 3: n = fixed(r, 4); break;
  case 9: n = (uint64_t)sleb(r); break;
  case 10: n = (uint64_t)(int64_t)(int16_t)fixed(r, 2); break;
  case 11: n = (uint64_t)(int64_t)(int32_t)fixed(r, 4); break;
  default: r->at = r->end; return 0;
  }
  if ((encoding & 0x70) == 0x10) n += from;
  if ((encoding & 0x70) == 0x30) n += data;
  return n;
}

/* ---- the entries ---- */

struct entry {
  uint64_t code_unit, start, bytes;
  int64_t data_unit;
  unsigned encoding;
  int32_t signal, augmented;
  const unsigned char *first, *first_end; /* instructions that apply to all addresses */
};

static int read_common(const unsigned char *at, struct entry *e) {
  struct reader r = {at, at + 4};
  uint64_t length = fixed(&r, 4);
  if (length == 0 || length == 0xffffffffu) return 0;
  r.end = r.at + length;
  fixed(&r, 4);
  unsigned version = (unsigned)fixed(&r, 1);
  const char *text = (const char *)r.at;
  if (version != 1 && version != 3) return 0;
  r.at += strlen(text) + 1;
  e->code_unit = uleb(&r);
  e->data_unit = sleb(&r);
  uint64_t return_register = version == 1 ? fixed(&r, 1) : uleb(&r);
  if (return_register != PORTABLE__RETURN) return 0;
  e->encoding = 0;
  e->signal = e->augmented = 0;
  if (*text == 'z') {
    uint64_t bytes = uleb(&r);
    const unsigned char *next = r.at + bytes;
    e->augmented = 1;
    for (text++; *text; text++) {
      if (*text == 'R') e->encoding = (unsigned)fixed(&r, 1);
      else if (*text == 'P') pointer(&r, (unsigned)fixed(&r, 1) & 0x7f, 0);
      else if (*text == 'L') fixed(&r, 1);
      else if (*text == 'S') e->signal = 1;
      else if (*text != 'B') break;
    }
    r.at = next;
  } else if (*text) {
    return 0;
  }
  e->first = r.at;
  e->first_end = r.end;
  return 1;
}

/* Reads the entry at `at`, and its own instructions. 0: it does not cover the address. */
static int read_entry(const unsigned char *at, uintptr_t address, struct entry *e, struct reader *own) {
  struct reader r = {at, at + 4};
  uint64_t length = fixed(&r, 4);
  if (length == 0 || length == 0xffffffffu) return 0;
  r.end = r.at + length;
  const unsigned char *common = r.at;
  uint64_t back = fixed(&r, 4);
  if (back == 0 || !read_common(common - back, e)) return 0;
  e->start = pointer(&r, e->encoding, 0);
  e->bytes = pointer(&r, e->encoding & 15, 0);
  if (address - e->start >= e->bytes) return 0;
  if (e->augmented) {
    uint64_t skip = uleb(&r);
    r.at += skip;
  }
  *own = r;
  return 1;
}

/* The entry for an address in the sorted list of the module; NULL: there is none. */
static const unsigned char *search(const struct portable__module *m, uintptr_t address) {
  struct reader r = {m->frames, m->frames + 64};
  unsigned version = (unsigned)fixed(&r, 1), at_encoding = (unsigned)fixed(&r, 1), count_encoding = (unsigned)fixed(&r, 1),
           table_encoding = (unsigned)fixed(&r, 1);
  if (version != 1 || table_encoding != 0x3b) return NULL; /* every linker writes this encoding */
  pointer(&r, at_encoding, (uintptr_t)m->frames);
  uint64_t count = pointer(&r, count_encoding, (uintptr_t)m->frames), low = 0, high = count;
  const unsigned char *table = r.at;
  int64_t wanted = (int64_t)(address - (uintptr_t)m->frames);
  while (low < high) {
    uint64_t middle = (low + high) / 2;
    int32_t start;
    memcpy(&start, table + middle * 8, sizeof start);
    if (start <= wanted) low = middle + 1;
    else high = middle;
  }
  if (low == 0) return NULL;
  int32_t entry;
  memcpy(&entry, table + (low - 1) * 8 + 4, sizeof entry);
  return m->frames + entry;
}

/* Searches all entries, if there is no sorted list. */
static const unsigned char *look_through(const struct portable__module *m, uintptr_t address) {
  struct entry e;
  struct reader own;
  for (const unsigned char *at = m->table; at + 8 <= m->table_end;) {
    uint32_t length, back;
    memcpy(&length, at, sizeof length);
    memcpy(&back, at + 4, sizeof back);
    if (length == 0xffffffffu) return NULL;
    if (length && back && read_entry(at, address, &e, &own)) return at;
    at += 4 + length;
  }
  return NULL;
}

/* ---- the instructions ---- */

#define REMEMBERED 6

struct machine {
  struct portable__row row, first, kept[REMEMBERED];
  int32_t keeps;
};

static void set(struct portable__row *row, uint64_t number, unsigned how, int64_t offset, const unsigned char *expression) {
  if (number < PORTABLE__REGISTERS) row->of[number] = (struct portable__register_rule){(uint8_t)how, offset, expression};
}

static const unsigned char *block(struct reader *r) {
  const unsigned char *at = r->at;
  uint64_t bytes = uleb(r);
  r->at = bytes > (uint64_t)(r->end - r->at) ? r->end : r->at + bytes;
  return at;
}

/* Runs instructions up to the row of the address. 0: an unknown instruction. */
static int run(struct reader r, const struct entry *e, uintptr_t address, struct machine *m) {
  struct portable__row *row = &m->row;
  uint64_t at = e->start, n;
  while (r.at < r.end && at <= address) {
    unsigned op = *r.at++, low = op & 63;
    switch (op >> 6) {
    case 1: at += low * e->code_unit; continue;
    case 2: set(row, low, PORTABLE__AT, (int64_t)uleb(&r) * e->data_unit, NULL); continue;
    case 3:
      if (low < PORTABLE__REGISTERS) row->of[low] = m->first.of[low];
      continue;
    default: break;
    }
    switch (op) {
    case 0x00: break;
    case 0x01: at = pointer(&r, e->encoding, 0); break;
    case 0x02: at += fixed(&r, 1) * e->code_unit; break;
    case 0x03: at += fixed(&r, 2) * e->code_unit; break;
    case 0x04: at += fixed(&r, 4) * e->code_unit; break;
    case 0x05: n = uleb(&r); set(row, n, PORTABLE__AT, (int64_t)uleb(&r) * e->data_unit, NULL); break;
    case 0x06:
      if ((n = uleb(&r)) < PORTABLE__REGISTERS) row->of[n] = m->first.of[n];
      break;
    case 0x07: set(row, uleb(&r), PORTABLE__LOST, 0, NULL); break;
    case 0x08: set(row, uleb(&r), PORTABLE__KEEPS, 0, NULL); break;
    case 0x09: n = uleb(&r); set(row, n, PORTABLE__IN_REGISTER, (int64_t)uleb(&r), NULL); break;
    case 0x0a:
      if (m->keeps == REMEMBERED) return 0;
      m->kept[m->keeps++] = *row;
      break;
    case 0x0b:
      if (m->keeps == 0) return 0;
      *row = m->kept[--m->keeps];
      break;
    case 0x0c: row->frame_register = uleb(&r); row->frame_offset = (int64_t)uleb(&r); row->frame_expression = NULL; break;
    case 0x0d: row->frame_register = uleb(&r); row->frame_expression = NULL; break;
    case 0x0e: row->frame_offset = (int64_t)uleb(&r); row->frame_expression = NULL; break;
    case 0x0f: row->frame_expression = block(&r); break;
    case 0x10: n = uleb(&r); set(row, n, PORTABLE__AT_EXPRESSION, 0, block(&r)); break;
    case 0x11: n = uleb(&r); set(row, n, PORTABLE__AT, sleb(&r) * e->data_unit, NULL); break;
    case 0x12: row->frame_register = uleb(&r); row->frame_offset = sleb(&r) * e->data_unit; row->frame_expression = NULL; break;
    case 0x13: row->frame_offset = sleb(&r) * e->data_unit; row->frame_expression = NULL; break;
    case 0x14: n = uleb(&r); set(row, n, PORTABLE__IS, (int64_t)uleb(&r) * e->data_unit, NULL); break;
    case 0x15: n = uleb(&r); set(row, n, PORTABLE__IS, sleb(&r) * e->data_unit, NULL); break;
    case 0x16: n = uleb(&r); set(row, n, PORTABLE__IS_EXPRESSION, 0, block(&r)); break;
#if defined(__aarch64__)
    case 0x2d: break; /* whether the address is signed; the walk takes the signature from every address */
#endif
    case 0x2e: uleb(&r); break;
    case 0x2f: n = uleb(&r); set(row, n, PORTABLE__AT, -((int64_t)uleb(&r) * e->data_unit), NULL); break;
    default: return 0;
    }
  }
  return 1;
}

int portable__row_find(const struct portable__module *m, uintptr_t address, struct portable__row *row_out) {
  struct machine machine;
  struct entry e;
  struct reader own;
  const unsigned char *at = m->frames ? search(m, address) : m->table ? look_through(m, address) : NULL;
  if (!at || !read_entry(at, address, &e, &own)) return 0;
  memset(&machine.row, 0, sizeof machine.row);
  machine.first = machine.row;
  machine.keeps = 0;
  struct reader first = {e.first, e.first_end};
  if (!run(first, &e, UINTPTR_MAX, &machine)) return 0;
  machine.first = machine.row;
  if (!run(own, &e, address, &machine)) return 0;
  machine.row.signal = e.signal;
  *row_out = machine.row;
  return 1;
}

/* ---- expressions: the operations that compilers and libc use ---- */

int portable__expression(struct portable__walk *w, const unsigned char *expression, int with_frame, uintptr_t frame, uintptr_t *value_out) {
  struct reader r = {expression, expression + 10};
  uint64_t bytes = uleb(&r);
  r.end = r.at + bytes;
  uintptr_t s[16];
  int n = 0;
  if (with_frame) s[n++] = frame;
  while (r.at < r.end) {
    unsigned op = *r.at++;
    if (n > 14) return 0;
    if (op >= 0x30 && op <= 0x4f) {
      s[n++] = op - 0x30;
    } else if (op >= 0x70 && op < 0x70 + (PORTABLE__REGISTERS < 32 ? PORTABLE__REGISTERS : 32)) {
      s[n++] = w->of[op - 0x70] + (uintptr_t)sleb(&r);
    } else if (op == 0x03) {
      s[n++] = fixed(&r, 8);
    } else if (op >= 0x08 && op <= 0x0f) {
      size_t bytes_of = (size_t)1 << ((op - 8) / 2);
      uint64_t v = fixed(&r, bytes_of);
      if (op & 1 && bytes_of < 8 && v >> (8 * bytes_of - 1)) v |= ~UINT64_C(0) << (8 * bytes_of);
      s[n++] = v;
    } else if (op == 0x10) {
      s[n++] = uleb(&r);
    } else if (op == 0x11) {
      s[n++] = (uintptr_t)sleb(&r);
    } else if (op == 0x06) {
      if (n < 1 || !portable__stack_read(s[n - 1], &s[n - 1])) return 0;
    } else if (op == 0x12) {
      if (n < 1) return 0;
      s[n] = s[n - 1];
      n++;
    } else if (op == 0x13) {
      if (n-- < 1) return 0;
    } else if (op == 0x23) {
      if (n < 1) return 0;
      s[n - 1] += uleb(&r);
    } else if (n >= 2) {
      uintptr_t a = s[n - 2], b = s[n - 1];
      switch (op) {
      case 0x1a: a &= b; break;
      case 0x1c: a -= b; break;
      case 0x1e: a *= b; break;
      case 0x21: a |= b; break;
      case 0x22: a += b; break;
      case 0x24: a = b < 64 ? a << b : 0; break;
      case 0x25: a = b < 64 ? a >> b : 0; break;
      case 0x29: a = a == b; break;
      case 0x2a: a = (intptr_t)a >= (intptr_t)b; break;
      case 0x2b: a = (intptr_t)a > (intptr_t)b; break;
      case 0x2c: a = (intptr_t)a <= (intptr_t)b; break;
      case 0x2d: a = (intptr_t)a < (intptr_t)b; break;
      case 0x2e: a = a != b; break;
      default: return 0;
      }
      s[--n - 1] = a;
    } else {
      return 0;
    }
  }
  if (n < 1) return 0;
  *value_out = s[n - 1];
  return 1;
}

#endif
