/* portable_hdf5_file.h - what writing and reading restart files share: agreement of all ranks, errors, types, blocks. Part of portable_hdf5.h;
 * include that. In this file: nothing for users. Not in this file: which attributes and datasets a file has (portable_hdf5.h).
 * Threads: as there. */
#ifndef PORTABLE_HDF5_FILE_H
#define PORTABLE_HDF5_FILE_H

#ifndef PORTABLE_HDF5_H
#error "include portable_hdf5.h, which includes this"
#endif

typedef struct portable__hdf5 {
  MPI_Comm comm;
  int rank, ranks, quiet;
  const char *call, *path;
  portable__blocks *blocks;
  hid_t file, transfer;
  H5E_auto2_t report; /* of the program: HDF5 prints no error of ours */
  void *report_data;
} portable__hdf5;

PORTABLE_INLINE portable_status portable__hdf5_refuse(const portable__hdf5 *h, portable_status status, const char *format, ...) {
  char text[1024];
  int n = snprintf(text, sizeof text, "%s '%s': ", h->call, h->path);
  va_list list;
  if (n > 500) n = 500; /* of a very long path */
  va_start(list, format);
  vsnprintf(text + n, sizeof text - (size_t)n, format, list);
  va_end(list);
  return portable__restart_fail(status, text);
}

/* The innermost reason that HDF5 has. */
PORTABLE_INLINE herr_t portable__hdf5_reason(unsigned n, const H5E_error2_t *error, void *text) {
  if (n == 0 && error->desc) snprintf((char *)text, 300, "%s", error->desc);
  return 0;
}

PORTABLE_INLINE portable_status portable__hdf5_failed(const portable__hdf5 *h, const char *what, const char *name) {
  char text[300] = "no reason";
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, portable__hdf5_reason, text);
  return portable__hdf5_refuse(h, PORTABLE_ERR_DEVICE, "HDF5 cannot %s%s%s%s: %s", what, name ? " '" : "", name ? name : "", name ? "'" : "", text);
}

/* All ranks give the status and the text of the first rank that has failed. Collective. */
PORTABLE_INLINE portable_status portable__hdf5_agree(const portable__hdf5 *h, portable_status own) {
  char text[1024] = "";
  int32_t status = own;
  int first = own == PORTABLE_OK ? h->ranks : h->rank;
  MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN, h->comm);
  if (first == h->ranks) return PORTABLE_OK;
  if (first == h->rank) snprintf(text, sizeof text, "%s", portable_last_error());
  MPI_Bcast(&status, 1, MPI_INT32_T, first, h->comm);
  MPI_Bcast(text, (int)sizeof text, MPI_CHAR, first, h->comm);
  return first == h->rank ? own : portable__restart_fail(status, text);
}

/* Ranks compare the names of the file, how many fields and values they have, and each field. Names that differ would let MPI wait for ever. */
PORTABLE_INLINE portable_status portable__hdf5_compare(const portable__hdf5 *h, int32_t values) {
  portable_status status = PORTABLE_OK;
  uint64_t name = 0xcbf29ce484222325u; /* FNV-1a */
  int64_t all[6], *both;
  int32_t i, n;
  const char *at;
  for (at = h->path; *at; at++) name = (name ^ (uint64_t)(unsigned char)*at) * 0x100000001b3u;
  all[1] = -(all[0] = h->blocks->fields);
  all[3] = -(all[2] = values);
  all[5] = -(all[4] = (int64_t)(name >> 2));
  MPI_Allreduce(MPI_IN_PLACE, all, 6, MPI_INT64_T, MPI_MAX, h->comm);
  n = (int32_t)-all[1];
  both = (int64_t *)malloc(2 * (size_t)n * sizeof *both);
  if (!both) status = portable__hdf5_refuse(h, PORTABLE_ERR_NOMEM, "no memory to compare %d fields", (int)n);
  else if (all[4] != -all[5])
    status = portable__hdf5_refuse(h, PORTABLE_ERR_ARG, "another rank names another file; all ranks write or read one file together: give the same name on all ranks");
  else if (all[0] != -all[1] || all[2] != -all[3])
    status = portable__hdf5_refuse(h, PORTABLE_ERR_ARG, "a rank has %d fields and %d values, others up to %d and %d; give the same on all ranks", (int)n, (int)-all[3], (int)all[0], (int)all[2]);
  if ((status = portable__hdf5_agree(h, status)) != PORTABLE_OK) {
    free(both);
    return status;
  }
  for (i = 0; i < n; i++) both[2 * i + 1] = -(both[2 * i] = h->blocks->block[i].signature);
  MPI_Allreduce(MPI_IN_PLACE, both, 2 * n, MPI_INT64_T, MPI_MAX, h->comm);
  for (i = 0; i < n && status == PORTABLE_OK; i++) {
    const portable__block *const b = &h->blocks->block[i];
    if (both[2 * i] != -both[2 * i + 1])
      status = portable__hdf5_refuse(h, PORTABLE_ERR_ARG, "field %d differs between ranks; on rank %d it is '%s', %s, rank %d; give the same fields in the same order on all ranks",
                                     (int)i + 1, h->rank, b->name, b->kind_name, (int)b->rank);
  }
  free(both);
  return portable__hdf5_agree(h, status);
}

/* All ranks get the numbers of rank 0; room[values_count] is where values are then. HDF5 lets another rank than 0 write attributes. */
PORTABLE_INLINE void portable__hdf5_share(const portable__hdf5 *h, portable_restart_numbers *numbers, double *room) {
  if (numbers->values_count) memcpy(room, numbers->values, (size_t)numbers->values_count * sizeof *room);
  numbers->values = room;
  MPI_Bcast(&numbers->time, 1, MPI_DOUBLE, 0, h->comm);
  MPI_Bcast(&numbers->step, 1, MPI_INT64_T, 0, h->comm);
  if (numbers->values_count) MPI_Bcast(room, numbers->values_count, MPI_DOUBLE, 0, h->comm);
}

/* All ranks get the stamp of rank 0. The others refuse a file that only rank 0 sees, for which MPI would wait for ever, and another one of its name, as on
 * the disk of another node. `own`: what rank 0 has found. Collective. */
PORTABLE_INLINE portable_status portable__hdf5_seen(const portable__hdf5 *h, const char *file, portable_status own, uint64_t stamp) {
  const char *const where = "give a path with all its folders, on a file system that all ranks share";
  uint64_t here = 0;
  MPI_Bcast(&stamp, 1, MPI_UINT64_T, 0, h->comm);
  if (h->rank && portable__restart_file(h->call, file, PORTABLE__BLOCKS_TEST, 0, &here) != PORTABLE_OK)
    own = portable__hdf5_refuse(h, PORTABLE_ERR_ARG, "rank %d cannot open '%s', which rank 0 can; %s", h->rank, file, where);
  else if (h->rank && here != stamp)
    own = portable__hdf5_refuse(h, PORTABLE_ERR_ARG, "rank %d sees another file '%s' than rank 0, of its own disk or folder; remove it there, and %s", h->rank, file, where);
  return portable__hdf5_agree(h, own);
}

PORTABLE_INLINE portable_status portable__hdf5_begin(portable__hdf5 *h, portable_fields fields, portable_halo halo, const portable_restart_numbers *numbers) {
  portable_status status = PORTABLE_OK;
  MPI_Comm_rank(h->comm, &h->rank);
  MPI_Comm_size(h->comm, &h->ranks);
  h->blocks = NULL;
  h->file = H5I_INVALID_HID;
  h->quiet = H5Eget_auto2(H5E_DEFAULT, &h->report, &h->report_data) >= 0; /* not where the program has a report of HDF5 1.6 */
  if (h->quiet) H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  h->transfer = H5Pcreate(H5P_DATASET_XFER);
  if (h->transfer < 0 || H5Pset_dxpl_mpio(h->transfer, H5FD_MPIO_COLLECTIVE) < 0) status = portable__hdf5_failed(h, "write or read collectively", NULL);
  else if (numbers && (numbers->struct_size != sizeof *numbers || numbers->values_count < 0 || numbers->values_count > 1000 || (numbers->values_count && !numbers->values)))
    status = portable__hdf5_refuse(h, PORTABLE_ERR_ARG, "numbers has the struct_size %u and %d values; begin with PORTABLE_RESTART_NUMBERS_INIT, and give 0 to 1000 values",
                                   (unsigned)numbers->struct_size, (int)numbers->values_count);
  else status = portable__restart_begin(h->call, halo, fields, &h->blocks);
  if (status == PORTABLE_OK && h->blocks->ranks != h->ranks)
    status = portable__hdf5_refuse(h, PORTABLE_ERR_ARG, "the halo was made on %d ranks, the communicator has %d; give that of the halo", (int)h->blocks->ranks, h->ranks);
  status = portable__hdf5_agree(h, status);
  return status == PORTABLE_OK ? portable__hdf5_compare(h, numbers ? numbers->values_count : 0) : status;
}

PORTABLE_INLINE portable_status portable__hdf5_end(portable__hdf5 *h, portable_status status) {
  portable__restart_end(h->blocks);
  H5Pclose(h->transfer);
  if (h->quiet) H5Eset_auto2(H5E_DEFAULT, h->report, h->report_data);
  return status;
}

/* How a file is opened: all that is in it is closed with it. */
PORTABLE_INLINE hid_t portable__hdf5_access(MPI_Comm comm) {
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  if (access < 0) return access;
  if (H5Pset_fapl_mpio(access, comm, MPI_INFO_NULL) < 0 || H5Pset_fclose_degree(access, H5F_CLOSE_STRONG) < 0 || H5Pset_alignment(access, 65536, 4096) < 0
#if H5_VERSION_GE(1, 10, 0)
      || H5Pset_all_coll_metadata_ops(access, 1) < 0 || H5Pset_coll_metadata_write(access, 1) < 0
#endif
  ) {
    H5Pclose(access);
    return H5I_INVALID_HID;
  }
  return access;
}

/* HDF5's type of a field, which the caller closes. Types that HDF5 has not are kept in the file, as netCDF wants. */
PORTABLE_INLINE hid_t portable__hdf5_type(hid_t file, const portable__block *b) {
  const hid_t part = b->kind == PORTABLE_KIND_COMPLEX32 ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE;
  char name[64];
  hid_t type;
  switch (b->kind) {
    case PORTABLE_KIND_INT8: return H5Tcopy(H5T_NATIVE_INT8);
    case PORTABLE_KIND_INT16: return H5Tcopy(H5T_NATIVE_INT16);
    case PORTABLE_KIND_INT32: return H5Tcopy(H5T_NATIVE_INT32);
    case PORTABLE_KIND_INT64: return H5Tcopy(H5T_NATIVE_INT64);
    case PORTABLE_KIND_REAL32: return H5Tcopy(H5T_NATIVE_FLOAT);
    case PORTABLE_KIND_REAL64: return H5Tcopy(H5T_NATIVE_DOUBLE);
    case PORTABLE_KIND_LOGICAL8: return H5Tcopy(H5T_NATIVE_UINT8);
    case PORTABLE_KIND_LOGICAL16: return H5Tcopy(H5T_NATIVE_UINT16);
    case PORTABLE_KIND_LOGICAL32: return H5Tcopy(H5T_NATIVE_UINT32);
    case PORTABLE_KIND_LOGICAL64: return H5Tcopy(H5T_NATIVE_UINT64);
    case PORTABLE_KIND_COMPLEX32:
    case PORTABLE_KIND_COMPLEX64:
      snprintf(name, sizeof name, "portable_%s", b->kind_name);
      type = H5Tcreate(H5T_COMPOUND, (size_t)b->element_bytes);
      H5Tinsert(type, "r", 0, part);
      H5Tinsert(type, "i", (size_t)b->element_bytes / 2, part);
      break;
    default:
      snprintf(name, sizeof name, "portable_bytes_%d", (int)b->element_bytes);
      type = H5Tcreate(H5T_OPAQUE, (size_t)b->element_bytes);
  }
  if (file < 0) return type;
  if (H5Lexists(file, name, H5P_DEFAULT) > 0) {
    H5Tclose(type);
    return H5Topen2(file, name, H5P_DEFAULT);
  }
  if (H5Tcommit2(file, name, type, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT) >= 0) return type;
  H5Tclose(type);
  return H5I_INVALID_HID;
}

/* Selects a block in the file, and as many elements in memory. */
PORTABLE_INLINE int portable__hdf5_select(const portable__block *b, hid_t *memory, hid_t *in_file) {
  hsize_t all[7], first[7], count[7], elements = (hsize_t)(b->elements ? b->elements : 1);
  int d, failed;
  for (d = 0; d < b->rank; d++) {
    all[d] = (hsize_t)b->global[d];
    first[d] = (hsize_t)b->first[d];
    count[d] = (hsize_t)b->count[d];
  }
  *memory = H5Screate_simple(1, &elements, NULL);
  *in_file = H5Screate_simple(b->rank, all, NULL);
  failed = *memory < 0 || *in_file < 0;
  if (b->elements) failed = failed || H5Sselect_hyperslab(*in_file, H5S_SELECT_SET, first, NULL, count, NULL) < 0;
  else failed = failed || H5Sselect_none(*in_file) < 0 || H5Sselect_none(*memory) < 0;
  return failed;
}

/* Moves one field between data and file, and gives the hash of this rank's cells. After an error of this rank it moves nevertheless, because the
 * others wait for it: they agree later. */
PORTABLE_INLINE portable_status portable__hdf5_move(const portable__hdf5 *h, int32_t field, hid_t dataset, int writes, uint64_t *hash_out) {
  const portable__block *const b = &h->blocks->block[field];
  const hid_t type = portable__hdf5_type(H5I_INVALID_HID, b);
  hid_t memory = H5I_INVALID_HID, in_file = H5I_INVALID_HID;
  portable_status status = PORTABLE_OK;
  int failed, d;
  *hash_out = 0;
  for (d = 0; d < b->rank; d++)
    if (b->global[d] == 0) { /* no element on any rank, which HDF5 1.10 cannot write together */
      H5Tclose(type);
      return PORTABLE_OK;
    }
  failed = portable__hdf5_select(b, &memory, &in_file);
  if (writes) status = portable__restart_move(h->blocks, field, PORTABLE__BLOCKS_PACK, NULL);
  if (writes && status == PORTABLE_OK) status = portable__restart_move(h->blocks, field, PORTABLE__BLOCKS_HASH, hash_out);
  failed |= writes ? H5Dwrite(dataset, type, memory, in_file, h->transfer, h->blocks->data) < 0 : H5Dread(dataset, type, memory, in_file, h->transfer, h->blocks->data) < 0;
  if (status == PORTABLE_OK && failed) status = portable__hdf5_failed(h, writes ? "write field" : "read field", b->name);
  if (!writes && status == PORTABLE_OK) status = portable__restart_move(h->blocks, field, PORTABLE__BLOCKS_HASH, hash_out);
  H5Sclose(memory);
  H5Sclose(in_file);
  H5Tclose(type);
  return status;
}

#endif
