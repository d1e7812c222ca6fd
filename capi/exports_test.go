//go:build portable_test_hooks

package capi

// These tests check exports: hot paths allocate nothing, errors have codes, panics become a status,
// and C and Go agree about refusals of streams, events and live-outs.

import (
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"libportable/exec"
	"libportable/internal/backend/fake"
	"libportable/internal/instance"
)

// The exports are called here as C calls them; cgo's own names stand for C's types, because tests cannot
// import C.

func TestHotPathsAllocateNothing(t *testing.T) {
	require.NoError(t, lib.Init(instance.Request{FastPath: -1}))
	defer func() { require.NoError(t, lib.Finalize()) }()
	label := []byte("a label")
	var out _Ctype_uintptr_t
	pair := func() {
		if portable__go_alloc(1000, 1000, textOf(label), _Ctype_size_t(len(label)), &out) != 0 || portable__go_free(out) != 0 {
			t.Error("allocate or free failed")
		}
	}
	pair() // keeps the label
	require.Zero(t, testing.AllocsPerRun(1000, pair))
}

func TestErrorsHaveCodes(t *testing.T) {
	var out _Ctype_uintptr_t
	require.EqualValues(t, -4, portable__go_alloc(1, 1, nil, 0, &out), "not running")
	require.NoError(t, lib.Init(instance.Request{}))
	defer func() { require.NoError(t, lib.Finalize()) }()
	require.EqualValues(t, -5, portable__go_free(1<<20))
	require.EqualValues(t, -2, portable__go_alloc(1<<60, 1<<60, nil, 0, &out))
	require.Zero(t, out)
	require.EqualValues(t, -3, portable__go_pool_check(12345))
}

// A stream serves devices of Go's too: its thread goes into Go for each launch.
func TestStreamsOfOtherDevices(t *testing.T) {
	require.NoError(t, lib.AddDevice(fake.Device{N: 3}))
	require.NoError(t, lib.Init(instance.Request{}))
	defer func() { require.NoError(t, lib.Finalize()) }()
	devices, err := lib.Devices()
	require.NoError(t, err)
	require.GreaterOrEqual(t, devices.Count(), 3)
	for device := 1; device <= devices.Count(); device++ {
		require.EqualValues(t, 50*1000, inStream(device, 50, 1000), device)
	}
	require.EqualValues(t, -1, inStream(99, 1, 1))
	require.Contains(t, lastError(), "number 99; there are ")
}

// An array that a kernel object declares costs a launch into a stream no memory, once the stream has used it.
func TestUsesAllocateNothing(t *testing.T) {
	require.NoError(t, lib.Init(instance.Request{}))
	defer func() { require.NoError(t, lib.Finalize()) }()
	var addr _Ctype_uintptr_t
	require.Zero(t, portable__go_alloc(1000, 1000, nil, 0, &addr))
	var stream, done, number uint64
	count := (*_Ctype_uint64_t)(unsafe.Pointer(&done))
	use := func() {
		number++
		portable__go_depend(unsafe.Pointer(&stream), count, 0, _Ctype_uint64_t(number), &addr, 1)
	}
	use()
	require.Zero(t, testing.AllocsPerRun(1000, use))
	outside := _Ctype_uintptr_t(1 << 20)
	require.Zero(t, testing.AllocsPerRun(1000, func() {
		portable__go_depend(unsafe.Pointer(&stream), count, 0, 1, &outside, 1)
	}), "an array that is no pool's")
	waiting := func() uint64 {
		d, err := lib.Default()
		require.NoError(t, err)
		return d.Stats().WaitBlocks
	}
	require.Zero(t, portable__go_free(addr))
	done = number - 1
	require.EqualValues(t, 1, waiting())
	done = number
	require.Zero(t, waiting())
}

func TestGuardMakesAStatusOfAPanic(t *testing.T) {
	t.Cleanup(unbreak)
	st := func() (st _Ctype_portable_status) {
		defer guard(&st)
		panic("on purpose")
	}()
	require.EqualValues(t, -12, st)
	require.True(t, strings.Contains(lastError(), "on purpose"))
	require.True(t, strings.Contains(lastError(), "please report"))
	require.EqualValues(t, -12, crossIn(), "after a fault everything is refused")
}

// Two readers of one variable, because C needs it before Go runs: they must agree on every text.
func TestAllocateFromIsReadAlikeInCAndGo(t *testing.T) {
	for _, text := range []string{
		"65536", "64KB", "64 kb", "64k", "64KiB", " 0.5MB ", "1.5g", "4GB", "2T", "100000b", "4096", "4095", "1", "0", "0.0",
		"5.", ".5m", ".", "", "KB", "-17", "+17", "4GX", "4GBGB", "1e5", "1.2.3", "0x10000", "6 4k", "64kb extra", "\t64KB\n",
		"99999999999999999999", "70000000000000000", "65536TB", "1.0000001GB", "64ki", "64bb", "64 k b", "64iB", "64KBi", "100000B",
	} {
		env := instance.Environment{Lookup: func(string) (string, bool) { return text, true }}
		want := instance.AllocateFrom(env)
		if text == "" {
			continue // C does not ask for an empty value either
		}
		require.Equal(t, want, serveParse(text), "%q", text)
	}
}

// refusalCalls are calls of streams, events and live-outs, with the pointer that may be NULL, and all that they name.
var refusalCalls = []struct {
	name, pointer string
	facts         exec.StreamFacts
}{
	{"portable_stream_create", "stream_out", 0},
	{"portable_stream_destroy", "", exec.NamesStream | exec.EndsStream},
	{"portable_stream_call", "the function", exec.NamesStream},
	{"portable_stream_fence", "", exec.NamesStream},
	{"portable_stream_query", "done_out", exec.NamesStream},
	{"portable_event_create", "event_out", 0},
	{"portable_event_destroy", "", exec.NamesEvent},
	{"portable_event_record", "", exec.NamesStream | exec.NamesEvent},
	{"portable_event_query", "done_out", exec.NamesEvent},
	{"portable_event_wait", "", exec.NamesEvent},
	{"portable_stream_wait_event", "", exec.NamesStream | exec.NamesEvent},
	{"portable_liveout_create", "liveout_out", 0},
	{"portable_liveout_destroy", "", 0},
	{"portable_liveout_host_read", "value_out", 0},
	{"portable_liveout_host_write", "value", 0},
	{"portable_liveout_pointer", "pointer_out", 0},
}

const firstOfLiveOuts, lastOfEvents = 11, 10

// made of a test: the handles that are live, with their kinds.
type live struct {
	streams, events, liveOuts map[uint64]int32
	handles                   []uint64 // live and stale ones, and those of default streams
}

// TestRefusals makes calls with random and edge arguments. C's predicates and Go's refusals must agree: the same status, and the same text, which says
// which of two errors comes first. REFUSAL_CASES sets the number of cases.
func TestRefusals(t *testing.T) {
	cases, seed := 20000, uint64(1)
	if n, err := strconv.Atoi(os.Getenv("REFUSAL_CASES")); err == nil {
		cases, seed = n, rand.Uint64()
	}
	refusals(t, seed, cases)
}

func FuzzRefusals(f *testing.F) {
	for seed := range uint64(4) {
		f.Add(seed + 2)
	}
	f.Fuzz(func(t *testing.T, seed uint64) { refusals(t, seed, 500) })
}

func refusals(t *testing.T, seed uint64, cases int) {
	started(t)
	devices, err := lib.Devices()
	require.NoError(t, err)
	is := live{map[uint64]int32{}, map[uint64]int32{}, map[uint64]int32{}, nil}
	for i := range int32(12) {
		for what, of := range []map[uint64]int32{is.streams, is.events, is.liveOuts} {
			kind := i + 1
			if what == 0 {
				kind %= 2
			}
			handle, st := makeHandle(what, kind)
			require.Zero(t, st, lastError())
			if i%3 != 2 {
				of[handle] = kind
			} else {
				require.Zero(t, refusable([]int{1, 6, 12}[what], handle, handle, false, 0, 0), lastError())
			}
			is.handles = append(is.handles, handle)
		}
	}
	defer func() {
		for what, of := range []map[uint64]int32{is.streams, is.events, is.liveOuts} {
			for handle := range of {
				require.Zero(t, refusable([]int{1, 6, 12}[what], handle, handle, false, 0, 0), lastError())
			}
		}
	}()
	for i := range uint64(devices.Count() + 3) {
		is.handles = append(is.handles, 0xd000000000000000+i)
	}
	is.handles = append(is.handles, 0, 0, 1, 1<<63, 1<<64-1)
	r := rand.New(rand.NewPCG(seed, 0))
	for range cases {
		n, stream, event, null, kind, device := r.IntN(len(refusalCalls)), is.handle(r), is.handle(r), r.IntN(4) == 0, int32(r.IntN(16)-1), int32(r.IntN(devices.Count()+4)-1)
		if n == 0 && r.IntN(16) != 0 {
			n = 4 // making a stream takes a thread
		}
		if _, ends := is.streams[stream]; ends && n == 1 {
			continue
		}
		if _, ends := is.events[event]; ends && n == 6 {
			continue
		}
		if _, ends := is.liveOuts[stream]; ends && n == 12 {
			continue
		}
		null = null && refusalCalls[n].pointer != ""
		want := is.refusal(n, stream, event, null, kind, devices)
		st := refusable(n, stream, event, null, kind, device)
		if n == 0 && want.Status == 0 && (device < 0 || int(device) > devices.Count()) {
			want.Status = exec.NoDevice
			want.Text = lastError()
		}
		if int32(want.Status) != st || st != 0 && want.Text != lastError() {
			t.Fatalf("seed %d: %s(%#x, %#x, null %v, kind %d, device %d): C gives %d %q, Go %d %q", seed, refusalCalls[n].name, stream, event, null, kind, device,
				st, lastError(), want.Status, want.Text)
		}
	}
}

// handle is one that is live, stale, near such a one, or random.
func (is *live) handle(r *rand.Rand) uint64 {
	handle := is.handles[r.IntN(len(is.handles))]
	switch r.IntN(8) {
	case 0:
		return handle ^ 1<<r.IntN(64)
	case 1:
		return r.Uint64()
	}
	return handle
}

func (is *live) refusal(n int, stream, event uint64, null bool, kind int32, devices *exec.Devices) exec.Refusal {
	call, absent := refusalCalls[n], ""
	if null {
		absent = call.pointer
	}
	if n == 0 {
		return exec.PlanStream(!null, kind)
	}
	if stream == 0 && (n == 1 || n == 12) || event == 0 && n == 6 {
		return exec.Refusal{}
	}
	if n <= lastOfEvents {
		c := exec.StreamCall{Call: call.name, Missing: absent, Stream: stream, Event: event, Facts: call.facts, Devices: int32(devices.Count()), Default: int32(devices.Default())}
		if _, ok := is.streams[stream]; ok {
			c.Facts |= exec.StreamLive
		}
		if _, ok := is.events[event]; ok {
			c.Facts |= exec.EventLive
		}
		return c.Refuse()
	}
	c := exec.LiveOutCall{Call: call.name, Missing: absent, Handle: stream, Kind: kind, Names: [2]string{kindName(kind), ""}}
	of, ok := is.liveOuts[stream]
	if ok {
		c.Facts, c.Of, c.Names[1] = exec.LiveOutLive, of, kindName(of)
	}
	switch n {
	case firstOfLiveOuts:
		c.Label, c.Facts = "x", exec.CreatesLiveOut
	case firstOfLiveOuts + 1:
	default:
		c.Facts |= exec.NamesKind
	}
	return c.Refuse()
}
