!> Graphs for Fortran: launches into streams that are recorded once and replayed with one launch.
!>
!>     call portable_graph_begin(g, s1)          ! what enters s1, and streams that wait for its events, is recorded and does not run
!>     call portable_parallel_for('A', portable_bounds(n), c_funloc(kernel_a), c_loc(a), c_sizeof(a), stream=s1)
!>     call portable_graph_end(g)
!>     do step = 1, steps
!>       call portable_graph_launch(g, s1)
!>     end do
!>     call portable_stream_fence(s1)
!>     call portable_graph_destroy(g)
!>
!> In this module: these, portable_graph_update and portable_graph_nodes. The module portable has them without portable_. Not in this
!> module: streams and events (portable_core_mod). Rules of recordings, memory, order and errors: portable_graph.h.
!>
!> Graphs and streams are integer(int64). A kernel is recorded as the c_funloc of a bind(c) subroutine with its argument block, which is
!> copied; an ordinary procedure is refused, because it sees variables of its caller, which may be gone at a replay. A gator_deallocate
!> of an array whose address is in a block is deferred until the graph is destroyed.
!> Optional arguments: stat= and errmsg=, as everywhere in this library. Threads: one thread records; others may launch. Since 0.1.
module portable_graph_mod
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int64
  use gator_mod, only: gator_internal_finish
  implicit none
  private

  public :: portable_graph_begin, portable_graph_end, portable_graph_launch, portable_graph_update, portable_graph_destroy
  public :: portable_graph_nodes

  include 'portable_graph_c.inc'

contains

  !> Begins to record what this thread puts into the stream, an asynchronous one that portable_stream_create has made. Until the end,
  !> this thread neither fences nor allocates. Errors: gator_err_handle, _state (the thread or the stream records already; a
  !> synchronous stream), _nomem. Source: cudaStreamBeginCapture. Since 0.1.
  recursive subroutine portable_graph_begin(graph, stream, stat, errmsg)
    integer(int64), intent(out) :: graph
    integer(int64), intent(in) :: stream
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    integer(c_int32_t) :: status
    status = c_graph_begin(stream, graph)
    call gator_internal_finish(status, 'portable_graph_begin', stat, errmsg)
  end subroutine

  !> Ends the recording; the streams take work again. Errors: gator_err_handle, _state (the graph does not record; the first stream does
  !> not wait for one of the others), _nomem, or the first error of a call that should have been recorded. Since 0.1.
  recursive subroutine portable_graph_end(graph, stat, errmsg)
    integer(int64), intent(in) :: graph
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    call gator_internal_finish(c_graph_end(graph), 'portable_graph_end', stat, errmsg)
  end subroutine

  !> Puts all nodes into the stream as one piece of work, and returns. A failed node is the error of that stream, which the next
  !> fence gives once. Errors: gator_err_handle, _arg (a stream of another device), _state, _nomem. Since 0.1.
  recursive subroutine portable_graph_launch(graph, stream, stat, errmsg)
    integer(int64), intent(in) :: graph, stream
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    call gator_internal_finish(c_graph_launch(graph, stream), 'portable_graph_launch', stat, errmsg)
  end subroutine

  !> Replaces the argument block of a node, from the next launch on. node: its number from 1 on, in the order of the recorded launches and
  !> calls. block: a c_ptr to block_bytes bytes, as many as the launch had, which are copied. Errors: gator_err_arg (node, size),
  !> _handle, _state, _nomem. Since 0.1.
  recursive subroutine portable_graph_update(graph, node, block, block_bytes, stat, errmsg)
    integer(int64), intent(in) :: graph
    integer, intent(in) :: node
    type(c_ptr), value :: block
    integer(c_size_t), intent(in) :: block_bytes
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    integer(c_int32_t) :: number
    number = -1_c_int32_t
    if (node >= 1) number = int(node, c_int32_t) - 1_c_int32_t
    call gator_internal_finish(c_graph_update(graph, number, block, block_bytes), 'portable_graph_update', stat, errmsg)
  end subroutine

  !> Waits for the last launch of the graph and ends it; graph is 0 then. 0 does nothing. Errors: gator_err_handle, _state (inside a
  !> kernel; the graph stays). Since 0.1.
  recursive subroutine portable_graph_destroy(graph, stat, errmsg)
    integer(int64), intent(inout) :: graph
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    integer(c_int32_t) :: status
    status = c_graph_destroy(graph)
    if (status == 0_c_int32_t) graph = 0_int64
    call gator_internal_finish(status, 'portable_graph_destroy', stat, errmsg)
  end subroutine

  !> The number of nodes of the graph: recorded launches and calls. Errors: gator_err_handle, _state. Since 0.1.
  recursive function portable_graph_nodes(graph, stat, errmsg) result(nodes)
    integer(int64), intent(in) :: graph
    integer, optional, intent(out) :: stat
    character(*), optional, intent(inout) :: errmsg
    integer :: nodes
    integer(c_int32_t) :: number, status
    status = c_graph_nodes(graph, number)
    nodes = int(number)
    call gator_internal_finish(status, 'portable_graph_nodes', stat, errmsg)
  end function

end module portable_graph_mod
