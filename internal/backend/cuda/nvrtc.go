package cuda

/*
#include "devices.h"
#include "nvrtc.h"
*/
import "C"

import (
	"fmt"
	"sync"
	"time"
	"unsafe"
)

const varCompiler = "PORTABLE_NVRTC_LIBRARY"

// nvrtc is the search for the compiler. The library stays open.
var nvrtc struct {
	sync.Mutex
	open         bool
	major, minor C.int32_t
	why          string
	missed       time.Time // the last search without success, and the variable's value then
	named        string
}

// NoCompiler says why NVRTC is missing; "": it is open. A program whose kernels all run on the host, because there is no compiler,
// asks at each launch, and a search of all folders takes 100 us: so the answer stays for a second, unless the variable changes.
func NoCompiler() string {
	nvrtc.Lock()
	defer nvrtc.Unlock()
	named := variable(varCompiler)
	if nvrtc.open {
		return ""
	}
	if nvrtc.missed.IsZero() || time.Since(nvrtc.missed) >= time.Second || named != nvrtc.named {
		nvrtc.missed, nvrtc.named = time.Now(), named
		nvrtc.open, nvrtc.why = search(named, driverMajor(), openLibrary)
	}
	if nvrtc.open {
		return ""
	}
	return nvrtc.why
}

// search opens the library that the user names, else the first of candidates.
func search(named string, driver int, open func(path string) string) (found bool, why string) {
	if named != "" {
		why = open(named)
		return why == "", why
	}
	for _, name := range candidates(driver) {
		if open(name) == "" {
			return true, ""
		}
	}
	return false, "there is no libnvrtc.so of CUDA 13, 12 or 11 where the loader looks (LD_LIBRARY_PATH, ldconfig)"
}

// candidates lists names of the library, those of the driver's own CUDA first: an older driver does not load code of a newer compiler.
func candidates(driver int) (names []string) {
	all := []struct {
		major int
		name  string
	}{{13, "libnvrtc.so.13"}, {12, "libnvrtc.so.12"}, {11, "libnvrtc.so.11.2"}, {11, "libnvrtc.so.11.1"}, {11, "libnvrtc.so.11.0"}, {0, "libnvrtc.so"}}
	if driver > all[0].major {
		names = append(names, fmt.Sprintf("libnvrtc.so.%d", driver))
	}
	for _, own := range []bool{true, false} {
		for _, c := range all {
			if (c.major == driver) == own {
				names = append(names, c.name)
			}
		}
	}
	return names
}

// driverMajor is the major number of the driver's CUDA; 0: there is no device.
func driverMajor() int {
	if facts := C.portable__cuda_facts(0); facts != nil {
		return int(facts.driver_version) / 1000
	}
	return 0
}

// openLibrary opens one library, and returns why it could not.
func openLibrary(path string) string {
	name := append([]byte(path), 0)
	var why [1024]C.char
	if C.portable__nvrtc_open((*C.char)(unsafe.Pointer(&name[0])), &nvrtc.major, &nvrtc.minor, &why[0], C.size_t(len(why))) != 0 {
		return C.GoString(&why[0])
	}
	return ""
}
