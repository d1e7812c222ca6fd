! bits.f90 - random numbers in Fortran have the bits of C (bits_c.c): kinds of arguments, hostile cells and bounds, arrays, ranges.
program bits
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int32, int64, real32, real64
  use portable_mod
  use check_mod
  implicit none

  interface
    function c_key(seed, step, series) bind(c, name='bits_key') result(key)
      import :: c_int64_t, c_int32_t, random_key_t
      integer(c_int64_t), value :: seed, step
      integer(c_int32_t), value :: series
      type(random_key_t) :: key
    end function
    function c_real64(key, cell, draw) bind(c, name='bits_real64') result(x)
      import :: c_int64_t, c_int32_t, random_key_t
      type(random_key_t), intent(in) :: key
      integer(c_int64_t), value :: cell
      integer(c_int32_t), value :: draw
      integer(c_int64_t) :: x
    end function
    function c_real32(key, cell, draw) bind(c, name='bits_real32') result(x)
      import :: c_int64_t, c_int32_t, c_float, random_key_t
      type(random_key_t), intent(in) :: key
      integer(c_int64_t), value :: cell
      integer(c_int32_t), value :: draw
      real(c_float) :: x
    end function
    function c_normal(key, cell, draw) bind(c, name='bits_normal') result(x)
      import :: c_int64_t, c_int32_t, c_double, random_key_t
      type(random_key_t), intent(in) :: key
      integer(c_int64_t), value :: cell
      integer(c_int32_t), value :: draw
      real(c_double) :: x
    end function
    function c_integer(key, cell, draw, lower, upper) bind(c, name='bits_integer') result(n)
      import :: c_int64_t, c_int32_t, random_key_t
      type(random_key_t), intent(in) :: key
      integer(c_int64_t), value :: cell, lower, upper
      integer(c_int32_t), value :: draw
      integer(c_int64_t) :: n
    end function
  end interface

  integer(int64), parameter :: least = -huge(1_int64) - 1, most = huge(1_int64)
  integer(int64), parameter :: bounds_of(2, 12) = reshape([7_int64, 7_int64, 1_int64, 6_int64, 6_int64, &
    -1_int64, least, most, least, 0_int64, least, -1_int64, 0_int64, most, 1_int64, most, least, 3_int64, &
    -5_int64, most - 9, -most, most, 0_int64, 4294967296_int64], [2, 12])
  integer(int64), parameter :: firsts(6) = [0_int64, -3000_int64, 4294967296_int64 - 1500, most - 2999, least, 2_int64**40 + 1]
  type(random_key_t) :: key, other
  integer(int64) :: cell, i
  integer :: f, b, tails
  real(real64) :: x, noise(11), line(4)

  key = random_key(seed=2026, step=17, series=3)
  other = c_key(2026_int64, 17_int64, 3)
  call check(all(key%word == other%word), 'the key of C')
  key = random_key(-5_int64, 2_int64**40, -1)
  other = c_key(-5_int64, 2_int64**40, -1)
  call check(all(key%word == other%word), 'the key of C, negative and large')
  other = random_key(7)
  call check(all(other%word == [(word_of(c_key(7_int64, 0_int64, 0), b), b=1, 4)]), 'the key of a seed alone')
  other = random_key(seed=7_int64, step=1)
  call check(all(other%word == [(word_of(c_key(7_int64, 1_int64, 0), b), b=1, 4)]), 'kinds of seed and step that differ')

  tails = 0
  do f = 1, 6
    do i = 0, 2999
      cell = firsts(f) + i
      x = random_real(key, cell, 4)
      if (transfer(x, 1_int64) /= c_real64(key, cell, 4)) call check(.false., 'real64')
      if (random_real32(key, cell, -1) /= c_real32(key, cell, -1)) call check(.false., 'real32')
      if (transfer(random_normal(key, cell, 5), 1_int64) /= transfer(c_normal(key, cell, 5), 1_int64)) &
        call check(.false., 'normal')
      if (abs(random_normal(key, cell, 5)) > 1.5_real64) tails = tails + 1
      do b = 1, 12
        if (random_integer(key, cell, 6, bounds_of(1, b), bounds_of(2, b)) /= &
            c_integer(key, cell, 6, bounds_of(1, b), bounds_of(2, b))) &
          call check(.false., 'integer')
      end do
    end do
  end do
  call check(tails > 2100 .and. tails < 2700, 'normal numbers above 1.5')
  call check(random_integer(key, 3, 0, 1, 6) == int(c_integer(key, 3_int64, 0, 1_int64, 6_int64)), 'integer(int32)')
  call check(random_real(key, 3) == random_real(key, 3_int64, 0_int64), 'the draw 0 is the default')
  line = random_normal(key, [1, 2, 3, 4], 9)
  call check(all(line == [(random_normal(key, int(b, int64), 9), b=1, 4)]), 'elemental')
  do f = 1, 6
    noise = -1
    call random_range(noise(2:10:1), key, first=firsts(f), draw=2)
    call check(noise(1) == -1 .and. noise(11) == -1, 'a range writes its section only')
    do b = 2, 10
      if (noise(b) /= random_real(key, firsts(f) + b - 2, 2)) call check(.false., 'range')
    end do
    call random_range(noise(11:1:-2), key, first=firsts(f) + 1)
    do b = 1, 6
      if (noise(13 - 2*b) /= random_real(key, firsts(f) + b)) call check(.false., 'range of a section')
    end do
  end do
  call random_range(noise(1:0), key, first=1)
  call finish_checks()
contains
  function word_of(key, k) result(w)
    type(random_key_t), intent(in) :: key
    integer, intent(in) :: k
    integer(c_int32_t) :: w
    w = key%word(k)
  end function
end program
