! loops.f90 - a Fortran program that moves its loops over: module and internal procedures as kernels, bounds, tiles,
! devices, errors. Not in this file: reductions, timers.
module model
  use gator_mod
  use portable_mod
  implicit none
  integer, parameter :: nx = 203, ny = 117
  real(8), pointer :: h(:,:) => null(), new(:,:) => null()
  real(8) :: dt = 0.25d0
  integer, allocatable :: times(:,:,:)
contains

  subroutine step()
    call parallel_for('update', bounds([1, 1], [nx, ny]), update)
  end subroutine

  recursive subroutine update(t)
    type(tile), intent(in) :: t
    integer :: i, j
    associate (h => h, new => new)
      do j = t%lower(2), t%upper(2)
        do i = t%lower(1), t%upper(1)
          new(i,j) = h(i,j) + dt*(h(i+1,j) - 2*h(i,j) + h(i-1,j) + h(i,j+1) - 2*h(i,j) + h(i,j-1))
        end do
      end do
    end associate
  end subroutine

  subroutine update_serial(new)
    real(8), intent(out) :: new(0:, 0:)
    integer :: i, j
    new = 0
    do j = 1, ny
      do i = 1, nx
        new(i,j) = h(i,j) + dt*(h(i+1,j) - 2*h(i,j) + h(i-1,j) + h(i,j+1) - 2*h(i,j) + h(i,j-1))
      end do
    end do
  end subroutine

  recursive subroutine count_strided(t)
    type(tile), intent(in) :: t
    integer :: i, j, k
    do k = t%lower(3), t%upper(3), t%stride(3)
      do j = t%lower(2), t%upper(2), t%stride(2)
        do i = t%lower(1), t%upper(1), t%stride(1)
          times(i,j,k) = times(i,j,k) + 1
        end do
      end do
    end do
  end subroutine

  recursive subroutine negative(t)
    type(tile), intent(in) :: t
    integer :: i
    do i = t%lower(1), t%upper(1)
      if (i == 33) call kernel_fail(t, 7, 'h is negative at 33   ')
    end do
  end subroutine

  recursive subroutine wide(t)
    type(tile), intent(in) :: t
    if (t%lower64(1) < 5000000000_8) call kernel_fail(t, 1, 'not in 64 bits')
  end subroutine
end module

! The second form of kernel: bind(c), with an argument block that is copied at the launch.
module block_kernel
  use, intrinsic :: iso_c_binding
  use portable_mod
  implicit none
  type, bind(c) :: axpy_block
    real(c_double) :: a
    type(c_ptr) :: x, y
    integer(c_int) :: n
  end type
contains
  recursive subroutine axpy(t, block) bind(c)
    type(tile), intent(in) :: t
    type(axpy_block), intent(in) :: block
    real(c_double), pointer, contiguous :: x(:), y(:)
    integer :: i
    call c_f_pointer(block%x, x, [block%n])
    call c_f_pointer(block%y, y, [block%n])
    do i = t%lower(1), t%upper(1)
      y(i) = block%a*x(i) + y(i)
    end do
  end subroutine
end module

! An internal procedure sees the variables of its host.
module internal_kernels
  use portable_mod
  implicit none
contains
  subroutine host(squares)
    integer, intent(out) :: squares(1000)
    squares = 0
    call parallel_for('squares', bounds(1000), square)
  contains
    recursive subroutine square(t)
      type(tile), intent(in) :: t
      integer :: k
      do k = t%lower(1), t%upper(1)
        squares(k) = k*k
      end do
    end subroutine
  end subroutine

  subroutine shifted(values, shift)
    integer, intent(out) :: values(11)
    integer, intent(in) :: shift
    call parallel_for('shifted', bounds(-5, 5), from_pair)
  contains
    recursive subroutine from_pair(t)
      type(tile), intent(in) :: t
      integer :: k
      do k = t%lower(1), t%upper(1)
        values(k + 6) = k + shift
      end do
    end subroutine
  end subroutine
end module

program loops
  use, intrinsic :: iso_c_binding
  use check_mod, only: check, finish_checks
  use model
  use block_kernel
  use internal_kernels
  implicit none
  call portable_init()
  call gator_init()
  call test_stencil()
  call test_host_variables()
  call test_strides()
  call test_nothing()
  call test_errors()
  call test_block()
  call test_devices()
  call gator_finalize()
  call portable_finalize()
  call check(.not. portable_is_initialized(), 'the last participant stops the library')
  call finish_checks()
contains

  subroutine test_stencil()
    real(8), allocatable :: serial(:,:)
    integer :: i, j
    allocate (serial(0:nx+1, 0:ny+1))
    call gator_allocate(h, [nx+2, ny+2], [0, 0], label='h')
    call gator_allocate(new, [nx+2, ny+2], [0, 0], label='new')
    do j = 0, ny+1
      do i = 0, nx+1
        h(i,j) = sin(0.1d0*i)*cos(0.2d0*j)
      end do
    end do
    new = 0
    call update_serial(serial)
    call step()
    call check(all(abs(new - serial) <= 0), 'the stencil is that of the serial loop, bit for bit')
    new = 0
    call parallel_for('update', bounds([1, 1], [nx, ny]), update, schedule=portable_dynamic)
    call check(all(abs(new - serial) <= 0), 'dynamic schedule')
    new = 0
    call parallel_for('update', bounds([1, 1], [nx, ny]), update, tile=[32, 8])
    call check(all(abs(new - serial) <= 0), 'tiles')
    call gator_deallocate(h)
    call gator_deallocate(new)
  end subroutine

  subroutine test_host_variables()
    integer :: squares(1000), values(11), i
    call host(squares)
    call check(all(squares == [(i*i, i = 1, 1000)]), 'an internal procedure as a kernel')
    call shifted(values, 10)
    call check(all(values == [(i + 10, i = -5, 5)]), 'bounds by a pair')
  end subroutine

  subroutine test_strides()
    integer :: i, j, k
    logical :: good
    allocate (times(-3:20, 5:19, 40))
    times = 0
    call parallel_for('strides', bounds([-3, 5, 1], [20, 19, 40], [2, 3, 1]), count_strided, strided=.true.)
    good = .true.
    do k = 1, 40
      do j = 5, 19
        do i = -3, 20
          good = good .and. times(i,j,k) == merge(1, 0, mod(i + 3, 2) == 0 .and. mod(j - 5, 3) == 0)
        end do
      end do
    end do
    call check(good, 'strides')
    call check(iterations(bounds([-3, 5, 1], [20, 19, 40], [2, 3, 1])) == 12*5*40, 'the number of iterations')
    deallocate (times)
  end subroutine

  subroutine test_nothing()
    integer :: stat
    call parallel_for('nothing', bounds(0), negative, stat=stat)
    call check(stat == 0, 'no iteration is no error')
    call parallel_for('nothing', bounds([1, 5], [10, 4]), negative)
    call check(iterations(bounds([1, 5], [10, 4])) == 0, 'no iteration')
  end subroutine

  subroutine test_errors()
    integer :: stat
    character(200) :: text
    text = ''
    call parallel_for('depth', bounds(100), negative, stat=stat, errmsg=text)
    call check(stat == gator_err_kernel, 'the status of a kernel that failed')
    call check(text == "parallel_for 'depth': the kernel failed with code 7: h is negative at 33", trim(text))
    call parallel_for('walk', bounds([1], [10], [2]), negative, stat=stat, errmsg=text)
    call check(stat == gator_err_arg .and. index(text, 'strided') > 0, 'a stride needs strided: '//trim(text))
    call parallel_for('walk', bounds([1], [10], [0]), negative, stat=stat, errmsg=text)
    call check(stat == gator_err_arg .and. index(text, 'the stride of dimension 1 is 0') > 0, trim(text))
    call parallel_for('walk', bounds([1, 2], [10]), negative, stat=stat, errmsg=text)
    call check(stat == gator_err_arg .and. index(text, "parallel_for 'walk'") > 0, trim(text))
    call parallel_for('far', bounds(5000000000_8, 5000000100_8), wide, stat=stat, errmsg=text)
    if (storage_size(1) == 32) then
      call check(stat == gator_err_overflow .and. index(text, 'dimension 1') > 0 .and. index(text, "'far'") > 0, trim(text))
    end if
    call parallel_for('far', bounds(5000000000_8, 5000000100_8), wide, wide=.true., stat=stat, errmsg=text)
    call check(stat == 0, 'wide bounds: '//trim(text))
    stat = 5
    text = 'as it was'
    call parallel_for('fine', bounds(20), negative, stat=stat, errmsg=text)
    call check(stat == 0 .and. text == 'as it was', 'errmsg is set only on an error')
  end subroutine

  subroutine test_block()
    type(axpy_block), target :: block
    real(c_double), target :: x(5000), y(5000)
    integer :: i
    x = [(i, i = 1, 5000)]
    y = 1
    block = axpy_block(2.0_c_double, c_loc(x), c_loc(y), 5000)
    call parallel_for('axpy', bounds(5000), c_funloc(axpy), c_loc(block), c_sizeof(block))
    call check(all(abs(y - (2*x + 1)) <= 0), 'a bind(c) kernel with its block')
  end subroutine

  subroutine test_devices()
    integer :: serial, stat
    character(200) :: text
    serial = find_device('serial')
    call check(serial > 0, 'there is a device serial')
    call check(device_name(serial) == 'serial', 'the device serial')
    call check(device_name(0) == device_name(default_device()), 'device 0 is the default')
    call parallel_for('one', bounds(1000), alone, device=serial)
    call parallel_for('one', bounds(1000), alone, stream=device_stream(serial))
    call check(find_device('gpu', stat, text) == 0, 'there is no gpu')
    call check(stat == gator_err_nodevice .and. index(text, 'there are serial') > 0, trim(text))
    call set_num_threads(2)
    call check(num_threads() == 2, 'two threads')
    call get_environment_variable('PORTABLE_B4B', text)
    if (text == '1') call parallel_for('one', bounds(1000), alone, bit_for_bit=.true., device=find_device('threads'))
    call set_num_threads(0, stat)
    call check(stat == gator_err_arg, 'no thread')
    call fence()
  end subroutine

  recursive subroutine alone(t)
    type(tile), intent(in) :: t
    call check(t%workers == 1 .and. t%worker == 0, 'serial is one thread')
  end subroutine
end program
