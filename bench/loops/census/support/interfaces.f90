! Interfaces of procedures whose source the tool does not see. They are PURE.
module interfaces_of_libraries
  implicit none
  interface
    pure double precision function saturation_pressure(t)
      double precision, intent(in) :: t
    end function saturation_pressure
    pure double precision function planck(band, t)
      integer, intent(in) :: band
      double precision, intent(in) :: t
    end function planck
    pure double precision function reaction_rate(a, e, t)
      double precision, intent(in) :: a, e, t
    end function reaction_rate
    pure double precision function stability(ri)
      double precision, intent(in) :: ri
    end function stability
    pure subroutine fluid_state(p, t, rho, c)
      double precision, intent(in) :: p, t
      double precision, intent(out) :: rho, c
    end subroutine fluid_state
    pure subroutine limit_slope(a, b, s)
      double precision, intent(in) :: a, b
      double precision, intent(out) :: s
    end subroutine limit_slope
  end interface
end module interfaces_of_libraries
