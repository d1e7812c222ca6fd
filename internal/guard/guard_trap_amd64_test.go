//go:build portable_test_hooks

package guard

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTrapsOfSteps gives the handler every trap there is: a step ends with TRAP_TRACE, or, on some virtual machines, with TRAP_BRKPT and the trap flag.
// All others belong to the program, and its handler gets them while the step goes on.
func TestTrapsOfSteps(t *testing.T) {
	g := guarding(t, nil)
	block := func() uintptr { return take(t, g, 4096) + 4096 }
	if _, can := trap(block(), traceTrap, true, 0x90, 2); !can {
		t.Skip("this machine, or a debugger, does not let the library step")
	}
	for _, code := range []int{byTkill, byQueue, byUser, breakTrap, traceTrap, 3, 4, 5, 6, byKernel} {
		for _, flag := range []bool{true, false} {
			for _, before := range []int{0xF1, 0xCC, 0x90, 0x00, -1} {
				for _, behind := range []int{2, 15, 16, 40} {
					name := fmt.Sprintf("code %d, flag %v, %#x before, %d bytes behind", code, flag, before, behind)
					int1 := before == 0xF1 && behind > 15 // otherwise the last byte of the stepped instruction
					ours := code == traceTrap || code == breakTrap && flag && !int1
					r, can := trap(block(), code, flag, before, behind)
					require.True(t, can, name)
					require.Equal(t, trapResult{foreign: !ours, flagLeft: flag && !ours, pageOpen: !ours}, r, name)
					r, can = trap(0, code, flag, before, behind)
					require.True(t, can, name)
					require.Equal(t, trapResult{foreign: true, flagLeft: flag}, r, "no step: "+name)
				}
			}
		}
	}
}
