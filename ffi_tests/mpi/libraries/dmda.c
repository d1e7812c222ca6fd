/* dmda.c - a solver of PETSc on arrays of the pool: VecPlaceArray gives PETSc the addresses, no value is copied. The linear system of a backward step of
 * diffusion on a periodic box is solved; then this library exchanges ghost cells on the same grid of ranks, and a launch computes the residual.
 * Not in this file: exchanges on boxes (halo.c). */
#include "check.h"

#include <mpi.h>
#include <petscdmda.h>
#include <petscksp.h>
#include <portable_mpi.h>

enum { NX = 20, NY = 14 };
#define WEIGHT 0.7

#define P(call) CHECK((call) == 0)

struct task { const double *u, *b; double *r; int64_t nx; };

/* r = (1 + 4 w) u - w (neighbours) - b on own cells; u has ghost cells. */
static void residual(const portable_tile *t, void *args) {
  const struct task *const a = args;
  const int64_t step = a->nx + 2;
  for (int64_t j = t->lower[0]; j <= t->upper[0]; j++)
    for (int64_t i = 0; i < a->nx; i++) {
      const double *const u = a->u + (j + 1) * step + i + 1;
      a->r[j * a->nx + i] = (1 + 4 * WEIGHT) * u[0] - WEIGHT * (u[-1] + u[1] + u[-step] + u[step]) - a->b[j * a->nx + i];
    }
}

static void matrix(DM da, Mat *out) {
  DMDALocalInfo info;
  P(DMCreateMatrix(da, out));
  P(DMDAGetLocalInfo(da, &info));
  for (int j = info.ys; j < info.ys + info.ym; j++)
    for (int i = info.xs; i < info.xs + info.xm; i++) {
      const MatStencil row = {.i = i, .j = j}, columns[5] = {{.i = i, .j = j}, {.i = i - 1, .j = j}, {.i = i + 1, .j = j}, {.i = i, .j = j - 1}, {.i = i, .j = j + 1}};
      const double values[5] = {1 + 4 * WEIGHT, -WEIGHT, -WEIGHT, -WEIGHT, -WEIGHT};
      P(MatSetValuesStencil(*out, 1, &row, 5, columns, values, INSERT_VALUES));
    }
  P(MatAssemblyBegin(*out, MAT_FINAL_ASSEMBLY));
  P(MatAssemblyEnd(*out, MAT_FINAL_ASSEMBLY));
}

static void solve(DM da, double *b, double *x) {
  Mat a;
  KSP ksp;
  Vec right, solution;
  matrix(da, &a);
  P(DMCreateGlobalVector(da, &right));
  P(VecDuplicate(right, &solution));
  P(VecPlaceArray(right, b)); /* own cells, the first index fastest: an array without ghost cells */
  P(VecPlaceArray(solution, x));
  P(KSPCreate(PETSC_COMM_WORLD, &ksp));
  P(KSPSetOperators(ksp, a, a));
  P(KSPSetType(ksp, KSPCG));
  P(KSPSetTolerances(ksp, 1e-12, PETSC_DEFAULT, PETSC_DEFAULT, 500));
  P(KSPSolve(ksp, right, solution));
  P(VecResetArray(right));
  P(VecResetArray(solution));
  P(KSPDestroy(&ksp));
  P(VecDestroy(&right));
  P(VecDestroy(&solution));
  P(MatDestroy(&a));
}

int main(int argc, char **argv) {
  const int64_t global[2] = {NY, NX}, width[2] = {1, 1};
  const int32_t periodic[2] = {1, 1};
  portable_halo_box_options o = PORTABLE_HALO_BOX_OPTIONS_INIT;
  int64_t extents[2], first[2], last[2], ny, nx;
  int32_t grid[2];
  PetscInt across, up;
  double *u, *b, *x, *r, largest = 0;
  portable_fields fields;
  portable_array ghosted;
  portable_halo halo;
  DM da;
  DMDALocalInfo info;
  P(PetscInitialize(&argc, &argv, NULL, NULL));
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  P(DMDACreate2d(PETSC_COMM_WORLD, DM_BOUNDARY_PERIODIC, DM_BOUNDARY_PERIODIC, DMDA_STENCIL_STAR, NX, NY, PETSC_DECIDE, PETSC_DECIDE, 1, 1, NULL, NULL, &da));
  P(DMSetUp(da));
  P(DMDAGetLocalInfo(da, &info));
  P(DMDAGetInfo(da, NULL, NULL, NULL, NULL, &across, &up, NULL, NULL, NULL, NULL, NULL, NULL, NULL));

  /* PETSc numbers ranks along x first: the last dimension here, so its grid is ours. Both give the first ranks one cell more. */
  o.rank = 2;
  o.global = global;
  o.width = width;
  o.periodic = periodic;
  grid[0] = (int32_t)up;
  grid[1] = (int32_t)across;
  o.grid = grid;
  CHECK_STATUS(portable_mpi_halo_box("ghosts", PETSC_COMM_WORLD, &o, &halo), PORTABLE_OK);
  CHECK_STATUS(portable_halo_own(halo, first, last), PORTABLE_OK);
  CHECK(first[0] == info.ys && last[0] == info.ys + info.ym - 1 && first[1] == info.xs && last[1] == info.xs + info.xm - 1);
  ny = info.ym;
  nx = info.xm;
  extents[0] = ny + 2;
  extents[1] = nx + 2;
  CHECK_STATUS(portable_array_create("u", PORTABLE_KIND_REAL64, 0, 2, extents, NULL, &ghosted), PORTABLE_OK);
  u = ghosted.data;
  CHECK_STATUS(portable_alloc((size_t)(3 * nx * ny) * sizeof *b, "b, x, r", (void **)&b), PORTABLE_OK);
  x = b + nx * ny;
  r = x + nx * ny;
  for (int64_t j = 0; j < ny; j++)
    for (int64_t i = 0; i < nx; i++) b[j * nx + i] = (double)((first[0] + j) * 3 % 5) + (double)((first[1] + i) * 7 % 11), x[j * nx + i] = 0;
  solve(da, b, x);
  for (int64_t j = 0; j < ny; j++)
    for (int64_t i = 0; i < nx; i++) u[(j + 1) * (nx + 2) + i + 1] = x[j * nx + i];
  CHECK_STATUS(portable_fields_create("state", &fields), PORTABLE_OK);
  CHECK_STATUS(portable_fields_add(fields, "u", &ghosted, 0, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_halo_begin(halo, fields, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_halo_end(halo, fields, NULL), PORTABLE_OK);
  struct task task = {u, b, r, nx};
  const portable_bounds rows = portable_bounds_1(ny);
  CHECK_STATUS(portable_parallel_for("residual", &rows, residual, &task, sizeof task, NULL), PORTABLE_OK);
  for (int64_t i = 0; i < nx * ny; i++) largest = r[i] * r[i] > largest * largest ? r[i] : largest;
  CHECK(largest < 1e-9 && largest > -1e-9 && u[nx + 3] > 0.1);
  CHECK_STATUS(portable_fields_destroy(fields), PORTABLE_OK);
  CHECK_STATUS(portable_halo_destroy(halo), PORTABLE_OK);
  CHECK_STATUS(portable_array_release(&ghosted), PORTABLE_OK);
  CHECK_STATUS(portable_free(b), PORTABLE_OK);
  P(DMDestroy(&da));
  MPI_Allreduce(MPI_IN_PLACE, &check_failures, 1, MPI_INT, MPI_MAX, PETSC_COMM_WORLD);
  const int failed = check_end();
  P(PetscFinalize());
  return failed;
}
