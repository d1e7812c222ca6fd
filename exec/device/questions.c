/* questions.c - the table of questions of this room, as it is without Go: empty. In C because C asks. */
#include "questions.h"

const struct portable__device_go portable__device_go __attribute__((weak)) = {0};
