! fill.f90 - arrays of random numbers in Fortran have the bits of single calls: kinds, ranks 1 to 7, sections, hostile cells,
! streams, errors; the known answers of Random123. Not in this file: single calls against C (bits.f90), layouts in full (fill.c).
program fill
  use, intrinsic :: iso_fortran_env, only: int32, int64, real32, real64
  use gator_mod, only: gator_err_arg, gator_err_overflow, gator_err_nodevice, gator_err_state
  use portable_mod
  use portable_random_mod, only: portable_random_philox4x32
  use check_mod
  implicit none
  integer(int64), parameter :: firsts(6) = [1_int64, 0_int64, -3001_int64, 2_int64**33 + 5, -huge(1_int64) - 1, &
    huge(1_int64) - 99999]
  type(random_key_t) :: key
  real(real64), allocatable, target :: field(:,:,:), line(:)
  real(real32), allocatable, target :: small(:,:)
  real(real64) :: x7(2,3,1,2,2,1,3), x6(2,3,1,2,2,2), x5(2,2,2,2,3), x4(3,2,5,2), nothing(0)
  real(real32) :: y7(2,3,1,2,2,1,3), y5(2,2,2,2,3), y6(2,3,1,2,2,2), y4(3,2,5,2), y3(3,2,5)
  character(len=200) :: message
  integer(int64) :: first, s
  integer :: f, ierr

  call known([0, 0, 0, 0], [0, 0], [int(z'6627e8d5', int64), int(z'e169c58d', int64), int(z'bc57ac4c', int64), &
    int(z'9b00dbd8', int64)])
  call known([-1, -1, -1, -1], [-1, -1], [int(z'408f276d', int64), int(z'41c83b0e', int64), int(z'a20bc7c6', int64), &
    int(z'6d5451fd', int64)])
  call known([word(int(z'243f6a88', int64)), word(int(z'85a308d3', int64)), word(int(z'13198a2e', int64)), &
    word(int(z'03707344', int64))], [word(int(z'a4093822', int64)), word(int(z'299f31d0', int64))], &
    [int(z'd16cfe09', int64), int(z'94fdcceb', int64), int(z'5001e420', int64), int(z'24126ea1', int64)])

  key = random_key(seed=2026, step=17, series=3)
  allocate (line(5))
  call random_fill(line, key, stat=ierr)
  call check(ierr == gator_err_state, 'before portable_init')
  call portable_init()
  deallocate (line)
  allocate (field(30,20,70), line(40000), small(50,60))
  do f = 1, 6
    first = firsts(f)
    call random_fill(line, key, first=first, draw=4, label='line')
    call check(all(line == [(random_real(key, first + s, 4), s=0, size(line) - 1)]), 'a line of 40000')
    call random_fill(line(size(line):1:-2), key, first, distribution='normal')
    call check(all(line(size(line):1:-2) == [(random_normal(key, first + s), s=0, size(line)/2 - 1)]), 'backwards, normal')
    call check(all(line(1::2) == [(random_real(key, first + 2*s, 4), s=0, size(line)/2 - 1)]), 'the others stay')
    field = -1
    call random_fill(field(2:29:3,:,5:60:11), key, first)
    call check(all(reshape(field(2:29:3,:,5:60:11), [10*20*6]) == [(random_real(key, first + s), s=0, 10*20*6 - 1)]), 'a box')
    call check(count(field == -1) == size(field) - 10*20*6, 'all else stays')
    call random_fill(small, key, first)
    call check(all(reshape(small, [3000]) == [(random_real32(key, first + s), s=0, 2999)]), 'real32')
    call random_fill(small(50:1:-1,7:7), key, first, distribution='normal', draw=-1)
    call check(all(small(50:1:-1,7) == real([(random_normal(key, first + s, -1), s=0, 49)], real32)), 'real32, normal')
  end do
  call random_fill(field, key)
  call check(all(reshape(field, [size(field)]) == random_real(key, [(s, s=1, size(field))])), 'the first cell is 1')
  call random_fill(x4, key, 8)
  call random_fill(x5, key, 8)
  call random_fill(x6, key, 8)
  call random_fill(x7, key, 8)
  call check(all(reshape(x4, [60]) == random_real(key, [(s, s=8, 67)])) .and. &
    all(reshape(x5, [48]) == random_real(key, [(s, s=8, 55)])) .and. &
    all(reshape(x6, [48]) == random_real(key, [(s, s=8, 55)])) .and. &
    all(reshape(x7, [72]) == random_real(key, [(s, s=8, 79)])), 'ranks 4 to 7')
  call random_fill(y3, key, 8_int64)
  call random_fill(y4, key, 8_int64)
  call random_fill(y5, key, 8_int64)
  call random_fill(y6, key, 8_int64)
  call random_fill(y7, key, 8_int64)
  call check(all(reshape(y3, [30]) == random_real32(key, [(s, s=8, 37)])) .and. &
    all(reshape(y4, [60]) == random_real32(key, [(s, s=8, 67)])) .and. &
    all(reshape(y5, [48]) == random_real32(key, [(s, s=8, 55)])) .and. &
    all(reshape(y6, [48]) == random_real32(key, [(s, s=8, 55)])) .and. &
    all(reshape(y7, [72]) == random_real32(key, [(s, s=8, 79)])), &
    'real32 of ranks 3 to 7')

  call random_fill(nothing, key, first=huge(1_int64), stat=ierr)
  call check(ierr == 0, 'no element')
  call random_fill(field(:,1:0,:), key, first=huge(1_int64), stat=ierr)
  call check(ierr == 0, 'an empty section')
  line = -1
  call random_fill(line, key, first=huge(1_int64) - 5, stat=ierr, errmsg=message)
  call check(ierr == gator_err_overflow .and. index(message, 'do not fit int64') > 0, 'cells beyond the last one')
  call random_fill(line, key, distribution='cauchy', label='odd', stat=ierr, errmsg=message)
  call check(ierr == gator_err_arg .and. index(message, &
    'random_fill ''odd'': there is no distribution "cauchy"; there are uniform and normal') > 0, &
    'an unknown distribution')
  call random_fill(line, key, device=99, stat=ierr)
  call check(ierr == gator_err_nodevice .and. all(line == -1), 'an unknown device')

  call stream_create(s)
  call random_fill(line, key, first=3, stream=s)
  call random_fill(line(1:100), key, first=7, stream=s)
  call stream_fence(s)
  call stream_destroy(s)
  call check(all(line(1:100) == random_real(key, [(f, f=7, 106)])) .and. &
    all(line(101:) == random_real(key, [(f, f=103, 40002)])), 'in a stream')
  call portable_finalize()
  call finish_checks()
contains
  integer(int32) function word(w)
    integer(int64), intent(in) :: w
    word = int(merge(w - 4294967296_int64, w, w > 2147483647_int64), int32)
  end function

  subroutine known(counter, keys, answer)
    integer(int32), intent(in) :: counter(4), keys(2)
    integer(int64), intent(in) :: answer(4)
    integer(int32) :: got(4)
    integer :: k
    got = portable_random_philox4x32(counter, keys)
    call check(all(got == [(word(answer(k)), k=1, 4)]), 'a known answer')
  end subroutine
end program
