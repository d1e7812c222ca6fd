/* operations.c - the operations of this room for rooms below it (internal/edge/above.h). */
#include "../../internal/edge/above.h"
#include "graph.h"

const struct portable__above_graph portable__above_graph = {
    .recording = portable__graph_recording,
    .refuse = portable__graph_refuse,
    .take = portable__graph_take,
    .mark = portable__graph_mark,
    .follow = portable__graph_follow,
    .keep = portable__graph_keep,
    .release = portable__graph_at_end,
};
