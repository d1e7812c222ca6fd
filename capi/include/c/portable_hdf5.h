/* portable_hdf5.h - restart files of fields on MPI ranks, by parallel HDF5: any number of ranks reads what any other number wrote.
 * For C and C++; Fortran has it by portable_hdf5.F90 and portable_hdf5.c. Include it where mpi.h and hdf5.h are found: the library itself
 * knows nothing of them. Link HDF5 and its high-level part (hdf5, hdf5_hl).
 *
 *     portable_restart_numbers numbers = PORTABLE_RESTART_NUMBERS_INIT;
 *     numbers.time = t;
 *     portable_restart_write(comm, "state.h5", state, ghosts, &numbers);
 *
 * The rules at the head of portable_halo.h hold. In addition:
 *   File:    one dataset for each field, with its name and the extents of the whole domain; attributes portable_kind and portable_hash; time, step
 *            and values are attributes of the file. Dimensions in the order of memory, the slowest first; scales for netCDF-4. Ghost cells are not in it.
 *   Name:    the same on all ranks, of a file that all of them see (one file system, and one working directory if it is not a whole path).
 *   Halos:   of boxes. Lists do not number the cells of all ranks, so they are refused.
 *   Errors:  all ranks get the same code and the same text. An older file is whole after each of them.
 *   Memory:  one buffer of the own cells of the largest field. Fields in the memory of a CUDA device are packed there, if it is the default device.
 *   Threads: one thread of each rank, which may call MPI (MPI_THREAD_FUNNELED). Between MPI_Init and MPI_Finalize, while the library runs. */
#ifndef PORTABLE_HDF5_H
#define PORTABLE_HDF5_H

#include <hdf5.h>
#include <hdf5_hl.h>
#include <mpi.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "portable.h"

#ifndef H5_HAVE_PARALLEL
#error "portable_hdf5.h needs an HDF5 that was built for MPI (Debian: libhdf5-openmpi-dev or libhdf5-mpich-dev)"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Numbers that all ranks have, next to fields; those of rank 0 are written. Begin with PORTABLE_RESTART_NUMBERS_INIT. Since: 0.1 */
typedef struct portable_restart_numbers {
  uint32_t struct_size;  /* sizeof(portable_restart_numbers) */
  int32_t  values_count; /* 0 to 1000 */
  double   time;         /* in the unit of the program */
  int64_t  step;
  double  *values;       /* [values_count]: further numbers; the program owns them, writing only reads them */
} portable_restart_numbers;

#define PORTABLE_RESTART_NUMBERS_INIT { (uint32_t)sizeof(portable_restart_numbers), 0, 0.0, 0, NULL }

#include "portable_hdf5_file.h"

/* ---- writing ------------------------------------------------------------------------------------- */

/* An attribute of count numbers; count -1: of one, without an extent. 0: it is written. */
PORTABLE_INLINE int portable__hdf5_put(hid_t where, const char *name, hid_t type, int64_t count, const void *data) {
  const hsize_t extent = (hsize_t)(count < 0 ? 1 : count);
  const hid_t space = count < 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &extent, NULL);
  const hid_t attribute = H5Acreate2(where, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  const int failed = space < 0 || attribute < 0 || H5Awrite(attribute, type, data) < 0;
  if (attribute >= 0) H5Aclose(attribute);
  if (space >= 0) H5Sclose(space);
  return failed;
}

PORTABLE_INLINE int portable__hdf5_put_text(hid_t where, const char *name, const char *text) {
  const hid_t type = H5Tcopy(H5T_C_S1);
  const int failed = type < 0 || H5Tset_size(type, strlen(text) + 1) < 0 || portable__hdf5_put(where, name, type, -1, text);
  if (type >= 0) H5Tclose(type);
  return failed;
}

/* A dataset whose elements have no value before they are written, without the time of the day. */
PORTABLE_INLINE hid_t portable__hdf5_dataset(hid_t file, const char *name, hid_t type, int rank, const hsize_t *extents) {
  const hid_t space = H5Screate_simple(rank, extents, NULL), creation = H5Pcreate(H5P_DATASET_CREATE);
  hid_t dataset = H5I_INVALID_HID;
  if (space >= 0 && creation >= 0 && H5Pset_fill_time(creation, H5D_FILL_TIME_NEVER) >= 0 && H5Pset_obj_track_times(creation, 0) >= 0)
    dataset = H5Dcreate2(file, name, type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
  if (space >= 0) H5Sclose(space);
  if (creation >= 0) H5Pclose(creation);
  return dataset;
}

/* The scale of one dimension of a field: netCDF's dimension without a variable. Its elements, a byte each, are never written. */
PORTABLE_INLINE int portable__hdf5_scale(hid_t file, hid_t dataset, const portable__block *b, int d) {
  const hsize_t extent = (hsize_t)b->global[d];
  char name[64], about[80];
  hid_t scale;
  int failed;
  if (b->shared[d]) snprintf(name, sizeof name, "cells_%d", (int)b->shared[d]);
  else snprintf(name, sizeof name, "extent_%lld", (long long)b->global[d]);
  if (H5Lexists(file, name, H5P_DEFAULT) > 0) scale = H5Dopen2(file, name, H5P_DEFAULT);
  else {
    scale = portable__hdf5_dataset(file, name, H5T_NATIVE_INT8, 1, &extent);
    snprintf(about, sizeof about, "This is a netCDF dimension but not a netCDF variable. %10lld", (long long)b->global[d]);
    if (scale >= 0 && H5DSset_scale(scale, about) < 0) return 1;
  }
  failed = scale < 0 || H5DSattach_scale(dataset, scale, (unsigned)d) < 0;
  if (scale >= 0) H5Dclose(scale);
  return failed;
}

/* Bytes of the file, or some more: disk space that is reserved before HDF5 writes. */
PORTABLE_INLINE int64_t portable__hdf5_bytes(const portable__hdf5 *h) {
  int64_t bytes = 262144; /* of the file's own tables, and of values */
  int32_t i, d;
  for (i = 0; i < h->blocks->fields; i++) {
    const portable__block *const b = &h->blocks->block[i];
    int64_t elements = 1;
    for (d = 0; d < b->rank; d++) {
      elements *= b->global[d];
      bytes += b->global[d] + 1024; /* of the scale */
    }
    bytes += elements * b->element_bytes + 8192;
  }
  return bytes;
}

/* Makes the file and all that has a name in it. datasets[fields]. */
PORTABLE_INLINE portable_status portable__hdf5_define(portable__hdf5 *h, const char *fresh, const portable_restart_numbers *numbers, hid_t *datasets) {
  const hid_t access = portable__hdf5_access(h->comm);
  const int32_t version = 1;
  portable_status status = PORTABLE_OK;
  int32_t i, d;
  h->file = H5Fcreate(fresh, H5F_ACC_TRUNC, H5P_DEFAULT, access);
  if (access < 0 || h->file < 0) status = portable__hdf5_failed(h, "create", fresh);
  if (access >= 0) H5Pclose(access);
  if (status != PORTABLE_OK) return status;
  if (h->rank == 0) status = portable__restart_file(h->call, h->path, PORTABLE__BLOCKS_SPACE, portable__hdf5_bytes(h), NULL); /* HDF5 has truncated the file */
  if ((status = portable__hdf5_agree(h, status)) != PORTABLE_OK) return status;
  if (portable__hdf5_put(h->file, "portable_restart", H5T_NATIVE_INT32, -1, &version) || portable__hdf5_put(h->file, "time", H5T_NATIVE_DOUBLE, -1, &numbers->time) ||
      portable__hdf5_put(h->file, "step", H5T_NATIVE_INT64, -1, &numbers->step) ||
      (numbers->values_count && portable__hdf5_put(h->file, "values", H5T_NATIVE_DOUBLE, numbers->values_count, numbers->values)))
    return portable__hdf5_failed(h, "write time, step and values", NULL);
  for (i = 0; i < h->blocks->fields; i++) {
    const portable__block *const b = &h->blocks->block[i];
    const hid_t type = portable__hdf5_type(h->file, b);
    hsize_t extents[7];
    for (d = 0; d < b->rank; d++) extents[d] = (hsize_t)b->global[d];
    datasets[i] = portable__hdf5_dataset(h->file, b->name, type, b->rank, extents);
    if (type < 0 || datasets[i] < 0 || portable__hdf5_put_text(datasets[i], "portable_kind", b->kind_name)) status = portable__hdf5_failed(h, "define field", b->name);
    if (type >= 0) H5Tclose(type);
    if (status != PORTABLE_OK) return status; /* what is in the file is closed with it */
    for (d = 0; d < b->rank; d++)
      if (portable__hdf5_scale(h->file, datasets[i], b, d)) return portable__hdf5_failed(h, "define the dimensions of field", b->name);
  }
  return PORTABLE_OK;
}

/* Writes the own cells of all fields; an error of this rank does not keep it from the writes that the others wait for. */
PORTABLE_INLINE portable_status portable__hdf5_fields(const portable__hdf5 *h, const hid_t *datasets, uint64_t *hashes) {
  char text[1024] = "";
  portable_status first = PORTABLE_OK;
  int32_t i;
  for (i = 0; i < h->blocks->fields; i++) {
    const portable_status status = portable__hdf5_move(h, i, datasets[i], 1, &hashes[i]);
    if (status == PORTABLE_OK || first != PORTABLE_OK) continue;
    first = status;
    snprintf(text, sizeof text, "%s", portable_last_error());
  }
  return first == PORTABLE_OK ? first : portable__restart_fail(first, text);
}

/* Writes FILE.new and closes it. */
PORTABLE_INLINE portable_status portable__hdf5_write(portable__hdf5 *h, const char *fresh, const portable_restart_numbers *numbers) {
  const int32_t n = h->blocks->fields;
  hid_t *const datasets = (hid_t *)malloc((size_t)n * sizeof *datasets);
  uint64_t *const hashes = (uint64_t *)malloc((size_t)n * sizeof *hashes);
  portable_status status = datasets && hashes ? PORTABLE_OK : portable__hdf5_refuse(h, PORTABLE_ERR_NOMEM, "no memory for %d fields", (int)n), closed = PORTABLE_OK;
  int32_t i;
  status = portable__hdf5_agree(h, status);
  if (status == PORTABLE_OK) status = portable__hdf5_agree(h, portable__hdf5_define(h, fresh, numbers, datasets));
  if (status == PORTABLE_OK) status = portable__hdf5_agree(h, portable__hdf5_fields(h, datasets, hashes));
  if (status == PORTABLE_OK) {
    MPI_Allreduce(MPI_IN_PLACE, hashes, n, MPI_UINT64_T, MPI_SUM, h->comm);
    for (i = 0; i < n && status == PORTABLE_OK; i++)
      if (portable__hdf5_put(datasets[i], "portable_hash", H5T_NATIVE_UINT64, -1, &hashes[i]) || H5Dclose(datasets[i]) < 0)
        status = portable__hdf5_failed(h, "write the hash of field", h->blocks->block[i].name);
    status = portable__hdf5_agree(h, status);
    if (status == PORTABLE_OK && H5Fflush(h->file, H5F_SCOPE_GLOBAL) < 0) status = portable__hdf5_failed(h, "write", fresh);
    status = portable__hdf5_agree(h, status);
  }
  free(hashes);
  free(datasets);
  if (h->file >= 0 && H5Fclose(h->file) < 0 && status == PORTABLE_OK) closed = portable__hdf5_failed(h, "close", fresh); /* else the first text stays */
  return status == PORTABLE_OK ? portable__hdf5_agree(h, closed) : status;
}

/* Writes the own cells of all fields, and numbers (NULL: time 0, step 0). Collective. The new file is written as PATH.new, next to the older one,
 * is on disk, and then takes its name; a program that dies earlier leaves the older one as it was.
 * Units: those of the program.  Ownership: nothing is kept.
 * Returns: the same on all ranks: 0, ERR_ARG (a halo of lists or of other ranks, an extent or a name that does not fit, fields that differ
 * between ranks, a file that cannot be made), ERR_STATE (between begin and end, or no library), ERR_HANDLE, ERR_NOMEM, ERR_DEVICE (HDF5 or MPI failed,
 * or the disk, as where it is full).  Source: HDF5, netCDF-4.  Since: 0.1 */
PORTABLE_INLINE portable_status portable_restart_write(MPI_Comm comm, const char *path, portable_fields fields, portable_halo halo,
                                                       const portable_restart_numbers *numbers) {
  portable_restart_numbers told = PORTABLE_RESTART_NUMBERS_INIT;
  double room[1000];
  portable__hdf5 h;
  portable_status status;
  uint64_t stamp = 0;
  char *fresh, text[1024];
  int made = 0;
  h.comm = comm;
  h.call = "portable_restart_write";
  h.path = path ? path : "";
  status = portable__hdf5_begin(&h, fields, halo, numbers);
  fresh = (char *)malloc(strlen(h.path) + 5);
  if (fresh) strcat(strcpy(fresh, h.path), ".new");
  if (status == PORTABLE_OK && !fresh) status = portable__hdf5_refuse(&h, PORTABLE_ERR_NOMEM, "no memory for a name");
  else if (status == PORTABLE_OK && h.rank == 0) {
    status = portable__restart_file(h.call, h.path, PORTABLE__BLOCKS_CREATE, portable__hdf5_bytes(&h), &stamp);
    made = status == PORTABLE_OK;
  }
  status = portable__hdf5_agree(&h, status);
  if (status == PORTABLE_OK) status = portable__hdf5_seen(&h, fresh, PORTABLE_OK, stamp);
  if (status == PORTABLE_OK) {
    if (numbers) told = *numbers;
    portable__hdf5_share(&h, &told, room);
    status = portable__hdf5_write(&h, fresh, &told);
    if (status == PORTABLE_OK && h.rank == 0) status = portable__restart_file(h.call, h.path, PORTABLE__BLOCKS_KEEP, 0, NULL);
    status = portable__hdf5_agree(&h, status);
  }
  if (status != PORTABLE_OK && made) { /* the text is that of the failure */
    snprintf(text, sizeof text, "%s", portable_last_error());
    portable__restart_file(h.call, h.path, PORTABLE__BLOCKS_REMOVE, 0, NULL);
    portable__restart_fail(status, text);
  }
  free(fresh);
  return portable__hdf5_end(&h, status);
}

/* ---- reading ------------------------------------------------------------------------------------- */

/* Reads an attribute of count numbers; count -1: of one. 0: it was read. */
PORTABLE_INLINE int portable__hdf5_get(hid_t where, const char *name, hid_t type, int64_t count, void *data) {
  const hid_t attribute = H5Aexists(where, name) > 0 ? H5Aopen(where, name, H5P_DEFAULT) : H5I_INVALID_HID;
  const hid_t space = attribute < 0 ? H5I_INVALID_HID : H5Aget_space(attribute);
  const int failed = space < 0 || H5Sget_simple_extent_npoints(space) != (hssize_t)(count < 0 ? 1 : count) || H5Aread(attribute, type, data) < 0;
  if (space >= 0) H5Sclose(space);
  if (attribute >= 0) H5Aclose(attribute);
  return failed;
}

/* Extents as the program indexes them: "67 x 45". */
PORTABLE_INLINE void portable__hdf5_extents(const portable__block *b, int rank, const hsize_t *extents, char *text, size_t room) {
  size_t n = 0;
  int d;
  text[0] = 0;
  for (d = 0; d < rank && n < room; d++) n += (size_t)snprintf(text + n, room - n, "%s%llu", d ? " x " : "", (unsigned long long)extents[b->fortran ? rank - 1 - d : d]);
}

/* Tests a field of the file against that of the program. */
PORTABLE_INLINE portable_status portable__hdf5_fits(const portable__hdf5 *h, const portable__block *b) {
  char kind[64] = "", here[200], there[200];
  hsize_t extents[32] = {0}, own[7]; /* HDF5 has at most 32 dimensions */
  uint64_t hash;
  portable_status status = PORTABLE_OK;
  hid_t dataset, space, text, attribute;
  int rank, d, differs;
  if (H5Lexists(h->file, b->name, H5P_DEFAULT) <= 0 || (dataset = H5Dopen2(h->file, b->name, H5P_DEFAULT)) < 0)
    return portable__hdf5_refuse(h, PORTABLE_ERR_ARG, "the file has no field '%s' (here %s, rank %d)", b->name, b->kind_name, (int)b->rank);
  space = H5Dget_space(dataset);
  rank = H5Sget_simple_extent_dims(space, extents, NULL);
  attribute = H5Aexists(dataset, "portable_kind") > 0 ? H5Aopen(dataset, "portable_kind", H5P_DEFAULT) : H5I_INVALID_HID;
  text = attribute < 0 ? H5I_INVALID_HID : H5Aget_type(attribute);
  if (text >= 0 && H5Tget_class(text) == H5T_STRING && H5Tis_variable_str(text) == 0 && H5Tget_size(text) < sizeof kind) H5Aread(attribute, text, kind);
  differs = rank != b->rank;
  for (d = 0; d < b->rank; d++) {
    own[d] = (hsize_t)b->global[d];
    differs = differs || extents[d] != own[d];
  }
  portable__hdf5_extents(b, b->rank, own, here, sizeof here);
  portable__hdf5_extents(b, rank, extents, there, sizeof there);
  if (strcmp(kind, b->kind_name))
    status = portable__hdf5_refuse(h, PORTABLE_ERR_ARG, "field '%s' is %s in the file, %s here", b->name, kind[0] ? kind : "of no kind of this library", b->kind_name);
  else if (rank != b->rank)
    status = portable__hdf5_refuse(h, PORTABLE_ERR_ARG, "field '%s' has rank %d in the file (%s), rank %d here (%s)", b->name, rank, there, (int)b->rank, here);
  else if (differs) status = portable__hdf5_refuse(h, PORTABLE_ERR_ARG, "field '%s' has %s cells in the file, %s here", b->name, there, here);
  else if (portable__hdf5_get(dataset, "portable_hash", H5T_NATIVE_UINT64, -1, &hash))
    status = portable__hdf5_refuse(h, PORTABLE_ERR_CORRUPT, "field '%s' has no hash in the file; it was not written to its end", b->name);
  if (text >= 0) H5Tclose(text);
  if (attribute >= 0) H5Aclose(attribute);
  if (space >= 0) H5Sclose(space);
  H5Dclose(dataset);
  return status;
}

/* One rank tests the whole file, so that a file that does not fit is opened by no other. Fills numbers. */
PORTABLE_INLINE portable_status portable__hdf5_test(portable__hdf5 *h, portable_restart_numbers *numbers, uint64_t *stamp) {
  const hid_t access = portable__hdf5_access(MPI_COMM_SELF);
  int32_t version = 0, i;
  portable_status status = portable__restart_file(h->call, h->path, PORTABLE__BLOCKS_TEST, 0, stamp);
  if (status == PORTABLE_OK && access < 0) status = portable__hdf5_failed(h, "use MPI", NULL);
  if (status == PORTABLE_OK && (h->file = H5Fopen(h->path, H5F_ACC_RDONLY, access)) < 0) status = portable__hdf5_failed(h, "open the file, which is not HDF5 or not complete", NULL);
  if (status == PORTABLE_OK && (portable__hdf5_get(h->file, "portable_restart", H5T_NATIVE_INT32, -1, &version) || version != 1))
    status = portable__hdf5_refuse(h, PORTABLE_ERR_ARG, "the file is no restart file of this version of portable_restart_write (it has the mark %d, not 1)", (int)version);
  for (i = 0; i < h->blocks->fields && status == PORTABLE_OK; i++) status = portable__hdf5_fits(h, &h->blocks->block[i]);
  if (status == PORTABLE_OK && (portable__hdf5_get(h->file, "time", H5T_NATIVE_DOUBLE, -1, &numbers->time) || portable__hdf5_get(h->file, "step", H5T_NATIVE_INT64, -1, &numbers->step)))
    status = portable__hdf5_refuse(h, PORTABLE_ERR_CORRUPT, "the file has no time or no step");
  if (status == PORTABLE_OK && numbers->values_count && portable__hdf5_get(h->file, "values", H5T_NATIVE_DOUBLE, numbers->values_count, numbers->values))
    status = portable__hdf5_refuse(h, PORTABLE_ERR_ARG, "the file does not have %d values; ask for as many as were written", (int)numbers->values_count);
  if (h->file >= 0) H5Fclose(h->file);
  if (access >= 0) H5Pclose(access);
  h->file = H5I_INVALID_HID;
  return status;
}

PORTABLE_INLINE portable_status portable__hdf5_read(portable__hdf5 *h) {
  const hid_t access = portable__hdf5_access(h->comm);
  portable_status status = PORTABLE_OK;
  int32_t i;
  h->file = H5Fopen(h->path, H5F_ACC_RDONLY, access);
  if (h->file < 0) status = portable__hdf5_failed(h, "open the file on this rank", NULL);
  status = portable__hdf5_agree(h, status);
  for (i = 0; i < h->blocks->fields && status == PORTABLE_OK; i++) {
    const char *const name = h->blocks->block[i].name;
    const hid_t dataset = H5Dopen2(h->file, name, H5P_DEFAULT);
    uint64_t sums[2] = {0, 0}, written = 0;
    if (dataset < 0 || portable__hdf5_get(dataset, "portable_hash", H5T_NATIVE_UINT64, -1, &written)) status = portable__hdf5_failed(h, "open field", name);
    status = portable__hdf5_agree(h, status);
    if (status == PORTABLE_OK) {
      status = portable__hdf5_move(h, i, dataset, 0, &sums[0]);
      sums[1] = status != PORTABLE_OK;
      MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_UINT64_T, MPI_SUM, h->comm);
      if (sums[1]) status = portable__hdf5_agree(h, status);
    }
    if (status == PORTABLE_OK && sums[0] != written)
      status = portable__hdf5_refuse(h, PORTABLE_ERR_CORRUPT, "the cells of field '%s' are damaged: their hash is %016llx, not %016llx", name, (unsigned long long)sums[0], (unsigned long long)written);
    if (status == PORTABLE_OK) status = portable__hdf5_agree(h, portable__restart_move(h->blocks, i, PORTABLE__BLOCKS_UNPACK, NULL));
    if (dataset >= 0) H5Dclose(dataset);
  }
  if (h->file >= 0) H5Fclose(h->file);
  if (access >= 0) H5Pclose(access);
  return status;
}

/* Reads the own cells of all fields, on any number of ranks, and numbers (NULL: none). Collective. Ghost cells stay as they are: exchange them. The
 * file may have more fields than the list. If it does not fit, no field is touched and the text names the difference; if the hash
 * of a field is wrong, that field and those after it are not touched.
 * Ownership: numbers->values is the program's; all ranks get the same numbers, and after an error they stay as they are.
 * Returns: the same on all ranks: as portable_restart_write; ERR_ARG also for a file that does not exist, is no restart file, or has no field of
 * this name, kind, rank and extents, or another number of values; ERR_CORRUPT (a hash).  Since: 0.1 */
PORTABLE_INLINE portable_status portable_restart_read(MPI_Comm comm, const char *path, portable_fields fields, portable_halo halo,
                                                      portable_restart_numbers *numbers) {
  portable_restart_numbers told = PORTABLE_RESTART_NUMBERS_INIT;
  double room[1000] = {0}, shared[1000];
  uint64_t stamp = 0;
  portable__hdf5 h;
  portable_status status;
  h.comm = comm;
  h.call = "portable_restart_read";
  h.path = path ? path : "";
  status = portable__hdf5_begin(&h, fields, halo, numbers);
  if (status == PORTABLE_OK && numbers) told.values_count = numbers->values_count;
  told.values = room;
  if (status == PORTABLE_OK) {
    const portable_status own = h.rank == 0 ? portable__hdf5_test(&h, &told, &stamp) : PORTABLE_OK;
    status = portable__hdf5_seen(&h, h.path, own, stamp);
  }
  if (status == PORTABLE_OK) status = portable__hdf5_read(&h);
  if (status == PORTABLE_OK && numbers) { /* after an error, too, ranks have the same numbers: those of before */
    portable__hdf5_share(&h, &told, shared);
    numbers->time = told.time;
    numbers->step = told.step;
    if (told.values_count) memcpy(numbers->values, shared, (size_t)told.values_count * sizeof *shared);
  }
  return portable__hdf5_end(&h, status);
}

#ifdef __cplusplus
}
#endif

#endif
