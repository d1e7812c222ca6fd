/* questions.c - the table of this room's questions to Go, empty until capi fills it. In C because C
 * asks. */
#include "questions.h"

const struct portable__edge_go portable__edge_go __attribute__((weak)) = {0};
