!> All of libportable for Fortran in one module: `use portable`.
!>
!> In this module: names only, those of portable_mod (parallel_for, reduce_sum, ...) and of all other modules. The reductions have dim=, and
!> masks that are one logical; arg takes array handles; parallel_for and parallel_reduce take lists, too. Not in this module: C descriptors (portable_cfi_mod), OpenMP and
!> MPI, which are compiled with a program that asks for them. It costs compile time in every file that uses it: docs/fortran/README.md has
!> the figure. A program that has names like these takes the ones that it wants by `only`. Since 0.1.
module portable
  use portable_mod
  use gator_mod
  use gator_more_mod
  use portable_pool_mod
  use portable_system_mod
  use portable_observe_mod
  use portable_reduce_more_mod
  use portable_componentwise_mod
  use portable_mesh_mod, csr => portable_csr, csr64 => portable_csr64, csr_build => portable_csr_build, &
    csr_transpose => portable_csr_transpose, csr_free => portable_csr_free, reorder => portable_reorder, &
    segmented_sum => portable_segmented_sum, &
    segmented_product => portable_segmented_product, segmented_min => portable_segmented_min, &
    segmented_max => portable_segmented_max
  use portable_particles_mod, cell_list => portable_cell_list, cell_list_build => portable_cell_list_build, &
    cell_list_free => portable_cell_list_free, cell_runs => portable_cell_runs, cells_around => portable_cells_around, &
    neighbour_list => portable_neighbour_list, merge_sorted => portable_merge_sorted, merge_by_key => portable_merge_by_key, &
    index_map => portable_index_map, index_map64 => portable_index_map64, map_insert => portable_map_insert, &
    map_find => portable_map_find, map_lookup => portable_map_lookup, map_free => portable_map_free
  use portable_blocks_mod, parallel_blocks => portable_parallel_blocks, thread_block => portable_thread_block, &
    block_barrier => portable_block_barrier, block_fail => portable_block_fail
  use portable_graph_mod, graph_begin => portable_graph_begin, graph_end => portable_graph_end, &
    graph_launch => portable_graph_launch, graph_update => portable_graph_update, graph_destroy => portable_graph_destroy, &
    graph_nodes => portable_graph_nodes
  use portable_array_mod, arg => portable_arg
  use portable_twin_mod
  use portable_record_mod
  use portable_records_twin_mod
  use portable_list_mod, only: parallel_for => portable_parallel_for, parallel_reduce => portable_parallel_reduce, &
    portable_overlap, portable_reduction, portable_result, portable_result_of, portable_view_dimension, portable_view_1, &
    portable_view_2, portable_view_3, portable_view_4, portable_view_5, portable_view_6, portable_view_7, portable_section, &
    portable_section_of, portable_on_device, portable_device_takes, portable_ensure, portable_in_kernel, &
    portable_races_checked, portable_race_cell, portable_shadow, portable_shadow_of, portable_shadow_apart, &
    portable_shadow_read, portable_shadow_write, portable_tile_iteration
  implicit none
  public
end module portable
