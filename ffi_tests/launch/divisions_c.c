/* divisions_c.c - the inline functions of portable_division.h as functions to be called, for divisions.f90. */
#include <portable.h>

int64_t c_extent(const portable_work_division *w, int32_t of, int32_t in, int32_t d);
int64_t c_number(const portable_work_division *w, int32_t of, int32_t in, const int64_t *unit);
void c_unit(const portable_work_division *w, int32_t of, int32_t in, int64_t number, int64_t *unit);
int32_t c_box(const portable_work_division *w, const int64_t *block, const int64_t *thread, int64_t *lower, int64_t *upper);
void c_place(const portable_work_division *w, const int64_t *index, int64_t *block, int64_t *thread, int64_t *element);

int64_t c_extent(const portable_work_division *w, int32_t of, int32_t in, int32_t d) { return portable_work_extent(w, of, in, d); }
int64_t c_number(const portable_work_division *w, int32_t of, int32_t in, const int64_t *unit) {
  return portable_work_number(w, of, in, unit);
}
void c_unit(const portable_work_division *w, int32_t of, int32_t in, int64_t number, int64_t *unit) {
  portable_work_unit(w, of, in, number, unit);
}
int32_t c_box(const portable_work_division *w, const int64_t *block, const int64_t *thread, int64_t *lower, int64_t *upper) {
  return portable_work_box(w, block, thread, lower, upper);
}
void c_place(const portable_work_division *w, const int64_t *index, int64_t *block, int64_t *thread, int64_t *element) {
  portable_work_place(w, index, block, thread, element);
}
