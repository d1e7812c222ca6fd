/* portable_openmp.c - the device `openmp` of libportable: launches run in the program's own OpenMP
 * team, so THREADPRIVATE variables work in kernels and the OMP_* variables count. Compile and link
 * it with your compiler and its flag for OpenMP; in CMake portable::openmp does both.
 * portable_openmp.F90 is the same in Fortran: use one of them. The region has no num_threads
 * clause: with a smaller team the other threads would lose their THREADPRIVATE variables. If the
 * team is smaller than promised, a thread has several parts. */
#ifndef _OPENMP
#error "compile portable_openmp.c with OpenMP: -fopenmp, -qopenmp, -mp"
#endif
#include <omp.h>
#include <stdint.h>

void portable_device_share(void *work, int32_t worker); /* the library's */
int32_t portable__openmp_workers(void *payload);
void portable__openmp_run(int32_t workers, void *work, void *payload);

int32_t portable__openmp_workers(void *payload) {
  (void)payload;
  return omp_get_max_threads();
}

void portable__openmp_run(int32_t workers, void *work, void *payload) {
  (void)payload;
#pragma omp parallel default(none) shared(workers, work)
  for (int32_t w = omp_get_thread_num(); w < workers; w += omp_get_num_threads()) portable_device_share(work, w);
}
