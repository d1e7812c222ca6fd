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


#endif
