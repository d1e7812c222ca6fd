! Chemistry and emissions: rates, photolysis, families, deposition, budgets, names of species.
module chemistry_rates
  use census_support, only: wp, int64, fill, fill_int, add, add_int
  use interfaces_of_libraries
  implicit none
  integer, parameter :: nc = 40, ns = 6, nr = 8
  type species
    character(len=8) :: name
    real(wp) :: weight, henry, drop
    real(wp), allocatable :: c(:), p(:), l(:)
  end type species
  type(species) :: gas(ns)
  real(wp) :: c(ns, nc), k(nr, nc), temp(nc), press(nc), zenith(nc), j1(nc), ph(nc), emission(nc), budget(ns), depo(ns, nc), tmp(ns)
  real(wp) :: mean, worst, loss
  complex(wp) :: wave(nc)
  integer :: land(nc), regime(nc), order(ns)
  character(len=8) :: labels(ns)
contains
  pure real(wp) function troe(k0, ki, f)
    real(wp), intent(in) :: k0, ki, f
    troe = k0/(1 + k0/ki)*f**(1/(1 + log10(k0/ki)**2))
  end function troe

  subroutine normalise(n, x)
    integer, intent(in) :: n
    real(wp), intent(inout) :: x(n)
    x = x/max(sum(x), 1e-12_wp)
  end subroutine normalise

  pure subroutine partition(total, share, a, b)
    real(wp), intent(in) :: total, share
    real(wp), intent(out) :: a, b
    a = total*share
    b = total - a
  end subroutine partition

  subroutine rates()
    integer :: i, s, r
    real(wp) :: f
    ! truth: parallel i; features core
    do i = 1, nc
      k(1, i) = 1.4e-3_wp*exp(-1310/temp(i))
      k(2, i) = 3e-3_wp*(temp(i)/300)**2
    end do
    ! truth: parallel i; features unseen
    do i = 1, nc
      k(3, i) = reaction_rate(2.0_wp, 500.0_wp, temp(i))
    end do
    ! truth: parallel i; private r; features unseen
    do i = 1, nc
      do r = 4, nr
        k(r, i) = reaction_rate(0.1_wp*r, 100.0_wp*r, temp(i))*press(i)*1e-5_wp
      end do
    end do
    ! truth: parallel i; features function-known
    do i = 1, nc
      j1(i) = troe(k(1, i), k(2, i), 0.6_wp)
    end do
    ! truth: parallel i; private f; features core
    do i = 1, nc
      f = cos(zenith(i))
      if (f < 0.05_wp) f = 0
      j1(i) = j1(i) + 0.01_wp*f
    end do
    ! truth: parallel i s; features core
    do i = 1, nc
      do s = 1, ns
        c(s, i) = max(c(s, i), 1e-20_wp)
      end do
    end do
    ! truth: parallel i; features core
    do i = 1, nc
      c(1, i) = c(1, i)/(1 + k(1, i)*c(2, i))
      c(2, i) = c(2, i) + k(2, i)*c(3, i)*0.01_wp
    end do
    ! truth: parallel i; features core
    do i = 1, nc
      if (land(i) == 1 .and. temp(i) > 273) then
        emission(i) = exp(0.1_wp*(temp(i) - 303))
      else if (land(i) == 2) then
        emission(i) = 0.1_wp
      else
        emission(i) = 0
      end if
    end do
    ! truth: parallel i; features calls-known
    do i = 1, nc
      call normalise(ns, c(:, i))
    end do
    ! truth: parallel i; features calls-known
    do i = 1, nc
      call partition(c(5, i), 0.3_wp + 0.001_wp*i, c(4, i), c(5, i))
    end do
    ! truth: parallel i; features calls-known
    do i = 1, nc
      if (land(i) > 0) call partition(emission(i), 0.2_wp, depo(1, i), depo(2, i))
    end do
    ! truth: parallel i; features sections
    do i = 1, nc
      depo(3:ns, i) = 0.1_wp*c(3:ns, i)
    end do
    ! truth: parallel i; features sections
    do i = 1, nc
      c(:, i) = c(:, i)*(1 - 0.01_wp*ph(i))
    end do
    ! truth: parallel i; features where
    do i = 1, nc
      where (c(:, i) > 0.5_wp) c(:, i) = 0.5_wp
    end do
    ! truth: parallel i; features complex
    do i = 1, nc
      wave(i) = wave(i)*cmplx(cos(zenith(i)), sin(zenith(i)), wp)
    end do
    ! truth: parallel i; features concurrent
    do concurrent (i=1:nc, land(i) == 0)
      ph(i) = 8.1_wp
    end do
    ! truth: parallel i; features concurrent
    do concurrent (i=1:nc)
      regime(i) = nint(10*c(1, i))
    end do
    ! truth: parallel s; features character
    do s = 1, ns
      if (labels(s)(1:1) == 'o') budget(s) = 0
    end do
    ! truth: parallel s; features character
    do s = 1, ns
      order(s) = index('o3 no no2 ho2', trim(labels(s)))
    end do
    ! truth: parallel i; private tmp; last tmp; census whole-array; features sections
    do i = 1, nc
      tmp = c(:, i) + depo(:, i)
      ph(i) = ph(i) + tmp(2) - tmp(ns)
    end do
    ! truth: refused conditional-scalar loss; features core
    do i = 1, nc
      if (regime(i) > 2) then
        loss = 0.1_wp*c(2, i) !<
      end if
      j1(i) = j1(i)*(1 - loss) !<
    end do
  end subroutine rates

  subroutine families()
    integer :: i, s
    real(wp) :: x
    ! truth: parallel i s; features component
    do s = 1, ns
      do i = 1, nc
        gas(s)%c(i) = gas(s)%c(i) + 0.1_wp*(gas(s)%p(i) - gas(s)%l(i)*gas(s)%c(i))
      end do
    end do
    ! truth: parallel s; features component calls-known
    do s = 1, ns
      call normalise(nc, gas(s)%c)
    end do
    ! truth: parallel i; private x s; features component
    do i = 1, nc
      x = 0
      do s = 1, ns
        x = x + gas(s)%c(i)*gas(s)%weight
      end do
      if (x > 1e-9_wp) then
        do s = 1, ns
          gas(s)%c(i) = gas(s)%c(i)/x
        end do
      else
        do s = 1, ns
          gas(s)%c(i) = 0
        end do
      end if
    end do
    ! truth: parallel s; private i; features component
    do s = 1, ns
      gas(s)%drop = 0
      do i = 1, nc
        gas(s)%drop = gas(s)%drop + gas(s)%henry*gas(s)%c(i)*press(i)
      end do
    end do
    ! truth: parallel s; private i; features core
    do s = 1, ns
      budget(s) = 0
      do i = 1, nc
        budget(s) = budget(s) + c(s, i)
      end do
    end do
    mean = 0
    ! truth: parallel i; reduction +:mean; features reduction
    do i = 1, nc
      mean = mean + temp(i)/nc
    end do
    ! truth: parallel i s; reduction +:mean; features reduction
    do i = 1, nc
      do s = 2, ns
        mean = mean - c(s, i)*press(i)*1e-6_wp
      end do
    end do
    worst = -1
    ! truth: parallel i; private x; reduction max:worst; features reduction
    do i = 1, nc
      x = abs(1 - c(1, i) - c(2, i))
      worst = max(worst, x)
    end do
    x = 0
    ! truth: refused carried-scalar x; features core
    do s = 1, ns
      do i = 1, nc
        x = 0.5_wp*(x + depo(s, i)) !<
        depo(s, i) = x !<
      end do
    end do
  end subroutine families

  subroutine run_chemistry_rates(bits)
    integer(int64), intent(inout) :: bits
    integer :: s
    call fill(c, ns*nc, 1)
    call fill(temp, nc, 2, 250.0_wp, 310.0_wp)
    call fill(press, nc, 3, 2e4_wp, 1e5_wp)
    call fill(zenith, nc, 4, 0.0_wp, 3.0_wp)
    call fill(ph, nc, 5, 4.0_wp, 8.0_wp)
    call fill(depo, ns*nc, 6)
    call fill_int(land, nc, 7, 0, 2)
    labels = ['o3      ', 'no      ', 'no2     ', 'ho2     ', 'oh      ', 'co      ']
    budget = 1
    loss = 0
    wave = (1.0_wp, 0.5_wp)
    do s = 1, ns
      gas(s) = species(labels(s), 20.0_wp + s, 0.1_wp*s, 0.0_wp, c(s, :), depo(s, :), ph)
    end do
    call rates()
    call families()
    call add(bits, c, ns*nc)
    call add(bits, k, nr*nc)
    call add(bits, j1, nc)
    call add(bits, ph, nc)
    call add(bits, depo, ns*nc)
    call add(bits, budget, ns)
    call add(bits, gas(3)%c, nc)
    call add(bits, [mean, worst, gas(2)%drop, real(wave(7)), aimag(wave(9))], 5)
    call add_int(bits, order, ns)
    call add_int(bits, regime, nc)
  end subroutine run_chemistry_rates
end module chemistry_rates
