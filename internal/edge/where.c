/* where.c - the variables of where.h. In C because kernels, launches and signal handlers read
 * them. */
#include "where.h"

#include <stddef.h>

__thread const struct portable__job *portable__running_job __attribute__((tls_model("initial-exec")));
__thread const struct portable__job *portable__block_job __attribute__((tls_model("initial-exec")));
__thread int portable__inside __attribute__((tls_model("initial-exec")));
__thread struct portable__stream *portable__own_stream __attribute__((tls_model("initial-exec")));
__thread uint64_t portable__recording __attribute__((tls_model("initial-exec")));
