//go:build portable_test_hooks

package capi

/*
#include "../arrays/owner/questions.h"
#include "../arrays/owner/twin.h"
#include "../gator/front/front.h"
#include "../internal/kernels/reduction/partial.h"

static struct portable__twin asked; // for twinFresh

// marks: bits 0 and 1 newer, 2 and 3 a sync arrives, 4 and 5 written by a launch; of the host and of the device.
static int twin_fresh(int32_t marks, int32_t side, int32_t access) {
  for (int k = 0; k < 2; k++) {
    asked.side[k].newer = marks >> k & 1;
    asked.side[k].arriving = marks >> (2 + k) & 1;
    asked.side[k].unmarked[0] = marks >> (4 + k) & 1 ? 'u' : 0;
  }
  return portable__twin_fresh(&asked, side, access);
}

// The predicate of array_make.c. Only this test calls it from outside.
int portable__array_ordinary(const struct portable__array_making *m, portable_array *a, portable_array_config *config_out, uint64_t *bytes_out);

// Arguments of arrayOrdinary: memory of C, because structures of C point to them.
struct made_array { portable_array_config config; struct portable__array_making making; int64_t extent[15], lower[15]; portable_array array; };
static struct made_array made;
static struct made_array *made_array(void) { return &made; }

// C's plan of an array, as in a run of the library that has memory: a slab is there.
static int array_ordinary(int lower, int data) {
  made.config.lower = lower ? made.lower : NULL;
  made.making.given = &made.config;
  made.making.extents = made.extent;
  made.making.data = data ? &made : NULL;
  memset(&made.array, 0, sizeof made.array);
  atomic_fetch_add(&portable__slab_count, 1);
  portable_array_config config;
  int ordinary = portable__array_ordinary(&made.making, &made.array, &config, &made.making.bytes);
  atomic_fetch_sub(&portable__slab_count, 1);
  return ordinary;
}

static portable_status free_block(uintptr_t addr) { return portable__free((void *)addr); }

static void set_broken(int broken) { atomic_store(&portable__broken, broken); }

static void add_inverses(const portable_tile *t, void *args, void *const *partial) {
  double s = 0;
  (void)args;
  for (int64_t i = t->lower[0]; i <= t->upper[0]; i++) {
    s += 1.0 / (double)(i + 1);
    portable_exact_add(partial[1], 1.0 / (double)(i + 1));
  }
  *(double *)partial[0] += s;
}

// The plain sum of 1/i, and the exact one, as a device has them.
static portable_status inverses(int64_t n, int32_t device, double sums_out[2]) {
  portable_bounds b = portable_bounds_1(n);
  portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
  portable_reduction r[] = {PORTABLE_REDUCTION(PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL64, &sums_out[0]),
                            PORTABLE_REDUCTION(PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL64, &sums_out[1])};
  r[1].flags = PORTABLE_REDUCE_EXACT;
  config.device = device;
  return portable_parallel_reduce("inverses", &b, add_inverses, NULL, 0, r, 2, &config);
}

static void add(const portable_tile *tile, void *args) {
  __atomic_fetch_add(*(int64_t **)args, tile->upper[0] - tile->lower[0] + 1, __ATOMIC_RELAXED);
}

static int64_t in_stream(portable_device device, int64_t launches, int64_t n) {
  int64_t sum = 0, *where = &sum;
  portable_bounds bounds = portable_bounds_1(n);
  portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
  if (portable_stream_create(device, PORTABLE_STREAM_ASYNC, &config.stream) != PORTABLE_OK) return -1;
  for (int64_t i = 0; i < launches; i++)
    if (portable_parallel_for("stream", &bounds, add, &where, sizeof where, &config) != PORTABLE_OK) sum = INT64_MIN;
  return portable_stream_destroy(config.stream) == PORTABLE_OK ? sum : -1;
}

struct heard {
	int64_t begun, ended, count, id, device, status, tiles;
};

static void hear(const portable_hook_event *e, void *payload) {
	struct heard *h = (struct heard *)payload;
	if (e->event == PORTABLE_EVENT_LAUNCH_BEGIN) {
		h->begun++;
		h->id = (int64_t)e->id;
		h->device = e->device;
		h->count = e->count;
	} else {
		h->ended += h->id == (int64_t)e->id;
		h->status = e->status;
	}
}

static void visit(const portable_tile *t, void *args) {
	struct heard *h = (struct heard *)args;
	__atomic_add_fetch(&h->tiles, 1, __ATOMIC_SEQ_CST);
	if (h->count == 13) portable_kernel_fail(t, 1, "thirteen");
}

static portable_status watched_launch(int64_t n, int32_t device, struct heard *h) {
	portable_hook hook;
	portable_bounds b = portable_bounds_1(n);
	portable_launch_config c = PORTABLE_LAUNCH_CONFIG_INIT;
	c.device = device;
	c.tile[0] = 1;
	portable_status status = portable_hook_add(hear, h, PORTABLE_EVENT_LAUNCH_BEGIN | PORTABLE_EVENT_LAUNCH_END, &hook);
	if (status != PORTABLE_OK) return status;
	portable_set_checks(PORTABLE_CHECK_LAUNCH);
	status = portable_parallel_for("watched", &b, visit, h, 0, &c);
	portable_set_checks(0);
	portable_hook_remove(hook);
	return status;
}

static void nothing(portable_status status, void *payload) {
  (void)status;
  (void)payload;
}

// Makes call number n of streams, events and live-outs, in the order of refusalCalls, and destroys its objects. null: its pointer is NULL.
static portable_status refusable(int n, uint64_t stream, uint64_t event, int null, int32_t kind, int32_t device) {
  static const char one[64];
  uint64_t made = 0;
  int32_t done;
  char value[64];
  void *pointer;
  portable_status status = PORTABLE_ERR_INTERNAL, ended = PORTABLE_OK;
  switch (n) {
  case 0: status = portable_stream_create(device, kind, null ? NULL : &made); ended = portable_stream_destroy(made); break;
  case 1: return portable_stream_destroy(stream);
  case 2: return portable_stream_call(stream, null ? NULL : nothing, NULL);
  case 3: return portable_stream_fence(stream);
  case 4: return portable_stream_query(stream, null ? NULL : &done);
  case 5: status = portable_event_create(null ? NULL : &made); ended = portable_event_destroy(made); break;
  case 6: return portable_event_destroy(event);
  case 7: return portable_event_record(event, stream);
  case 8: return portable_event_query(event, null ? NULL : &done);
  case 9: return portable_event_wait(event);
  case 10: return portable_stream_wait_event(stream, event);
  case 11: status = portable_liveout_create("x", kind, one, null ? NULL : &made); ended = portable_liveout_destroy(made); break;
  case 12: return portable_liveout_destroy(stream);
  case 13: return portable_liveout_host_read(stream, kind, null ? NULL : value);
  case 14: return portable_liveout_host_write(stream, kind, null ? NULL : one);
  case 15: return portable_liveout_pointer(stream, kind, null ? NULL : &pointer);
  }
  return status == PORTABLE_OK ? ended : status;
}

static portable_status make(int what, int32_t kind, uint64_t *out) {
  return what == 0 ? portable_stream_create(0, kind, out) : what == 1 ? portable_event_create(out) : portable_liveout_create("x", kind, NULL, out);
}
*/
import "C"

import (
	"fmt"
	"runtime"
	"unsafe"

	"libportable/arrays"
	"libportable/gator"
	"libportable/internal/instance"
)

// This file has test hooks into C, because tests of a package with cgo cannot import C.

func textOf(label []byte) C.portable__text {
	return C.portable__text(unsafe.Pointer(unsafe.SliceData(label)))
}

func twinFresh(marks, side, access int32) bool {
	return C.twin_fresh(C.int32_t(marks), C.int32_t(side), C.int32_t(access)) != 0
}

func elementBytes(kind int32, asked uint64) uint64 {
	return uint64(C.portable__array_element_bytes(C.int32_t(kind), C.size_t(asked)))
}

func setChecks(bits uint32) { C.portable_set_checks(C.uint32_t(bits)) }

func viewFits(rank, order int32, extents *[15]int64, bytes uint64) bool {
	var view [512]byte
	return C.portable_view_make(nil, C.int32_t(rank), C.int32_t(order), nil, (*C.int64_t)(unsafe.Pointer(extents)), unsafe.Pointer(&view), C.size_t(bytes)) == 0
}

// arrayOrdinary says whether C plans the array itself, and how: the shape that it gives, and its bytes.
func arrayOrdinary(m *arrays.Making, wrap bool) (s arrays.Shape, bytes uint64, ok bool) {
	truth := map[bool]C.int{true: 1}
	made := C.made_array()
	c := &made.config
	c.struct_size, c.order, c.space, c.zero = C.uint32_t(m.Size), C.int32_t(m.Order), C.int32_t(m.Space), C.int32_t(truth[m.Zero])
	c.row_bytes, c.pool = C.uint64_t(m.RowBytes), C.portable_pool(m.Pool)
	made.making.kind, made.making.rank, made.making.element_bytes = C.int32_t(m.Kind), C.int32_t(m.Rank), C.uint64_t(m.Bytes)
	made.making.what = C.PORTABLE__MAKE_CREATE
	if wrap {
		made.making.what = C.PORTABLE__MAKE_WRAP
	}
	made.extent = *(*[15]C.int64_t)(unsafe.Pointer(m.Extent))
	if m.Lower != nil {
		made.lower = *(*[15]C.int64_t)(unsafe.Pointer(m.Lower))
	}
	if C.array_ordinary(truth[m.Lower != nil], truth[!m.NoData]) == 0 {
		return s, 0, false
	}
	a := &made.array
	s.Rank, s.Order = int(a.rank), arrays.Order(a.order)
	for d := range s.Rank {
		s.Fastest[d], s.Lower[d], s.Extent[d], s.Stride[d] = int8(a.fastest[d]), int64(a.lower[d]), int64(a.extent[d]), int64(a.stride[d])
	}
	return s, uint64(made.making.bytes), true
}

func wrapOf(kind int32, bytes uint64, rank, order, space int32, extents *[15]int64, size uint32) (ok bool) {
	var config C.portable_array_config
	config.struct_size, config.order, config.space = C.uint32_t(size), C.int32_t(order), C.int32_t(space)
	var a C.portable_array
	return C.portable_array_wrap(nil, C.int32_t(kind), C.size_t(bytes), unsafe.Pointer(&a), C.int32_t(rank), (*C.int64_t)(unsafe.Pointer(extents)), nil, &config, &a) == 0
}

const configSize = uint32(unsafe.Sizeof(C.portable_array_config{}))

func lastError() string { return C.GoString(C.portable_last_error()) }

func crossIn() C.portable_status {
	var crossing C.struct_portable__crossing
	st := C.portable__cross_in(&crossing)
	if st == 0 {
		C.portable__cross_out(&crossing)
	}
	return st
}

// unbreak lets the library be called again after a fault.
func unbreak() { C.set_broken(0) }

// serveParse reads a value of PORTABLE_ALLOCATE_FROM as C does.
func serveParse(value string) uint64 {
	c := append([]byte(value), 0)
	return uint64(C.portable__serve_parse(C.portable__text(unsafe.Pointer(unsafe.SliceData(c)))))
}

// inverses adds up 1/1 to 1/n in a launch on that device: plainly, and exactly.
func inverses(n int64, device int) (sums [2]float64, st C.portable_status) {
	var out [2]C.double
	st = C.inverses(C.int64_t(n), C.int32_t(device), &out[0])
	return [2]float64{float64(out[0]), float64(out[1])}, st
}

// inStream launches into a new stream of a device, destroys it, and gives the number of iterations that have run.
func inStream(device, launches, n int) int64 {
	return int64(C.in_stream(C.portable_device(device), C.int64_t(launches), C.int64_t(n)))
}

// watchedLaunch launches n iterations, one a tile, on that device, with a hook and launch checks; 13 fail. heard is what the hook was
// told: beginnings, ends with the same number, iterations, device, status; and the tiles that ran.
func watchedLaunch(n int64, device int) (heard [6]int64, st C.portable_status) {
	var h C.struct_heard
	st = C.watched_launch(C.int64_t(n), C.int32_t(device), &h)
	return [6]int64{int64(h.begun), int64(h.ended), int64(h.count), int64(h.device), int64(h.status), int64(h.tiles)}, st
}

// throughFront is the default pool with its front in C, as in programs.
type throughFront struct{ *instance.Default }

func (f throughFront) Allocate(bytes uint64, label string) (uintptr, error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var block unsafe.Pointer
	if C.portable__alloc(C.size_t(bytes), (*C.char)(unsafe.Pointer(unsafe.StringData(label))), C.size_t(len(label)), &block) != 0 {
		return 0, fmt.Errorf("%w: %s", gator.ErrMemory, lastError())
	}
	return uintptr(block), nil
}

func (f throughFront) Free(addr uintptr) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	switch st := C.free_block(C.uintptr_t(addr)); st {
	case C.PORTABLE_OK:
		return nil
	case C.PORTABLE_ERR_POINTER:
		return fmt.Errorf("%w: %s", gator.ErrPointer, lastError())
	default:
		return fmt.Errorf("status %d: %s", int(st), lastError())
	}
}

// refusable makes a call of refusalCalls.
func refusable(n int, stream, event uint64, null bool, kind, device int32) int32 {
	return int32(C.refusable(C.int(n), C.uint64_t(stream), C.uint64_t(event), C.int(oneIf(null)), C.int32_t(kind), C.int32_t(device)))
}

// makeHandle makes a stream (0), an event (1) or a live-out (2).
func makeHandle(what int, kind int32) (handle uint64, st int32) {
	var out C.uint64_t
	st = int32(C.make(C.int(what), C.int32_t(kind), &out))
	return uint64(out), st
}

func kindName(kind int32) string { return C.GoString(C.portable__kind_name(C.int32_t(kind))) }
