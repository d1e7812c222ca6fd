! The results of a run: the mean profile as text, and the bits of all fields as one number, for
! comparisons.
module cm_output_mod
  use, intrinsic :: iso_fortran_env, only: int64
  use cm_constants_mod, only: wp
  use cm_state_mod
  implicit none
  private
  public :: write_profiles, bits_of_all

contains

  subroutine write_profiles(file, message)
    character(len=*), intent(in) :: file
    character(len=*), intent(out) :: message
    integer :: unit, stat, k
    character(len=200) :: text
    message = ''
    open (newunit=unit, file=file, status='replace', action='write', iostat=stat, iomsg=text)
    if (stat /= 0) then
      message = 'cannot write '//trim(file)//': '//trim(text)
      return
    end if
    write (unit, '(a)') '# level, pressure [Pa], height [m], temperature [K], vapour, cloud water, rain [g/kg], &
      &u, v [m/s], cloud cover'
    do k = 1, nz
      write (unit, '(i4,f10.1,f10.1,f9.3,3f10.5,2f9.3,f8.4)') k, mean(p(:, k)), mean(z(:, k)), mean(t(:, k)), 1000*mean(q(:, k)), &
        1000*mean(qc(:, k)), 1000*mean(qr(:, k)), mean(u(:, k)), mean(v(:, k)), mean(cover(:, k))
    end do
    close (unit)
  end subroutine write_profiles

  real(wp) function mean(x)
    real(wp), intent(in) :: x(:)
    mean = sum(x)/real(size(x), wp)
  end function mean

  ! Two runs with the same number have, but for a chance of one in 2**60, the same bits in all fields.
  integer(int64) function bits_of_all()
    bits_of_all = 0
    call add(t)
    call add(q)
    call add(qc)
    call add(qr)
    call add(u)
    call add(v)
    call add(t_soil)
    call add(reshape(w_soil, [nc, 1]))
    call add(reshape(rain, [nc, 1]))

  contains

    subroutine add(x)
      real(wp), intent(in) :: x(:, :)
      integer :: i, k
      do k = 1, size(x, 2)
        do i = 1, size(x, 1)
          bits_of_all = ieor(ishftc(bits_of_all, 7), transfer(x(i, k), bits_of_all))
          bits_of_all = ieor(bits_of_all, ishft(bits_of_all, -23))
        end do
      end do
    end subroutine add
  end function bits_of_all
end module cm_output_mod
