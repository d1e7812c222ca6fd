//go:build portable_test_hooks

package capi

// These tests check reductions and observers on devices in Go, and that C and Go agree about
// launches on CUDA devices.

import (
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"libportable/exec"
	"libportable/internal/backend/fake"
	"libportable/internal/instance"
)

// A device that runs leaves in an order that is new each time, on several threads, gives the bits of the serial one.
func TestReductionsDoNotDependOnTheDevice(t *testing.T) {
	require.NoError(t, lib.AddDevice(fake.Device{N: 3}))
	require.NoError(t, lib.Init(instance.Request{}))
	defer func() { require.NoError(t, lib.Finalize()) }()
	for _, n := range []int64{1, 16, 100, 5000, 100000} {
		wanted, st := inverses(n, instance.Serial)
		require.Zero(t, st)
		exact := new(big.Rat)
		if n <= 5000 {
			for i := int64(1); i <= n; i++ {
				exact.Add(exact, new(big.Rat).SetFloat64(1/float64(i)))
			}
			value, _ := exact.Float64()
			require.Equal(t, value, wanted[1])
		}
		for range 5 {
			for _, device := range []int{instance.Threads, instance.Threads + 1} {
				found, st := inverses(n, device)
				require.Zero(t, st)
				require.Equal(t, wanted, found, "device %d", device)
			}
		}
	}
}

// own is a device that the program adds.
type own struct{ fake.Device }

func (own) Name() string { return "own" }

func TestObserversSeeDevicesOfGo(t *testing.T) {
	require.NoError(t, lib.AddDevice(own{fake.Device{N: 3}}))
	require.NoError(t, lib.Init(instance.Request{}))
	defer func() { require.NoError(t, lib.Finalize()) }()
	devices, err := lib.Devices()
	require.NoError(t, err)
	number, err := devices.Find("own")
	require.NoError(t, err)
	for _, device := range []int{instance.Serial, instance.Threads, number} {
		heard, st := watchedLaunch(100, device)
		require.Zero(t, st, lastError())
		require.Equal(t, [6]int64{1, 1, 100, int64(device), 0, 100}, heard)
		heard, st = watchedLaunch(13, device)
		require.EqualValues(t, -13, st, "a kernel that fails")
		require.Equal(t, [5]int64{1, 1, 13, int64(device), -13}, [5]int64(heard[:5]))
	}
}

// some is a launch on a device: mostly good, some of it odd.
func (f *farCase) some(r *rand.Rand) {
	rarely := func() bool { return r.IntN(10) == 0 }
	*f = farCase{device: 2, named: r.Int32N(2) * 2, stream: r.IntN(2) == 0, team: rarely(), most: []int32{1024, 1024, 640, 256, 64, 1}[r.IntN(6)],
		registers: r.Int32N(256), maxShared: 48 << 10, optedIn: []int32{0, 48 << 10, 99 << 10, 227 << 10}[r.IntN(4)], count: 1 + r.Int64N(1<<r.IntN(40)),
		multiprocessors: 1 + r.Int32N(140)}
	if rarely() {
		f.named = r.Int32N(4)
	}
	end := 0
	for range r.IntN(5) {
		a := farArgument{offset: (end + 7) / 8 * 8, bytes: 1 + r.IntN(24)}
		if a.view = r.IntN(3) == 0; a.view {
			a.declared = r.IntN(9)
			a.rank, a.bytes = a.declared, 16+24*a.declared
			if rarely() {
				a.rank = []int{-1, 0, 3, 9, 1 << 30}[r.IntN(5)]
			}
		}
		end = a.offset + a.bytes
		f.arguments = append(f.arguments, a)
	}
	if f.block = (end + 7) / 8 * 8; rarely() {
		f.block += 8 * r.IntN(3)
	}
	if rarely() {
		f.block = 3832 + 8*r.IntN(4)
	}
	f.noArguments = r.IntN(24) == 0
	threads := func() int32 { return []int32{32, 128, 256, 1024, 1025, f.most, f.most + 1, 1 << 20}[r.IntN(8)] }
	if rarely() {
		f.ofCode = threads()
	}
	if r.IntN(4) == 0 {
		f.ofLaunch = threads()
	}
	if rarely() {
		f.static = r.Int32N(f.maxShared + 1)
	}
	opted := max(f.maxShared, f.optedIn) - f.static
	f.allowed = []int32{0, f.maxShared - f.static, opted}[r.IntN(3)]
	if r.IntN(4) == 0 {
		f.scratch = uint64(r.IntN(300 << 10))
	}
	if rarely() {
		f.scratch = uint64(int64(opted) + r.Int64N(3) - 1)
		if opted == 0 {
			f.scratch = 1 << 31
		}
	}
	if rarely() {
		f.ofProgram = r.Uint64N(1<<20 + 1)
	}
	has := 256 + int32(f.block)
	if f.block > 3840 {
		has = 264
	}
	switch r.IntN(8) {
	case 0:
	case 1:
		f.takes = max(has+r.Int32N(40)-30, 1)
	case 2:
		f.takes = 256 + int32(end)
	default:
		f.takes = has
	}
}

// asGo is the same launch, of which Go knows all.
func (f *farCase) asGo(name, entry string) exec.DeviceLaunch {
	l := exec.DeviceLaunch{Call: "portable_launch", Label: "far", Device: int(f.device), DeviceName: name, NoArguments: f.noArguments && f.block > 0,
		Threads: int64(f.ofLaunch), MostThreads: int64(f.most), Registers: int(f.registers), Shared: int64(f.scratch + f.ofProgram),
		MostShared: int64(max(f.maxShared, f.optedIn)), Static: int64(f.static), Entry: entry, Takes: int64(f.takes), Has: int64(256 + f.block), Space: 256,
		Block: uint64(f.block), ByPointer: f.block > 3840}
	if f.stream {
		l.Named = int(f.named)
	}
	if f.ofCode != 0 {
		l.Threads = int64(f.ofCode)
	}
	if l.ByPointer {
		l.Has = 264
	}
	for i, a := range f.arguments {
		l.End = max(l.End, uint64(a.offset+a.bytes))
		if a.view && a.rank != a.declared && l.View == nil {
			l.View = &exec.DeviceView{Argument: i + 1, Rank: a.rank, Declared: a.declared}
		}
	}
	return l
}

// C's predicate and Go's refusal find the same launches on CUDA devices ordinary, and of two faults the same comes first.
func TestDeviceLaunchesAgree(t *testing.T) {
	cases := verdictCases()
	started(t)
	program, name := farProgram("far_entry"), deviceName(2)
	require.NotNil(t, program)
	r := rand.New(rand.NewPCG(13, 14))
	texts := []string{"the stream is one of device", "args is NULL", "is a view of rank", "threads are asked for", "bytes of shared memory", "the parameters of its entry"}
	refused := make([]int, len(texts))
	ordinary := 0
	var f farCase
	for n := range cases {
		f.some(r)
		l := f.asGo(name, "far_entry")
		err := l.Refusal()
		st, threads, parameters := f.verdict(program)
		if (st == 0) != (err == nil) || err != nil && (st != int32(exec.BadArgument) || lastError() != err.Error()) {
			t.Fatalf("%d: %+v: C gives %d %q; Go %v", n, f, st, lastError(), err)
		}
		if err == nil {
			ordinary++
			if threads < 1 || threads > l.MostThreads || l.Threads != 0 && threads != l.Threads || l.Takes != 0 && parameters != l.Takes || l.Takes == 0 && parameters != l.Has {
				t.Fatalf("%d: %+v: %d threads, %d bytes of parameters", n, f, threads, parameters)
			}
			continue
		}
		for k, text := range texts {
			if strings.Contains(err.Error(), text) {
				refused[k]++
			}
		}
	}
	require.Greater(t, ordinary, cases/4)
	for k, text := range texts {
		require.Greater(t, refused[k], cases/200, text)
	}
	t.Log(ordinary, refused)
}
