//go:build portable_test_hooks

package timer_test

// This fuzz test compares the verdicts of C and Go about calls of timers, hooks and checks.

import (
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
		pointer := flags&1 != 0
		c := exec.TimerCall{Kind: exec.TimerKind(kind), Call: "portable_timer", Label: label, Which: which, StructSize: size, Reserved: reserved,
			Pointer: pointer, Bytes: bytes}
		agree(t, timer.Ordinary(kind, which, size, reserved, pointer, bytes, uint64(len(label))), c.Refusal())
		agree(t, timer.HookOrdinary(pointer, flags&2 != 0, size), exec.HookAdd(pointer, flags&2 != 0, size))
		agree(t, timer.ChecksOrdinary(size), exec.SetChecks(size))
		agree(t, timer.ChecksOrdinary(size&31), exec.SetChecks(size&31))
	})
}

func agree(t *testing.T, ordinary bool, r exec.Refusal) {
	require.Equal(t, ordinary, r.Status == 0, r.Text)
	require.Equal(t, ordinary, r.Text == "")
	require.Equal(t, !ordinary, strings.HasPrefix(r.Text, "portable_"), r.Text)
}
