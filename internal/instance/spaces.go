package instance

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"libportable/gator"
	"libportable/internal/backend"
	"libportable/internal/backend/cuda"
	"libportable/internal/backend/host"
	"libportable/internal/settings"
)

// This file maps spaces of memory to pools: the host, cuda devices, and on a machine without cuda the emulated device,
// which has its own memory.

// The numbers of portable_array.h.
const (
	spaceHost    = 0
	spacePinned  = cuda.SpacePinned
	spaceManaged = cuda.SpaceManaged
	spaceDevice  = cuda.SpaceDevice // of device 0
)

// Sizes of pools of device memory without a setting: these parts of the device for the first slab and for each further
// one, as in YAKL, and less if less is free. Pinned memory is taken from all programs of the machine, so its slabs
// begin small.
const (
	partOfDevice  = 8
	leastOfDevice = 2 << 20
	pinnedInitial = 16 << 20
)

// emulateLocked adds the emulated device if it is asked for.
func (in *Instance) emulateLocked(q Request) {
	asked := q.Device
	if asked == "" {
		asked, _ = in.env.Lookup(settings.Device)
	}
	if !strings.EqualFold(strings.TrimSpace(asked), host.EmulatedName) {
		return
	}
	if err := host.Emulate(); err != nil {
		in.warnOnceLocked(fmt.Sprintf("there is no emulated device: %v", err))
	}
}

// noSpace names a space that this machine has no memory of, the devices that there are, and why there are none.
type noSpace struct {
	space int
	there []string
	why   error
}

func (s noSpace) Error() string {
	there := "there is none"
	if len(s.there) > 0 {
		there = "there are only " + join(s.there)
	}
	if s.why != nil {
		there += " (" + strings.TrimPrefix(s.why.Error(), backend.ErrNoDevice.Error()+": ") + ")"
	}
	return fmt.Sprintf("there is no such device: space %d is memory of GPU %d, counted from 0, and %s; give a pool of your own (portable_pool_create), or set "+
		"PORTABLE_DEVICE=emulated, to try the program with a device whose memory the host does not reach", s.space, s.space-spaceDevice, there)
}

func (noSpace) Is(target error) bool { return target == backend.ErrNoDevice }

// SpacePool returns the pool for arrays of a space if the program names none. A space below 0 is pinned memory of the driver of device -1 - space.
func (in *Instance) SpacePool(space int) (uint64, error) {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.defaultPool.Load() == nil {
		return 0, notRunning()
	}
	if space < 0 {
		space = in.pinnedLocked(-1 - space)
	}
	if n := in.spaces[space]; n != 0 {
		return n, nil
	}
	source, err := in.sourceLocked(space)
	if err != nil {
		return 0, err
	}
	if source == nil || space == spaceManaged && in.managed {
		return in.handle, nil
	}
	s := in.running
	p, err := in.openSpace(gator.Config{
		Name:    "the pool of " + source.Name(),
		Tables:  host.Tables{},
		Initial: s.Initial,
		Grow:    s.Grow,
		Block:   s.Block,
		Limit:   s.Limit,
		Knobs:   gator.Knobs{Limit: settings.Limit, Block: settings.Block},
	}, source, s)
	if err != nil {
		return 0, err
	}
	n, err := in.keepLocked(p)
	if err != nil {
		return 0, err
	}
	in.spaces[space] = n
	return n, nil
}

// homeLocked is a device of the driver that managed and pinned memory belongs to where no device is named: the default device, else the first one.
func (in *Instance) homeLocked() int { return max(in.indexOfCuda(in.running.Launch.Device), 0) }

// pinnedLocked is the space of pinned memory that a device can access: the common one, or one of its own for each further driver.
func (in *Instance) pinnedLocked(index int) int {
	first := cuda.FirstAlike(index)
	if first < 0 || first == cuda.FirstAlike(in.homeLocked()) {
		return spacePinned
	}
	return -1 - first
}

// Staging returns the pool for copies of arrays of the host in memory of CUDA device number index.
func (in *Instance) Staging(index int) (*Pool, error) {
	n, err := in.SpacePool(spaceDevice + index)
	if err != nil {
		return nil, err
	}
	return in.Pool(n)
}

// sourceLocked returns the source of a space's memory; nil: the default pool, because no device is there that would
// need other memory.
func (in *Instance) sourceLocked(space int) (backend.Source, error) {
	switch {
	case space == spaceHost:
		return nil, nil
	case space == spaceDevice && host.Emulates():
		return host.Emulated{}, nil
	case space < 0:
		return cuda.Memory{Index: -1 - space, Space: spacePinned}, nil
	case space < spaceDevice:
		if len(in.cudas) == 0 {
			return nil, nil
		}
		return cuda.Memory{Index: in.homeLocked(), Space: space}, nil
	}
	if devices := in.devices.Load(); devices != nil && space-spaceDevice >= len(in.cudas) {
		in.addCudaLocked(devices, cuda.Automatic) // asking for a device's memory asks for the device
	}
	if index := space - spaceDevice; index < len(in.cudas) {
		return cuda.Memory{Index: index, Space: space}, nil
	}
	return nil, noSpace{space, in.cudas, in.cudaWhy}
}

// indexOfCuda is the place of a device among those of the drivers; -1 for other devices.
func (in *Instance) indexOfCuda(device string) int { return slices.Index(in.cudas, device) }

// openSpace makes a pool of memory other than the host's. Under checks of memory it is an ordinary pool: blocks that
// the host cannot access have no guards, and the pool itself finds double frees and leaks.
func (in *Instance) openSpace(c gator.Config, source backend.Source, s Settings) (Backing, error) {
	sized := s.Sized
	if m, isCuda := source.(cuda.Memory); isCuda && !sized {
		in.sizeLocked(&c, m)
	}
	c.Source = in.logged(c.Name, source)
	for {
		p, err := gator.New(c)
		if err == nil {
			return p, nil
		}
		if sized || !errors.Is(err, backend.ErrRefused) || c.Initial <= leastOfDevice {
			return nil, err
		}
		c.Initial /= 2 // another program took the memory first
	}
}

// sizeLocked sets the sizes that have no setting.
func (in *Instance) sizeLocked(c *gator.Config, m cuda.Memory) {
	c.Initial = pinnedInitial
	if m.Space != spacePinned {
		free, total, err := m.Info()
		if err != nil {
			return // the error of the first slab says why
		}
		c.Initial = max(min(total/partOfDevice, free/2)&^(leastOfDevice-1), leastOfDevice)
		c.Grow = orElse(c.Grow, c.Initial)
	}
	if c.Limit > 0 {
		c.Initial = min(c.Initial, c.Limit)
	}
}

// managedLocked makes a default pool of managed memory. If the device has none, it uses memory that the device accesses
// over its bus: both sides use the same address.
func (in *Instance) managedLocked(c gator.Config, index int, s Settings) (Backing, error) {
	in.managed = true
	p, err := in.openDefault(c, cuda.Memory{Index: index, Space: spaceManaged}, s)
	if !errors.Is(err, cuda.ErrUnsupported) {
		return p, err
	}
	in.warnOnceLocked(fmt.Sprintf("%s has no managed memory; the default pool is pinned memory of the host, which the device reads and writes by its bus: "+
		"right, but slow", cuda.Name(index)))
	return in.openDefault(c, cuda.Memory{Index: index, Space: spacePinned}, s)
}

func (in *Instance) openDefault(c gator.Config, m cuda.Memory, s Settings) (Backing, error) {
	switch {
	case s.Memory.On:
		c.Source = in.logged(c.Name, m)
		c.Front = in.fronts.None
		return guarded(c, s, true, nil)
	case !s.Pool:
		c.Source = m
		return gator.NewDirect(c)
	}
	c.Front = in.fronts.None
	if s.FastPath {
		c.Front = in.fronts.FastPath
	}
	return in.openSpace(c, m, s)
}
