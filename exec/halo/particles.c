/* particles.c - migration: particles go to the ranks that own them, as one message for each pair of
 * ranks. Main function: portable_particles_migrate. Not here: places of particles in messages and
 * fields (internal/halo), rows (pack.c). Threads: one user of a list of fields at a time. */
#include <stdlib.h>
#include <string.h>

#include "../../internal/backend/cuda/memory.h"
#include "../../internal/edge/calls.h"
#include "../device/device_algorithm.h"
#include "exchange.h"
#include "questions.h"

/* One call. The halo has no handle: it is label and transport. */
struct migration {
  struct portable__halo halo;
  struct portable__exchange x;
  struct portable__particles particles;
  portable_array order;
  int64_t *numbers; /* all tables of int64_t */
  int64_t *give, *take; /* [2 ranks]: particles for and from each rank, in 16 bytes each */
  int32_t *counts;  /* [4 ranks]: 16 bytes of data for each rank, their places, and those from each rank */
};

/* Tables, and the order of particles by owner. */
static portable_status sort(struct migration *m, const int32_t *owner, const portable_launch_config *launch) {
  struct portable__halo *const h = &m->halo;
  struct portable__particles *const p = &m->particles;
  const int64_t ranks = h->messenger.ranks, one = p->count ? p->count : 1;
  portable_array_config config = PORTABLE_ARRAY_CONFIG_INIT;
  portable_sort_options options = PORTABLE_SORT_OPTIONS_INIT;
  m->numbers = calloc((size_t)(6 * ranks + 1), sizeof *m->numbers);
  m->counts = calloc(4 * (size_t)ranks, sizeof *m->counts);
  if (!m->numbers || !m->counts) return portable__fail(PORTABLE_ERR_NOMEM, "particles '%s': no memory for tables of %d ranks", h->label, (int)ranks);
  p->first = m->numbers;
  p->received = p->first + ranks + 1;
  m->give = p->received + ranks;
  m->take = m->give + 2 * ranks;
  if (p->count && !owner) return portable__fail(PORTABLE_ERR_ARG, "portable_particles_migrate '%s': owner is NULL", h->label);
  if (portable__cuda_foreign_space((uintptr_t)owner) >= PORTABLE_SPACE_DEVICE(0))
    return portable__fail(PORTABLE_ERR_POINTER, "portable_particles_migrate '%s': owner is in the memory of a device; copy it to memory that the host can access", h->label);
  portable_status status = portable__halo_shared(h, launch, &config);
  if (status == PORTABLE_OK) status = portable_array_create(h->label, PORTABLE_KIND_INT64, 0, 1, &one, &config, &m->order);
  if (status != PORTABLE_OK) return status;
  p->order = m->order.data;
  options.launch = launch;
  status = portable_sort_index(h->label, PORTABLE_KIND_INT32, owner, p->count, PORTABLE_KIND_INT64, 0, &options, m->order.data);
  if (status != PORTABLE_OK) return portable__rename_error(status, "portable_particles_migrate");
  for (int64_t r = 0; r <= ranks; r++) { /* the first particle of rank r or above */
    int64_t low = 0, high = p->count;
    while (low < high) {
      const int64_t middle = low + (high - low) / 2;
      if (owner[p->order[middle]] < r) low = middle + 1; else high = middle;
    }
    p->first[r] = low;
  }
  p->wrong = p->first[0] > 0 ? p->order[0] : p->first[ranks] < p->count ? p->order[p->first[ranks]] : -1;
  p->wrong_owner = p->wrong < 0 ? 0 : owner[p->wrong];
  return PORTABLE_OK;
}

/* Refuses what this rank alone can refuse. */
static portable_status look(struct migration *m, const struct portable__fields *f, const int32_t *owner, const portable_launch_config *launch) {
  struct portable__crossing crossing;
  if (!portable_is_initialized()) return portable__not_running("portable_particles_migrate");
  if (f->begun) return portable__fail(PORTABLE_ERR_STATE, "portable_particles_migrate '%s': an exchange of '%s' is in progress; call portable_halo_end first", m->halo.label, f->label);
  if (m->particles.count < 0) return portable__fail(PORTABLE_ERR_ARG, "portable_particles_migrate '%s': count is below 0", m->halo.label);
  if (!m->halo.alone && !m->halo.messenger.all_to_all)
    return portable__fail(PORTABLE_ERR_ARG, "portable_particles_migrate '%s': messenger.all_to_all is NULL; migrations need it", m->halo.label);
  portable_status status = portable__exchange_fence(&m->halo, &m->x, f, launch);
  if (status == PORTABLE_OK) status = sort(m, owner, launch);
  if (status != PORTABLE_OK || m->particles.wrong < 0 || (status = portable__cross_in(&crossing)) != PORTABLE_OK) return status;
  status = portable__halo_go.particle(&m->halo, &m->particles);
  portable__cross_out(&crossing);
  return status;
}

/* All ranks learn how many particles come from where. An error of the transport waits for the next agreement. */
static portable_status count(struct migration *m) {
  struct portable__particles *const p = &m->particles;
  const int32_t ranks = m->halo.messenger.ranks;
  int32_t code = 0;
  for (int32_t r = 0; r < ranks; r++) m->give[2 * r] = p->first[r + 1] - p->first[r];
  if (m->halo.alone) m->take[0] = m->give[0];
  else code = m->halo.messenger.all_to_all(m->halo.messenger.context, m->give, NULL, NULL, m->take, NULL, NULL);
  for (int32_t r = 0; r < ranks; r++) p->received[r] = m->take[2 * r];
  return code ? portable__halo_failed(&m->halo, "all_to_all", code) : PORTABLE_OK;
}

/* Plans, and packs what leaves and what stays in another place. */
static portable_status pack(struct migration *m, const struct portable__fields *f, const portable_launch_config *launch) {
  struct portable__crossing crossing;
  portable_status status = portable__cross_in(&crossing);
  if (status != PORTABLE_OK) return status;
  status = portable__halo_go.plan(&m->halo, f, &m->x.plan);
  portable__cross_out(&crossing);
  if (status == PORTABLE_OK) status = portable__halo_memory(&m->halo, f, &m->x, launch);
  return status == PORTABLE_OK ? portable__exchange_move(&m->halo, f, &m->x, PORTABLE__HALO_OWN, PORTABLE__HALO_PACK, 0, m->x.plan->list[PORTABLE__HALO_OWN].all, launch) : status;
}

/* All ranks compare their fields and errors, before a particle moves. */
static portable_status agree(struct migration *m, const struct portable__fields *f, portable_status status) {
  const struct portable__halo_plan *const p = m->x.plan;
  const int64_t count = p ? p->fields : 0, signature = p ? p->signature : 0;
  int64_t values[5] = {count, -count, signature, -signature, 0};
  status = portable__halo_agree(&m->halo, status, values, 4);
  if (status != PORTABLE_OK || m->halo.alone || (values[0] == -values[1] && values[2] == -values[3])) return status;
  return portable__exchange_differ(&m->halo, f, p->signatures, (int32_t)-values[1]);
}

/* Sends and unpacks, after all ranks have packed. */
static portable_status travel(struct migration *m, const struct portable__fields *f, const portable_launch_config *launch) {
  const struct portable__halo_plan *const p = m->x.plan;
  const int32_t ranks = m->halo.messenger.ranks;
  int32_t *const give = m->counts, *const give_at = give + ranks, *const take = give + 2 * ranks, *const take_at = give + 3 * ranks;
  char *const buffer = m->x.buffer.data;
  int32_t code = 0;
  for (int32_t i = 0; i < p->messages_count; i++) {
    const struct portable__halo_message *const one = &p->messages[i];
    give[one->rank] = (int32_t)(one->own_bytes / 16);
    give_at[one->rank] = (int32_t)(one->own_at / 16);
    take[one->rank] = (int32_t)(one->ghost_bytes / 16);
    take_at[one->rank] = (int32_t)((one->ghost_at - p->own_bytes) / 16);
  }
  if (!m->halo.alone) code = m->halo.messenger.all_to_all(m->halo.messenger.context, buffer, give, give_at, buffer + p->own_bytes, take, take_at);
  if (code) return portable__halo_failed(&m->halo, "all_to_all", code);
  return portable__exchange_move(&m->halo, f, &m->x, PORTABLE__HALO_GHOST, PORTABLE__HALO_UNPACK, 0, p->list[PORTABLE__HALO_GHOST].all, launch);
}

static portable_status migrate(struct migration *m, const int32_t *owner, portable_fields fields, const portable_launch_config *launch, int64_t *count_out) {
  int64_t none = 0, after = 0;
  portable_status status = PORTABLE_OK;
  struct portable__fields *const f = portable__fields_find("portable_particles_migrate", fields, &status);
  if (f && !count_out) status = portable__fail(PORTABLE_ERR_ARG, "portable_particles_migrate '%s': count_out is NULL", m->halo.label);
  if (f && launch && (launch->struct_size < sizeof(uint32_t) || launch->struct_size > sizeof *launch))
    status = portable__fail(PORTABLE_ERR_ARG, "portable_particles_migrate '%s': launch.struct_size is %u; begin with PORTABLE_LAUNCH_CONFIG_INIT", m->halo.label, (unsigned)launch->struct_size);
  if (status == PORTABLE_OK) status = look(m, f, owner, launch);
  if ((status = portable__halo_agree(&m->halo, status, &none, 0)) != PORTABLE_OK) return status;
  status = count(m);
  if (status == PORTABLE_OK) status = pack(m, f, launch);
  if ((status = agree(m, f, status)) != PORTABLE_OK) return status;
  status = portable__halo_agree(&m->halo, travel(m, f, launch), &none, 0);
  for (int32_t r = 0; r < m->halo.messenger.ranks; r++) after += m->particles.received[r];
  if (status == PORTABLE_OK) *count_out = after;
  return status;
}

portable_status portable_particles_migrate(const char *label, const portable_messenger *messenger, const int32_t *owner, int64_t count, portable_fields fields,
                                           const portable_launch_config *launch, int64_t *count_out) {
  PORTABLE__CALL("portable_particles_migrate");
  struct migration m;
  if (messenger && (messenger->struct_size != sizeof *messenger || messenger->rank < 0 || messenger->rank >= messenger->ranks))
    return portable__fail(PORTABLE_ERR_ARG, "portable_particles_migrate '%s': messenger.struct_size is %u, rank %d of %d; it is sizeof(portable_messenger), and ranks count from 0",
                          label ? label : "particles", (unsigned)messenger->struct_size, (int)messenger->rank, (int)messenger->ranks);
  memset(&m, 0, sizeof m);
  portable__copy_text(m.halo.label, sizeof m.halo.label, label ? label : "particles", strlen(label ? label : "particles"));
  m.halo.alone = !messenger;
  m.halo.messenger.ranks = 1;
  if (messenger) m.halo.messenger = *messenger;
  m.particles.count = count;
  m.halo.particles = &m.particles;
  const portable_status status = migrate(&m, owner, fields, launch, count_out);
  portable_array_release(&m.x.buffer);
  portable_array_release(&m.x.tables);
  portable_array_release(&m.order);
  portable__halo_unmake(m.x.plan);
  free(m.counts);
  free(m.numbers);
  return status;
}
