package instance

import (
	"fmt"

	"libportable/gator"
)

// Stream returns, for a new stream, the number and the name of its device and the stack size of its thread. 0 is the default device.
func (in *Instance) Stream(device int) (number int, name string, stack uint64, err error) {
	devices, err := in.Devices()
	if err != nil {
		return 0, "", 0, err
	}
	if device == 0 {
		device = devices.Default()
	}
	d, err := devices.Get(device)
	if err != nil {
		return 0, "", 0, err
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	return device, d.Name(), in.running.Launch.Stack, nil
}

// Uses keeps the block that holds an address until the event is done, in any pool. It says whether there is such a
// block.
func (in *Instance) Uses(addr uintptr, on gator.Event) bool {
	d := in.defaultPool.Load()
	if d == nil {
		return false
	}
	if d.Uses(addr, on) {
		return true
	}
	for i := 0; ; i++ {
		p, ok, more := in.pools.At(i)
		if !more {
			return false
		}
		if ok && p.Backing != d.Backing && p.Uses(addr, on) {
			return true
		}
	}
}

// Depend is Uses for an address that the user passes as a block.
func (in *Instance) Depend(addr uintptr, on gator.Event) error {
	if in.Uses(addr, on) {
		return nil
	}
	return fmt.Errorf("%w: add_stream_dependency: no live block of any pool holds %#x; it is for memory of the default pool and of pools that portable_pool_create made",
		gator.ErrPointer, addr)
}

// endStreamsLocked ends the remaining streams, and warns of them.
func (in *Instance) endStreamsLocked() error {
	if in.fronts.Streams == nil || in.devices.Load() == nil {
		return nil
	}
	ended, lost, busy := in.fronts.Streams()
	if busy {
		return ErrBusy
	}
	if ended > 0 {
		verb := "were"
		if ended == 1 {
			verb = "was"
		}
		in.print(fmt.Sprintf("portable: warning: %s %s not destroyed before the library stopped, and ended with it", gator.Count(ended, "stream"), verb))
	}
	if lost != "" {
		in.print("portable: warning: an error in a stream that no fence has returned: " + lost)
	}
	return nil
}
