/* stack_x86.h - the walk's part for x86-64; stack_walk.c alone includes it: the question to the
 * system, the rules that fit a word, a step by such a rule or by frame pointers, the registers of
 * a signal's context. Not in this file: the table of rules, the loop. */

static long ask(uintptr_t page) {
  long result;
  register long fourth __asm__("r10") = 8;
  __asm__ volatile("syscall" : "=a"(result) : "a"((long)SYS_rt_sigprocmask), "D"(~0L), "S"(page), "d"(0L), "r"(fourth) : "rcx", "r11", "memory");
  return result;
}

/* base: 1 rsp, 2 rbp, 3 rbx; 0: unknown. The caller's address is right below the frame; rbp and rbx are stored so many
 * words below it, or are unchanged. */
static uint64_t pack(unsigned base, int64_t offset, int64_t bp, int64_t bx) {
  return (uint64_t)base | ((uint64_t)bp & 0x3fff) << 4 | ((uint64_t)bx & 0x3fff) << 18 | (uint64_t)(uint32_t)(int32_t)offset << 32;
}

static inline int64_t offset_of(uint64_t rule) { return (int32_t)(rule >> 32); }
static inline uint64_t bp_of(uint64_t rule) { return rule >> 4 & 0x3fff; }
static inline uint64_t bx_of(uint64_t rule) { return rule >> 18 & 0x3fff; }

static uint64_t simple(const struct portable__row *row) {
  const struct portable__register_rule *rip = &row->of[PORTABLE__PC];
  unsigned base = row->frame_register == PORTABLE__SP ? 1 : row->frame_register == PORTABLE__FP ? 2 : row->frame_register == PORTABLE__RBX ? 3 : 0;
  int64_t bp = saved(&row->of[PORTABLE__FP]), bx = saved(&row->of[PORTABLE__RBX]);
  if (rip->how == PORTABLE__LOST) return END;
  if (row->frame_expression || row->signal || !base || row->frame_offset != (int32_t)row->frame_offset || rip->how != PORTABLE__AT ||
      rip->offset != -8 || bp < 0 || bx < 0 || row->of[PORTABLE__SP].how != PORTABLE__KEEPS)
    return HARD;
  return pack(base, row->frame_offset, bp, bx);
}

static inline int usual(struct portable__walk *w, unsigned base, uint64_t rule, int exact) {
  uintptr_t sp = w->of[PORTABLE__SP];
  uintptr_t frame = (base == 1 ? sp : base == 2 ? w->of[PORTABLE__FP] : w->of[PORTABLE__RBX]) + (uintptr_t)offset_of(rule);
  (void)exact;
  if (PORTABLE__UNLIKELY(frame <= sp || frame % 8)) return 0;
  if (!read_word(frame - 8, &w->of[PORTABLE__PC])) return 0;
  if (bp_of(rule) && !read_word(frame - 8 * bp_of(rule), &w->of[PORTABLE__FP])) return 0;
  if (bx_of(rule) && !read_word(frame - 8 * bx_of(rule), &w->of[PORTABLE__RBX])) return 0;
  w->of[PORTABLE__SP] = frame;
  return 1;
}

/* Code without tables, such as Go's, or a jump to an invalid address: by the frame pointer, if it points up on this
 * stack to an address in code. */
static PORTABLE__COLD int by_pointers(struct portable__walk *w, int first, int *exact) {
  uintptr_t bp = w->of[PORTABLE__FP], next_bp, back, sp = w->of[PORTABLE__SP];
  *exact = 0;
  if (first && !portable__module_of(w->of[PORTABLE__PC], 0) && portable__stack_read(sp, &back) && portable__module_of(back, 0)) {
    w->of[PORTABLE__PC] = back; /* a call of an invalid address: the caller is on top of the stack */
    w->of[PORTABLE__SP] = sp + 8;
    return 1;
  }
  if (bp < sp || bp - sp > ((uintptr_t)1 << 24) || bp % 8 || !portable__stack_read(bp, &next_bp) || !portable__stack_read(bp + 8, &back) ||
      !portable__module_of(back, 0))
    return 0;
  w->of[PORTABLE__SP] = bp + 16;
  w->of[PORTABLE__FP] = next_bp;
  w->of[PORTABLE__PC] = back;
  return 1;
}

static int arrive(struct portable__walk *next, const struct portable__row *row, int exact) {
  (void)row, (void)exact;
  return next->of[PORTABLE__PC] != 0;
}

static inline int from_signal(struct portable__walk *w, int *exact) { return (void)w, (void)exact, 0; } /* the tables suffice */

static void from_context(struct portable__walk *w, const ucontext_t *u) {
  static const uint8_t order[] = {REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI, REG_RBP, REG_RSP, REG_R8,
                                  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15, REG_RIP};
  for (int i = 0; i < PORTABLE__REGISTERS; i++) w->of[i] = (uintptr_t)u->uc_mcontext.gregs[order[i]];
}

/* The registers here. No frame between here and the caller uses the others. */
#define HERE(w)                                                                                       \
  __asm__ volatile("lea 0(%%rip), %0\n\tmov %%rsp, %1\n\tmov %%rbp, %2\n\tmov %%rbx, %3"              \
                   : "=&r"((w).of[PORTABLE__PC]), "=&r"((w).of[PORTABLE__SP]), "=&r"((w).of[PORTABLE__FP]), "=&r"((w).of[PORTABLE__RBX]))
