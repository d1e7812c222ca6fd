/* questions.c - fills the tables of questions of all rooms with the exports of Go. The linker takes
 * them in the place of the rooms' empty ones. In C because C asks. */
#include "questions.h"

#include "../arrays/owner/questions.h"
#include "fortran/questions.h"
#include "../exec/algorithm/questions.h"
#include "../exec/device/questions.h"
#include "../exec/graph/questions.h"
#include "../exec/halo/questions.h"
#include "../exec/launch/questions.h"
#include "../exec/liveout/questions.h"
#include "../exec/race/questions.h"
#include "../exec/stage/questions.h"
#include "../exec/stream/questions.h"
#include "../exec/timer/questions.h"
#include "../gator/front/questions.h"
#include "../internal/edge/questions.h"
#include "../internal/memcheck/questions.h"
#include "../internal/observe/questions.h"

const struct portable__edge_go portable__edge_go = {
    .rank = portable__go_rank,
};

const struct portable__observe_go portable__observe_go = {
    .hook_refused = portable__go_hook_refused,
    .checks_refused = portable__go_checks_refused,
    .settle = portable__go_settle,
    .pool_default = portable__go_pool_default,
    .pool_find = portable__go_pool_find,
    .block_starts = portable__go_block_starts,
    .freed = portable__go_freed,
    .warn = portable__go_warn,
};

const struct portable__memcheck_go portable__memcheck_go = {
    .pool_default = portable__go_pool_default,
    .left = portable__go_left,
    .holds = portable__go_holds,
    .pool_find = portable__go_pool_find,
    .freed = portable__go_freed,
};

const struct portable__front_go portable__front_go = {
    .strict = portable__go_strict,
    .serve = portable__go_serve,
    .serve_watch = portable__go_serve_watch,
    .served = portable__go_served,
    .alloc = portable__go_alloc,
    .free = portable__go_free,
    .label = portable__go_label,
    .spill = portable__go_spill,
    .pool_default = portable__go_pool_default,
    .pool_of_space = portable__go_pool_of_space,
    .pool_alloc = portable__go_pool_alloc,
    .pool_free = portable__go_pool_free,
    .pool_find = portable__go_pool_find,
};

const struct portable__timer_go portable__timer_go = {
    .refused = portable__go_timer_refused,
    .report = portable__go_timers_report,
};

const struct portable__launch_go portable__launch_go = {
    .launch = portable__go_launch,
    .refuse = portable__go_launch_refuse,
    .refuse_bounds = portable__go_bounds_refuse,
    .kernel_create = portable__go_kernel_create,
    .stale = portable__go_stale,
    .refuse_argument = portable__go_argument_refuse,
    .no_host = portable__go_no_host,
    .device_find = portable__go_device_find,
    .device_set_default = portable__go_device_set_default,
    .set_threads = portable__go_set_threads,
    .fallback_print = portable__go_fallback_print,
    .holds = portable__go_holds,
};

const struct portable__race_go portable__race_go = {
    .begin = portable__go_race_begin,
    .cells = portable__go_race_cells,
    .apart = portable__go_race_apart,
    .found = portable__go_race_found,
    .counted = portable__go_race_counted,
    .unchecked = portable__go_race_unchecked,
};

const struct portable__stream_go portable__stream_go = {
    .refuse = portable__go_stream_refuse,
    .no_thread = portable__go_stream_no_thread,
    .create = portable__go_stream_create,
    .create_default = portable__go_stream_create_default,
    .depend = portable__go_depend,
    .depend_open = portable__go_depend_open,
};

const struct portable__graph_go portable__graph_go = {
    .refuse = portable__go_graph_refuse,
    .plan = portable__go_graph_plan,
    .hold = portable__go_graph_hold,
    .ended = portable__go_graph_ended,
};

const struct portable__liveout_go portable__liveout_go = {
    .refuse = portable__go_liveout_refuse,
};

const struct portable__device_go portable__device_go = {
    .kernel_set_cuda = portable__go_kernel_set_cuda,
    .cuda_form = portable__go_cuda_form,
    .cuda_list = portable__go_cuda_list,
    .cuda_compiles = portable__go_cuda_compiles,
    .cuda_log = portable__go_cuda_log,
    .cuda_note = portable__go_cuda_note,
    .cuda_failed = portable__go_cuda_failed,
    .cuda_refused = portable__go_cuda_refused,
    .device_unreached = portable__go_device_unreached,
    .device_missing = portable__go_device_missing,
    .device_not_cuda = portable__go_device_not_cuda,
    .device_properties = portable__go_device_properties,
    .device_memory = portable__go_device_memory,
};

const struct portable__stage_go portable__stage_go = {
    .begin = portable__go_stage_begin,
    .end = portable__go_stage_end,
};

const struct portable__algorithm_go portable__algorithm_go = {
    .array_refused = portable__go_algorithm_refused,
    .reduction_refused = portable__go_reduction_refused,
    .fft_create = portable__go_fft_create,
};

const struct portable__halo_go portable__halo_go = {
    .add_refused = portable__go_fields_add_refused,
    .box = portable__go_halo_box,
    .lists = portable__go_halo_lists,
    .balances = portable__go_halo_balances,
    .unbalanced = portable__go_halo_unbalanced,
    .end = portable__go_halo_end,
    .plan = portable__go_halo_plan,
    .particle = portable__go_particle,
    .differ = portable__go_halo_differ,
    .added = portable__go_halo_added,
    .split = portable__go_halo_split,
    .blocks = portable__go_halo_blocks,
    .file = portable__go_halo_file,
};

const struct portable__owner_go portable__owner_go = {
    .missing = portable__go_missing,
    .array_refused = portable__go_array_refused,
    .array_far = portable__go_array_far,
    .array_pointer = portable__go_array_pointer,
    .array_copy_refused = portable__go_array_copy_refused,
    .twin_refused = portable__go_twin_refused,
    .unfit = portable__go_unfit,
    .view = portable__go_view,
    .array_make = portable__go_array_make,
    .record_add = portable__go_record_add,
    .records_make = portable__go_records_make,
    .records_alike = portable__go_records_alike,
    .twin_make = portable__go_twin_make,
    .array_slice = portable__go_array_slice,
    .array_subset = portable__go_array_subset,
    .array_reshape = portable__go_array_reshape,
    .array_permute = portable__go_array_permute,
    .array_rebase = portable__go_array_rebase,
    .array_compact = portable__go_array_compact,
    .array_pair = portable__go_array_pair,
    .array_numbered = portable__go_array_numbered,
    .array_same = portable__go_array_same,
    .array_locate = portable__go_array_locate,
    .layout_rule = portable__go_layout_rule,
    .layout_find = portable__go_layout_find,
    .records_field = portable__go_records_field,
};

const struct portable__capi_fortran_go portable__capi_fortran_go = {
    .reassigned = portable__go_reassigned,
    .array_section = portable__go_array_section,
    .extent_refused = portable__go_extent_refused,
};
