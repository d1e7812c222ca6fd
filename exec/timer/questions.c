/* questions.c - the table of questions of this room, empty in programs without Go. */
#include "questions.h"

const struct portable__timer_go portable__timer_go __attribute__((weak)) = {0};
