! Names: variables, constants and procedures that have names of generated code, of the library and of iso_c_binding.
module portable_names
  use bits_of_results
  implicit none
  integer, parameter :: c_int64_t = 3, portable_block = 5
  integer :: portable_t = 7, portable_lower = 11
  type portable_tile
    integer :: portable_upper
  end type portable_tile
  interface
    module subroutine portable_step(x)
      real(real64), intent(inout) :: x
    end subroutine portable_step
    module function portable_mean(x) result(mean)
      real(real64), intent(in) :: x
      real(real64) :: mean
    end function portable_mean
  end interface
contains
  subroutine portable_in_kernel(n, portable_b, c_ptr, portable_done)
    integer, intent(in) :: n
    integer, intent(inout) :: portable_b(n), portable_done(n)
    type(portable_tile), intent(in) :: c_ptr
    integer :: i, portable_k, c_loc, portable_r
    ! truth: parallel i; run names-variables
    do i = 1, n
      portable_k = portable_t*i + c_int64_t
      portable_b(i) = portable_k + portable_lower + c_ptr%portable_upper*portable_block
    end do
    call show('names-variables', [bits(portable_b)])
    portable_r = 5
    c_loc = 0
    ! truth: parallel i; run names-reduced
    do i = 1, n
      portable_r = portable_r + portable_b(i)
      c_loc = max(c_loc, portable_b(i))
      portable_done(i) = portable_b(i)
    end do
    call show('names-reduced', [bits(portable_r), bits(c_loc), bits(portable_done)])
  end subroutine portable_in_kernel
  subroutine portable_ensure(portable_parallel_for)
    real(real64), intent(inout) :: portable_parallel_for(:)
    integer :: i, i_first, i_last
    i_first = 2
    ! truth: parallel i; run names-calls
    do i = i_first, size(portable_parallel_for)
      call portable_step(portable_parallel_for(i))
      portable_parallel_for(i) = portable_mean(portable_parallel_for(i)) + i_first
      i_last = i
    end do
    call show('names-calls', [bits(portable_parallel_for), bits(i), bits(i_last)])
  end subroutine portable_ensure
end module portable_names

! Separate module procedures with local arrays that compilers keep in one place unless they are RECURSIVE.
submodule (portable_names) portable_bodies
contains
  module subroutine portable_step(x)
    real(real64), intent(inout) :: x
    real(real64) :: w(20000)
    integer :: k
    do k = 1, 20000
      w(k) = x + k
    end do
    x = w(7) + w(20000)
  end subroutine portable_step
  module procedure portable_mean
    real(real64) :: w(20000)
    w = x
    mean = sum(w(1:16))/16
  end procedure portable_mean
end submodule portable_bodies

! Renames: variables and types that USE gives another name, where the module's name is another variable or none. Truths have the module's names.
module renamed_data
  implicit none
  type :: cell
    integer :: next = 0
    real(8) :: value = 0
    real(8), pointer :: part(:) => null()
  end type cell
  type(cell), target :: cells(60)
  integer :: counter = 3, index = 0, last = 0
  real(8) :: scratch = 0, best = 0, work(3) = 0
  type :: state
    real(8) :: total = 0
    real(8), allocatable :: x(:)
  end type state
  type(state), pointer :: current => null()
end module renamed_data

module renamed_loops
  use bits_of_results
  use renamed_data, only: tally => counter, k => index, tail => last, t => scratch, most => best, &
    w => work, now => current, other => cell, list => cells
  implicit none
contains
  subroutine renamed_all(n, a)
    integer, intent(in) :: n
    real(8), intent(inout) :: a(n)
    real(8) :: counter, scratch, work
    integer :: i
    counter = 7
    scratch = 8
    work = 9
    ! truth: parallel i; reduction +:counter; run renamed-sum
    do i = 1, n
      tally = tally + i
    end do
    call show('renamed-sum', bits([real(tally, 8), counter]))
    ! truth: parallel i; last scratch work; run renamed-private
    do i = 1, n
      t = a(i)/2
      w = [t, t + 1, t + 2]
      a(i) = a(i) + w(1 + mod(i, 3))
    end do
    call show('renamed-private', bits([a, t, scratch, work]))
    ! truth: parallel i; last index; run renamed-index
    do i = 1, n
      do k = 1, 3
        a(i) = a(i)/2 + k
      end do
    end do
    call show('renamed-index', bits([a, real(k, 8)]))
    most = -1
    ! truth: parallel i; reduction max:best maxloc:last; run renamed-place
    do i = 1, n
      if (a(i) > most) then
        most = a(i)
        tail = i
      end if
    end do
    call show('renamed-place', bits([most, real(tail, 8)]))
    ! truth: parallel i; last last; run renamed-some
    do i = 1, n
      if (mod(i, 7) == 2) tail = i*10
    end do
    call show('renamed-some', bits([tail]))
    allocate (now)
    allocate (now%x(n))
    ! truth: parallel i; run renamed-component
    do i = 1, n
      now%x(i) = a(i) + now%total
    end do
    ! truth: parallel i; reduction +:current%total; run renamed-owner
    do i = 1, n
      now%total = now%total + now%x(i)
    end do
    call show('renamed-component', bits(now%x))
    call show('renamed-owner', bits([now%total]))
    deallocate (now)
    ! truth: parallel i; run renamed-type
    do i = 1, n
      list(i)%value = list(i)%value + a(i)
    end do
    call show('renamed-type', bits(list%value))
  end subroutine renamed_all
end module renamed_loops

program names_of_generated_code
  use portable_names
  use bits_of_results
  use renamed_data, only: cells
  use renamed_loops, only: renamed_all
  implicit none
  integer :: a(60), b(60), i
  real(real64) :: x(90), c(53)
  a = 0
  call portable_in_kernel(60, a, portable_tile(2), b)
  x = [(i*0.25_real64, i=1, 90)]
  call portable_ensure(x)
  ! truth: parallel i; run renamed-module-type
  do i = 1, 53
    c(i) = sample(i)
    cells(i)%next = 54 - i
    cells(i)%value = i
  end do
  call show('renamed-module-type', [bits(c), bits(cells%next), bits(cells%value)])
  call renamed_all(53, c)
end program names_of_generated_code
