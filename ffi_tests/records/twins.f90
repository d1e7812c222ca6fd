! twins.f90 - twins of records from Fortran: both sides in three layouts, syncs both ways, marks, handles, sides that outlive the twin, streams, no records,
! what is refused. Not in this file: twins of records in C (twins.c), marks and checks of all kinds (../twins).
module twins_of_records
  use check_mod, only: check
  use portable_array_mod, only: portable_int32, portable_real64
  use portable_record_mod
  use portable_records_twin_mod
  use portable_twin_mod, only: portable_read, portable_update, portable_overwrite
  use portable_core_mod, only: portable_stream_create, portable_stream_fence, portable_stream_destroy
  use, intrinsic :: iso_fortran_env, only: int32, int64
  implicit none
  type(portable_record) :: atom
  integer, parameter :: n = 1000
contains
  subroutine describe()
    call atom%add('x', portable_real64, count=3)
    call atom%add('mass', portable_real64)
    call atom%add('kind', portable_int32)
  end subroutine

  subroutine there_and_back(layout, separate)
    integer, intent(in) :: layout
    logical, intent(in) :: separate
    type(portable_records_twin) :: both, other
    type(portable_records) :: here, there
    real(8), pointer :: mass(:), z(:), theirs(:)
    integer(int32), pointer :: kind(:)
    integer(int64) :: stream
    integer :: i
    call both%create(atom, [n], [0], layout=layout, label='atoms', separate=separate)
    call check(both%allocated(), 'a new twin')
    call check(both%one_memory() .neqv. separate, 'two memories, if asked for')
    call both%host(here, portable_overwrite)
    call here%field('mass', mass)
    call here%field('x', z, component=3)
    call here%field('kind', kind)
    call check(lbound(mass, 1) == 0 .and. size(mass) == n, 'the bounds')
    mass = 2
    z = [(i, i=1, n)]
    kind = 7
    call check(both%host_newer(), 'the host is newer')
    call check(.not. both%device_newer(), 'the device is not')
    call both%sync_device()
    call both%device(there, portable_update)
    call there%field('mass', theirs)
    call check(all(abs(theirs - 2) <= 0), 'synchronised')
    theirs = theirs + 1
    call there%field('x', theirs, component=3)
    theirs = 2*theirs
    call check(both%device_newer(), 'the device is newer')
    call check(separate .eqv. all(abs(mass - 2) <= 0), 'two memories, or one')
    call portable_stream_create(stream)
    call both%sync_host(stream=stream)
    call portable_stream_fence(stream)
    call portable_stream_destroy(stream)
    call check(all(abs(mass - 3) <= 0) .and. all(abs(z - [(2*i, i=1, n)]) <= 0) .and. all(kind == 7), 'all fields are back')
    other = both
    call check(both%use_count() == 2, 'an assignment holds')
    call both%release()
    call check(.not. both%allocated(), 'released by one')
    call check(other%allocated(), 'the other one holds it')
    call both%release()
    call other%modified_host('a loop')
    call other%discard_host()
    call check(.not. other%host_newer(), 'discarded')
    call other%modified_device('a kernel')
    call other%discard_device()
    call other%release()
    call check(all(abs(mass - 3) <= 0), 'a side outlives the twin')
  end subroutine

  ! Gone when the routine is left, as the two parts are.
  subroutine forgotten()
    type(portable_records_twin) :: both(2)
    type(portable_records) :: here
    call both(1)%create(atom, [3_int64, 4_int64], layout=portable_blocks, width=4, label='forgotten', zero=.true.)
    call both(2)%create(atom, [5], layout=portable_aos)
    call both(1)%host(here, portable_read)
    both(2) = both(1)
    call check(both(1)%use_count() == 2, 'the other twin went')
  end subroutine

  subroutine hostile()
    type(portable_records_twin) :: both, none
    type(portable_records) :: here
    character(300) :: text
    integer :: stat
    call both%create(atom, [0], label='none')
    call both%host(here, portable_overwrite)
    call both%sync_device()
    call here%release()
    text = ''
    call both%create(atom, [3], label='again', stat=stat, errmsg=text)
    call check(stat /= 0 .and. index(text, "'again': the handle holds a twin already; release it first") > 0, text)
    call both%release()
    call both%create(atom, [3], [1, 2], stat=stat, errmsg=text)
    call check(stat /= 0 .and. index(text, 'there are 1 extents, but 2 lower bounds') > 0, text)
    call both%create(atom, [3], layout=9, label='mine', stat=stat, errmsg=text)
    call check(stat /= 0 .and. index(text, "portable_records_twin_create of 'mine': there is no layout 9") == 1, text)
    call check(.not. both%allocated(), 'nothing is made')
    call both%create(atom, [-1], stat=stat, errmsg=text)
    call check(stat /= 0 .and. index(text, "portable_records_twin_create of 'records': extent 1 is -1") == 1, text)
    call check(.not. both%allocated(), 'nothing is made')
    call none%host(here, portable_read, stat=stat, errmsg=text)
    call check(stat /= 0, text)
    call check(.not. here%allocated(), 'no side')
    call both%create(atom, [3], label='access')
    call both%device(here, 9, stat=stat, errmsg=text)
    call check(stat /= 0 .and. index(text, 'there is no access 9') > 0, text)
  end subroutine
end module

program both_sides
  use twins_of_records
  use check_mod, only: check, live_blocks, finish_checks
  use, intrinsic :: iso_fortran_env, only: int64
  use portable_mod, only: portable_init, portable_finalize
  implicit none
  call portable_init()
  call describe()
  call there_and_back(portable_aos, .true.)
  call there_and_back(portable_soa, .true.)
  call there_and_back(portable_soa, .false.)
  call forgotten()
  call hostile()
  call check(live_blocks() == 0_int64, 'blocks at the end')
  call portable_finalize()
  call finish_checks()
end program
