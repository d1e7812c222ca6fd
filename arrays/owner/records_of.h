/* records_of.h - arrays of records (portable_record.h), for the files that make and copy them. Private. What lies where is decided in Go
 * (arrays/record.go); who holds the memory is an owner of array.c. */
#ifndef PORTABLE__RECORDS_OF_H
#define PORTABLE__RECORDS_OF_H

#include "array.h"

/* 0, or what is wrong: no records, an owner that is gone. */
portable_status portable__records_live(const char *function, const portable_records *records);
/* The same, and this launch must reach them. */
portable_status portable__records_launched(const char *function, const portable_records *records, const portable_launch_config *config);

/* ---- exports_record.go: only between cross_in and cross_out ---- */

typedef const portable_record *portable__record_in;
typedef const portable_records *portable__records_in;

/* Sets all that says where records lie, of a layout, order and record that are there, and gives the bytes. */
portable_status portable__go_records_layout(portable_records *records, int32_t rank, portable__indices extents, portable__indices lower,
                                            portable__dims fastest, int64_t width, uint64_t *bytes_out);
/* Shape and address of a field's array, or (lanes) of one value as it lies in blocks. */
portable_status portable__go_records_field(portable__records_in records, int32_t field, int32_t component, int32_t lanes, portable_array *array);

#endif
