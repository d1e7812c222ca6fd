package exec

// This file refuses memory that cannot be accessed where a call runs.

import (
	"strconv"

	"libportable/internal/outside"
)

// DeviceUnreached is memory of a device that a call cannot use where it runs; Why is the reason.
type DeviceUnreached struct {
	Why             int // UnreachedDevice, ...
	Call, Label     string
	Name, OtherName string // of the memory, and of other memory of the call
	At, Other       uintptr
	Index           int    // of the device whose memory it is
	Owner           string // its name; "": it has no number
	Device          string // the name of the call's device
	OnDevice        bool   // the call's device is one of the driver's
}

// Reasons, as in exec/device/questions.h.
const (
	UnreachedDevice = iota // the call runs on a device that does not access the memory
	UnreachedHost          // the host runs the call: there is no device version
	UnreachedOther         // the device does not access other memory of the call
	UnreachedCopy          // a copy, whose device does not access the memory, or whose memory's device does not exist
)

// Refusal is the text.
func (u *DeviceUnreached) Refusal() string {
	before := u.Call + " '" + outside.Clean(u.Label) + "': "
	if u.Why == UnreachedCopy && u.OnDevice {
		return before + "the array is in memory of device " + strconv.Itoa(u.Index) + ", which does not exist"
	}
	if u.Why == UnreachedCopy {
		return before + "the array is in memory of the device '" + u.Owner + "', which the device '" + u.Device + "' does not reach; launch it on '" + u.Owner + "'"
	}
	text := before + memoryAt(u.Name, u.At) + " is memory of the device '" + u.Owner + "', "
	switch u.Why {
	case UnreachedDevice:
		return text + "which '" + u.Device + "' does not reach; name that device, or a stream of it, in launch, or copy it (portable_array_host_copy)"
	case UnreachedHost:
		return text + "and the host runs this call, which has no version for devices; take managed memory, or copy it (portable_array_host_copy)"
	}
	return text + "and '" + u.Device + "' does not reach " + memoryAt(u.OtherName, u.Other) + ", which is not; take managed memory, or copy one of them (portable_array_host_copy)"
}

func memoryAt(name string, at uintptr) string {
	return outside.Clean(name) + " (0x" + strconv.FormatUint(uint64(at), 16) + ")"
}
