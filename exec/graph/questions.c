/* questions.c - the table of questions of this room, empty in programs without Go. */
#include "questions.h"

const struct portable__graph_go portable__graph_go __attribute__((weak)) = {0};
