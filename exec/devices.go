package exec

// This file has the list of devices: 1 is serial, 2 are the threads of the host; then follow devices
// on threads of the program, devices in Go, CUDA devices. Lock-free: a change replaces the list.

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"libportable/internal/backend"
	"libportable/internal/outside"
)

// ErrNoDevice is an unknown number or name of a device.
var ErrNoDevice = errors.New("portable: no such device")

// Devices are the devices of a process, numbered from 1. The list may get longer; the default changes.
type Devices struct {
	list    atomic.Pointer[[]backend.Device]
	chosen  atomic.Int32
	changed func(number int)
}

// NewDevices numbers the devices in order; the default is the one of that number. changed gets each new
// default, from the goroutine that sets it; it may be nil.
func NewDevices(list []backend.Device, chosen int, changed func(number int)) *Devices {
	d := &Devices{changed: changed}
	d.list.Store(&list)
	d.chosen.Store(int32(chosen))
	if changed != nil {
		changed(chosen)
	}
	return d
}

// Append adds devices behind the others. Not for two goroutines at once.
func (d *Devices) Append(more []backend.Device) {
	longer := slices.Concat(*d.list.Load(), more)
	d.list.Store(&longer)
}

// Count is the number of devices.
func (d *Devices) Count() int { return len(*d.list.Load()) }

// Names lists them in order.
func (d *Devices) Names() []string {
	list := *d.list.Load()
	names := make([]string, len(list))
	for i, device := range list {
		names[i] = device.Name()
	}
	return names
}

// Get gives the device of a number; 0 is the default.
func (d *Devices) Get(number int) (backend.Device, error) {
	if number == 0 {
		number = d.Default()
	}
	list := *d.list.Load()
	if number < 1 || number > len(list) {
		return nil, fmt.Errorf("%w: number %d; there are %d: %s", ErrNoDevice, number, len(list), strings.Join(d.Names(), ", "))
	}
	return list[number-1], nil
}

// Find gives the number of the device of a name; letters may be large or small.
func (d *Devices) Find(name string) (int, error) {
	for i, device := range *d.list.Load() {
		if strings.EqualFold(device.Name(), strings.TrimSpace(name)) {
			return i + 1, nil
		}
	}
	return 0, fmt.Errorf("%w: \"%s\"; there are %s%s", ErrNoDevice, outside.Value(name), strings.Join(d.Names(), ", "), Hint(name))
}

// Hint is the further text of an error about a missing device.
func Hint(name string) string {
	if strings.EqualFold(strings.TrimSpace(name), "openmp") {
		return "; a program has openmp when it links portable::openmp, or portable_openmp.c or .F90"
	}
	return ""
}

// Default is the device of launches that name neither device nor stream.
func (d *Devices) Default() int { return int(d.chosen.Load()) }

// SetDefault changes the default device for later launches.
func (d *Devices) SetDefault(number int) error {
	if number < 1 {
		return fmt.Errorf("%w: number %d; the numbers begin at 1", ErrNoDevice, number)
	}
	if _, err := d.Get(number); err != nil {
		return err
	}
	d.chosen.Store(int32(number))
	if d.changed != nil {
		d.changed(number)
	}
	return nil
}
