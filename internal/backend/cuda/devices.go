// Package cuda is NVIDIA's devices: the driver's library, opened when it is wanted (shim.c), the devices that it shows (devices.c), and
// what is done with them. It is in C because each launch on a device and each free asks; Go decides and looks. Callers are exec/launch and the rooms above. What of Go goes through gorgonia.org/cu
// has the build tag `cuda`, and a twin without it that finds no device.
//
// Invariants: nothing of the driver is loaded before Open, and nothing here ends the program. Threads: safe.
package cuda

/*
#cgo CFLAGS: -I${SRCDIR}/include
#cgo LDFLAGS: -ldl -lpthread
#include "devices.h"
#include "module.h"
#include "shim.h"
*/
import "C"

import (
	"fmt"

	"libportable/internal/backend"
)

// Most is how many devices are seen.
const Most = C.PORTABLE__CUDA_MOST

// Open starts the driver and looks for devices, whose number it gives. Without any the error is backend.ErrNoDevice with the reason. What
// was found once is found again.
func Open() (int, error) {
	if n := Count(); n > 0 && C.portable__cuda_is_open() != 0 {
		return n, nil
	}
	return look()
}

// Count is how many devices were found.
func Count() int { return int(C.portable__cuda_devices) }

// Name is the name of a device: "cuda:0" and so on.
func Name(index int) string { return fmt.Sprintf("cuda:%d", index) }

// Number says which number the first device has among those of the library; 0: they have none.
func Number(first int) { C.portable__cuda_numbered(C.int32_t(first)) }

// Release unloads what was loaded and gives back the contexts. The devices have no numbers any more.
func Release() {
	C.portable__cuda_end()
	unload()
	C.portable__cuda_release()
}

// none is the error of a look that has found nothing.
func none(why string) error { return fmt.Errorf("%w: %s", backend.ErrNoDevice, why) }

// driver starts it.
func driver() error {
	if C.portable__cuda_open() != 0 {
		return none(C.GoString(C.portable__cuda_why()))
	}
	return nil
}
