! The system refuses the memory of arrays at each call in turn, at gator_init and at growth. `arrays stat` asks for stat=
! and errmsg=, and goes on; `arrays no_stat N` does not, and has call number N refused: it must end with the text and
! error stop, or write `end of run` when there were not so many calls. Not in this file: the C face (system.c).
program arrays
  use, intrinsic :: iso_fortran_env, only: error_unit, int64, real64
  use gator_mod
  use check_mod, only: check, check_equal, finish_checks
  implicit none
  integer, parameter :: inject_map = 1, count = 6
  integer, parameter :: sizes(count) = [100, 90000, 200000, 130000, 1000000, 20]
  type :: held
    real(real64), pointer :: a(:) => null()
  end type

  interface
    subroutine inject_arm(what, at, forever) bind(c)
      import :: c_int
      integer(c_int), value :: what, at, forever
    end subroutine
    subroutine inject_heal() bind(c)
    end subroutine
    function inject_calls() result(calls) bind(c)
      import :: c_int
      integer(c_int) :: calls
    end function
    function inject_refusals() result(refusals) bind(c)
      import :: c_int
      integer(c_int) :: refusals
    end function
    function inject_mapped() result(bytes) bind(c)
      import :: c_int64_t
      integer(c_int64_t) :: bytes
    end function
  end interface

  type(held) :: arrays_of(count)
  type(gator_config) :: config
  character(len=16) :: mode, number
  integer :: at, forever, runs
  logical :: enough
  config%initial_mb = 1
  config%grow_mb = 1
  config%pool = 'on'
  call get_command_argument(1, mode)
  select case (mode)
  case ('stat')
    call gator_init(config) ! what a thread needs once is there from now on
    call gator_finalize()
    runs = 0
    do forever = 0, 1
      at = 1
      do
        call run_with_stat(at, forever, enough)
        if (.not. enough) exit
        runs = runs + 1
        at = at + 1
      end do
    end do
    write (*, '(i0,a)') runs, ' runs with a fault'
    call check(runs > 10, 'there were runs')
    call finish_checks()
  case ('no_stat')
    call get_command_argument(2, number)
    read (number, *) at
    call run_without_stat(at)
    write (error_unit, '(a)') 'end of run'
  case default
    error stop 2
  end select
contains

  ! Every array is as it was written, and so are the pool's numbers.
  subroutine look(what)
    character(*), intent(in) :: what
    type(gator_stats_t) :: stats
    integer :: i, stat
    integer(int64) :: blocks, bytes
    blocks = 0
    bytes = 0
    do i = 1, count
      if (.not. associated(arrays_of(i)%a)) cycle
      blocks = blocks + 1
      bytes = bytes + 8*sizes(i)
      call check(size(arrays_of(i)%a) == sizes(i) .and. all(abs(arrays_of(i)%a - real(i, real64)) <= 0.0_real64), &
                 what//': values')
    end do
    call gator_get_stats(stats)
    call check_equal(stats%in_use_blocks, blocks, what//': live blocks')
    call check_equal(stats%in_use_bytes, bytes, what//': live bytes')
    call gator_check(stat=stat)
    call check(stat == 0, what//': invariants')
  end subroutine

  subroutine run_with_stat(at, forever, enough)
    integer, intent(in) :: at, forever
    logical, intent(out) :: enough
    character(len=2000) :: message
    character(len=24) :: bytes
    integer(c_int64_t) :: before
    integer :: i, round, stat
    before = inject_mapped()
    call inject_arm(inject_map, int(at, c_int), int(forever, c_int))
    message = ''
    call gator_init(config, stat=stat, errmsg=message)
    if (stat /= 0) then
      call check(stat == gator_err_nomem, 'gator_init: stat')
      call check(index(message, 'gator_init:') > 0 .and. index(message, 'has no 1048576 bytes') > 0 .and. &
                 index(message, 'ask for less') > 0 .and. index(message, 'initial_mb') > 0, 'gator_init: '//trim(message))
      call check_equal(inject_mapped(), before, 'bytes mapped after a refused gator_init')
      call inject_heal()
      call gator_init(config)
    end if
    do round = 1, 2
      do i = 1, count
        message = 'untouched'
        call gator_allocate(arrays_of(i)%a, [sizes(i)], label='wanted', stat=stat, errmsg=message)
        if (stat /= 0) then
          write (bytes, '(a,i0,a)') 'has no ', 8*sizes(i), ' bytes'
          call check(stat == gator_err_nomem .and. .not. associated(arrays_of(i)%a), 'a refused array')
          call check(index(message, "gator_allocate of 'wanted':") == 1 .and. index(message, trim(bytes)) > 0 .and. &
                     index(message, 'mapping ') > 0 .and. index(message, 'ask for less, or look at ulimit -v') > 0, trim(message))
          call check(inject_refusals() > 0, 'the system refused')
          call look('after a refusal')
          call inject_heal()
          call gator_allocate(arrays_of(i)%a, [sizes(i)], label='wanted')
        else
          call check(message == 'untouched', 'a success leaves errmsg alone')
        end if
        arrays_of(i)%a = real(i, real64)
      end do
      call look('all allocated')
      do i = count, 1, -1
        call gator_deallocate(arrays_of(i)%a)
      end do
      call gator_trim()
      call look('all deallocated')
    end do
    call gator_finalize()
    enough = inject_calls() >= at
    call inject_heal()
    call check_equal(inject_mapped(), before, 'bytes mapped at the end')
  end subroutine

  subroutine run_without_stat(at)
    integer, intent(in) :: at
    integer :: i
    call gator_init(config)
    call gator_finalize()
    call inject_arm(inject_map, int(at, c_int), 1_c_int)
    call gator_init(config)
    do i = 1, count
      call gator_allocate(arrays_of(i)%a, [sizes(i)], label='wanted')
      arrays_of(i)%a = real(i, real64)
    end do
    do i = 1, count
      call gator_deallocate(arrays_of(i)%a)
    end do
    call gator_finalize()
  end subroutine
end program
