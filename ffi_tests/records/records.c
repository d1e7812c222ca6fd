/* records.c - arrays of records: every layout against a plain array of structures, copies between all of them, fields as arrays, the program's own
 * memory, what is refused, and indices under checks. Not in this file: where records lie, against a model (go test ./arrays). */
#include "check.h"

struct atom {
  double x[3], mass;
  float charge;
  int32_t kind;
  char name[6];
};

static portable_record atoms(void) {
  portable_record r;
  CHECK_STATUS(portable_record_begin(&r, sizeof(struct atom)), PORTABLE_OK);
  CHECK_STATUS(PORTABLE_RECORD_ADD(&r, struct atom, x, PORTABLE_KIND_REAL64), PORTABLE_OK);
  CHECK_STATUS(PORTABLE_RECORD_ADD(&r, struct atom, mass, PORTABLE_KIND_REAL64), PORTABLE_OK);
  CHECK_STATUS(PORTABLE_RECORD_ADD(&r, struct atom, charge, PORTABLE_KIND_REAL32), PORTABLE_OK);
  CHECK_STATUS(PORTABLE_RECORD_ADD(&r, struct atom, kind, PORTABLE_KIND_INT32), PORTABLE_OK);
  CHECK_STATUS(portable_record_add(&r, "name", PORTABLE_KIND_BYTES, 6, 1, (int64_t)offsetof(struct atom, name)), PORTABLE_OK);
  return r;
}

static struct atom some(int64_t n) {
  struct atom a;
  memset(&a, 0, sizeof a);
  for (int c = 0; c < 3; c++) a.x[c] = (double)(10 * n + c);
  a.mass = (double)n + 0.5;
  a.charge = (float)-n;
  a.kind = (int32_t)(n * 7);
  snprintf(a.name, sizeof a.name, "a%03d", (int)(n % 1000));
  return a;
}

static unsigned state = 12345;
static int below(int n) {
  state = state * 1664525u + 1013904223u;
  return (int)((state >> 8) % (unsigned)n);
}

/* The number of a record in the order of the indices, and the next one. */
static int64_t number_of(const portable_records *r, const int64_t *at) {
  int64_t n = 0;
  for (int32_t d = 0; d < r->rank; d++) n = n * r->extent[d] + at[d] - r->lower[d];
  return n;
}
static int step(const portable_records *r, int64_t *at) {
  for (int32_t d = r->rank - 1; d >= 0; d--) {
    if (++at[d] < r->lower[d] + r->extent[d]) return 1;
    at[d] = r->lower[d];
  }
  return 0;
}

static void put_all(const portable_records *r) {
  int64_t at[PORTABLE_ARRAY_RANK];
  memcpy(at, r->lower, sizeof at);
  do {
    struct atom a = some(number_of(r, at));
    portable_records_put(r, at, &a);
  } while (step(r, at));
}

static int holds_all(const portable_records *r) {
  int64_t at[PORTABLE_ARRAY_RANK];
  memcpy(at, r->lower, sizeof at);
  do {
    struct atom a = some(number_of(r, at)), b;
    memset(&b, 0, sizeof b);
    portable_records_get(r, at, &b);
    if (memcmp(&a, &b, sizeof a) != 0) return 0;
  } while (step(r, at));
  return 1;
}

static portable_records make(const portable_record *record, int32_t rank, const int64_t *extents) {
  portable_array_config config = PORTABLE_ARRAY_CONFIG_INIT;
  portable_records r;
  int32_t fastest[PORTABLE_ARRAY_RANK], layout = below(3);
  int64_t lower[PORTABLE_ARRAY_RANK];
  for (int32_t d = 0; d < rank; d++) fastest[d] = d, lower[d] = below(7) - 3;
  for (int32_t d = rank - 1; d > 0; d--) {
    int32_t k = below(d + 1), other = fastest[k];
    fastest[k] = fastest[d];
    fastest[d] = other;
  }
  config.order = PORTABLE_ORDER_PERMUTED;
  config.fastest = fastest;
  config.lower = lower;
  CHECK_STATUS(portable_records_create("atoms", record, layout, layout == PORTABLE_RECORDS_BLOCKS ? 1 << below(5) : 0, rank, extents, &config, &r),
               PORTABLE_OK);
  return r;
}

/* Any layout to any other one, of any rank and order. */
static void copies(const portable_record *record) {
  for (int round = 0; round < 150; round++) {
    const int32_t rank = round % 5;
    int64_t extents[4];
    for (int32_t d = 0; d < rank; d++) extents[d] = 1 + below(rank < 2 ? 300 : 11);
    portable_records from = make(record, rank, extents), to = make(record, rank, extents);
    put_all(&from);
    CHECK(holds_all(&from));
    CHECK_STATUS(portable_records_copy(&from, &to, NULL), PORTABLE_OK);
    CHECK(holds_all(&to) && holds_all(&from));
    CHECK_STATUS(portable_records_release(&from), PORTABLE_OK);
    CHECK_STATUS(portable_records_release(&to), PORTABLE_OK);
  }
  /* More dimensions than a strided copy has axes, and no record at all. */
  const int64_t many[15] = {2, 2, 2, 1, 2, 2, 2, 2, 1, 2, 2, 1, 2, 2, 3}, nothing[2] = {3, 0};
  portable_records from = make(record, 15, many), to = make(record, 15, many);
  put_all(&from);
  CHECK_STATUS(portable_records_copy(&from, &to, NULL), PORTABLE_OK);
  CHECK(holds_all(&to));
  CHECK_STATUS(portable_records_release(&from), PORTABLE_OK);
  CHECK_STATUS(portable_records_release(&to), PORTABLE_OK);
  from = make(record, 2, nothing);
  to = make(record, 2, nothing);
  CHECK_STATUS(portable_records_copy(&from, &to, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_records_release(&from), PORTABLE_OK);
  CHECK_STATUS(portable_records_release(&to), PORTABLE_OK);
}

/* Fields are arrays: filled, copied, summed up, sliced. */
static void fields(const portable_record *record) {
  const int64_t n = 100;
  const double two = 2;
  for (int32_t layout = PORTABLE_RECORDS_AOS; layout <= PORTABLE_RECORDS_SOA; layout++) {
    portable_records r;
    portable_array x, mass, y, copy;
    struct atom a;
    CHECK_STATUS(portable_records_create("atoms", record, layout, 0, 1, &n, NULL, &r), PORTABLE_OK);
    put_all(&r);
    CHECK_STATUS(portable_records_field(&r, portable_record_find(record, "x"), -1, &x), PORTABLE_OK);
    CHECK(x.rank == 2 && x.extent[0] == n && x.extent[1] == 3 && x.stride[1] == (layout ? n : 1) && x.order == (layout ? PORTABLE_ORDER_FORTRAN : PORTABLE_ORDER_C));
    CHECK(*(double *)portable_array_at2(&x, 7, 2) > 71.5 && *(double *)portable_array_at2(&x, 7, 2) < 72.5);
    CHECK_STATUS(portable_records_field(&r, 1, 0, &mass), PORTABLE_OK);
    CHECK_STATUS(portable_array_fill(&mass, &two, NULL), PORTABLE_OK);
    CHECK_STATUS(portable_records_field(&r, 0, 1, &y), PORTABLE_OK);
    CHECK_STATUS(portable_array_host_copy(&y, &copy), PORTABLE_OK);
    CHECK(portable_array_is_contiguous(&copy) && *(double *)portable_array_at1(&copy, 99) > 990.5);
    const int64_t index = 42;
    portable_records_get(&r, &index, &a);
    CHECK(a.mass > 1.5 && a.mass < 2.5 && a.kind == 7 * 42 && strcmp(a.name, "a042") == 0);
    CHECK_STATUS(portable_records_release(&r), PORTABLE_OK);
    CHECK(portable_array_use_count(&x) == 3); /* fields hold the records */
    CHECK_STATUS(portable_array_release(&x), PORTABLE_OK);
    CHECK_STATUS(portable_array_release(&mass), PORTABLE_OK);
    CHECK_STATUS(portable_array_release(&y), PORTABLE_OK);
    CHECK_STATUS(portable_array_release(&copy), PORTABLE_OK);
  }
  portable_records r;
  portable_array lanes;
  CHECK_STATUS(portable_records_create("atoms", record, PORTABLE_RECORDS_BLOCKS, 8, 1, &n, NULL, &r), PORTABLE_OK);
  put_all(&r);
  CHECK_STATUS(portable_records_field(&r, 1, 0, &lanes), PORTABLE_ERR_ARG);
  CHECK_TEXT("portable_records_field of 'atoms.mass': the records lie in more than one block of 8");
  CHECK_STATUS(portable_records_lanes(&r, 1, 0, &lanes), PORTABLE_OK);
  CHECK(lanes.rank == 2 && lanes.extent[0] == 13 && lanes.extent[1] == 8 && lanes.stride[1] == 1);
  CHECK(*(double *)portable_array_at2(&lanes, 5, 2) > 42.4 && *(double *)portable_array_at2(&lanes, 5, 2) < 42.6);
  CHECK_STATUS(portable_array_release(&lanes), PORTABLE_OK);
  CHECK_STATUS(portable_records_lanes(&r, 1, 1, &lanes), PORTABLE_ERR_ARG);
  CHECK_TEXT("of 'atoms.mass': the field has no value 1; it has 1, counted from 0");
  CHECK_STATUS(portable_records_release(&r), PORTABLE_OK);
}

static int ended;
static void count_end(void *data, int64_t elements, void *payload) {
  (void)data;
  (void)elements;
  (void)payload;
  ended++;
}

/* The program's own memory: structures, and an array for each field. */
static void wrapped(const portable_record *record) {
  static struct atom own[20];
  static double x[3][20], mass[20];
  static float charge[20];
  static int32_t kind[20];
  static char name[20][6];
  const int64_t n = 20, lower = 1;
  void *const arrays[5] = {x, mass, charge, kind, name};
  portable_array_config config = PORTABLE_ARRAY_CONFIG_INIT;
  portable_records aos, soa;
  size_t bytes;
  config.lower = &lower;
  for (int i = 0; i < 20; i++) own[i] = some(i);
  CHECK_STATUS(portable_records_wrap("own", record, PORTABLE_RECORDS_AOS, 0, own, 1, &n, NULL, &aos), PORTABLE_OK);
  CHECK(holds_all(&aos) && portable_records_at1(&aos, 3, 0, 5) == (void *)&own[5].kind);
  CHECK_STATUS(portable_records_wrap_fields("own", record, arrays, 1, &n, &config, &soa), PORTABLE_OK);
  CHECK_STATUS(portable_records_copy(&aos, &soa, NULL), PORTABLE_OK);
  CHECK(holds_all(&soa) && x[2][7] > 71.5 && kind[19] == 19 * 7 && portable_records_at1(&soa, 2, 0, 1) == (void *)charge);
  memset(own, 0, sizeof own);
  CHECK_STATUS(portable_records_copy(&soa, &aos, NULL), PORTABLE_OK);
  CHECK(holds_all(&aos));
  CHECK_STATUS(portable_records_release(&aos), PORTABLE_OK);
  CHECK_STATUS(portable_records_release(&soa), PORTABLE_OK);
  void *const missing[5] = {x, mass, NULL, kind, name};
  config.end = count_end;
  CHECK_STATUS(portable_records_wrap_fields("own", record, missing, 1, &n, &config, &soa), PORTABLE_ERR_ARG);
  CHECK_TEXT("the array of the field 'charge' is NULL");
  CHECK(ended == 0 && soa.struct_size == 0); /* what was not taken has not ended */
  CHECK_STATUS(portable_records_wrap_fields("own", record, arrays, 1, &n, &config, &soa), PORTABLE_OK);
  CHECK_STATUS(portable_records_release(&soa), PORTABLE_OK);
  CHECK(ended == 1);
  CHECK_STATUS(portable_records_bytes(record, PORTABLE_RECORDS_AOS, 0, 1, &n, PORTABLE_ORDER_C, &bytes), PORTABLE_OK);
  CHECK(bytes == sizeof own);
}

static void described(void) {
  struct packed { char c; double d; };
  portable_record r, p;
  portable_records rs, other;
  portable_array a;
  const int64_t n = 3, m = 4;
  CHECK_STATUS(portable_record_begin(&r, 0), PORTABLE_OK);
  CHECK_STATUS(portable_record_add(&r, "c", PORTABLE_KIND_INT8, 0, 1, PORTABLE_RECORD_NEXT), PORTABLE_OK);
  CHECK_STATUS(portable_record_add(&r, "d", PORTABLE_KIND_REAL64, 0, 1, PORTABLE_RECORD_NEXT), PORTABLE_OK);
  CHECK(r.bytes == sizeof(struct packed) && r.field[1].offset == offsetof(struct packed, d) && portable_record_find(&r, "e") == -1);
  CHECK_STATUS(portable_record_add(&r, "d", PORTABLE_KIND_REAL64, 0, 1, PORTABLE_RECORD_NEXT), PORTABLE_ERR_ARG);
  CHECK_TEXT("portable_record_add of 'd': there is a field of this name already");
  CHECK_STATUS(portable_record_add(&r, "e", PORTABLE_KIND_REAL64, 0, 1, 4), PORTABLE_ERR_ARG);
  CHECK_TEXT("portable_record_add of 'e': it lies over the field 'd'");
  CHECK_STATUS(portable_record_add(&r, "e", 99, 0, 1, PORTABLE_RECORD_NEXT), PORTABLE_ERR_ARG);
  CHECK_STATUS(portable_record_add(&r, "e", PORTABLE_KIND_INT32, 0, 0, PORTABLE_RECORD_NEXT), PORTABLE_ERR_ARG);
  CHECK_TEXT("it has 0 values of 4 bytes");
  CHECK_STATUS(portable_record_begin(&p, 12), PORTABLE_OK);
  CHECK_STATUS(portable_record_add(&p, "k", PORTABLE_KIND_INT32, 0, 1, 0), PORTABLE_OK);
  CHECK_STATUS(portable_record_add(&p, "d", PORTABLE_KIND_REAL64, 0, 1, 8), PORTABLE_ERR_ARG);
  CHECK_TEXT("portable_record_add of 'd': it ends at byte 16, behind the record, which has 12 bytes");
  CHECK_STATUS(portable_record_add(&p, "d", PORTABLE_KIND_REAL64, 0, 1, 4), PORTABLE_OK);
  CHECK_STATUS(portable_records_create("odd", &p, PORTABLE_RECORDS_AOS, 0, 1, &n, NULL, &rs), PORTABLE_OK);
  CHECK_STATUS(portable_records_field(&rs, 1, -1, &a), PORTABLE_ERR_ARG);
  CHECK_TEXT("portable_records_field of 'odd.d': the records lie 12 bytes apart, which is no whole number of the field's elements of 8 bytes");
  CHECK_STATUS(portable_records_field(&rs, 2, -1, &a), PORTABLE_ERR_ARG);
  CHECK_TEXT("portable_records_field of 'odd': there is no field 2; there are 2");
  CHECK_STATUS(portable_records_create("other", &r, PORTABLE_RECORDS_SOA, 0, 1, &n, NULL, &other), PORTABLE_OK);
  CHECK_STATUS(portable_records_copy(&rs, &other, NULL), PORTABLE_ERR_ARG);
  CHECK_TEXT("portable_records_copy of 'odd' to 'other': field 1 is 'k' of 1 int32 here and 'c' of 1 int8 there");
  CHECK_STATUS(portable_records_release(&other), PORTABLE_OK);
  CHECK_STATUS(portable_records_create("other", &p, PORTABLE_RECORDS_SOA, 0, 1, &m, NULL, &other), PORTABLE_OK);
  CHECK_STATUS(portable_records_copy(&rs, &other, NULL), PORTABLE_ERR_ARG);
  CHECK_TEXT("dimension 1 has 3 records here and 4 there");
  CHECK_STATUS(portable_records_release(&other), PORTABLE_OK);
  CHECK_STATUS(portable_records_copy(&rs, &other, NULL), PORTABLE_ERR_ARG);
  CHECK_TEXT("these are no records: they were never made, or were released");
  CHECK_STATUS(portable_records_release(&rs), PORTABLE_OK);
  CHECK_STATUS(portable_records_create("odd", &p, PORTABLE_RECORDS_BLOCKS, 3, 1, &n, NULL, &rs), PORTABLE_ERR_ARG);
  CHECK_TEXT("portable_records_create of 'odd': width is 3; blocks have a power of two of records");
  CHECK_STATUS(portable_records_create("odd", &p, 7, 0, 1, &n, NULL, &rs), PORTABLE_ERR_ARG);
  CHECK_STATUS(portable_records_wrap("odd", &p, PORTABLE_RECORDS_AOS, 0, NULL, 1, &n, NULL, &rs), PORTABLE_ERR_ARG);
  CHECK_TEXT("portable_records_wrap of 'odd': data is NULL, but there are 3 records");
  CHECK(rs.struct_size == 0);
}

/* Fields of each kind lie as this compiler lays them out. */
static void aligned(void) {
#define EACH(KIND_ROW)                                                                                                        \
  KIND_ROW(INT8, int8_t) KIND_ROW(INT16, int16_t) KIND_ROW(INT32, int32_t) KIND_ROW(INT64, int64_t) KIND_ROW(REAL32, float)   \
  KIND_ROW(REAL64, double) KIND_ROW(COMPLEX32, float _Complex) KIND_ROW(COMPLEX64, double _Complex) KIND_ROW(LOGICAL8, int8_t) \
  KIND_ROW(LOGICAL16, int16_t) KIND_ROW(LOGICAL32, int32_t) KIND_ROW(LOGICAL64, int64_t) KIND_ROW(EXACT, portable_exact)
#define ALIGNED(KIND, TYPE)                                                                                                \
  {                                                                                                                        \
    struct s { char c; TYPE x[3]; char d; };                                                                               \
    portable_record r;                                                                                                     \
    CHECK_STATUS(portable_record_begin(&r, 0), PORTABLE_OK);                                                               \
    CHECK_STATUS(portable_record_add(&r, "c", PORTABLE_KIND_INT8, 0, 1, PORTABLE_RECORD_NEXT), PORTABLE_OK);               \
    CHECK_STATUS(portable_record_add(&r, "x", PORTABLE_KIND_##KIND, sizeof(TYPE), 3, PORTABLE_RECORD_NEXT), PORTABLE_OK);  \
    CHECK_STATUS(portable_record_add(&r, "d", PORTABLE_KIND_INT8, 0, 1, PORTABLE_RECORD_NEXT), PORTABLE_OK);               \
    CHECK(r.field[1].offset == _Alignof(TYPE) && r.field[1].offset == offsetof(struct s, x));                              \
    CHECK(r.field[2].offset == offsetof(struct s, d) && r.bytes == sizeof(struct s));                                      \
    CHECK(portable_kind_bytes(PORTABLE_KIND_##KIND) == sizeof(TYPE));                                                      \
  }
  EACH(ALIGNED)
}

/* A wrong index, field or value is reported, and answered by a place that stands for it. */
static void checked(const portable_record *record) {
  const int64_t n = 10;
  portable_records r;
  CHECK_STATUS(portable_set_checks(PORTABLE_CHECK_ARRAYS), PORTABLE_OK);
  CHECK_STATUS(portable_records_create("atoms", record, PORTABLE_RECORDS_BLOCKS, 4, 1, &n, NULL, &r), PORTABLE_OK);
  *(double *)portable_records_at1(&r, 1, 0, 9) = 1;
  *(double *)portable_records_at1(&r, 1, 0, 10) = 1;
  CHECK_TEXT("PORTABLE_CHECK=arrays: an element of 'atoms': index 10 of dimension 1 is out of its bounds 0:9");
  *(double *)portable_records_at1(&r, 0, 3, 9) = 1;
  CHECK_TEXT("index 3 of dimension 2 is out of its bounds 0:2");
  *(double *)portable_records_at1(&r, 9, 0, 9) = 1;
  CHECK_TEXT("index 9 of dimension 1 is out of its bounds 0:4");
  *(double *)portable_records_at2(&r, 0, 0, 1, 1) = 1;
  CHECK_TEXT("2 indices are given; the array has rank 1");
  CHECK_STATUS(portable_records_release(&r), PORTABLE_OK);
  CHECK_STATUS(portable_set_checks(0), PORTABLE_OK);
}

int main(void) {
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  const portable_record record = atoms();
  copies(&record);
  fields(&record);
  wrapped(&record);
  described();
  aligned();
  checked(&record);
  return check_end();
}
