/* portable_hdf5.c - the C half of portable_hdf5.F90: communicators of Fortran become those of C. A
 * file for the program to compile with its MPI and its parallel HDF5. Not here: how files are
 * written (portable_hdf5.h). Threads: as there. */
#include <portable_hdf5.h>

portable_status portable_hdf5_fortran_write(int comm, const char *file, portable_fields fields, portable_halo halo, const portable_restart_numbers *numbers);
portable_status portable_hdf5_fortran_read(int comm, const char *file, portable_fields fields, portable_halo halo, portable_restart_numbers *numbers);

portable_status portable_hdf5_fortran_write(int comm, const char *file, portable_fields fields, portable_halo halo, const portable_restart_numbers *numbers) {
  return portable_restart_write(MPI_Comm_f2c((MPI_Fint)comm), file, fields, halo, numbers);
}

portable_status portable_hdf5_fortran_read(int comm, const char *file, portable_fields fields, portable_halo halo, portable_restart_numbers *numbers) {
  return portable_restart_read(MPI_Comm_f2c((MPI_Fint)comm), file, fields, halo, numbers);
}
