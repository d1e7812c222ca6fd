! twins.f90 - twins from Fortran: pointers to sides, syncs, what is marked, what checks refuse, handles, streams, rules.
! Not in this file: all that is refused (twins.c).
module twins_work
  use check_mod, only: check
  use portable_array_mod
  use portable_twin_mod
  use, intrinsic :: iso_fortran_env, only: int32, int64
  implicit none
contains
  subroutine sides()
    type(portable_twin) :: h, other
    type(portable_array) :: a, columns
    real(8), pointer :: p(:,:,:), q(:,:,:)
    integer :: i
    call h%create([4, 5, 6], [0, 1, -1], label='h', device_fastest=[3, 1, 2], zero=.true.)
    call check(h%allocated(), 'a new twin')
    call check(.not. h%one_memory(), 'two orders are two memories')
    call check(.not. h%host_newer(), 'neither side is newer')
    call h%host(p, portable_update)
    call check(all(lbound(p) == [0, 1, -1]) .and. all(shape(p) == [4, 5, 6]), 'the host side')
    call check(h%host_newer(), 'taken for changes')
    p(3,5,4) = 7
    call h%sync_device()
    call check(.not. h%host_newer(), 'the same after a sync')
    call h%device(a, portable_update)                       ! a handle: no pointer has such elements
    call a%permute([3, 1, 2], columns)
    call columns%get(q)
    call check(all(shape(q) == [6, 4, 5]) .and. abs(q(4,3,5) - 7) <= 0, 'levels side by side')
    q(-1,0,1) = 9
    call check(h%device_newer(), 'the device side is newer')
    call h%sync_host()
    call check(abs(p(0,1,-1) - 9) <= 0, 'back on the host')
    other = h
    call check(h%use_count() == 2, 'an assignment holds')
    call h%release()
    call check(.not. h%allocated(), 'released by one')
    do i = 1, 2
      call other%host(p, portable_read)
    end do
    call check(abs(sum(p) - 16) <= 0, 'the other one holds it')
  end subroutine

  subroutine wrapped()
    integer(int32), target :: x(3,4)
    integer(int32), pointer :: q(:,:)
    type(portable_array) :: a
    type(portable_twin) :: t
    x = 5
    call a%wrap(x, label='x')
    call t%wrap(a, separate=.true.)
    call check(t%host_newer(), 'the old contents are newer')
    call t%sync_device()
    call t%device(q, portable_update)
    call check(all(q == 5), 'copied to the device')
    q(2,:) = 6
    call t%sync_host()
    call check(all(x(2,:) == 6) .and. all(x(1,:) == 5), 'in the program''s own memory')
  end subroutine

  subroutine forgotten()
    type(portable_twin) :: t, none
    real(8), pointer :: p(:), q(:), wrong(:,:)
    character(len=400) :: message
    integer :: stat
    call t%create([10], label='rho')
    call t%host(p, portable_overwrite)
    p = 1
    message = ''
    call t%device(q, portable_update, stat, message)
    call check(stat == 4 .and. .not. associated(q), 'a stale side is refused')
    call check(index(message, 'portable_twin_device of ''rho'': the device side is stale') > 0 .and. &
               index(message, 'call portable_twin_sync_device before') > 0, message)
    call t%sync_device()
    call t%device(q, portable_update, stat)
    call check(stat == 0 .and. abs(sum(q) - 10) <= 0, 'after the sync')
    call t%modified_host('a boundary', stat, message)
    call check(stat == 4 .and. index(message, '(''a boundary'')') > 0, message)
    call t%sync_host(stat=stat, errmsg=message)
    call check(stat == 4 .and. index(message, 'both sides were changed') > 0, message)
    call t%discard_host()
    call t%sync_host()
    call t%modified_device()
    call t%discard_device()
    call t%host(wrong, portable_read, stat, message)
    call check(stat == 1 .and. .not. associated(wrong) .and. index(message, 'rank') > 0, message)
    call t%create([3], stat=stat, errmsg=message)
    call check(stat == 4 .and. index(message, 'holds a twin already') > 0, message)
    call none%host(p, portable_read, stat, message)
    call check(stat == 3, message)
    call none%create([3, 3], [1], stat=stat, errmsg=message)
    call check(stat == 1 .and. index(message, 'there are 2 extents, but 1 lower bounds') > 0, message)
  end subroutine

  subroutine streams()
    use portable_core_mod, only: portable_stream_create, portable_stream_destroy, portable_stream_fence
    type(portable_twin) :: t
    real(8), pointer :: p(:,:), q(:,:)
    type(portable_array) :: a, b
    integer(int64) :: stream
    integer :: stat
    call portable_stream_create(stream)
    call t%create([100, 50], label='h', device_order=portable_order_c)
    call t%host(p, portable_overwrite)
    p = 3
    call t%sync_device(stream)
    call portable_stream_fence(stream)
    call t%device(q, portable_read, stat)
    call check(stat == 1, 'no pointer has elements in C order')
    call t%device(a, portable_read)
    call a%permute([2, 1], b)
    call b%get(q)
    call check(all(shape(q) == [50, 100]) .and. abs(sum(q) - 15000) <= 0, 'copied in the stream')
    call portable_stream_destroy(stream)
  end subroutine

  subroutine rules()
    type(portable_array) :: a
    type(portable_twin) :: t
    integer :: stat
    character(len=200) :: message
    call portable_layout_rule('col*', 'cpu', 'ji', row_bytes=64)
    call a%create([3, 4], order=portable_order_by_rule, label='column')
    call check(a%lbound(2) == 1_int64, 'bounds do not depend on rules')
    call t%create([3, 4], label='column', host_order=portable_order_by_rule, device_order=portable_order_by_rule)
    call check(t%allocated(), 'a twin by rule')
    call portable_layout_rule('col*', layout='jj', stat=stat, errmsg=message)
    call check(stat == 1 .and. index(message, 'the layout "jj" is invalid') > 0, message)
    call portable_layout_rule('col*', 'cpu')
  end subroutine
end module

program twins_f
  use check_mod, only: check, live_blocks, finish_checks
  use twins_work
  use portable_mod, only: portable_init, portable_finalize
  implicit none
  character(80) :: list
  call portable_init()
  call sides()
  call wrapped()
  call streams()
  call rules()
  call get_environment_variable('PORTABLE_CHECK', list)
  if (index(list, 'arrays') > 0) call forgotten()
  call check(live_blocks() == 0_int64, 'blocks at the end')
  call portable_finalize()
  call finish_checks()
end program
