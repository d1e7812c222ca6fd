package instance

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"libportable/gator"
	"libportable/internal/backend"
	"libportable/internal/guard"
	"libportable/internal/outside"
	"libportable/internal/settings"
)

// This file holds PORTABLE_CHECK=memory, which puts guards around blocks (internal/guard/guard.h): the variable
// PORTABLE_MEMCHECK, and pools under guard.

// Defaults and limits of PORTABLE_MEMCHECK.
const (
	defaultBudget     = 2 << 30
	defaultQuarantine = 1 << 30
	defaultFrames     = 16
	mostFrames        = 64
	mostFindings      = 1 << 30
)

var sides = map[string]guard.Side{"end": guard.GuardEnd, "start": guard.GuardStart, "alternate": guard.GuardAlternate, "both": guard.GuardBoth}

const sideNames = "end, start, alternate or both"

// memcheck reads PORTABLE_MEMCHECK if PORTABLE_CHECK switches it on.
func (r *reader) memcheck(checks uint32) guard.Guarding {
	value, _ := r.env.Lookup(settings.Memcheck)
	if checks&checkMemory == 0 {
		if strings.TrimSpace(value) != "" {
			r.warnings = append(r.warnings, settings.Memcheck+" says how PORTABLE_CHECK=memory works, which is not set; it is ignored")
		}
		return guard.Guarding{}
	}
	g := guard.Guarding{On: true, Exact: true, Precise: true, Budget: defaultBudget, Quarantine: defaultQuarantine, Stack: defaultFrames, Max: 1}
	for _, option := range strings.Split(value, ",") {
		name, word, _ := strings.Cut(option, "=")
		name, word = strings.ToLower(strings.TrimSpace(name)), strings.ToLower(strings.TrimSpace(word))
		if name == "" {
			continue
		}
		if why := setMemcheck(&g, name, word); why != "" {
			r.warn(settings.Memcheck, value, why, "the other words")
		}
	}
	return g
}

// setMemcheck sets one option. If the value is invalid, why is not "" and nothing has changed.
func setMemcheck(g *guard.Guarding, name, word string) (why string) {
	whole := func(least, most uint64) (n uint64) {
		n, err := strconv.ParseUint(word, 10, 63)
		if err != nil || n < least || n > most {
			why = fmt.Sprintf("%s=%s: a number from %d to %d is wanted", name, outside.Value(word), least, most)
		}
		return n
	}
	size := func() (n uint64) {
		if n, why = settings.ParseSize(word, 1); why != "" {
			why = name + "=" + word + ": " + why
		}
		return n
	}
	choice := func() bool {
		yes, isWord := settings.YesOrNo(word)
		if !isWord {
			why = fmt.Sprintf("%s=%s: yes or no is wanted", name, outside.Value(word))
		}
		return yes
	}
	was := *g
	switch name {
	case "mode":
		if g.Exact = word == "exact"; !g.Exact && word != "fast" {
			why = "mode=" + word + ": fast or exact is wanted"
		}
	case "guard":
		side, known := sides[word]
		if g.Guard = side; !known {
			why = "guard=" + word + ": " + sideNames + " is wanted"
		}
	case "sample":
		g.Sample = whole(0, 1<<62)
	case "budget":
		g.Budget = size()
	case "quarantine":
		g.Quarantine = size()
	case "fill":
		g.Fill = choice()
	case "precise":
		g.Precise = choice()
	case "stack":
		g.Stack = int(whole(0, mostFrames))
	case "max":
		g.Max = int(whole(1, mostFindings))
	default:
		why = "there is no " + name + "; there are mode, guard, sample, budget, quarantine, fill, precise, stack and max"
	}
	if why != "" {
		*g = was
	}
	return why
}

// guardLocked decides whether blocks of the next pools are under guard: not if a tool observes each block already, and
// not in a pool that exists already.
func (in *Instance) guardLocked(s *Settings) {
	if in.defaultPool.Load() != nil {
		s.Memory = in.running.Memory
	} else if s.Memory.On && in.fronts.Tool {
		in.warnOnceLocked(settings.Check + ": valgrind or a sanitizer observes each block of this program already; the checks of memory are off")
		s.Memory = guard.Guarding{}
	}
	if !s.Memory.On {
		s.Watch.Checks &^= checkMemory
	}
	if in.defaultPool.Load() == nil {
		s.Memory.Picks = s.picks()
	}
	if in.defaultPool.Load() == nil {
		s.Memory.Set()
	}
}

// guardedPool is a register of blocks. Its source puts guards around the blocks of an ordinary pool.
type guardedPool struct {
	*gator.Direct
	inner *gator.Pool
}

// Close frees the blocks, then the pool's slabs.
func (g guardedPool) Close() error {
	if err := g.Direct.Close(); err != nil {
		return err
	}
	return g.inner.Close()
}

// guarded makes a pool with blocks under guard. foreign: functions of the user provide the slabs. blocks is the front
// before the blocks, or nil; the front of the configuration stands before the pool behind the guards. The limit counts
// the requested bytes, so that the program has the same memory as without guards.
func guarded(c gator.Config, s Settings, foreign bool, blocks gator.Front) (g guardedPool, err error) {
	pooled := c
	pooled.Limit = 0
	pages := s.Memory.Exact && !foreign
	if pages {
		pooled.Initial = 0 // it serves only blocks without guard pages
	}
	inner, err := gator.New(pooled)
	if err != nil {
		return g, err
	}
	c.Front = blocks
	c.Source = guard.Guard{Inner: poolSource{inner}, Pages: pages, Huge: s.HugePages, Foreign: foreign}
	direct, err := gator.NewDirect(c)
	if err != nil {
		return g, errors.Join(err, inner.Close())
	}
	return guardedPool{direct, inner}, nil
}

// poolSource gives out each block of a pool as if it were a slab.
type poolSource struct{ pool *gator.Pool }

var _ backend.Holder = poolSource{}

func (p poolSource) Name() string { return p.pool.Name() }

func (p poolSource) Reserve(bytes uint64) (uintptr, error) {
	addr, err := p.pool.Allocate(bytes, "")
	var refused *gator.MemoryError
	if errors.As(err, &refused) { // the register adds the amounts; the pool's advice is in the cause
		err = errors.New(refused.Cause.Error())
	}
	return addr, err
}

func (p poolSource) ReserveHeld(bytes uint64) (uintptr, bool) { return p.pool.AllocateHeld(bytes) }

func (p poolSource) Release(addr uintptr, _ uint64) error { return p.pool.Free(addr) }
