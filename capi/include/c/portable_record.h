/* portable_record.h - arrays of records: structures with named fields, stored as structures, as an array for each field, or in blocks of both,
 * behind one accessor. Part of portable.h; include that.
 *
 *     struct atom { double x[3], mass; int32_t kind; };
 *     portable_record atom;                                              what a record is
 *     portable_record_begin(&atom, sizeof(struct atom));
 *     PORTABLE_RECORD_ADD(&atom, struct atom, x, PORTABLE_KIND_REAL64);  a vector of 3
 *     PORTABLE_RECORD_ADD(&atom, struct atom, mass, PORTABLE_KIND_REAL64);
 *     PORTABLE_RECORD_ADD(&atom, struct atom, kind, PORTABLE_KIND_INT32);
 *     portable_records atoms;
 *     portable_records_create("atoms", &atom, PORTABLE_RECORDS_SOA, 0, 1, &n, NULL, &atoms);
 *     *(double *)portable_records_at1(&atoms, 1, 0, i) = 1.5;            field 1, its only value, record i
 *
 * How records lie is data of the descriptor, and no code that goes through the accessor knows it. A field is an ordinary array by
 * portable_records_field: so all that works on arrays works on it.
 *
 * The rules at the head of portable_array.h hold. In addition:
 *   Descriptor: a portable_records is a plain value, as a portable_array is. Fields are counted from 0 as they were added, values of a field from 0.
 *   Index:      bounds, order and holders are as of an array. Records of PORTABLE_RECORDS_BLOCKS have lines along the fastest dimension of whole
 *               blocks; memory behind the last record of a line is unused, and not set.
 */
#ifndef PORTABLE_RECORD_H
#define PORTABLE_RECORD_H

#ifndef PORTABLE_TWIN_H
#error "include portable.h, which includes this"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- what a record is ---------------------------------------------------------------------------- */

#define PORTABLE_RECORD_FIELDS 32 /* most fields */
#define PORTABLE_RECORD_NAME   32 /* bytes of a name with its end; a longer one is cut */

typedef struct portable_record_field {
  char     name[PORTABLE_RECORD_NAME];
  int32_t  kind;   /* PORTABLE_KIND_... */
  int32_t  count;  /* values that one record has of it: 1, or those of a vector */
  uint64_t bytes;  /* of a value */
  uint64_t offset; /* of the first value, from the beginning of a record as C has it */
} portable_record_field;

typedef struct portable_record {
  uint32_t struct_size; /* sizeof(portable_record); 0: not described yet */
  int32_t  fields;
  uint64_t bytes;       /* of a record as C has it */
  int32_t  fixed;       /* 1: bytes were given; 0: they follow from the fields */
  portable_record_field field[PORTABLE_RECORD_FIELDS];
} portable_record;

/* Begins the description of a record of so many bytes, sizeof; 0: as C would lay the fields out one after the other, which for a derived
 * type of Fortran with BIND(C) is the same.
 * Returns: 0, ERR_ARG.  Threads: safe, also before portable_init.  Since: 0.1 */
portable_status portable_record_begin(portable_record *record, size_t bytes);

/* Adds a field. value_bytes counts for PORTABLE_KIND_BYTES; for other kinds it is 0 or what they have. offset, as offsetof gives it,
 * PORTABLE_RECORD_NEXT: where C would lay it behind the last one.
 * Returns: 0, ERR_ARG (NULL, no name, one that is there already, kind, count, a field outside of the record or over another one, too
 * many).  Since: 0.1 */
portable_status portable_record_add(portable_record *record, const char *name, int32_t kind, size_t value_bytes, int32_t count, int64_t offset);
#define PORTABLE_RECORD_NEXT (-1)

/* A member of a structure of C; vectors are members with one dimension. */
#define PORTABLE_RECORD_ADD(record, type, member, kind)                                                                       \
  portable_record_add((record), #member, (kind), portable_kind_bytes(kind), (int32_t)(sizeof(((type *)0)->member) / portable_kind_bytes(kind)), \
                      (int64_t)offsetof(type, member))

/* Bytes of an element of a kind; 0 of PORTABLE_KIND_BYTES and of what is none.  Since: 0.1 */
size_t portable_kind_bytes(int32_t kind);

/* The number of a field; -1: there is none of that name.  Since: 0.1 */
int32_t portable_record_find(const portable_record *record, const char *name);

/* ---- arrays of records --------------------------------------------------------------------------- */

#define PORTABLE_RECORDS_AOS    0 /* an array of structures, as C has it */
#define PORTABLE_RECORDS_SOA    1 /* a structure of arrays: one for each value of a field */
#define PORTABLE_RECORDS_BLOCKS 2 /* blocks of `width` records, each a structure of arrays */

/* Where a field is: value c of record k in block b is at + b * block_bytes + k * lane + c * component bytes from data. */
typedef struct portable_records_place {
  int64_t at, lane, component;
} portable_records_place;

typedef struct portable_records {
  uint32_t struct_size;  /* sizeof(portable_records); 0: no records */
  int32_t  layout;       /* PORTABLE_RECORDS_... */
  void    *data;
  portable_array_owner owner;
  int64_t  width;        /* records of a block: 1, all, or as asked for */
  int64_t  block_bytes, mask;
  int32_t  shift;        /* the record at position n is number n & mask of block n >> shift */
  int32_t  rank, space, order;
  int8_t   fastest[16];
  uint32_t flags;        /* PORTABLE_ARRAY_CHECKED */
  int64_t  lower[PORTABLE_ARRAY_RANK], extent[PORTABLE_ARRAY_RANK];
  int64_t  stride[PORTABLE_ARRAY_RANK]; /* records from one index to the next */
  char     label[PORTABLE_ARRAY_LABEL];
  portable_records_place place[PORTABLE_RECORD_FIELDS];
  portable_record record;
} portable_records;

/* Makes records with memory of their own, not set. width counts for _BLOCKS, a power of two up to 65536; else 0. config: as of
 * portable_array_create, without row_bytes. Of _SOA arrays of 512 KiB or more have gaps between them, also those of a vector's values: without,
 * arrays of a power of two of bytes would drive each other out of the cache.
 * Shapes: extents[rank], rank 0 to 15.
 * Ownership: the caller is the first holder, until portable_records_release; record is copied.
 * Returns: as portable_array_create; ERR_ARG (record, layout, width).  Source: the layouts of LLAMA.  Since: 0.1 */
portable_status portable_records_create(const char *label, const portable_record *record, int32_t layout, int64_t width, int32_t rank,
                                        const int64_t *extents, const portable_array_config *config, portable_records *records_out);

/* Describes records that are there already, without gaps in the order of config; they are never freed. data is where the layout
 * begins. Of SOA the arrays of each field begin at multiples of 64 bytes from it, those of a vector's values one right behind the other; of
 * BLOCKS the same in each block, at multiples of 16 bytes. portable_records_bytes tells how much it is.
 * Ownership: as portable_array_wrap.  Returns: as portable_array_wrap; ERR_ARG (record, layout, width).  Since: 0.1 */
portable_status portable_records_wrap(const char *label, const portable_record *record, int32_t layout, int64_t width, void *data, int32_t rank,
                                      const int64_t *extents, const portable_array_config *config, portable_records *records_out);

/* The same of arrays that the program has for each field, anywhere: a structure of arrays. The values of a vector follow one another, each
 * for all records.
 * Shapes: fields[record->fields], extents[rank].  Returns: as portable_records_wrap.  Since: 0.1 */
portable_status portable_records_wrap_fields(const char *label, const portable_record *record, void *const *fields, int32_t rank,
                                             const int64_t *extents, const portable_array_config *config, portable_records *records_out);

/* The bytes that wrapped records take.  Returns: 0, ERR_ARG, ERR_OVERFLOW.  Since: 0.1 */
portable_status portable_records_bytes(const portable_record *record, int32_t layout, int64_t width, int32_t rank, const int64_t *extents,
                                       int32_t order, size_t *bytes_out);

/* As portable_array_retain and portable_array_release.  Since: 0.1 */
portable_status portable_records_retain(const portable_records *records);
portable_status portable_records_release(portable_records *records);

/* A field as an array. component: one value of a vector; -1: all of it, a vector then is one more dimension from the lower bound of the order (0
 * or 1) on, the last one in C order, else the first one.
 * Ownership: *array_out is one more holder, released like any array.
 * Returns: 0, ERR_ARG (no such field or value; the records lie no whole number of the field's elements apart, as int64 in structures of 12
 * bytes do; BLOCKS of more than one block, whose fields portable_records_lanes has), ERR_STATE, ERR_HANDLE.  Since: 0.1 */
portable_status portable_records_field(const portable_records *records, int32_t field, int32_t component, portable_array *array_out);

/* A value of a field of BLOCKS, as it lies: an array of one dimension more, in which the fastest dimension counts blocks and the new one, the last
 * one in C order, else the first one, the records of a block. Both begin at the lower bound of the order. Memory behind the
 * last record of a line is there too.
 * Returns: 0, ERR_ARG (no such field or value, other layouts, rank 0 or 15), ERR_STATE, ERR_HANDLE.  Since: 0.1 */
portable_status portable_records_lanes(const portable_records *records, int32_t field, int32_t component, portable_array *array_out);

/* Copies all records. Both have the same extents, and fields of the same names, kinds and counts in the same order; layouts, orders and
 * bounds may be any. launch: NULL, or device and schedule.
 * Returns: 0, ERR_ARG, ERR_STATE, ERR_HANDLE, and what portable_parallel_for says.  Since: 0.1 */
portable_status portable_records_copy(const portable_records *from, const portable_records *to, const portable_launch_config *launch);

/* ---- one record ---------------------------------------------------------------------------------- */

/* A value of a field of a record, for records that are checked; as portable_array_element.  Since: 0.1 */
void *portable_records_element(const portable_records *records, int32_t field, int32_t component, int32_t rank, const int64_t *index);

/* The address of a value at a position in records, which is not looked at.  Since: 0.1 */
PORTABLE_INLINE void *portable_records_address(const portable_records *records, int32_t field, int32_t component, int64_t position) {
  const portable_records_place *p = &records->place[field];
  return (char *)records->data + ((position >> records->shift) * records->block_bytes + (position & records->mask) * p->lane + p->at +
                                  component * p->component);
}

/* The address of a value of a field. Shapes: index[rank].  Since: 0.1 */
PORTABLE_INLINE void *portable_records_at(const portable_records *records, int32_t field, int32_t component, const int64_t *index) {
  int64_t position = 0;
  if (records->flags & PORTABLE_ARRAY_CHECKED) return portable_records_element(records, field, component, records->rank, index);
  for (int32_t d = 0; d < records->rank; d++) position += (index[d] - records->lower[d]) * records->stride[d];
  return portable_records_address(records, field, component, position);
}
/* The same for ranks 1 to 3.  Since: 0.1 */
PORTABLE_INLINE void *portable_records_at1(const portable_records *records, int32_t field, int32_t component, int64_t i) {
  if (records->flags & PORTABLE_ARRAY_CHECKED) return portable_records_element(records, field, component, 1, &i);
  return portable_records_address(records, field, component, (i - records->lower[0]) * records->stride[0]);
}
PORTABLE_INLINE void *portable_records_at2(const portable_records *records, int32_t field, int32_t component, int64_t i, int64_t j) {
  if (records->flags & PORTABLE_ARRAY_CHECKED) {
    int64_t index[2];
    index[0] = i;
    index[1] = j;
    return portable_records_element(records, field, component, 2, index);
  }
  return portable_records_address(records, field, component,
                                  (i - records->lower[0]) * records->stride[0] + (j - records->lower[1]) * records->stride[1]);
}
PORTABLE_INLINE void *portable_records_at3(const portable_records *records, int32_t field, int32_t component, int64_t i, int64_t j, int64_t k) {
  if (records->flags & PORTABLE_ARRAY_CHECKED) {
    int64_t index[3];
    index[0] = i;
    index[1] = j;
    index[2] = k;
    return portable_records_element(records, field, component, 3, index);
  }
  return portable_records_address(records, field, component, (i - records->lower[0]) * records->stride[0] +
                                  (j - records->lower[1]) * records->stride[1] + (k - records->lower[2]) * records->stride[2]);
}

/* A whole record, from and to a structure of C; bytes of it that are of no field stay as they are. Shapes: index[rank].  Since: 0.1 */
PORTABLE_INLINE void portable_records_get(const portable_records *records, const int64_t *index, void *record_out) {
  for (int32_t f = 0; f < records->record.fields; f++)
    for (int32_t c = 0; c < records->record.field[f].count; c++) {
      const portable_record_field *what = &records->record.field[f];
      memcpy((char *)record_out + what->offset + (uint64_t)c * what->bytes, portable_records_at(records, f, c, index), (size_t)what->bytes);
    }
}
PORTABLE_INLINE void portable_records_put(const portable_records *records, const int64_t *index, const void *record) {
  for (int32_t f = 0; f < records->record.fields; f++)
    for (int32_t c = 0; c < records->record.field[f].count; c++) {
      const portable_record_field *what = &records->record.field[f];
      memcpy(portable_records_at(records, f, c, index), (const char *)record + what->offset + (uint64_t)c * what->bytes, (size_t)what->bytes);
    }
}

/* ---- twins of records ---------------------------------------------------------------------------- */

/* Records of the host and of a device, which lie the same way on both sides. twin is a handle of portable_twin.h, whose calls sync, mark, discard
 * and query it; a sync copies all fields at once. A plain value; copies of it are the same twin. */
typedef struct portable_records_twin {
  portable_twin twin;     /* of the bytes of all records; 0: none */
  portable_records shape; /* without memory */
} portable_records_twin;

/* Called by portable_records_twin_create and the Fortran module; not for users. Their errors name portable_records_twin_create. */
portable_status portable__records_twin_bytes(const char *label, const portable_record *record, int32_t layout, int64_t width, int32_t rank,
                                             const int64_t *extents, int32_t order, size_t *bytes_out);
portable_status portable__records_twin_named(portable_status status, const char *label);

/* Makes records twice. record, layout, width, extents as of portable_records_create; config as of portable_twin_create, of which order, fastest
 * and lower of config->host are those of both sides, and config->device says where the device side is (space, pool). There are no gaps between the arrays
 * of a field.
 * Ownership: the caller is the first holder, until portable_records_twin_release.
 * Returns: as portable_twin_create and portable_records_wrap.  Since: 0.1 */
PORTABLE_INLINE portable_status portable_records_twin_create(const char *label, const portable_record *record, int32_t layout, int64_t width, int32_t rank,
                                                             const int64_t *extents, const portable_twin_config *config, portable_records_twin *twin_out) {
  const portable_array_config plain = PORTABLE_ARRAY_CONFIG_INIT;
  portable_twin_config both = PORTABLE_TWIN_CONFIG_INIT;
  portable_array_config host = plain, device = plain, wrapped = plain;
  portable_array side;
  portable_status status, ended;
  size_t bytes = 0;
  int64_t all;
  if (!twin_out) return portable__records_twin_bytes(label, record, layout, width, rank, extents, 0, NULL); /* which refuses it */
  if (config) both = *config;
  if (both.host) host = wrapped = *both.host;
  wrapped.end = NULL;
  wrapped.zero = 0;
  wrapped.row_bytes = 0;
  wrapped.pool = 0;
  if (both.device) device = *both.device;
  device.order = host.order = PORTABLE_ORDER_C; /* of the bytes */
  device.fastest = host.fastest = NULL;
  device.lower = host.lower = NULL;
  device.row_bytes = host.row_bytes = 0;
  if (both.host) both.host = &host;
  if (both.device) both.device = &device;
  twin_out->twin = 0;
  status = portable__records_twin_bytes(label, record, layout, width, rank, extents, wrapped.order, &bytes);
  if (status != PORTABLE_OK) return status;
  all = (int64_t)bytes;
  status = portable_twin_create(label && label[0] ? label : "records", PORTABLE_KIND_BYTES, 1, 1, &all, &both, &twin_out->twin);
  if (status != PORTABLE_OK) return portable__records_twin_named(status, label);
  status = portable_twin_host(twin_out->twin, PORTABLE_TWIN_READ, &side);
  if (status == PORTABLE_OK) {
    status = portable__records_twin_named(portable_records_wrap(label, record, layout, width, side.data, rank, extents, &wrapped, &twin_out->shape), label);
    ended = portable_array_release(&side);
    if (status == PORTABLE_OK) status = ended;
  }
  twin_out->shape.data = NULL;
  if (status != PORTABLE_OK) {
    portable_twin_release(twin_out->twin);
    twin_out->twin = 0;
  }
  return status;
}

/* A side as records, and what is done with it: access as of portable_twin_host. *records_out is released by the caller, by portable_records_release; under
 * checks a stale side is refused here, and by calls that have it later.
 * Returns: as portable_twin_host and portable_twin_device.  Since: 0.1 */
PORTABLE_INLINE portable_status portable_records_twin_host(const portable_records_twin *twin, int32_t access, portable_records *records_out) {
  portable_array side;
  const portable_status status = portable_twin_host(twin->twin, access, &side);
  memset(records_out, 0, sizeof *records_out);
  if (status != PORTABLE_OK) return status;
  *records_out = twin->shape;
  records_out->data = side.data;
  records_out->owner = side.owner; /* the hold that the array had */
  records_out->space = side.space;
  return PORTABLE_OK;
}
PORTABLE_INLINE portable_status portable_records_twin_device(const portable_records_twin *twin, int32_t access, portable_records *records_out) {
  portable_array side;
  const portable_status status = portable_twin_device(twin->twin, access, &side);
  memset(records_out, 0, sizeof *records_out);
  if (status != PORTABLE_OK) return status;
  *records_out = twin->shape;
  records_out->data = side.data;
  records_out->owner = side.owner;
  records_out->space = side.space;
  return PORTABLE_OK;
}

/* As portable_twin_release; *twin is none afterwards. Sides that were taken live on.  Since: 0.1 */
PORTABLE_INLINE portable_status portable_records_twin_release(portable_records_twin *twin) {
  const portable_status status = portable_twin_release(twin->twin);
  if (status == PORTABLE_OK) twin->twin = 0;
  return status;
}

/* ---- for the Fortran modules --------------------------------------------------------------------- */
/* Called by portable_record_mod and portable_records_twin_mod; not for users. Fields and values are counted from 0. */

portable_status portable__fortran_record_add(int32_t version, portable_record *record, const char *name, size_t name_bytes, int32_t kind,
                                             int32_t value_bytes, int32_t count, int64_t offset);
int32_t portable__fortran_record_find(const portable_record *record, const char *name, size_t name_bytes);
/* create; with data: wrap. */
portable_status portable__fortran_records_create(int32_t version, const char *label, size_t label_bytes, const portable_record *record,
                                                 int32_t layout, int64_t width, void *data, int32_t rank, const int64_t *extents,
                                                 int32_t lower_rank, const int64_t *lower, int32_t order, int32_t zero, int32_t space,
                                                 portable_pool pool, portable_records *records);
portable_status portable__fortran_records_field(int32_t version, const portable_records *records, const char *name, size_t name_bytes,
                                                int32_t component, int32_t lanes, portable_array *array);
/* side: 0 of the host, 1 of the device; shape has no memory. */
portable_status portable__fortran_records_twin_side(int32_t version, portable_twin twin, const portable_records *shape, int32_t side, int32_t access,
                                                    portable_records *records);

#ifdef __cplusplus
}
#endif

#endif
