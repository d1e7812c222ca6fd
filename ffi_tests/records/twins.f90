! twins.f90 - records in a twin of bytes, as docs/fortran/arrays-fortran.md has them: written on the host, changed on the device side, read on the host.
! Not in this file: other layouts, marks and checks (twins.c).
program both_sides
  use portable_array_mod, only: portable_int8, portable_real64
  use portable_record_mod
  use portable_twin_mod
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int8
  use portable_mod, only: portable_init, portable_finalize
  implicit none
  type, bind(c) :: atom_t
    real(c_double) :: x(3), mass
  end type
  integer, parameter :: n = 1000
  type(portable_record) :: atom
  type(portable_records) :: here, there
  type(portable_twin) :: both
  type(atom_t), pointer :: own(:)
  integer(int8), pointer :: bytes(:)
  real(8), pointer :: mass(:)
  call portable_init()
  call atom%add('x', portable_real64, count=3)
  call atom%add('mass', portable_real64)
  call both%create([n*int(atom%bytes())], kind=portable_int8, label='atoms', separate=.true.)
  call both%host(bytes, portable_overwrite)
  call here%wrap(atom, c_loc(bytes), [n])
  call c_f_pointer(c_loc(bytes), own, [n])
  own = atom_t([0d0, 0d0, 1d0], 2d0)
  call both%sync_device()
  call both%device(bytes, portable_update)
  call there%wrap(atom, c_loc(bytes), [n])
  call there%field('mass', mass)
  mass = mass + 1
  if (own(7)%mass > 2) error stop 'two memories are one'
  if (.not. both%device_newer()) error stop 'not marked'
  call both%sync_host()
  if (any(abs(own%mass - 3) > 0) .or. any(abs(own%x(3) - 1) > 0)) error stop 'not all are synchronised'
  if (abs(own(7)%mass - 3) > 0) error stop 'not synchronised'
  call there%release()
  call here%release()
  call both%release()
  call portable_finalize()
end program
