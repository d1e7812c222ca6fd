/* pointers.c - freeing an address that is not the start of a live block of the default pool: foreign,
 * interior, null, freed already. Not in this file: pools of the program (pools.c). */
#include "misuse.h"

#define NO_SLAB "no slab of it holds this address; free memory with the library that gave it"
#define NOT_IN_THE_HEAP "it was freed already, or another library gave it"
#define FREED "has been freed already; look for a second deallocate, or a pointer kept across one"

/* Freeing an address inside a block. */
static void interior(void) {
  char *p;
  MUST(portable_init(NULL) == 0 && portable_alloc(800, "whole", (void **)&p) == 0);
  ASK(portable_free(p + 8));
  goes_on(1);
  MUST(portable_free(p) == 0 && portable_finalize() == 0);
}

static void interior_gator(void) {
  char *p;
  gatorInit();
  MUST(portable_alloc(800, "whole", (void **)&p) == 0);
  gatorDeallocate(p + 8);
  goes_on(1);
  gatorDeallocate(p);
  gatorFinalize();
}

/* The same at an address where another block could begin. */
static void interior_granule(void) {
  char *p;
  MUST(portable_init(NULL) == 0 && portable_alloc(8000, "whole", (void **)&p) == 0);
  ASK(portable_free(p + 4096));
  goes_on(1);
  MUST(portable_free(p) == 0 && portable_finalize() == 0);
}

static void foreign_gator(void) {
  static double foreign[100];
  gatorInit();
  gatorDeallocate(foreign);
  goes_on(0);
  gatorFinalize();
}

static void double_free_gator(void) {
  void *p;
  gatorInit();
  p = gatorAllocate(800);
  gatorDeallocate(p);
  gatorDeallocate(p);
  goes_on(0);
  gatorFinalize();
}

static void null_gator(void) {
  gatorInit();
  gatorDeallocate(NULL);
  goes_on(0);
  gatorFinalize();
}

static const struct kind kinds_of_pointers_to_live[] = {
    {KIND(interior),
     ERROR(POINTER, "is not a live block && it is 8 bytes inside a block of 800 bytes labelled \"whole\"; pass the "
                    "address that the allocation gave")},
    {GATOR(interior_gator),
     ERROR(POINTER, "gatorDeallocate: && is not a live block && it is 8 bytes inside a block of 800 bytes "
                    "labelled \"whole\"; pass the address that the allocation gave")},
    {KIND(interior_granule), ERROR(POINTER, "is not a live block && it is 4096 bytes inside a block of 8000 bytes")},
    {GATOR(foreign_gator), .settings = "pool", ERROR(POINTER, "gatorDeallocate: && is not a live block && " NO_SLAB)},
    {GATOR(foreign_gator), .settings = "disable",
     ERROR(POINTER, "gatorDeallocate: && is not a live block && " NOT_IN_THE_HEAP)},
    {GATOR(double_free_gator), .settings = "pool",
     ERROR(POINTER, "gatorDeallocate: && is not a live block && " FREED)},
    {GATOR(double_free_gator), .settings = "disable",
     ERROR(POINTER, "gatorDeallocate: && is not a live block && " NOT_IN_THE_HEAP)},
    {GATOR(null_gator),
     ERROR(POINTER, "gatorDeallocate: && the pointer is null && it was never allocated, or was deallocated and "
                    "nullified already")},
};
const struct table pointers_to_live_table = TABLE(kinds_of_pointers_to_live, NULL, NULL);

/* Freeing memory that was not allocated. */
static void foreign(void) {
  static double foreign[100];
  ASK(portable_free(foreign));
}

/* Freeing memory of malloc. */
static void foreign_heap(void) {
  void *p = malloc(800);
  ASK(portable_free(p));
  free(p);
}

/* Freeing an address that is not readable. */
static void foreign_unreadable(void) { ASK(portable_free((void *)(uintptr_t)4096)); }

/* Freeing a block twice. */
static void double_free(void) {
  void *p;
  MUST(portable_alloc(800, "p", &p) == 0 && portable_free(p) == 0);
  ASK(portable_free(p));
}

/* The same with a block that no thread keeps for itself. */
static void double_free_large(void) {
  void *p;
  MUST(portable_alloc(8000000, "p", &p) == 0 && portable_free(p) == 0);
  ASK(portable_free(p));
}

/* The same after the slab of the block was released. */
static void double_free_trimmed(void) {
  void *p;
  MUST(portable_alloc(160000000, "p", &p) == 0 && portable_free(p) == 0);
  MUST(portable_pool_trim(the_pool(), NULL) == 0);
  ASK(portable_free(p));
}

/* Freeing a null pointer: nothing, as for free, except in gatorDeallocate. */
static void null(void) { ASK(portable_free(NULL)); }

static const struct kind kinds_of_pointers[] = {
    {KIND(foreign), .settings = "pool", ERROR(POINTER, "is not a live block && of the default pool && " NO_SLAB)},
    {KIND(foreign), .settings = "disable",
     ERROR(POINTER, "is not a live block && of the default pool && " NOT_IN_THE_HEAP)},
    {KIND(foreign_heap), .settings = "pool", ERROR(POINTER, "is not a live block && of the default pool && " NO_SLAB)},
    {KIND(foreign_heap), .settings = "disable",
     ERROR(POINTER, "is not a live block && of the default pool && " NOT_IN_THE_HEAP)},
    {KIND(foreign_unreadable), .settings = "pool",
     ERROR(POINTER, "is not a live block && of the default pool && " NO_SLAB)},
    {KIND(foreign_unreadable), .settings = "disable",
     ERROR(POINTER, "is not a live block && of the default pool && " NOT_IN_THE_HEAP)},
    {KIND(double_free), .settings = "pool", ERROR(POINTER, "is not a live block && " FREED)},
    {KIND(double_free), .settings = "disable", ERROR(POINTER, "is not a live block && " NOT_IN_THE_HEAP)},
    {KIND(double_free_large), .settings = "pool", ERROR(POINTER, "is not a live block && " FREED)},
    {KIND(double_free_large), .settings = "disable", ERROR(POINTER, "is not a live block && " NOT_IN_THE_HEAP)},
    {KIND(double_free_trimmed), .settings = "pool", ERROR(POINTER, "is not a live block && " NO_SLAB)},
    {KIND(double_free_trimmed), .settings = "disable", ERROR(POINTER, "is not a live block && " NOT_IN_THE_HEAP)},
    {KIND(null), PASSES},
};
const struct table pointers_table = TABLE(kinds_of_pointers, begin_running, end_running);
