! Procedures of other libraries: compilers and linkers need this file, the tool is not given it.
pure double precision function saturation_pressure(t)
  implicit none
  double precision, intent(in) :: t
  saturation_pressure = 611.2d0*exp(17.67d0*(t - 273.15d0)/(t - 29.65d0))
end function saturation_pressure

pure double precision function planck(band, t)
  implicit none
  integer, intent(in) :: band
  double precision, intent(in) :: t
  planck = band*0.013d0*(t/250)**4
end function planck

pure double precision function reaction_rate(a, e, t)
  implicit none
  double precision, intent(in) :: a, e, t
  reaction_rate = a*exp(-e/t)
end function reaction_rate

pure double precision function stability(ri)
  implicit none
  double precision, intent(in) :: ri
  stability = 1/(1 + 5*max(ri, 0d0))
end function stability

pure subroutine fluid_state(p, t, rho, c)
  implicit none
  double precision, intent(in) :: p, t
  double precision, intent(out) :: rho, c
  rho = p/(287.04d0*t)
  c = sqrt(1.4d0*287.04d0*t)
end subroutine fluid_state

pure subroutine limit_slope(a, b, s)
  implicit none
  double precision, intent(in) :: a, b
  double precision, intent(out) :: s
  s = 0
  if (a*b > 0) s = sign(min(abs(a), abs(b)), a)
end subroutine limit_slope
