package exec

// This file refuses launches. Main function: Launch.Refuse. The comment of the type Launch has the
// order of the checks, and the device that a launch gets.

import (
	"fmt"

	"libportable/internal/outside"
)

// LaunchConfig is a portable_launch_config, whose memory C and Go share. 0 in a field: the library chooses.
type LaunchConfig struct {
	StructSize                    uint32
	Device                        int32
	Stream                        uint64
	Schedule                      Schedule
	BlockSize, BitForBit, Strided int32
	Tile                          [MaxRank]int64
	Cut, Reserved                 int32
	Division                      *Division
}

// ConfigBytes is the size of LaunchConfig in C.
const ConfigBytes = 48 + 8*MaxRank

// Launch is a launch over an index space that C did not find ordinary (struct portable__launch_asked), with the devices
// and the stream that C found.
//
// C tests whether a launch is ordinary (exec/launch/ordinary.h); Refuse repeats the checks for the text. Their order:
//  1. bounds, kernel and argument block exist; the configuration has a size that some version had;
//  2. the bounds were made by portable_bounds_make, their strides are positive, and int64 counts the iterations;
//  3. strides are 1, unless the kernel's loops use the stride; the bounds fit the integers of a kernel in Fortran;
//  4. tile, cut and schedule exist, and what is reserved is 0;
//  5. the division drives such a launch, and is one of these bounds (bounds.go);
//  6. the stream exists and belongs to the device, if the launch names both; the device exists.
//
// The device of an ordinary launch is that of its stream, else the one that it names, else the default device. Two devices take
// another's place: the threads of the host run a kernel without a version for its CUDA device, once the stream has completed
// the work before it, and the serial device runs a launch with bit_for_bit under PORTABLE_B4B=1. A launch into an
// asynchronous stream joins the queue of the stream (exec/stream); other launches return when all iterations have run.
// The schedule is the configuration's, else that of PORTABLE_SCHEDULE, else static. A tuning rule
// may change schedule and tile of a launch whose configuration leaves them open (Tuning).
type Launch struct {
	Call, Label  string
	Bounds       *Bounds       // nil: NULL
	Config       *LaunchConfig // nil: NULL
	Missing      string        // the name of another argument that is NULL
	Strided      bool          // the kernel's loops use the stride, whatever the configuration says
	IntegerBytes int32         // of the integers that hold the bounds in a kernel of Fortran; 0: the kernel is not Fortran's
	Wide         bool          // the kernel uses 64-bit bounds
	Divides      Divides       // how it takes a division

	Devices      int32 // their number; -1: the caller chooses the device
	Default      int32
	StreamDevice int32 // of the stream that the configuration names; 0: there is no such stream
	Names        []string
}

func (l *Launch) refuse(status Status, format string, args ...any) Refusal {
	return Refusal{status, l.Call + " '" + outside.Clean(l.Label) + "': " + fmt.Sprintf(format, args...)}
}

// Refuse repeats the checks. ofBounds: the bounds are refused, which is a finding of the checks.
func (l *Launch) Refuse() (r Refusal, ofBounds bool) {
	config := l.Config
	switch {
	case l.Bounds == nil:
		return l.refuse(BadArgument, "bounds is NULL"), false
	case l.Missing != "":
		return l.refuse(BadArgument, "%s is NULL", l.Missing), false
	case config == nil:
		config = &LaunchConfig{}
	case !fits(config.StructSize, ConfigBytes):
		return l.config(config), false
	}
	if r = l.bounds(config); r.Status != 0 {
		return r, true
	}
	if r = l.cutting(config); r.Status != 0 {
		return r, false
	}
	if config.Division != nil {
		r = l.division(config, config.Division)
	}
	if r.Status != 0 || l.Devices < 0 {
		return r, false
	}
	return l.device(config), false
}

func (l *Launch) config(c *LaunchConfig) Refusal {
	return l.refuse(BadArgument, "config.struct_size is %d; begin with PORTABLE_LAUNCH_CONFIG_INIT", c.StructSize)
}

func (l *Launch) bounds(c *LaunchConfig) Refusal {
	b := l.Bounds
	if !b.made() {
		if l.IntegerBytes != 0 {
			return l.refuse(BadArgument, "these bounds are invalid; bounds(lower, upper, stride) takes arrays of one length, 1 to %d", MaxRank)
		}
		return l.refuse(BadArgument, "these bounds were not made by portable_bounds_make")
	}
	if d := b.badStride(); d > 0 {
		return l.refuse(BadArgument, "the stride of dimension %d is %d; it is 1 or more (bounds %s)", d, b.Stride[d-1], b)
	}
	if !b.counted() {
		return l.refuse(Overflow, "there are more iterations than a 64-bit integer counts (bounds %s)", b)
	}
	// A kernel that ignores its stride computes wrong values without any sign.
	if c.Strided == 0 && !l.Strided && b.first(func(d int) bool { return b.Stride[d] != 1 }) > 0 {
		return l.refuse(BadArgument, "a stride is not 1 (bounds %s); when the kernel's loops heed the tile's stride, say so with strided", b)
	}
	if l.IntegerBytes == 0 || l.IntegerBytes >= 8 || l.Wide {
		return Refusal{}
	}
	most := int64(1)<<(8*l.IntegerBytes-1) - 1
	wide := func(n int64) bool { return n > most || n < -most-1 }
	if d := b.first(func(d int) bool { return wide(b.Lower[d]) || wide(b.Upper[d]) || b.Stride[d] > most }); d > 0 {
		return l.refuse(Overflow, "the bounds of dimension %d do not fit a default integer (bounds %s); when the kernel uses lower64 and upper64, say so with wide", d, b)
	}
	return Refusal{}
}

func (l *Launch) cutting(c *LaunchConfig) Refusal {
	if d := l.Bounds.first(func(d int) bool { return c.Tile[d] < 0 }); d > 0 {
		return l.refuse(BadArgument, "the tile has %d iterations in dimension %d; it has 1 or more, or 0 for as many as there are", c.Tile[d-1], d)
	}
	if c.Cut < 0 {
		return l.refuse(BadArgument, "the cut has %d iterations; it has 1 or more, or 0 for tiles that begin anywhere", c.Cut)
	}
	if c.Reserved != 0 {
		return l.refuse(BadArgument, "config.reserved is %d; it is 0 in this version: begin with PORTABLE_LAUNCH_CONFIG_INIT", c.Reserved)
	}
	if c.Schedule < 0 || c.Schedule > Dynamic {
		return l.refuse(BadArgument, "there is no schedule %d; there are 0 (the default), %d (static) and %d (dynamic)", c.Schedule, Static, Dynamic)
	}
	return Refusal{}
}

func (l *Launch) device(c *LaunchConfig) Refusal {
	device, of := c.Device, l.StreamDevice
	if c.Stream != 0 {
		if of == 0 {
			return l.refuse(BadHandle, "%#x is not a stream, or the stream was destroyed", c.Stream)
		}
		if device != 0 && device != of {
			return l.refuse(BadArgument, "the stream is one of device %d (%s), the launch names device %d; name one of them", of, l.name(of), device)
		}
		device = of
	}
	if device == 0 {
		device = l.Default
	}
	if device < 1 || device > l.Devices {
		return l.refuse(NoDevice, "there is no device %d; there are %d", device, l.Devices)
	}
	return Refusal{}
}

func (l *Launch) name(device int32) string {
	if device < 1 || int(device) > len(l.Names) {
		return ""
	}
	return l.Names[device-1]
}

// ScratchMost is the most scratch memory of an outer iteration, in bytes.
const ScratchMost = 64 << 20

// RefuseOuter refuses the scratch memory of portable_parallel_outer. The checks of the launch follow.
func (l *Launch) RefuseOuter(scratch uint64) Refusal {
	switch {
	case l.Missing != "":
		return l.refuse(BadArgument, "%s is NULL", l.Missing)
	case scratch > ScratchMost:
		return l.refuse(BadArgument, "%d bytes of scratch are asked for each outer iteration, and there are at most %d; ask for less, or "+
			"take an array from the pool before the launch and give each worker a part of it", scratch, ScratchMost)
	case l.Config != nil && !fits(l.Config.StructSize, ConfigBytes):
		return l.config(l.Config)
	}
	return Refusal{}
}

// BlockRank and BlockThreads are the most dimensions and threads of a block of portable_parallel_blocks.
const (
	BlockRank    = 3
	BlockThreads = 1024
)

// RefuseBlocks refuses the shape of the blocks of portable_parallel_blocks, and their scratch memory. threads has one number for each dimension of
// bounds of a rank that blocks have. The checks of the launch follow.
func (l *Launch) RefuseBlocks(threads []int32, scratch uint64) Refusal {
	if r := l.RefuseOuter(0); r.Status != 0 {
		return r
	}
	if !l.Bounds.made() {
		return l.bounds(&LaunchConfig{})
	}
	if scratch > ScratchMost {
		return l.refuse(BadArgument, "%d bytes of scratch are asked for each block, and there are at most %d; ask for less, or take an array from the "+
			"pool before the launch and give each block a part of it", scratch, ScratchMost)
	}
	if l.Config != nil && l.Config.Division != nil {
		return l.refuse(BadArgument, "the configuration has a division; the threads of a block are an argument of this call")
	}
	if l.Bounds.Rank < 1 || l.Bounds.Rank > BlockRank {
		return l.refuse(BadArgument, "the grid of blocks has %d dimensions; it has 1 to %d", l.Bounds.Rank, BlockRank)
	}
	total := int64(1)
	for d, n := range threads {
		if n < 1 || n > BlockThreads {
			return l.refuse(BadArgument, "a block has %d threads in dimension %d; it has 1 to %d", n, d+1, BlockThreads)
		}
		total *= int64(n)
	}
	if total > BlockThreads {
		return l.refuse(BadArgument, "a block has %d threads %v; it has at most %d", total, threads, BlockThreads)
	}
	return Refusal{}
}
