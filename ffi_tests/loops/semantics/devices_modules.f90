! Variables of modules that called procedures name, which devices get as arguments: bounds, names,
! allocation, arrays that are arguments too, and procedures in the called ones.
module devices_modules_state
  use bits_of_results
  implicit none
  integer, parameter :: wp = real64
  integer :: levels = 0
  logical :: doubled = .true.
  real(real32) :: share = 0.25
  real(wp), allocatable :: t(:, :), q(:, :), heat(:), never(:)
  real(wp), pointer :: seen(:) => null()
  real(wp), target :: base(400)
  real(wp) :: fixed(-3:3, 0:2)
  integer(int16) :: small(0:99) = 0
  logical(int8) :: wet(200) = .false.
  real(wp), parameter :: table(0:3) = [1.5_wp, -2.0_wp, 0.25_wp, 4.0_wp]
  real(wp), private :: hidden(200) = 1
contains
  real(wp) function of_hidden(i)
    integer, intent(in) :: i
    of_hidden = hidden(i) + i
  end function of_hidden
  real(wp) function own(i, k)
    integer, intent(in) :: i, k
    own = q(i, k)*share + fixed(mod(k, 3) - 1, 2)
  end function own
end module devices_modules_state

! A name of the state is another one here, and the nests' module does not use the state itself.
module devices_modules_work
  use devices_modules_state, only: wp, int16, of_hidden, own, air => t, levels, heat, table, small, wet, doubled, never, seen, q
  implicit none
  real(wp), private :: inside(0:200) = 3
  integer, private :: rows = 4
contains
  subroutine one_column(i)
    integer, intent(in) :: i
    real(wp) :: down(0:9), w(levels), total, factor
    integer :: k
    factor = 1
    total = 0
    down(0) = 2
    do k = 1, min(levels, 9)
      down(k) = down(k - 1)*0.5_wp + own(i, k)
      w(k) = down(k)*table(mod(k, 4))
    end do
    do k = lbound(air, 2), ubound(air, 2)
      air(i, k) = air(i, k) + caught(k)
    end do
    if (doubled) total = 2*total
    heat(i) = total + sum(w)*factor
    small(i) = small(i) + int(size(air, 2), int16)
    wet(i) = heat(i) > 0 .neqv. wet(i)
  contains
    real(wp) function caught(l)
      integer, intent(in) :: l
      integer :: k
      caught = 0
      do k = 1, 3
        call add(q(i, k)*down(mod(abs(l), 9)))
      end do
      if (l > 2) down(l) = caught
    end function caught
    subroutine add(x)
      real(wp), intent(in) :: x
      total = total + x
      factor = factor + 0.5_wp
    end subroutine add
  end subroutine one_column

  real(wp) function perhaps(i, bound)
    integer, intent(in) :: i, bound
    perhaps = i
    if (i < bound) perhaps = perhaps + never(i)
  end function perhaps
  real(wp) function of_pointer(i, bound)
    integer, intent(in) :: i, bound
    of_pointer = 0
    if (i < bound) of_pointer = seen(i)
  end function of_pointer
  real(wp) function of_both(x, i)
    real(wp), intent(in) :: x(:)
    integer, intent(in) :: i
    of_both = x(2) - 2*air(i, 1) + x(size(x))
  end function of_both
  subroutine two_names(x, i)
    real(wp), intent(inout) :: x
    integer, intent(in) :: i
    x = x + q(i + 1, 2)*levels + air(i, 0)
  end subroutine two_names
  subroutine step_inside(i)
    integer, intent(in) :: i
    inside(i) = inside(i)*rows + air(i, 1)
  end subroutine step_inside
  real(wp) function from_inside(i)
    integer, intent(in) :: i
    from_inside = inside(i)
  end function from_inside
  function shown()
    real(wp) :: shown(0:200)
    shown = inside
  end function shown

  subroutine hidden_name_on_the_host(n, inside, r)
    integer, intent(in) :: n
    real(wp), intent(in) :: inside(n)
    real(wp), intent(inout) :: r(n)
    integer :: i
    ! truth: parallel i; run module-variable-behind-a-name-of-the-loop
    do i = 1, n
      r(i) = r(i) + from_inside(i)*inside(i)
    end do
  end subroutine hidden_name_on_the_host
  subroutine own_module_on_the_device(n)
    integer, intent(in) :: n
    integer :: i
    ! truth: parallel i; run private-variable-of-the-own-module
    do i = 1, n
      call step_inside(i)
    end do
  end subroutine own_module_on_the_device
end module devices_modules_work

module devices_modules
  use bits_of_results
  use devices_modules_work, only: wp, one_column, perhaps, of_pointer, of_both, two_names, of_hidden
  implicit none
  real(wp) :: values(4, 200)
contains
  real(wp) function second(i)
    integer, intent(in) :: i
    second = values(2, i)*0.5_wp
  end function second

  ! Its dummies and its array of run-time size are set in the procedures inside alone.
  subroutine around(x, y, n, s)
    integer, intent(in) :: n
    real(wp), intent(in) :: x(-1:)
    real(wp) :: y(0:n), s
    real(wp) :: w(2*n)
    logical :: ended
    ended = .false.
    call outer(1)
    if (ended) s = s + w(2*n)
  contains
    subroutine outer(low)
      integer, intent(in) :: low
      integer :: k
      do k = low, size(w)
        call set(k, x(mod(k, 3) - 1))
      end do
      call set(size(w), w(ubound(w, 1) - 1) + y(0))
      ended = s > 0
    end subroutine outer
    subroutine set(k, value)
      integer, intent(in) :: k
      real(wp), intent(in) :: value
      w(k) = value*k
      y(mod(k, n)) = y(mod(k, n)) + w(k)
      s = s + 0.25_wp*value
    end subroutine set
  end subroutine around

  subroutine around_on_the_device(n, x, y, s)
    integer, intent(in) :: n
    real(wp), intent(in) :: x(5, n)
    real(wp), intent(inout) :: y(4, n), s(n)
    integer :: i
    ! truth: parallel i; run variables-of-the-procedure-around
    do i = 1, n
      call around(x(:, i), y(:, i), 3, s(i))
    end do
  end subroutine around_on_the_device

  subroutine columns_on_the_device(n)
    integer, intent(in) :: n
    integer :: i
    ! truth: parallel i; run module-arrays-of-called-procedures
    do i = 1, n
      call one_column(i)
    end do
  end subroutine columns_on_the_device

  subroutine absent(n, bound, r)
    integer, intent(in) :: n, bound
    real(wp), intent(out) :: r(n)
    integer :: i
    ! truth: parallel i; run module-array-that-is-not-allocated
    do i = 1, n
      r(i) = perhaps(i, bound)
    end do
  end subroutine absent

  subroutine pointed(n, bound, r)
    integer, intent(in) :: n, bound
    real(wp), intent(out) :: r(n)
    integer :: i
    ! truth: parallel i; run module-pointer-of-a-called-procedure
    do i = 1, n
      r(i) = of_pointer(i, bound)
    end do
  end subroutine pointed

  subroutine both_on_the_device(n, x, r, deep)
    integer, intent(in) :: n
    real(wp), intent(in) :: x(:, :)
    real(wp), intent(out) :: r(n)
    integer, intent(inout) :: deep
    integer :: i
    logical :: active
    ! truth: parallel i; private active; reduction +:deep; run module-array-that-is-an-argument-too
    do i = 1, n
      r(i) = of_both(x(i, :), i)
      active = r(i) > 0
      if (active) deep = deep + 1
    end do
  end subroutine both_on_the_device

  ! q and t are other variables here than in the called procedures.
  subroutine names_on_the_device(n, q, t)
    integer, intent(in) :: n
    real(wp), intent(inout) :: q(n)
    real(wp), intent(in) :: t
    integer :: i
    ! truth: parallel i; run names-of-module-variables
    do i = 1, n
      q(i) = t*q(i)
      call two_names(q(i), i)
    end do
  end subroutine names_on_the_device

  subroutine values_on_the_device(n)
    integer, intent(in) :: n
    integer :: i
    ! truth: parallel i; run array-that-a-function-on-the-right-reads
    do i = 1, n
      values(:, i) = second(i) + values(1:4, i)
    end do
  end subroutine values_on_the_device

  subroutine private_on_the_host(n, r)
    integer, intent(in) :: n
    real(wp), intent(inout) :: r(n)
    integer :: i
    ! truth: parallel i; run private-variable-of-another-module
    do i = 1, n
      r(i) = r(i) + of_hidden(i)
    end do
  end subroutine private_on_the_host
end module devices_modules

subroutine outside_on_the_device(n, r)
  use bits_of_results
  use devices_modules, only: second
  implicit none
  integer, intent(in) :: n
  real(real64), intent(inout) :: r(n)
  integer :: i
  ! truth: parallel i; run module-array-of-a-procedure-outside-of-modules
  do i = 1, n
    r(i) = r(i) - second(i)
  end do
end subroutine outside_on_the_device

program main
  use devices_modules_state
  use devices_modules_work
  use devices_modules
  implicit none
  integer, parameter :: n = 93
  integer :: i, deep
  real(wp) :: r(n), x(n)
  x = sample([(i, i=1, n)])
  levels = 7
  allocate (t(0:n, -2:6), q(n + 1, levels), heat(-5:n))
  t = reshape(x, shape(t), x)
  q = reshape(x + 0.5_wp, shape(q), x)
  heat = -1
  fixed = reshape(x, shape(fixed), x)
  base = [(0.5_wp*i, i=1, 400)]
  values = reshape(x, shape(values), x)
  call columns_on_the_device(n)
  share = 0.5
  doubled = .false.
  call columns_on_the_device(n)
  call show('module-arrays-of-called-procedures', [bits(pack(t, .true.)), bits(heat), bits(int(small)), bits(wet)])
  call absent(n, 0, r)
  call show('module-array-that-is-not-allocated', bits(r))
  allocate (never(-1:n))
  never = [(i*3, i=-1, n)]
  call absent(n, 50, r)
  call show('module-array-that-is-allocated', bits(r))
  call pointed(n, 0, r)
  call show('module-pointer-of-a-called-procedure', bits(r))
  seen(0:) => base(::3)
  call pointed(n, 40, r)
  call show('module-pointer-with-strides', bits(r))
  deep = 3
  call both_on_the_device(n, t(1:, :), r, deep)
  call show('module-array-that-is-an-argument-too', [bits(r), bits([deep])])
  call names_on_the_device(n, r, 0.5_wp)
  call show('names-of-module-variables', bits(r))
  call around_on_the_device(20, reshape(x, [5, 20], x), values, r)
  call show('variables-of-the-procedure-around', [bits(pack(values, .true.)), bits(r)])
  call values_on_the_device(n)
  call show('array-that-a-function-on-the-right-reads', bits(pack(values, .true.)))
  call private_on_the_host(n, r)
  call show('private-variable-of-another-module', bits(r))
  call own_module_on_the_device(n)
  call show('private-variable-of-the-own-module', bits(shown()))
  call hidden_name_on_the_host(n, x, r)
  call show('module-variable-behind-a-name-of-the-loop', bits(r))
  call outside_on_the_device(n, r)
  call show('module-array-of-a-procedure-outside-of-modules', bits(r))
end program main
