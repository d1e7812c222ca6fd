! arguments.f90 - launches with arguments: what the kernel computes is the same with and without them on every device, and
! where somebody looks at them
! (the device emulated, PORTABLE_CHECK=launch), what is wrong with one is told with its number and name. Not in this file: what
! a version for devices gets.
module arguments_kernels
  use, intrinsic :: iso_fortran_env, only: int32, int64, real32, real64
  use portable_mod
  implicit none
  real(real64), pointer :: h(:, :), hnew(:, :)
  real(real64) :: dt
contains
  recursive subroutine update(t)
    type(tile), intent(in) :: t
    integer :: i, j
    associate (h => h, hnew => hnew)
      do j = t%lower(2), t%upper(2)
        do i = t%lower(1), t%upper(1)
          hnew(i, j) = h(i, j) + dt*(h(i+1, j) - h(i-1, j))
        end do
      end do
    end associate
  end subroutine
end module

program arguments
  use gator_mod
  use arguments_kernels
  implicit none
  integer, parameter :: nx = 40, ny = 9
  integer :: failures = 0, stat
  logical :: looks
  character(400) :: text
  character(20) :: device
  integer :: i, j
  integer(int32), target :: of_host(10)
  integer(int32), pointer :: nowhere(:), plain(:)
  type(scalar_live_out) :: sum_of
  character(100), parameter :: update_code(5) = [character(100) :: '#include <portable_device.h>', &
    'struct update_args { portable_view<const double, 2> h; portable_view<double, 2> hnew; double dt; };', &
    'PORTABLE_KERNEL(update, update_args, a) {', &
    '  PORTABLE_FOR_2(i, j) { a->hnew(i, j) = a->h(i, j) + a->dt * (a->h(i + 1, j) - a->h(i - 1, j)); }', '}']
  call get_environment_variable('PORTABLE_DEVICE', device)
  looks = device == 'emulated' .or. device == 'cuda'
  call portable_init()
  call gator_allocate(h, [nx+2, ny+2], [0, 0], label='h')
  call gator_allocate(hnew, [nx+2, ny+2], [0, 0], label='hnew')
  do j = 0, ny+1
    do i = 0, nx+1
      h(i, j) = real(i*j, real64)
    end do
  end do
  dt = 0.5_real64
  call cuda_code('update', source=update_code)
  call cuda_code([character(8) :: 'advance', 'relax'], source=[character(40) :: 'extern "C" __global__ void advance() {}', &
                                                               'extern "C" __global__ void relax() {}'], options='--use_fast_math')
  call test_values()
  call test_codes()
  call live_out_create(sum_of, 0.0_real64)
  call test_kinds()
  if (looks) call test_errors()
  call live_out_destroy(sum_of)
  call gator_deallocate(h)
  call gator_deallocate(hnew)
  call portable_finalize()
  if (failures > 0) error stop 1
contains

  subroutine expect(number, begins)
    integer, intent(in) :: number
    character(*), intent(in) :: begins
    if (stat == number .and. index(text, begins) == 1) return
    failures = failures + 1
    print '(3a,i0,a,i0,2a)', 'FAILED: expected "', begins, '" (', number, '), found ', stat, ' ', trim(text)
  end subroutine

  subroutine check(good, what)
    logical, intent(in) :: good
    character(*), intent(in) :: what
    if (good) return
    failures = failures + 1
    print '(2a)', 'FAILED: ', what
  end subroutine

  subroutine test_values()
    real(real64) :: wanted
    integer :: times
    do times = 1, 3
      hnew = -1.0_real64
      call parallel_for('update', bounds([1, 1], [nx, ny]), update, [arg(h, access='read', name='h'), &
                                                                       arg(hnew, access='write', name='hnew'), arg(dt, name='dt')])
      call fence()
      do j = 0, ny+1
        do i = 0, nx+1
          wanted = merge(h(i, j) + real(j, real64), -1.0_real64, i >= 1 .and. i <= nx .and. j >= 1 .and. j <= ny)
          if (hnew(i, j) < wanted .or. hnew(i, j) > wanted) then
            call check(.false., 'an element of hnew')
            return
          end if
        end do
      end do
    end do
  end subroutine

  subroutine test_codes()
    call cuda_code('a', stat=stat, errmsg=text)
    call expect(gator_err_arg, 'portable_cuda_code of ''a'': give one of file, source and image')
    call cuda_code('a', file='a.cu', image='a.ptx', stat=stat, errmsg=text)
    call expect(gator_err_arg, 'portable_cuda_code of ''a'': give one of file, source and image')
    call cuda_code(' ', file='a.cu', stat=stat, errmsg=text)
    call expect(gator_err_arg, 'portable_cuda_code: the label is empty')
    call cuda_code('a', file=' ', stat=stat, errmsg=text)
    call expect(gator_err_arg, 'portable_cuda_code of ''a'': file, source or image is empty')
    call cuda_code(['a', 'b'], file='a.cu', entry='a', stat=stat, errmsg=text)
    call expect(gator_err_arg, 'portable_cuda_code: there is no label, or an entry for several labels')
  end subroutine

  ! Every kind of argument goes through; a section is a view, a live-out an address.
  subroutine test_kinds()
    integer(int64), pointer :: wide(:)
    call gator_allocate(wide, [10_int64])
    call parallel_for('kinds', bounds([1, 1], [nx, ny]), update, &
      [arg(h(1:nx:2, 2:ny)), arg(hnew, address=.true.), arg(1), arg(2_int64), &
      arg(1.0_real32), arg(2.0_real64), arg(.true.), arg((1.0_real32, 2.0_real32)), arg((1.0_real64, 2.0_real64)), &
        arg(wide), arg(sum_of, name='sum')])
    call gator_deallocate(wide)
  end subroutine

  subroutine test_errors()
    type(scalar_live_out) :: none
    call launch([arg(h), arg(hnew)])
    call expect(gator_err_arg, 'parallel_for of ''update'': there are 2 arguments, but 3 at the first launch of the label')
    call launch([arg(h), arg(hnew), arg(1.0_real32)])
    call expect(gator_err_arg, 'parallel_for of ''update'': argument 3 is of the kind real32 and rank 0, '// &
                'but was real64 and rank 0 at the first')
    call launch([arg(h), arg(dt, name='dt'), arg(dt)])
    call expect(gator_err_arg, 'parallel_for of ''update'': argument 2 (''dt'') is a value, '// &
                'but was an array at the first launch of the label')
    call launch([arg(h), arg(hnew(:, 1), name='hnew'), arg(dt)])
    call expect(gator_err_arg, 'parallel_for of ''update'': argument 2 (''hnew'') is of the kind real64 and rank 1, '// &
                'but was real64 and rank 2')
    call launch([arg(h, address=.true.), arg(hnew), arg(dt)])
    call expect(gator_err_arg, 'parallel_for of ''update'': argument 1 is the address of an array, '// &
                'but was an array at the first launch')
    call launch([arg(h, access='readwrite'), arg(hnew), arg(dt)])
    call expect(gator_err_arg, 'parallel_for of ''update'': argument 1 has an access that is none; '// &
                'it is ''read'', ''write'' or ''both''')
    call parallel_for('access', bounds(10), nothing, [arg(h, access='reed', name='h')], stat=stat, errmsg=text)
    call expect(gator_err_arg, 'parallel_for of ''access'': argument 1 (''h'') has an access that is none')
    nullify (nowhere)
    call parallel_for('ints', bounds(10), nothing, [arg(nowhere, name='n')], stat=stat, errmsg=text)
    call expect(gator_err_arg, 'parallel_for of ''ints'': argument 1 (''n'') is a pointer that is not associated; '// &
                'allocate the array')
    call parallel_for('bounds', bounds(10), nothing, [arg(h, [0], name='h')], stat=stat, errmsg=text)
    call expect(gator_err_arg, 'parallel_for of ''bounds'': argument 1 (''h'') has rank 2, and more or fewer lower bounds')
    call parallel_for('bounds', bounds(10), nothing, [arg(h, lbound(h)), arg(hnew, [0, 0], 'write')], stat=stat, errmsg=text)
    call check(stat == 0, 'lower bounds')
    plain => of_host
    call parallel_for('plain', bounds(10), nothing, [arg(plain, name='plain')], stat=stat, errmsg=text)
    if (device == 'emulated') call expect(gator_err_pointer, &
      'parallel_for: portable_launch of ''plain'': argument 1 (''plain'') is ')
    call parallel_for('address', bounds(10), nothing, [arg(h(:, 2:3), address=.true.)], stat=stat, errmsg=text)
    call check(stat == 0, 'a contiguous section')
    call parallel_for('address', bounds(10), nothing, [arg(h(1:9, 2:3), address=.true., name='h')], stat=stat, errmsg=text)
    call expect(gator_err_arg, 'parallel_for of ''address'': argument 1 (''h'') is not contiguous, '// &
                'and the kernel wants its address')
    call parallel_for('live-out', bounds(10), nothing, [arg(none)], stat=stat, errmsg=text)
    call expect(gator_err_handle, 'parallel_for: the live-out was not created, or it was destroyed')
  end subroutine

  subroutine launch(args)
    type(portable_argument), intent(in) :: args(:)
    call parallel_for('update', bounds([1, 1], [nx, ny]), update, args, stat=stat, errmsg=text)
  end subroutine

  recursive subroutine nothing(t)
    type(tile), intent(in) :: t
    if (t%rank /= 1) error stop 2
  end subroutine
end program
