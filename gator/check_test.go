package gator

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"libportable/internal/backend"
	"libportable/internal/backend/paper"
)

// TestCheckSees breaks one thing at a time and expects Check to say what: a check that cannot fail proves
// nothing.
//
// The slab, in granules of 64 bytes: live 0-9, gap 10-19, waiting 20-29, live 30-39, gap 40-399.
func TestCheckSees(t *testing.T) {
	rows := []struct {
		name string
		harm func(p *Pool, s *slab)
		says string
	}{
		{"a slab lost by address", func(p *Pool, _ *slab) { p.sorted = p.sorted[:1] }, "2 slabs by age, 1 by address"},
		{"slabs out of order", func(p *Pool, _ *slab) { p.sorted[0], p.sorted[1] = p.sorted[1], p.sorted[0] }, "out of order"},
		{"slabs that overlap", func(p *Pool, s *slab) { p.sorted[1].base = s.base + 64 }, "overlap"},
		{"a block past the end", func(_ *Pool, s *slab) { s.records.setSpan(30, 371, 0) }, "granule 30 of 371 granules ends past the end"},
		{"a gap past the end", func(_ *Pool, s *slab) { s.records.setSpan(40, 361, 0) }, "ends past the end"},
		{"a length that wraps", func(_ *Pool, s *slab) { s.records.setSpan(40, ^uint32(0)-39, 0) }, "ends past the end"},
		{"a block without a state", func(_ *Pool, s *slab) { s.records.setState(30, kindNone) }, "granule 30 starts nothing"},
		{"the end of a gap at a start", func(_ *Pool, s *slab) { s.records.setState(40, kindGapEnd) }, "granule 40 starts nothing"},
		{"a block that is too short", func(_ *Pool, s *slab) { s.records.setSpan(0, 9, 0); s.records.setState(0, liveState(1)) }, "records end at granule 9 of 400"},
		{"two gaps that touch", func(_ *Pool, s *slab) { s.records.setGap(40, 100); s.records.setGap(140, 260) }, "two gaps touch at granule 140"},
		{"a gap without an end", func(_ *Pool, s *slab) { s.records.setState(399, kindNone) }, "the gap at granule 40 has no end"},
		{"a gap with a wrong end", func(_ *Pool, s *slab) { s.records.setSpan(19, 9, 0) }, "the gap at granule 10 has no end"},
		{"a block that is in no front", func(_ *Pool, s *slab) { s.records.setState(0, s.records.state(0).as(kindParked)) }, "the block at granule 0 is parked in no front"},
		{"a block of more bytes than it has", func(_ *Pool, s *slab) { s.records.setState(30, liveState(641)) }, "granule 30 holds 640 bytes and says 641"},
		{"a record inside a block", func(_ *Pool, s *slab) { s.records.setState(31, kindLive) }, "granule 31 inside a block or gap has a record"},
		{"a record at the end of a block", func(_ *Pool, s *slab) { s.records.setState(39, kindGapEnd) }, "granule 39 inside"},
		{"a record inside a gap", func(_ *Pool, s *slab) { s.records.setState(397, kindWait) }, "granule 397 inside"},
		{"a block of no length", func(_ *Pool, s *slab) { s.records.setSpan(30, 0, 0) }, "records end at granule 30 of 400"},
		{"a wrong count of free granules", func(_ *Pool, s *slab) { s.unused++ }, "371 granules in gaps counted, 370 found"},
		{"a gap that the bitmap lacks", func(_ *Pool, s *slab) { s.starts[0] &^= 1 << 10 }, "region 0 has 1 gap starts in the bitmap, 2 found"},
		{"a gap that is only in the bitmap", func(_ *Pool, s *slab) { s.starts[3] = 4 }, "region 3 has 1 gap starts in the bitmap, 0 found"},
		{"a largest gap that is too large", func(_ *Pool, s *slab) { s.largest.levels[0][0]++ }, "region 0 has largest gap 361 in the tree, 360 found"},
		{"a largest gap where none is", func(_ *Pool, s *slab) { s.largest.levels[0][5] = 1 }, "region 5 has largest gap 1 in the tree, 0 found"},
		{"a number behind the last region", func(_ *Pool, s *slab) { s.largest.levels[0][7] = 9 }, "tree"},
		{"a wrong maximum", func(_ *Pool, s *slab) { s.largest.levels[1][0] = 5 }, "level 1 of the tree is wrong at 0"},
		{"a maximum of nothing", func(_ *Pool, s *slab) { s.largest.levels[1][1] = 5 }, "level 1 of the tree is wrong at 1"},
		{"a wrong reserve", func(p *Pool, _ *slab) { p.reserved-- }, "reserved"},
		{"a wrong occupancy", func(p *Pool, _ *slab) { p.occupied += 64 }, "occupied"},
		{"high water below", func(p *Pool, _ *slab) { p.high = p.occupied - 1 }, "high water"},
		{"wrong bytes", func(p *Pool, _ *slab) { p.counts.Bytes++ }, "counted"},
		{"wrong blocks", func(p *Pool, _ *slab) { p.counts.Blocks--; p.counts.Frees++ }, "counted"},
		{"wrong frees", func(p *Pool, _ *slab) { p.counts.Frees++ }, "allocations less"},
		{"a block of no known kind", func(_ *Pool, s *slab) { s.records.setState(30, s.records.state(30)|kindMask) }, ""},
		{"wrong waiting bytes", func(p *Pool, _ *slab) { p.held.Bytes++ }, "wait"},
		{"wrong waiting blocks", func(p *Pool, _ *slab) { p.held.Blocks++ }, "wait"},
		{"a wrong count of the list", func(p *Pool, _ *slab) { p.wait.count++ }, "2 listed"},
		{"a waiting block that no event will release", func(p *Pool, _ *slab) { clear(p.wait.under) }, "wait"},
		{"another block in its place", func(p *Pool, s *slab) {
			for e := range p.wait.under {
				p.wait.under[e] = []uintptr{s.address(30)}
			}
		}, "wait"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			tables := &tightTables{words: 1 << 20}
			p, err := New(Config{Source: paper.New(paper.Upwards, 0), Tables: tables, Block: 64, Initial: 400 * 64, Grow: 64 * 64 * 100})
			require.NoError(t, err)
			var at [4]uintptr
			for i := range at {
				at[i], err = p.Allocate(640, "")
				require.NoError(t, err)
			}
			require.NoError(t, p.Free(at[1]))
			require.NoError(t, p.Depend(at[2], newFlag()))
			require.NoError(t, p.Free(at[2]))
			s := p.slabs[0]
			if row.name == "a wrong maximum" || row.name == "a maximum of nothing" {
				// Only a slab of more than 16 regions has a second level.
				_, err = p.Allocate(401*64, "")
				s = p.slabs[1]
			} else {
				_, err = p.Allocate(400*64, "")
			}
			require.NoError(t, err)
			require.NoError(t, p.Check(), "whole before")
			row.harm(p, s)
			err = p.Check()
			require.ErrorIs(t, err, ErrCorrupt)
			require.ErrorContains(t, err, row.says)
		})
	}
}

func TestDirectCheckSees(t *testing.T) {
	for name, harm := range map[string]func(d *Direct){
		"bytes":       func(d *Direct) { d.counts.Bytes++ },
		"blocks":      func(d *Direct) { d.counts.Blocks++ },
		"waiting":     func(d *Direct) { d.held.Blocks++ },
		"frees":       func(d *Direct) { d.counts.Frees++ },
		"the list":    func(d *Direct) { clear(d.wait.under) },
		"a lost one":  func(d *Direct) { clear(d.blocks) },
		"high water":  func(d *Direct) { d.high = 0 },
		"list length": func(d *Direct) { d.wait.count++ },
	} {
		t.Run(name, func(t *testing.T) {
			d, err := NewDirect(Config{Source: paper.New(paper.Upwards, 0)})
			require.NoError(t, err)
			a, err := d.Allocate(100, "")
			require.NoError(t, err)
			_, err = d.Allocate(200, "")
			require.NoError(t, err)
			require.NoError(t, d.Depend(a, newFlag()))
			require.NoError(t, d.Free(a))
			require.NoError(t, d.Check())
			harm(d)
			require.ErrorIs(t, d.Check(), ErrCorrupt)
		})
	}
}

// tightTables refuses large tables and counts what is out.
type tightTables struct {
	words int // the largest table that it gives
	out   int // tables given and not taken back
	sizes []int
}

var errTables = errors.New("no memory for tables")

func (t *tightTables) Take(words int) ([]uint64, error) {
	t.sizes = append(t.sizes, words)
	if words > t.words {
		return nil, fmt.Errorf("%w: %w", backend.ErrRefused, errTables)
	}
	t.out++
	return make([]uint64, words), nil
}

func (t *tightTables) Give(table []uint64) {
	if !slices.Contains(t.sizes, len(table)) {
		panic("tightTables: a table that was not taken")
	}
	t.out--
}
