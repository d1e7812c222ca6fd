! Array components in arrays of derived types, with subscripts that an iteration finds: on devices each
! element of the component is a view of its own.
module devices_elements
  use bits_of_results
  implicit none
  integer, parameter :: wp = real64
  type :: part
    real(wp) :: q = 0.5_wp
    integer(int16) :: at(2) = [1_int16, 2_int16]
  end type part
  type :: cell
    integer(int8) :: count = 1
    real(wp) :: x(3) = [1, 2, 3]
    type(part) :: state(-1:2)
    real(real32) :: m(2, 0:2) = 2
    real(wp), pointer :: back(:) => null()
    real(wp), allocatable :: own(:)
    logical(int8) :: wet(3) = .false.
    real(wp) :: none(0)
  end type cell
  type, extends(cell) :: larger
    integer(int64) :: flux(2, 2, 2) = 4
  end type larger
contains
  subroutine elements_on_the_device(n, r, p)
    integer, intent(in) :: n
    real(wp), intent(in) :: r(n)
    type(cell), intent(inout) :: p(-2:n)
    integer :: i, j, k
    ! truth: parallel i; run element-by-index
    do i = 1, n
      do j = 1, 3
        p(i)%x(j) = p(i)%x(j) + r(i)*j - p(i)%x(1)
        p(i)%wet(4 - j) = p(i)%x(j) > 2
      end do
      p(i)%count = int(p(i)%count + count(p(i)%wet), int8)
    end do
    call show_cells('element-by-index', p)
    ! truth: parallel i; run elements-of-nested-types
    do i = 1, n
      do k = -1, 2
        p(i)%state(k)%q = p(i)%state(k)%q*k + r(i)
        p(i)%state(k)%at(1) = int(k + p(i)%state(1 - k)%at(2), int16)
      end do
      p(i)%state(2)%at(1 + mod(i, 2)) = 7
    end do
    call show_cells('elements-of-nested-types', p)
    ! truth: parallel i; run elements-of-two-dimensions
    do i = 1, n
      do k = 0, 2
        do j = 1, 2
          p(i)%m(j, k) = real(10*j + k, real32) + p(i)%m(3 - j, 2 - k)
        end do
      end do
      p(i)%m(2, mod(i, 3)) = p(i)%m(1, mod(i + 1, 3))
    end do
    call show_cells('elements-of-two-dimensions', p)
    ! truth: parallel i; run elements-with-constants
    do i = 1, n
      do j = 1, 2
        p(i)%m(j, 2) = p(i)%m(3 - j, 1) + j*i
      end do
      do k = 0, 1
        p(i)%m(2, k) = p(i)%m(1, 2 - k) - k
        p(i)%state(k)%at(2) = int(p(i)%state(2)%at(1 + k) + k, int16)
      end do
      p(i)%m(:, 1) = p(i)%m(:, 2) + p(i)%m(2:1:-1, 0)
      p(i)%m(1, :1) = p(i)%m(2, 1:)
    end do
    call show_cells('elements-with-constants', p)
  end subroutine elements_on_the_device

  subroutine arrays_on_the_device(n, r, p)
    integer, intent(in) :: n
    real(wp), intent(in) :: r(n)
    type(cell), intent(inout) :: p(:)
    real(wp) :: w(3)
    integer :: i, k
    ! truth: parallel i; private w; run component-as-array
    do i = 1, n
      w = p(i)%x
      w(2:3) = w(2:3) + p(i)%x(1:2)
      k = 1 + mod(i, 2)
      p(i)%x(k:k + 1) = w(3:2:-1)
      p(i)%x(3) = sum(p(i)%x) + maxval(p(i)%x(k:)) + dot_product(w, p(i)%x)
      p(i)%x(2:3) = p(i)%x(1:2)
      p(i)%state(k)%q = r(i)
    end do
    call show_cells('component-as-array', p)
  end subroutine arrays_on_the_device

  subroutine shapes_on_the_device(n, r, p, grid)
    integer, intent(in) :: n
    real(wp), intent(in) :: r(n)
    type(larger), intent(inout), target :: p(:)
    type(cell), intent(inout), allocatable :: grid(:, :)
    type(larger), pointer :: some(:)
    integer :: i, j, k, l
    some => p(n:1:-2)
    ! truth: parallel i; run elements-behind-a-pointer
    do i = 1, size(some)
      do l = 1, 2
        do k = 1, 2
          do j = 1, 2
            some(i)%flux(j, k, l) = some(i)%flux(k, l, j) + 100*j + 10*k + l
          end do
        end do
      end do
    end do
    call show('elements-behind-a-pointer', [(p(i)%flux, i=1, n)])
    ! truth: parallel j i; run elements-of-allocatable
    do j = 1, 3
      do i = -1, 4
        do k = 1, 3
          grid(i, j)%x(k) = grid(i, j)%x(4 - k)*k + r(1 + mod(i + j, n))
        end do
      end do
    end do
    call show_cells('elements-of-allocatable', reshape(grid, [size(grid)]))
  end subroutine shapes_on_the_device

  subroutine no_element(n, p)
    integer, intent(in) :: n
    type(cell), intent(inout) :: p(n)
    integer :: i, j
    ! truth: parallel i; run component-without-elements
    do i = 1, n
      do j = 1, size(p(i)%none)
        p(i)%none(j) = j
      end do
      p(i)%x(1) = i
    end do
    call show_cells('component-without-elements', p)
  end subroutine no_element

  subroutine show_cells(name, p)
    character(len=*), intent(in) :: name
    type(cell), intent(in) :: p(:)
    integer(int64) :: all(25, size(p))
    integer :: i
    !$portable off
    do i = 1, size(p)
      all(:, i) = [bits(p(i)%x), bits(p(i)%state%q), bits(reshape(p(i)%m, [6])), int(p(i)%count, int64), &
                   merge(1_int64, 0_int64, p(i)%wet), int(p(i)%state%at(1), int64), int(p(i)%state%at(2), int64)]
    end do
    !$portable on
    call show(name, reshape(all, [size(all)]))
  end subroutine show_cells
end module devices_elements

program main
  use devices_elements
  implicit none
  integer, parameter :: n = 37
  integer :: i
  real(wp) :: r(n)
  type(cell) :: p(-2:n)
  type(larger) :: q(n)
  type(cell), allocatable :: grid(:, :)
  r = sample([(i, i=1, n)])
  allocate (grid(-1:4, 3))
  call elements_on_the_device(n, r, p)
  call elements_on_the_device(0, r, p(1:3))
  call arrays_on_the_device(n, r, p(1:))
  call arrays_on_the_device(9, r, p(n:1:-3))
  call shapes_on_the_device(n, r, q, grid)
  call no_element(n, p(1:))
end program main
