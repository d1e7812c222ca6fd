! portable_openmp.F90 - the device `openmp` of libportable: launches run in the program's own OpenMP team, so THREADPRIVATE
! variables work in kernels and the OMP_* variables rule. Compile it with your compiler and its flag for OpenMP, and link it;
! in CMake portable::openmp does both. Its twin in C is portable_openmp.c: take one of them. Not in this file: the
! modules; a program needs no USE for it.
!
! The region has no num_threads clause: a smaller team would cost the threads that are left over their THREADPRIVATE
! variables. Where the team is smaller than promised, a thread has more than one part. OpenMP's functions are taken from C, because
! not every Debian has a module omp_lib of each of its compilers.
#ifndef _OPENMP
#error "compile portable_openmp.F90 with OpenMP: -fopenmp, -qopenmp, -mp"
#endif

function portable__openmp_workers(payload) result(workers) bind(c, name='portable__openmp_workers')
  use, intrinsic :: iso_c_binding, only: c_int32_t, c_ptr
  implicit none
  type(c_ptr), value :: payload
  integer(c_int32_t) :: workers
  interface
    function omp_get_max_threads() result(n) bind(c, name='omp_get_max_threads')
      import :: c_int32_t
      integer(c_int32_t) :: n
    end function
  end interface
  workers = omp_get_max_threads()
end function

subroutine portable__openmp_run(workers, work, payload) bind(c, name='portable__openmp_run')
  use, intrinsic :: iso_c_binding, only: c_int32_t, c_ptr
  implicit none
  integer(c_int32_t), value :: workers
  type(c_ptr), value :: work, payload
  integer(c_int32_t) :: w
  interface
    function omp_get_thread_num() result(n) bind(c, name='omp_get_thread_num')
      import :: c_int32_t
      integer(c_int32_t) :: n
    end function
    function omp_get_num_threads() result(n) bind(c, name='omp_get_num_threads')
      import :: c_int32_t
      integer(c_int32_t) :: n
    end function
    subroutine share(work, worker) bind(c, name='portable_device_share')
      import :: c_int32_t, c_ptr
      type(c_ptr), value :: work
      integer(c_int32_t), value :: worker
    end subroutine
  end interface
  !$omp parallel private(w)
  do w = omp_get_thread_num(), workers - 1, omp_get_num_threads()
    call share(work, w)
  end do
  !$omp end parallel
end subroutine
