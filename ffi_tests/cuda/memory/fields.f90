! fields.f90 - memory of a cuda device from Fortran, by the fake driver: gator's arrays, which are managed memory, handles of arrays, and twins whose
! device side only the device reaches (the argument own) or both do; handles are arguments of kernels.
program fields
  use check_mod, only: check, finish_checks
  use gator_mod
  use portable_mod, only: parallel_for, bounds, tile, fence, cuda_code, arg, kernel_fail
  use portable_array_mod, arg => portable_arg
  use portable_twin_mod
  use, intrinsic :: iso_c_binding, only: c_associated
  implicit none
  character(8) :: mode
  logical :: own
  call get_command_argument(1, mode)
  own = mode == 'own'
  call gator_init()
  call arrays()
  call twins()
  call launches()
  call gator_finalize()
  call finish_checks()
contains
  subroutine arrays()
    real(8), pointer :: h(:,:)
    type(portable_array) :: a, there, back
    real(8), pointer :: q(:,:)
    integer :: i, ierr
    character(400) :: msg
    call gator_allocate(h, [6, 7], [0, 1], label='h')
    do i = 0, 5
      h(i,:) = i
    end do
    call a%wrap(h, label='h')
    call portable_array_device_copy(a, there)
    msg = ''
    call there%get(q, stat=ierr, errmsg=msg)
    if (own) then
      call check(ierr /= 0 .and. index(msg, 'which the host does not reach') > 0, 'a pointer to the device''s memory: '//msg)
    else
      call check(ierr == 0 .and. abs(sum(q) - sum(h)) <= 0, 'a pointer to managed memory')
    end if
    call portable_array_host_copy(there, back)
    call back%get(q)
    call check(abs(sum(q) - sum(h)) <= 0 .and. abs(q(5,7) - 5) <= 0, 'there and back')
    call there%release()
    call back%release()
    call a%release()
    call gator_deallocate(h)
  end subroutine

  subroutine twins()
    type(portable_twin) :: t
    type(portable_array) :: d
    real(8), pointer :: p(:,:,:), q(:,:,:)
    integer :: ierr
    character(400) :: msg
    call t%create([3, 4, 5], label='t', device_fastest=[3, 1, 2])
    call check(.not. t%one_memory(), 'two orders')
    call t%host(p, portable_overwrite)
    p = 1
    p(3,4,5) = 60
    call t%sync_device()
    if (own) then
      msg = ''
      call t%device(q, portable_read, stat=ierr, errmsg=msg)
      call check(ierr /= 0, 'no pointer has the device side')
    end if
    call t%device(d, portable_update)
    call check(c_associated(portable_array_address(d)), 'its address')
    p = 0
    call t%modified_device('a kernel')
    call t%sync_host()
    call check(abs(p(3,4,5) - 60) <= 0 .and. abs(p(1,1,1) - 1) <= 0, 'back on the host')
    call d%release()
    call t%release()
  end subroutine

  ! A kernel gets what a handle holds with the bounds that the handle has: also what only the device reaches.
  subroutine launches()
    real(8), pointer :: h(:,:)
    type(portable_array) :: a, there, part, back, none
    real(8), pointer :: q(:,:)
    real(8) :: wanted
    integer :: i, j, ierr
    character(400) :: msg
    call cuda_code('add', source=[character(120) :: '#include <portable_device.h>', &
      'struct add_args { portable_view<double, 2> x; double by; };', &
      'PORTABLE_KERNEL(add, add_args, a) { PORTABLE_FOR_2(i, j) { a->x(i, j) = a->x(i, j) + a->by * i + 100 * j; } }'])
    call gator_allocate(h, [6, 7], [0, 1], label='h')
    h = 1
    call a%wrap(h, label='h')
    call portable_array_device_copy(a, there)
    call parallel_for('add', bounds([0, 1], [5, 7]), not_here, [arg(there, name='x'), arg(0.5d0)])
    call portable_array_slice(there, [portable_range(1, 5, 2), portable_all], part)
    call parallel_for('add', bounds([1, 1], [3, 7]), not_here, [arg(part, 'both'), arg(1000d0)])
    call fence()
    call portable_array_host_copy(there, back)
    call back%get(q)
    do j = 1, 7
      do i = 0, 5
        wanted = 1 + 0.5d0*i + 100*j
        if (mod(i, 2) == 1) wanted = wanted + 1000*((i + 1)/2) + 100*j
        call check(abs(q(i,j) - wanted) <= 0, 'an element')
      end do
    end do
    call parallel_for('add', bounds([0, 1], [5, 7]), not_here, [arg(none, name='x'), arg(0.5d0)], stat=ierr, errmsg=msg)
    call check(ierr == gator_err_arg .and. index(msg, 'argument 1 (''x'') is a handle without an array') > 0, 'no array: '//msg)
    call part%release()
    call there%release()
    call back%release()
    call parallel_for('add', bounds([0, 1], [5, 7]), not_here, [arg(there), arg(0.5d0)], stat=ierr, errmsg=msg)
    call check(ierr == gator_err_arg, 'what was released: '//msg)
    call parallel_for('add', bounds([0, 1], [5, 7]), not_here, [arg(h), arg(0.5d0)]) ! a pointer is the same to the kernel
    call fence()
    call check(abs(h(5,7) - 703.5d0) <= 0, 'a pointer in the place of a handle')
    call a%release()
    call gator_deallocate(h)
  end subroutine

  recursive subroutine not_here(t)
    type(tile), intent(in) :: t
    call kernel_fail(t, 1, 'the host''s version has run')
  end subroutine
end program fields
