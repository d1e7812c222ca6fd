/* records.h - the records of a slab as gator/record.go lays them out, for the one place in C that changes
 * them: the magazines. front.go compares the two when it is compiled. */
#ifndef PORTABLE__RECORDS_H
#define PORTABLE__RECORDS_H

#include <stdatomic.h>
#include <stdint.h>

#define PORTABLE__KIND_LIVE 3u
#define PORTABLE__KIND_PARKED 4u
#define PORTABLE__KIND_MASK 7u
#define PORTABLE__FLAG_DEPENDS 8u
#define PORTABLE__BYTES_SHIFT 8

struct portable__record {
  _Atomic uint64_t state;  /* kind, flag, bytes asked for */
  _Atomic uint32_t length; /* granules */
  _Atomic uint32_t label;
};

#endif
