! pool.f90 - faults with blocks of the pool, from Fortran: one subroutine each, chosen by the first argument.
! In this file: arrays of gator_allocate. Not in this file: kernels (kernels.f90), C (faults.c), C++ (faults.cpp), what marks mean (../main.go).
!
! Values go through `sink`, so that no compiler leaves out an access that is wrong.
module pool_faults
  use gator_mod, only: gator_allocate, gator_deallocate
  implicit none
  real(8), volatile :: sink = 0
contains

  ! fault write_past_end: a loop with one iteration too many
  subroutine write_past_end()
    real(8), pointer :: a(:)
    integer :: i
    call gator_allocate(a, [1000], label='a')
    do i = 1, 1001
      a(i) = i !~ out-of-bounds
    end do
    call gator_deallocate(a)
  end subroutine

  ! fault read_past_end: a sum over one element too many
  subroutine read_past_end()
    real(8), pointer :: a(:)
    integer :: i
    call gator_allocate(a, [1000], label='a')
    a = 1
    do i = 1, 1001
      sink = sink + a(i) !~ out-of-bounds
    end do
    call gator_deallocate(a)
  end subroutine

  ! fault write_before_start: index 0 of an array from 1 [guard=start]
  subroutine write_before_start()
    real(8), pointer :: a(:)
    integer :: i
    call gator_allocate(a, [1000], label='a')
    do i = 1000, 0, -1
      a(i) = i !~ out-of-bounds
    end do
    call gator_deallocate(a)
  end subroutine

  ! fault read_before_start: the left neighbour of the first element [guard=start]
  subroutine read_before_start()
    real(8), pointer :: a(:)
    integer :: i
    call gator_allocate(a, [1000], label='a')
    a = 1
    do i = 1, 1000
      sink = sink + a(i-1) !~ out-of-bounds
    end do
    call gator_deallocate(a)
  end subroutine

  ! fault lower_bound_zero: an array of bounds 0:n is written up to n+1
  subroutine lower_bound_zero()
    real(8), pointer :: h(:)
    integer :: i
    call gator_allocate(h, [101], [0], label='h')
    do i = 0, 101
      h(i) = i !~ out-of-bounds
    end do
    call gator_deallocate(h)
  end subroutine

  ! fault stencil_last_column: a stencil reads the column behind the last one
  subroutine stencil_last_column()
    real(8), pointer :: h(:,:)
    integer :: i, j
    call gator_allocate(h, [50, 40], label='h')
    h = 1
    do j = 1, 40
      do i = 1, 50
        sink = sink + h(i,j+1) - h(i,j) !~ out-of-bounds
      end do
    end do
    call gator_deallocate(h)
  end subroutine

  ! fault swapped_indices: the indices of a long narrow array are swapped
  subroutine swapped_indices()
    real(8), pointer :: h(:,:)
    integer :: i, j
    call gator_allocate(h, [40, 10], label='h')
    do j = 1, 10
      do i = 1, 14
        h(j,i) = i + j !~ out-of-bounds
      end do
    end do
    call gator_deallocate(h)
  end subroutine

  ! fault section_too_long: an array assignment of n elements from the second on
  subroutine section_too_long()
    real(8), pointer :: a(:)
    real(8) :: from(100)
    call gator_allocate(a, [100], label='a')
    call random_number(from)
    a(2:101) = from + sink !~ out-of-bounds
    call gator_deallocate(a)
  end subroutine

  ! fault assumed_size: a routine of FORTRAN 77 gets a length that is too large
  subroutine assumed_size()
    real(8), pointer :: a(:)
    call gator_allocate(a, [100], label='a')
    call scale(a, 120)
    call gator_deallocate(a)
  end subroutine

  subroutine scale(x, n)
    integer, intent(in) :: n
    real(8), intent(out) :: x(*)
    integer :: i
    do i = 1, n
      x(i) = 2*i !~ out-of-bounds
    end do
  end subroutine

  ! fault explicit_shape: dummy bounds that are not those of the array
  subroutine explicit_shape()
    real(8), pointer :: a(:)
    call gator_allocate(a, [99], label='a')
    call clear(a, 10)
    call gator_deallocate(a)
  end subroutine

  subroutine clear(x, n)
    integer, intent(in) :: n
    real(8), intent(out) :: x(n,n)
    integer :: i, j
    do j = 1, n
      do i = 1, n
        x(i,j) = i*j !~ out-of-bounds
      end do
    end do
  end subroutine

  ! fault single_precision: one element too many of real(4), an odd number of them
  subroutine single_precision()
    real(4), pointer :: a(:)
    integer :: i
    call gator_allocate(a, [33], label='a')
    do i = 1, 34
      a(i) = i !~ out-of-bounds
    end do
    call gator_deallocate(a)
  end subroutine

  ! fault integers: an index array is written past its end
  subroutine integers()
    integer, pointer :: list(:)
    integer :: i
    call gator_allocate(list, [7], label='list')
    do i = 0, 7
      list(i+1) = i !~ out-of-bounds
    end do
    call gator_deallocate(list)
  end subroutine

  ! fault logicals: a mask is read past its end
  subroutine logicals()
    logical, pointer :: mask(:)
    integer :: i, n
    call gator_allocate(mask, [31], label='mask')
    mask = .true.
    n = 0
    do i = 1, 32
      if (mask(i)) n = n + 1 !~ out-of-bounds
    end do
    sink = n
    call gator_deallocate(mask)
  end subroutine

  ! fault rank_three: the third index is one too large
  subroutine rank_three()
    real(8), pointer :: a(:,:,:)
    integer :: k
    call gator_allocate(a, [4, 5, 6], label='a')
    do k = 1, 7
      a(:,:,k) = k !~ out-of-bounds
    end do
    call gator_deallocate(a)
  end subroutine

  ! fault empty_array: an array of no elements is written
  subroutine empty_array()
    real(8), pointer :: a(:)
    integer :: n
    n = int(sink)
    call gator_allocate(a, [n], label='none')
    a(n+1) = 1 !~ out-of-bounds
    call gator_deallocate(a)
  end subroutine

  ! fault many_places: an access far behind, in the middle of the guard
  subroutine many_places()
    real(8), pointer :: a(:)
    call gator_allocate(a, [10], label='a')
    a = 0
    a(200 + int(sink)) = 1 !~ out-of-bounds
    call gator_deallocate(a)
  end subroutine

  ! fault large_array: the end of an array of some megabytes
  subroutine large_array()
    real(8), pointer :: a(:,:)
    integer :: i
    call gator_allocate(a, [1000, 500], label='large')
    do i = 1, 500
      a(1,i) = i
    end do
    a(1001,500) = 1 !~ out-of-bounds
    call gator_deallocate(a)
  end subroutine

  ! fault read_freed: a second pointer reads a block that the first one has freed
  subroutine read_freed()
    real(8), pointer :: a(:), b(:)
    call gator_allocate(a, [1000], label='a')
    a = 1
    b => a
    call gator_deallocate(a)
    sink = b(500) !~ use-after-free
  end subroutine

  ! fault write_freed: a second pointer writes a block that the first one has freed
  subroutine write_freed()
    real(8), pointer :: a(:), b(:)
    call gator_allocate(a, [1000], label='a')
    b => a
    call gator_deallocate(a)
    b(1) = 1 !~ use-after-free
  end subroutine

  ! fault freed_and_taken_again: the memory is another array's by then
  subroutine freed_and_taken_again()
    real(8), pointer :: a(:), b(:), c(:)
    call gator_allocate(a, [1000], label='a')
    b => a
    call gator_deallocate(a)
    call gator_allocate(c, [1000], label='c')
    c = 0
    b(7) = 1 !~ use-after-free
    call gator_deallocate(c)
  end subroutine

  ! fault freed_small: the last element of a small freed block
  subroutine freed_small()
    integer, pointer :: a(:), b(:)
    call gator_allocate(a, [3], label='a')
    a = 1
    b => a
    call gator_deallocate(a)
    sink = b(3) !~ use-after-free
  end subroutine

  ! fault freed_in_callee: the callee frees an array that the caller still uses
  subroutine freed_in_callee()
    real(8), pointer :: a(:), b(:)
    call gator_allocate(a, [64], label='a')
    a = 2
    b => a
    call release(a)
    sink = sum(b) !~ use-after-free
  end subroutine

  subroutine release(a)
    real(8), pointer, intent(inout) :: a(:)
    call gator_deallocate(a)
  end subroutine

  ! fault free_twice: two pointers to one array are both freed
  subroutine free_twice()
    real(8), pointer :: a(:), b(:)
    call gator_allocate(a, [100], label='a')
    b => a
    call gator_deallocate(a)
    call gator_deallocate(b) !~ double-free
  end subroutine

  ! fault free_allocated: an array of ALLOCATE is passed to gator_deallocate
  subroutine free_allocated()
    real(8), pointer :: a(:), own(:)
    allocate (own(100))
    a => own
    call gator_deallocate(a) !~ foreign-free
    deallocate (own)
  end subroutine

  ! fault free_section: a pointer to a section is freed
  subroutine free_section()
    real(8), pointer :: a(:), b(:)
    call gator_allocate(a, [100], label='a')
    b => a(11:)
    call gator_deallocate(b) !~ interior-free
    call gator_deallocate(a)
  end subroutine

  ! fault intrinsic_deallocate: DEALLOCATE of an array of the pool
  subroutine intrinsic_deallocate()
    real(8), pointer :: a(:)
    call gator_allocate(a, [100], label='a')
    a = 1
    deallocate (a) !~ intrinsic-free|crash
  end subroutine

  ! fault never_freed: an array is not freed
  subroutine never_freed()
    real(8), pointer :: a(:)
    call gator_allocate(a, [100], label='lost') !~ leak
    a = 1
  end subroutine

  ! fault lost_in_a_loop: a pointer gets another target before its block is freed
  subroutine lost_in_a_loop()
    real(8), pointer :: a(:)
    integer :: i
    do i = 1, 4
      nullify (a)
      call gator_allocate(a, [100*i], label='tmp') !~ leak
      a = i
    end do
    call gator_deallocate(a)
  end subroutine

  ! fault early_return: an error path returns without a free
  subroutine early_return()
    real(8), pointer :: work(:)
    call gator_allocate(work, [100], label='work') !~ leak
    work = sink
    if (work(1) == 0) return
    call gator_deallocate(work)
  end subroutine

  ! fault boundary_not_set: only the inner points get a value [--fill]
  subroutine boundary_not_set()
    use portable_mod, only: reduce_sum
    real(8), pointer :: a(:)
    call gator_allocate(a, [100], label='a')
    a(2:99) = 1
    sink = reduce_sum(a) !~ never-written
    call gator_deallocate(a)
  end subroutine

  ! clean ends_exactly: both ends of many sizes are written
  subroutine ends_exactly()
    real(8), pointer :: a(:)
    integer, pointer :: b(:)
    integer :: n
    do n = 1, 300, 7
      call gator_allocate(a, [n], label='a')
      call gator_allocate(b, [n], label='b')
      a(1) = n
      a(n) = n
      b(1) = n
      b(n) = n
      call gator_deallocate(a)
      call gator_deallocate(b)
    end do
  end subroutine

  ! clean time_steps: work arrays of a hundred steps
  subroutine time_steps()
    real(8), pointer :: h(:,:), f(:,:), old(:,:)
    integer :: step
    call gator_allocate(h, [52, 42], [0, 0], label='h')
    h = 1
    do step = 1, 100
      call gator_allocate(f, [52, 42], [0, 0], label='f')
      call gator_allocate(old, [52, 42], [0, 0], label='old')
      old = h
      f = 0.5d0*old
      h(1:50,1:40) = old(1:50,1:40) - 0.1d0*(f(2:51,1:40) - f(1:50,1:40))
      call gator_deallocate(f)
      call gator_deallocate(old)
    end do
    sink = h(0,41)
    call gator_deallocate(h)
  end subroutine

  ! clean swapped_pointers: two time levels whose pointers change places
  subroutine swapped_pointers()
    real(8), pointer :: a(:), b(:), c(:)
    integer :: i
    call gator_allocate(a, [1000], label='a')
    call gator_allocate(b, [1000], label='b')
    a = 1
    do i = 1, 10
      b = a + i
      c => a
      a => b
      b => c
    end do
    call gator_deallocate(a)
    call gator_deallocate(b)
  end subroutine

  ! clean all_types: real, integer, logical of several ranks
  subroutine all_types()
    real(4), pointer :: a(:,:,:)
    logical, pointer :: b(:)
    integer, pointer :: c(:,:)
    call gator_allocate(a, [3, 4, 5], label='a')
    call gator_allocate(b, [17], label='b')
    call gator_allocate(c, [5, 5], [-2, -2], label='c')
    a = 1
    b = .true.
    c(-2,-2) = 1
    c(2,2) = 1
    call gator_deallocate(c)
    call gator_deallocate(b)
    call gator_deallocate(a)
  end subroutine

  ! clean empty_arrays: arrays of no elements
  subroutine empty_arrays()
    real(8), pointer :: a(:), b(:,:)
    call gator_allocate(a, [0], label='a')
    call gator_allocate(b, [0, 10], label='b')
    a = 1
    b = 1
    call gator_deallocate(a)
    call gator_deallocate(b)
  end subroutine

  ! clean dummy_arguments: old routines with the right lengths, a section that is copied in and out
  subroutine dummy_arguments()
    real(8), pointer :: a(:,:)
    call gator_allocate(a, [10, 10], label='a')
    call clear(a, 10)
    call scale(a(1:10:2,3), 5)
    call gator_deallocate(a)
  end subroutine

  ! clean all_filled: every element has a value before it is read [--fill]
  subroutine all_filled()
    use portable_mod, only: reduce_sum
    real(8), pointer :: a(:)
    call gator_allocate(a, [100], label='a')
    a = 1
    sink = reduce_sum(a)
    call gator_deallocate(a)
  end subroutine
end module

program pool
  use gator_mod, only: gator_init, gator_finalize
  use pool_faults
  implicit none
  character(40) :: name
  call get_command_argument(1, name)
  call gator_init()
  select case (name)
  case ('write_past_end'); call write_past_end()
  case ('read_past_end'); call read_past_end()
  case ('write_before_start'); call write_before_start()
  case ('read_before_start'); call read_before_start()
  case ('lower_bound_zero'); call lower_bound_zero()
  case ('stencil_last_column'); call stencil_last_column()
  case ('swapped_indices'); call swapped_indices()
  case ('section_too_long'); call section_too_long()
  case ('assumed_size'); call assumed_size()
  case ('explicit_shape'); call explicit_shape()
  case ('single_precision'); call single_precision()
  case ('integers'); call integers()
  case ('logicals'); call logicals()
  case ('rank_three'); call rank_three()
  case ('empty_array'); call empty_array()
  case ('many_places'); call many_places()
  case ('large_array'); call large_array()
  case ('read_freed'); call read_freed()
  case ('write_freed'); call write_freed()
  case ('freed_and_taken_again'); call freed_and_taken_again()
  case ('freed_small'); call freed_small()
  case ('freed_in_callee'); call freed_in_callee()
  case ('free_twice'); call free_twice()
  case ('free_allocated'); call free_allocated()
  case ('free_section'); call free_section()
  case ('intrinsic_deallocate'); call intrinsic_deallocate()
  case ('never_freed'); call never_freed()
  case ('lost_in_a_loop'); call lost_in_a_loop()
  case ('early_return'); call early_return()
  case ('boundary_not_set'); call boundary_not_set()
  case ('ends_exactly'); call ends_exactly()
  case ('time_steps'); call time_steps()
  case ('swapped_pointers'); call swapped_pointers()
  case ('all_types'); call all_types()
  case ('empty_arrays'); call empty_arrays()
  case ('dummy_arguments'); call dummy_arguments()
  case ('all_filled'); call all_filled()
  case default
    error stop 'no such case'
  end select
  call gator_finalize()
end program
