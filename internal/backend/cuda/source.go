// Package cuda is the memory of NVIDIA devices. In this version it answers that there is no such
// device, on every machine: it holds the place, the names and the contract, and is tested for saying
// so. It never ends the program. Threads: safe.
package cuda

import (
	"fmt"

	"libportable/internal/backend"
)

// Device is one NVIDIA device, numbered from 0 as the driver does.
type Device struct{ index int }

var _ backend.Source = Device{}

// Open gives device `index`, or backend.ErrNoDevice.
func Open(index int) (Device, error) {
	return Device{}, fmt.Errorf("%w: cuda:%d: this version has no CUDA support", backend.ErrNoDevice, index)
}

// Count is the number of devices.
func Count() int { return 0 }

// Name is "cuda:0" and so on.
func (d Device) Name() string { return fmt.Sprintf("cuda:%d", d.index) }

// Reserve is refused.
func (d Device) Reserve(uint64) (uintptr, error) {
	return 0, fmt.Errorf("%w: %s", backend.ErrNoDevice, d.Name())
}

// Release has nothing to take back.
func (d Device) Release(uintptr, uint64) error {
	return fmt.Errorf("%w: %s", backend.ErrNoDevice, d.Name())
}
