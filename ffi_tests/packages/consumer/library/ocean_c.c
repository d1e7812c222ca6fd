/* The C side of the user's library. */
#include <portable.h>

int ocean_running(void);
int ocean_running(void) { return portable_is_initialized(); }
