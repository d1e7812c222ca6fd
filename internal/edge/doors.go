//go:build portable_test_hooks

package edge

/*
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdlib.h>
#include "calls.h"
#include "line.h"

struct closing_test {
  sem_t begun, end;
  int64_t closing;
  int32_t awaited;
};

static void *in_call(void *of) {
  struct closing_test *c = of;
  portable__call_scope scope;
  portable__call_begin(&scope);
  sem_post(&c->begun);
  sem_wait(&c->end);
  portable__call_end(&scope);
  return NULL;
}

static void *awaits(void *of) {
  struct closing_test *c = of;
  c->awaited = portable__calls_await(c->closing);
  return NULL;
}

// closed_again opens and closes again while a thread waits, and returns the results of the wait and of the next step. This thread was in no call before,
// and begins one then.
static int32_t closed_again(int64_t closing) {
  struct closing_test c = {.closing = closing};
  pthread_t caller, waiter;
  portable__call_scope scope;
  struct portable__thread *self = portable__thread_get();
  if (!self || sem_init(&c.begun, 0, 0) || sem_init(&c.end, 0, 0) || pthread_create(&caller, NULL, in_call, &c)) return -1;
  sem_wait(&c.begun);
  *(volatile int *)&self->outside = 0;
  portable__calls_close(closing);
  if (pthread_create(&waiter, NULL, awaits, &c)) return -1;
  while (!*(volatile int *)&self->outside) sched_yield();
  portable__calls_open();
  int served = portable__call_begin(&scope);
  portable__calls_close(closing + 1);
  sem_post(&c.end);
  pthread_join(caller, NULL);
  pthread_join(waiter, NULL);
  int32_t shut = portable__calls_shut(closing);
  portable__call_end(&scope);
  portable__calls_open();
  return served ? c.awaited + shut : -1;
}

// A line with its buffer behind it.
static struct portable__line *new_line(size_t room) {
  struct portable__line *l = calloc(1, sizeof *l + room);
  if (l) *l = (struct portable__line){(char *)(l + 1), room, 0};
  return l;
}
*/
import "C"

import "unsafe"

// closedAgain returns the decision of a finalize about calls that were open for a moment while it waited: 0, it does not stop the library.
func closedAgain(closing int64) int32 { return int32(C.closed_again(C.int64_t(closing))) }

// builtLine is what the functions of line.h build in a buffer of so many bytes.
func builtLine(room int, steps ...func(*C.struct_portable__line)) string {
	l := C.new_line(C.size_t(room))
	defer C.free(unsafe.Pointer(l))
	for _, step := range steps {
		step(l)
	}
	C.portable__line_end(l)
	return C.GoStringN(l.text, C.int(l.at))
}

// addText appends a text by one of the functions for texts; most is for "clean".
func addText(how, text string, most uint64) func(*C.struct_portable__line) {
	return func(l *C.struct_portable__line) {
		from := C.CString(text)
		defer C.free(unsafe.Pointer(from))
		switch how {
		case "text":
			C.portable__line_text(l, from)
		case "clean":
			C.portable__line_clean(l, from, C.size_t(len(text)), C.size_t(most))
		case "joined":
			C.portable__line_joined(l, from)
		}
	}
}

// addNumber appends a number by one of the functions for numbers; least and fill are for "padded".
func addNumber(how string, n uint64, least int, fill byte) func(*C.struct_portable__line) {
	return func(l *C.struct_portable__line) {
		switch how {
		case "decimal":
			C.portable__line_decimal(l, C.uint64_t(n))
		case "padded":
			C.portable__line_padded(l, C.uint64_t(n), C.size_t(least), C.char(fill))
		case "hex":
			C.portable__line_hex(l, C.uint64_t(n))
		}
	}
}
