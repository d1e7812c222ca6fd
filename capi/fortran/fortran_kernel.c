/* fortran_kernel.c - launches of Fortran with arguments: a list of portable_arg becomes the
 * argument block of a kernel object, with the device version that portable_cuda_code named for the
 * label. The first launch of a label declares the arguments; later ones must have the same. A
 * record of a label is never freed, because other threads may read it. Lock: `lock`, not for a
 * launch of a declared label. Not here: kernel objects (exec/launch/kernel.c). Threads: any. */
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../exec/launch/launch.h"
#include "../../internal/kernels/reduction/partial.h"
#include "../../exec/launch/kernel.h"
#include "fortran_block.h"
#include "../../internal/edge/texthash.h"

#define LABEL_BYTES (PORTABLE__LABEL_MAX + 1)
#define BYTES (-1)

enum { LINES, SOURCE_FILE, IMAGE_FILE };                /* form of code */

/* Kind of call. Device entries differ between loops and reductions. */
enum call { FOR, OUTER, REDUCE, BLOCKS };
static const char *const call_names[] = {"parallel_for", "parallel_outer", "parallel_reduce", "parallel_blocks"};

/* The arguments of the first launch. */
struct declared {
  portable_kernel kernel;
  enum call call;
  int32_t count; /* BYTES: it is a block without a list */
  size_t block_bytes;
  struct { int32_t kind, rank, form; size_t offset; } a[PORTABLE__ARGUMENTS_MOST];
};

struct label {
  struct label *next; /* with the same hash; newer ones come first */
  _Atomic(struct declared *) declared;
  const void *embedded; /* of generated code: the address of its text, which identifies the nest; else NULL */
  char name[LABEL_BYTES];
  char *text, *entry, *options; /* text NULL: no version for devices */
  int32_t form, block_size;
  int64_t shared_bytes;
};

static _Atomic(struct label *) labels[256];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards additions to labels, and declaring */

static _Atomic(struct label *) *place_of(const char *name) {
  return &labels[portable__text_hash(PORTABLE__HASH_BEGIN, name) % (sizeof labels / sizeof *labels)];
}

static struct label *find(const char *name, const void *embedded) {
  struct label *l = atomic_load_explicit(place_of(name), memory_order_acquire);
  while (l && (l->embedded != embedded || strcmp(l->name, name) != 0)) l = l->next;
  return l;
}

/* Under the lock. */
static void add(struct label *l) {
  _Atomic(struct label *) *place = place_of(l->name);
  l->next = atomic_load_explicit(place, memory_order_relaxed);
  atomic_store_explicit(place, l, memory_order_release);
}

/* ---- versions for devices ---- */

/* Lines of a Fortran text, each without its trailing blanks and with an end. NULL: no memory. */
static char *text_of(const struct portable__fortran_code *code, const char *lines) {
  char *text = malloc((size_t)code->lines * ((size_t)code->line_bytes + 1) + 1), *to = text;
  for (int64_t i = 0; text && i < code->lines; i++) {
    const char *line = lines + i * code->line_bytes;
    portable__copy_text(to, (size_t)code->line_bytes + 1, line, (size_t)code->line_bytes);
    to += strlen(to);
    if (code->form == LINES) *to++ = '\n';
  }
  if (text) *to = '\0';
  return text;
}

/* The name of the entry: the given one, or the label with _ for characters that a name cannot have. */
static char *entry_of(const char *given, size_t bytes, const char *label) {
  if (bytes) return strndup(given, bytes);
  char *entry = strdup(label);
  for (char *c = entry; c && *c; c++)
    if (!((*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (c > entry && *c >= '0' && *c <= '9'))) *c = '_';
  return entry;
}

static void label_free(struct label *l) {
  free(l->text);
  free(l->entry);
  free(l->options);
  free(l);
}

/* A record of a label's version. NULL: no memory. */
static struct label *label_of(const char *name, const struct portable__fortran_code *code, const char *text, const char *entry, const char *options) {
  struct label *l = calloc(1, sizeof *l);
  if (!l) return NULL;
  snprintf(l->name, sizeof l->name, "%s", name);
  l->form = code->form;
  l->block_size = code->block_size;
  l->shared_bytes = code->shared_bytes;
  l->text = text_of(code, text);
  l->entry = entry_of(entry, (size_t)code->entry_bytes, name);
  if (code->options_bytes) l->options = strndup(options, (size_t)code->options_bytes);
  if (l->text && l->entry && (l->options || !code->options_bytes)) return l;
  label_free(l);
  return NULL;
}

static portable_status no_text_memory(const char *name) {
  return portable__fail(PORTABLE_ERR_NOMEM, "portable_cuda_code of '%s': no memory for the text", name);
}

portable_status portable__fortran_cuda_code(int32_t version, const char *label, size_t label_bytes, const struct portable__fortran_code *code,
                                            const char *text, const char *entry, const char *options) {
  char name[LABEL_BYTES];
  portable_status status = portable__check_version(version);
  if (status != PORTABLE_OK) return status;
  portable__copy_text(name, sizeof name, label, label_bytes);
  if (!name[0]) return portable__fail(PORTABLE_ERR_ARG, "portable_cuda_code: the label is empty");
  struct label *l = label_of(name, code, text, entry, options);
  if (!l) return no_text_memory(name);
  if (!l->text[strspn(l->text, " \n")]) {
    label_free(l);
    return portable__fail(PORTABLE_ERR_ARG, "portable_cuda_code of '%s': file, source or image is empty", name);
  }
  pthread_mutex_lock(&lock);
  add(l);
  pthread_mutex_unlock(&lock);
  return PORTABLE_OK;
}

portable_status portable__fortran_cuda_log(const char *label, size_t label_bytes, char *text, size_t room, size_t *needed_out) {
  char name[LABEL_BYTES];
  portable__copy_text(name, sizeof name, label, label_bytes);
  const struct label *l = find(name, NULL);
  const struct declared *d = l ? atomic_load_explicit(&l->declared, memory_order_acquire) : NULL;
  *needed_out = 1;
  if (room) text[0] = '\0';
  if (!l) return portable__fail(PORTABLE_ERR_ARG, "portable_cuda_log of '%s': portable_cuda_code has named no version for this label", name);
  return d ? portable_kernel_cuda_log(d->kernel, text, room, needed_out) : PORTABLE_OK;
}

/* The first launch of a nest brings its text; embedded is the nest's identity. */
static portable_status add_embedded(const char *name, const char *embedded, const char *text, const struct portable__fortran_code *code) {
  if (find(name, embedded)) return PORTABLE_OK;
  struct label *l = label_of(name, code, text, "portable_nest", PORTABLE__ANY_ORDER_OPTION);
  if (!l) return no_text_memory(name);
  l->embedded = embedded;
  pthread_mutex_lock(&lock);
  if (find(name, embedded))
    label_free(l);
  else
    add(l);
  pthread_mutex_unlock(&lock);
  return PORTABLE_OK;
}

/* Gives the kernel object the label's version. */
static portable_status set_cuda(const struct label *l, portable_kernel kernel) {
  portable_cuda_code code = PORTABLE_CUDA_CODE_INIT;
  code.form = l->form == LINES ? PORTABLE_CUDA_SOURCE : l->form == SOURCE_FILE ? PORTABLE_CUDA_SOURCE_FILE : PORTABLE_CUDA_IMAGE_FILE;
  code.code = l->text;
  code.entry = l->entry;
  code.options = l->options;
  code.block_size = l->block_size;
  code.shared_bytes = (size_t)l->shared_bytes;
  return portable_kernel_set_cuda(kernel, &code);
}

/* ---- arguments ---- */

static portable_status check_same(const char *label, const struct declared *d, enum call call, const struct portable__fortran_argument *args, int32_t count) {
  if (call != d->call)
    return portable__fail(PORTABLE_ERR_ARG, "parallel_for of '%s': the label's first launch with arguments was a %s; give a kernel of another kind another "
                          "label", label, call_names[d->call]);
  if (d->count == BYTES)
    return portable__fail(PORTABLE_ERR_ARG, "parallel_for of '%s': there is a list of arguments; the label's first launch had a block of bytes", label);
  if (count != d->count)
    return portable__fail(PORTABLE_ERR_ARG, "parallel_for of '%s': there are %d arguments, but %d at the first launch of the label", label, (int)count,
                          (int)d->count);
  for (int32_t i = 0; i < count; i++) {
    const struct portable__fortran_argument *a = &args[i];
    if (portable__argument_form(a) != d->a[i].form)
      return portable__fail(PORTABLE_ERR_ARG, "parallel_for of '%s': %s is %s, but was %s at the first launch of the label", label, PORTABLE__ARGUMENT_NAMED(a, i),
                            portable__argument_form_name(portable__argument_form(a)), portable__argument_form_name(d->a[i].form));
    if (a->form != PORTABLE__LIVEOUT && (a->kind != d->a[i].kind || a->rank != d->a[i].rank))
      return portable__fail(PORTABLE_ERR_ARG, "parallel_for of '%s': %s is of the kind %s and rank %d, but was %s and rank %d at the first launch of the "
                            "label", label, PORTABLE__ARGUMENT_NAMED(a, i), portable__kind_name(a->kind), (int)a->rank, portable__kind_name(d->a[i].kind),
                            (int)d->a[i].rank);
  }
  return PORTABLE_OK;
}

/* An argument as one of a kernel object. */
static int32_t argument_kind(const struct portable__fortran_argument *a) {
  if (portable__argument_form(a) == PORTABLE__VIEW) return PORTABLE_ARGUMENT_ARRAY;
  if (a->form == PORTABLE__ADDRESS || a->form == PORTABLE__LIVEOUT) return PORTABLE_ARGUMENT_POINTER;
  switch (a->kind) {
  case PORTABLE_KIND_INT32: return PORTABLE_ARGUMENT_INT32;
  case PORTABLE_KIND_INT64: return PORTABLE_ARGUMENT_INT64;
  case PORTABLE_KIND_REAL32: return PORTABLE_ARGUMENT_REAL32;
  case PORTABLE_KIND_REAL64: return PORTABLE_ARGUMENT_REAL64;
  default: return PORTABLE_ARGUMENT_BYTES;
  }
}

/* Makes the label's kernel object for these arguments. Under the lock. */
static portable_status declare(struct label *l, enum call call, const struct portable__fortran_argument *args, int32_t count) {
  portable_argument what[PORTABLE__ARGUMENTS_MOST];
  char names[PORTABLE__ARGUMENTS_MOST][sizeof args->name + 1];
  size_t at = 0, most = 1;
  struct declared *d = calloc(1, sizeof *d);
  if (!d) return portable__fail(PORTABLE_ERR_NOMEM, "parallel_for of '%s': no memory for %d arguments", l->name, (int)count);
  for (int32_t i = 0; i < count; i++) {
    const struct portable__fortran_argument *a = &args[i];
    int64_t strides[PORTABLE__ARGUMENT_RANKS];
    size_t align, bytes = portable__argument_bytes(a, &align);
    portable_status wrong = portable__argument_check(l->name, a, i, strides);
    if (wrong != PORTABLE_OK) {
      free(d);
      return wrong;
    }
    at = (at + align - 1) / align * align;
    d->a[i].kind = a->kind;
    d->a[i].rank = a->rank;
    d->a[i].form = portable__argument_form(a);
    d->a[i].offset = at;
    portable__copy_text(names[i], sizeof names[i], a->name, sizeof a->name);
    what[i] = (portable_argument){names[i], argument_kind(a), a->form == PORTABLE__VALUE ? 0 : a->access, at, bytes};
    at += bytes;
    if (align > most) most = align;
  }
  at = (at + most - 1) / most * most; /* as of the structure that has these members */
  d->call = call;
  d->count = count;
  d->block_bytes = at;
  portable_status status = portable_kernel_create(l->name, at, count ? what : NULL, (size_t)count, &d->kernel);
  if (status == PORTABLE_OK && l->text && (status = set_cuda(l, d->kernel)) != PORTABLE_OK) portable_kernel_destroy(d->kernel);
  if (status != PORTABLE_OK) {
    free(d);
    return status;
  }
  atomic_store_explicit(&l->declared, d, memory_order_release);
  return PORTABLE_OK;
}

/* The label, declared for these arguments. */
static portable_status declared_label(const char *name, const void *embedded, enum call call, const struct portable__fortran_argument *args,
                                      int32_t count, struct declared **out) {
  portable_status status = PORTABLE_OK;
  struct label *l = find(name, embedded);
  *out = l ? atomic_load_explicit(&l->declared, memory_order_acquire) : NULL;
  if (*out) return PORTABLE_OK;
  pthread_mutex_lock(&lock);
  l = find(name, embedded);
  if (!l && (l = calloc(1, sizeof *l))) {
    snprintf(l->name, sizeof l->name, "%s", name);
    add(l);
  }
  if (!l)
    status = portable__fail(PORTABLE_ERR_NOMEM, "parallel_for of '%s': no memory for the label", name);
  else if (!atomic_load_explicit(&l->declared, memory_order_relaxed))
    status = declare(l, call, args, count);
  if (status == PORTABLE_OK) *out = atomic_load_explicit(&l->declared, memory_order_relaxed);
  pthread_mutex_unlock(&lock);
  return status;
}

/* Puts the arguments into the block. */
static portable_status pack(const char *label, const struct declared *declared, const struct portable__fortran_argument *args, char *block) {
  memset(block, 0, declared->block_bytes); /* between and behind arguments, too */
  for (int32_t i = 0; i < declared->count; i++) {
    portable_status status = portable__argument_put(label, &args[i], i, NULL, block + declared->a[i].offset);
    if (status != PORTABLE_OK) return status;
  }
  return PORTABLE_OK;
}

static enum call call_of(const struct portable__host_version *host) {
  return host->team ? OUTER : host->reduce ? REDUCE : host->block ? BLOCKS : FOR;
}

/* A block of bytes, for bind(c) kernels, is one argument; its pointers are not tested. Asynchronous in a stream, also on the host. */
int portable__launch_with_code(const char *label, const portable_bounds *bounds, const struct portable__host_version *host,
                               const portable_launch_config *config, portable_status *status_out) {
  const size_t block_bytes = host->context_bytes;
  const enum call call = call_of(host);
  struct label *l = find(label, NULL);
  struct declared *d = NULL;
  if (!l || !l->text) return 0;
  pthread_mutex_lock(&lock);
  if (!(d = atomic_load_explicit(&l->declared, memory_order_relaxed)) && (d = calloc(1, sizeof *d))) {
    d->count = BYTES;
    d->call = call;
    d->block_bytes = block_bytes;
    if (portable_kernel_create(l->name, block_bytes, NULL, 0, &d->kernel) != PORTABLE_OK || set_cuda(l, d->kernel) != PORTABLE_OK) {
      free(d);
      d = NULL;
    } else {
      atomic_store_explicit(&l->declared, d, memory_order_release);
    }
  }
  pthread_mutex_unlock(&lock);
  if (!d)
    *status_out = portable__fail(PORTABLE_ERR_NOMEM, "%s of '%s': no memory for the label's version for devices", call_names[call], label);
  else if (d->call != call)
    *status_out = portable__fail(PORTABLE_ERR_ARG, "%s of '%s': the label's first launch was a %s; give each kind its own label", call_names[call], label, call_names[d->call]);
  else if (d->count != BYTES || d->block_bytes != block_bytes)
    *status_out = portable__fail(PORTABLE_ERR_ARG, "%s of '%s': the argument block has %zu bytes; the label's first launch had %s%zu", call_names[call], label, block_bytes,
                                 d->count == BYTES ? "" : "a list of arguments of ", d->block_bytes);
  else
    *status_out = portable__kernel_launch(d->kernel, bounds, host->context, config, host);
  return 1;
}

static portable_status launch_arguments(const char *label, const void *embedded, const portable_bounds *bounds, const struct portable__fortran_argument *args, int32_t count,
                                        const portable_launch_config *config, const struct portable__host_version *host) {
  char block[PORTABLE__BLOCK_MOST] __attribute__((aligned(16)));
  struct declared *d;
  portable_status ready = portable__arguments_ready(label, args, count);
  if (ready != PORTABLE_OK) return ready;
  const enum call call = call_of(host);
  portable_status status = declared_label(label, embedded, call, args, count, &d);
  if (status == PORTABLE_OK) status = check_same(label, d, call, args, count);
  if (status == PORTABLE_OK) status = pack(label, d, args, block);
  return status == PORTABLE_OK ? portable__kernel_launch(d->kernel, bounds, block, config, host) : status;
}

portable_status portable__launch_embedded(const char *label, const portable_bounds *bounds, const struct portable__fortran_argument *args, int32_t count,
                                          const char *text, const struct portable__fortran_code *code, const portable_launch_config *config,
                                          const struct portable__host_version *host) {
  const char *embedded = text + (code->options_bytes > 0); /* a text with options is another one */
  portable_status status = add_embedded(label, embedded, text, code);
  return status == PORTABLE_OK ? launch_arguments(label, embedded, bounds, args, count, config, host) : status;
}

/* Texts begin with the name of the call. */
PORTABLE__COLD portable_status portable__launch_arguments(const char *label, const portable_bounds *bounds, const struct portable__fortran_argument *args,
                                                          int32_t count, const portable_launch_config *config, const struct portable__host_version *host) {
  portable_status status = launch_arguments(label[0] ? label : "unlabelled", NULL, bounds, args, count, config, host);
  if (status == PORTABLE_OK || host->function) return status;
  return portable__rename_error(status, call_names[call_of(host)]);
}

portable_status portable__fortran_parallel_for_arguments(int32_t version, const char *label, size_t label_bytes, const portable_bounds *bounds,
                                                         portable_kernel_function kernel, const void *context, const struct portable__fortran_argument *args,
                                                         int32_t count, const portable_launch_config *config, int32_t integer_bytes, int32_t flags) {
  char name[LABEL_BYTES];
  portable_status status = portable__check_version(version);
  if (status != PORTABLE_OK) return status;
  portable__copy_text(name, sizeof name, label, label_bytes);
  if (PORTABLE__UNLIKELY(portable__arguments_count(config))) {
    const struct portable__host_version host = {.function = kernel, .context = context, .integer_bytes = integer_bytes, .flags = flags};
    return portable__launch_arguments(name, bounds, args, count, config, &host);
  }
  return portable__launch(name[0] ? name : NULL, bounds, kernel, context, 0, config, integer_bytes, flags, NULL);
}
