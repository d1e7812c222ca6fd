package instance

import (
	"fmt"
	"strings"

	"libportable/gator"
	"libportable/internal/backend"
	"libportable/internal/backend/host"
)

// Which pool has the memory of which space: that of the host, and of the one device with memory of its own that there is on a machine
// without one, the emulated device.

// The numbers of portable_array.h.
const (
	spaceHost   = 0
	spaceDevice = 3 // of device 0
)

// emulateLocked adds the emulated device where it is asked for; nowhere else is there one.
func (in *Instance) emulateLocked(q Request) {
	asked := q.Device
	if asked == "" {
		asked, _ = in.env.Lookup(varDevice)
	}
	if !strings.EqualFold(strings.TrimSpace(asked), host.EmulatedName) {
		return
	}
	if err := host.Emulate(); err != nil {
		in.warnOnceLocked(fmt.Sprintf("there is no emulated device: %v", err))
	}
}

// noSpace is a space that this machine has no memory of.
type noSpace int

func (s noSpace) Error() string {
	return fmt.Sprintf("there is no such device: this machine has memory of the host only; for space %d give a pool of your own (portable_pool_create), "+
		"or set PORTABLE_DEVICE=emulated, to try the program with a device whose memory the host does not reach", int(s))
}

func (noSpace) Is(target error) bool { return target == backend.ErrNoDevice }

// SpacePool gives the pool that arrays of a space come from where the program names none.
func (in *Instance) SpacePool(space int) (uint64, error) {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.defaultPool.Load() == nil {
		return 0, notRunning()
	}
	switch {
	case space == spaceHost:
		return in.handle, nil
	case space != spaceDevice || !host.Emulates():
		return 0, noSpace(space)
	case in.emulated != 0:
		return in.emulated, nil
	}
	const name = "the memory of the emulated device"
	p, err := gator.New(gator.Config{
		Name:    name,
		Tables:  host.Tables{},
		Source:  in.logged(name, host.Emulated{}),
		Initial: in.running.Initial,
		Grow:    in.running.Grow,
		Block:   in.running.Block,
		Limit:   in.running.Limit,
		Knobs:   gator.Knobs{Limit: varLimit, Block: varBlock},
	})
	if err != nil {
		return 0, err
	}
	in.emulated = in.pools.Put(&Pool{p})
	return in.emulated, nil
}
