/* facts.c - prints facts of the CUDA devices, a line each, for the head of a page of results. Exits
 * with 77 if there is no device. Usage: device_facts (PORTABLE_DEVICE=cuda) */
#include <portable.h>

#include <stdio.h>
#include <string.h>

int main(void) {
  int found = 0;
  if (portable_init(NULL) != PORTABLE_OK) {
    fprintf(stderr, "device_facts: %s\n", portable_last_error());
    return 1;
  }
  for (portable_device d = 1; d <= portable_device_count(); d++) {
    portable_device_properties p = PORTABLE_DEVICE_PROPERTIES_INIT;
    uint64_t free_bytes = 0, bytes = 0;
    if (strncmp(portable_device_name(d), "cuda", 4) != 0) continue;
    if (portable_device_properties_get(d, &p) != PORTABLE_OK || portable_device_memory_info(d, &free_bytes, &bytes) != PORTABLE_OK) {
      fprintf(stderr, "device_facts: %s\n", portable_last_error());
      return 1;
    }
    printf("%s: %s, compute capability %d.%d, %d multiprocessors, %.1f GiB of memory, %.1f GiB free\n", p.name, p.model, (int)p.compute_major,
           (int)p.compute_minor, (int)p.parallelism, (double)p.memory_bytes / (1 << 30), (double)free_bytes / (1 << 30));
    printf("%s: driver %d.%d, managed memory while kernels run: %s, pageable memory of the host: %s, %d KiB of shared memory per block\n", p.name,
           (int)p.driver_version / 1000, (int)p.driver_version % 1000 / 10, p.concurrent_managed ? "yes" : "no", p.pageable_access ? "yes" : "no",
           (int)(p.shared_bytes_opt_in / 1024));
    found++;
  }
  portable_finalize();
  return found ? 0 : 77;
}
