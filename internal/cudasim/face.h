/* face.h - between libcuda's fake and a compiled kernel: what an image exports and what it may call. Included by both, so without any other header. */
#ifndef FAKE_FACE_H
#define FAKE_FACE_H

struct fake_parameter {
  unsigned offset, bytes;
};

/* A kernel: its parameters lie in the buffer of a launch at these offsets. */
struct fake_entry {
  void (*function)();
  void (*call)(void (*function)(), const char *parameters);
  const fake_parameter *parameters;
  unsigned count, bytes, alignment;
  unsigned max_threads; /* of __launch_bounds__, or 0 */
  const char *lowered;  /* the name that a name expression got, or null: the symbol's own */
};

struct fake_index {
  unsigned x, y, z;
};

enum fake_block_operation { fake_block_sync, fake_block_count, fake_block_and, fake_block_or };
enum fake_warp_operation {
  fake_warp_sync,
  fake_warp_shuffle,
  fake_warp_ballot,
  fake_wave_sync, /* of AMD's waves, without a mask: the lanes that come together */
  fake_wave_shuffle,
  fake_wave_ballot
};

/* Functions of libcuda that a kernel calls. */
struct fake_runtime {
  int (*block)(int operation, int value);
  unsigned long long (*warp)(int operation, unsigned mask, unsigned long long value, int source_lane);
  void (*yield)();
  void (*stop)(int code);  /* ends the kernel with an error of the driver; does not come back */
  int (*say)(const char *text); /* one line on stderr, with block and thread */
};

/* The symbol `fake_module` that an image exports. */
struct fake_face {
  int version; /* FAKE_FACE_VERSION */
  int arch;    /* 80: compute_80 or sm_80 */
  const fake_entry *entries;
  unsigned count;
  fake_index *thread, *block, *block_size, *grid_size;
  char *dynamic_shared;
  unsigned dynamic_most;
  const fake_runtime **runtime;
  void *(*touch)(); /* a variable in this thread's static shared memory */
};
#define FAKE_FACE_VERSION 1

#endif
