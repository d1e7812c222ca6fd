/* exchange.c - exchanges of ghost cells: the first one plans and agrees with all ranks, the others
 * pack, send, wait and unpack. Main functions: portable_halo_begin, _end, _add. Not here: rows
 * (pack.c), life of halos (halo.c). Threads: one user of a halo and fields at a time. */
#include "exchange.h"

#include <stdlib.h>
#include <string.h>

#include "../../internal/edge/calls.h"
#include "../device/device_algorithm.h"
#include "../launch/kernel_record.h"
#include "questions.h"

#define TAGS 16384
#define COMPARED 32 /* fields at once */
#define FEW 32      /* neighbours */

/* ---- the first exchange of a halo and fields ---- */

void portable__exchange_end(struct portable__halo *h, struct portable__exchange *x) {
  if (x->begun) portable__fields_ended(x->fields);
  for (int i = 0; i < 2; i++)
    if (x->sets[i]) h->messenger.release(h->messenger.context, x->sets[i]);
  portable_array_release(&x->buffer);
  portable_array_release(&x->tables);
  portable__halo_unmake(x->plan);
  free(x);
}

/* Forgets exchanges whose fields were destroyed. */
static void sweep(struct portable__halo *h) {
  for (struct portable__exchange **at = &h->exchange; *at;) {
    struct portable__exchange *const x = *at;
    if (portable__fields_exist(x->fields)) {
      at = &x->next;
      continue;
    }
    *at = x->next;
    portable__exchange_end(h, x);
  }
}

static int64_t receives(const struct portable__halo_message *m, int back) { return back ? m->own_bytes : m->ghost_bytes; }
static int64_t sends(const struct portable__halo_message *m, int back) { return back ? m->ghost_bytes : m->own_bytes; }

/* Prepares all messages, those that are received first. back: from ghost cells to their owners. */
static portable_status prepare(const struct portable__halo *h, struct portable__exchange *x, int back) {
  const struct portable__halo_plan *const p = x->plan;
  char *const buffer = x->buffer.data;
  int32_t count = 0;
  if (!p->messages_count) return PORTABLE_OK;
  portable_message *const list = calloc(2 * (size_t)p->messages_count, sizeof *list);
  if (!list) return portable__fail(PORTABLE_ERR_NOMEM, "halo '%s': no memory for %d messages", h->label, (int)p->messages_count);
  for (int receive = 1; receive >= 0; receive--)
    for (int32_t i = 0; i < p->messages_count; i++) {
      const struct portable__halo_message *const m = &p->messages[i];
      const int64_t bytes = receive ? receives(m, back) : sends(m, back);
      if (bytes) list[count++] = (portable_message){buffer + (receive == back ? m->own_at : m->ghost_at), bytes, m->rank, x->number % TAGS * 2 + back, receive, 0};
    }
  const int32_t code = h->messenger.prepare(h->messenger.context, list, count, &x->sets[back]);
  free(list);
  return code ? portable__halo_failed(h, "prepare", code) : PORTABLE_OK;
}

static portable_status plan(struct portable__halo *h, const struct portable__fields *f, struct portable__exchange *x, const portable_launch_config *launch) {
  struct portable__crossing crossing;
  portable_status status = portable__cross_in(&crossing);
  if (status != PORTABLE_OK) return status;
  status = portable__halo_go.plan(h, f, &x->plan);
  portable__cross_out(&crossing);
  if (status != PORTABLE_OK) return status;
  status = portable__halo_memory(h, f, x, launch);
  return status == PORTABLE_OK ? prepare(h, x, 0) : status;
}

/* Without memory of its own: a rank that has none would let the others wait. */
portable_status portable__exchange_differ(struct portable__halo *h, const struct portable__fields *f, const int64_t *signatures, int32_t least) {
  struct portable__crossing crossing;
  portable_status status = PORTABLE_OK;
  int64_t values[2 * COMPARED + 1];
  int32_t number = 0;
  for (int32_t from = 0; from < least && !number && status == PORTABLE_OK; from += COMPARED) { /* the same number of times on all ranks: they get the same values */
    const int32_t count = least - from < COMPARED ? least - from : COMPARED;
    for (int32_t i = 0; i < count; i++) values[2 * i + 1] = -(values[2 * i] = signatures[from + i]);
    status = portable__halo_agree(h, status, values, 2 * count);
    for (int32_t i = count - 1; i >= 0; i--)
      if (values[2 * i] != -values[2 * i + 1]) number = from + i + 1;
  }
  if (status == PORTABLE_OK && (status = portable__cross_in(&crossing)) == PORTABLE_OK) {
    status = portable__halo_go.differ(h, f, number);
    portable__cross_out(&crossing);
  }
  return status;
}

/* An error that was seen before goes to all ranks, too. */
static portable_status first(struct portable__halo *h, struct portable__fields *f, portable_fields fields, const portable_launch_config *launch,
                             portable_status status, struct portable__exchange **out) {
  int64_t values[5] = {0};
  sweep(h);
  struct portable__exchange *x = status == PORTABLE_OK ? calloc(1, sizeof *x) : NULL;
  if (status == PORTABLE_OK && !x) status = portable__fail(PORTABLE_ERR_NOMEM, "halo '%s': no memory for an exchange", h->label);
  if (x) {
    x->fields = fields;
    x->number = h->exchanges;
    status = plan(h, f, x, launch);
  }
  if (x && x->plan) {
    values[1] = -(values[0] = x->plan->fields);
    values[3] = -(values[2] = x->plan->signature);
  }
  status = portable__halo_agree(h, status, values, 4);
  if (status == PORTABLE_OK && !h->alone && (values[0] != -values[1] || values[2] != -values[3])) status = portable__exchange_differ(h, f, x->plan->signatures, (int32_t)-values[1]);
  if (status != PORTABLE_OK) {
    if (x) portable__exchange_end(h, x);
    return status;
  }
  h->exchanges++;
  f->fixed = 1;
  x->next = h->exchange;
  *out = h->exchange = x;
  return PORTABLE_OK;
}

/* ---- every exchange ---- */

static portable_status ready(const char *call, portable_halo halo, portable_fields fields, const portable_launch_config *launch, struct portable__halo **h,
                             struct portable__fields **f, struct portable__exchange **x) {
  portable_status status = PORTABLE_OK;
  *x = NULL;
  if (!(*h = portable__halo_find(call, halo, &status)) || !(*f = portable__fields_find(call, fields, &status))) return status;
  for (*x = (*h)->exchange; *x && (*x)->fields != fields;) *x = (*x)->next;
  if (!portable_is_initialized()) return portable__not_running(call);
  if (!launch || (launch->struct_size >= sizeof(uint32_t) && launch->struct_size <= sizeof *launch)) return PORTABLE_OK;
  return portable__fail(PORTABLE_ERR_ARG, "%s '%s': launch.struct_size is %u; begin with PORTABLE_LAUNCH_CONFIG_INIT", call, (*h)->label, (unsigned)launch->struct_size);
}

portable_status portable__exchange_fence(const struct portable__halo *h, const struct portable__exchange *x, const struct portable__fields *f,
                                         const portable_launch_config *launch) {
  portable_status status = PORTABLE_OK;
  if (x->plan && !portable_array_is_allocated(&x->buffer))
    return portable__fail(PORTABLE_ERR_STATE, "halo '%s': the library stopped after the first exchange of '%s'; destroy the halo and make it again", h->label, f->label);
  for (int32_t i = 0; i < f->count && status == PORTABLE_OK; i++) {
    const struct portable__field *const field = &f->list[i];
    if (field->array.owner && !portable_array_is_allocated(&field->array))
      return portable__fail(PORTABLE_ERR_STATE, "%s '%s': the memory of field %d '%s' was released; make another list of fields", portable__halo_word(h), h->label, (int)i + 1, field->name);
    if (!(launch && launch->stream)) status = portable_fence_memory(field->array.data);
  }
  return status;
}

portable_status portable__exchange_move(const struct portable__halo *h, const struct portable__fields *f, const struct portable__exchange *x, int32_t which,
                                        int32_t way, int64_t from, int64_t to, const portable_launch_config *launch) {
  portable_status status = portable__on_device_matters() ? portable__halo_device(h, f, x, which, way, from, to, launch) : PORTABLE__NOT_HERE;
  if (status == PORTABLE__NOT_HERE) status = portable__halo_move(h->label, &x->plan->list[which], x->buffer.data, way, from, to, launch);
  return status == PORTABLE_OK ? status : portable__rename_error(status, portable__halo_word(h));
}

static int32_t received(const struct portable__halo_plan *p, int back) {
  int32_t count = 0;
  for (int32_t i = 0; i < p->messages_count; i++) count += receives(&p->messages[i], back) != 0;
  return count;
}

static int32_t sent(const struct portable__halo_plan *p, int back) {
  int32_t count = 0;
  for (int32_t i = 0; i < p->messages_count; i++) count += sends(&p->messages[i], back) != 0;
  return count;
}

/* Tells the neighbours of an error by messages without bytes, and with `takes` receives theirs: else they would wait. It needs memory only for more than
 * FEW neighbours, and where the buffer was released; without it they wait. */
static void excuse(const struct portable__halo *h, const struct portable__exchange *x, int back, int takes) {
  const struct portable__halo_plan *const p = x->plan;
  portable_message few[2 * FEW], *const list = p->messages_count <= FEW ? few : calloc(2 * (size_t)p->messages_count, sizeof *list);
  const int kept = portable_array_is_allocated(&x->buffer);
  char *const memory = kept ? x->buffer.data : malloc(takes ? (size_t)p->bytes + 16 : 16);
  int32_t count = 0, code = 0;
  void *set = NULL;
  for (int receive = takes; receive >= 0 && list && memory; receive--)
    for (int32_t i = 0; i < p->messages_count; i++) {
      const struct portable__halo_message *const m = &p->messages[i];
      const int64_t bytes = receive ? receives(m, back) : sends(m, back);
      if (bytes) list[count++] = (portable_message){memory + (!receive ? 0 : back ? m->own_at : m->ghost_at), receive ? bytes : 0, m->rank, x->number % TAGS * 2 + back, receive, 0};
    }
  if (count) code = h->messenger.prepare(h->messenger.context, list, count, &set);
  if (set && !code) code = h->messenger.start(h->messenger.context, set, 0, count);
  if (set && !code) h->messenger.finish(h->messenger.context, set);
  if (set) h->messenger.release(h->messenger.context, set);
  if (!kept) free(memory);
  if (list != few) free(list);
}

/* Receives begin before the cells are packed, so that messages of faster neighbours find their place. */
static portable_status start(const struct portable__halo *h, const struct portable__fields *f, struct portable__exchange *x, int back,
                             const portable_launch_config *launch) {
  const int32_t which = back ? PORTABLE__HALO_GHOST : PORTABLE__HALO_OWN;
  const int32_t in = received(x->plan, back), out = sent(x->plan, back);
  int32_t code = in ? h->messenger.start(h->messenger.context, x->sets[back], 0, in) : 0;
  const portable_status status = portable__exchange_move(h, f, x, which, PORTABLE__HALO_PACK, 0, x->plan->list[which].all, launch);
  if (status != PORTABLE_OK) excuse(h, x, back, 0);
  else if (!code && out) code = h->messenger.start(h->messenger.context, x->sets[back], in, out);
  return status != PORTABLE_OK || !code ? status : portable__halo_failed(h, "start", code);
}

static portable_status finish(const struct portable__halo *h, const struct portable__exchange *x, int back) {
  const int32_t code = x->plan->messages_count ? h->messenger.finish(h->messenger.context, x->sets[back]) : 0;
  if (code >= 0) return code ? portable__halo_failed(h, "finish", code) : PORTABLE_OK;
  int32_t i = 0; /* of the message without bytes: those with some are numbered, receives first */
  for (int32_t number = PORTABLE_MESSAGE_EMPTY - code; i + 1 < x->plan->messages_count; i++)
    if (receives(&x->plan->messages[i], back) && number-- == 0) break;
  return portable__fail(PORTABLE_ERR_STATE, "halo '%s': rank %d has an error, and its cells have not come; its text is on that rank. All cells stay as they were", h->label, (int)x->plan->messages[i].rank);
}

portable_status portable_halo_begin(portable_halo halo, portable_fields fields, const portable_launch_config *launch) {
  PORTABLE__CALL("portable_halo_begin");
  struct portable__halo *h;
  struct portable__fields *f;
  struct portable__exchange *x;
  portable_status status = ready("portable_halo_begin", halo, fields, launch, &h, &f, &x);
  if (h && f && !x && portable_is_initialized()) status = first(h, f, fields, launch, status, &x);
  if (status == PORTABLE_OK && x->begun)
    return portable__fail(PORTABLE_ERR_STATE, "portable_halo_begin '%s': the exchange of '%s' is in progress; call portable_halo_end first", h->label, f->label);
  if (status == PORTABLE_OK) status = portable__exchange_fence(h, x, f, launch);
  if (status != PORTABLE_OK) {
    if (x && !x->begun) excuse(h, x, 0, 1);
    return status;
  }
  x->begun = 1;
  f->begun++;
  return start(h, f, x, 0, launch);
}

portable_status portable_halo_end(portable_halo halo, portable_fields fields, const portable_launch_config *launch) {
  PORTABLE__CALL("portable_halo_end");
  struct portable__halo *h;
  struct portable__fields *f;
  struct portable__exchange *x;
  portable_status status = ready("portable_halo_end", halo, fields, launch, &h, &f, &x);
  if (status != PORTABLE_OK) return status;
  if (!x || !x->begun) return portable__fail(PORTABLE_ERR_STATE, "portable_halo_end '%s': no exchange of '%s' is in progress; call portable_halo_begin first", h->label, f->label);
  status = finish(h, x, 0);
  x->begun = 0;
  f->begun--;
  if (status == PORTABLE_OK) status = portable__exchange_fence(h, x, f, launch);
  return status == PORTABLE_OK ? portable__exchange_move(h, f, x, PORTABLE__HALO_GHOST, PORTABLE__HALO_UNPACK, 0, x->plan->list[PORTABLE__HALO_GHOST].all, launch) : status;
}

portable_status portable_halo_add(portable_halo halo, portable_fields fields, const portable_launch_config *launch) {
  PORTABLE__CALL("portable_halo_add");
  struct portable__crossing crossing;
  struct portable__halo *h;
  struct portable__fields *f;
  struct portable__exchange *x;
  portable_status status = ready("portable_halo_add", halo, fields, launch, &h, &f, &x);
  if (h && f && !x && portable_is_initialized()) status = first(h, f, fields, launch, status, &x);
  if (status != PORTABLE_OK && (!x || x->begun || x->added || !portable_is_initialized())) {
    if (x && !x->begun && x->added) excuse(h, x, 1, 1);
    return status;
  }
  if (x->begun) return portable__fail(PORTABLE_ERR_STATE, "portable_halo_add '%s': the exchange of '%s' is in progress; call portable_halo_end first", h->label, f->label);
  if (!x->added) {
    int64_t none = 0;
    if (status == PORTABLE_OK && (status = portable__cross_in(&crossing)) == PORTABLE_OK) {
      status = portable__halo_go.added(h, f);
      portable__cross_out(&crossing);
    }
    if (status == PORTABLE_OK) status = prepare(h, x, 1);
    status = portable__halo_agree(h, status, &none, 0); /* a rank without memory would let the others wait for its messages */
    x->added = status == PORTABLE_OK;
    if (!x->added && x->sets[1]) x->sets[1] = (h->messenger.release(h->messenger.context, x->sets[1]), NULL);
  }
  if (status != PORTABLE_OK) return status;
  if ((status = portable__exchange_fence(h, x, f, launch)) != PORTABLE_OK) {
    excuse(h, x, 1, 1);
    return status;
  }
  status = start(h, f, x, 1, launch);
  const portable_status ended = finish(h, x, 1);
  if (status == PORTABLE_OK) status = ended;
  for (int32_t g = 0; g < x->plan->groups && status == PORTABLE_OK; g++)
    status = portable__exchange_move(h, f, x, PORTABLE__HALO_ADDED, PORTABLE__HALO_ADD, x->plan->group_first[g], x->plan->group_first[g + 1], launch);
  return status;
}

portable_status portable_halo_cancel(portable_halo halo) {
  portable_status status = PORTABLE_OK;
  struct portable__halo *const h = portable__halo_find("portable_halo_cancel", halo, &status);
  for (struct portable__exchange *x = h ? h->exchange : NULL; x; x = x->next) {
    if (!x->begun) continue;
    if (portable_array_is_allocated(&x->buffer)) { /* else the library has stopped meanwhile */
      const portable_status ended = finish(h, x, 0);
      if (status == PORTABLE_OK) status = ended;
    }
    x->begun = 0;
    portable__fields_ended(x->fields);
  }
  return status;
}
