// Package cuda binds NVIDIA's driver, and AMD's (hip.c) and OpenCL's (internal/backend/opencl)
// under the same names, and handles their devices (devices.c), memory, streams and kernels.
// Nothing is loaded before Open; no function ends the program. Callers are exec/launch and the
// rooms above. In C because each launch on a device and each free asks; Go decides. Files that use
// gorgonia.org/cu have the tag `cuda`, and a twin that finds no device. Threads: safe.
package cuda

/*
#cgo CFLAGS: -Iinclude
#cgo LDFLAGS: -ldl -lpthread
#include "devices.h"
#include "shim.h"
*/
import "C"

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"

	"libportable/internal/backend"
	"libportable/internal/backend/opencl/door"
)

// Most is the largest number of devices that the library uses.
const Most = C.PORTABLE__CUDA_MOST

// An Interface is a vendor's driver.
type Interface int

// Drivers.
const (
	Cuda Interface = C.PORTABLE__DRIVER_CUDA // NVIDIA's
	Hip  Interface = C.PORTABLE__DRIVER_HIP  // AMD's

	OpenCL Interface = C.PORTABLE__DRIVER_OPENCL // any vendor's, over OpenCL
)

// Interfaces lists all, and Automatic those that "auto" asks, in its order.
var (
	Interfaces = []Interface{Cuda, Hip, OpenCL}
	Automatic  = Interfaces[:2]
)

// String is the word by which users ask for a device of the driver.
func (d Interface) String() string { return []string{"cuda", "hip", "opencl"}[d] }

// Open starts a driver, looks for devices and returns the number of devices of all drivers. Without any of this one the error is
// backend.ErrNoDevice with the reason. A later call finds the same devices.
func Open(d Interface) (int, error) {
	opening.Lock()
	defer opening.Unlock()
	if slices.ContainsFunc(Names(), d.has) && C.portable__cuda_driver_is_open(C.int(d)) != 0 {
		return Count(), nil
	}
	runtime.LockOSThread() // which driver a call goes to belongs to the thread
	defer runtime.UnlockOSThread()
	defer C.portable__cuda_turn(C.portable__cuda_turn(C.int(d)))
	return look(d)
}

var opening sync.Mutex

// has says whether a device is the driver's.
func (d Interface) has(name string) bool { return strings.HasPrefix(name, d.String()+":") }

// Count is the number of devices found.
func Count() int { return int(C.portable__cuda_devices) }

// Name is the name of a device: "cuda:0", "hip:1" and so on.
func Name(index int) string {
	if facts := C.portable__cuda_facts(C.int32_t(index)); facts != nil {
		return fmt.Sprintf("%v:%d", Interface(facts.driver), facts.number)
	}
	return fmt.Sprintf("%v:%d", Cuda, index)
}

// FirstAlike is the first device of the driver of a device; -1: there is no such device.
func FirstAlike(index int) int {
	facts := C.portable__cuda_facts(C.int32_t(index))
	if facts == nil {
		return -1
	}
	return int(C.portable__cuda_first_of(facts.driver))
}

// Names lists the names of all devices found.
func Names() (list []string) {
	for i := range Count() {
		list = append(list, Name(i))
	}
	return list
}

// Number sets the number of the first device among those of the library; 0: they have no numbers.
func Number(first int) { C.portable__cuda_numbered(C.int32_t(first)) }

// Ending is called before modules are unloaded and contexts released, with nothing in progress: it forgets all functions, and frees
// memory on the devices. It is set once, before Open.
var Ending = func() {}

// Release unloads all modules and releases the contexts. The devices have no numbers any more.
func Release() {
	Ending()
	unload()
	C.portable__cuda_release()
}

// none is the error of a search that has found no device.
func none(why string) error { return fmt.Errorf("%w: %s", backend.ErrNoDevice, why) }

// driver starts the driver.
func driver(d Interface) error {
	if d == OpenCL {
		open, function := door.Functions()
		C.portable__cuda_opencl((*[0]byte)(open), (*[0]byte)(function))
	}
	if C.portable__cuda_open(C.int(d)) != 0 {
		return none(C.GoString(C.portable__cuda_why(C.int(d))))
	}
	return nil
}
