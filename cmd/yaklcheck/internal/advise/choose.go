package advise

import (
	"errors"
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"libportable/cmd/yaklcheck/internal/show"
	"libportable/gator"
)

// This file chooses: the settings of the run, the settings to try, the best of them.

// Advice is the result of the replays of one run.
type Advice struct {
	Run      *show.Run
	Present  Outcome
	Pool     bool   // false: the run had GATOR_DISABLE
	Limit    uint64 // of all slabs together; 0: none
	Peak     uint64 // most bytes at once, as the program asked for them
	Blocks   int
	Page     uint64 // bytes of one page of memory
	Outcomes []Outcome
	Best     Outcome
	Fine     bool // the present settings are as good as the best
}

// ErrNoBlocks means that the run has not used the default pool.
var ErrNoBlocks = errors.New("it has no blocks of the default pool: pools that the program makes itself have no settings in the environment")

// For tries settings on the blocks of a run.
func For(r *show.Run) (*Advice, error) {
	all, blocks := requests(r)
	if blocks == 0 {
		return nil, fmt.Errorf("%s: %w", r.Path, ErrNoBlocks)
	}
	a := &Advice{Run: r, Blocks: blocks, Page: r.Meta.PageSize(), Pool: r.Meta.Value("pool") != "false"}
	word := strings.ToLower(r.Meta.Value("PORTABLE_HUGEPAGES"))
	small := word != "" && strings.Contains("0 n no f false off", word) || r.Meta.Value("hugepages") == "false"
	if a.Page == smallPage && !small {
		a.Page = hugePage
	}
	a.Limit, _ = strconv.ParseUint(r.Meta.Value("limit"), 10, 64)
	var live uint64
	for _, q := range all {
		if q.free {
			live -= q.bytes // below 0 it wraps around
		} else {
			live += q.bytes
		}
		if int64(live) > int64(a.Peak) {
			a.Peak = live
		}
	}
	seen := map[Setting]Outcome{}
	try := func(s Setting) (Outcome, error) {
		if o, ok := seen[s]; ok {
			return o, nil
		}
		o, err := replay(all, blocks, s, a.Page)
		if err != nil {
			return o, err
		}
		seen[s] = o
		if a.Limit == 0 || o.Mapped <= a.Limit || s == a.Present.Setting {
			a.Outcomes = append(a.Outcomes, o)
		}
		return o, nil
	}
	var err error
	present := a.present()
	a.Present.Setting = present
	if a.Present, err = try(present); err != nil {
		return nil, err
	}
	for _, block := range []uint64{present.Block, 64, 128, 256, 1024, 4096} {
		// A replay in one endless slab shows how long the slab must be: up to its highest block.
		endless, err := replay(all, blocks, Setting{Initial: 4*a.Peak + uint64(blocks)*block + 1<<30, Block: block}, a.Page)
		if err != nil {
			return nil, err
		}
		if _, err = try(Setting{Initial: rounded(endless.End), Block: block}); err != nil {
			return nil, err
		}
	}
	for _, grow := range []uint64{present.Initial / 4, present.Initial, rounded(a.Peak / 4)} {
		if grow > 0 && a.Peak/grow < 1000 {
			if _, err := try(Setting{Initial: present.Initial, Grow: grow &^ (1<<20 - 1), Block: present.Block}); err != nil {
				return nil, err
			}
		}
	}
	a.choose()
	return a, nil
}

// present is the setting of the run: from the trace, or from its first slab, or the default.
func (a *Advice) present() Setting {
	number := func(name string, otherwise uint64) uint64 {
		if n, err := strconv.ParseUint(a.Run.Meta.Value(name), 10, 64); err == nil {
			return n
		}
		return otherwise
	}
	first := uint64(gator.DefaultInitial)
	if len(a.Run.Slabs) > 0 {
		first = a.Run.Slabs[0].Bytes
	}
	s := Setting{Initial: number("initial", first), Grow: number("grow", 0), Block: number("block", gator.DefaultBlock)}
	if bits.OnesCount64(s.Block) != 1 || s.Block < gator.MinBlock || s.Block > gator.MaxBlock {
		s.Block = gator.DefaultBlock
	}
	s.Initial = max(s.Initial, s.Block)
	return s
}

// rounded adds a tenth and rounds to whole megabytes of few figures. A little more costs address space only.
func rounded(bytes uint64) uint64 {
	mb := max((bytes+bytes/10+1<<20-1)>>20, 1)
	step := uint64(1) << max(bits.Len64(mb)-4, 0)
	return (mb + step - 1) / step * step << 20
}

// choose takes the setting with the least memory. Among those within two per cent it takes the one with the fewest
// slabs, then the one that changes least.
func (a *Advice) choose() {
	least := a.Present.Touched
	for _, o := range a.Outcomes {
		least = min(least, o.Touched)
	}
	a.Best = a.Present
	for _, o := range a.Outcomes {
		if o.Touched-least > least/50 {
			continue
		}
		b := a.Best
		switch {
		case b.Touched-least > least/50,
			o.Slabs < b.Slabs,
			o.Slabs == b.Slabs && a.changes(o) < a.changes(b),
			o.Slabs == b.Slabs && a.changes(o) == a.changes(b) && o.Mapped < b.Mapped:
			a.Best = o
		}
	}
	// A slab that is made during the run costs microseconds; a few of them are no reason to change a setting.
	a.Fine = a.Pool && a.Present.Touched-least <= least/20 && a.Present.Slabs <= 2
	if a.Fine {
		a.Best = a.Present
	}
}

// changes weighs the variables that differ from the present setting. GATOR_INITIAL_MB is the easiest to understand.
func (a *Advice) changes(o Outcome) (n int) {
	if o.Initial != a.Present.Initial {
		n += 2
	}
	if o.Grow != a.Present.Grow {
		n += 3
	}
	if o.Block != a.Present.Block {
		n += 4
	}
	return n
}
