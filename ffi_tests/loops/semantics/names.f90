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

program names_of_generated_code
  use portable_names
  implicit none
  integer :: a(60), b(60), i
  real(real64) :: x(90)
  a = 0
  call portable_in_kernel(60, a, portable_tile(2), b)
  x = [(i*0.25_real64, i=1, 90)]
  call portable_ensure(x)
end program names_of_generated_code
