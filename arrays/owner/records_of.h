/* records_of.h - arrays of records, for the files that make and copy them. Go lays them out
 * (arrays/record.go); an owner of array.c holds the memory. */
#ifndef PORTABLE__RECORDS_OF_H
#define PORTABLE__RECORDS_OF_H

#include "array.h"

/* Refuses NULL, another version's structure, and a stale owner. */
portable_status portable__records_live(const char *function, const portable_records *records);
/* The same; also refuses records that this launch cannot access. */
portable_status portable__records_launched(const char *function, const portable_records *records, const portable_launch_config *config);

/* ---- names for cgo, which drops const from other types ---- */

typedef const portable_record *portable__record_in;
typedef const portable_records *portable__records_in;


#endif
