/* cells_form.h - adds one dimension to the keys of particles; included by cells.c for instructions
 * and types, with NAME, TARGET, TYPE, LANES, VECTOR and the operations LOAD, LESS, MORE and WHOLE
 * of vectors. Private. Pure functions. */

/* Adds the part of dimension d to the keys of BLOCK particles, which are whole numbers below 2^31. Gives whether one of them is outside. A NaN is
 * outside, and has the last cell: LESS(a, b) and MORE(a, b) are b where a comparison is false. */
TARGET static int NAME(const portable_cell_list *c, int32_t d, const TYPE *restrict x, double *restrict key) {
  const VECTOR none = {0}, low = none + c->low[d], high = none + c->high[d], per = none + c->per_length[d];
  const VECTOR count = none + (double)c->count[d], last = count - 1;
  int64_t bad[LANES], any = 0;
  __typeof__(none != none) wrong = none != none;
  for (int64_t i = 0; i < BLOCK; i += LANES) {
    VECTOR sum;
    __builtin_prefetch((const void *)((uintptr_t)x + (BLOCK + i) * sizeof *x)); /* the next block: those of all dimensions take turns */
    memcpy(&sum, key + i, sizeof sum);
    const VECTOR at = LOAD(x + i), in = LESS(high, MORE(low, at)), u = (in - low) * per;
    wrong |= in != at;
    sum = sum * count + WHOLE(LESS(u, last));
    memcpy(key + i, &sum, sizeof sum);
  }
  memcpy(bad, &wrong, sizeof bad);
  for (int i = 0; i < LANES; i++) any |= bad[i];
  return any != 0;
}

#undef NAME
#undef TYPE
#undef LOAD
