! Components, arrays of derived types, pointers in types, logical kinds.
module components
  use bits_of_results
  implicit none
  integer, parameter :: wp = real64
  type point
    real(wp) :: x(3)
    integer :: cell
  end type point
  type state
    real(wp), allocatable :: t(:, :), q(:)
    real(wp) :: dt, scale(4)
    integer :: n = 0
  end type state
  type model
    type(state) :: now, next
    type(point), allocatable :: points(:)
    real(wp), pointer :: view(:) => null()
  end type model
  type node
    real(wp) :: dt = 1, w(3) = 2
  end type node
contains
  subroutine spans(name, p, q, at, nodes)
    character(len=*), intent(in) :: name
    real(wp), pointer, intent(in) :: p(:), q(:, :)
    type(node), pointer, intent(in) :: at
    type(node), target, intent(in) :: nodes(:)
    integer :: i, j
    ! truth: parallel i; run pointer-to-components
    do i = 1, size(p)
      p(i) = p(i)*2 + i
    end do
    call show('pointer-to-components', bits(p))
    ! truth: parallel i; run pointer-over-a-scalar
    do i = 1, size(p)
      p(i) = p(i) + at%dt
    end do
    call show('pointer-over-a-scalar', [bits(nodes%dt), bits(nodes%w(1)), bits(nodes%w(2)), bits(nodes%w(3))])
    ! truth: parallel j i; run pointer-to-components-of-planes
    do j = 1, size(q, 2)
      do i = 1, size(q, 1)
        q(i, j) = q(i, j) + 10*j + i
      end do
    end do
    call show('pointer-to-components-of-planes', bits([q]))
    call show(name, [bits(nodes%dt), bits(nodes%w(1)), bits(nodes%w(2)), bits(nodes%w(3))])
  end subroutine spans

  subroutine rows(m)
    type(model), intent(inout) :: m
    integer :: i, j
    ! truth: parallel j i; run component-arrays
    do j = 1, m%now%n
      do i = 0, m%now%n
        m%next%t(i, j) = m%now%t(i, j) + m%now%dt*m%now%q(j)
      end do
    end do
    call show('component-arrays', bits([m%next%t]))
    ! truth: parallel i; run component-array-of-types
    do i = 1, size(m%points)
      m%points(i)%x(2) = m%points(i)%x(1) + m%points(i)%cell
      m%points(i)%cell = i*i
    end do
    call show('component-array-of-types', [bits(m%points%x(2)), bits(m%points%cell)])
    ! truth: parallel i; reduction +:m%now%dt; run component-scalar-reduction
    do i = 1, m%now%n
      m%now%dt = m%now%dt + m%now%q(i)
    end do
    call show('component-scalar-reduction', bits([m%now%dt]))
    ! truth: parallel i; run component-section
    do i = 1, m%now%n
      m%next%t(:, i) = m%now%t(:, i)*m%now%scale(mod(i, 4) + 1)
      m%points(i)%x = m%next%t(1:3, i)
    end do
    call show('component-section', [bits([m%next%t]), bits(m%points%x(3))])
    ! truth: parallel i; run component-pointer
    do i = 1, size(m%view)
      m%view(i) = m%view(i) - i
    end do
    call show('component-pointer', bits(m%view))
    ! truth: parallel i; run component-two-states
    do i = 2, m%now%n
      m%now%q(i) = m%next%q(i - 1)
    end do
    call show('component-two-states', bits(m%now%q))
  end subroutine rows

  subroutine types(n, p, masks)
    integer, intent(in) :: n
    type(point), intent(inout) :: p(0:n)
    logical(1), intent(inout) :: masks(n)
    logical(8) :: wide(n)
    logical :: plain(n)
    type(point) :: one
    integer :: i
    ! truth: parallel i; private one; run whole-structure
    do i = 1, n
      one = p(i)
      one%x = -one%x
      p(i) = one
    end do
    call show('whole-structure', [bits(p%x(1)), bits(p%cell)])
    ! truth: parallel i; run structure-constructor
    do i = 0, n
      p(i) = point(x=[i*1.0_wp, 2.0_wp, 3.0_wp], cell=-i)
    end do
    call show('structure-constructor', [bits(p%x(1)), bits(p%cell)])
    ! truth: parallel i; run logical-kinds
    do i = 1, n
      masks(i) = p(i)%x(1) > 3
      wide(i) = masks(i) .and. .not. logical(mod(i, 2) == 0, 8)
      plain(i) = masks(i) .neqv. wide(i)
    end do
    call show('logical-kinds', [bits(masks), bits(wide), bits(plain)])
    ! truth: parallel i; run logical-operators
    do i = 1, n
      plain(i) = plain(i) .or. i > 5 .and. .not. masks(i) .eqv. i < 20
    end do
    call show('logical-operators', bits(plain))
  end subroutine types
end module components

program main
  use components
  implicit none
  type(model) :: m
  type(point) :: p(0:21)
  logical(1) :: masks(21)
  real(wp), target :: room(60)
  integer, parameter :: n = 19
  type(node), target :: nodes(40), planes(5, 7)
  type(node), pointer :: at
  real(wp), pointer :: along(:), across(:, :)
  integer :: i
  allocate (m%now%t(0:n, n), m%now%q(n), m%next%t(0:n, n), m%next%q(n))
  m%now%t = reshape(sample([(i, i=1, n*(n + 1))]), [n + 1, n])
  m%now%q = sample([(i, i=1, n)])
  m%now%dt = 0.5_wp
  m%now%scale = [1, 2, 3, 4]
  m%now%n = n
  m%next%t = m%now%t
  m%next%q = m%now%q
  allocate (m%points(n))
  do i = 1, n
    m%points(i)%x = i
    m%points(i)%cell = -i
  end do
  room = sample([(i, i=1, 60)])
  m%view => room(60:1:-3)
  call rows(m)
  call show('component-pointer-target', bits(room))
  do i = 0, 21
    p(i)%x = sample(i)
    p(i)%cell = i
  end do
  masks = .false.
  call types(21, p, masks)
  at => nodes(3)
  along => nodes%dt
  across => planes%w(2)
  call spans('spans-of-scalars', along, across, at, nodes)
  along => nodes(39:2:-3)%w(3)
  across => planes(2:4, ::2)%dt
  call spans('spans-of-elements', along, across, at, nodes)
  along => room
  across(1:6, 1:10) => room
  call spans('spans-of-numbers', along, across, at, nodes)
  call show('planes', [bits([planes%dt]), bits([planes%w(2)])])
end program main
