/* questions.c - the table of questions of this room, empty in programs without Go. */
#include "questions.h"

const struct portable__algorithm_go portable__algorithm_go __attribute__((weak)) = {0};
