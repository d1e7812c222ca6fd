/* halo.c [direct|missing] - ghost cells of fields in the memory of a cuda device: two ranks in one process, whose messages are copied by a transport of
 * this program. It reads messages as MPI does, so that an address of the device faults; with `direct` it gets such addresses, and copies by the
 * device. The results are those of fields of the host, bit by bit. `missing`: without a compiler there is an error. */
#include "algorithms.h"

enum { FIELDS = 4, NX = 13, NY = 9, W = 2, MOST = 64 };
static const int32_t kinds[FIELDS] = {PORTABLE_KIND_REAL64, PORTABLE_KIND_INT16, PORTABLE_KIND_COMPLEX32, PORTABLE_KIND_INT8};
static int direct;

/* ---- a transport: sends put a message into the post of the other rank, finish takes it out ---- */

struct end { int32_t rank; };
struct set { portable_message message[MOST]; int32_t count; struct end *of; };
static struct post { int32_t from, to, tag; int64_t bytes; char *data; } post[MOST];
static int posted;

static int32_t agree(void *context, int64_t *values, int32_t count, int32_t sum) { return (void)context, (void)values, (void)count, (void)sum, 0; } /* both are the same */
static void end(void *context) { (void)context; }
static void release(void *context, void *set) { (void)context, free(set); }

static int32_t prepare(void *context, const portable_message *messages, int32_t count, void **set_out) {
  struct set *s = calloc(1, sizeof *s);
  memcpy(s->message, messages, (size_t)count * sizeof *messages);
  s->count = count;
  s->of = context;
  for (int32_t i = 0; i < count; i++) CHECK(messages[i].bytes % 16 == 0 && (messages[i].bytes == 0 || (portable_reach(messages[i].data) == PORTABLE_REACH_DEVICE) == direct));
  *set_out = s;
  return 0;
}

static void move(void *to, const void *from, int64_t bytes) {
  if (direct) copy_there(to, from, bytes); else memcpy(to, from, (size_t)bytes);
}

static int32_t start(void *context, void *set, int32_t first, int32_t count) {
  const struct set *const s = set;
  for (int32_t i = first; i < first + count; i++) {
    const portable_message *const m = &s->message[i];
    if (m->receives) continue;
    post[posted] = (struct post){((struct end *)context)->rank, m->rank, m->tag, m->bytes, malloc((size_t)m->bytes)};
    if (m->bytes) move(post[posted].data, m->data, m->bytes);
    posted++;
  }
  return 0;
}

static int32_t finish(void *context, void *set) {
  const struct set *const s = set;
  for (int32_t i = 0; i < s->count; i++) {
    const portable_message *const m = &s->message[i];
    int k = 0;
    if (!m->receives) continue;
    while (k < posted && !(post[k].from == m->rank && post[k].to == ((struct end *)context)->rank && post[k].tag == m->tag)) k++;
    if (k == posted || (post[k].bytes && post[k].bytes != m->bytes)) return 77;
    const int64_t bytes = post[k].bytes;
    if (bytes) move(m->data, post[k].data, bytes);
    free(post[k].data);
    post[k] = post[--posted];
    if (!bytes) return PORTABLE_MESSAGE_EMPTY - i;
  }
  return 0;
}

/* ---- fields ---- */

struct side { portable_array field[2][FIELDS]; portable_fields fields[2]; portable_halo halo[2]; int64_t elements[2][FIELDS]; portable_launch_config *launch; };

static void make(struct side *s, int on_cuda) {
  static struct end ends[2] = {{0}, {1}};
  const int64_t global[2] = {NX, NY}, width[2] = {W, 1};
  const int32_t periodic[2] = {1, 1}, grid[2] = {2, 1};
  portable_halo_box_options o = PORTABLE_HALO_BOX_OPTIONS_INIT;
  portable_array_config config = PORTABLE_ARRAY_CONFIG_INIT;
  o.rank = 2, o.global = global, o.width = width, o.periodic = periodic, o.grid = grid;
  s->launch = on_cuda ? &on_device : &on_host;
  config.space = on_cuda ? own_space : PORTABLE_SPACE_PINNED;
  for (int r = 0; r < 2; r++) {
    const portable_messenger m = {(uint32_t)sizeof m, r, 2, 0, &ends[r], agree, prepare, start, finish, release, end, NULL};
    int64_t first[2], last[2], extents[3];
    CHECK_STATUS(portable_halo_box("ghosts", &m, &o, &s->halo[r]), PORTABLE_OK);
    CHECK_STATUS(portable_halo_own(s->halo[r], first, last), PORTABLE_OK);
    CHECK_STATUS(portable_fields_create(NULL, &s->fields[r]), PORTABLE_OK);
    for (int i = 0; i < FIELDS; i++) {
      static const int32_t dims[2][2] = {{0, 1}, {0, 2}};
      const char *const names[FIELDS] = {"a", "b", "c", "d"};
      const int with_other = i % 2;
      extents[0] = last[0] - first[0] + 1 + 2 * W;
      extents[1] = with_other ? 3 : last[1] - first[1] + 3;
      extents[2] = last[1] - first[1] + 3;
      config.order = i % 3 ? PORTABLE_ORDER_FORTRAN : PORTABLE_ORDER_C;
      s->elements[r][i] = extents[0] * extents[1] * (with_other ? extents[2] : 1);
      CHECK_STATUS(portable_array_create("field", kinds[i], 0, 2 + with_other, extents, &config, &s->field[r][i]), PORTABLE_OK);
      CHECK_STATUS(portable_fields_add(s->fields[r], names[i], &s->field[r][i], 2, dims[with_other]), PORTABLE_OK);
    }
  }
}

static void drop(struct side *s) {
  for (int r = 0; r < 2; r++) {
    CHECK_STATUS(portable_halo_destroy(s->halo[r]), PORTABLE_OK);
    CHECK_STATUS(portable_fields_destroy(s->fields[r]), PORTABLE_OK);
    for (int i = 0; i < FIELDS; i++) CHECK_STATUS(portable_array_release(&s->field[r][i]), PORTABLE_OK);
  }
}

static void exchange(struct side *s) {
  for (int r = 0; r < 2; r++) CHECK_STATUS(portable_halo_begin(s->halo[r], s->fields[r], s->launch), PORTABLE_OK);
  for (int r = 0; r < 2; r++) CHECK_STATUS(portable_halo_end(s->halo[r], s->fields[r], s->launch), PORTABLE_OK);
  CHECK(posted == 0);
}

static void compare(struct side *host, struct side *cuda, const char *what) {
  static char there[20000];
  for (int r = 0; r < 2; r++)
    for (int i = 0; i < FIELDS; i++) {
      const int64_t bytes = host->elements[r][i] * kind_bytes[kinds[i]];
      copy_there(there, cuda->field[r][i].data, bytes);
      same(what, host->field[r][i].data, there, (size_t)bytes, r, kinds[i], host->elements[r][i]);
    }
}

/* ---- lists of one rank: a cell twice, so that additions have an order ---- */

static void lists(double *cells, portable_array *array, portable_launch_config *launch) {
  const int32_t self = 0;
  const int64_t row[2] = {0, 5}, send[5] = {2, 0, 2, 1, 2}, receive[5] = {4, 5, 6, 7, 8};
  portable_halo_lists_options o = PORTABLE_HALO_LISTS_OPTIONS_INIT;
  portable_halo halo;
  portable_fields fields;
  o.neighbours = 1, o.neighbour = &self, o.send_row = o.recv_row = row, o.send_index = send, o.recv_index = receive;
  CHECK_STATUS(portable_halo_lists("lists", NULL, &o, &halo), PORTABLE_OK);
  CHECK_STATUS(portable_fields_create(NULL, &fields), PORTABLE_OK);
  CHECK_STATUS(portable_fields_add(fields, "cells", array, 0, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_halo_add(halo, fields, launch), PORTABLE_OK);
  CHECK_STATUS(portable_halo_begin(halo, fields, launch), PORTABLE_OK);
  CHECK_STATUS(portable_halo_end(halo, fields, launch), PORTABLE_OK);
  copy_there(cells, array->data, 27 * 8);
  CHECK_STATUS(portable_halo_destroy(halo), PORTABLE_OK);
  CHECK_STATUS(portable_fields_destroy(fields), PORTABLE_OK);
}

static void check_lists(void) {
  const int64_t extents[2] = {9, 3};
  double start_of[27], host_cells[27], cuda_cells[27];
  portable_array_config config = PORTABLE_ARRAY_CONFIG_INIT;
  portable_array here, there;
  fill(start_of, 27, PORTABLE_KIND_REAL64, PLAIN);
  config.space = PORTABLE_SPACE_PINNED;
  CHECK_STATUS(portable_array_create("here", PORTABLE_KIND_REAL64, 0, 2, extents, &config, &here), PORTABLE_OK);
  config.space = own_space;
  CHECK_STATUS(portable_array_create("there", PORTABLE_KIND_REAL64, 0, 2, extents, &config, &there), PORTABLE_OK);
  memcpy(here.data, start_of, sizeof start_of);
  copy_there(there.data, start_of, sizeof start_of);
  lists(host_cells, &here, &on_host);
  lists(cuda_cells, &there, &on_device);
  same("lists", host_cells, cuda_cells, sizeof host_cells, 0, PORTABLE_KIND_REAL64, 27);
  CHECK(memcmp(start_of, host_cells, sizeof start_of) != 0);
  CHECK_STATUS(portable_array_release(&here), PORTABLE_OK);
  CHECK_STATUS(portable_array_release(&there), PORTABLE_OK);
}

/* ---- blocks of files: packed by the default device into memory of the host, with the same hash ---- */

static void check_blocks(struct side *host, struct side *cuda) {
  const portable_device before = portable_default_device();
  for (int r = 0; r < 2; r++) {
    portable__blocks *here, *there;
    CHECK_STATUS(portable__restart_begin("blocks", host->halo[r], host->fields[r], &here), PORTABLE_OK);
    CHECK_STATUS(portable_set_default_device(on_device.device), PORTABLE_OK);
    CHECK_STATUS(portable__restart_begin("blocks", cuda->halo[r], cuda->fields[r], &there), PORTABLE_OK);
    for (int i = 0; i < FIELDS; i++) {
      uint64_t hash[2] = {0, 1};
      CHECK_STATUS(portable__restart_move(there, i, PORTABLE__BLOCKS_PACK, NULL), PORTABLE_OK);
      CHECK_STATUS(portable__restart_move(there, i, PORTABLE__BLOCKS_HASH, &hash[1]), PORTABLE_OK);
      CHECK_STATUS(portable_set_default_device(before), PORTABLE_OK);
      CHECK_STATUS(portable__restart_move(here, i, PORTABLE__BLOCKS_PACK, NULL), PORTABLE_OK);
      CHECK_STATUS(portable__restart_move(here, i, PORTABLE__BLOCKS_HASH, &hash[0]), PORTABLE_OK);
      CHECK_STATUS(portable_set_default_device(on_device.device), PORTABLE_OK);
      CHECK(hash[0] == hash[1]);
      same("blocks", here->data, there->data, (size_t)(here->block[i].elements * here->block[i].element_bytes), r, kinds[i], here->block[i].elements);
      CHECK_STATUS(portable__restart_move(there, i, PORTABLE__BLOCKS_UNPACK, NULL), PORTABLE_OK);
    }
    CHECK_STATUS(portable_set_default_device(before), PORTABLE_OK);
    portable__restart_end(here);
    portable__restart_end(there);
  }
  compare(host, cuda, "unpacked blocks");
}

int main(int argc, char **argv) {
  static struct side host, cuda;
  const int missing = argc > 1 && !strcmp(argv[1], "missing"), is_direct = argc > 1 && !strcmp(argv[1], "direct");
  begin();
  make(&cuda, 1);
  if (missing) {
    CHECK_STATUS(portable_halo_begin(cuda.halo[0], cuda.fields[0], &on_device), PORTABLE_ERR_STATE);
    CHECK_STATUS(portable_halo_end(cuda.halo[0], cuda.fields[0], &on_device), PORTABLE_ERR_DEVICE); /* no message has come */
    drop(&cuda);
    return check_end();
  }
  make(&host, 0);
  for (int r = 0; r < 2; r++)
    for (int i = 0; i < FIELDS; i++) {
      fill(host.field[r][i].data, host.elements[r][i], kinds[i], PLAIN);
      copy_there(cuda.field[r][i].data, host.field[r][i].data, host.elements[r][i] * kind_bytes[kinds[i]]);
    }
  compare(&host, &cuda, "before");
  for (int step = 0; step < 2; step++) {
    exchange(&host);
    direct = is_direct;
    exchange(&cuda);
    direct = 0;
    compare(&host, &cuda, "exchange");
  }
  check_blocks(&host, &cuda);
  /* Device memory is refused where the host runs the launch, with the name of a field. */
  direct = is_direct;
  CHECK_STATUS(portable_halo_begin(cuda.halo[0], cuda.fields[0], &on_host), PORTABLE_ERR_POINTER);
  CHECK_TEXT("halo 'ghosts'");
  CHECK_STATUS(portable_halo_end(cuda.halo[0], cuda.fields[0], &on_device), PORTABLE_ERR_DEVICE);
  CHECK_TEXT("finish gave the code 77");
  CHECK_STATUS(portable_halo_begin(cuda.halo[1], cuda.fields[1], &on_device), PORTABLE_OK);
  CHECK_STATUS(portable_halo_end(cuda.halo[1], cuda.fields[1], &on_device), PORTABLE_ERR_STATE);
  CHECK_TEXT("halo 'ghosts': rank 0 has an error, and its cells have not come");
  while (posted) free(post[--posted].data);
  check_lists();
  drop(&host);
  drop(&cuda);
  return check_end();
}
