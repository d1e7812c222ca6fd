/* modes.c - floating-point modes and flags over every function of portable.h: what the program has set is the
 * same after each call, and no flag that it raised is lost or invented. modes.sh holds this list and the header
 * together. Not in this file: programs that trap (traps.f90). */
#define _GNU_SOURCE
#include "guest.h"

#include <portable_blocks.h>
#include <portable_graph.h>
#include <portable_mesh.h>
#include <portable_particles.h>
#include <portable_random.h>

#include "modes_given.h"

#include <fenv.h>
#include <math.h>
#if defined(__x86_64__)
#include <xmmintrin.h>
#define FLUSHING 0x8040u /* flush to zero, denormals are zero */
#endif

/* One function a row, in an order in which each finds what it needs. */
#define ROW(name, ...) static void call_##name(void) { __VA_ARGS__; }
ROW(portable_version, portable_version())
ROW(portable_last_error, portable_last_error())
ROW(portable_status_name, portable_status_name(-1))
ROW(portable_init, portable_init(NULL))
ROW(portable_is_initialized, portable_is_initialized())
ROW(portable_run_number, portable_run_number())
ROW(portable_alloc, portable_alloc(12345, "modes", &block))
ROW(portable_free, portable_free(block))
ROW(portable_array_bytes, int64_t n = 10; size_t b; portable_array_bytes(1, &n, NULL, 32, 8, &b))
ROW(portable_pool_create, portable_pool_config c = PORTABLE_POOL_CONFIG_INIT; c.alloc = slab_alloc; c.free = slab_free;
    c.grow_bytes = 1u << 20; portable_pool_create(&c, &pool))
ROW(portable_space_of_device, portable_space_of_device(0))
ROW(portable_pool_of_device, portable_pool p; portable_pool_of_device(0, &p))
ROW(portable_pinned_pool_of_device, portable_pool p; portable_pinned_pool_of_device(0, &p))
ROW(portable_reach, portable_reach(block))
ROW(portable_pool_of, portable_pool p = 0; portable_pool_of(&p, &p))
ROW(portable_pool_of_space, portable_pool p; portable_pool_of_space(PORTABLE_SPACE_HOST, &p))
ROW(portable_pool_default, portable_pool p; portable_pool_default(&p))
ROW(portable_pool_alloc, portable_pool_alloc(pool, 3u << 20, "grows", &own))
ROW(portable_pool_free, portable_pool_free(pool, own))
ROW(portable_pool_trim, portable_pool_trim(pool, NULL))
ROW(portable_pool_check, portable_pool_check(pool))
ROW(portable_pool_stats, portable_stats s; s.struct_size = (uint32_t)sizeof s; portable_pool_stats(pool, &s))
ROW(portable_pool_list, portable_pool_list(pool, visit, NULL))
ROW(portable_pool_find, portable_block b; portable_pool_find(pool, own, &b))
ROW(portable_pool_report, char text[2000]; portable_pool_report(pool, text, sizeof text, NULL))
ROW(portable_pool_destroy, portable_pool_destroy(pool))
ROW(portable_rank, portable_rank())
ROW(portable_local_rank, portable_local_rank())
ROW(portable_set_rank, portable_set_rank(0, 0))
ROW(portable_bounds_make, int64_t n = 10; portable_bounds b; portable_bounds_make(1, 0, NULL, &n, NULL, &b))
ROW(portable_bounds_1, portable_bounds_1(5))
ROW(portable_bounds_2, portable_bounds_2(5, 5))
ROW(portable_bounds_3, portable_bounds_3(5, 5, 5))
ROW(portable_bounds_count, portable_bounds b = portable_bounds_1(5); portable_bounds_count(&b))
ROW(portable_device_count, portable_device_count())
ROW(portable_device_name, portable_device_name(1))
ROW(portable_device_find, portable_device d; portable_device_find("serial", &d))
ROW(portable_set_default_device, portable_set_default_device(portable_default_device()))
ROW(portable_default_device, portable_default_device())
ROW(portable_device_register, portable_device_register(NULL))
ROW(portable_device_share, portable_device_share(NULL, 0))
ROW(portable_device_stream, portable_device_stream(1))
ROW(portable_device_properties_get, portable_device_properties p = PORTABLE_DEVICE_PROPERTIES_INIT; portable_device_properties_get(2, &p))
ROW(portable_device_memory_info, uint64_t rest, all; portable_device_memory_info(2, &rest, &all))
ROW(portable_device_native, portable_device_native(2, NULL, NULL))
ROW(portable_num_threads, portable_num_threads())
ROW(portable_set_num_threads, portable_set_num_threads(3))
ROW(portable_parallel_for, portable_bounds b = portable_bounds_1(1000); portable_parallel_for("modes", &b, kernel, NULL, 0, NULL))
ROW(portable_kernel_fail, portable_kernel_fail(NULL, 1, NULL))
ROW(portable_ensure, portable_ensure())
ROW(portable_in_kernel, portable_in_kernel())
ROW(portable_races_checked, portable_races_checked())
ROW(portable_tile_iteration, portable_tile none; int64_t step[PORTABLE_LOOP_RANK]; memset(&none, 0, sizeof none); portable_tile_iteration(&none, step))
ROW(portable_shadow_of, portable_tile none; portable_shadow s; memset(&none, 0, sizeof none); portable_shadow_of(&none, "a", NULL, 1, 8, 3, &s))
ROW(portable_shadow_read, portable_shadow s; memset(&s, 0, sizeof s); portable_shadow_read(&s, 0, 0, 1))
ROW(portable_shadow_write, portable_shadow s; memset(&s, 0, sizeof s); portable_shadow_write(&s, 0, 0, 1))
ROW(portable_shadow_race, portable_race_cell cell = {(INT64_C(1) << 62) + 8, 0}; portable_shadow s = {&cell, 1, 0, 1, 0, 0}; portable_shadow_race(&s, 0, 2, 1))
ROW(portable__fortran_overlap, struct portable__fortran_argument a; memset(&a, 0, sizeof a); portable__fortran_overlap(&a, 1))
ROW(portable__fortran_device_takes, struct portable__fortran_argument a; memset(&a, 0, sizeof a); portable__fortran_device_takes(&a, 1))
ROW(portable__fortran_on_device, portable__fortran_on_device(0))
ROW(portable__fortran_in_order, struct portable__fortran_argument a; int64_t order[7] = {1}; memset(&a, 0, sizeof a); portable__fortran_in_order(&a, order))
ROW(portable__fortran_swap_kernel, const void *job = NULL; portable__fortran_swap_kernel(&job); portable__fortran_swap_kernel(&job))
ROW(portable__fortran_data_open, portable__fortran_data_open())
ROW(portable__fortran_data, struct portable__fortran_argument a; memset(&a, 0, sizeof a); portable__fortran_data(PORTABLE_VERSION, 1, "modes", 5, &a, 0))
ROW(portable__fortran_parallel_for_embedded, portable_bounds b = portable_bounds_1(10); portable_launch_config c = PORTABLE_LAUNCH_CONFIG_INIT;
    portable__fortran_parallel_for_embedded(PORTABLE_VERSION, "modes", 5, &b, kernel, NULL, 0, NULL, 0, " ", 1, 1, &c, 4, 0))
ROW(portable__fortran_parallel_reduce_embedded, portable_bounds b = portable_bounds_1(10); portable_launch_config c = PORTABLE_LAUNCH_CONFIG_INIT;
    int32_t ran; portable__fortran_parallel_reduce_embedded(PORTABLE_VERSION, "modes", 5, &b, NULL, 0, NULL, 0, " ", 1, 1, &c, 4, 0, &ran))
ROW(portable__fortran_section, struct portable__fortran_section_of s; struct {void *data; int32_t rank, argument; int64_t dim[3];} v = {&s, 1, 0, {1, 5, 2}};
    portable__fortran_section(&v, 1, 8, &s))
ROW(portable__fortran_parallel_for_list, portable_bounds b = portable_bounds_1(10); portable_launch_config c = PORTABLE_LAUNCH_CONFIG_INIT;
    portable__fortran_parallel_for_list(PORTABLE_VERSION, "modes ", 6, &b, kernel, NULL, NULL, 0, &c, 4, 0))
ROW(portable__fortran_shadow_of, portable_tile none; portable_shadow s; memset(&none, 0, sizeof none); portable__fortran_shadow_of(&none, 1, &s))
ROW(portable__fortran_shadow_of_argument, portable_tile none; portable_shadow s; struct portable__fortran_argument a; memset(&none, 0, sizeof none);
    memset(&a, 0, sizeof a); portable__fortran_shadow_of_argument(&none, &a, &s))
ROW(portable__fortran_shadow_apart, portable_tile none; int32_t a = -1; int64_t at[2] = {0, 1}; memset(&none, 0, sizeof none);
    portable__fortran_shadow_apart(&none, &a, 1, at, 1))
ROW(portable__fortran_shadow_read, portable_shadow s; memset(&s, 0, sizeof s); portable__fortran_shadow_read(&s, 0, 0, 1))
ROW(portable__fortran_shadow_write, portable_shadow s; memset(&s, 0, sizeof s); portable__fortran_shadow_write(&s, 0, 0, 1))
ROW(portable__fortran_shadow_read32, portable_shadow s; memset(&s, 0, sizeof s); portable__fortran_shadow_read32(&s, 0, 0, 1))
ROW(portable__fortran_shadow_write32, portable_shadow s; memset(&s, 0, sizeof s); portable__fortran_shadow_write32(&s, 0, 0, 1))
ROW(portable_fence, portable_fence())
ROW(portable_parallel_outer, portable_bounds b = portable_bounds_1(100); portable_parallel_outer("modes", &b, team_kernel, NULL, 0, 4096, NULL))
ROW(portable_work_divide, portable_bounds b = portable_bounds_1(100); portable_work_division w; portable_work_divide(&b, NULL, NULL, &w))
ROW(portable_work_grid, portable_bounds b = portable_bounds_1(100); portable_work_division w; portable_work_divide(&b, NULL, NULL, &w);
    portable_work_grid(&w, &b))
ROW(portable_inner_tile, portable_bounds b = portable_bounds_1(9); portable_tile none, t; portable_team team;
    memset(&none, 0, sizeof none); memset(&team, 0, sizeof team); team.tile = &none; team.size = 1; portable_inner_tile(&team, &b, 0, &t))
ROW(portable_fence_members, portable_team team; memset(&team, 0, sizeof team); team.size = 2; portable_fence_members(&team))
ROW(portable_parallel_blocks, portable_bounds b = portable_bounds_1(100); portable_parallel_blocks("modes", &b, block_threads, block_kernel, NULL, 0, 256, NULL))
ROW(portable_block_wait, portable_bounds b = portable_bounds_1(1); portable_parallel_blocks("modes", &b, block_threads, block_kernel, NULL, 0, 0, NULL))
ROW(portable__fortran_parallel_blocks, portable_bounds b = portable_bounds_1(10); portable_launch_config c = PORTABLE_LAUNCH_CONFIG_INIT;
    portable__fortran_parallel_blocks(PORTABLE_VERSION, "modes ", 6, &b, block_threads, 1, block_kernel, NULL, 0, NULL, -1, 64, &c, 4, 0))
ROW(portable__fortran_block_barrier, portable_bounds b = portable_bounds_1(1); portable_parallel_blocks("modes", &b, block_threads, block_fortran, NULL, 0, 0, NULL))
ROW(portable__fortran_block_barrier_line, portable_bounds b = portable_bounds_1(1); portable_parallel_blocks("modes", &b, block_threads, block_fortran, NULL, 0, 0, NULL))
ROW(portable_inner_members, int64_t l = 1, u = 9, s = 2; portable_team team; memset(&team, 0, sizeof team); team.size = 2;
    portable_inner_members(&team, 1, &l, &u, &s))
ROW(portable__fortran_parallel_outer, portable_bounds b = portable_bounds_1(10); portable_launch_config c = PORTABLE_LAUNCH_CONFIG_INIT;
    portable__fortran_parallel_outer(PORTABLE_VERSION, "modes ", 6, &b, team_kernel, NULL, 0, 64, &c, 4, 0))
ROW(portable_reduce_array, int64_t n = 3; double x[3] = {1, 2, 3}; portable_reduce_array("modes", 1, 6, x, 1, &n, NULL, x))
ROW(portable__fortran_reduce_array, double x[3] = {1, 2, 3}; struct portable__fortran_section a = {x, {&x[1]}, {3}, 6, 1, NULL}, none = {0};
    portable__fortran_reduce_array(PORTABLE_VERSION, "m", 1, 1, &a, &none, 0, 0, 4, x))
ROW(portable_binary, int64_t n = 3; double x[3] = {1, 2, 3}; portable_binary("modes", 1, 6, x, x, x, 1, &n, NULL))
ROW(portable_unary, int64_t n = 3; double x[3] = {1, 2, 3}; portable_unary("modes", PORTABLE_UNARY_ABS, 6, x, x, 1, &n, NULL))
ROW(portable_merge, int64_t n = 3; double x[3] = {1, 2, 3}; int32_t m[3] = {0}; portable_merge("modes", 6, x, x, 11, m, x, 1, &n, NULL))
ROW(portable_fill, int64_t n = 3; double x[3], one = 1; portable_fill("modes", &one, 8, x, 1, &n, NULL))
ROW(portable_random_fill, int64_t n = 3; double x[3]; portable_random_key k = {{1, 2, 3, 4}}; portable_random_fill("modes", 6, k, x, 1, &n, NULL))
ROW(portable__fortran_random_fill, double x[3]; portable_random_key k = {{1, 2, 3, 4}}; struct portable__fortran_section a = {x, {&x[1]}, {3}, 6, 1, NULL};
    portable__fortran_random_fill(PORTABLE_VERSION, "m", 1, &k, &a, 1, 0, "uniform", 7))
ROW(portable__fortran_componentwise, double x[3] = {1, 2, 3}; struct portable__fortran_section a = {x, {&x[1]}, {3}, 6, 1, NULL}, none = {0};
    portable__fortran_componentwise(PORTABLE_VERSION, "m", 1, "abs", 3, &a, &a, &none, &none))
ROW(portable_sort, double x[3] = {3, 1, 2}; portable_sort("modes", PORTABLE_KIND_REAL64, x, 3, NULL))
ROW(portable_sort_by_key, double x[3] = {3, 1, 2}; int32_t v[3] = {1, 2, 3}; portable_sort_by_key("modes", PORTABLE_KIND_REAL64, x, v, 4, 3, NULL))
ROW(portable_sort_index, double x[3] = {3, 1, 2}; int32_t i[3]; portable_sort_index("modes", PORTABLE_KIND_REAL64, x, 3, PORTABLE_KIND_INT32, 1, NULL, i))
ROW(portable__fortran_sort, double x[3] = {3, 1, 2}; struct portable__fortran_section a = {x, {&x[1]}, {3}, 6, 1, NULL};
    portable__fortran_sort(PORTABLE_VERSION, "m", 1, 0, &a))
ROW(portable__fortran_sort_by_key, double x[3] = {3, 1, 2}, v[3] = {1, 2, 3};
    struct portable__fortran_section a = {x, {&x[1]}, {3}, 6, 1, NULL}, b = {v, {&v[1]}, {3}, 6, 1, NULL};
    portable__fortran_sort_by_key(PORTABLE_VERSION, "m", 1, 0, &a, &b))
ROW(portable__fortran_sort_index, double x[3] = {3, 1, 2}; int32_t i[3];
    struct portable__fortran_section a = {x, {&x[1]}, {3}, 6, 1, NULL}, b = {i, {&i[1]}, {3}, 3, 1, NULL};
    portable__fortran_sort_index(PORTABLE_VERSION, "m", 1, 0, &a, &b))
ROW(portable_scan, int64_t n = 3; double x[3] = {1, 2, 3}; portable_scan("modes", 1, 6, x, 1, &n, NULL, x))
#include "modes_columns.h"
ROW(portable_pack, int64_t n = 3, count; double x[3] = {1, 2, 3}, y[3]; const char m[3] = {1, 0, 1};
    portable_pack("modes", 8, x, 1, &n, 9, m, NULL, y, 3, &count))
ROW(portable_unpack, int64_t n = 3, count; double x[3] = {1, 2, 3}, y[3]; const char m[3] = {1, 0, 1};
    portable_unpack("modes", 8, x, 3, 1, &n, 9, m, NULL, y, &count))
ROW(portable_filter_indices, int64_t n = 3, count; int32_t i[3]; const char m[3] = {1, 0, 1};
    portable_filter_indices("modes", 1, &n, 9, m, NULL, 0, 3, i, 3, &count))
ROW(portable_parallel_filter, portable_bounds b = portable_bounds_1(1000); int64_t count; int32_t i[1000];
    portable_parallel_filter("modes", &b, odd, NULL, 0, 3, i, 1000, &count, NULL))
ROW(portable__fortran_scan, double x[3] = {1, 2, 3}; struct portable__fortran_section a = {x, {&x[1]}, {3}, 6, 1, NULL};
    portable__fortran_scan(PORTABLE_VERSION, "m", 1, 1, &a, &a, 0, 0, NULL))
ROW(portable__fortran_pack, double x[3] = {1, 2, 3}, y[3]; const char m[3] = {1, 0, 1}; int32_t count;
    struct portable__fortran_section a = {x, {&x[1]}, {3}, 6, 1, NULL}, b = {y, {&y[1]}, {3}, 6, 1, NULL}, c = {m, {&m[1]}, {3}, 9, 1, NULL}, none = {0};
    portable__fortran_pack(PORTABLE_VERSION, "m", 1, 0, 8, &a, &c, &b, &none, 4, &count))
ROW(portable__fortran_indices, const char m[3] = {1, 0, 1}; int32_t count, i[3];
    struct portable__fortran_section b = {i, {&i[1]}, {3}, 3, 1, NULL}, c = {m, {&m[1]}, {3}, 9, 1, NULL};
    portable__fortran_indices(PORTABLE_VERSION, "m", 1, &c, 1, &b, 4, &count))
ROW(portable__fortran_parallel_filter, portable_bounds b = portable_bounds_1(10); portable_launch_config c = PORTABLE_LAUNCH_CONFIG_INIT;
    int32_t count, i[10]; portable__fortran_parallel_filter(PORTABLE_VERSION, "modes ", 6, &b, (void (*)(void))odd_logicals, NULL, &c, 4, 0, 3, i, 4, 10,
    &count))
ROW(portable_kernel_create, portable_argument a = {"n", PORTABLE_ARGUMENT_INT64, 0, 0, 8}; portable_kernel_create("modes", 8, &a, 1, &object))
ROW(portable_kernel_set_host, portable_kernel_set_host(object, kernel))
ROW(portable_kernel_argument, portable_argument a; portable_kernel_argument(object, 0, &a))
ROW(portable_kernel_set_host_team, portable_kernel_set_host_team(object, team_kernel))
ROW(portable_kernel_set_cuda, portable_cuda_code c = PORTABLE_CUDA_CODE_INIT; c.code = "nothing"; portable_kernel_set_cuda(object, &c))
ROW(portable_kernel_prepare, portable_kernel_prepare(object, 0))
ROW(portable_kernel_cuda_log, char text[8]; portable_kernel_cuda_log(object, text, sizeof text, NULL))
ROW(portable_view_of, char v[64]; portable_array a = PORTABLE_ARRAY_NONE; portable_view_of(&a, 2, v, sizeof v))
ROW(portable_view_make, char v[40]; int64_t n = 3; double x[3]; portable_view_make(x, 1, 0, NULL, &n, v, sizeof v))
ROW(portable_view_outside, portable_view_outside(NULL, 0, 1, 0, 4, 1, 3))
ROW(portable_tile_order, portable_tile t = {{0}, {0}, {1}, 1, 0, 1, 1, 0, NULL, {0}}; portable_tile_order(&t))
ROW(portable_kernel_set_host_reduce, portable_kernel_set_host_reduce(object, reduce))
ROW(portable_launch_reduce, portable_bounds b = portable_bounds_1(100); double total; int64_t n = 1;
    portable_reduction r = PORTABLE_REDUCTION(PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL64, &total); portable_launch_reduce(object, &b, &n, &r, 1, NULL))
ROW(portable_kernel_set_host_block, portable_kernel_set_host_block(object, block_kernel))
ROW(portable_launch_blocks, portable_bounds b = portable_bounds_1(10); int64_t n = 1; portable_launch_blocks(object, &b, block_threads, &n, 64, NULL))
ROW(portable_launch_outer, portable_bounds b = portable_bounds_1(100); int64_t n = 1; portable_launch_outer(object, &b, &n, 64, NULL))
ROW(portable_stream_native, void *native; portable_stream_native(0, &native))
ROW(portable_stream_adopt, int there; portable_stream adopted; portable_stream_adopt(0, &there, &adopted))
ROW(portable_device_enqueue, portable_device_enqueue("modes", 0, 0, nothing_for_a_device, NULL, 0))
ROW(portable_device_reduce, portable_bounds b = portable_bounds_1(100); double total;
    portable_reduction r = PORTABLE_REDUCTION(PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL64, &total); portable_device_reduce("modes", &b, no_leaves, NULL, &r, 1, NULL))
ROW(portable_device_space, portable_bounds b = portable_bounds_1(100); uint32_t grid[3], block[3]; char space[256];
    portable_device_space("modes", &b, 0, 0, (struct portable_launch_space *)(void *)space, grid, block))
ROW(portable_launch, portable_bounds b = portable_bounds_1(1000); int64_t n = 1; portable_launch(object, &b, &n, NULL))
ROW(portable_kernel_destroy, portable_kernel_destroy(object))
ROW(portable_hook_add, portable_hook_add(heard, NULL, PORTABLE_EVENT_ALL, &hook))
ROW(portable_hook_remove, portable_hook_remove(hook))
ROW(portable_set_checks, portable_set_checks(PORTABLE_CHECK_LAUNCH))
ROW(portable_checks, portable_checks())
ROW(portable_exact_init, portable_exact_init(&sum))
ROW(portable_exact_add, portable_exact_add(&sum, 0.1))
ROW(portable_exact_add_array, static const double x[100] = {0.1, 1e-320, 3}; portable_exact_add_array(&sum, x, 100))
ROW(portable_exact_add_array32, static const float x[100] = {0.1f, 1e-40f}; portable_exact_add_array32(&sum, x, 100))
ROW(portable_exact_merge, portable_exact s = sum; portable_exact_merge(&sum, &s))
ROW(portable_exact_normalise, portable_exact_normalise(&sum))
ROW(portable_exact_value, portable_exact_value(&sum))
ROW(portable_exact_value32, portable_exact_value32(&sum))
ROW(portable_parallel_reduce, portable_bounds b = portable_bounds_1(1000); double to = 0;
    portable_reduction r = PORTABLE_REDUCTION(PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL64, &to);
    portable_parallel_reduce("modes", &b, reduce, NULL, 0, &r, 1, NULL))
ROW(portable__fortran_parallel_reduce_block, portable_bounds b = portable_bounds_1(10); portable_launch_config c = PORTABLE_LAUNCH_CONFIG_INIT; double to = 0;
    struct portable__fortran_result r = {&to, NULL, PORTABLE_KIND_REAL64, PORTABLE_REDUCE_SUM, 0, 0, 0, 0};
    portable__fortran_parallel_reduce_block(PORTABLE_VERSION, "modes ", 6, &b, reduce, &r, 1, NULL, 0, &c, 4, 0))
ROW(portable__fortran_parallel_reduce_list, portable_bounds b = portable_bounds_1(10); portable_launch_config c = PORTABLE_LAUNCH_CONFIG_INIT; double to = 0;
    struct portable__fortran_result r = {&to, NULL, PORTABLE_KIND_REAL64, PORTABLE_REDUCE_SUM, 0, 0, 0, 0};
    portable__fortran_parallel_reduce_list(PORTABLE_VERSION, "modes ", 6, &b, reduce, NULL, &r, 1, NULL, 0, &c, 4, 0))
#include "modes_arrays.h"
ROW(portable_liveout_create, portable_liveout_create("modes", PORTABLE_KIND_REAL64, NULL, &liveout))
ROW(portable_liveout_host_read, double x; portable_liveout_host_read(liveout, PORTABLE_KIND_REAL64, &x))
ROW(portable_liveout_host_read_int32, int32_t x; portable_liveout_host_read_int32(liveout, &x))
ROW(portable_liveout_host_read_int64, int64_t x; portable_liveout_host_read_int64(liveout, &x))
ROW(portable_liveout_host_read_real32, float x; portable_liveout_host_read_real32(liveout, &x))
ROW(portable_liveout_host_read_real64, double x; portable_liveout_host_read_real64(liveout, &x))
ROW(portable_liveout_host_write, double x = 1; portable_liveout_host_write(liveout, PORTABLE_KIND_REAL64, &x))
ROW(portable_liveout_host_write_int32, portable_liveout_host_write_int32(liveout, 1))
ROW(portable_liveout_host_write_int64, portable_liveout_host_write_int64(liveout, 1))
ROW(portable_liveout_host_write_real32, portable_liveout_host_write_real32(liveout, 1))
ROW(portable_liveout_host_write_real64, portable_liveout_host_write_real64(liveout, 1))
ROW(portable_liveout_pointer, void *p; portable_liveout_pointer(liveout, PORTABLE_KIND_REAL64, &p))
ROW(portable_liveout_destroy, portable_liveout_destroy(liveout))
ROW(portable_stream_create, portable_stream_create(0, PORTABLE_STREAM_ASYNC, &stream))
ROW(portable_stream_device, portable_stream_device(stream))
ROW(portable_stream_kind, portable_stream_kind(stream))
ROW(portable_stream_call, portable_bounds b = portable_bounds_1(1000); portable_launch_config c = PORTABLE_LAUNCH_CONFIG_INIT;
    c.stream = stream; portable_parallel_for("modes", &b, kernel, NULL, 0, &c); portable_stream_call(stream, called, NULL))
ROW(portable_stream_release, portable_stream_release(stream, called, NULL))
ROW(portable_event_create, portable_event_create(&event))
ROW(portable_event_record, portable_event_record(event, stream))
ROW(portable_event_query, int32_t done; portable_event_query(event, &done))
ROW(portable_stream_wait_event, portable_stream_wait_event(stream, event))
ROW(portable_event_wait, portable_event_wait(event))
ROW(portable_event_destroy, portable_event_destroy(event))
ROW(portable_stream_query, int32_t done; portable_stream_query(stream, &done))
ROW(portable_stream_fence, portable_stream_fence(stream))
ROW(portable_fence_memory, portable_fence_memory(block))
ROW(portable_add_stream_dependency, portable_alloc(1000, NULL, &block); portable_add_stream_dependency(block, stream); portable_free(block))
ROW(portable_graph_begin, portable_graph_begin(stream, &graph); portable_bounds b = portable_bounds_1(1000); portable_launch_config c = PORTABLE_LAUNCH_CONFIG_INIT;
    c.stream = stream; portable_parallel_for("modes", &b, kernel, &block, sizeof block, &c))
ROW(portable_graph_end, portable_graph_end(graph))
ROW(portable_graph_nodes, int32_t n; portable_graph_nodes(graph, &n))
ROW(portable_graph_update, portable_graph_update(graph, 0, &block, sizeof block))
ROW(portable_graph_launch, portable_graph_launch(graph, stream); portable_stream_fence(stream))
ROW(portable_graph_destroy, portable_graph_destroy(graph))
ROW(portable_stream_destroy, portable_stream_destroy(stream))
ROW(portable__fortran_parallel_for, portable_bounds b = portable_bounds_1(10); portable_launch_config c = PORTABLE_LAUNCH_CONFIG_INIT;
    portable__fortran_parallel_for(PORTABLE_VERSION, "modes ", 6, &b, kernel, NULL, 0, &c, 4, 0))
ROW(portable__fortran_parallel_for_arguments, portable_bounds b = portable_bounds_1(10); portable_launch_config c = PORTABLE_LAUNCH_CONFIG_INIT;
    struct portable__fortran_argument a = {.kind = PORTABLE_KIND_REAL64, .value = "1234567"};
    portable__fortran_parallel_for_arguments(PORTABLE_VERSION, "modes ", 6, &b, kernel, NULL, &a, 1, &c, 4, 0))
ROW(portable__fortran_parallel_outer_arguments, portable_bounds b = portable_bounds_1(10); portable_launch_config c = PORTABLE_LAUNCH_CONFIG_INIT;
    struct portable__fortran_argument a = {.kind = PORTABLE_KIND_REAL64, .value = "1234567"};
    portable__fortran_parallel_outer_arguments(PORTABLE_VERSION, "modes 2", 7, &b, team_kernel, NULL, &a, 1, 0, &c, 4, 0))
ROW(portable__fortran_cuda_code, struct portable__fortran_code code = {.form = 1, .lines = 1, .line_bytes = 4};
    portable__fortran_cuda_code(PORTABLE_VERSION, "modes ", 6, &code, "m.cu", " ", " "))
ROW(portable__fortran_parallel_reduce, portable_bounds b = portable_bounds_1(10); portable_launch_config c = PORTABLE_LAUNCH_CONFIG_INIT; double to = 0;
    struct portable__fortran_reduction what = {.kind = PORTABLE_KIND_REAL64, .count = 1, .operation = {PORTABLE_REDUCE_SUM}, .results = &to};
    portable__fortran_parallel_reduce(PORTABLE_VERSION, "modes ", 6, &b, (void (*)(void))fortran_reduce, NULL, &c, 4, 0, &what))
ROW(portable__fortran_parallel_reduce_user, portable_bounds b = portable_bounds_1(10); portable_launch_config c = PORTABLE_LAUNCH_CONFIG_INIT; double to = 0, zero = 0;
    struct portable__fortran_reduction what = {.count = 1, .bytes = sizeof to, .results = &to, .identity = &zero};
    portable__fortran_parallel_reduce_user(PORTABLE_VERSION, "modes ", 6, &b, (void (*)(void))fortran_reduce, NULL, &c, 4, 0, &what,
                                           (void (*)(void))fortran_combine, NULL))
ROW(portable__fortran_kernel_fail, portable__fortran_kernel_fail(NULL, 1, " ", 1))
ROW(portable_timers_enable, portable_timers_enable(PORTABLE_TIMERS_LAUNCHES))
ROW(portable_timers_enabled, portable_timers_enabled())
ROW(portable_timer_start, portable_timer_start("modes"))
ROW(portable_timer_stop, portable_timer_stop("modes"))
ROW(portable__fortran_timer, portable__fortran_timer(PORTABLE_VERSION, 1, "modes ", 6); portable__fortran_timer(PORTABLE_VERSION, 0, "modes ", 6))
ROW(portable_checkpoint, portable_checkpoint("modes"))
ROW(portable__fortran_checkpoint, portable__fortran_checkpoint("modes ", 6))
ROW(portable_timer_get, portable_timer_stats s; s.struct_size = (uint32_t)sizeof s; portable_timer_get("modes", 1, &s))
ROW(portable__fortran_timer_get, portable_timer_stats s; s.struct_size = (uint32_t)sizeof s; portable__fortran_timer_get("modes ", 6, 0, &s))
ROW(portable_timers_report, char text[2000]; portable_timers_report(text, sizeof text, NULL))
ROW(portable_timers_json, char text[2000]; portable_timers_json(text, sizeof text, NULL))
ROW(portable_timers_print, portable_timers_print("/dev/null/none"))
ROW(portable_fallback_list, portable_fallback_list(see_fallback, NULL))
ROW(portable_fallback_print, portable_fallback_print())
ROW(portable_timers_pack, char packs[20000]; size_t n; portable_timers_pack(packs, sizeof packs, &n))
ROW(portable_timers_merged_report, char text[2000]; portable_timers_merged_report("other", 5, text, sizeof text, NULL); portable_timers_merged_report(NULL, 0, text, sizeof text, NULL))
ROW(portable_timers_merged_json, char text[2000]; portable_timers_merged_json(NULL, 0, text, sizeof text, NULL))
ROW(portable_timers_merged_print, portable_timers_merged_print(NULL, 0, "/dev/null/none"))
ROW(portable_timers_reset, portable_timers_reset())
ROW(portable_timers_set_hooks, portable_timer_hooks h = PORTABLE_TIMER_HOOKS_INIT; portable_timers_set_hooks(&h); portable_timers_set_hooks(NULL))
ROW(portable__fortran_atomic_add_int32, int32_t x = 1, old; portable__fortran_atomic_add_int32(&x, 1, &old))
ROW(portable__fortran_atomic_add_int64, int64_t x = 1, old; portable__fortran_atomic_add_int64(&x, 1, &old))
ROW(portable__fortran_atomic_add_real32, float x = 1, old; portable__fortran_atomic_add_real32(&x, 1, &old))
ROW(portable__fortran_atomic_add_real64, double x = 1, old; portable__fortran_atomic_add_real64(&x, 1, &old))
ROW(portable__fortran_atomic_min_int32, int32_t x = 1, old; portable__fortran_atomic_min_int32(&x, 1, &old))
ROW(portable__fortran_atomic_min_int64, int64_t x = 1, old; portable__fortran_atomic_min_int64(&x, 1, &old))
ROW(portable__fortran_atomic_min_real32, float x = 1, old; portable__fortran_atomic_min_real32(&x, 1, &old))
ROW(portable__fortran_atomic_min_real64, double x = 1, old; portable__fortran_atomic_min_real64(&x, 1, &old))
ROW(portable__fortran_atomic_max_int32, int32_t x = 1, old; portable__fortran_atomic_max_int32(&x, 1, &old))
ROW(portable__fortran_atomic_max_int64, int64_t x = 1, old; portable__fortran_atomic_max_int64(&x, 1, &old))
ROW(portable__fortran_atomic_max_real32, float x = 1, old; portable__fortran_atomic_max_real32(&x, 1, &old))
ROW(portable__fortran_atomic_max_real64, double x = 1, old; portable__fortran_atomic_max_real64(&x, 1, &old))
ROW(portable_finalize, portable_finalize())
ROW(gatorInit, gatorInit())
ROW(gatorAllocate, block = gatorAllocate(1000))
ROW(gatorDeallocate, gatorDeallocate(block))
ROW(gatorFinalize, gatorFinalize())
ROW(portable__fortran_init, portable__fortran_init(PORTABLE_VERSION, NULL))
ROW(portable__fortran_allocate, int64_t n = 1000; portable__fortran_allocate(PORTABLE_VERSION, 1, &n, NULL, 32, 8, "h ", 2, NULL, &block))
ROW(portable__fortran_fill, double x = 1; portable__fortran_fill(block, &x, sizeof x, 1000))
ROW(portable__fortran_strict, portable__fortran_strict())
ROW(portable__fortran_space_alloc, portable_pool pool; void *p = NULL; portable__fortran_space_alloc(1, 100, "modes", &pool, &p); portable_free(p))
ROW(portable__fortran_cuda_log, char text[9]; size_t n; portable__fortran_cuda_log("modes", 5, text, sizeof text, &n))
ROW(portable__fortran_deallocate, portable__fortran_deallocate(block))
ROW(portable__fortran_finalize, portable__fortran_finalize())

#define CALL(name) {#name, call_##name}
static const struct { const char *name; void (*call)(void); } calls[] = {
  CALL(portable_version), CALL(portable_last_error), CALL(portable_status_name), CALL(portable_set_rank),
  CALL(portable_rank), CALL(portable_local_rank), CALL(portable_init),
  CALL(portable_is_initialized), CALL(portable_run_number), CALL(portable_alloc), CALL(portable_free), CALL(portable_array_bytes),
  CALL(portable_pool_default), CALL(portable_space_of_device), CALL(portable_pool_of), CALL(portable_pool_of_space), CALL(portable_pool_of_device), CALL(portable_pinned_pool_of_device), CALL(portable_reach), CALL(portable_pool_create), CALL(portable_pool_alloc), CALL(portable_pool_find),
  CALL(portable_pool_list), CALL(portable_pool_stats), CALL(portable_pool_report), CALL(portable_pool_check),
  CALL(portable_pool_free), CALL(portable_pool_trim), CALL(portable_pool_destroy), CALL(portable_bounds_make),
  CALL(portable_bounds_1), CALL(portable_bounds_2), CALL(portable_bounds_3), CALL(portable_bounds_count),
  CALL(portable_device_count), CALL(portable_device_name), CALL(portable_device_find), CALL(portable_default_device),
  CALL(portable_set_default_device), CALL(portable_device_register), CALL(portable_device_share),
  CALL(portable_device_stream), CALL(portable_device_properties_get), CALL(portable_device_memory_info), CALL(portable_device_native),
  CALL(portable_set_num_threads),
  CALL(portable_num_threads), CALL(portable_parallel_for), CALL(portable_kernel_fail), CALL(portable_fence),
  CALL(portable_ensure), CALL(portable_in_kernel), CALL(portable_races_checked), CALL(portable_tile_iteration), CALL(portable_shadow_of),
  CALL(portable_shadow_read), CALL(portable_shadow_write),
  CALL(portable_shadow_race), CALL(portable__fortran_overlap), CALL(portable__fortran_device_takes), CALL(portable__fortran_in_order), CALL(portable__fortran_swap_kernel), CALL(portable__fortran_on_device), CALL(portable__fortran_data_open), CALL(portable__fortran_data), CALL(portable__fortran_parallel_for_embedded), CALL(portable__fortran_parallel_reduce_embedded), CALL(portable__fortran_section), CALL(portable__fortran_parallel_for_list),
  CALL(portable__fortran_parallel_reduce_list), CALL(portable__fortran_parallel_reduce_block), CALL(portable__fortran_shadow_of), CALL(portable__fortran_shadow_of_argument),
  CALL(portable__fortran_shadow_apart),
  CALL(portable__fortran_shadow_read), CALL(portable__fortran_shadow_write), CALL(portable__fortran_shadow_read32), CALL(portable__fortran_shadow_write32),
  CALL(portable_hook_add), CALL(portable_set_checks), CALL(portable_checks), /* what follows is watched */
  CALL(portable_parallel_outer), CALL(portable_inner_tile), CALL(portable_fence_members), CALL(portable_parallel_blocks), CALL(portable_block_wait),
  CALL(portable__fortran_parallel_blocks), CALL(portable__fortran_block_barrier), CALL(portable__fortran_block_barrier_line), CALL(portable_inner_members), CALL(portable_work_divide), CALL(portable_work_grid),
  CALL(portable__fortran_parallel_outer),
  CALL(portable_reduce_array), CALL(portable__fortran_reduce_array),
  CALL(portable_binary), CALL(portable_unary), CALL(portable_merge), CALL(portable_fill), CALL(portable__fortran_componentwise),
  CALL(portable_random_fill), CALL(portable__fortran_random_fill),
  CALL(portable_sort), CALL(portable_sort_by_key), CALL(portable_sort_index),
  CALL(portable__fortran_sort), CALL(portable__fortran_sort_by_key), CALL(portable__fortran_sort_index),
  CALL(portable_solve_tridiagonal), CALL(portable_solve_pentadiagonal), CALL(portable__fortran_solve),
  CALL(portable_fft_create), CALL(portable_fft_forward), CALL(portable_fft_backward), CALL(portable__fortran_fft), CALL(portable_fft_destroy),
  CALL(portable__fortran_fft_create),
  CALL(portable_csr_build), CALL(portable_csr_counts), CALL(portable_csr_transpose), CALL(portable_csr_free), CALL(portable__fortran_csr_build),
  CALL(portable__fortran_csr_counts), CALL(portable__fortran_csr_transpose), CALL(portable__fortran_csr_free),
  CALL(portable_reorder), CALL(portable__fortran_reorder), CALL(portable_segmented_reduce), CALL(portable__fortran_segmented),
  CALL(portable_cell_list_build), CALL(portable_cell_list_free), CALL(portable_neighbour_list), CALL(portable_merge_sorted), CALL(portable_merge_by_key),
  CALL(portable_map_insert), CALL(portable_map_find), CALL(portable_map_free), CALL(portable__fortran_cell_list), CALL(portable__fortran_neighbours),
  CALL(portable__fortran_merge), CALL(portable__fortran_map_insert), CALL(portable__fortran_map_find),
  CALL(portable_scan), CALL(portable_pack), CALL(portable_unpack), CALL(portable_filter_indices), CALL(portable_parallel_filter),
  CALL(portable__fortran_scan), CALL(portable__fortran_pack), CALL(portable__fortran_indices), CALL(portable__fortran_parallel_filter),
  CALL(portable_array_create), CALL(portable_array_wrap), CALL(portable_array_is_allocated), CALL(portable_array_use_count),
  CALL(portable_array_retain), CALL(portable_array_fill), CALL(portable_array_slice), CALL(portable_array_subset_slowest),
  CALL(portable_array_reshape), CALL(portable_array_collapse), CALL(portable_array_permute), CALL(portable_array_rebase),
  CALL(portable_array_copy), CALL(portable_array_copy_start), CALL(portable_array_equal), CALL(portable_array_checksum), CALL(portable_array_data),
  CALL(portable_array_locate), CALL(portable_array_element), CALL(portable_array_release), CALL(portable_array_host_copy),
  CALL(portable_array_host_object), CALL(portable_array_device_copy), CALL(portable_array_device_object),
  CALL(portable_array_owner_retain), CALL(portable_array_owner_use_count), CALL(portable_array_owner_release),
  CALL(portable_array_owner_deallocate), CALL(portable__fortran_array_create), CALL(portable__fortran_array_wrap),
  CALL(portable__fortran_array_describe), CALL(portable__fortran_array_from_cfi), CALL(portable__fortran_array_to_cfi),
  CALL(portable__fortran_array_get), CALL(portable_layout_rule), CALL(portable_layout_find), CALL(portable_twin_create),
  CALL(portable_twin_host), CALL(portable_twin_modified_host), CALL(portable_twin_sync_device), CALL(portable_twin_device),
  CALL(portable_twin_modified_device), CALL(portable_twin_sync_host), CALL(portable_twin_discard_host),
  CALL(portable_twin_discard_device), CALL(portable_twin_query), CALL(portable_twin_retain), CALL(portable_twin_release),
  CALL(portable_twin_wrap), CALL(portable__fortran_twin_create), CALL(portable__fortran_twin_wrap),
  CALL(portable_kind_bytes), CALL(portable_record_begin), CALL(portable_record_add), CALL(portable_record_find),
  CALL(portable_records_bytes), CALL(portable_records_create), CALL(portable_records_wrap), CALL(portable_records_wrap_fields),
  CALL(portable_records_copy), CALL(portable_records_field), CALL(portable_records_lanes), CALL(portable_records_element),
  CALL(portable_records_retain), CALL(portable_records_release), CALL(portable__fortran_record_add), CALL(portable__fortran_record_find),
  CALL(portable__fortran_records_create), CALL(portable__fortran_records_twin_side), CALL(portable__records_twin_bytes), CALL(portable__records_twin_named),
  CALL(portable__fortran_records_field),
  CALL(portable__fortran_twin_modified), CALL(portable__fortran_twin_sync), CALL(portable__fortran_layout_rule),
  CALL(portable_fields_create), CALL(portable_fields_add), CALL(portable_halo_lists), CALL(portable_halo_box), CALL(portable_halo_own),
  CALL(portable_halo_split), CALL(portable_halo_begin), CALL(portable_halo_end), CALL(portable_halo_add), CALL(portable_halo_cancel), CALL(portable_particles_migrate), CALL(portable_particles_ghosts),
  CALL(portable__restart_begin), CALL(portable__restart_move), CALL(portable__restart_file), CALL(portable__restart_fail), CALL(portable__restart_end), CALL(portable_halo_destroy),
  CALL(portable_fields_destroy), CALL(portable__fortran_fields_add), CALL(portable__fortran_fields_add_handle),
  CALL(portable__fortran_halo_box), CALL(portable__fortran_halo_lists), CALL(portable__fortran_particles_migrate), CALL(portable__fortran_particles_ghosts), CALL(portable_array_deallocate),
  CALL(portable_kernel_create), CALL(portable_kernel_set_host), CALL(portable_kernel_argument), CALL(portable_launch),
  CALL(portable_kernel_set_host_team), CALL(portable_kernel_set_cuda), CALL(portable_kernel_prepare), CALL(portable_kernel_cuda_log),
  CALL(portable_view_of), CALL(portable_view_make), CALL(portable_view_outside), CALL(portable_tile_order), CALL(portable_launch_outer),
  CALL(portable_kernel_set_host_block), CALL(portable_launch_blocks),
  CALL(portable_kernel_set_host_reduce), CALL(portable_launch_reduce),
  CALL(portable_stream_native), CALL(portable_stream_adopt), CALL(portable_device_enqueue), CALL(portable_device_reduce), CALL(portable_device_space),
  CALL(portable_kernel_destroy), CALL(portable_stream_create), CALL(portable_stream_device), CALL(portable_stream_kind),
  CALL(portable_stream_call), CALL(portable_stream_release), CALL(portable_event_create), CALL(portable_event_record), CALL(portable_event_query),
  CALL(portable_stream_wait_event), CALL(portable_event_wait), CALL(portable_event_destroy), CALL(portable_stream_query),
  CALL(portable_stream_fence), CALL(portable_fence_memory), CALL(portable_add_stream_dependency), CALL(portable_graph_begin), CALL(portable_graph_end),
  CALL(portable_graph_nodes), CALL(portable_graph_update), CALL(portable_graph_launch), CALL(portable_graph_destroy), CALL(portable_stream_destroy),
  CALL(portable_timers_enable), CALL(portable_timers_enabled), CALL(portable_timer_start), CALL(portable_timer_stop),
  CALL(portable__fortran_timer), CALL(portable_checkpoint), CALL(portable__fortran_checkpoint), CALL(portable_timer_get), CALL(portable__fortran_timer_get), CALL(portable_timers_report),
  CALL(portable_timers_json), CALL(portable_timers_print), CALL(portable_timers_reset), CALL(portable_timers_set_hooks),
  CALL(portable_fallback_list), CALL(portable_fallback_print),
  CALL(portable_timers_pack), CALL(portable_timers_merged_report), CALL(portable_timers_merged_json), CALL(portable_timers_merged_print),
  CALL(portable__fortran_atomic_add_int32), CALL(portable__fortran_atomic_add_int64), CALL(portable__fortran_atomic_add_real32),
  CALL(portable__fortran_atomic_add_real64), CALL(portable__fortran_atomic_min_int32), CALL(portable__fortran_atomic_min_int64),
  CALL(portable__fortran_atomic_min_real32), CALL(portable__fortran_atomic_min_real64), CALL(portable__fortran_atomic_max_int32),
  CALL(portable__fortran_atomic_max_int64), CALL(portable__fortran_atomic_max_real32), CALL(portable__fortran_atomic_max_real64),
  CALL(portable__fortran_parallel_for), CALL(portable__fortran_kernel_fail), CALL(portable_hook_remove), CALL(portable_finalize),
  CALL(portable_exact_init), CALL(portable_exact_add), CALL(portable_exact_add_array),
  CALL(portable_exact_add_array32), CALL(portable_exact_merge), CALL(portable_exact_normalise), CALL(portable_exact_value),
  CALL(portable_exact_value32), CALL(portable_parallel_reduce), CALL(portable_liveout_create), CALL(portable_liveout_host_write),
  CALL(portable_liveout_host_read), CALL(portable_liveout_host_read_int32), CALL(portable_liveout_host_read_int64),
  CALL(portable_liveout_host_read_real32), CALL(portable_liveout_host_read_real64), CALL(portable_liveout_host_write_int32),
  CALL(portable_liveout_host_write_int64), CALL(portable_liveout_host_write_real32), CALL(portable_liveout_host_write_real64),
  CALL(portable_liveout_pointer), CALL(portable_liveout_destroy),
  CALL(portable__fortran_parallel_for), CALL(portable__fortran_cuda_code), CALL(portable__fortran_parallel_for_arguments), CALL(portable__fortran_parallel_outer_arguments), CALL(portable__fortran_parallel_reduce), CALL(portable__fortran_parallel_reduce_user), CALL(portable__fortran_kernel_fail), CALL(portable_finalize),
  CALL(gatorInit), CALL(gatorAllocate), CALL(gatorDeallocate), CALL(gatorFinalize),
  CALL(portable__fortran_init), CALL(portable__fortran_allocate), CALL(portable__fortran_fill),
  CALL(portable__fortran_strict), CALL(portable__fortran_space_alloc), CALL(portable__fortran_cuda_log), CALL(portable__fortran_deallocate), CALL(portable__fortran_finalize)};

static void run(const char *mode, int rounding, int flags, unsigned set) {
  size_t i;
  for (i = 0; i < sizeof calls / sizeof calls[0]; i++) {
    int got_rounding, got_flags;
    unsigned control = 0, after = 0;
    feclearexcept(FE_ALL_EXCEPT);
    feraiseexcept(flags);
    fesetround(rounding);
#if defined(__x86_64__)
    _mm_setcsr(_mm_getcsr() | set);
    control = _mm_getcsr();
#endif
    calls[i].call();
#if defined(__x86_64__)
    after = _mm_getcsr();
    _mm_setcsr(0x1f80);
#endif
    got_rounding = fegetround();
    got_flags = fetestexcept(FE_ALL_EXCEPT);
    fesetround(FE_TONEAREST);
#if defined(__x86_64__)
    got_rounding = rounding; /* in `after`, with all the rest */
    got_flags = flags;
#else
    (void)set;
#endif
    if (got_rounding != rounding || got_flags != flags || after != control) {
      check_failures++;
      printf("%s: %s: rounding %d -> %d, flags %x -> %x, control %x -> %x\n", mode, calls[i].name, rounding,
             got_rounding, (unsigned)flags, (unsigned)got_flags, control, after);
    }
  }
}

int main(void) {
  run("plain", FE_TONEAREST, 0, 0);
  run("flags", FE_TONEAREST, FE_DIVBYZERO | FE_INVALID, 0);
  run("other flags", FE_TONEAREST, FE_OVERFLOW | FE_UNDERFLOW | FE_INEXACT, 0);
  run("up", FE_UPWARD, FE_INEXACT, 0);
  run("down", FE_DOWNWARD, 0, 0);
  run("to zero", FE_TOWARDZERO, FE_DIVBYZERO, 0);
#if defined(__x86_64__)
  run("flushing", FE_TONEAREST, FE_OVERFLOW, FLUSHING);
  run("flushing, up", FE_UPWARD, 0, FLUSHING);
#endif
  /* Everything trapped: a call that computes with the program's traps on ends by SIGFPE. */
  feclearexcept(FE_ALL_EXCEPT);
#if defined(__x86_64__)
  {
    size_t i;
    for (i = 0; i < sizeof calls / sizeof calls[0]; i++) {
      _mm_setcsr(0x1f80 & ~0x1f80u);
      calls[i].call();
      CHECK(_mm_getcsr() == 0);
    }
    _mm_setcsr(0x1f80);
  }
#endif
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  return check_end();
}
