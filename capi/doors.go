//go:build portable_test_hooks

package capi

/*
#include "../arrays/owner/questions.h"
#include "../arrays/owner/twin.h"
#include "../exec/device/cuda_fits.h"
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

// A launch of a kernel object on a CUDA device, up to the first call of the driver.
struct far_launch {
  struct kernel kernel;
  struct portable__argument arguments[4];
  struct portable__kernel_call call;
  struct portable__cuda_form form;
  struct portable__cuda_facts facts;
  struct portable__cuda_plan plan;
  char block[8192];
};
static struct far_launch far;
static struct far_launch *far_launch(void) { return &far; }

static portable_status far_verdict(int no_arguments) {
  struct portable__cuda_refused why;
  struct portable__cuda_plan *p = &far.plan;
  far.kernel.arguments = far.arguments;
  far.call.kernel = &far.kernel;
  far.call.args = no_arguments ? NULL : far.block;
  p->call = &far.call;
  p->facts = &far.facts;
  p->name = "portable_launch";
  p->form = NULL; // it is not known yet
  if (!portable__cuda_asked(p, &why)) return portable__cuda_refuse(p, why);
  p->form = &far.form;
  return portable__cuda_fits(p, &why) ? PORTABLE_OK : portable__cuda_refuse(p, why);
}

// Records of a placing, and where C and an array of Go have a value of one of them.
struct laid_records {
  portable_array_config config;
  struct portable__array_making making;
  int64_t extent[15], lower[15], index[15];
  int32_t fastest[15];
  portable_record record;
  portable_records records;
  portable_array array;
};
static struct laid_records laid;
static struct laid_records *laid_records_kept(void) { return &laid; }
static struct laid_records *laid_records(void) {
  static const portable_array_config config = PORTABLE_ARRAY_CONFIG_INIT;
  memset(&laid, 0, sizeof laid);
  laid.config = config;
  laid.config.lower = laid.lower;
  laid.config.fastest = laid.fastest;
  laid.making.label = "records";
  laid.making.given = &laid.config;
  laid.making.extents = laid.extent;
  laid.making.record = &laid.record;
  laid.making.what = PORTABLE__MAKE_BYTES;
  laid.record.struct_size = sizeof laid.record;
  laid.records.data = &laid; // it is not read
  return &laid;
}

// Where a value is, in bytes from the first one: found by index, and of ranks 1 to 3 by indices. -1: these differ.
static int64_t laid_at(int32_t field, int32_t component) {
  const portable_records *r = &laid.records;
  const int64_t *i = laid.index;
  char *at = portable_records_at(r, field, component, i), *same = at;
  if (r->rank == 1) same = portable_records_at1(r, field, component, i[0]);
  if (r->rank == 2) same = portable_records_at2(r, field, component, i[0], i[1]);
  if (r->rank == 3) same = portable_records_at3(r, field, component, i[0], i[1], i[2]);
  return at == same ? at - (char *)r->data : -1;
}
static int64_t laid_array(void) { return (char *)laid.array.data - (char *)laid.records.data; }

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
	"libportable/exec"
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

// layoutAsked are arguments of portable_layout_find.
type layoutAsked struct {
	label                   []byte // ended by 0; nil: NULL
	device, rank, otherwise int32
	noLayout                bool
}

// find asks C, or Go without C.
func (l *layoutAsked) find(directly bool) (found C.portable_layout, st int32) {
	out := &found
	if l.noLayout {
		out = nil
	}
	if directly {
		return found, int32(portable__go_layout_find(textOf(l.label), C.int32_t(l.device), C.int32_t(l.rank), C.int32_t(l.otherwise), out))
	}
	st = int32(C.portable_layout_find(textOf(l.label), C.portable_device(l.device), C.int32_t(l.rank), C.int32_t(l.otherwise), out))
	return found, st
}

// layoutRule makes a rule; order NULL and row 0 remove it.
func layoutRule(label, device, order []byte, row uint64) int32 {
	return int32(C.portable_layout_rule(textOf(label), textOf(device), textOf(order), C.uint64_t(row)))
}

// farArgument is an argument of a launch on a device: a view of a declared rank, or so many bytes.
type farArgument struct {
	offset, bytes  int
	view           bool
	rank, declared int
}

// farCase is a launch on a CUDA device that C checks.
type farCase struct {
	device, named                              int32
	stream, noArguments, team                  bool
	block                                      int
	arguments                                  []farArgument
	ofCode, ofLaunch, most, registers          int32 // threads
	static, allowed, takes, maxShared, optedIn int32 // bytes
	scratch, ofProgram                         uint64
	count                                      int64
	multiprocessors                            int32
}

// farProgram makes a program with an entry of that name.
func farProgram(entry string) *C.struct_portable__cuda_program {
	p, err := programs.Add(exec.DeviceCode{Label: "far", Entry: entry, Builtin: "none"}, nil)
	if err != nil {
		return nil
	}
	return p.Record.(*C.struct_portable__cuda_program)
}

// verdict is C's, with the threads of a block and the bytes of the parameters.
func (f *farCase) verdict(program *C.struct_portable__cuda_program) (st int32, threads, parameters int64) {
	far := C.far_launch()
	copy(unsafe.Slice((*byte)(unsafe.Pointer(&far.kernel.label[0])), 4), "far\x00")
	far.kernel.block_bytes, far.kernel.count = C.size_t(f.block), C.size_t(len(f.arguments))
	for i, a := range f.arguments {
		what := &far.arguments[i].what
		what.kind, what.offset, what.bytes = C.PORTABLE_ARGUMENT_BYTES, C.size_t(a.offset), C.size_t(a.bytes)
		if a.view {
			what.kind = C.PORTABLE_ARGUMENT_ARRAY
			(*C.portable_view_1)(unsafe.Pointer(&far.block[a.offset])).rank = C.int32_t(a.rank)
		}
	}
	far.call.team, far.call.scratch_bytes = C.int32_t(oneIf(f.team)), C.size_t(f.scratch)
	far.form.f = C.struct_portable__cuda_function{max_threads: C.int32_t(f.most), registers: C.int32_t(f.registers), static_shared: C.int32_t(f.static),
		parameter_bytes: C.int32_t(f.takes)}
	*(*int32)(unsafe.Pointer(&far.form.shared_allowed)) = f.allowed
	far.facts.max_shared_bytes, far.facts.max_shared_bytes_opt_in = C.int32_t(f.maxShared), C.int32_t(f.optedIn)
	far.facts.multiprocessors = C.int32_t(f.multiprocessors)
	program.block_size, program.shared_bytes = C.int32_t(f.ofCode), C.size_t(f.ofProgram)
	p := &far.plan
	p.program, p.device, p.cut.count = program, C.portable_device(f.device), C.int64_t(f.count)
	p.config.device, p.config.stream, p.config.block_size = C.portable_device(f.named), C.portable_stream(oneIf(f.stream)), C.int32_t(f.ofLaunch)
	st = int32(C.far_verdict(C.int(oneIf(f.noArguments))))
	return st, int64(p.threads), int64(p.parameter_bytes)
}

// layRecords lets the export lay records out, as C asks it to.
func layRecords(rs *arrays.Records, r *arrays.Request) (p arrays.Placing, st int32) {
	c := C.laid_records()
	c.config.order = C.int32_t(r.Order)
	c.making.rank, c.making.layout, c.making.width = C.int32_t(r.Rank), C.int32_t(rs.Layout), C.int64_t(rs.Width)
	*elements(&c.extent[0]), *elements(&c.lower[0]), *dims(&c.fastest[0]) = *r.Extent, *r.Lower, *r.Fastest
	c.record.fields, c.record.bytes, c.record.fixed = C.int32_t(len(rs.Fields)), C.uint64_t(rs.Bytes), 1
	for k, f := range rs.Fields {
		c.record.field[k] = C.portable_record_field{kind: C.int32_t(f.Kind), count: C.int32_t(f.Count), bytes: C.uint64_t(f.Bytes), offset: C.uint64_t(f.Offset)}
	}
	st = int32(portable__go_records_make(&c.making, &c.records))
	return placingOf(&c.records), st
}

// recordAt is where C finds a value of the records of layRecords, in bytes from the first one.
func recordAt(index *arrays.Indices, field int, component int32) int64 {
	c := C.laid_records_kept()
	*elements(&c.index[0]) = *index
	return int64(C.laid_at(C.int32_t(field), C.int32_t(component)))
}

// recordField is the array of a field, and where its first element is.
func recordField(field int, component int32, lanes bool) (s arrays.Shape, at int64, st int32) {
	c := C.laid_records_kept()
	st = int32(portable__go_records_field(&c.records, C.int32_t(field), C.int32_t(component), C.int32_t(oneIf(lanes)), &c.array))
	if st == 0 {
		shapeOf(&c.array, &s)
	}
	return s, int64(C.laid_array()), st
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
