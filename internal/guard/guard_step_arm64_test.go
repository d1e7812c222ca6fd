//go:build portable_test_hooks

package guard

import (
	"math/rand"
	"runtime"
	"syscall"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

const (
	armBlock  = 192 << 10
	armMiddle = 64 << 10 // before the largest displacement
)

func bytesAt(at uintptr, n int) []byte { return unsafe.Slice(*(**byte)(unsafe.Pointer(&at)), n) }

// armRunnable are instructions with x1 as base and x2 to x15 as data and index, that a copy may stand for.
func armRunnable(n int) (words []uint32) {
	for _, w := range armWords(40 * n) {
		w = w&^0x3e0 | 1<<5 // base
		for _, low := range []int{0, 16} {
			if r := w >> low & 31; r < 2 || r > 15 {
				w = w&^(31<<low) | (2+r%14)<<low
			}
		}
		if w>>27&7 == 5 { // a pair
			w = w&^(31<<10) | (2+(w>>10&31)%14)<<10
		}
		if decodeArm(w).how == armPlain {
			words = append(words, w)
		}
		if len(words) == n {
			break
		}
	}
	return words
}

// TestArmStepsDoWhatInstructionsDo runs each instruction in ordinary memory and in a freed block, with equal contents: registers, vectors and memory
// are equal afterwards, the access is reported once, and the page is closed again.
func TestArmStepsDoWhatInstructionsDo(t *testing.T) {
	random := rand.New(rand.NewSource(2))
	ordinary, err := syscall.Mmap(-1, 0, armBlock, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_PRIVATE|syscall.MAP_ANON)
	require.NoError(t, err)
	base := uintptr(unsafe.Pointer(&ordinary[0]))
	contents := make([]byte, armBlock)
	random.Read(contents)
	var start armState
	for i := range start.x {
		start.x[i] = 64 * uint64(i)
	}
	for i := range start.z {
		for k := range start.z[i] {
			if k%8 < 1 {
				start.z[i][k] = byte(random.Intn(256))
			}
		}
	}
	ran := map[armAccess]int{}
	all := armRunnable(1500)
	for len(all) > 0 {
		words := all[:min(512, len(all))]
		all = all[len(words):]
		require.True(t, putArm(words))
		for i, w := range words {
			want := start
			want.x[1] = uint64(base) + armMiddle
			copy(bytesAt(base, armBlock), contents)
			if !tryArm(i, &want) {
				continue
			}
			g := guarding(t, nil)
			block, err := g.Reserve(armBlock)
			require.NoError(t, err)
			copy(bytesAt(block, armBlock), contents)
			require.NoError(t, g.Release(block, armBlock))
			got := start
			got.x[1] = uint64(block) + armMiddle
			runArm(i, &got)
			seen, access := violations(), decodeArm(w)
			if len(seen) > 0 { // else all of its elements are switched off, or it fills the memory tag only
				require.Equal(t, useAfterFree, seen[0].kind)
				require.Equal(t, access.write, seen[0].write, "%08x", w)
				require.EqualValues(t, access.bytes, seen[0].bytes, "%08x", w)
				require.True(t, access.bytes == 0 || len(seen) == 1, "%08x: %+v", w, seen)
			}
			peek(block+8192, 1) // a page that it has not opened, and those that it has
			require.NotEmpty(t, violations(), "%08x", w)
			if len(seen) > 0 {
				before := len(violations())
				peek(seen[0].addr, 1)
				require.Len(t, violations(), before+1, "%08x: the page is closed again", w)
			}
			require.True(t, openAgain(block, armBlock))
			got.x[1] -= uint64(block)
			want.x[1] -= uint64(base)
			require.Equal(t, want.x[:16], got.x[:16], "%08x", w)
			require.Equal(t, want.z, got.z, "%08x", w)
			changed := 0
			for k, b := range bytesAt(block, armBlock) {
				if o := *(*byte)(unsafe.Pointer(base + uintptr(k))); b != o {
					require.Equal(t, o, b, "%08x: byte %d, at first %d", w, k, contents[k])
				}
				if b != contents[k] {
					changed++
				}
			}
			if access.bytes > 0 {
				require.LessOrEqual(t, changed, access.bytes, "%08x", w)
			}
			if changed > 0 {
				require.Equal(t, 1, access.write, "%08x", w)
			}
			ran[access]++
		}
	}
	t.Log(ran)
	require.Greater(t, len(ran), 20)
}

// TestArmAtomics lets ldxr and stxr of closed pages do their work in one step.
func TestArmAtomics(t *testing.T) {
	g := guarding(t, func(o *Guarding) { o.Guard = GuardBoth })
	ordinary := make([]uint64, 4)
	defer runtime.KeepAlive(ordinary)
	at := (uintptr(unsafe.Pointer(&ordinary[0])) + 15) &^ 15
	for which := range armAtomics {
		addr := take(t, g, 4992)
		end := addr + 4992
		for round := range uint64(3) {
			poke(end, 8, 0x1234567812345678)
			poke(end+8, 8, 7)
			poke(at, 8, 0x1234567812345678)
			poke(at+8, 8, 7)
			watchGuard()
			want, got := atomicAt(which, at, round+5), atomicAt(which, end, round+5)
			require.Equal(t, want, got, which)
			seen := violations()
			require.NotEmpty(t, seen)
			require.Equal(t, 1, seen[len(seen)-1].write, which)
			require.LessOrEqual(t, len(seen), 2, which) // one reads first
			require.Equal(t, peek(at, 8), peek(end, 8), which)
			require.Equal(t, peek(at+8, 8), peek(end+8, 8), which)
		}
	}
	addr := take(t, g, 4992)
	end := addr + 4992
	require.Equal(t, uint32(peek(end, 4)), onlyLoad(end))
	watchGuard()
	peek(end, 4)
	none(t) // its page stayed open
	require.NoError(t, g.Release(addr, 4992))
}

// TestArmStepsHideFromSignals: a handler of the program's never sees the copy.
func TestArmStepsHideFromSignals(t *testing.T) {
	g := guarding(t, func(o *Guarding) { o.Guard = GuardBoth })
	addr := take(t, g, 5000)
	require.Zero(t, underFire(addr-1, 3000))
	require.Len(t, violations(), 3000)
}

// TestArmTrapsOfSteps gives the handler every trap there is. Only the brk behind the copy ends a step; all others belong to the program.
func TestArmTrapsOfSteps(t *testing.T) {
	g := guarding(t, nil)
	for _, code := range []int{byTkill, byQueue, byUser, breakTrap, traceTrap, 3, 4, 5, 6, byKernel} {
		for _, far := range []int{-4, 0, 4, 8, 4096} {
			addr := take(t, g, 4096)
			ours := code == breakTrap && far == 4
			r, can := trapArm(addr+4096, code, far, false)
			require.True(t, can)
			require.Equal(t, armTrap{foreign: !ours, back: ours, pageOpen: !ours, maskBack: ours}, r, "code %d, %d bytes behind", code, far)
		}
	}
	r, can := trapArm(take(t, g, 4096)+4096, 0, 0, true)
	require.True(t, can)
	require.Equal(t, armTrap{back: true, maskBack: true}, r, "a fault that is not ours comes at the program's own instruction")
}

// TestArmSyndromes: the kernel passes the syndrome of a fault, qemu-user does not.
func TestArmSyndromes(t *testing.T) {
	const data, fetch, writes, maintenance = 0x24 << 26, 0x20 << 26, 1 << 6, 1 << 8
	for _, c := range []struct {
		word    uint32
		esr     uint64
		write   int
		isFetch bool
	}{
		{0xf9000020, 0, 1, true}, // str x0, [x1]
		{0xf9000020, data | writes, 1, false},
		{0xf9400020, 0, 0, true}, // ldr x0, [x1]
		{0xf9400020, data, 0, false},
		{0xf9400020, fetch, 0, true},
		{0xf8220020, data, 1, false},                        // ldadd x2, x0, [x1], which reads first
		{0xd50b7a21, 0, -1, true},                           // dc cvac, x1
		{0xd50b7a21, data | writes | maintenance, 0, false}, // which writes nothing
		{0x1d000420, 0, -1, true},                           // cpyp, with a fault on either side
		{0x1d000420, data | writes, 1, false},
		{0x1d000420, data, 0, false},
	} {
		write, isFetch := describedArm(c.word, c.esr)
		require.Equal(t, c.write, write, "%08x, %x", c.word, c.esr)
		require.Equal(t, c.isFetch, isFetch, "%08x, %x", c.word, c.esr)
	}
}
