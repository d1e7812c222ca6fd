/* The C between: starts and stops the library. */
#include <portable.h>

int edge_start(void);
int edge_stop(void);
int edge_start(void) { return portable_init(NULL); }
int edge_stop(void) { return portable_finalize(); }
