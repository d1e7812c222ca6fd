package exec

// This file writes the texts of calls that the driver of a device refused, with an advice for known
// codes.

import (
	"fmt"
	"strings"

	"libportable/internal/outside"
)

// Codes of the driver with an advice or a status of their own, as in cuda_results.h.
const (
	driverOutOfMemory     = 2
	driverNotInitialized  = 3
	driverNoDevice        = 100
	driverInvalidDevice   = 101
	driverNoBinary        = 209
	driverInvalidPTX      = 218
	driverNewerPTX        = 222
	driverNotFound        = 500
	driverOutOfResources  = 701
	driverMismatch        = 803
	driverNoCompatibility = 804
)

// Refusal is the text of a refused call: "'label': cuLaunchKernel answers NAME (code): sentence; advice".
func (d *DriverProblem) Refusal(label string) string {
	if label != "" {
		label = "'" + outside.Clean(label) + "': "
	}
	return fmt.Sprintf("%s%s answers %s (%d): %s%s", label, d.Call, d.Name, d.Code, d.Text, d.advice())
}

// Refuse is the refusal with its status, and with the log of the driver's compiler.
func (d *DriverProblem) Refuse(label string) error {
	text := d.Refusal(label)
	if d.Log != "" {
		text += "; the driver's compiler says:\n" + d.Log
	}
	return &DeviceRefusal{d.kind(), text}
}

// kind chooses the status of the refusal.
func (d *DriverProblem) kind() DeviceKind {
	switch d.Code {
	case driverOutOfMemory:
		return DeviceNoMemory
	case driverNoDevice, driverInvalidDevice:
		return DeviceMissing
	}
	return DeviceDriver
}

// advice names an action of the user.
func (d *DriverProblem) advice() string {
	const kept = "what is on the host stays as it is, and the device can be used by a new process"
	switch {
	case d.Sticky && (strings.HasPrefix(d.Call, "cuModule") || strings.HasPrefix(d.Call, "cuFunc")):
		return "; a launch before this one has failed, which the next fence names, and the device with it; " + kept
	case d.Sticky:
		return "; the device has failed this program: " + kept
	}
	switch d.Code {
	case driverOutOfMemory:
		return "; release arrays of the device, trim its pool (portable_pool_trim), or use more devices"
	case driverNotInitialized:
		return "; after a fork the driver works in the parent only"
	case driverNoBinary:
		return "; the image is for other devices: compile it for this one, or give PTX or source"
	case driverInvalidPTX, driverNewerPTX:
		return "; the PTX is of a newer compiler than the driver knows: update the driver, or compile with an older compiler (for CUDA, NVRTC)"
	case driverNotFound:
		return "; the driver is too old for it, or an image has no such name"
	case driverOutOfResources:
		return "; use fewer threads in a block (block_size), or less shared memory"
	case driverMismatch, driverNoCompatibility:
		return "; library and kernel module of the driver do not fit each other: restart the machine, or install the driver again"
	}
	return ""
}
