! arguments.f90 - launches with arguments: what the kernel computes is the same with and without them on every device, and
! where a thread looks at them
! (the device emulated, PORTABLE_CHECK=launch), what is wrong with one is reported with its number and name; kernels of two levels and
! reductions have their versions, and the host's bits. Not in this file: what a version for devices of a loop gets.
module arguments_kernels
  use, intrinsic :: iso_fortran_env, only: int32, int64, real32, real64
  use, intrinsic :: iso_c_binding, only: c_double, c_f_pointer, c_funloc, c_int, c_loc, c_ptr, c_sizeof
  use portable_mod
  implicit none
  !> The argument block of `block_squares`.
  type, bind(c) :: squares
    type(c_ptr) :: to
    real(c_double) :: add
    integer(c_int) :: n
  end type
  real(real64), pointer :: h(:, :), hnew(:, :)
  real(real64), pointer :: sums(:)
  real(real64) :: dt
contains
  recursive subroutine block_squares(t, p) bind(c)
    type(tile), intent(in) :: t
    type(squares), intent(in) :: p
    real(c_double), pointer :: x(:)
    integer :: i
    call c_f_pointer(p%to, x, [p%n])
    do i = t%lower(1), t%upper(1)
      x(i) = real(i, c_double)**2 + p%add
    end do
  end subroutine

  ! The sum of a column of h, by way of the scratch.
  recursive subroutine columns(t)
    type(team), intent(in) :: t
    real(real64), pointer :: line(:)
    integer :: i, n
    n = ubound(h, 1) - 1
    call c_f_pointer(t%scratch, line, [n])
    do i = 1, n
      line(i) = h(i, t%outer(1))
    end do
    sums(t%outer(1)) = 0
    do i = 1, n
      sums(t%outer(1)) = sums(t%outer(1)) + line(i)
    end do
  end subroutine

  ! The version for devices counts its iterations in r(3).
  recursive subroutine totals(t, r)
    type(tile), intent(in) :: t
    real(real64), intent(inout) :: r(*)
    integer :: i, j
    do j = t%lower(2), t%upper(2)
      do i = t%lower(1), t%upper(1)
        r(1) = r(1) + dt*h(i, j)
        r(2) = max(r(2), h(i, j))
      end do
    end do
  end subroutine

  recursive subroutine total(t, r)
    type(tile), intent(in) :: t
    real(real64), intent(inout) :: r
    integer :: i, j
    do j = t%lower(2), t%upper(2)
      do i = t%lower(1), t%upper(1)
        r = r + dt*h(i, j)
      end do
    end do
  end subroutine

  recursive subroutine exact_total(t, r)
    type(tile), intent(in) :: t
    type(exact_sum), intent(inout) :: r
    integer :: i, j
    do j = t%lower(2), t%upper(2)
      do i = t%lower(1), t%upper(1)
        call exact_add(r, dt*h(i, j))
      end do
    end do
  end subroutine

  recursive subroutine above(t, r)
    type(tile), intent(in) :: t
    logical(4), intent(inout) :: r
    integer :: i, j
    do j = t%lower(2), t%upper(2)
      do i = t%lower(1), t%upper(1)
        r = r .or. h(i, j) > dt
      end do
    end do
  end subroutine

  recursive subroutine how_many(t, r)
    type(tile), intent(in) :: t
    integer(int32), intent(inout) :: r
    integer :: i, j
    do j = t%lower(2), t%upper(2)
      do i = t%lower(1), t%upper(1)
        if (h(i, j) > dt) r = r + 1
      end do
    end do
  end subroutine

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
  use check_mod, only: check, finish_checks
  use expect_mod, only: expect, stat, text
  use gator_mod
  use arguments_kernels
  implicit none
  integer, parameter :: nx = 40, ny = 9
  logical :: looks, on_gpu
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
  on_gpu = any(device == [character(8) :: 'cuda', 'hip', 'opencl'])
  looks = device == 'emulated' .or. on_gpu
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
  call test_levels()
  call test_codes()
  call test_block()
  call live_out_create(sum_of, 0.0_real64)
  call test_kinds()
  if (looks) call test_errors()
  call test_reductions()
  call live_out_destroy(sum_of)
  call gator_deallocate(h)
  call gator_deallocate(hnew)
  call portable_finalize()
  call finish_checks()
contains

  ! A block of bytes for a label that has a version for devices: the host's kernel has its own tile and block there, too.
  subroutine test_block()
    integer, parameter :: n = 50
    real(real64), pointer :: x(:)
    integer(int64) :: queue
    type(squares), target :: p
    integer :: i
    call gator_allocate(x, [n], label='x')
    x = -1
    call cuda_code('block_squares', source=[character(120) :: '#include <portable_device.h>', &
      'typedef struct squares { double *to; double add; int n; } squares;', &
      'PORTABLE_KERNEL(block_squares, squares, p) { PORTABLE_FOR_1(i) { p->to[i - 1] = i * i + p->add; } }'])
    call stream_create(queue)
    p = squares(c_loc(x), 0.5_real64, n)
    call parallel_for('block_squares', bounds([3], [n]), c_funloc(block_squares), c_loc(p), c_sizeof(p), stream=queue)
    p%add = 0 ! the launch has its own copy
    call fence()
    call stream_destroy(queue)
    call check(all(x(:2) < 0) .and. all(abs(x(3:) - [(real(i, real64)**2 + 0.5_real64, i=3, n)]) < 1e-9_real64), 'a block of bytes')
    call gator_deallocate(x)
  end subroutine

  !> The last message has that part.
  subroutine told(part)
    character(*), intent(in) :: part
    call check(index(text, part) > 0, 'the message has no "'//part//'": '//trim(text))
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

  ! In blocks on a device, which says in a live-out that it did the work.
  subroutine test_levels()
    type(scalar_live_out) :: there
    real(real64) :: wanted
    integer(int32) :: was
    call device_code('columns', block_size=32, source=[character(120) :: '#include <portable_device.h>', &
      'struct columns_args { portable_view<const double, 2, PORTABLE_ORDER_FORTRAN> h; portable_view<double, 1> sums;', &
      '  int32_t nx, *there; };', &
      'PORTABLE_TEAM_KERNEL(columns, columns_args, team, a) {', &
      '  double *line = (double *)team->scratch, sum = 0;', &
      '  const int64_t j = team->index[0];', &
      '  PORTABLE_INNER_FOR(team, i, 1, a->nx) { line[i - 1] = a->h(i, j); }', &
      '  portable_fence_inner(team);', &
      '  if (portable_single_inner(team)) {', &
      '    for (int i = 0; i < a->nx; i++) sum = sum + line[i];', &
      '    a->sums(j) = sum;', &
      '    *a->there = 1;', &
      '  }', '}'])
    call gator_allocate(sums, [ny], label='sums')
    call live_out_create(there, 0_int32)
    sums = -1
    call parallel_outer('columns', bounds(ny), columns, [arg(h, 'read'), arg(sums, 'write'), arg(nx), arg(there)], &
                        scratch_bytes=8*nx)
    call fence()
    do j = 1, ny
      wanted = 0
      do i = 1, nx
        wanted = wanted + h(i, j)
      end do
      call check(sums(j) >= wanted .and. sums(j) <= wanted, 'the sum of a column')
    end do
    call host_read(there, was)
    call check(was == merge(1, 0, on_gpu), 'where outer iterations ran')
    call parallel_outer('columns', bounds(ny), columns, [arg(h), arg(sums)], scratch_bytes=-1, stat=stat, errmsg=text)
    call expect(gator_err_arg, 'parallel_outer ''columns'': -1 bytes of scratch are asked for')
    if (looks) then
      call parallel_outer('columns', bounds(ny), columns, [arg(h), arg(sums)], scratch_bytes=8*nx, stat=stat, errmsg=text)
      call expect(gator_err_arg, 'parallel_outer of ''columns'': there are 2 arguments, but 4 at the first launch of the label')
      call parallel_for('columns', bounds(10), nothing, [arg(h)], stat=stat, errmsg=text)
      call expect(gator_err_arg, 'parallel_for of ''columns'': the label''s first launch with arguments was a parallel_outer')
    end if
    call live_out_destroy(there)
    call gator_deallocate(sums)
  end subroutine

  ! Bits are those of the host's threads, which the same launch gives there.
  subroutine test_reductions()
    use portable_pool_mod, only: portable_space_device
    type(scalar_live_out) :: left
    real(real64), pointer :: far(:)
    real(real64) :: r(3), other(3), x, y, z
    logical(4) :: any
    integer(int32) :: n
    call cuda_code([character(12) :: 'totals', 'total', 'above', 'how_many'], source=[character(130) :: &
      '#include <portable_device_reduce.h>', &
      'struct total_args { portable_view<const double, 2, PORTABLE_ORDER_FORTRAN> h; double dt; };', &
      '#define TOTALS(RESULT) RESULT(SUM, double, sum) RESULT(MAX, double, most) RESULT(SUM, double, here)', &
      'PORTABLE_REDUCE_KERNEL_2(totals, total_args, a, i, j, give, TOTALS) {', &
      '  give->sum = a->dt * a->h(i, j); give->most = a->h(i, j); give->here = 1;', '}', &
      '#define TOTAL(RESULT) RESULT(SUM, double, sum)', &
      'PORTABLE_REDUCE_KERNEL_2(total, total_args, a, i, j, give, TOTAL) { give->sum = a->dt * a->h(i, j); }', &
      '#define ABOVE(RESULT) RESULT(ANY, int32_t, any)', &
      'PORTABLE_REDUCE_KERNEL_2(above, total_args, a, i, j, give, ABOVE) { give->any = a->h(i, j) > a->dt; }', &
      '#define MANY(RESULT) RESULT(SUM, int32_t, n)', &
      'PORTABLE_REDUCE_KERNEL_2(how_many, total_args, a, i, j, give, MANY) { give->n = a->h(i, j) > a->dt; }'])
    h = sin(h)*exp(mod(h, 13.0_real64))
    dt = 0.1_real64
    call parallel_reduce('totals', bounds([0, 0], [nx, ny]), totals, r, [character(3) :: 'sum', 'max', 'sum'], &
                         [arg(h, 'read'), arg(dt)])
    call parallel_reduce('totals', bounds([0, 0], [nx, ny]), totals, other, [character(3) :: 'sum', 'max', 'sum'], &
                         [arg(h, 'read'), arg(dt)], device=find_device('threads'))
    call check(all(transfer(r(1:2), [0_int64]) == transfer(other(1:2), [0_int64])), 'the bits of a list of results')
    call check(nint(r(3)) == merge((nx + 1)*(ny + 1), 0, on_gpu), 'where the reduction ran')
    call parallel_reduce('total', bounds([0, 0], [nx, ny]), total, x, args=[arg(h, 'read'), arg(dt)])
    call live_out_create(left, 0.0_real64)
    call parallel_reduce('total', bounds([0, 0], [nx, ny]), total, left, 1.0_real64, 'sum', [arg(h, 'read'), arg(dt)])
    call host_read(left, y)
    call check(transfer(x, 0_int64) == transfer(r(1), 0_int64) .and. transfer(y, 0_int64) == transfer(x, 0_int64), 'one result')
    call live_out_destroy(left)
    call parallel_reduce('exactly', bounds([0, 0], [nx, ny]), exact_total, z, exact=.true., args=[arg(h, 'read'), arg(dt)])
    call check(abs(z - x) <= 1e-10_real64*abs(x), 'an exact sum, which is the host''s')
    call parallel_reduce('above', bounds([0, 0], [nx, ny]), above, any, 'any', [arg(h, 'read'), arg(dt)])
    call parallel_reduce('how_many', bounds([0, 0], [nx, ny]), how_many, n, args=[arg(h, 'read'), arg(dt)])
    call check(any .and. n == count(h(0:nx, 0:ny) > dt), 'a logical and an integer')
    call parallel_reduce('how_many', bounds([1, 1], [0, ny]), how_many, n, 'max', [arg(h, 'read'), arg(dt)])
    call check(n == -huge(n) - 1, 'no iterations')
    if (.not. looks) return
    call parallel_reduce('total', bounds([0, 0], [nx, ny]), total, x, args=[arg(h, 'read')], stat=stat, errmsg=text)
    call expect(gator_err_arg, 'parallel_reduce of ''total'': there are 1 arguments, but 2 at the first launch of the label')
    call parallel_reduce('update', bounds([0, 0], [nx, ny]), total, x, args=[arg(h, 'read')], stat=stat, errmsg=text)
    call expect(gator_err_arg, 'parallel_reduce of ''update'': the label''s first launch with arguments was a parallel_for')
    if (.not. on_gpu) return
    call parallel_reduce('total', bounds([0, 0], [nx, ny]), total, x, 'max', [arg(h, 'read'), arg(dt)], stat=stat, errmsg=text)
    call expect(gator_err_arg, 'parallel_reduce ''total'': the kernel''s version for devices has other results')
    call gator_allocate(far, [1], label='far', space=portable_space_device(0))
    call parallel_reduce('total', bounds([0, 0], [nx, ny]), total, far(1), args=[arg(h, 'read'), arg(dt)], stat=stat, errmsg=text)
    call expect(gator_err_pointer, 'parallel_reduce ''total'': result 1: to is ')
    call gator_deallocate(far)
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
    call expect(gator_err_arg, 'parallel_for of ''update'': argument 1 has an invalid access; '// &
                'it is ''read'', ''write'' or ''both''')
    call parallel_for('access', bounds(10), nothing, [arg(h, access='reed', name='h')], stat=stat, errmsg=text)
    call expect(gator_err_arg, 'parallel_for of ''access'': argument 1 (''h'') has an invalid access')
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
    if (device == 'emulated') call told(', an array of 10 elements, ')
    call parallel_for('no name', bounds(10), nothing, [arg(plain)], stat=stat, errmsg=text)
    if (device == 'emulated') call expect(gator_err_pointer, 'parallel_for: portable_launch of ''no name'': argument 1 is ')
    if (device == 'emulated') call told('; name the argument to read it here (Fortran: arg(..., name=')
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
