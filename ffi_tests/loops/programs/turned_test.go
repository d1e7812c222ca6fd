package programs

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// This file runs loops over pointers to arrays in other orders of elements, which have a body with their declaration. Not in this file: who makes such
// arrays (portable_array_point, ffi_tests/arrays), the time that they take (bench/loops/orders.f90).

// turnC gives a pointer other dimensions: the strides of to are those of from's dimensions in that order.
const turnC = `#include <ISO_Fortran_binding.h>
void turn(CFI_cdesc_t *to, const CFI_cdesc_t *from, const int *order);
void turn(CFI_cdesc_t *to, const CFI_cdesc_t *from, const int *order) {
  to->base_addr = from->base_addr;
  to->elem_len = from->elem_len;
  for (int d = 0; d < from->rank; d++) {
    to->dim[d] = from->dim[order[d] - 1];
    to->dim[d].lower_bound = d - 1;
  }
}
`

// turned has loops whose innermost one runs over the last dimension, the middle one, the first one, and none of the array's; sums, steps, components,
// integers, and subscripts with signs and parentheses, over lines.
const turned = `module m
  implicit none
  type part
    real(8), pointer :: h(:, :, :)
  end type part
contains
  subroutine columns(n, t, q)
    integer, intent(in) :: n(3)
    real(8), pointer, intent(in) :: t(:, :, :)
    real(4), pointer, intent(in) :: q(:, :, :)
    integer :: i, j, k
    do j = 1, n(2) - 2
      do i = 0, n(1) - 3
        do k = 2, n(3)
          t(i-1, j, (k)) = t(i-1, j, k) + 0.5d0*t(i - 1, j, -1 + k) - q(i, &
            j - 1, & ! a comment
            k - 1)
        end do
      end do
    end do
  end subroutine columns
  subroutine middle(n, t, s)
    integer, intent(in) :: n(3)
    real(8), pointer, intent(in) :: t(:, :, :)
    real(8), intent(inout) :: s
    integer :: i, j, k
    do k = 1, n(3), 2
      do i = -1, n(1) - 2
        do j = 0, n(2) - 1
          s = s + t(i, j, k)*(i + 2*j)
        end do
      end do
    end do
  end subroutine middle
  subroutine inside(n, p, m)
    integer, intent(in) :: n(3)
    type(part), intent(in) :: p
    integer, pointer, intent(in) :: m(:, :)
    integer :: i, k, last
    last = n(2) - 1
    do i = -1, n(1) - 2
      do k = 1, n(3)
        p%h(i, last, k) = p%h(i, 0, k) + m(i, k - 1)
      end do
    end do
    do i = -1, n(1) - 2
      do k = 1, n(3)
        m(i, k - 1) = m(i, k - 1) + i
      end do
    end do
  end subroutine inside
  subroutine assumed(t, u)
    real(8), intent(inout) :: t(:, 2:, :)
    real(8), intent(in) :: u(:, :)
    integer :: i, j, k, first, last
    first = size(t, 1)
    last = size(t, 3)
    do j = 2, size(t, 2) + 1
      do i = 1, first
        do k = 1, last
          t(i, j, k) = t(i, j, k)*u(i, k)
        end do
      end do
    end do
  end subroutine assumed
end module m
program p
  use m
  use, intrinsic :: iso_fortran_env, only: int64
  interface
    subroutine turn(to, from, order) bind(c)
      real(8), pointer, intent(inout) :: to(..)
      real(8), pointer, intent(in) :: from(..)
      integer, intent(in) :: order(*)
    end subroutine turn
    subroutine turn4(to, from, order) bind(c, name='turn')
      real(4), pointer, intent(inout) :: to(..)
      real(4), pointer, intent(in) :: from(..)
      integer, intent(in) :: order(*)
    end subroutine turn4
    subroutine turni(to, from, order) bind(c, name='turn')
      integer, pointer, intent(inout) :: to(..)
      integer, pointer, intent(in) :: from(..)
      integer, intent(in) :: order(*)
    end subroutine turni
  end interface
  integer, parameter :: n(3) = [24, 18, 13], orders(3, 6) = reshape([1, 2, 3, 2, 3, 1, 3, 1, 2, 2, 1, 3, 1, 3, 2, 3, 2, 1], [3, 6])
  real(8), pointer :: t(:, :, :), v(:, :, :), u(:, :), w(:, :)
  real(4), pointer :: q(:, :, :), r(:, :, :)
  integer, pointer :: g(:, :), h(:, :)
  type(part) :: c
  real(8) :: s
  integer :: o, i, j, k, e(3), pad
  !$portable off
  do pad = 0, 1
    do o = 1, 6
      e(orders(:, o)) = n ! the extents of what is turned, so that the pointer has n
      do i = 1, 3
        e(orders(i, o)) = n(i)
      end do
      allocate (t(e(1) + pad, e(2), e(3)), q(e(1), e(2), e(3)), u(n(3), n(1)), g(n(3), n(1)))
      call fill(t, q, u, g)
      t => t(:e(1), :, :)
      call turn(v, t, orders(:, o))
      call turn4(r, q, orders(:, o))
      call turn(w, u, [2, 1])
      call turni(h, g, [2, 1])
      do k = 1, n(3)
        do j = 0, n(2) - 1
          do i = -1, n(1) - 2
            v(i, j, k) = mod(3*i + 5*j + 7*k, 19)/8d0
            r(i, j, k) = real(mod(i + 2*j + 3*k, 11))
          end do
        end do
      end do
      s = 0.1d0
      !$portable on
      call columns(n, v, r)
      call middle(n, v, s)
      c%h => v
      call inside(n, c, h)
      call assumed(v, w)
      call assumed(v(:, ::2, :), w)
      !$portable off
      print '(4z17)', s, sum(v), v(::5, ::4, ::3), sum(r)
      print '(8i9)', h(::5, ::4)
      deallocate (q, u, g)
    end do
  end do
contains
  subroutine fill(t, q, u, g)
    real(8), intent(out) :: t(:, :, :), u(:, :)
    real(4), intent(out) :: q(:, :, :)
    integer, intent(out) :: g(:, :)
    integer :: a, b
    t = 0
    q = 0
    do a = 1, size(u, 2)
      do b = 1, size(u, 1)
        u(b, a) = 1 + mod(a + b, 5)/16d0
        g(b, a) = mod(3*a + b, 7)
      end do
    end do
  end subroutine fill
end program p
`

// TestTurned: arrays in all orders, with gaps and without, give the bits of the original. An array in the order of the body with its declaration takes it.
func TestTurned(t *testing.T) {
	w := with(t)
	if isFlang(w.compiler) {
		t.Skip("flang 16 has no arguments of assumed rank")
	}
	c := w.source("turn.c", turnC)
	source := w.source("turned.f90", turned)
	converted := w.convert([]string{"--auto"}, source)[0]
	text := w.text(converted)
	for _, line := range []string{"t((k), i-1, j) = t(k, i-1, j) + 0.5d0*t(-1 + k, i - 1, j)", "s = s + t(j, i, k)*(i + 2*j)", "t(k, i, j) = t(k, i, j)*u(k, i)",
		"p_h(k, i, last) = p_h(k, i, 0) + m(k - 1, i)"} {
		require.Contains(t, strings.ReplaceAll(text, "p%h(", "p_h("), line)
	}
	object, _ := w.compile(c)
	before, _ := clean(t, w, strict(w.compiler), []string{source}, []string{converted})
	w.linked("original", nil, append(before, object)...)
	want := w.run(nil, "original")
	for _, flags := range []string{"-O0 -fcheck=all", "-O3"} {
		w.build("converted.x", strings.Fields(flags), c, converted)
		for _, s := range shapes {
			require.Equal(t, want, w.run(s.env(), "converted.x"), "%s %v", flags, s)
		}
	}
	// The bodies are those that run: with another constant in one of them, the values of its order alone are others.
	changed := strings.Replace(text, "t(k, i-1, j) + 0.5d0", "t(k, i-1, j) + 0.25d0", 1)
	require.NotEqual(t, text, changed)
	require.NoError(t, os.WriteFile(w.path(converted), []byte(changed), 0o644))
	w.build("changed.x", []string{"-O1"}, c, converted)
	wanted, got := strings.Split(want, "\n"), strings.Split(w.run(nil, "changed.x"), "\n")
	require.Len(t, got, len(wanted))
	each := len(wanted) / 12
	for o := range 12 {
		same := strings.Join(wanted[o*each:(o+1)*each], "\n") == strings.Join(got[o*each:(o+1)*each], "\n")
		require.Equal(t, o != 1, same, "the order %d", o) // [2, 3, 1]: the pointer's last dimension is the fastest, then its first one
	}
}
