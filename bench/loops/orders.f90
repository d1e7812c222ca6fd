! orders.f90 - times the loops of order_loops.f90 over arrays in Fortran's order, in that of the
! rule layout@cpu=kij, and with that order in the source. usage: bench_orders [ROUNDS]. Prints
! engine, name, value and unit, a line each, separated by tabs. Stops if results differ.
program orders
  use, intrinsic :: iso_fortran_env, only: int64, real64
  use portable_array_mod, only: portable_array
  use portable_cfi_mod, only: portable_array_point
  use portable_twin_mod, only: portable_order_by_rule, portable_layout_rule
  use portable_mod, only: portable_init, portable_finalize
  use order_loops
  implicit none
  type fields
    type(portable_array) :: at(3)
    real(real64), pointer :: t(:,:,:) => null(), q(:,:,:) => null(), u(:,:,:) => null()
  end type
  integer, parameter :: wrong = 1, ruled = 2, source = 3, copied = 4
  character(*), parameter :: named(4) = [character(48) :: "columns and stencil, Fortran's order of t(i,j,k)", &
    'columns and stencil, the rule layout@cpu=kij', 'columns and stencil, t(k,i,j) in the source', &
    'copies of the fields into that order and back']
  type(fields) :: f(2)
  type(portable_array) :: other(3)
  real(real64), allocatable :: t(:,:,:), q(:,:,:), u(:,:,:), took(:,:)
  character(20) :: text
  integer :: round, rounds, i
  integer(int64) :: rate, before, after
  call get_command_argument(1, text)
  rounds = 9
  if (text /= '') read (text, *) rounds
  call system_clock(count_rate=rate)
  call portable_init()
  call portable_layout_rule('ruled*', device='cpu', layout='kij')
  call make(f(wrong), 'as declared')
  call make(f(ruled), 'ruled')
  do i = 1, 3
    call other(i)%create([ni, nj, nk], kind=kind_of(), order=portable_order_by_rule, label='ruled copy')
  end do
  allocate (t(nk,ni,nj), q(nk,ni,nj), u(nk,ni,nj), took(rounds,4))
  call reset()
  do i = 1, 4 ! which pages are there, and threads
    call run(i)
  end do
  call reset()
  do round = 1, rounds
    do i = 1, 4
      call system_clock(before)
      call run(i)
      call system_clock(after)
      took(round,i) = real(after - before, real64)*1d9/real(rate, real64)
    end do
  end do
  call compare()
  do i = 1, 4
    write (text, '(es14.6)') median(took(:,i))
    print '(7a)', 'portable', achar(9), trim(named(i)), achar(9), trim(adjustl(text)), achar(9), 'ns'
  end do
  call drop(f(wrong))
  call drop(f(ruled))
  do i = 1, 3
    call other(i)%release()
  end do
  call portable_finalize()
contains

  integer function kind_of()
    use portable_array_mod, only: portable_real64
    kind_of = portable_real64
  end function

  subroutine make(x, label)
    type(fields), intent(inout) :: x
    character(*), intent(in) :: label
    integer :: n
    do n = 1, 3
      call x%at(n)%create([ni, nj, nk], kind=kind_of(), order=portable_order_by_rule, label=label)
    end do
    call portable_array_point(x%at(1), x%t)
    call portable_array_point(x%at(2), x%q)
    call portable_array_point(x%at(3), x%u)
  end subroutine

  subroutine drop(x)
    type(fields), intent(inout) :: x
    integer :: n
    do n = 1, 3
      call x%at(n)%release()
    end do
  end subroutine

  ! The same values in all of them.
  subroutine reset()
    integer :: i, j, k, n
    !$portable off
    do j = 1, nj
      do i = 1, ni
        do k = 1, nk
          t(k,i,j) = real(mod(7*i + 5*j + 3*k, 23), real64)/9
          q(k,i,j) = real(mod(i + 11*j + 2*k, 17), real64)/16
        end do
      end do
    end do
    u = 0
    do n = 1, 2
      do k = 1, nk
        do j = 1, nj
          do i = 1, ni
            f(n)%t(i,j,k) = t(k,i,j)
            f(n)%q(i,j,k) = q(k,i,j)
          end do
        end do
      end do
      f(n)%u = 0
    end do
  end subroutine

  subroutine run(i)
    integer, intent(in) :: i
    integer :: n
    select case (i)
    case (wrong, ruled)
      call step(f(i)%t, f(i)%q, f(i)%u)
    case (source)
      call step_kij(t, q, u)
    case (copied) ! what a launch would cost that changes the order and changes it back
      do n = 1, 3
        call f(wrong)%at(n)%copy_to(other(n))
      end do
      call other(1)%copy_to(f(wrong)%at(1))
      call other(3)%copy_to(f(wrong)%at(3))
    end select
  end subroutine

  subroutine compare()
    integer :: i, j, n
    do n = 1, 2
      do j = 1, nj
        do i = 1, ni
          if (any(transfer(f(n)%t(i,j,:), [0_int64]) /= transfer(t(:,i,j), [0_int64])) .or. &
              any(transfer(f(n)%u(i,j,:), [0_int64]) /= transfer(u(:,i,j), [0_int64]))) error stop 'orders: results differ'
        end do
      end do
    end do
  end subroutine

  real(real64) function median(values)
    real(real64), intent(in) :: values(:)
    real(real64) :: sorted(size(values)), least
    integer :: i, at
    sorted = values
    do i = 1, size(sorted)
      at = i - 1 + minloc(sorted(i:), 1)
      least = sorted(at)
      sorted(at) = sorted(i)
      sorted(i) = least
    end do
    median = sorted((size(sorted) + 1)/2)
  end function
end program
