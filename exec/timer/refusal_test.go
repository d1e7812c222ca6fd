//go:build portable_test_hooks

package timer_test

// These tests compare the verdicts of C and Go about calls of timers, hooks and checks.

import (
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"libportable/exec"
	"libportable/exec/timer"
)

// FuzzRefusals: Go refuses exactly the calls of timers, hooks and checks that C does not find ordinary.
func FuzzRefusals(f *testing.F) {
	for kind := int32(exec.TimerLabel); kind <= int32(exec.TimerPacks); kind++ {
		for _, n := range []uint32{0, 1, 2, 3, 4, 7, 8, 47, 48, 49, 63, 64, 65, 0x1fff, 0x2000, 1 << 31, 1<<32 - 1} {
			for flags := range uint8(8) {
				f.Add(kind, int32(n), n, n&1, flags, uint64(n)<<32|uint64(n), "halo")
				f.Add(kind, int32(n&1), n, uint32(0), flags, uint64(n), "")
			}
		}
	}
	f.Fuzz(func(t *testing.T, kind, which int32, size, reserved uint32, flags uint8, bytes uint64, label string) {
		if kind < int32(exec.TimerLabel) || kind > int32(exec.TimerPacks) {
			return
		}
		calls(t, kind, which, size, reserved, flags, bytes, label)
	})
}

// TestRefusals makes the same calls at random. REFUSAL_CASES sets their number.
func TestRefusals(t *testing.T) {
	cases, _ := strconv.Atoi(os.Getenv("REFUSAL_CASES"))
	if cases == 0 {
		cases = 100_000
	}
	r := rand.New(rand.NewPCG(7, 8))
	sizes := []uint32{0, 1, 2, 3, 4, 7, 8, 47, 48, 49, 63, 64, 65, 0x1fff, 0x2000, 1 << 31, 1<<32 - 1}
	labels := []string{"", "h", "halo"}
	var ordinary, each [exec.TimerPacks + 1]int
	for n := range cases {
		kind := r.Int32N(int32(exec.TimerPacks)-int32(exec.TimerLabel)+1) + int32(exec.TimerLabel)
		size, which, reserved, bytes := sizes[r.IntN(len(sizes))], r.Int32N(6)-2, uint32(0), uint64(r.IntN(100))
		switch n & 7 {
		case 0:
			size, which, bytes = r.Uint32(), int32(r.Uint32()), r.Uint64()
		case 1:
			reserved, bytes = r.Uint32N(3), uint64(size)<<32|uint64(size)
		}
		each[kind]++
		if calls(t, kind, which, size, reserved, uint8(r.IntN(4)), bytes, labels[r.IntN(len(labels))]) {
			ordinary[kind]++
		}
	}
	for kind := exec.TimerLabel; kind <= exec.TimerPacks; kind++ {
		if kind == exec.TimerStop { // C asks about a stop only after it has found that it does not fit
			require.Zero(t, ordinary[kind])
			continue
		}
		require.NotZero(t, ordinary[kind], "of kind %d none is ordinary", kind)
		require.Less(t, ordinary[kind], each[kind], "of kind %d none is refused", kind)
	}
}

// calls says whether the call of timers is ordinary.
func calls(t *testing.T, kind, which int32, size, reserved uint32, flags uint8, bytes uint64, label string) bool {
	pointer := flags&1 != 0
	c := exec.TimerCall{Kind: exec.TimerKind(kind), Call: "portable_timer", Label: label, Which: which, StructSize: size, Reserved: reserved,
		Pointer: pointer, Bytes: bytes}
	ordinary := timer.Ordinary(kind, which, size, reserved, pointer, bytes, uint64(len(label)))
	agree(t, ordinary, c.Refusal())
	agree(t, timer.HookOrdinary(pointer, flags&2 != 0, size), exec.HookAdd(pointer, flags&2 != 0, size))
	agree(t, timer.ChecksOrdinary(size), exec.SetChecks(size))
	agree(t, timer.ChecksOrdinary(size&31), exec.SetChecks(size&31))
	return ordinary
}

func agree(t *testing.T, ordinary bool, r exec.Refusal) {
	if ordinary != (r.Status == 0) || ordinary != (r.Text == "") || ordinary == strings.HasPrefix(r.Text, "portable_") {
		t.Fatalf("C finds it ordinary: %t; Go has %+v", ordinary, r)
	}
}
