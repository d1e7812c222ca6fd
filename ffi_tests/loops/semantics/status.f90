! ALLOCATED and ASSOCIATED of variables and components that no iteration changes: the body has other declarations than the
! procedure around it. All rows run with memory and without.
module status
  use bits_of_results
  implicit none
  integer, parameter :: wp = real64
  type :: model
    real(wp), allocatable :: u(:)
    real(wp), pointer :: v(:) => null()
    integer :: number = 3
  end type model
  type :: whole
    type(model) :: now
  end type whole
  real(wp), pointer :: p(:) => null(), q(:) => null()
  real(wp), allocatable :: field(:)
contains
  subroutine rows(n, a, m, arg)
    integer, intent(in) :: n
    real(wp), intent(inout) :: a(n)
    type(whole), intent(in) :: m
    real(wp), allocatable, intent(in) :: arg(:)
    real(wp), allocatable :: own(:)
    real(wp) :: s
    integer :: i
    ! truth: parallel i; run associated-pointer
    do i = 1, n
      if (Associated ( p )) a(i) = a(i) + p(i) ; if (.not. associated(p)) a(i) = a(i) + 0.5_wp
    end do
    call show('associated-pointer', bits(a))
    ! truth: parallel i; run associated-pointers
    do i = 1, n
      if (associated(p, q)) a(i) = a(i) + 7
      if (associated(pointer=p, target=m%now%v)) a(i) = a(i) + 0.25_wp
    end do
    call show('associated-pointers', bits(a))
    ! truth: parallel i; run allocated-array
    do i = 1, n
      if (allocated(field)) then
        a(i) = a(i) - field(n - i + 1)
      else if (allocated(arg)) then
        a(i) = a(i) + arg(i)
      else
        a(i) = 2*a(i)
      end if
    end do
    call show('allocated-array', bits(a))
    ! truth: parallel i; run status-of-components
    do i = 1, n
      if (allocated(m%now%u) .and. associated(m%now%v)) then
        a(i) = a(i) + m%now%u(i) + m%now%v(i)*m%now%number
      else
        a(i) = merge(1, 2, allocated(m%now%u)) + a(i)
      end if
    end do
    call show('status-of-components', bits(a))
    s = 0
    ! truth: parallel i; reduction +:s; run status-alone
    do i = 1, n
      if (allocated(own) .or. .not. allocated(arg)) s = s + 0.25_wp*i
    end do
    call show('status-alone', bits([s]))
  end subroutine rows
end module status

program main
  use status
  implicit none
  integer, parameter :: n = 37
  real(wp) :: a(n)
  real(wp), allocatable :: arg(:)
  real(wp), target :: room(2*n)
  type(whole) :: m
  integer :: i
  a = sample([(i, i=1, n)])
  room = sample([(i, i=1, 2*n)])
  call rows(n, a, m, arg)
  allocate (p(n), m%now%u(n))
  p = sample([(i, i=2, n + 1)])
  m%now%u = sample([(i, i=3, n + 2)])
  m%now%v => room(2*n:2:-2)
  call rows(n, a, m, arg)
  q => p
  allocate (field(n), arg(n))
  field = p + 1
  arg = 3
  call rows(n, a, m, arg)
  deallocate (field, p)
  p => m%now%v
  call rows(n, a, m, arg)
end program main
