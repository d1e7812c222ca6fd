/* cublas.c - stands in for libcublas: the four functions that examples/cublas calls, with the product in the stream as a function of the host. Handles and
 * streams are checked as cuBLAS does. Not here: other forms of the product. */
#include <stdlib.h>

typedef struct CUstream_st *CUstream;
int cuLaunchHostFunc(CUstream stream, void (*function)(void *), void *payload);

enum { SUCCESS = 0, NOT_INITIALIZED = 1, ALLOC_FAILED = 3, INVALID_VALUE = 7, EXECUTION_FAILED = 13, MAGIC = 0x5ab1a5 };

struct handle {
  int magic;
  CUstream stream;
};

struct product {
  int m, n, k, lda, ldb, ldc;
  double alpha, beta;
  const double *a, *b;
  double *c;
};

int cublasCreate_v2(struct handle **out) {
  if (!out) return INVALID_VALUE;
  *out = calloc(1, sizeof **out);
  if (!*out) return ALLOC_FAILED;
  (*out)->magic = MAGIC;
  return SUCCESS;
}

int cublasDestroy_v2(struct handle *h) {
  if (!h || h->magic != MAGIC) return NOT_INITIALIZED;
  h->magic = 0;
  free(h);
  return SUCCESS;
}

int cublasSetStream_v2(struct handle *h, CUstream stream) {
  if (!h || h->magic != MAGIC) return NOT_INITIALIZED;
  h->stream = stream;
  return SUCCESS;
}

static void run(void *payload) {
  struct product *p = payload;
  for (int j = 0; j < p->n; j++)
    for (int i = 0; i < p->m; i++) {
      double sum = 0;
      for (int l = 0; l < p->k; l++) sum += p->a[i + (long)l * p->lda] * p->b[l + (long)j * p->ldb];
      double *c = &p->c[i + (long)j * p->ldc];
      *c = p->beta == 0 ? p->alpha * sum : p->alpha * sum + p->beta * *c;
    }
  free(p);
}

int cublasDgemm_v2(struct handle *h, int transa, int transb, int m, int n, int k, const double *alpha, const double *a, int lda, const double *b, int ldb,
                   const double *beta, double *c, int ldc) {
  if (!h || h->magic != MAGIC) return NOT_INITIALIZED;
  if (transa || transb || m < 0 || n < 0 || k < 0 || lda < m || ldb < k || ldc < m || !alpha || !beta) return INVALID_VALUE;
  struct product *p = malloc(sizeof *p);
  if (!p) return ALLOC_FAILED;
  *p = (struct product){m, n, k, lda, ldb, ldc, *alpha, *beta, a, b, c};
  if (cuLaunchHostFunc(h->stream, run, p) == 0) return SUCCESS;
  free(p);
  return EXECUTION_FAILED;
}
