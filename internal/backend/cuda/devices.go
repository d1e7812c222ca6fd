// Package cuda binds NVIDIA's driver and handles its devices (devices.c), memory, streams and
// kernels. Nothing of the driver is loaded before Open, which opens it (shim.c); no function ends
// the program. Callers are exec/launch and the rooms above. In C because each launch on a device
// and each free asks; Go decides. Go files that use gorgonia.org/cu have the build tag `cuda`, and
// a twin without it that finds no device. Threads: safe.
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

	"libportable/internal/backend"
)

// Most is the largest number of devices that the library uses.
const Most = C.PORTABLE__CUDA_MOST

// Open starts the driver, looks for devices and returns their number. Without any the error is backend.ErrNoDevice with
// the reason. A later call finds the same devices.
func Open() (int, error) {
	if n := Count(); n > 0 && C.portable__cuda_is_open() != 0 {
		return n, nil
	}
	return look()
}

// Count is the number of devices found.
func Count() int { return int(C.portable__cuda_devices) }

// Name is the name of a device: "cuda:0" and so on.
func Name(index int) string { return fmt.Sprintf("cuda:%d", index) }

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
func driver() error {
	if C.portable__cuda_open() != 0 {
		return none(C.GoString(C.portable__cuda_why()))
	}
	return nil
}
