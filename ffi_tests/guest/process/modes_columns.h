/* modes_columns.h - the rows of modes.c for solvers, FFT, lists of cells and particles, maps: one function each, in an order in which each finds what it needs.
 * Part of modes.c, which has ROW and the list that calls them. */
ROW(portable_solve_tridiagonal, int64_t n = 3; double a[3] = {1, 1, 1}, u[3] = {0}, x[3] = {1, 2, 3};
    portable_solve_tridiagonal("modes", 6, a, a, u, x, 1, &n, NULL))
ROW(portable_solve_pentadiagonal, int64_t n = 3; double a[3] = {1, 1, 1}, u[3] = {0}, x[3] = {1, 2, 3};
    portable_solve_pentadiagonal("modes", 6, a, a, a, u, u, x, 1, &n, NULL))
ROW(portable_fft_create, portable_fft_create("modes", PORTABLE_FFT_C2C, 2, 1, &transform))
ROW(portable_fft_forward, int64_t n = 2; double x[4] = {1, 2, 3, 4}, y[4]; portable_fft_forward("modes", transform, 6, x, y, 1, &n, NULL))
ROW(portable_fft_backward, int64_t n = 2; double x[4] = {1, 2, 3, 4}, y[4]; portable_fft_backward("modes", transform, 6, x, y, 1, &n, NULL))
ROW(portable__fortran_fft, double x[4] = {1, 2, 3, 4}, y[4];
    struct portable__fortran_section a = {x, {&x[2]}, {2}, 8, 1, NULL}, b = {y, {&y[2]}, {2}, 8, 1, NULL}; portable__fortran_fft(PORTABLE_VERSION, 0, "m", 1, transform, &a, &b))
ROW(portable_fft_destroy, portable_fft_destroy(transform))
ROW(portable_csr_build, int32_t r[4] = {0, 1, 1, 0}; portable_csr c = PORTABLE_CSR_INIT; portable_csr_build("modes", PORTABLE_KIND_INT32, r, 2, 2, 2, NULL, &c); portable_csr_free(&c))
ROW(portable_csr_counts, int32_t r[2] = {2, 1}; portable_csr c = PORTABLE_CSR_INIT; portable_csr_counts("modes", PORTABLE_KIND_INT32, r, 2, NULL, &c); portable_csr_free(&c))
ROW(portable_csr_transpose, int32_t r[4] = {0, 1, 1, 0}, b[3] = {0, 2, 4}; portable_csr c = PORTABLE_CSR_INIT, d = {2, 4, b, r, NULL, PORTABLE_KIND_INT32, 0};
    portable_csr_transpose("modes", &d, 2, NULL, &c); portable_csr_free(&c))
ROW(portable_csr_free, portable_csr c = PORTABLE_CSR_INIT; portable_csr_free(&c))
ROW(portable__fortran_csr_build, int32_t r[4] = {1, 2, 2, 0}; portable_csr c = PORTABLE_CSR_INIT;
    portable__fortran_csr_build(PORTABLE_VERSION, "m", 1, PORTABLE_KIND_INT32, r, 2, 2, 2, NULL, &c); portable_csr_free(&c))
ROW(portable__fortran_csr_counts, int32_t r[2] = {2, 1}; portable_csr c = PORTABLE_CSR_INIT;
    portable__fortran_csr_counts(PORTABLE_VERSION, "m", 1, PORTABLE_KIND_INT32, r, 2, NULL, &c); portable_csr_free(&c))
ROW(portable__fortran_csr_transpose, int32_t r[4] = {1, 2, 2, 1}, b[3] = {1, 3, 5}; portable_csr c = PORTABLE_CSR_INIT, d = {2, 4, b, r, NULL, PORTABLE_KIND_INT32, 1};
    portable__fortran_csr_transpose(PORTABLE_VERSION, "m", 1, &d, 2, NULL, &c); portable_csr_free(&c))
ROW(portable_segmented_reduce, double x[3] = {1, 2, 3}, y[2]; int32_t b[3] = {0, 1, 3}; portable_segmented_reduce("modes", 1, 6, x, 3, PORTABLE_KIND_INT32, b, 2, NULL, y))
ROW(portable__fortran_segmented, double x[3] = {1, 2, 3}, y[2]; int32_t b[3] = {1, 2, 4};
    portable__fortran_segmented(PORTABLE_VERSION, "m", 1, 1, 6, x, 3, PORTABLE_KIND_INT32, b, 3, NULL, 0, NULL, y, 2))
ROW(portable_reorder, double x[2] = {1, 2}; int32_t o[2] = {1, 0}; portable_reorder_array a = {x, 8, 8}; portable_reorder("modes", PORTABLE_KIND_INT32, o, 2, &a, 1, NULL))
ROW(portable__fortran_reorder, int32_t o[2] = {2, 1}; portable__fortran_reorder(PORTABLE_VERSION, "m", 1, PORTABLE_KIND_INT32, o, 2, NULL, 0, NULL))
ROW(portable__fortran_csr_free, portable_csr c = PORTABLE_CSR_INIT; portable__fortran_csr_free(&c))
#define CELLS double x[3] = {0.1, 0.5, 0.9}, box[6] = {0, 0, 0, 1, 1, 1}; const void *at[3] = {x, x, x}; portable_cell_list c = PORTABLE_CELL_LIST_INIT;
ROW(portable_cell_list_build, CELLS portable_cell_list_build("modes", PORTABLE_KIND_REAL64, 3, at, 3, 0.3, box, box + 3, NULL, &c); portable_cell_list_free(&c))
ROW(portable_cell_list_free, portable_cell_list c = PORTABLE_CELL_LIST_INIT; portable_cell_list_free(&c))
ROW(portable_neighbour_list, CELLS portable_csr l = PORTABLE_CSR_INIT; portable_cell_list_build("modes", PORTABLE_KIND_REAL64, 3, at, 3, 0.3, box, box + 3, NULL, &c);
    portable_neighbour_list("modes", &c, PORTABLE_KIND_REAL64, at, PORTABLE_KIND_INT32, NULL, &l); portable_csr_free(&l); portable_cell_list_free(&c))
ROW(portable_merge_sorted, int32_t a[2] = {1, 3}, b[2] = {2, 4}, c[4]; portable_merge_sorted("modes", PORTABLE_KIND_INT32, a, 2, b, 2, NULL, c))
ROW(portable_merge_by_key, int32_t a[2] = {1, 3}, b[2] = {2, 4}, c[4], v[2] = {1, 2}, w[4]; portable_merge_by_key("modes", PORTABLE_KIND_INT32, a, v, 2, b, v, 2, 4, NULL, c, w))
ROW(portable_map_insert, int64_t k[2] = {5, 3}; portable_index_map m = PORTABLE_INDEX_MAP_INIT; portable_map_insert("modes", &m, k, 2, NULL, NULL); portable_map_free(&m))
ROW(portable_map_find, int64_t k[2] = {5, 3}, n[2]; portable_index_map m = PORTABLE_INDEX_MAP_INIT; portable_map_find("modes", &m, k, 2, NULL, n))
ROW(portable_map_free, portable_index_map m = PORTABLE_INDEX_MAP_INIT; portable_map_free(&m))
ROW(portable__fortran_cell_list, CELLS int64_t n[3] = {3, 3, 3}; int32_t p[3] = {0};
    portable__fortran_cell_list(PORTABLE_VERSION, "m", 1, PORTABLE_KIND_REAL64, 3, at, n, 0.3, box, p, NULL, &c); portable_cell_list_free(&c))
ROW(portable__fortran_neighbours, CELLS int64_t n[3] = {3, 3, 3}; int32_t p[3] = {0}; portable_csr l = PORTABLE_CSR_INIT;
    portable__fortran_cell_list(PORTABLE_VERSION, "m", 1, PORTABLE_KIND_REAL64, 3, at, n, 0.3, box, p, NULL, &c);
    portable__fortran_neighbours(PORTABLE_VERSION, "m", 1, &c, PORTABLE_KIND_REAL64, 3, at, n, PORTABLE_KIND_INT32, 0, 0, NULL, &l); portable_csr_free(&l); portable_cell_list_free(&c))
ROW(portable__fortran_merge, int32_t a[2] = {1, 3}, b[2] = {2, 4}, c[4]; const void *x[4] = {a, b}; int64_t n[6] = {2, 2, 4};
    portable__fortran_merge(PORTABLE_VERSION, "m", 1, PORTABLE_KIND_INT32, 0, x, n, 0, NULL, c, NULL))
ROW(portable__fortran_map_insert, int64_t k[2] = {5, 3}; portable_index_map m = PORTABLE_INDEX_MAP_INIT; portable__fortran_map_insert(PORTABLE_VERSION, "m", 1, &m, k, 2, NULL, NULL, 2);
    portable_map_free(&m))
ROW(portable__fortran_map_find, int64_t k[2] = {5, 3}, n[2]; portable_index_map m = PORTABLE_INDEX_MAP_INIT; portable__fortran_map_find(PORTABLE_VERSION, "m", 1, &m, k, 2, 2, NULL, n))
ROW(portable__fortran_fft_create, portable_fft p; portable__fortran_fft_create(PORTABLE_VERSION, "c2c", 3, "m", 1, 2, 1, &p); portable_fft_destroy(p))
ROW(portable__fortran_solve, double b[3] = {1, 1, 1}, u[3] = {0}, x[3] = {1, 2, 3};
    struct portable__fortran_section bands[5] = {{0}, {b, {&b[1]}, {3}, 6, 1, NULL}, {b, {&b[1]}, {3}, 6, 1, NULL}, {u, {&u[1]}, {3}, 6, 1, NULL}, {0}},
    rhs = {x, {&x[1]}, {3}, 6, 1, NULL}; portable__fortran_solve(PORTABLE_VERSION, "m", 1, bands, &rhs, 1, 0))
