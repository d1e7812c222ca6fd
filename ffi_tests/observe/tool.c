/* tool.c - a tool that speaks the interface of Kokkos Tools, and writes the calls that it gets into the file that TOOL_LOG names, with the
 * name that it was compiled with. As a library, and linked into a program. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct space {
  char name[64];
};

static FILE *out;
static _Atomic uint64_t own = 1000; /* numbers that this tool gives */

static void say(const char *what, const char *label, uint64_t a, uint64_t b) {
  if (out) fprintf(out, "%s %s '%s' %llu %llu\n", TOOL_NAME, what, label, (unsigned long long)a, (unsigned long long)b);
}

void kokkosp_request_tool_settings(uint32_t n, unsigned char *settings);
void kokkosp_request_tool_settings(uint32_t n, unsigned char *settings) {
  if (n == 1) settings[0] = 0;
}

void kokkosp_parse_args(int argc, char **argv);
void kokkosp_parse_args(int argc, char **argv) {
  if (!out) out = fopen(getenv("TOOL_LOG"), "a");
  say("args", argv[0], (uint64_t)argc, 0);
}

void kokkosp_init_library(int sequence, uint64_t version, uint32_t devices, void *info);
void kokkosp_init_library(int sequence, uint64_t version, uint32_t devices, void *info) {
  (void)info;
  if (!out) out = fopen(getenv("TOOL_LOG"), "a");
  say("init", "", (uint64_t)sequence, version + devices);
}

void kokkosp_finalize_library(void);
void kokkosp_finalize_library(void) {
  say("finalize", "", 0, 0);
  fflush(out);
}

void kokkosp_begin_parallel_for(const char *name, uint32_t device, uint64_t *id);
void kokkosp_begin_parallel_for(const char *name, uint32_t device, uint64_t *id) {
  *id = ++own;
  say("begin_parallel_for", name, device, *id);
}

void kokkosp_end_parallel_for(uint64_t id);
void kokkosp_end_parallel_for(uint64_t id) { say("end_parallel_for", "", 0, id); }

void kokkosp_begin_fence(const char *name, uint32_t device, uint64_t *id);
void kokkosp_begin_fence(const char *name, uint32_t device, uint64_t *id) {
  *id = ++own;
  say("begin_fence", name, device, *id);
}

void kokkosp_end_fence(uint64_t id);
void kokkosp_end_fence(uint64_t id) { say("end_fence", "", 0, id); }

void kokkosp_push_profile_region(const char *name);
void kokkosp_push_profile_region(const char *name) { say("push", name, 0, 0); }

void kokkosp_pop_profile_region(void);
void kokkosp_pop_profile_region(void) { say("pop", "", 0, 0); }

void kokkosp_allocate_data(struct space space, const char *label, const void *pointer, uint64_t bytes);
void kokkosp_allocate_data(struct space space, const char *label, const void *pointer, uint64_t bytes) {
  say(space.name, label, pointer != NULL, bytes);
}

void kokkosp_deallocate_data(struct space space, const char *label, const void *pointer, uint64_t bytes);
void kokkosp_deallocate_data(struct space space, const char *label, const void *pointer, uint64_t bytes) {
  say("deallocate", label, pointer != NULL && strcmp(space.name, "Host") == 0, bytes);
}
