/* system.c - misuse of devices, kinds of memory, hooks and work of the program's own: numbers of what does not
 * exist, and null pointers. Not in this file: streams (streams.c), pools (pools.c), settings (settings.c). */
#include "misuse.h"

#define NO_STREAM "is not a stream, or the stream was destroyed"

static portable_status no_work(void *native, void *payload) {
  (void)native, (void)payload;
  return PORTABLE_OK;
}

static void no_hook(const portable_hook_event *event, void *payload) { (void)event, (void)payload; }

/* Work for a stream that does not exist. */
static void enqueue_no_stream(void) { ASK(portable_device_enqueue("work", 0, 0x7b, no_work, NULL, 0)); }

/* Work of the driver for a device of the host. */
static void enqueue_on_host(void) { ASK(portable_device_enqueue("work", 1, 0, no_work, NULL, 0)); }

/* No function to enqueue. */
static void enqueue_nothing(void) { ASK(portable_device_enqueue("work", 0, 0, NULL, NULL, 0)); }

/* Properties of a device that does not exist. */
static void properties_of_no_device(void) {
  portable_device_properties p = {.struct_size = sizeof p};
  ASK(portable_device_properties_get(77, &p));
}

/* The memory of a device that does not exist. */
static void memory_of_no_device(void) {
  uint64_t free_bytes = 1, total_bytes = 1;
  ASK(portable_device_memory_info(77, &free_bytes, &total_bytes));
}

/* A kind of memory that does not exist. */
static void space_negative(void) {
  portable_pool pool = 1;
  ASK(portable_pool_of_space(-2, &pool));
  MUST(pool == 0);
}

/* The pool of a device that does not exist. */
static void pool_of_no_device(void) {
  portable_pool pool = 1;
  ASK(portable_pool_of_device(77, &pool));
  MUST(pool == 0);
}

/* Pinned memory of a device that does not exist. */
static void pinned_of_no_device(void) {
  portable_pool pool = 1;
  ASK(portable_pinned_pool_of_device(77, &pool));
  MUST(pool == 0);
}

/* Removing a hook that was not added. */
static void hook_invented(void) { ASK(portable_hook_remove(0x7b)); }

/* A hook that is no function. */
static void hook_null(void) {
  portable_hook hook = 0;
  ASK(portable_hook_add(NULL, NULL, 1, &hook));
}

/* A hook for events that do not exist. */
static void hook_of_no_event(void) {
  portable_hook hook = 0;
  ASK(portable_hook_add(no_hook, NULL, 1u << 30, &hook));
}

/* A fallback list without a function. */
static void fallbacks_without_visit(void) { ASK(portable_fallback_list(NULL, NULL)); }

static const struct kind kinds_of_system[] = {
    {KIND(enqueue_no_stream), ERROR(HANDLE, "portable_device_enqueue of 'work': 0x7b && " NO_STREAM)},
    {KIND(enqueue_on_host), ERROR(NODEVICE, "portable_device_enqueue: device 1 ('serial') is not a device of CUDA, HIP or OpenCL")},
    {KIND(enqueue_nothing), ERROR(ARG, "portable_device_enqueue of 'work': enqueue is NULL")},
    {KIND(properties_of_no_device), ERROR(NODEVICE, "portable_device_properties_get && 77")},
    {KIND(memory_of_no_device), ERROR(NODEVICE, "portable_device_memory_info && 77")},
    {KIND(space_negative), ERROR(ARG, "portable_pool_of_space: space is -2; it is PORTABLE_SPACE_HOST, _PINNED, _MANAGED or _DEVICE(k)")},
    {KIND(pool_of_no_device), ERROR(NODEVICE, "portable_pool_of_device: there is no device 77")},
    {KIND(pinned_of_no_device), ERROR(NODEVICE, "portable_pinned_pool_of_device: there is no device 77")},
    {KIND(hook_invented), ERROR(HANDLE, "portable_hook_remove && 0x7b")},
    {KIND(hook_null), ERROR(ARG, "portable_hook_add && NULL")},
    {KIND(hook_of_no_event), ERROR(ARG, "portable_hook_add")},
    {KIND(fallbacks_without_visit), ERROR(ARG, "portable_fallback_list && NULL")},
};
const struct table system_table = TABLE(kinds_of_system, begin_running, end_running);
