//go:build portable_test_hooks

package guard

import (
	"os"
	"syscall"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"libportable/internal/backend"
	"libportable/internal/backend/backendtest"
	"libportable/internal/backend/host"
)

const (
	outOfBounds = iota + 1
	useAfterFree
	canaryGone
	neverWritten
)

const (
	withPages = iota + 1
	withCanary
)

var page = uintptr(os.Getpagesize()) // the least that the system maps

// The si_code values of SIGTRAP on Linux.
const (
	byTkill   = -6
	byQueue   = -1
	byUser    = 0
	breakTrap = 1
	traceTrap = 2
	byKernel  = 0x80
)

// write touches the first and the last byte of mapped memory.
func write(addr uintptr, bytes uint64) {
	b := unsafe.Slice(*(**byte)(unsafe.Pointer(&addr)), bytes)
	b[0], b[bytes-1] = 1, 2
}

// guarding sets options, and watches what is reported.
func guarding(t *testing.T, change func(*Guarding)) Guard {
	g := Guarding{On: true, Exact: true, Precise: true, Budget: 2 << 30, Quarantine: 1 << 30, Stack: 16, Max: 1}
	if change != nil {
		change(&g)
	}
	g.Set()
	t.Cleanup(func() { Guarding{}.Set() })
	watchGuard()
	return Guard{Inner: host.Heap{}, Pages: g.Exact}
}

func take(t *testing.T, g Guard, bytes uint64) uintptr {
	addr, err := g.Reserve(bytes)
	require.NoError(t, err)
	t.Cleanup(func() {
		if howGuarded(addr) != 0 {
			require.NoError(t, g.Release(addr, bytes))
		}
	})
	return addr
}

// one is the only violation since watching.
func one(t *testing.T) violation {
	t.Helper()
	all := violations()
	require.Len(t, all, 1, "%+v", all)
	watchGuard()
	return all[0]
}

func none(t *testing.T) {
	t.Helper()
	require.Empty(t, violations())
}

func TestGuardIsASource(t *testing.T) {
	for _, exact := range []bool{true, false} {
		g := guarding(t, func(o *Guarding) { o.Exact, o.Precise = exact, false })
		backendtest.Source(t, func() backend.Source { return g }, write)
		none(t)
	}
}

func TestAlignmentIsThatOfTheSize(t *testing.T) {
	g := guarding(t, nil)
	for bytes, align := range map[uint64]uintptr{1: 1, 6: 2, 20: 4, 24: 8, 48: 16, 96: 32, 64: 64, 4096: 64, 1000000: 64, 999999: 1} {
		addr := take(t, g, bytes)
		require.Equal(t, withPages, howGuarded(addr))
		require.Zero(t, addr%align, bytes)
		require.Zero(t, (addr+uintptr(bytes))%page, "%d bytes end at %#x", bytes, addr+uintptr(bytes))
		require.NoError(t, g.Release(addr, bytes))
	}
	none(t)
}

func TestOutOfBounds(t *testing.T) {
	g := guarding(t, nil)
	for _, bytes := range []uint64{0, 8, 40, uint64(page), 80000, 5 << 20} {
		addr := take(t, g, bytes)
		end := addr + uintptr(bytes)
		for _, width := range []int{1, 2, 4, 8} {
			poke(end, width, 0x1122334455667788)
			require.Equal(t, violation{outOfBounds, 1, end, uint64(width), 0, addr, bytes}, one(t))
			require.Equal(t, uint64(0x88), peek(end, width)&0xff, "what was written is there")
			require.Equal(t, violation{outOfBounds, 0, end, uint64(width), 0, addr, bytes}, one(t))
		}
		poke(end+16, 8, 1)
		require.Equal(t, int64(16), one(t).distance)
		if bytes%uint64(page) == 0 && bytes > 0 {
			peek(addr-8, 8)
			require.Equal(t, violation{outOfBounds, 0, addr - 8, 8, -8, addr, bytes}, one(t))
		}
		require.NoError(t, g.Release(addr, bytes))
		none(t)
	}
}

func TestGuardBefore(t *testing.T) {
	g := guarding(t, func(o *Guarding) { o.Guard = GuardStart })
	addr := take(t, g, 100)
	require.Zero(t, addr%page)
	peek(addr-4, 4)
	require.Equal(t, violation{outOfBounds, 0, addr - 4, 4, -4, addr, 100}, one(t))
	poke(addr+102, 1, 7)
	none(t)
	sweep()
	require.Equal(t, violation{canaryGone, 1, addr + 102, 1, 2, addr, 100}, one(t))
	sweep()
	none(t)
	require.NoError(t, g.Release(addr, 100))
	none(t)
	g = guarding(t, func(o *Guarding) { o.Guard = GuardAlternate })
	starts := 0
	for range 10 {
		if take(t, g, 100)%page == 0 {
			starts++
		}
	}
	require.Equal(t, 5, starts)
}

func TestGuardOnBothSides(t *testing.T) {
	g := guarding(t, func(o *Guarding) { o.Guard = GuardBoth })
	addr := take(t, g, 5000)
	for i := range 5000 {
		poke(addr+uintptr(i), 1, uint64(i))
	}
	for i := range 5000 {
		require.Equal(t, uint64(byte(i)), peek(addr+uintptr(i), 1))
	}
	none(t)
	for k := range 3 * 64 { // these are not counted: the page is not opened for good
		poke(addr-1, 1, uint64(k))
		require.Equal(t, violation{outOfBounds, 1, addr - 1, 1, -1, addr, 5000}, one(t))
	}
	poke(addr+5000, 1, 7)
	require.Equal(t, int64(0), one(t).distance)
	require.NoError(t, g.Release(addr, 5000))
	require.Equal(t, canaryGone, one(t).kind)
}

func TestUseAfterFree(t *testing.T) {
	g := guarding(t, nil)
	addr := take(t, g, 800)
	poke(addr+8, 8, 4711)
	require.NoError(t, g.Release(addr, 800))
	start, state := found(addr + 100)
	require.Equal(t, addr, start)
	require.Equal(t, 2, state)
	require.True(t, GuardFreed(addr))
	require.Equal(t, uint64(4711), peek(addr+8, 8), "the contents are still there")
	require.Equal(t, violation{useAfterFree, 0, addr + 8, 8, 8, addr, 800}, one(t))
	poke(addr+8, 8, 12)
	require.Equal(t, violation{useAfterFree, 1, addr + 8, 8, 8, addr, 800}, one(t))
	require.Equal(t, uint64(12), peek(addr+8, 8))
	require.Zero(t, howGuarded(addr))
}

func TestTooManyHitsOpenTheBlock(t *testing.T) {
	g := guarding(t, nil)
	addr := take(t, g, 8<<20)
	for i := range uintptr(1000) {
		poke(addr+8<<20+i, 1, 1)
	}
	require.Len(t, violations(), 65)
	require.NoError(t, g.Release(addr, 8<<20))
	watchGuard()
	for i := range uintptr(8 << 20) {
		if i%512 == 0 {
			poke(addr+i, 1, 1)
		}
	}
	require.Len(t, violations(), 65)
}

func TestQuarantineIsAsLongAsAsked(t *testing.T) {
	g := guarding(t, func(o *Guarding) { o.Quarantine = 16 * uint64(page) })
	var freed []uintptr
	for i := range 100 {
		addr := take(t, g, uint64(page))
		poke(addr, 8, uint64(i))
		require.NotContains(t, freed[max(0, len(freed)-16):], addr)
		require.NoError(t, g.Release(addr, uint64(page)))
		freed = append(freed, addr)
	}
	none(t)
	for i := 84; i < 100; i++ {
		require.Equal(t, uint64(i), peek(freed[i], 8), "closed, with its contents")
	}
	require.Len(t, violations(), 16)
}

// The contents of freed blocks are given up when they are too much; their addresses stay closed.
func TestPagesAreGivenUp(t *testing.T) {
	g := guarding(t, func(o *Guarding) { o.Quarantine, o.Budget = 0, 2<<20 })
	var freed []uintptr
	for i := range 40 {
		bytes := uint64(4096 * (i + 1))
		addr := take(t, g, bytes)
		require.Equal(t, withPages, howGuarded(addr))
		poke(addr, 8, 99)
		require.NoError(t, g.Release(addr, bytes))
		freed = append(freed, addr)
	}
	given := 0
	for _, addr := range freed {
		if start, _ := found(addr); start == addr && peek(addr, 8) == 0 {
			given++
		}
	}
	require.Greater(t, given, 10)
}

// Too large for the quarantine, and closed all the same.
func TestLargeFreedBlocksStayClosed(t *testing.T) {
	g := guarding(t, func(o *Guarding) { o.Quarantine, o.Budget = 0, 64<<20 })
	var freed []uintptr
	for range 20 {
		addr := take(t, g, 30<<20)
		require.NotContains(t, freed[max(0, len(freed)-7):], addr)
		require.NoError(t, g.Release(addr, 30<<20))
		freed = append(freed, addr)
	}
	none(t)
	peek(freed[15]+100, 8)
	require.Equal(t, useAfterFree, one(t).kind)
}

// A slot in whose block or next to it accesses were reported is closed all around when it serves again.
func TestSlotIsWholeAgain(t *testing.T) {
	g := guarding(t, func(o *Guarding) { o.Quarantine = 0 })
	for round := range 6 {
		addr := take(t, g, 48<<10)
		end := addr + 48<<10
		poke(end, 8, 7)
		require.Equal(t, outOfBounds, one(t).kind, round)
		if round%2 == 0 {
			for i := range uintptr(100) {
				poke(end+i*8, 8, 7)
			}
		}
		require.NoError(t, g.Release(addr, 48<<10))
		watchGuard()
		for i := range uintptr(100 * (round % 3)) {
			peek(addr+i*8, 8)
		}
		watchGuard()
	}
}

func TestCanaries(t *testing.T) {
	g := guarding(t, func(o *Guarding) { o.Exact = false })
	for _, bytes := range []uint64{0, 1, 7, 8, 63, 64, 1000} {
		addr := take(t, g, bytes)
		require.Equal(t, withCanary, howGuarded(addr))
		require.Zero(t, addr%64)
		start, _ := found(addr + uintptr(bytes) + 10)
		require.Equal(t, addr, start)
		poke(addr-3, 1, 5)
		poke(addr+uintptr(bytes)+4, 2, 5)
		none(t)
		sweep()
		require.ElementsMatch(t, []violation{{canaryGone, 1, addr - 3, 1, -3, addr, bytes}, {canaryGone, 1, addr + uintptr(bytes) + 4, 2, 4, addr, bytes}}, violations())
		watchGuard()
		require.NoError(t, g.Release(addr, bytes))
		none(t)
		require.Zero(t, howGuarded(addr))
		addr = take(t, g, bytes)
		poke(addr-64, 8, 1)
		require.NoError(t, g.Release(addr, bytes))
		require.Equal(t, int64(-64), one(t).distance)
	}
}

func TestSampling(t *testing.T) {
	g := guarding(t, func(o *Guarding) { o.Sample = 4 })
	pages := 0
	for range 40 {
		if addr := take(t, g, 256); howGuarded(addr) == withPages {
			pages++
		} else {
			require.Equal(t, withCanary, howGuarded(addr))
		}
	}
	require.Equal(t, 10, pages)
}

func TestBudget(t *testing.T) {
	g := guarding(t, func(o *Guarding) { o.Budget, o.Quarantine = 256*uint64(page), 128*uint64(page) })
	var all []uintptr
	pages := 0
	for range 400 {
		addr := take(t, g, uint64(page))
		if howGuarded(addr) == withPages {
			pages++
		}
		all = append(all, addr)
	}
	require.Greater(t, pages, 16)
	require.Less(t, pages, 200)
	for _, addr := range all {
		require.NoError(t, g.Release(addr, uint64(page)))
	}
	require.Equal(t, withPages, howGuarded(take(t, g, uint64(page))), "there is room again")
	none(t)
}

func TestFill(t *testing.T) {
	for _, exact := range []bool{true, false} {
		g := guarding(t, func(o *Guarding) { o.Fill, o.Exact = true, exact })
		addr := take(t, g, 80)
		count, first := unwritten(addr)
		require.Equal(t, []uint64{80, 0}, []uint64{count, first})
		require.Equal(t, uint64(0x7ff7dead7ff7dead), peek(addr, 8))
		for i := range uintptr(5) {
			poke(addr+8*i, 8, 1)
		}
		count, first = unwritten(addr)
		require.Equal(t, []uint64{40, 40}, []uint64{count, first})
		require.False(t, readCheck(addr, 40, 8))
		none(t)
		require.True(t, readCheck(addr, 80, 8))
		require.Equal(t, violation{neverWritten, 0, addr + 40, 8, 40, addr, 80}, one(t))
		require.False(t, readCheck(addr, 80, 8), "once for a block")
		require.NoError(t, g.Release(addr, 80))
	}
}

func TestThreadsStepBesideEachOther(t *testing.T) {
	for _, side := range []Side{GuardEnd, GuardBoth} {
		g := guarding(t, func(o *Guarding) { o.Guard = side })
		var at []uintptr
		for range 6 {
			at = append(at, take(t, g, 1000))
		}
		require.Zero(t, rove(at, 1000, 3))
		require.Len(t, violations(), 6*2*3)
		for _, v := range violations() {
			require.Equal(t, int64(0), v.distance)
		}
	}
}

func TestLongCopiesGoThrough(t *testing.T) {
	g := guarding(t, nil)
	from, to := take(t, g, 3000), take(t, g, 3000)
	for i := range uintptr(3000) {
		poke(from+i, 1, uint64(i%251))
	}
	copyBytes(to, from, 3300)
	require.NotEmpty(t, violations())
	for i := range uintptr(3000) {
		require.Equal(t, uint64(i%251), peek(to+i, 1))
	}
}

// closed is memory that the processor cannot access, as a device's.
type closed struct{ memory [][]byte }

func (*closed) Name() string { return "closed" }
func (c *closed) Reserve(bytes uint64) (uintptr, error) {
	m, err := syscall.Mmap(-1, 0, int(bytes), syscall.PROT_NONE, syscall.MAP_PRIVATE|syscall.MAP_ANON)
	c.memory = append(c.memory, m)
	return uintptr(unsafe.Pointer(unsafe.SliceData(m))), err
}

func (c *closed) Release(addr uintptr, _ uint64) error {
	for i, m := range c.memory {
		if uintptr(unsafe.Pointer(unsafe.SliceData(m))) == addr {
			c.memory = append(c.memory[:i], c.memory[i+1:]...)
			return syscall.Munmap(m)
		}
	}
	return backend.ErrRefused
}

func TestMemoryThatCanNotBeTouchedHasNoCanaries(t *testing.T) {
	guarding(t, nil)
	memory := &closed{}
	g := Guard{Inner: memory, Foreign: true}
	addr := take(t, g, 1000)
	require.Zero(t, howGuarded(addr))
	require.NoError(t, g.Release(addr, 1000))
	require.Empty(t, memory.memory)
	g.Inner = host.Heap{}
	require.Equal(t, withCanary, howGuarded(take(t, g, 1000)))
	none(t)
}
