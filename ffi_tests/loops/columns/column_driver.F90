! Columns in the first two dimensions of t, in the last two of q; once around the call, once around loops, once for columns in a list.
program column_driver
  use column_state
  use column_physics
  use, intrinsic :: iso_fortran_env, only: int64
  implicit none
  integer, parameter :: nx = 19, ny = 7, nz = 23, many = 70
  real(wp) :: t(nx, ny, nz), q(nz, nx, ny), ps(nx, ny), rain(nx, ny)
  real(wp) :: list(nz, many), more(many, nz), pressure(many), wet(many)
  integer :: i, j, k, step
  call begin(many, ny, nz)
  do j = 1, ny
    do i = 1, nx
      ps(i, j) = mod(i*7 + j*3, 11)*0.13_wp
      do k = 1, nz
        t(i, j, k) = 280 - k + 0.1_wp*i*j
        q(k, i, j) = mod(i + j + k, 5)
      end do
    end do
  end do
  do i = 1, many
    pressure(i) = mod(i*5, 13)*0.11_wp
    do k = 1, nz
      list(k, i) = 270 - k + 0.03_wp*i
      more(i, k) = mod(i + k, 7)
    end do
  end do
  do step = 1, 3
#ifdef BY_HAND
    do j = 1, ny
      do i = 1, nx
        call physics(nz, i, j, t(i, j, :), q(:, i, j), ps(i, j), fixed%gravity, 3, rain(i, j))
      end do
    end do
#else
    !$portable parallel columns(i=1:nx, j=1:ny) label('call')
    call physics(nz, i, j, t, q, ps, fixed%gravity, 3, rain)
#endif
    call report('call')
    !$portable parallel columns(i=1:nx, j=1:ny) label('loops')
    do j = 1, ny
      do i = 1, nx
        work(1:nz) = t(i, j, :)
        ps(i, j) = ps(i, j)*1.01_wp + 1e-6_wp*work(nz)
        call full_physics(nz, i, j, t(i, j, :), q(:, i, j), ps(i, j), fixed, rain(i, j), most_rain=40._wp)
      end do
    end do
    call report('loops')
#ifdef BY_HAND
    do i = 1, many
      call physics(nz, i, 1, list(:, i), more(i, :), pressure(i), &
        factor=0.01_wp, steps=2, rain=wet(i))
    end do
#else
    !$portable parallel columns(i=1:many) &
    !$portable& label('list')
    call physics(nz, i, 1, list, more, pressure, &
      factor=0.01_wp, steps=2, rain=wet)
#endif
    call report('list')
  end do
  call finish()
contains
  subroutine report(what)
    character(*), intent(in) :: what
    print "(a, 6(1x, z16.16))", what, bits(sum(t)), bits(sum(q)), bits(sum(rain) + sum(heating)), &
      bits(sum(list)), bits(sum(more)), bits(sum(wet))
  end subroutine report

  integer(int64) function bits(x)
    real(wp), intent(in) :: x
    bits = transfer(x, bits)
  end function bits
end program column_driver
