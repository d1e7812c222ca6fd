! Regions of OpenMP and OpenACC around loops: target, teams, parallel, kernels, serial, data regions,
! conditions of regions. Compilers see comments, so that the original is the serial program.
! Clauses keep the rows of procedures `..._on_the_host` from devices, and none those of `..._on_the_device`.
module regions
  use bits_of_results
  implicit none
  integer, parameter :: wp = real64
  type :: plan
    logical :: far = .true.
    integer :: least = 3
  end type plan
contains
  subroutine openmp(n, a, b)
    integer, intent(in) :: n
    real(wp), intent(inout) :: a(n, n), b(n)
    real(wp) :: t, s
    integer :: i, j, k, m
    !$omp target data map(tofrom: a) map(to: b) if(n > 3)
    !$omp target teams map(alloc: a, b)
    ! truth: parallel j i; run target-teams-in-data
    !$omp distribute parallel do collapse(2)
    do j = 1, n
      do i = 1, n
        a(i, j) = 2*b(i) + j
      end do
    end do
    !$omp end distribute parallel do
    !$omp end target teams
    call show('target-teams-in-data', bits([a]))
    !$omp target update from(a)
    !$omp target
    ! truth: parallel i; private t; run target-of-two-loops
    do i = 1, n
      t = a(i, 2) - i
      b(i) = t*t
    end do
    t = n/2
    m = n - 1
    ! truth: parallel i; run target-second-loop
    do i = 2, m
      a(i, 1) = b(i - 1) + t
    end do
    !$omp end target
    call show('target-of-two-loops', [bits(b), bits(t)])
    call show('target-second-loop', bits([a]))
    !$omp end target data
    s = 0.5_wp
    !$omp target map(tofrom: s)
    !$omp teams
    ! truth: parallel j; reduction +:s; private i; run target-teams-sum
    !$omp distribute parallel do reduction(+: s) private(i)
    do j = 1, n
      do i = 1, j
        s = s + a(i, j)
      end do
    end do
    !$omp end teams
    !$omp end target
    call show('target-teams-sum', bits([s]))
    k = -1
    !$omp target enter data map(to: b)
    !$omp target parallel
    ! truth: parallel i; last k; run target-parallel-last
    !$omp do lastprivate(k)
    do i = 1, n
      k = 3*i + n
      b(i) = b(i) - k
    end do
    !$omp end do nowait
    !$omp end target parallel
    !$omp target exit data map(from: b)
    call show('target-parallel-last', [bits(b), bits(k)])
    !$omp parallel private(i, t) shared(a)
    ! truth: parallel j; private i t; run parallel-region-private
    !$omp do
    do j = 2, n
      t = b(j) + 1
      do i = 1, n
        t = t + 0.25_wp
        a(i, j) = a(i, j) - t
      end do
    end do
    !$omp end do
    ! truth: parallel j; private i; run parallel-region-simd
    !$omp do
    do j = 1, n
      !$omp simd
      do i = n, 1, -2
        a(i, j) = a(i, j)/2
      end do
    end do
    !$omp end parallel
    call show('parallel-region-private', bits([a(:, 2:)]))
    call show('parallel-region-simd', bits([a]))
    do k = 1, 3
      !$omp target teams
      ! truth: parallel j i; run target-in-a-serial-loop
      !$omp distribute parallel do
      do j = 1, n
        do i = 1, n
          a(i, j) = a(i, j) + k*b(i)
        end do
      end do
      !$omp end target teams
      b(k) = a(k, k)
    end do
    call show('target-in-a-serial-loop', [bits([a]), bits(b)])
  end subroutine openmp

  subroutine openacc(n, a, b)
    integer, intent(in) :: n
    real(wp), intent(inout) :: a(n, n), b(n)
    real(wp) :: most, t
    integer :: i, j, k
    logical :: all_less
    !$acc data copy(a) copyin(b) if(n < 100)
    !$acc kernels present(a, b)
    ! truth: parallel j i; run kernels-in-data
    do j = 1, n
      do i = 1, n
        a(i, j) = b(j) - 3*i
      end do
    end do
    ! truth: parallel i; private t; run kernels-second-loop
    !$acc loop independent gang vector
    do i = 1, n
      t = a(i, 1)
      b(i) = t*abs(t)
    end do
    !$acc end kernels
    !$acc end data
    call show('kernels-in-data', bits([a]))
    call show('kernels-second-loop', bits(b))
    most = -1000
    !$acc enter data copyin(a)
    !$acc parallel copy(most) num_gangs(8) vector_length(32)
    ! truth: parallel j i; reduction max:most; run acc-parallel-maximum
    !$acc loop gang collapse(2) reduction(max: most)
    do j = 1, n
      do i = 1, n
        most = max(most, a(i, j))
      end do
    end do
    !$acc end parallel
    call show('acc-parallel-maximum', bits([most]))
    !$acc parallel async(2)
    ! truth: parallel j; private i t; run gang-and-vector
    !$acc loop gang private(t)
    do j = 1, n
      t = 1
      !$acc loop vector reduction(+: t)
      do i = 1, n
        t = t + a(i, j)
      end do
      a(j, j) = t
    end do
    !$acc end parallel
    !$acc wait(2)
    !$acc exit data copyout(a)
    call show('gang-and-vector', bits([a]))
    all_less = .true.
    !$acc serial
    k = n - 2
    ! truth: parallel i; reduction .and.:all_less; run acc-serial-region
    do i = 1, k
      all_less = all_less .and. b(i) < most + 500
    end do
    ! truth: parallel i; run acc-serial-second-loop
    do i = 1, k
      b(i + 2) = a(i, 3)
    end do
    !$acc end serial
    call show('acc-serial-region', bits([all_less]))
    call show('acc-serial-second-loop', bits(b))
    !$acc kernels
    ! truth: parallel j; private i; run kernels-seq-inside
    !$acc loop gang
    do j = 1, n
      !$acc loop seq
      do i = 2, n
        a(i, j) = a(i, j) + a(i - 1, j)/2
      end do
    end do
    !$acc end kernels
    call show('kernels-seq-inside', bits([a]))
  end subroutine openacc

  subroutine conditions_on_the_device(n, a, b, p)
    integer, intent(in) :: n
    real(wp), intent(inout) :: a(n, n), b(n)
    type(plan), intent(in) :: p
    integer :: i, j
    logical(int8) :: yes
    yes = .true.
    !$omp target if(target: n > p%least .and. p%far)
    !$omp teams if(yes)
    ! truth: parallel j i; run if-of-target-and-teams
    !$omp distribute parallel do if(parallel: b(2) < 1e30_wp) collapse(2)
    do j = 1, n
      do i = 1, n
        a(i, j) = a(i, j) - b(i)
      end do
    end do
    !$omp end teams
    !$omp end target
    call show('if-of-target-and-teams', bits([a]))
    !$acc kernels if(p%far)
    ! truth: parallel i; run if-of-kernels
    do i = 1, n
      b(i) = a(i, i)
    end do
    yes = n < 3
    ! truth: parallel i; run if-of-kernels-second-loop
    do i = 1, n
      a(i, 1) = b(i) + 4
    end do
    !$acc end kernels
    call show('if-of-kernels', bits(b))
    call show('if-of-kernels-second-loop', [bits([a]), bits([yes])])
    j = 4
    !$acc parallel self(n < p%least) if(p%far) copy(j)
    ! truth: parallel i; reduction +:j; run self-not-of-acc-parallel
    !$acc loop reduction(+: j)
    do i = 1, n
      j = j + int(b(i))
    end do
    !$acc end parallel
    call show('self-not-of-acc-parallel', bits([j]))
    ! truth: parallel j i; run self-not-of-kernels-loop
    !$acc kernels loop self(yes)
    do j = 1, n
      do i = 1, n
        a(i, j) = a(i, j)/2 + 1
      end do
    end do
    call show('self-not-of-kernels-loop', bits([a]))
  end subroutine conditions_on_the_device

  subroutine conditions_on_the_host(n, a, b, p)
    integer, intent(in) :: n
    real(wp), intent(inout) :: a(n, n), b(n)
    type(plan), intent(in) :: p
    integer :: i, j, k
    k = 5
    !$omp target if(target: n < p%least)
    ! truth: parallel j i; run if-not-of-target
    do j = 1, n
      do i = 1, n
        a(i, j) = a(i, j)*2 - b(i)
      end do
    end do
    !$omp end target
    call show('if-not-of-target', bits([a]))
    !$acc parallel if(.not. p%far)
    ! truth: parallel i; reduction +:k; run if-not-of-acc-parallel
    !$acc loop reduction(+: k)
    do i = 1, n
      k = k + int(b(i))
    end do
    !$acc end parallel
    call show('if-not-of-acc-parallel', bits([k]))
    ! truth: parallel j i; run self-of-parallel-loop
    !$acc parallel loop self collapse(2)
    do j = 1, n
      do i = 1, n
        a(i, j) = a(i, j) + b(j)
      end do
    end do
    call show('self-of-parallel-loop', bits([a]))
    !$acc kernels self(n > p%least .and. p%far)
    ! truth: parallel i; run self-of-kernels
    do i = 1, n
      b(i) = a(i, i) - 3
    end do
    ! truth: parallel i; reduction max:k; run self-of-kernels-second-loop
    do i = 1, n
      k = max(k, int(b(i)))
    end do
    !$acc end kernels
    call show('self-of-kernels', bits(b))
    call show('self-of-kernels-second-loop', bits([k]))
    !$acc serial self
    ! truth: parallel i; last k; run self-of-serial
    do i = 1, n
      k = 2*i
      b(i) = b(i)/k
    end do
    !$acc end serial
    call show('self-of-serial', [bits(b), bits([k])])
    ! truth: parallel i; last k; run self-with-last-value
    !$acc parallel loop self(p%least == 3)
    do i = 1, n
      k = 7 - i
      b(i) = b(i)*k
    end do
    call show('self-with-last-value', [bits(b), bits([k])])
  end subroutine conditions_on_the_host
end module regions

program main
  use regions
  implicit none
  integer, parameter :: n = 29
  real(wp) :: a(n, n), b(n)
  integer :: i
  a = reshape(sample([(i, i=1, n*n)]), [n, n])
  b = sample([(i, i=5, n + 4)])
  call openmp(n, a, b)
  a = reshape(sample([(3*i, i=1, n*n)]), [n, n])
  b = sample([(i, i=2, n + 1)])
  call openacc(n, a, b)
  call conditions_on_the_device(n, a, b, plan())
  call conditions_on_the_host(n, a, b, plan())
end program main
