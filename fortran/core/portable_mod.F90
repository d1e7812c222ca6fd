!> portable_core_mod under short names, as a program uses them: `use portable_mod, only: parallel_for, bounds, tile`.
!>
!> In this module: names only. Not in this module: what they do (portable_core_mod). A program that has names like these of
!> its own takes the ones it wants by `only`, or uses portable_core_mod, whose names all begin with portable_. Since 0.1.
module portable_mod
  use portable_core_mod, &
    tile => portable_tile, bounds_t => portable_bounds_t, bounds => portable_bounds, iterations => portable_iterations, &
    parallel_for => portable_parallel_for, kernel_fail => portable_kernel_fail, fence => portable_fence, &
    parallel_reduce => portable_parallel_reduce, exact_sum => portable_exact, exact_add => portable_exact_add, &
    exact_value => portable_exact_value, exact_value32 => portable_exact_value32, exact_words => portable_exact_words, &
    exact_set_words => portable_exact_set_words, exact_clear => portable_exact_clear, scalar_live_out => portable_liveout, &
    live_out_create => portable_liveout_create, host_read => portable_host_read, host_write => portable_host_write, &
    live_out_get => portable_liveout_get, live_out_destroy => portable_liveout_destroy, &
    device_count => portable_device_count, device_name => portable_device_name, find_device => portable_find_device, &
    default_device => portable_default_device, set_default_device => portable_set_default_device, &
    device_stream => portable_device_stream, num_threads => portable_num_threads, set_num_threads => portable_set_num_threads, &
    timer_start => portable_timer_start, timer_stop => portable_timer_stop, timer_enable => portable_timer_enable, &
    timer_reset => portable_timer_reset, timer_print => portable_timer_print, timer_count => portable_timer_count, &
    timer_total => portable_timer_total, timer_last => portable_timer_last, timer_min => portable_timer_min, &
    timer_max => portable_timer_max, checkpoint => portable_checkpoint, fallback_print => portable_fallback_print, &
    add_atomically => portable_atomic_add, min_atomically => portable_atomic_min, max_atomically => portable_atomic_max, &
    team => portable_team, parallel_outer => portable_parallel_outer, parallel_inner => portable_parallel_inner, &
    inner_sum => portable_inner_sum, inner_min => portable_inner_min, inner_max => portable_inner_max, &
    inner_scan => portable_inner_scan, &
    inner_range => portable_inner_range, single_inner => portable_single_inner, fence_inner => portable_fence_inner, &
    work_division => portable_work_division, divide_work => portable_divide_work, work_grid => portable_work_grid, &
    work_extent => portable_work_extent, work_count => portable_work_count, work_number => portable_work_number, &
    work_unit => portable_work_unit, work_index => portable_work_index, work_place => portable_work_place, &
    work_box => portable_work_box, work_collapse => portable_work_collapse, &
    work_parts => portable_work_parts, work_part => portable_work_part, &
    reduce_sum => portable_reduce_sum, reduce_product => portable_reduce_product, reduce_min => portable_reduce_min, &
    reduce_max => portable_reduce_max, reduce_minloc => portable_reduce_minloc, reduce_maxloc => portable_reduce_maxloc, &
    reduce_any => portable_reduce_any, reduce_all => portable_reduce_all, reduce_count => portable_reduce_count, &
    sort => portable_sort, sort_by_key => portable_sort_by_key, sort_index => portable_sort_index, &
    prefix_sum => portable_prefix_sum, prefix_product => portable_prefix_product, prefix_min => portable_prefix_min, &
    prefix_max => portable_prefix_max, pack_into => portable_pack_into, unpack_into => portable_unpack_into, &
    active_indices => portable_active_indices, parallel_filter => portable_parallel_filter, &
    stream_create => portable_stream_create, stream_destroy => portable_stream_destroy, stream_fence => portable_stream_fence, &
    stream_done => portable_stream_done, stream_call => portable_stream_call, stream_wait_event => portable_stream_wait_event, &
    event_create => portable_event_create, event_destroy => portable_event_destroy, event_record => portable_event_record, &
    event_done => portable_event_done, event_wait => portable_event_wait, &
    add_stream_dependency => portable_add_stream_dependency, arg => portable_arg, cuda_code => portable_cuda_code, &
    device_code => portable_device_code
  use portable_solvers_mod, &
    solve_tridiagonal => portable_solve_tridiagonal, solve_pentadiagonal => portable_solve_pentadiagonal, &
    tridiagonal_column => portable_tridiagonal_column, pentadiagonal_column => portable_pentadiagonal_column, &
    matinv => portable_matinv
  use portable_fft_mod, &
    fft_plan => portable_fft_plan, fft_create => portable_fft_create, fft_destroy => portable_fft_destroy, &
    fft_forward => portable_fft_forward, fft_backward => portable_fft_backward
  use portable_random_mod, &
    random_key_t => portable_random_key_t, random_key => portable_random_key, random_real => portable_random_real, &
    random_real32 => portable_random_real32, random_normal => portable_random_normal, &
    random_integer => portable_random_integer, random_range => portable_random_range
  use portable_random_fill_mod, only: random_fill => portable_random_fill
  implicit none
  public
end module portable_mod
