//go:build portable_test_hooks

package guard

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// held is what the model knows of a block.
type held struct {
	addr         uintptr
	bytes        uint64
	mark         byte // what its first and last byte hold
	before, back bool // a canary there was overwritten, and not yet told
	toldBefore   bool
	toldBack     bool
	hits         int // accesses beyond it that were reported
}

// FuzzGuard plays a sequence of operations and compares with a model: which accesses are reported, as what, and that all contents stay.
func FuzzGuard(f *testing.F) {
	f.Add([]byte{0, 0, 10, 0, 7, 2, 0, 3, 1, 4, 0, 1, 0, 5, 0})
	f.Add([]byte{1, 0, 200, 0, 3, 2, 0, 3, 0, 6, 0, 1, 1, 1, 0})
	f.Add([]byte{2, 0, 255, 255, 0, 0, 5, 1, 3, 1, 1, 0, 4, 0, 4, 0})
	f.Add([]byte{7, 0, 1, 0, 2, 2, 0, 2, 1, 3, 0, 3, 1, 5, 0, 1, 0, 1, 0, 4, 0})
	f.Add([]byte{12, 0, 0, 0, 0, 3, 0, 3, 1, 2, 0, 1, 0, 4, 1, 0, 64, 0, 6, 0})
	f.Fuzz(func(t *testing.T, ops []byte) {
		next := func() (b byte) {
			if len(ops) > 0 {
				b, ops = ops[0], ops[1:]
			}
			return b
		}
		kind := next()
		g := guarding(t, func(o *Guarding) {
			o.Exact, o.Guard, o.Precise = kind&8 == 0, Side(kind&3), kind&4 == 0
			o.Fill = kind&16 != 0
			if kind&32 != 0 {
				o.Sample = 3
			}
			o.Quarantine = uint64(kind>>6) << 16
		})
		var live, freed []held
		check := func(b held) {
			if b.bytes > 0 {
				require.Equal(t, uint64(b.mark), peek(b.addr, 1))
				require.Equal(t, uint64(b.mark), peek(b.addr+uintptr(b.bytes)-1, 1))
			}
		}
		// canaries are what a look at a block tells.
		canaries := func(b *held) (n int) {
			if b.before && !b.toldBefore {
				b.toldBefore = true
				n++
			}
			if b.back && !b.toldBack {
				b.toldBack = true
				n++
			}
			return n
		}
		for steps := 0; len(ops) > 0 && steps < 200; steps++ {
			watchGuard()
			want := 0
			switch op := next(); {
			case op%7 == 0: // a new block
				b := held{bytes: uint64(next()) | uint64(next()&31)<<8, mark: byte(steps)}
				b.addr = take(t, g, b.bytes)
				for _, o := range live {
					require.True(t, b.addr+uintptr(b.bytes) <= o.addr || o.addr+uintptr(o.bytes) <= b.addr, "blocks overlap")
				}
				if b.bytes > 0 {
					poke(b.addr, 1, uint64(b.mark))
					poke(b.addr+uintptr(b.bytes)-1, 1, uint64(b.mark))
				}
				for i := range freed { // its slot may be that of a block that was freed
					if start, state := found(freed[i].addr); state != 2 || start != freed[i].addr {
						freed[i].hits = -1
					}
				}
				live = append(live, b)
			case len(live) == 0:
			case op%7 == 1: // a block less
				i := int(next()) % len(live)
				b := live[i]
				check(b)
				paged := howGuarded(b.addr) == withPages
				require.NoError(t, g.Release(b.addr, b.bytes))
				want = canaries(&b)
				live = append(live[:i], live[i+1:]...)
				if paged {
					b.hits = 0
					freed = append(freed, b)
				}
			case op%7 == 2 || op%7 == 3: // one byte beyond
				b := &live[int(next())%len(live)]
				at := b.addr - 1
				if op%7 == 2 {
					at = b.addr + uintptr(b.bytes)
				}
				if b.hits >= 64 {
					break
				}
				poke(at, 1, uint64(^b.mark))
				all := violations()
				want = len(all)
				require.LessOrEqual(t, want, 1)
				if want == 1 { // into closed pages
					require.Equal(t, withPages, howGuarded(b.addr))
					require.Equal(t, outOfBounds, all[0].kind)
					require.Equal(t, at, all[0].addr)
					require.Equal(t, b.addr, all[0].start)
					b.hits++
				}
				changed := ^b.mark != pattern(at, b.addr)
				if slack := inSlack(b.addr, at); slack && op%7 == 2 {
					b.back = changed
				} else if slack {
					b.before = changed
				}
			case op%7 == 4: // a block that was freed
				if len(freed) == 0 {
					break
				}
				b := &freed[int(next())%len(freed)]
				if b.hits < 0 || b.hits >= 64 || b.bytes == 0 {
					break
				}
				peek(b.addr, 1)
				want = 1
				all := violations()
				require.Len(t, all, 1)
				require.Equal(t, violation{useAfterFree, 0, b.addr, 1, 0, b.addr, b.bytes}, all[0])
				b.hits++
			case op%7 == 5:
				sweep()
				for i := range live {
					want += canaries(&live[i])
				}
			default:
				for _, b := range live {
					check(b)
				}
			}
			require.Len(t, violations(), want, "%+v", violations())
		}
		watchGuard()
		for _, b := range live {
			check(b)
			require.NoError(t, g.Release(b.addr, b.bytes))
		}
	})
}

// pattern is the byte that belongs before or behind the block that starts at start.
func pattern(at, start uintptr) byte {
	if before := start - at; before >= 1 && before <= 8 {
		return byte(uint64(0xfffffffffffffff1) >> (8 * (8 - before)))
	}
	return byte(uint64(0xca11ab1eca11ab1e) >> (8 * (at & 7)))
}
