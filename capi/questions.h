/* questions.h - declares the exports of exports_*.go for C. Private. A call stands between
 * portable__cross_in and portable__cross_out. */
#ifndef PORTABLE__QUESTIONS_H
#define PORTABLE__QUESTIONS_H

#include "../arrays/owner/array.h"
#include "../arrays/owner/questions.h"
#include "../arrays/owner/records_of.h"
#include "../exec/algorithm/call.h"
#include "../exec/device/questions.h"
#include "../exec/graph/questions.h"
#include "../exec/halo/questions.h"
#include "../exec/launch/questions.h"
#include "../exec/race/race.h"
#include "../exec/stage/questions.h"
#include "../exec/timer/questions.h"
#include "../internal/team/team.h"

struct portable__liveout_asked;
struct portable__stream_asked;

#define PORTABLE__BUSY 1 /* returned by go_finalize: a stream has work; wait for it and ask again */

int32_t portable__go_frame(uintptr_t pc, char *text, int32_t room);
portable_status portable__go_init(int32_t gator, portable_config *config);
portable_status portable__go_finalize(int32_t gator); /* or PORTABLE__BUSY */
int32_t portable__go_strict(void);
portable_status portable__go_set_rank(int32_t rank, int32_t local_rank);
int32_t portable__go_rank(int32_t local);
int32_t portable__go_serve(void);
int32_t portable__go_serve_watch(void); /* 1: memory is checked */
void portable__go_served(void);
portable_status portable__go_alloc(size_t bytes, size_t room, portable__text label, size_t label_bytes, uintptr_t *out);
portable_status portable__go_free(uintptr_t addr);
uint32_t portable__go_label(portable__text label, size_t label_bytes);
void portable__go_spill(int32_t shelf, int32_t class_number);
portable_status portable__go_reassigned(uintptr_t addr, portable__text label, size_t label_bytes);
portable_status portable__go_algorithm_refused(struct portable__array_call *call);
portable_status portable__go_reduction_refused(struct portable__reduction_call *call);
portable_status portable__go_extent_refused(portable__text call, portable__text label, portable__text name, int32_t dim, int64_t has, int64_t array);
portable_status portable__go_launch(int32_t device, struct portable__job *job);
portable_status portable__go_launch_refuse(struct portable__launch_asked *asked);
portable_status portable__go_bounds_refuse(portable__text missing, int32_t rank, int32_t order);
portable_status portable__go_kernel_create(portable__text label, size_t block_bytes, portable__arguments_in arguments, size_t count, portable_kernel *kernel_out);
portable_status portable__go_fields_add_refused(portable__fields_in fields, portable__text name, portable__halo_array_in array, int32_t count,
                                                portable__halo_dims_in dims);
portable_status portable__go_halo_box(struct portable__halo *halo, portable__halo_box_in options, int64_t *signature_out);
portable_status portable__go_halo_lists(struct portable__halo *halo, portable__halo_lists_in options, int64_t *balance_out);
void portable__go_halo_balances(uint64_t spec, int64_t *values);
portable_status portable__go_halo_unbalanced(struct portable__halo *halo, int32_t sender);
void portable__go_halo_end(uint64_t spec);
portable_status portable__go_halo_plan(struct portable__halo *halo, portable__fields_in fields, struct portable__halo_plan **plan_out);
portable_status portable__go_particle(struct portable__halo *halo, portable__particles_in particles);
portable_status portable__go_halo_differ(struct portable__halo *halo, portable__fields_in fields, int32_t number);
portable_status portable__go_halo_added(struct portable__halo *halo, portable__fields_in fields);
portable_status portable__go_halo_split(struct portable__halo *halo, int32_t order, portable__halo_lower_in lower, portable_bounds *inner_out,
                                        portable_bounds *rim_out, int32_t *count_out);
portable_status portable__go_halo_blocks(struct portable__halo *halo, portable__fields_in fields, portable__text call, struct portable__halo_plan **plan, portable__block *blocks);
portable_status portable__go_halo_file(portable__text call, portable__text file, int32_t action, int64_t bytes, uint64_t *stamp_out);
portable_status portable__go_fft_create(portable__text label, int32_t type, int64_t n, int32_t dim, portable_fft *plan_out);
portable_status portable__go_stale(portable__text call, uint64_t handle, portable__text kind);
portable_status portable__go_argument_refuse(portable__text label, size_t i, size_t count);
portable_status portable__go_no_host(portable__text label, int32_t version);
portable_status portable__go_device_find(portable__text name, int32_t *number_out);
portable_status portable__go_device_set_default(int32_t number);
portable_status portable__go_set_threads(int32_t n);
portable_status portable__go_timer_refused(portable__timer_asked_in asked);
portable_status portable__go_timers_report(portable__timer_report_in report);
portable_status portable__go_fallback_print(void);
int64_t portable__go_race_begin(portable__text label, size_t label_bytes, int64_t iterations);
void portable__go_race_cells(struct portable__race_array *arrays, int32_t count);
int32_t portable__go_race_apart(struct portable__race_array *arrays, int32_t count, struct portable__race_reference *references,
                                int32_t references_count, struct portable__cut *space);
int32_t portable__go_race_found(struct portable__race_found *found, char *text, size_t room);
void portable__go_race_counted(int32_t number, int64_t elements);
void portable__go_race_unchecked(portable__text label, size_t label_bytes);
portable_status portable__go_stream_refuse(struct portable__stream_asked *asked);
portable_status portable__go_graph_refuse(struct portable__graph_asked *asked);
portable_status portable__go_graph_plan(struct portable__graph_recording *recording);
int32_t portable__go_graph_hold(uint64_t graph, struct portable__graph_block *block);
void portable__go_graph_ended(uint64_t graph);
portable_status portable__go_stream_no_thread(portable_stream stream, int32_t reason);
portable_status portable__go_stream_create(int32_t device, int32_t kind, uintptr_t native, portable_stream *stream_out);
portable_status portable__go_stream_create_default(portable__text call, int32_t device, portable_stream *stream_out);
portable_status portable__go_liveout_refuse(struct portable__liveout_asked *asked);
void portable__go_settle(portable_pool pool, uintptr_t addr); /* waits for the streams that the block at addr depends on */
/* device: 1 where the count lags behind a device, which must be asked. */
void portable__go_depend(void *stream, uint64_t *done, int32_t device, uint64_t number, uintptr_t *addresses, size_t count);
portable_status portable__go_depend_open(void *stream, uint64_t *done, int32_t device, portable_stream handle, uintptr_t address);
portable_status portable__go_pool_create(portable_pool_config *config, portable_pool *out);
portable_status portable__go_pool_destroy(portable_pool pool, int32_t inside); /* inside: a stream */
portable_status portable__go_pool_default(portable_pool *out);
void portable__go_left(void); /* tells portable__memcheck_left of all */
int32_t portable__go_holds(uintptr_t addr); /* 1: a live block of any pool holds it */
portable_status portable__go_pool_of_space(int32_t space, portable_pool *pool_out);
portable_status portable__go_pool_alloc(int32_t space, portable_pool *pool, size_t bytes, size_t room, portable__text label, size_t label_bytes, uintptr_t *out);
portable_status portable__go_pool_free(portable_pool pool, uintptr_t addr);
portable_status portable__go_pool_of(uintptr_t addr, portable_pool *out);
portable_status portable__go_pool_trim(portable_pool pool, uint64_t *out);
portable_status portable__go_pool_check(portable_pool pool);
portable_status portable__go_pool_stats(portable_pool pool, portable_stats *out);
/* Gives one malloc'ed piece: the blocks, then their labels. */
portable_status portable__go_pool_list(portable_pool pool, portable_block **blocks_out, size_t *count_out);
portable_status portable__go_pool_find(portable_pool pool, uintptr_t addr, portable_block *out, char *label, size_t room);
/* 1: a live block of the pool (0: the default one) begins at the address; *out and label say which. */
int32_t portable__go_block_starts(portable_pool pool, uintptr_t addr, portable_block *out, char *label, size_t room);
/* 1: the address is in a slab of a pool, whose name goes into name[room], but in no live block. */
int32_t portable__go_freed(uintptr_t addr, char *name, size_t room);
portable_status portable__go_hook_refused(int32_t has_out, int32_t has_function, uint32_t events);
portable_status portable__go_checks_refused(uint32_t checks);
void portable__go_warn(portable__text text, size_t bytes);
portable_status portable__go_pool_report(portable_pool pool, char *text, size_t bytes, size_t *needed);
portable_status portable__go_stage_begin(struct portable__staging *s);
portable_status portable__go_stage_end(struct portable__staging *s, int32_t outcome);
portable_status portable__go_kernel_set_cuda(portable__kernel_in kernel, portable__cuda_code_in code, struct portable__cuda_program **program_out);
portable_status portable__go_cuda_form(struct portable__cuda_program *program, int32_t index, int32_t variant, int32_t on_host, int32_t *no_compiler_out);
portable_status portable__go_cuda_list(portable__text label, uint32_t key);
int32_t portable__go_cuda_compiles(int32_t index);
size_t portable__go_cuda_log(struct portable__cuda_program *program, char *text, size_t room);
void portable__go_cuda_note(portable__note_in note, char *text, size_t room, char *label, size_t label_room);
void portable__go_cuda_failed(int32_t code, portable__text call, portable__text label);
portable_status portable__go_cuda_refused(portable__cuda_refused_in launch);
portable_status portable__go_device_unreached(portable__unreached_in what);
portable_status portable__go_device_missing(portable__text call, portable__text label, portable_device device);
portable_status portable__go_device_not_cuda(portable__text call, portable__text label, portable_device device);
portable_status portable__go_device_properties(portable_device device, portable_device_properties *out);
portable_status portable__go_device_memory(portable_device device, uint64_t *free_out, uint64_t *total_out);
portable_status portable__go_array_slice(portable_array *array, portable__ranges ranges);
portable_status portable__go_array_subset(portable_array *array, int64_t first, int64_t last);
portable_status portable__go_array_reshape(portable_array *array, int32_t rank, portable__indices extents, portable__indices lower);
portable_status portable__go_array_permute(portable_array *array, portable__dims dims);
portable_status portable__go_array_rebase(portable_array *array, portable__indices lower);
portable_status portable__go_array_compact(portable_array *array, uint64_t *bytes_out);
portable_status portable__go_array_pair(portable__array_in from, portable__array_in to, struct portable__array_plan *plan_out);
portable_status portable__go_array_numbered(portable__array_in array, struct portable__array_plan *plan_out);
portable_status portable__go_array_same(portable__array_in a, portable__array_in b, struct portable__array_plan *plan_out, int32_t *same_out);
/* The first element of what Fortran points to lies *origin_out elements from the array's. */
portable_status portable__go_array_section(portable__array_in array, struct portable__fortran_view *view_out, int64_t *origin_out);
/* Only for the text: the element is not there. */
portable_status portable__go_array_locate(portable__array_in array, int32_t rank, portable__indices index);
portable_status portable__go_layout_rule(portable__text label, portable__text device, portable__text layout, uint64_t row_bytes);
/* Shape and address of a field's array, or (lanes) of one value as it lies in blocks. */
portable_status portable__go_records_field(portable__records_in records, int32_t field, int32_t component, int32_t lanes, portable_array *array);

/* Refusals and plans: arrays/owner/questions.h. */
portable_status portable__go_missing(portable__text argument);
portable_status portable__go_array_refused(struct portable__array_refusal *refusal);
portable_status portable__go_array_far(int32_t space, int32_t asked);
portable_status portable__go_array_pointer(int32_t kind, int32_t rank, int32_t pointer_kind, int32_t pointer_rank);
portable_status portable__go_array_copy_refused(portable__array_in from, portable__array_in to);
portable_status portable__go_twin_refused(struct portable__twin_refusal *refusal);
portable_status portable__go_unfit(int32_t why, uint64_t number);
portable_status portable__go_view(int32_t none, int32_t rank, uint64_t bytes, int32_t of, int32_t order, portable__indices extents);
portable_status portable__go_array_make(struct portable__array_making *making, portable_array *array);
portable_status portable__go_record_add(portable_record *record, portable__text name, int32_t kind, uint64_t value_bytes, int32_t count, int64_t offset);
portable_status portable__go_records_make(struct portable__array_making *making, portable_records *records);
portable_status portable__go_records_alike(portable__records_in from, portable__records_in to);
portable_status portable__go_twin_make(struct portable__twin_making *making, portable_array *host, portable_array *device);
portable_status portable__go_layout_find(portable__text label, int32_t device, int32_t rank, int32_t otherwise, portable_layout *layout);

#endif
