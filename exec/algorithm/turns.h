/* turns.h - one loop whose parts run at once and hand a value on in their order. Private.
 *
 * Threads claim parts by number, from 0 on. Each works out the part's total by itself and says it; whoever can, adds up totals in the order of the
 * parts. A thread whose part has got its value (that of all parts before) finishes it from what it holds. Where the value does not come soon,
 * because the thread of an earlier part is slow or has no processor, the thread goes on with other parts, and somebody does the
 * part anew at the end. So nobody waits for long for anybody, and parts that may be done only once are waited for.
 * Not in this file: what is done in a part, and how totals are added up. */
#ifndef PORTABLE__TURNS_H
#define PORTABLE__TURNS_H

#include <stdatomic.h>
#include <stdint.h>

#define PORTABLE__PARTS_FEW 64 /* that need no memory but the stack */

struct portable__job;

struct portable__part {
  _Alignas(8) unsigned char value[8]; /* the part's total, then that of all parts before */
  _Atomic int32_t state;
};

/* into = into op total. */
typedef void (*portable__hand_on)(void *into, const void *total, void *context);

struct portable__turns {
  _Alignas(64) _Atomic int64_t claimed;
  _Alignas(64) _Atomic int32_t busy; /* somebody adds up */
  struct portable__job *_Atomic job; /* parts are waited for no longer than it goes well; NULL: nobody asks */
  int64_t turn, count;               /* the part whose total is next; parts */
  struct portable__part *parts;
  portable__hand_on hand_on;
  void *context;
  _Alignas(8) unsigned char running[8]; /* of all parts before `turn`; at the end, of all */
  struct portable__part few[PORTABLE__PARTS_FEW];
};

/* running: what the first part begins with. 0, or the error of the pool, with its text. Every begin that gave 0 is followed by end. */
int32_t portable__turns_begin(struct portable__turns *t, int64_t count, portable__hand_on hand_on, void *context, const void *running);
void portable__turns_end(struct portable__turns *t);

/* The next part; -1: none is left. */
int64_t portable__turn_claim(struct portable__turns *t);

/* The total of a part that was claimed is known. 1: value_out is that of all parts before, and the caller finishes the part; 0: somebody does
 * later, or has done so. wait: the part can be done only once, so it is waited for; 0 then says that the
 * job has failed, and parts before it may never have a total. */
int portable__turn_take(struct portable__turns *t, int64_t part, const void *total, int wait, void *value_out);

/* Of threads that find no part to claim: a part that is to be done anew, with its value; -1: none. from is where to look, 0 first. */
int64_t portable__turn_left(struct portable__turns *t, int64_t *from, void *value_out);

#endif
