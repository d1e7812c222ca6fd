/* kernel.c - kernel objects. In C because a launch of one must not enter Go either.
 *
 * A launch finds its kernel without a lock; a kernel's record is never freed, only given out again (slots.h). */
#include <stdlib.h>
#include <string.h>

#include "hazard.h"
#include "kernel.h"
#include "reach.h"
#include "slots.h"
#include "twin.h"


struct kernel {
  struct portable__slot_head slot;
  _Atomic(portable_kernel_function) host;
  size_t block_bytes, count;
  struct portable__argument *arguments;
  char label[256];
};

static struct portable__slot_table kernels = PORTABLE__SLOT_TABLE(PORTABLE__KIND_KERNEL, struct kernel);

/* Whoever uses a kernel holds it: another thread, or the kernel itself, may destroy it meanwhile, and the next one would be made
 * in its place. */
static struct kernel *hold(portable_kernel handle) { return portable__slot_hold(&kernels, handle); }

static portable_status no_kernel(const char *function, portable_kernel handle) {
  return portable__fail(PORTABLE_ERR_HANDLE, "%s: %#llx is not a kernel, or the kernel was destroyed", function,
                        (unsigned long long)handle);
}

/* What is wrong with the arguments, as a status. */
static portable_status check(const char *label, size_t block_bytes, const portable_argument *a, size_t count) {
  static const size_t sizes[] = {0, 4, 8, 4, 8, sizeof(void *)};
  for (size_t i = 0; i < count; i++) {
    const char *name = a[i].name ? a[i].name : "";
    if (a[i].kind < 0 || a[i].kind > PORTABLE_ARGUMENT_POINTER)
      return portable__fail(PORTABLE_ERR_ARG, "portable_kernel_create of '%s': argument %zu ('%s') has the kind %d, which is none", label,
                            i, name, (int)a[i].kind);
    if (a[i].bytes == 0)
      return portable__fail(PORTABLE_ERR_ARG, "portable_kernel_create of '%s': argument %zu ('%s') has 0 bytes", label, i, name);
    if ((sizes[a[i].kind] && a[i].bytes != sizes[a[i].kind]))
      return portable__fail(PORTABLE_ERR_ARG, "portable_kernel_create of '%s': argument %zu ('%s') has %zu bytes; its kind has %zu", label, i,
                            name, a[i].bytes, sizes[a[i].kind]);
    if (a[i].offset > block_bytes || a[i].bytes > block_bytes - a[i].offset)
      return portable__fail(PORTABLE_ERR_ARG, "portable_kernel_create of '%s': argument %zu ('%s') ends behind the block of %zu bytes", label,
                            i, name, block_bytes);
    if (a[i].kind == PORTABLE_ARGUMENT_POINTER ? a[i].access < PORTABLE_ACCESS_READ || a[i].access > PORTABLE_ACCESS_BOTH : a[i].access != 0)
      return portable__fail(PORTABLE_ERR_ARG, "portable_kernel_create of '%s': argument %zu ('%s') has the access %d; a pointer has "
                            "PORTABLE_ACCESS_READ, _WRITE or _BOTH, others have 0", label, i, name, (int)a[i].access);
    for (size_t k = 0; k < i; k++)
      if (a[k].offset < a[i].offset + a[i].bytes && a[i].offset < a[k].offset + a[k].bytes)
        return portable__fail(PORTABLE_ERR_ARG, "portable_kernel_create of '%s': arguments %zu and %zu lie over one another", label, k, i);
  }
  return PORTABLE_OK;
}

portable_status portable_kernel_create(const char *label, size_t block_bytes, const portable_argument *arguments,
                                       size_t argument_count, portable_kernel *kernel_out) {
  struct portable__argument *copy = NULL;
  if (!label) label = "unlabelled";
  if (!kernel_out) return portable__fail(PORTABLE_ERR_ARG, "portable_kernel_create of '%s': kernel_out is NULL", label);
  *kernel_out = 0;
  if (argument_count && !arguments)
    return portable__fail(PORTABLE_ERR_ARG, "portable_kernel_create of '%s': arguments is NULL, but there are %zu", label, argument_count);
  portable_status status = check(label, block_bytes, arguments, argument_count);
  if (status != PORTABLE_OK) return status;
  if (argument_count && !(copy = calloc(argument_count, sizeof *copy)))
    return portable__fail(PORTABLE_ERR_NOMEM, "portable_kernel_create of '%s': no memory for %zu arguments", label, argument_count);
  for (size_t i = 0; i < argument_count; i++) {
    copy[i].what = arguments[i];
    if (arguments[i].name) strncpy(copy[i].name, arguments[i].name, sizeof copy[i].name - 1);
    copy[i].what.name = copy[i].name;
  }
  struct kernel *k = portable__slot_take(&kernels);
  if (!k) {
    free(copy);
    return portable__fail(PORTABLE_ERR_NOMEM, "portable_kernel_create of '%s': there are %d kernels, or no memory for more", label,
                          PORTABLE__SLOTS_MAX);
  }
  free(k->arguments);
  memset(k->label, 0, sizeof k->label);
  strncpy(k->label, label, sizeof k->label - 1);
  k->block_bytes = block_bytes;
  k->arguments = copy;
  k->count = argument_count;
  atomic_store(&k->host, NULL);
  *kernel_out = portable__slot_publish(&kernels, k);
  return PORTABLE_OK;
}

portable_status portable_kernel_set_host(portable_kernel kernel, portable_kernel_function function) {
  struct kernel *k = hold(kernel);
  if (!k) return no_kernel("portable_kernel_set_host", kernel);
  atomic_store(&k->host, function);
  portable__slot_release(k);
  return PORTABLE_OK;
}

portable_status portable_kernel_destroy(portable_kernel kernel) {
  if (!kernel) return PORTABLE_OK;
  struct kernel *k = portable__slot_retract(&kernels, kernel);
  if (!k) return no_kernel("portable_kernel_destroy", kernel);
  portable__slot_give(&kernels, k);
  return PORTABLE_OK;
}

portable_status portable_kernel_argument(portable_kernel kernel, size_t i, portable_argument *argument_out) {
  if (!argument_out) return portable__fail(PORTABLE_ERR_ARG, "portable_kernel_argument: argument_out is NULL");
  memset(argument_out, 0, sizeof *argument_out);
  struct kernel *k = hold(kernel);
  if (!k) return no_kernel("portable_kernel_argument", kernel);
  portable_status status = PORTABLE_OK;
  if (i < k->count)
    *argument_out = k->arguments[i].what;
  else
    status = portable__fail(PORTABLE_ERR_ARG, "portable_kernel_argument of '%s': there is no argument %zu; there are %zu", k->label, i,
                            k->count);
  portable__slot_release(k);
  return status;
}

/* The pool blocks that the arguments point to stay until the stream has passed the launch. A stream that ends meanwhile has passed it. */
static void keep(const struct kernel *k, const void *args, portable_stream stream) {
  uintptr_t addresses[16];
  size_t n = 0;
  for (size_t i = 0; i < k->count; i++) {
    if (k->arguments[i].what.kind != PORTABLE_ARGUMENT_POINTER) continue;
    memcpy(&addresses[n], (const char *)args + k->arguments[i].what.offset, sizeof addresses[n]);
    if (addresses[n] == 0 || ++n < sizeof addresses / sizeof *addresses) continue;
    portable__stream_uses(stream, addresses, n);
    n = 0;
  }
  if (n) portable__stream_uses(stream, addresses, n);
}

static portable_device device_of(const portable_launch_config *config) {
  if (config && config->stream) return portable_stream_device(config->stream);
  return config && config->device ? config->device : portable_default_device();
}

/* once, where it is not NULL, has its own argument. */
static inline portable_status launch_host(const struct kernel *k, const portable_bounds *bounds, portable_kernel_function host, const void *args,
                                          const portable_launch_config *config, const struct portable__host_version *once) {
  if (once) return portable__launch(k->label, bounds, once->function, once->context, 0, config, once->integer_bytes, once->flags, NULL);
  return portable__launch(k->label, bounds, host, args, k->block_bytes, config, 0, 0, NULL);
}

/* With checks of memory: what is declared is looked at (hazard.h). */
PORTABLE__COLD static portable_status launch_declared(const struct kernel *k, const portable_bounds *bounds, portable_kernel_function host,
                                                      const void *args, const portable_launch_config *config,
                                                      const struct portable__host_version *once) {
  struct portable__declared declared = {k->arguments, k->count, args};
  portable__hazard_follows(k->label, &declared, config);
  portable_status status = launch_host(k, bounds, host, args, config, once);
  portable__hazard_follows(k->label, NULL, config);
  if (config && config->stream && status == PORTABLE_OK) keep(k, args, config->stream);
  return status;
}

static portable_status launch(struct kernel *k, const portable_bounds *bounds, const void *args, const portable_launch_config *config,
                              const struct portable__host_version *once) {
  portable_kernel_function host = atomic_load_explicit(&k->host, memory_order_acquire);
  if (PORTABLE__UNLIKELY(!host && !once))
    return portable__fail(PORTABLE_ERR_STATE, "portable_launch of '%s': the kernel has no implementation for the host; give it one by "
                          "portable_kernel_set_host", k->label);
  if (PORTABLE__UNLIKELY(portable__watched_by() >> PORTABLE__CHECKS & 1)) {
    portable_status status = portable__check_arguments(k->label, args, k->arguments, k->count);
    if (status != PORTABLE_OK) return status;
  }
  if (PORTABLE__UNLIKELY(portable__watched_by() >> PORTABLE__TWINS & 1)) {
    portable_status status = portable__twin_arguments(k->label, args, k->arguments, k->count);
    if (status != PORTABLE_OK) return status;
  }
  if (portable__reach_matters()) {
    portable_status reached = portable__check_reach(k->label, args, k->arguments, k->count, device_of(config), 1);
    if (reached != PORTABLE_OK) return reached;
  }
  if (portable__hazards()) return launch_declared(k, bounds, host, args, config, once);
  portable_status status = launch_host(k, bounds, host, args, config, once);
  if (PORTABLE__UNLIKELY(config && config->stream) && status == PORTABLE_OK) keep(k, args, config->stream);
  return status;
}

portable_status portable__kernel_launch(portable_kernel kernel, const portable_bounds *bounds, const void *args,
                                        const portable_launch_config *config, const struct portable__host_version *host) {
  struct kernel *k = hold(kernel);
  if (PORTABLE__UNLIKELY(!k)) return no_kernel("portable_launch", kernel);
  portable_status status = launch(k, bounds, args, config, host);
  portable__slot_release(k);
  return status;
}

portable_status portable_launch(portable_kernel kernel, const portable_bounds *bounds, const void *args,
                                const portable_launch_config *config) {
  return portable__kernel_launch(kernel, bounds, args, config, NULL);
}

int portable__arguments_count(const portable_launch_config *config) {
  const uint32_t looks = UINT32_C(1) << PORTABLE__CHECKS | UINT32_C(1) << PORTABLE__TWINS;
  if (PORTABLE__UNLIKELY(portable__watched_by() & looks) || portable__hazards()) return 1;
  return portable__reach_matters() && device_of(config) > PORTABLE__THREADS;
}
