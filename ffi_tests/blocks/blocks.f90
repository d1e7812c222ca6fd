! blocks.f90 - block kernels in Fortran: a tiled matrix product through scratch, internal procedures, blocks without barriers, fences of a stream,
! failures, refused calls, a barrier that not all threads reach. Also run over the stub. Not in this file: shapes of blocks (blocks.c), lists of
! arguments, barriers without a line (codes.f90).
program blocks
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: real64, int64
  use check_mod
  use gator_mod
  use portable_mod
  use portable_blocks_mod, parallel_blocks => portable_parallel_blocks, thread_block => portable_thread_block, &
    block_barrier => portable_block_barrier, block_fail => portable_block_fail
  implicit none

  integer, parameter :: n = 48, edge = 8
  real(real64), target :: x(n, n), y(n, n), z(n, n), product(n, n), line(1000)
  integer :: stat, i, j, k
  integer(int64) :: into
  character(len=512) :: text

  call portable_init()
  do j = 1, n
    do i = 1, n
      x(i, j) = 1.0_real64/real(i + 3*j, real64)
      y(i, j) = 1.0_real64/real(2*i + j, real64) - 0.01_real64
    end do
  end do
  do j = 1, n
    do i = 1, n
      product(i, j) = 0.0_real64
      do k = 1, n
        product(i, j) = product(i, j) + x(i, k)*y(k, j)
      end do
    end do
  end do
  z = -1.0_real64
  call parallel_blocks('tiles', bounds([1, 1], [n/edge, n/edge]), tile_kernel, threads=[edge, edge], scratch_bytes=16*edge*edge)
  call check(maxval(abs(z - product)) <= 0.0_real64, 'tiled product has the bits of loops')

  line = 0.0_real64
  call parallel_blocks('plain', bounds(10, 19), plain_kernel, threads=[100])
  call check(maxval(abs(line - [(real(i, real64), i = 1, 1000)])) <= 0.0_real64, 'blocks without barriers')

  call stream_create(into)
  call parallel_blocks('plain', bounds(10, 19), plain_kernel, threads=[100], stream=into)
  call stream_fence(into)
  call check(maxval(abs(line - [(2*real(i, real64), i = 1, 1000)])) <= 0.0_real64, 'blocks in a stream')
  call stream_destroy(into)

  call parallel_blocks('fails', bounds(4), failing_kernel, threads=[7], stat=stat, errmsg=text)
  call check(stat == gator_err_kernel, 'a failure of a thread')
  call check(index(text, 'parallel_blocks ''fails'': the kernel failed with code 5: no more') > 0, trim(text))

  call parallel_blocks('early', bounds(3), early_kernel, threads=[4, 1], stat=stat, errmsg=text)
  call check(stat == gator_err_arg, 'threads of another rank')
  call check(index(text, 'threads has the size 2, and the bounds have the rank 1') > 0, trim(text))
  call parallel_blocks('early', bounds(3), early_kernel, threads=[0], stat=stat, errmsg=text)
  call check(stat == gator_err_arg .and. index(text, 'a block has 0 threads in dimension 1') > 0, trim(text))
  call parallel_blocks('early', bounds(3), early_kernel, threads=[-3], stat=stat, errmsg=text)
  call check(stat == gator_err_arg .and. index(text, 'a block has -3 threads in dimension 1') > 0, trim(text))
  call parallel_blocks('early', bounds(3), early_kernel, threads=[100000], stat=stat, errmsg=text)
  call check(stat == gator_err_arg .and. index(text, 'a block has 100000 threads in dimension 1') > 0, trim(text))
  call parallel_blocks('early', bounds(3), early_kernel, threads=[4], scratch_bytes=-1, stat=stat, errmsg=text)
  call check(stat == gator_err_arg .and. index(text, 'parallel_blocks ''early'': -1 bytes of scratch') > 0, trim(text))

  call parallel_blocks('early', bounds(5, 7), early_kernel, threads=[4], stat=stat, errmsg=text)
  call check(stat == gator_err_kernel, 'a barrier that not all reach')
  call check(index(text, 'the barrier at line 4711: thread (1) waits there, and thread (3) has left the kernel') > 0, trim(text))
  call parallel_blocks('unnumbered', bounds(5, 7), unnumbered_kernel, threads=[4], stat=stat, errmsg=text)
  call check(stat == gator_err_kernel, 'a barrier without a line')
  call check(index(text, ' waits there, and thread (1) has left the kernel') > 0, trim(text))

  call parallel_blocks('nests', bounds(2), nesting_kernel, threads=[2], stat=stat, errmsg=text)
  call check(stat == gator_err_kernel .and. index(text, 'code 4: a block kernel launches nothing') > 0, trim(text))
  call portable_finalize()
  call finish_checks()

contains

  recursive subroutine tile_kernel(b)
    type(thread_block), intent(in) :: b
    real(real64), pointer :: tiles(:, :, :)
    real(real64) :: total
    integer :: i, j, k, l
    call c_f_pointer(b%scratch, tiles, [edge, edge, 2])
    i = edge*(b%outer(1) - 1) + b%thread(1)
    j = edge*(b%outer(2) - 1) + b%thread(2)
    total = 0.0_real64
    do k = 0, n - 1, edge
      tiles(b%thread(1), b%thread(2), 1) = x(i, k + b%thread(2))
      tiles(b%thread(1), b%thread(2), 2) = y(k + b%thread(1), j)
      call block_barrier(b)
      do l = 1, edge
        total = total + tiles(b%thread(1), l, 1)*tiles(l, b%thread(2), 2)
      end do
      call block_barrier(b)
    end do
    z(i, j) = total
  end subroutine

  recursive subroutine plain_kernel(b)
    type(thread_block), intent(in) :: b
    integer :: i
    i = (b%outer(1) - 10)*int(b%threads(1)) + b%thread(1)
    line(i) = line(i) + real(i, real64)
  end subroutine

  recursive subroutine failing_kernel(b)
    type(thread_block), intent(in) :: b
    call block_barrier(b)
    if (b%outer(1) == 3 .and. b%thread(1) == 7) call block_fail(b, 5, 'no more')
    call block_barrier(b)
  end subroutine

  recursive subroutine early_kernel(b)
    type(thread_block), intent(in) :: b
    call block_barrier(b, 4710_c_int32_t)
    if (b%outer(1) == 6 .and. b%thread(1) == 3) return
    call block_barrier(b, 4711_c_int32_t)
  end subroutine

  recursive subroutine unnumbered_kernel(b)
    type(thread_block), intent(in) :: b
    if (b%thread(1) == 1) return
    call block_barrier(b)
  end subroutine

  recursive subroutine nesting_kernel(b)
    type(thread_block), intent(in) :: b
    integer :: code
    character(len=200) :: why
    call block_barrier(b)
    call parallel_for('inside', bounds(3), nothing, stat=code, errmsg=why)
    if (code /= 0) call block_fail(b, code, why(index(why, 'a block'):))
    call block_barrier(b)
  end subroutine

  recursive subroutine nothing(t)
    type(tile), intent(in) :: t
    if (t%rank < 1) return
  end subroutine

end program blocks
