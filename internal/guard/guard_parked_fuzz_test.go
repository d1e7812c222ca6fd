//go:build portable_test_hooks

package guard

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// kept is what the model knows of a block with canaries.
type kept struct {
	addr            uintptr
	bytes           uint64
	label           int
	parked, changed bool // changed: the byte behind it was overwritten
	told            bool
}

// FuzzParked plays frees and allocations with and without parking, and compares with a model: what fits, and that each overwritten canary is reported once, of live
// and of parked blocks.
func FuzzParked(f *testing.F) {
	f.Add([]byte{0, 1, 1, 0, 2, 1, 1, 0, 3, 0, 2, 1, 5, 6})
	f.Add([]byte{0, 0, 0, 0, 1, 1, 1, 0, 3, 1, 5, 2, 0, 4, 0, 6, 7})
	f.Add([]byte{0, 2, 3, 0, 1, 0, 5, 4, 0, 0, 2, 1, 0, 3, 0, 5, 2, 2, 6})
	f.Add([]byte{0, 3, 1, 0, 3, 0, 2, 3, 0, 7, 1, 0, 7, 1, 0, 2, 3})
	f.Fuzz(func(t *testing.T, ops []byte) {
		next := func() (b byte) {
			if len(ops) > 0 {
				b, ops = ops[0], ops[1:]
			}
			return b
		}
		g := guarding(t, func(o *Guarding) { o.Exact = false })
		var blocks []kept // in the order in which they were taken or parked
		stopped := false
		tells := func(b *kept) (n int) {
			if b.changed && !b.told {
				b.told, n = true, 1
			}
			return n
		}
		remove := func(i int) { blocks = append(blocks[:i], blocks[i+1:]...) }
		for steps := 0; len(ops) > 0 && steps < 200; steps++ {
			watchGuard()
			want := 0
			op := next()
			which := next()
			i := -1
			if len(blocks) > 0 {
				i = int(which) % len(blocks)
			}
			switch {
			case op%8 == 0:
				b := kept{bytes: uint64(which&3) * 31, label: int(which >> 2 & 1)}
				b.addr = take(t, g, b.bytes)
				publishParked(b.addr)
				blocks = append(blocks, b)
			case op%8 == 2:
				bytes, label, fits := uint64(which&3)*31, int(which>>2&1), -1
				for k, b := range blocks { // the newest
					if b.parked && b.bytes == bytes && b.label == label && !stopped {
						fits = k
					}
				}
				addr := unpark(bytes, label)
				if fits < 0 {
					require.Zero(t, addr)
					break
				}
				require.Equal(t, blocks[fits].addr, addr)
				want = tells(&blocks[fits])
				b := blocks[fits]
				b.parked, b.changed, b.told = false, false, false
				remove(fits)
				blocks = append(blocks, b)
			case op%8 == 5:
				sweep()
				for k := range blocks {
					want += tells(&blocks[k])
				}
			case op%8 == 6:
				drained(t, g)
				var live []kept
				for k := range blocks {
					if blocks[k].parked {
						want += tells(&blocks[k])
					} else {
						live = append(live, blocks[k])
					}
				}
				blocks = live
			case op%8 == 7:
				stopped = !stopped
				stopParking(stopped)
			case i < 0:
			case op%8 == 1:
				b := blocks[i]
				require.Equal(t, !b.parked && !b.changed && !stopped, park(b.addr, b.label))
				if !b.parked && !b.changed && !stopped {
					b.parked = true
					remove(i)
					blocks = append(blocks, b)
				}
			case op%8 == 3:
				poke(blocks[i].addr+uintptr(blocks[i].bytes), 1, 0x55)
				blocks[i].changed = true
			case op%8 == 4 && !blocks[i].parked:
				want = tells(&blocks[i])
				require.NoError(t, g.Release(blocks[i].addr, blocks[i].bytes))
				remove(i)
			}
			require.Len(t, violations(), want, "%+v", violations())
			for _, b := range blocks {
				require.Equal(t, b.parked, isParked(b.addr))
				require.Equal(t, b.parked, howGuarded(b.addr) == 0)
			}
		}
		stopParking(false)
		drained(t, g)
		for _, b := range blocks {
			if !b.parked {
				require.NoError(t, g.Release(b.addr, b.bytes))
			}
		}
	})
}
