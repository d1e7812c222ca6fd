// portable_hdf5.hpp - restart files of fields on MPI ranks for C++: exceptions, numbers as values. Include it where mpi.h and hdf5.h are found: your
// compiler compiles it with your MPI and HDF5, and the library itself knows nothing of them.
//
//     portable::restart_write(comm, "state.h5", state, ghosts, {t, step});
//     const portable::RestartNumbers n = portable::restart_read(comm, "state.h5", state, ghosts);
//
// In this file: the functions of portable_hdf5.h. Rules, format, threads: there. Since: 0.1
#ifndef PORTABLE_HDF5_HPP
#define PORTABLE_HDF5_HPP

#include "portable_mpi.hpp"

#include "portable_hdf5.h"

#include <string>

namespace portable {

// Numbers that all ranks have, next to fields; time in the unit of the program.  Since: 0.1
struct RestartNumbers {
  double time = 0;
  std::int64_t step = 0;
  std::vector<double> values = {}; // at most 1000
};

// Writes the own cells of all fields, and numbers. Collective; an older file is whole until the new one is on disk.
// Errors: Error with what portable_restart_write returns, the same on all ranks.  Since: 0.1
inline void restart_write(MPI_Comm comm, const std::string &file, const Fields &fields, const Halo &halo, const RestartNumbers &numbers = {}) {
  portable_restart_numbers c = PORTABLE_RESTART_NUMBERS_INIT;
  std::vector<double> values = numbers.values;
  c.time = numbers.time;
  c.step = numbers.step;
  c.values = values.data();
  c.values_count = static_cast<std::int32_t>(values.size());
  check(portable_restart_write(comm, file.c_str(), fields.c_fields(), halo.c_halo(), &c));
}

// Reads the own cells of all fields, on any number of ranks; ghost cells stay as they are. values: how many were written, 0 to read none.
// Errors: Error with what portable_restart_read returns, the same on all ranks.  Since: 0.1
inline RestartNumbers restart_read(MPI_Comm comm, const std::string &file, const Fields &fields, const Halo &halo, std::size_t values = 0) {
  portable_restart_numbers c = PORTABLE_RESTART_NUMBERS_INIT;
  RestartNumbers numbers;
  numbers.values.resize(values);
  c.values = numbers.values.data();
  c.values_count = static_cast<std::int32_t>(values);
  check(portable_restart_read(comm, file.c_str(), fields.c_fields(), halo.c_halo(), &c));
  numbers.time = c.time;
  numbers.step = c.step;
  return numbers;
}

} // namespace portable

#endif
