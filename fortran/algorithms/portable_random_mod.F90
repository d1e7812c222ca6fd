!> Random numbers by cell, with the bits of portable_random.h: no state, so nothing goes into a restart file.
!>
!>     key = portable_random_key(seed=2026, step=istep, series=3)
!>     theta(i,k) = theta(i,k) + 0.1d0*portable_random_normal(key, cell=global(i), draw=k)
!>
!> In this module: keys, and numbers that are uniform, normal or integers; portable_mod has short names without portable_. All
!> are pure and elemental, so arrays of cells give arrays of numbers, and kernels on any number of threads give the same bits.
!> portable_random_range is for a part of an array inside a kernel. Not in this module: whole arrays (portable_random_fill_mod),
!> the generator's definition (portable_random.h).
!>
!> Arguments: cell, draw, seed, step are integer(int32) or integer(int64); series is integer(int32). A draw counts by its last
!> 32 bits.
!> portable_random_real: real(real64) between 0 and 1, without both. portable_random_real32: the same of real(real32).
!> portable_random_normal: mean 0, variance 1. portable_random_integer: from the lesser bound to the greater one.
!> Arithmetic on words of 32 bits in integer(int64): no operation overflows, as -ftrapv demands. Since 0.1.
module portable_random_mod
  use, intrinsic :: iso_c_binding, only: c_int32_t
  use, intrinsic :: iso_fortran_env, only: int32, int64, real32, real64
  implicit none
  private

  public :: portable_random_key_t, portable_random_key, portable_random_real, portable_random_real32, portable_random_normal
  public :: portable_random_integer, portable_random_range, portable_random_philox4x32

  !> Made by portable_random_key; 16 bytes, portable_random_key of C.
  type, bind(c) :: portable_random_key_t
    integer(c_int32_t) :: word(4) = 0_c_int32_t
  end type

  interface portable_random_key
    module procedure key_a, key_b, key_c, key_d
  end interface
  interface portable_random_real
    module procedure real_4_4, real_4_8, real_8_4, real_8_8
  end interface
  interface portable_random_real32
    module procedure real32_4_4, real32_4_8, real32_8_4, real32_8_8
  end interface
  interface portable_random_normal
    module procedure normal_4_4, normal_4_8, normal_8_4, normal_8_8
  end interface
  interface portable_random_integer
    module procedure integer4_4_4, integer4_4_8, integer4_8_4, integer4_8_8
    module procedure integer8_4_4, integer8_4_8, integer8_8_4, integer8_8_8
  end interface
  interface portable_random_range
    module procedure range_4, range_8
  end interface

  integer(int64), parameter :: word = int(z'FFFFFFFF', int64), half_word = int(z'FFFF', int64)

contains

  ! The two words of the product of two words.
  pure subroutine multiply(a, b, high, low)
    integer(int64), intent(in) :: a, b
    integer(int64), intent(out) :: high, low
    integer(int64) :: first, second
    first = iand(a, half_word)*b
    second = shiftr(a, 16)*b + shiftr(first, 16)
    high = shiftr(second, 16)
    low = ior(iand(shiftl(second, 16), word), iand(first, half_word))
  end subroutine

  ! Philox4x32-10: the counter becomes the block.
  pure subroutine philox(c0, c1, c2, c3, first_key, second_key)
    integer(int64), intent(inout) :: c0, c1, c2, c3
    integer(int64), intent(in) :: first_key, second_key
    integer(int64) :: key0, key1, h0, l0, h1, l1
    integer :: round
    key0 = first_key
    key1 = second_key
    do round = 1, 10
      call multiply(c0, int(z'D2511F53', int64), h0, l0)
      call multiply(c2, int(z'CD9E8D57', int64), h1, l1)
      c0 = ieor(ieor(h1, c1), key0)
      c1 = l1
      c2 = ieor(ieor(h0, c3), key1)
      c3 = l0
      key0 = iand(key0 + int(z'9E3779B9', int64), word)
      key1 = iand(key1 + int(z'BB67AE85', int64), word)
    end do
  end subroutine

  !> Philox4x32-10 of a counter and a key, words of 32 bits, as the paper and Random123 define it.
  pure function portable_random_philox4x32(counter, key) result(block)
    integer(c_int32_t), intent(in) :: counter(4), key(2)
    integer(c_int32_t) :: block(4)
    integer(int64) :: c(4)
    integer :: k
    do k = 1, 4
      c(k) = unsigned(counter(k))
    end do
    call philox(c(1), c(2), c(3), c(4), unsigned(key(1)), unsigned(key(2)))
    do k = 1, 4
      block(k) = signed(c(k))
    end do
  end function

  pure function signed(w) result(s)
    integer(int64), intent(in) :: w
    integer(c_int32_t) :: s
    s = int(merge(w - 4294967296_int64, w, w > 2147483647_int64), c_int32_t)
  end function

  pure function unsigned(s) result(w)
    integer(c_int32_t), intent(in) :: s
    integer(int64) :: w
    w = iand(int(s, int64), word)
  end function

  pure function made(seed, step, series) result(key)
    integer(int64), intent(in) :: seed, step, series
    type(portable_random_key_t) :: key
    integer(int64) :: c0, c1, c2, c3
    c0 = iand(step, word)
    c1 = shiftr(step, 32)
    c2 = iand(series, word)
    c3 = int(z'6b657921', int64)
    call philox(c0, c1, c2, c3, iand(seed, word), shiftr(seed, 32))
    key%word = [signed(c0), signed(c1), signed(c2), signed(c3)]
  end function

  ! The block of a pair of cells.
  pure subroutine block_of(key, pair, draw, retry, c0, c1, c2, c3)
    type(portable_random_key_t), intent(in) :: key
    integer(int64), intent(in) :: pair, draw, retry
    integer(int64), intent(out) :: c0, c1, c2, c3
    c0 = iand(pair, word)
    c1 = shiftr(pair, 32)
    c2 = ieor(iand(draw, word), unsigned(key%word(3)))
    c3 = ieor(retry, unsigned(key%word(4)))
    call philox(c0, c1, c2, c3, unsigned(key%word(1)), unsigned(key%word(2)))
  end subroutine

  pure function bits_of(key, cell, draw, retry) result(bits)
    type(portable_random_key_t), intent(in) :: key
    integer(int64), intent(in) :: cell, draw, retry
    integer(int64) :: bits, c0, c1, c2, c3
    call block_of(key, shiftr(cell, 1), draw, retry, c0, c1, c2, c3)
    if (btest(cell, 0)) then
      bits = ior(shiftl(c3, 32), c2)
    else
      bits = ior(shiftl(c1, 32), c0)
    end if
  end function

  elemental function uniform(bits) result(x)
    integer(int64), intent(in) :: bits
    real(real64) :: x
    x = transfer(ior(shiftr(bits, 12), shiftl(1023_int64, 52)), x) - (1.0_real64 - 2.0_real64**(-53))
  end function

  elemental function uniform32(bits) result(x)
    integer(int64), intent(in) :: bits
    real(real32) :: x
    x = transfer(ior(int(shiftr(bits, 41), int32), shiftl(127_int32, 23)), x) - (1.0_real32 - 2.0_real32**(-24))
  end function

  ! -log(p) for p from 2**(-53) to 0.5. Products in parentheses are rounded before the sum.
  elemental function minus_log(p) result(y)
    real(real64), intent(in) :: p
    real(real64) :: y, m, s, z
    integer(int64) :: bits, e
    integer :: n
    bits = transfer(p, bits)
    e = shiftr(bits, 52) - 1023
    m = transfer(ior(iand(bits, shiftl(1_int64, 52) - 1), shiftl(1023_int64, 52)), m)
    if (m > 1.4142135623730951_real64) then
      m = m*0.5_real64
      e = e + 1
    end if
    s = (m - 1.0_real64)/(m + 1.0_real64)
    z = s*s
    y = 1.0_real64/21.0_real64
    do n = 19, 3, -2
      y = 1.0_real64/real(n, real64) + (y*z)
    end do
    y = (y*z)
    y = (y*s) + s
    y = (real(-e, real64)*0.69314718055994530942_real64) - (2.0_real64*y)
  end function

  pure function polynomial(c, r) result(y)
    real(real64), intent(in) :: c(0:7), r
    real(real64) :: y
    integer :: k
    y = c(7)
    do k = 6, 0, -1
      y = c(k) + (y*r)
    end do
  end function

  ! Wichura, AS 241.
  elemental function quantile(p) result(x)
    real(real64), intent(in) :: p
    real(real64) :: x, q, r
    real(real64), parameter :: a(0:7) = [3.3871328727963666080e0_real64, 1.3314166789178437745e2_real64, &
      1.9715909503065514427e3_real64, 1.3731693765509461125e4_real64, &
      4.5921953931549871457e4_real64, 6.7265770927008700853e4_real64, &
      3.3430575583588128105e4_real64, 2.5090809287301226727e3_real64]
    real(real64), parameter :: b(0:7) = [1.0_real64, 4.2313330701600911252e1_real64, &
      6.8718700749205790830e2_real64, 5.3941960214247511077e3_real64, &
      2.1213794301586595867e4_real64, 3.9307895800092710610e4_real64, &
      2.8729085735721942674e4_real64, 5.2264952788528545610e3_real64]
    real(real64), parameter :: c(0:7) = [1.42343711074968357734e0_real64, 4.63033784615654529590e0_real64, &
      5.76949722146069140550e0_real64, 3.64784832476320460504e0_real64, &
      1.27045825245236838258e0_real64, 2.41780725177450611770e-1_real64, &
      2.27238449892691845833e-2_real64, 7.74545014278341407640e-4_real64]
    real(real64), parameter :: d(0:7) = [1.0_real64, 2.05319162663775882187e0_real64, &
      1.67638483018380384940e0_real64, 6.89767334985100004550e-1_real64, &
      1.48103976427480074590e-1_real64, 1.51986665636164571966e-2_real64, &
      5.47593808499534494600e-4_real64, 1.05075007164441684324e-9_real64]
    real(real64), parameter :: e(0:7) = [6.65790464350110377720e0_real64, 5.46378491116411436990e0_real64, &
      1.78482653991729133580e0_real64, 2.96560571828504891230e-1_real64, &
      2.65321895265761230930e-2_real64, 1.24266094738807843860e-3_real64, &
      2.71155556874348757815e-5_real64, 2.01033439929228813265e-7_real64]
    real(real64), parameter :: f(0:7) = [1.0_real64, 5.99832206555887937690e-1_real64, &
      1.36929880922735805310e-1_real64, 1.48753612908506148525e-2_real64, &
      7.86869131145613259100e-4_real64, 1.84631831751005468180e-5_real64, &
      1.42151175831644588870e-7_real64, 2.04426310338993978564e-15_real64]
    q = p - 0.5_real64
    if (abs(q) <= 0.425_real64) then
      r = 0.180625_real64 - (q*q)
      x = (q*polynomial(a, r))/polynomial(b, r)
      return
    end if
    r = p
    if (q >= 0.0_real64) r = 1.0_real64 - p
    r = sqrt(minus_log(r))
    if (r <= 5.0_real64) then
      r = r - 1.6_real64
      x = polynomial(c, r)/polynomial(d, r)
    else
      r = r - 5.0_real64
      x = polynomial(e, r)/polynomial(f, r)
    end if
    if (q < 0.0_real64) x = -x
  end function

  ! Sum and difference of 64 bits, without a carry out.
  pure function plus(a, b) result(c)
    integer(int64), intent(in) :: a, b
    integer(int64) :: c, low
    low = iand(a, word) + iand(b, word)
    c = ior(shiftl(shiftr(a, 32) + shiftr(b, 32) + shiftr(low, 32), 32), iand(low, word))
  end function

  ! 2**64 - range modulo range, both without a sign.
  pure function refused_of(range) result(refused)
    integer(int64), intent(in) :: range
    integer(int64) :: refused, all, bit, r
    if (range < 0) then
      refused = 0
      if (iand(range, huge(range)) /= 0) refused = plus(not(range), 1_int64)
      return
    end if
    all = not(range) + 1
    bit = iand(all, 1_int64)
    r = mod(shiftr(all, 1), range)
    if (r >= range - r - bit) then
      refused = r - (range - r - bit)
    else
      refused = 2*r + bit
    end if
  end function

  ! The two halves of bits times range, without signs.
  pure subroutine multiply_64(a, b, high, low)
    integer(int64), intent(in) :: a, b
    integer(int64), intent(out) :: high, low
    integer(int64) :: h00, l00, h01, l01, h10, l10, h11, l11, middle, upper
    call multiply(iand(a, word), iand(b, word), h00, l00)
    call multiply(iand(a, word), shiftr(b, 32), h01, l01)
    call multiply(shiftr(a, 32), iand(b, word), h10, l10)
    call multiply(shiftr(a, 32), shiftr(b, 32), h11, l11)
    middle = h00 + l01 + l10
    upper = h01 + h10 + l11 + shiftr(middle, 32)
    low = ior(shiftl(middle, 32), l00)
    high = ior(shiftl(h11 + shiftr(upper, 32), 32), iand(upper, word))
  end subroutine

  pure function integer_of(key, cell, draw, lower, upper) result(n)
    type(portable_random_key_t), intent(in) :: key
    integer(int64), intent(in) :: cell, draw, lower, upper
    integer(int64) :: n, range, bits, high, low, refused, retry
    range = plus(plus(max(lower, upper), not(min(lower, upper))), 2_int64)
    bits = bits_of(key, cell, draw, 0_int64)
    high = bits
    if (range /= 0) then
      call multiply_64(bits, range, high, low)
      if (blt(low, range)) then
        refused = refused_of(range)
        retry = 0
        do while (blt(low, refused))
          retry = retry + 1
          call multiply_64(bits_of(key, cell, draw, retry), range, high, low)
        end do
      end if
    end if
    n = plus(min(lower, upper), high)
  end function

  include 'portable_random_specifics.inc'

  !> Element n of array, from 1, gets portable_random_real(key, first + n - 1, draw): two elements of a block, so faster than single
  !> calls. The calling thread does it; a kernel fills its part of an array with the same bits.
  pure subroutine range_4(array, key, first, draw)
    real(real64), intent(inout) :: array(:)
    type(portable_random_key_t), intent(in) :: key
    integer(int32), intent(in) :: first
    integer(int32), optional, intent(in) :: draw
    integer(int64) :: at
    at = 0
    if (present(draw)) at = int(draw, int64)
    call range_of(array, key, int(first, int64), at)
  end subroutine

  pure subroutine range_8(array, key, first, draw)
    real(real64), intent(inout) :: array(:)
    type(portable_random_key_t), intent(in) :: key
    integer(int64), intent(in) :: first
    integer(int32), optional, intent(in) :: draw
    integer(int64) :: at
    at = 0
    if (present(draw)) at = int(draw, int64)
    call range_of(array, key, int(first, int64), at)
  end subroutine

  pure subroutine range_of(array, key, first, draw)
    real(real64), intent(inout) :: array(:)
    type(portable_random_key_t), intent(in) :: key
    integer(int64), intent(in) :: first, draw
    integer(int64) :: i, n, c0, c1, c2, c3
    n = size(array, kind=int64)
    i = 1
    if (n > 0 .and. btest(first, 0)) then
      array(1) = uniform(bits_of(key, first, draw, 0_int64))
      i = 2
    end if
    do while (i < n)
      call block_of(key, shiftr(plus(first, i - 1), 1), draw, 0_int64, c0, c1, c2, c3)
      array(i) = uniform(ior(shiftl(c1, 32), c0))
      array(i + 1) = uniform(ior(shiftl(c3, 32), c2))
      i = i + 2
    end do
    if (i == n) array(n) = uniform(bits_of(key, plus(first, n - 1), draw, 0_int64))
  end subroutine

end module portable_random_mod
