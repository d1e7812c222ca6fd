/* stack_arm.h - the walk's part for aarch64; stack_walk.c alone includes it: the question to the
 * system, the rules that fit a word, a step by such a rule, by frame pointers or from a signal's
 * frame, the registers of a signal's context. Addresses that are kept for returns may be signed, so
 * the signature is taken from each. Not in this file: the table of rules, the loop. */

static long ask(uintptr_t page) {
  register long how __asm__("x0") = -1, set __asm__("x1") = (long)page, old __asm__("x2") = 0, bytes __asm__("x3") = 8;
  register long number __asm__("x8") = SYS_rt_sigprocmask;
  __asm__ volatile("svc #0" : "+r"(how) : "r"(set), "r"(old), "r"(bytes), "r"(number) : "memory");
  return how;
}

/* Without its signature; does nothing on processors that have none. */
static inline uintptr_t unsigned_of(uintptr_t address) {
  register uintptr_t x30 __asm__("x30") = address;
  __asm__("hint #7" : "+r"(x30)); /* xpaclri */
  return x30;
}

/* base: 1 sp, 2 x29; 0: unknown. x29 and x30 are stored so many words below the frame, or are unchanged. */
static uint64_t pack(unsigned base, int64_t offset, int64_t fp, int64_t lr) {
  return (uint64_t)base | ((uint64_t)fp & 0x3fff) << 4 | ((uint64_t)lr & 0x3fff) << 18 | (uint64_t)(uint32_t)(int32_t)offset << 32;
}

static inline int64_t offset_of(uint64_t rule) { return (int32_t)(rule >> 32); }
static inline uint64_t fp_of(uint64_t rule) { return rule >> 4 & 0x3fff; }
static inline uint64_t lr_of(uint64_t rule) { return rule >> 18 & 0x3fff; }

static uint64_t simple(const struct portable__row *row) {
  unsigned base = row->frame_register == PORTABLE__SP ? 1 : row->frame_register == PORTABLE__FP ? 2 : 0;
  int64_t fp = saved(&row->of[PORTABLE__FP]), lr = saved(&row->of[PORTABLE__RETURN]);
  if (row->of[PORTABLE__RETURN].how == PORTABLE__LOST) return END;
  if (row->frame_expression || row->signal || !base || row->frame_offset != (int32_t)row->frame_offset || fp < 0 || lr < 0 ||
      row->of[PORTABLE__SP].how != PORTABLE__KEEPS)
    return HARD;
  return pack(base, row->frame_offset, fp, lr);
}

/* 0: the stack pointer is not known, after a step by frame pointers; then functions that keep the pair of x29 and x30 tell the frame by it. */
static inline uintptr_t frame_of(const struct portable__walk *w, unsigned base, uint64_t rule) {
  if (base == 2) return w->of[PORTABLE__FP] + (uintptr_t)offset_of(rule);
  if (PORTABLE__LIKELY(w->of[PORTABLE__SP])) return w->of[PORTABLE__SP] + (uintptr_t)offset_of(rule);
  return fp_of(rule) && lr_of(rule) + 1 == fp_of(rule) ? w->of[PORTABLE__FP] + 8 * fp_of(rule) : 0;
}

/* exact: this frame was interrupted, so its caller may still be in x30 alone. */
static inline int usual(struct portable__walk *w, unsigned base, uint64_t rule, int exact) {
  uintptr_t sp = w->of[PORTABLE__SP], frame = frame_of(w, base, rule), back = w->of[PORTABLE__RETURN];
  if (PORTABLE__UNLIKELY(frame < sp || frame == 0 || frame % 8)) return 0;
  if (PORTABLE__UNLIKELY(!lr_of(rule))) {
    if (!exact) return 0;
  } else if (frame == sp || !read_word(frame - 8 * lr_of(rule), &back)) {
    return 0;
  }
  if (fp_of(rule) && !read_word(frame - 8 * fp_of(rule), &w->of[PORTABLE__FP])) return 0;
  w->of[PORTABLE__SP] = frame;
  w->of[PORTABLE__PC] = w->of[PORTABLE__RETURN] = unsigned_of(back);
  return 1;
}

/* A handler returns to two instructions: mov x8, #139 (rt_sigreturn); svc #0. Above them on the stack lie the signal's information and its context.
 * The tables of some kernels know the pair x29 and x30 there only. 1: the registers are the interrupted ones; 0: this is no such place. */
static PORTABLE__COLD int from_signal(struct portable__walk *w, int *exact) {
  uintptr_t code, at = w->of[PORTABLE__SP] + 128 + offsetof(ucontext_t, uc_mcontext) + offsetof(mcontext_t, regs);
  struct portable__walk next;
  if (w->of[PORTABLE__PC] % 4 || !portable__stack_read(w->of[PORTABLE__PC], &code) || code != 0xd4000001d2801168u || !w->of[PORTABLE__SP]) return 0;
  _Static_assert(sizeof(siginfo_t) == 128 && offsetof(mcontext_t, pc) == offsetof(mcontext_t, regs) + 32 * 8, "regs, sp and pc follow each other");
  for (int i = 0; i < PORTABLE__REGISTERS; i++)
    if (!portable__stack_read(at + 8 * (uintptr_t)i, &next.of[i])) return 0;
  *w = next;
  *exact = 1;
  return 1;
}

/* Code without tables, such as Go's, or a jump to an invalid address: by the pair that x29 points to, if that points up on this stack to an
 * address in code. The pair may lie anywhere in its frame, so the stack pointer is not known afterwards. */
static PORTABLE__COLD int by_pointers(struct portable__walk *w, int first, int *exact) {
  uintptr_t fp = w->of[PORTABLE__FP], next_fp, back, sp = w->of[PORTABLE__SP];
  if (from_signal(w, exact)) return 1;
  *exact = 0;
  back = unsigned_of(w->of[PORTABLE__RETURN]);
  if (first && !portable__module_of(w->of[PORTABLE__PC], 0) && portable__module_of(back, 0)) {
    w->of[PORTABLE__PC] = back; /* a call of an invalid address */
    return 1;
  }
  if (fp < sp || (sp && fp - sp > ((uintptr_t)1 << 24)) || fp % 8 || !portable__stack_read(fp, &next_fp) || !portable__stack_read(fp + 8, &back) ||
      (next_fp && next_fp <= fp) || !portable__module_of(back = unsigned_of(back), 0))
    return 0;
  w->of[PORTABLE__SP] = 0;
  w->of[PORTABLE__FP] = next_fp;
  w->of[PORTABLE__PC] = w->of[PORTABLE__RETURN] = back;
  return 1;
}

/* Fills in the caller's address behind a row whose registers are in *next. 0: there is none. */
static PORTABLE__COLD int arrive(struct portable__walk *next, const struct portable__row *row, int exact) {
  if (row->of[PORTABLE__RETURN].how == PORTABLE__LOST || (row->of[PORTABLE__RETURN].how == PORTABLE__KEEPS && !exact)) return 0;
  next->of[PORTABLE__PC] = next->of[PORTABLE__RETURN] = unsigned_of(next->of[PORTABLE__RETURN]);
  return next->of[PORTABLE__PC] != 0;
}

static void from_context(struct portable__walk *w, const ucontext_t *u) {
  for (int i = 0; i < PORTABLE__SP; i++) w->of[i] = (uintptr_t)u->uc_mcontext.regs[i];
  w->of[PORTABLE__SP] = (uintptr_t)u->uc_mcontext.sp;
  w->of[PORTABLE__PC] = (uintptr_t)u->uc_mcontext.pc;
}

/* The registers here. No frame between here and the caller uses the others. */
#define HERE(w)                                                                                                  \
  __asm__ volatile("adr %0, .\n\tmov %1, sp\n\tmov %2, x29\n\tmov %3, x30"                                       \
                   : "=&r"((w).of[PORTABLE__PC]), "=&r"((w).of[PORTABLE__SP]), "=&r"((w).of[PORTABLE__FP]), "=&r"((w).of[PORTABLE__RETURN]))
