package instance

import (
	"errors"
	"fmt"

	"libportable/gator"
	"libportable/internal/backend"
	"libportable/internal/backend/host"
	"libportable/internal/outside"
	"libportable/internal/settings"
)

// Pool is a pool that has a handle.
type Pool struct{ Backing }

// openLocked makes the default pool, of managed memory if launches go to a cuda device. participant is false for
// portable::allocate alone. It calls from inside of malloc, and the driver calls malloc too, so it must not ask the
// driver for memory.
func (in *Instance) openLocked(s Settings, q Request, participant bool) (*Default, error) {
	in.managed = false
	c := gator.Config{
		Name:    "the default pool",
		Tables:  host.Tables{},
		Initial: s.Initial,
		Grow:    s.Grow,
		Block:   s.Block,
		Limit:   s.Limit,
		Knobs: gator.Knobs{
			Limit: knob(q.Limit, settings.Limit, "limit_mb (pool_limit_bytes in C)"),
			Block: knob(q.Block, settings.Block, "block_bytes (pool_block_bytes in C)"),
		},
	}
	if index := in.indexOfCuda(s.Launch.Device); index >= 0 && participant {
		b, err := in.managedLocked(c, index, s)
		if err != nil {
			return nil, err
		}
		return &Default{Backing: b, FastPath: s.Pool && s.FastPath && !s.Memory.On}, nil
	}
	if s.Memory.On { // before GATOR_DISABLE: checks work whatever serves the blocks
		c.Source = in.logged(c.Name, in.slabs(s))
		c.Front = in.fronts.None
		if s.Memory.Picks {
			if s.FastPath {
				c.Front = in.fronts.FastPath
			}
			p, err := sampled(c, s, false, in.fronts.None)
			return &Default{Backing: p, FastPath: s.FastPath}, err
		}
		var blocks gator.Front
		if s.FastPath && !s.Memory.Exact {
			blocks = in.fronts.Blocks
		}
		g, err := guarded(c, s, false, blocks)
		return &Default{Backing: g}, err
	}
	if !s.Pool {
		c.Source = host.Heap{}
		d, err := gator.NewDirect(c)
		return &Default{Backing: d}, err
	}
	c.Source = in.logged(c.Name, in.slabs(s))
	c.Front = in.fronts.None
	if s.FastPath {
		c.Front = in.fronts.FastPath
	}
	p, err := gator.New(c)
	if errors.Is(err, gator.ErrMemory) {
		err = fmt.Errorf("%w\n  the first slab has its size from %s", err, knob(q.Initial, settings.Initial, "initial_mb (pool_initial_bytes in C)"))
	}
	if err != nil {
		return nil, err
	}
	return &Default{Backing: p, FastPath: s.FastPath}, nil
}

// knob names the setting to change: if the program itself set a value, the variable has no effect.
func knob(asked uint64, variable, field string) string {
	if asked != 0 {
		return field + ", which the program set"
	}
	return variable
}

// slabs is the source of host memory in large pieces.
func (in *Instance) slabs(s Settings) backend.Source {
	source := host.Slabs{Huge: s.HugePages}
	if in.fronts.Watch != nil {
		return in.fronts.Watch(source)
	}
	return source
}

// Default returns the default pool.
func (in *Instance) Default() (*Default, error) {
	if d := in.defaultPool.Load(); d != nil {
		return d, nil
	}
	return nil, notRunning()
}

func notRunning() error {
	return fmt.Errorf("%w: the library does not run: call gator_init (or portable_init) first, and nothing after the last gator_finalize", ErrState)
}

// DefaultHandle returns the default pool's handle.
func (in *Instance) DefaultHandle() (uint64, error) {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.defaultPool.Load() == nil {
		return 0, notRunning()
	}
	return in.handle, nil
}

// PoolOf gives the handle of the pool with the live block that holds an address, and 0 for the default pool.
func (in *Instance) PoolOf(addr uintptr) (uint64, error) {
	standard, err := in.DefaultHandle()
	if err != nil {
		return 0, err
	}
	for _, n := range in.pools.All() {
		p, ok := in.pools.Get(n)
		if !ok {
			continue
		}
		if _, err := p.Find(addr); err != nil {
			continue
		}
		if n == standard {
			return 0, nil
		}
		return n, nil
	}
	return 0, fmt.Errorf("%w: portable_pool_of: no live block of any pool holds %#x", gator.ErrPointer, addr)
}

// Running says whether there is a participant that the program sees.
func (in *Instance) Running() bool {
	in.mu.Lock()
	defer in.mu.Unlock()
	return in.runningLocked()
}

func (in *Instance) runningLocked() bool { return in.inits > 0 || in.gatorUp }

// CreatePool makes a user's pool. A nil Source means memory of the space.
func (in *Instance) CreatePool(c gator.Config, space int) (uint64, error) {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.defaultPool.Load() == nil {
		return 0, notRunning()
	}
	foreign := c.Source != nil
	if !foreign {
		source, err := in.sourceLocked(space)
		if err != nil {
			return 0, err
		}
		if c.Source, foreign = source, source != nil; !foreign {
			c.Source = in.slabs(in.running)
		}
	}
	c.Source = in.logged("pool '"+c.Name+"'", c.Source)
	c.Tables = host.Tables{}
	var p Backing
	var err error
	if in.running.Memory.Picks {
		p, err = sampled(c, in.running, foreign, nil)
	} else if in.running.Memory.On {
		p, err = guarded(c, in.running, foreign, nil)
	} else {
		p, err = gator.New(c)
	}
	if err != nil {
		return 0, err
	}
	return in.keepLocked(p)
}

// keepLocked gives a handle to a new pool. If none is available, it closes the pool.
func (in *Instance) keepLocked(p Backing) (uint64, error) {
	if n, ok := in.pools.Put(&Pool{p}); ok {
		return n, nil
	}
	err := fmt.Errorf("%w: no handle for pool '%s': there is no memory for one, or 65536 pools exist; destroy pools that are not used (portable_pool_destroy)", gator.ErrMemory, p.Name())
	return 0, errors.Join(err, p.Close())
}

// DestroyPool ends a user's pool; see portable_pool_destroy. inside: the calling thread belongs to a stream, and may be
// one of the threads that the call would have to wait for.
func (in *Instance) DestroyPool(n uint64, inside bool) error {
	if p, ok := in.pools.Get(n); ok {
		if inside && p.Pending() {
			return fmt.Errorf("%w: portable_pool_destroy: called inside a kernel or a callback of a stream while streams use blocks of the pool, "+
				"for which it would wait; call it where the kernel is launched", ErrState)
		}
		p.Await() // before the lock, which a kernel in a stream may want
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	if n == 0 {
		return nil
	}
	p, err := in.poolLocked(n)
	if err != nil {
		return err
	}
	if n == in.handle {
		return fmt.Errorf("%w: the default pool ends with the library, not by portable_pool_destroy", ErrHandle)
	}
	if in.Strict() {
		if err := leakError(p); err != nil {
			return err
		}
	}
	in.pools.Take(n)
	in.closePool(p)
	return nil
}

// Pool returns the pool of a handle.
func (in *Instance) Pool(n uint64) (*Pool, error) { return in.poolLocked(n) }

// poolLocked needs no lock: the table has its own.
func (in *Instance) poolLocked(n uint64) (*Pool, error) {
	if p, ok := in.pools.Get(n); ok {
		return p, nil
	}
	if in.defaultPool.Load() == nil {
		return nil, notRunning()
	}
	return nil, fmt.Errorf("%w: %#x is not a pool, or the pool was destroyed", ErrHandle, n)
}

// Reassigned is called when an array is allocated over an associated pointer, which YAKL v1 allows. If the pointer is
// exactly the start of a live block, that block has probably lost its last pointer. That gets one warning.
func (in *Instance) Reassigned(addr uintptr, label string) error {
	const what = "the pointer is associated already"
	if in.Strict() {
		return fmt.Errorf("%w: %s; deallocate or nullify it first (GATOR_STRICT=1)", ErrState, what)
	}
	d, err := in.Default()
	if err != nil || in.reassigns.Load() || !d.Starts(addr) {
		return err
	}
	b, err := d.Find(addr)
	if err == nil && in.reassigns.CompareAndSwap(false, true) {
		in.print(fmt.Sprintf("portable: warning: gator_allocate%s: %s: its block of %d bytes%s is lost, unless another pointer has it or this one is a local pointer that was never set (nullify it first); further such calls are not reported",
			named(" of '%s'", label), what, b.Bytes, named(" labelled \"%s\"", b.Label)))
	}
	return nil
}

// named formats a label; "" if there is no label.
func named(format, label string) string {
	if label == "" {
		return ""
	}
	return fmt.Sprintf(format, outside.Clean(label))
}
