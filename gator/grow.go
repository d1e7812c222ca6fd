package gator

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"libportable/internal/backend"
)

// growLocked adds a slab that holds a block of `bytes` bytes. The slab has the size that growth wants, or
// what the limit leaves, or what the source will give, but never less than the request; a request that is
// larger than the grow size gets a slab of its own.
func (p *Pool) growLocked(bytes uint64) error {
	c := &p.config
	if bytes > maxBytes {
		return errAbsurd
	}
	need := (max(bytes, 1) + c.Block - 1) &^ (c.Block - 1)
	if err := c.countable(need); err != nil {
		return err
	}
	size := c.Grow
	if size == 0 {
		size = p.doublingLocked()
	}
	want := max(min(size, maxUnits*c.Block), need)
	if c.Limit > 0 {
		left := (c.Limit - min(c.Limit, p.reserved)) &^ (c.Block - 1)
		if left < need {
			return &limitError{c.Knobs.Limit}
		}
		want = min(want, left)
	}
	for {
		err := p.addSlabLocked(want, true)
		if err == nil {
			p.slabs[len(p.slabs)-1].ordinary = want == size
		}
		if err == nil || want == need || !errors.Is(err, backend.ErrRefused) {
			return err
		}
		want = max(want/2&^(c.Block-1), need)
	}
}

// doublingLocked is the size of the next slab where the configuration says none: that of the first slab, then twice the
// largest that growth made in this way and that is still here. Slabs of odd sizes do not count, so one huge
// array makes no huge slabs; nor do trimmed ones, so growing and trimming in turn stays at one size.
func (p *Pool) doublingLocked() uint64 {
	size := p.config.Initial
	if size == 0 {
		size = p.config.granules(DefaultInitial)
	}
	for _, s := range p.slabs {
		if s.ordinary {
			size = max(size, 2*s.bytes)
		}
	}
	return size
}

// growAtAnyPriceLocked is the last resort after a growth that failed with err: without the extra room, and then
// with the memory of empty slabs, which may be needed in one piece.
func (p *Pool) growAtAnyPriceLocked(bytes uint64, smaller bool, err error) error {
	if smaller {
		err = p.growLocked(bytes)
	}
	var limit *limitError
	if err == nil || !errors.As(err, &limit) && !errors.Is(err, backend.ErrRefused) {
		return err
	}
	if released, _ := p.trimLocked(); released == 0 {
		return err
	}
	return p.growLocked(bytes)
}

// limitError says that the user's own limit is in the way.
type limitError struct{ knob string }

func (e *limitError) Error() string { return "the limit is reached; raise " + e.knob }

// countable says whether a slab's granules can be numbered.
func (c *Config) countable(bytes uint64) error {
	if bytes/c.Block <= maxUnits {
		return nil
	}
	return fmt.Errorf("a slab of %d bytes has more than %d blocks of %d bytes; choose a larger %s",
		bytes, uint64(maxUnits), c.Block, c.Knobs.Block)
}

// addSlabLocked takes a slab from the source.
func (p *Pool) addSlabLocked(bytes uint64, grown bool) error {
	c := &p.config
	if err := c.countable(bytes); err != nil {
		return err
	}
	base, err := c.Source.Reserve(bytes)
	if err != nil {
		return err
	}
	s, err := newSlab(c, base, bytes, grown)
	if err != nil {
		return errors.Join(err, c.Source.Release(base, bytes))
	}
	at, _ := slices.BinarySearchFunc(p.sorted, base, func(s *slab, a uintptr) int { return cmp.Compare(s.base, a) })
	p.sorted = slices.Insert(p.sorted, at, s)
	p.slabs = append(p.slabs, s)
	p.reserved += bytes
	p.front.Publish(base, s.usable(), s.shift, s.records)
	return nil
}

// removeSlabLocked gives a slab back. When the source refuses, the slab stays.
func (p *Pool) removeSlabLocked(s *slab) error {
	p.front.Withdraw(s.base, s.usable())
	if err := p.config.Source.Release(s.base, s.bytes); err != nil {
		p.front.Publish(s.base, s.usable(), s.shift, s.records)
		return fmt.Errorf("gator: %s could not free a slab of %d bytes: %w", p.config.Name, s.bytes, err)
	}
	same := func(o *slab) bool { return o == s }
	p.slabs = slices.DeleteFunc(p.slabs, same)
	p.sorted = slices.DeleteFunc(p.sorted, same)
	p.reserved -= s.bytes
	p.occupied -= uint64(s.units-s.unused) << s.shift
	s.drop(&p.config)
	return nil
}

// trimLocked releases empty grown slabs; the front is stopped.
func (p *Pool) trimLocked() (released uint64, err error) {
	for _, s := range slices.Clone(p.slabs) {
		if s.grown && s.empty() {
			if e := p.removeSlabLocked(s); e != nil {
				err = errors.Join(err, fmt.Errorf("%w; it stays in the pool, and may be asked for again", e))
				continue
			}
			released += s.bytes
		}
	}
	return released, err
}

func (p *Pool) withdrawLocked() {
	for _, s := range p.slabs {
		p.front.Withdraw(s.base, s.usable())
	}
}

// closeLocked gives the slabs back, live blocks included.
func (p *Pool) closeLocked() (err error) {
	p.counts.Frees += p.counts.Blocks
	p.counts.Bytes, p.counts.Blocks = 0, 0
	for _, s := range slices.Clone(p.slabs) {
		err = errors.Join(err, p.removeSlabLocked(s))
	}
	return err
}
