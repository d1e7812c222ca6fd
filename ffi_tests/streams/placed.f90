! placed.f90 - device= and stream= of operations on whole arrays and of copies of arrays, from Fortran: the results are those without them, the work is
! done where it was asked for, and what is not there is refused. Not here: loops in streams (streams.f90), the operations themselves (rooms of their own).
module watch
  use, intrinsic :: iso_c_binding
  use portable_observe_mod, only: portable_hook_event
  implicit none
  integer, volatile :: wanted = 0, right = 0, wrong = 0 ! launches on the device that is wanted, and elsewhere
contains
  recursive subroutine count_launch(event, payload) bind(c)
    type(portable_hook_event), intent(in) :: event
    type(c_ptr), value :: payload
    if (event%device == wanted .and. .not. c_associated(payload)) then
      right = right + 1
    else
      wrong = wrong + 1
    end if
  end subroutine
  ! Work of a stream that takes its time, and tells that it is over.
  subroutine late(status, payload) bind(c)
    integer(c_int32_t), value :: status
    type(c_ptr), value :: payload
    integer, pointer, volatile :: flag
    integer(8) :: start, now, rate
    call c_f_pointer(payload, flag)
    call system_clock(start, rate)
    do
      call system_clock(now)
      if (now - start > rate/20 .or. status /= 0_c_int32_t) exit
    end do
    flag = 1
  end subroutine
  ! Work of a stream that ends when the program says so.
  subroutine gated(status, payload) bind(c)
    integer(c_int32_t), value :: status
    type(c_ptr), value :: payload
    integer, pointer, volatile :: flag
    call c_f_pointer(payload, flag)
    do while (flag == 0 .and. status == 0_c_int32_t)
    end do
  end subroutine
end module watch

program placed
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int32, int64, real64
  use gator_mod
  use portable_mod
  use portable_reduce_more_mod, only: sum_along => reduce_sum
  use portable_componentwise_mod
  use portable_array_mod
  use portable_observe_mod, only: portable_hook_add, portable_hook_remove, portable_event_launch_begin
  use watch, only: late, gated, count_launch, wanted, right, wrong
  use check_mod
  use expect_mod
  implicit none
  integer, parameter :: n = 20000
  real(real64), pointer :: a(:,:), b(:,:), out(:,:), other(:,:), line(:), more(:)
  logical, pointer :: mask(:,:)
  integer(int32), pointer :: order(:), same(:)
  integer(int64) :: stream, hook
  integer, volatile, target :: over
  integer :: i, j, device, count, count_2, values(2)
  type(portable_array) :: from, to, part, flat
  call portable_init()
  call gator_allocate(a, [n/4,4])
  call gator_allocate(b, [n/4,4])
  call gator_allocate(out, [n/4,4])
  call gator_allocate(other, [n/4,4])
  call gator_allocate(mask, [n/4,4])
  call gator_allocate(line, [n])
  call gator_allocate(more, [n])
  call gator_allocate(order, [n/4])
  call gator_allocate(same, [n/4])
  call fence()
  do j = 1, 4
    do i = 1, n/4
      a(i,j) = sin(real(i*j, real64))
      b(i,j) = real(mod(7*i + j, 1001), real64)
      mask(i,j) = mod(i + j, 3) == 0
    end do
  end do
  device = default_device()
  call stream_create(stream)

  ! Each operation, by default and placed.
  call check_bits(reduce_sum(a, stream=stream), reduce_sum(a), 'sum in a stream')
  call check_bits(reduce_sum(a, mask, device=device), reduce_sum(a, mask), 'sum on a device')
  call check_bits(reduce_min(a, stream=device_stream(device)), reduce_min(a), 'min in a default stream')
  values = reduce_maxloc(b, stream=stream)
  call check(all(values == reduce_maxloc(b)), 'maxloc')
  call check(reduce_count(mask, device=device, stream=stream) == reduce_count(mask), 'count')
  call check(all(abs(sum_along(b, 1, stream=stream) - sum_along(b, 1)) <= 0d0), 'sum along a dimension')
  call prefix_sum(b, out, dim=1)
  call prefix_sum(b, other, dim=1, stream=stream)
  call check(all(transfer(out, [0_int64]) == transfer(other, [0_int64])), 'running sums')
  call pack_into(a, mask, line, count)
  call pack_into(a, mask, more, count_2, stream=stream)
  call check(count == count_2 .and. all(transfer(line(:count), [0_int64]) == transfer(more(:count), [0_int64])), 'pack')
  other = 0
  out = 0
  call unpack_into(line, mask, out)
  call unpack_into(line, mask, other, device=device)
  call check(all(transfer(out, [0_int64]) == transfer(other, [0_int64])), 'unpack')
  call active_indices(mask(:,2), order, count)
  call active_indices(mask(:,2), same, count_2, stream=stream)
  call check(count == count_2 .and. all(order(:count) == same(:count)), 'indices')
  line = reshape(b, [n])
  more = line
  call sort(line, descending=.true.)
  call sort(more, descending=.true., stream=stream)
  call check(all(transfer(line, [0_int64]) == transfer(more, [0_int64])), 'sort')
  call sort_index(b(:,1), order)
  call sort_index(b(:,1), same, device=device)
  call check(all(order == same), 'order')
  other(:,1) = b(:,1)
  out(:,1) = a(:,1)
  call sort_by_key(other(:,1), out(:,1), stream=stream)
  call check(all(transfer(out(:,1), [0_int64]) == transfer(a(order,1), [0_int64])), 'values of keys')

  ! A stream is waited for: what is in it before the call has been done when it returns.
  over = 0
  call stream_call(stream, c_funloc(late), c_loc(over))
  call check_bits(reduce_max(a, stream=stream), reduce_max(a), 'max behind other work')
  call check(over == 1, 'work before it in the stream is over')

  ! Devices and streams that do not exist.
  line(1) = reduce_sum(a, device=99, stat=stat, errmsg=text)
  call expect(gator_err_nodevice, 'portable_reduce')
  line(1) = reduce_sum(a, stream=12345678901_int64, stat=stat, errmsg=text)
  call expect(gator_err_handle, 'portable_reduce')
  call sort(line, device=-3, stat=stat, errmsg=text)
  call expect(gator_err_nodevice, 'portable_sort')
  call prefix_max(a, out, device=99, stat=stat, errmsg=text)
  call expect(gator_err_nodevice, 'portable_prefix')
  call pack_into(a, mask, line, count, stream=5_int64, stat=stat, errmsg=text)
  call expect(gator_err_handle, 'portable_pack_into')
  call active_indices(mask(:,1), order, count, device=99, stat=stat, errmsg=text)
  call expect(gator_err_nodevice, 'portable_active_indices')

  ! Element by element, and copies, on the host's devices.
  if (device > 2) device = find_device('threads')
  call stream_destroy(stream)
  call stream_create(stream, device)
  call portable_compute(out, a, '*', b, device=device)
  call portable_compute(other, a, '*', b, stream=stream)
  call stream_fence(stream)
  call check(all(transfer(out, [0_int64]) == transfer(other, [0_int64])), 'product')
  call portable_compute(out, 'abs', a, stream=stream)
  call stream_fence(stream)
  call check(all(transfer(out, [0_int64]) == transfer(abs(a), [0_int64])), 'abs')
  call portable_merge(other, a, b, mask, stream=stream)
  call stream_fence(stream)
  call check(all(transfer(other, [0_int64]) == transfer(merge(a, b, mask), [0_int64])), 'merge')
  over = 0
  call stream_call(stream, c_funloc(gated), c_loc(over))
  call portable_compute(out, 'sqrt', b, stream=stream) ! returns, or the test never ends
  call check(.not. all(transfer(out, [0_int64]) == transfer(sqrt(b), [0_int64])), 'not done yet')
  over = 1
  call stream_fence(stream)
  call check(all(transfer(out, [0_int64]) == transfer(sqrt(b), [0_int64])), 'square roots behind other work')
  call portable_fill(other, 3d0, device=device)
  call check(nint(sum(other)) == 3*n, 'fill')
  call portable_compute(out, a, '+', b, device=99, stat=stat, errmsg=text)
  call expect(gator_err_nodevice, 'portable_compute')
  call portable_fill(out, 1d0, stream=77_int64, stat=stat, errmsg=text)
  call expect(gator_err_handle, 'portable_compute')

  ! Copies: at once, and behind what is in the stream.
  call from%wrap(a, label='from')
  call to%wrap(other, label='to')
  call from%copy_to(to, device=device)
  call check(from%equal(to), 'a copy on a device')
  other = 0
  over = 0
  call stream_call(stream, c_funloc(gated), c_loc(over))
  call from%copy_to(to, stream=stream, asynchronous=.true.)
  call check(nint(sum(other)) == 0, 'the call has returned before the copy')
  over = 1
  call stream_fence(stream)
  call check(from%equal(to), 'a copy in a stream')
  other = 0
  call from%copy_to(to, stream=stream)
  call check(from%equal(to), 'a copy that is waited for')
  call from%subset_slowest(1, 3, part)
  call from%subset_slowest(2, 4, flat)
  call part%copy_to(flat, stream=stream, asynchronous=.true., stat=stat, errmsg=text)
  call expect(gator_err_arg, 'portable_array_copy_start of ''from'' to ''from'': the two share memory')
  call part%release()
  call flat%release()
  call from%copy_to(to, device=99, stat=stat, errmsg=text)
  call expect(gator_err_nodevice, 'portable_array_copy')
  call from%copy_to(to, stream=77_int64, asynchronous=.true., stat=stat, errmsg=text)
  call expect(gator_err_handle, 'portable_array_copy')

  ! Each operation runs on the device that it names, and on that of its stream.
  call portable_hook_add(hook, c_funloc(count_launch), portable_event_launch_begin)
  wanted = find_device('serial')
  call stream_destroy(stream)
  call stream_create(stream, wanted)
  line(1) = reduce_product(a, device=wanted)
  call ran('a product')
  line(1) = reduce_max(a, stream=stream)
  call ran('a maximum in a stream')
  values = reduce_minloc(b, device=wanted)
  call ran('a place')
  if (reduce_any(mask, device=wanted) .neqv. reduce_any(mask, stream=stream)) line(1) = 0
  call ran('any')
  if (reduce_all(mask, device=wanted)) line(1) = 0
  call ran('all')
  line(:4) = sum_along(b, 1, device=wanted)
  call ran('sums along a dimension')
  call prefix_sum(b, out, device=wanted)
  call ran('running sums')
  call prefix_min(b, out, stream=stream)
  call ran('running minima in a stream')
  call pack_into(a, mask, line, count, device=wanted)
  call ran('pack')
  call unpack_into(line, mask, out, stream=stream)
  call ran('unpack in a stream')
  call active_indices(mask(:,1), order, count, device=wanted)
  call ran('indices')
  call sort(line, device=wanted)
  call ran('sort')
  call sort_index(b(:,1), order, stream=stream)
  call ran('an order in a stream')
  call sort_by_key(other(:,1), out(:,1), device=wanted)
  call ran('values of keys')
  call portable_compute(out, a, '-', b, device=wanted)
  call ran('a difference')
  call portable_compute(out, 'exp', a, stream=stream)
  call stream_fence(stream)
  call ran('exponentials in a stream')
  call portable_merge(other, a, b, mask, device=wanted)
  call ran('merge')
  call portable_fill(other, 3d0, device=wanted)
  call ran('fill')
  call from%copy_to(to, device=wanted)
  call ran('a copy')
  call from%copy_to(to, stream=stream, asynchronous=.true.)
  call stream_fence(stream)
  call ran('a copy in a stream')
  call portable_hook_remove(hook)

  ! Objects without contents, and all elements in one dimension.
  call from%host_object(part)
  call check(part%size() == from%size() .and. part%ubound(2) == 4_int64, 'an object on the host')
  call from%copy_to(part, stream=stream)
  call check(from%equal(part), 'it takes the elements')
  call from%device_object(part)
  call check(part%size() == from%size(), 'an object for the device')
  call from%collapse(flat)
  call check(flat%rank() == 1 .and. flat%lbound(1) == 1_int64 .and. flat%ubound(1) == int(n, int64), 'one dimension')
  call gator_deallocate(more)
  call from%collapse(flat, lower=-5)
  call flat%get(more)
  call check(lbound(more, 1) == -5, 'its bound')
  call check_bits(more(-5 + n/4), a(1,2), 'its elements')
  call from%slice([portable_range(1, n/4, 2), portable_all], part)
  call part%collapse(flat, stat=stat, errmsg=text)
  call expect(gator_err_arg, 'portable_array_collapse')

  call part%release()
  call flat%release()
  call from%release()
  call to%release()
  call stream_destroy(stream)
  call gator_deallocate(a)
  call gator_deallocate(b)
  call gator_deallocate(out)
  call gator_deallocate(other)
  call gator_deallocate(mask)
  call gator_deallocate(line)
  nullify (more)
  call gator_deallocate(order)
  call gator_deallocate(same)
  call gator_check()
  call portable_finalize()
  call finish_checks()
contains
  subroutine ran(what)
    character(*), intent(in) :: what
    call check(right > 0 .and. wrong == 0, what//' runs where it was asked for')
    right = 0
    wrong = 0
  end subroutine
end program placed
