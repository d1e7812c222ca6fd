! Values from texts that no iteration changes: the host computes them in front of a launch on a device.
module devices_texts
  use bits_of_results
  implicit none
  integer, parameter :: wp = real64
  type :: model
    character(6) :: tag(40) = 'ab'
    character(4) :: mode = 'fast'
    integer :: number = 2
  end type model
  character(3), allocatable :: kinds(:)
  integer :: grid_sum(40, 2) = 0
contains
  subroutine rows(n, names, grid, key, a, b, m, view)
    integer, intent(in) :: n
    character(8), intent(in) :: names(n), grid(0:n, 2)
    character(*), intent(in) :: key
    character(5), intent(in) :: view(:)
    real(wp), intent(inout) :: a(n)
    integer, intent(inout) :: b(n)
    type(model), intent(in) :: m
    real(wp) :: s
    integer :: i, j
    ! truth: parallel i; run texts-compared
    do i = 1, n
      if (names(i) == 'fixed') a(i) = 0
      if (names(i)(1:1) == 'o' .or. key == 'all') a(i) = a(i) + 1
      if ('no' /= names(n + 1 - i) .and. names(i) < 'p') a(i) = a(i) - 0.25_wp
    end do
    call show('texts-compared', bits(a))
    ! truth: parallel i; run texts-functions
    do i = 1, n
      b(i) = len_trim(names(i)) + 10*index('o3 no no2 ho2', trim(names(i))) + 1000*scan(names(i), "'")
      b(i) = b(i) + ichar(names(i)(2:2)) + 7*verify(names(i), ' o', back=.true.)
      b(i) = b(i) + index(string=names(i), substring='o') + 3*index(substring=names(i), string='o')
    end do
    call show('texts-functions', bits(real(b, wp)))
    ! truth: parallel j i; run texts-of-two-dimensions
    do j = 1, 2
      do i = 1, n
        if (index(grid(i - 1, j), 'x') > 3) then
          grid_sum(i, j) = grid_sum(i, j) + index(grid(i - 1, j), 'x')*j
        else if (grid(n - i, 3 - j) == 'x') then
          grid_sum(i, j) = -1
        end if
      end do
    end do
    call show('texts-of-two-dimensions', bits(real(reshape(grid_sum, [80]), wp)))
    ! truth: parallel i; run texts-of-components
    do i = 1, n
      if (m%mode == 'fast') b(i) = b(i) + m%number
      if (lge(m%tag(i), 'b')) b(i) = b(i) + 100
      if (view(i)(2:3) == 'xx') b(i) = -b(i)
    end do
    call show('texts-of-components', bits(real(b, wp)))
    ! truth: parallel i; run texts-not-allocated
    do i = 1, n
      if (allocated(kinds)) then
        if (kinds(i) == 'k') a(i) = a(i) + 3
      else
        a(i) = 2*a(i)
      end if
    end do
    call show('texts-not-allocated', bits(a))
    s = 0
    ! truth: parallel i; reduction +:s; run texts-in-a-sum
    do i = 1, n
      s = s + merge(0.25_wp*i, 0.0_wp, adjustl(names(i)) == 'o3')
    end do
    call show('texts-in-a-sum', bits([s]))
  end subroutine rows
end module devices_texts

program main
  use devices_texts
  implicit none
  integer, parameter :: n = 37
  character(8) :: names(n), grid(0:n, 2)
  character(5) :: view(2*n)
  real(wp) :: a(n)
  integer :: b(n), i
  type(model) :: m
  do i = 1, n
    names(i) = adjustl(merge('fixed   ', ' o3     ', mod(i, 3) == 0))
    if (mod(i, 5) == 0) names(i) = 'no'
    if (mod(i, 7) == 0) names(i) = ''
    view(2*i - 1) = merge('axx  ', 'a    ', mod(i, 4) == 1)
    view(2*i) = 'bxx'
    m%tag(i) = merge('b', 'a', mod(i, 2) == 0)
    grid(i, :) = repeat(' ', mod(i, 6))//'x'
  end do
  names(8) = "o'"
  grid(0, :) = 'x'
  a = sample([(i, i=1, n)])
  b = 0
  call rows(n, names, grid, 'some', a, b, m, view(::2))
  allocate (kinds(n))
  kinds = 'k'
  kinds(5) = 'ka'
  m%mode = 'slow'
  call rows(n, names, grid, 'all ', a, b, m, view(::2))
end program main
