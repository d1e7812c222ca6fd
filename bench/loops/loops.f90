! loops.f90 - times the nests of nests.f90.in in turn: as they stand, with OpenMP, and converted by
! portablef. usage: bench_loops [LARGEST [ROUNDS]]. LARGEST is the greatest number of elements.
! Prints engine, name, value and unit, a line each, separated by tabs. Stops if the results of the
! engines differ. Threads are those of PORTABLE_NUM_THREADS and OMP_NUM_THREADS.
program loops
  use, intrinsic :: iso_c_binding, only: c_int
  use, intrinsic :: iso_fortran_env, only: int64, real64
  use fields
  use nests_serial, only: run_serial => run
  use nests_openmp, only: run_openmp => run
  use nests_portable, only: run_portable => run
  implicit none
  interface
    integer(c_int) function usleep(us) bind(c)
      import :: c_int
      integer(c_int), value :: us
    end function
    subroutine engine(nest)
      integer, intent(in) :: nest
    end subroutine
  end interface
  ! So long after a launch, in us, the threads of all engines are asleep. Those of gfortran's OpenMP
  ! keep their processors busy for some 30 ms.
  integer(c_int), parameter :: pause = 60000
  real(real64), parameter :: settled = 4d7 ! ns
  integer, parameter :: sizes(3) = [1000, 100000, 4000000]
  character(*), parameter :: sized(3) = [character(24) :: '1000 elements', '100 000 elements', '4 000 000 elements']
  character(*), parameter :: nests(6) = [character(24) :: 'saxpy', '5-point stencil', 'columns', 'sum', 'maximum', &
    'sum into an array']
  character(*), parameter :: engines(3) = [character(8) :: 'portable', 'serial', 'openmp']
  character(20) :: text
  real(real64), allocatable :: took(:,:)
  integer :: s, nest, e, w, round, largest, rounds, calls
  integer(int64) :: rate
  call get_command_argument(1, text)
  largest = maxval(sizes)
  if (text /= '') read (text, *) largest
  call get_command_argument(2, text)
  rounds = 9
  if (text /= '') read (text, *) rounds
  call system_clock(count_rate=rate)
  allocate (took(rounds, size(engines)))
  do s = 1, count(sizes <= largest)
    call make(sizes(s))
    call compare()
    do nest = 1, size(nests)
      calls = calls_of(nest)
      do round = 1, rounds
        do e = 1, size(engines)
          w = modulo(e + round, size(engines)) + 1 ! in each round another one is the first
          took(round,w) = measured(w, nest, calls)
        end do
      end do
      do e = 1, size(engines)
        write (text, '(es14.6)') median(took(:,e))
        print '(8a)', trim(engines(e)), achar(9), trim(nests(nest)), ', ', trim(sized(s)), achar(9), trim(adjustl(text)), &
          achar(9)//'ns'
      end do
    end do
    call drop()
  end do
contains

  subroutine launch(e, nest)
    integer, intent(in) :: e, nest
    select case (e)
    case (1)
      call run_portable(nest)
    case (2)
      call run_serial(nest)
    case (3)
      call run_openmp(nest)
    end select
  end subroutine

  ! So many calls take some 20 us, which the clock measures well.
  integer function calls_of(nest) result(calls)
    integer, intent(in) :: nest
    calls = 1
    do while (piece(2, nest, calls) < 20d3/calls .and. calls < 10000)
      calls = 2*calls
    end do
  end function

  ! The time of a call in ns, as a mean of some calls.
  real(real64) function piece(e, nest, calls)
    integer, intent(in) :: e, nest, calls
    integer(int64) :: before, after
    integer :: i
    call system_clock(before)
    do i = 1, calls
      call launch(e, nest)
    end do
    call system_clock(after)
    piece = real(after - before, real64)*1d9/real(rate, real64)/calls
  end function

  ! The median of the pieces of some milliseconds, after the first ones, which find the caches empty and threads asleep:
  ! Linux wakes a thread on the processor of its waker and moves it only after some 10 ms.
  real(real64) function measured(e, nest, calls)
    integer, intent(in) :: e, nest, calls
    real(real64) :: pieces(200), spent
    integer :: n
    if (usleep(pause) /= 0) continue
    spent = 0
    do while (spent < settled)
      spent = spent + piece(e, nest, calls)*calls
    end do
    spent = 0
    do n = 1, size(pieces)
      pieces(n) = piece(e, nest, calls)
      spent = spent + pieces(n)*calls
      if (spent > 4d6 .and. n >= 3) exit
    end do
    measured = median(pieces(:min(n, size(pieces))))
  end function

  real(real64) function median(values)
    real(real64), intent(in) :: values(:)
    real(real64) :: sorted(size(values)), least
    integer :: i, at
    sorted = values
    do i = 1, size(sorted)/2 + 1
      at = i - 1 + minloc(sorted(i:), 1)
      least = sorted(at)
      sorted(at) = sorted(i)
      sorted(i) = least
    end do
    median = sorted((size(sorted) + 1)/2)
  end function

  ! Sums are combined in another order, so the last bits may differ.
  subroutine compare()
    real(real64) :: results(size(engines))
    integer :: e, nest
    do e = 1, size(engines)
      call fill()
      do nest = 1, size(nests)
        call launch(e, nest)
      end do
      results(e) = result_of()
    end do
    if (maxval(abs(results - results(2))) > 1d-12*abs(results(2))) then
      print *, results
      error stop 'the results of the engines differ'
    end if
  end subroutine
end program
