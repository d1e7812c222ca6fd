! threadprivate.f90 - THREADPRIVATE variables in kernels: on the device openmp those of the program's own threads, set in a
! parallel region before, read and changed by kernels, read in a region after; on threads, others. Not in this file:
! the rest that a device must do (../launch), C (device.c).
module counters
  use, intrinsic :: iso_c_binding, only: c_int, c_associated, c_funptr, c_funloc, c_int64_t
  use portable_mod
  implicit none
  interface ! and not omp_lib, which Debian's flang lacks
    function omp_get_thread_num() result(n) bind(c)
      import :: c_int
      integer(c_int) :: n
    end function
    function omp_get_max_threads() result(n) bind(c)
      import :: c_int
      integer(c_int) :: n
    end function
  end interface
  integer, save :: mine = -1, seen = 0
  real(8), allocatable, save :: work(:)
  !$omp threadprivate(mine, seen, work)
  integer :: found(0:1000), numbers(0:1000), elsewhere = 0
contains
  recursive subroutine look(t)
    type(tile), intent(in) :: t
    integer :: i
    do i = t%lower(1), t%upper(1)
      found(i) = mine
      numbers(i) = merge(omp_get_thread_num(), -1, t%worker == omp_get_thread_num())
      if (allocated(work)) work(1) = work(1) + i
      seen = seen + 1
    end do
  end subroutine

  !> The same for a stream that does not wait.
  recursive subroutine look_in_stream(t, block) bind(c)
    use, intrinsic :: iso_c_binding, only: c_ptr
    type(tile), intent(in) :: t
    type(c_ptr), value :: block
    if (t%rank > 0 .or. c_associated(block)) call look(t)
  end subroutine

  !> The first tile, the launching thread's, waits until another thread has begun one: else it might run them all.
  recursive subroutine look_elsewhere(t)
    type(tile), intent(in) :: t
    integer :: others
    others = 0
    if (t%worker /= 0) then
      !$omp atomic write
      elsewhere = 1
    end if
    do while (t%worker == 0 .and. others == 0)
      !$omp atomic read
      others = elsewhere
    end do
    found(t%lower(1):t%upper(1)) = mine
  end subroutine
end module

program threadprivate
  use counters
  implicit none
  integer :: threads, openmp, total, step
  integer(c_int64_t) :: stream
  type(c_funptr) :: kernel
  real(8) :: sums
  call portable_init()
  openmp = find_device('openmp')
  threads = omp_get_max_threads()
  !$omp parallel
  mine = 100 + omp_get_thread_num()
  allocate (work(1))
  work = 0
  !$omp end parallel

  do step = 1, 50
    found = -2
    call parallel_for('look', bounds([0], [1000]), look, device=openmp)
    if (any(numbers < 0) .or. maxval(numbers) /= threads - 1) error stop 1
    if (any(found /= 100 + numbers)) error stop 2
    ! a launch of one index does not cost the other threads what is theirs
    call parallel_for('one', bounds([7], [7]), look, device=openmp)
  end do
  ! Synchronous streams are the caller's thread, so its team; an asynchronous one has a thread of its own, and so has its team.
  kernel = c_funloc(look_in_stream)
  found = -2
  call parallel_for('default stream', bounds([0], [1000]), kernel, stream=device_stream(openmp))
  if (any(found /= 100 + numbers)) error stop 7
  call stream_create(stream, device=openmp, synchronous=.true.)
  found = -2
  call parallel_for('synchronous', bounds([0], [1000]), kernel, stream=stream)
  if (any(found /= 100 + numbers)) error stop 8
  call stream_destroy(stream)
  call stream_create(stream, device=openmp)
  found = -2
  call parallel_for('asynchronous', bounds([0], [1000]), kernel, stream=stream)
  call stream_fence(stream)
  if (any(found /= -1)) error stop 9
  call stream_destroy(stream)
  total = 0
  sums = 0
  !$omp parallel
  !$omp critical
  total = total + seen
  sums = sums + work(1)
  !$omp end critical
  deallocate (work)
  !$omp end parallel
  if (total /= 50*1002 + 2*1001) error stop 3
  if (abs(sums - 50*(500500 + 7) - 2*500500) > 0) error stop 4

  ! The library's own threads are not OpenMP's: they have variables of their own, which are not set.
  call set_num_threads(3)
  found = -2
  call parallel_for('look', bounds([0], [1000]), look_elsewhere, device=find_device('threads'))
  if (found(0) /= 100) error stop 5
  if (all(found /= -1)) error stop 6
  call portable_finalize()
  print '(a, i0, a)', 'fine on ', threads, ' threads'
end program
