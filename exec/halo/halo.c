/* halo.c - halos: their life, and agreements of all ranks. Go tests arguments and keeps the halo
 * (internal/halo). Not here: exchanges (exchange.c). Threads: one user at a time. */
#include "halo.h"

#include <stdlib.h>
#include <string.h>

#include "../launch/questions.h"
#include "exchange.h"
#include "questions.h"

static struct portable__slot_table halos = PORTABLE__SLOT_TABLE(PORTABLE__KIND_HALO, struct portable__halo);

struct portable__halo_plan *portable__halo_make(uint64_t bytes) { return bytes > SIZE_MAX ? NULL : calloc(1, (size_t)bytes); }
void portable__halo_unmake(struct portable__halo_plan *plan) { free(plan); }

struct portable__halo *portable__halo_find(const char *call, portable_halo halo, portable_status *status) {
  struct portable__halo *const h = portable__slot_find(&halos, halo);
  if (!h) PORTABLE__EXPLAINED(status, call, NULL, PORTABLE_ERR_HANDLE, portable__launch_go.stale(call, halo, "halo"));
  return h;
}

portable_status portable__halo_failed(const struct portable__halo *halo, const char *function, int32_t code) {
  return portable__fail(PORTABLE_ERR_DEVICE, "%s '%s': the transport failed: %s gave the code %d", portable__halo_word(halo), halo->label, function, (int)code);
}

portable_status portable__halo_agree(const struct portable__halo *h, portable_status own, int64_t *values, int32_t count) {
  if (h->alone) return own;
  values[count] = -(int64_t)own; /* errors are negative */
  const int32_t code = h->messenger.agree(h->messenger.context, values, count + 1, 0);
  if (own != PORTABLE_OK) return own;
  if (code) return portable__halo_failed(h, "agree", code);
  if (values[count])
    return portable__fail((portable_status)-values[count], "%s '%s': another rank has an error; its text is on that rank", portable__halo_word(h), h->label);
  return PORTABLE_OK;
}

/* ---- making ---- */

static void end(struct portable__halo *h) {
  struct portable__crossing crossing;
  while (h->exchange) {
    struct portable__exchange *const x = h->exchange;
    h->exchange = x->next;
    portable__exchange_end(h, x);
  }
  if (h->spec && portable__cross_in(&crossing) == PORTABLE_OK) {
    portable__halo_go.end(h->spec);
    portable__cross_out(&crossing);
  }
  if (!h->alone) h->messenger.end(h->messenger.context);
}

/* Finds the sender whose lists do not fit those of its neighbours. */
static portable_status unbalanced(struct portable__halo *h) {
  struct portable__crossing crossing;
  int64_t *const values = calloc((size_t)h->messenger.ranks, sizeof *values), failed = !values;
  int32_t sender = 0;
  if (values && portable__cross_in(&crossing) == PORTABLE_OK) {
    portable__halo_go.balances(h->spec, values);
    portable__cross_out(&crossing);
  }
  int32_t code = h->messenger.agree(h->messenger.context, &failed, 1, 0);
  if (!code && !failed) code = h->messenger.agree(h->messenger.context, values, h->messenger.ranks, 1);
  while (!code && !failed && sender + 1 < h->messenger.ranks && !values[sender]) sender++;
  free(values);
  if (code) return portable__halo_failed(h, "agree", code);
  if (failed) return portable__fail(PORTABLE_ERR_NOMEM, "halo '%s': no memory to compare lists", h->label);
  portable_status status = portable__cross_in(&crossing);
  if (status != PORTABLE_OK) return status;
  status = portable__halo_go.unbalanced(h, sender);
  portable__cross_out(&crossing);
  return status;
}

/* All ranks compare what they were given. */
static portable_status compare(struct portable__halo *h, const char *call, portable_status status, int64_t signature, int64_t balance) {
  int64_t values[3] = {signature, -signature, 0};
  status = portable__halo_agree(h, status, values, 2);
  if (status != PORTABLE_OK || h->alone) return status;
  if (values[0] != -values[1])
    return portable__fail(PORTABLE_ERR_ARG, "%s '%s': another rank gave another shape, width, period or grid; give the same arguments on all ranks", call, h->label);
  if (h->rank) return PORTABLE_OK; /* a box: both sides of each pair follow from its shape */
  const int32_t code = h->messenger.agree(h->messenger.context, &balance, 1, 1);
  return code ? portable__halo_failed(h, "agree", code) : balance ? unbalanced(h) : PORTABLE_OK;
}

static portable_status make(const char *call, const char *label, const portable_messenger *messenger, portable__halo_box_in box, portable__halo_lists_in lists,
                            portable_halo *halo_out) {
  struct portable__crossing crossing;
  struct portable__halo none, *h;
  int64_t signature = 0, balance = 0;
  if (halo_out) *halo_out = 0;
  if (messenger && messenger->struct_size != sizeof *messenger)
    return portable__fail(PORTABLE_ERR_ARG, "%s '%s': messenger.struct_size is %u; it is sizeof(portable_messenger)", call, label ? label : "halo", (unsigned)messenger->struct_size);
  portable_status status = portable__cross_in(&crossing);
  if (status != PORTABLE_OK) { /* no rank of such a child can talk to others */
    if (messenger) messenger->end(messenger->context);
    return status;
  }
  struct portable__halo *const slot = portable__slot_take(&halos);
  h = slot ? slot : &none;
  const struct portable__slot_head head = slot ? slot->head : (struct portable__slot_head){0};
  memset(h, 0, sizeof *h);
  h->head = head;
  portable__copy_text(h->label, sizeof h->label, label ? label : "halo", strlen(label ? label : "halo"));
  h->alone = !messenger;
  h->messenger.ranks = 1;
  if (messenger) h->messenger = *messenger;
  if (messenger && (messenger->rank < 0 || messenger->rank >= messenger->ranks))
    status = portable__fail(PORTABLE_ERR_ARG, "%s '%s': messenger.rank is %d of %d ranks; ranks count from 0", call, h->label, (int)messenger->rank, (int)messenger->ranks);
  else if (!slot) status = portable__fail(PORTABLE_ERR_NOMEM, "%s '%s': no memory, or there are too many halos; destroy some", call, h->label);
  else if (!halo_out) status = portable__fail(PORTABLE_ERR_ARG, "%s '%s': halo_out is NULL", call, h->label);
  else status = lists ? portable__halo_go.lists(h, lists, &balance) : portable__halo_go.box(h, box, &signature);
  portable__cross_out(&crossing);
  status = compare(h, call, status, signature, balance);
  if (status == PORTABLE_OK) {
    *halo_out = portable__slot_publish(&halos, slot);
    return status;
  }
  end(h);
  if (slot) portable__slot_give(&halos, slot);
  return status;
}

portable_status portable_halo_box(const char *label, const portable_messenger *messenger, const portable_halo_box_options *options, portable_halo *halo_out) {
  return make("portable_halo_box", label, messenger, options, NULL, halo_out);
}

portable_status portable_halo_lists(const char *label, const portable_messenger *messenger, const portable_halo_lists_options *options,
                                    portable_halo *halo_out) {
  static const portable_halo_lists_options missing = {0};
  return make("portable_halo_lists", label, messenger, NULL, options ? options : &missing, halo_out);
}

portable_status portable_halo_destroy(portable_halo halo) {
  portable_status status = PORTABLE_OK;
  if (!halo) return PORTABLE_OK;
  struct portable__halo *const h = portable__halo_find("portable_halo_destroy", halo, &status);
  if (!h) return status;
  for (struct portable__exchange *x = h->exchange; x; x = x->next)
    if (x->begun && portable_array_is_allocated(&x->buffer)) /* else the library has stopped meanwhile */
      return portable__fail(PORTABLE_ERR_STATE, "portable_halo_destroy '%s': an exchange is in progress; end it first", h->label);
  portable__slot_retract(&halos, halo);
  end(h);
  portable__slot_give(&halos, h);
  return PORTABLE_OK;
}

/* ---- own cells ---- */

portable_status portable_halo_own(portable_halo halo, int64_t *first, int64_t *last) {
  portable_status status = PORTABLE_OK;
  struct portable__halo *const h = portable__halo_find("portable_halo_own", halo, &status);
  if (!h) return status;
  if (!h->rank) return portable__fail(PORTABLE_ERR_ARG, "portable_halo_own '%s': a halo of lists has no block of cells", h->label);
  if (!first || !last) return portable__fail(PORTABLE_ERR_ARG, "portable_halo_own '%s': %s is NULL", h->label, first ? "last" : "first");
  memcpy(first, h->own[0], (size_t)h->rank * sizeof *first);
  memcpy(last, h->own[1], (size_t)h->rank * sizeof *last);
  return PORTABLE_OK;
}

portable_status portable_halo_split(portable_halo halo, int32_t order, const int64_t *lower, portable_bounds *inner_out, portable_bounds *rim_out,
                                    int32_t *count_out) {
  struct portable__crossing crossing;
  portable_status status = PORTABLE_OK;
  struct portable__halo *const h = portable__halo_find("portable_halo_split", halo, &status);
  if (!h) return status;
  if ((status = portable__cross_in(&crossing)) != PORTABLE_OK) return status;
  status = portable__halo_go.split(h, order, lower, inner_out, rim_out, count_out);
  portable__cross_out(&crossing);
  return status;
}
