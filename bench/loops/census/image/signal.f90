! Signals: windows, convolution, decimation, statistics, phase, compression.
module signals
  use census_support, only: wp, int64, fill, fill_int, add, add_int
  implicit none
  integer, parameter :: n = 96, m = 7, nw = 12
  real(wp) :: x(n), y(n), z(n), re(n), im(n), h(-m:m), window(n), frames(n, nw), power(nw), envelope(n), coded(n), level
  integer :: code(n), run(n), bin(n)
contains
  pure integer function quantise(v, steps)
    real(wp), intent(in) :: v
    integer, intent(in) :: steps
    quantise = nint(v*steps)
  end function quantise

  subroutine fade(k, a, b)
    integer, intent(in) :: k
    real(wp), intent(in) :: a
    real(wp), intent(inout) :: b
    b = b + a*(1 - k/real(n, wp))
  end subroutine fade

  subroutine analyse()
    integer :: i, k
    real(wp) :: s, c, total, first
    ! truth: parallel i; features core
    do i = 1, n
      window(i) = 0.5_wp - 0.5_wp*cos(6.283185307179586_wp*(i - 1)/(n - 1))
    end do
    ! truth: parallel i; features core
    do i = 1, n
      x(i) = x(i)*window(i)
    end do
    ! truth: parallel i; private k; features core
    do i = m + 1, n - m
      y(i) = 0
      do k = -m, m
        y(i) = y(i) + h(k)*x(i - k)
      end do
    end do
    ! truth: parallel k; private i s c; features core
    do k = 1, n
      s = 0
      c = 0
      do i = 1, n
        s = s + x(i)*sin(0.06_wp*k*i)
        c = c + x(i)*cos(0.06_wp*k*i)
      end do
      re(k) = c
      im(k) = -s
    end do
    ! truth: parallel i; features core
    do i = 1, n
      envelope(i) = sqrt(re(i)**2 + im(i)**2)
    end do
    ! truth: parallel i; features core
    do i = 1, n
      z(i) = atan2(im(i), re(i) + 1e-9_wp)
    end do
    ! truth: parallel i; features function-known
    do i = 1, n
      code(i) = quantise(y(i), 64)
    end do
    ! truth: parallel i; features core
    do i = 2, n
      run(i) = code(i) - code(i - 1)
    end do
    ! truth: parallel i; features core
    do i = 1, n
      bin(i) = iand(code(i), 7) + ishft(iand(abs(run(i)), 3), 3)
    end do
    ! truth: parallel i; features core
    do i = 1, n
      coded(i) = real(mod(code(i), 16), wp)/16
    end do
    ! truth: parallel i; features calls-known
    do i = 1, n
      call fade(i, x(i), coded(i))
    end do
    ! truth: parallel k i; features core
    do k = 1, nw
      do i = 1, n
        frames(i, k) = x(1 + mod(i + 7*k, n))*window(i)
      end do
    end do
    ! truth: parallel k; private i; features core
    do k = 1, nw
      power(k) = 0
      do i = 2, n - 1
        power(k) = power(k) + (frames(i + 1, k) - frames(i - 1, k))**2
      end do
    end do
    ! truth: parallel k; private i; features core
    do k = 1, nw
      do i = n - 1, 1, -1
        frames(i, k) = frames(i, k) - 0.9_wp*frames(i + 1, k)
      end do
    end do
    total = 0
    ! truth: parallel k i; reduction +:total; features reduction
    do k = 1, nw
      do i = 1, n
        if (frames(i, k) > 0) total = total + frames(i, k)
      end do
    end do
    ! truth: parallel i; features core
    do i = 1, n
      if (abs(y(i)) < 0.05_wp) then
        y(i) = 0
      else
        y(i) = y(i) - sign(0.05_wp, y(i))
      end if
    end do
    first = x(1)
    ! truth: parallel i; features core
    do i = 2, n
      x(i) = x(i)/(abs(first) + envelope(i))
    end do
    ! truth: parallel k i; features core
    do k = 1, nw
      do i = 1, n, 1
        frames(i, k) = frames(i, k)/(power(k) + 1)
      end do
    end do
    level = total
  end subroutine analyse

  subroutine run_signals(bits)
    integer(int64), intent(inout) :: bits
    call fill(x, n, 1, -1.0_wp, 1.0_wp)
    call fill(h, 2*m + 1, 2)
    y = 0
    run = 0
    call analyse()
    call add(bits, x, n)
    call add(bits, y, n)
    call add(bits, z, n)
    call add(bits, coded, n)
    call add(bits, frames, n*nw)
    call add(bits, [level], 1)
    call add_int(bits, bin, n)
  end subroutine run_signals
end module signals
