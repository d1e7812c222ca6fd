package cuda

/*
#include "devices.h"
#include "nvrtc.h"
*/
import "C"

import (
	"fmt"
	"slices"
	"sync"
	"time"
	"unsafe"

	"libportable/internal/backend/opencl/door"
)

// compilers are the searches for NVRTC, hiprtc and clang. Libraries stay open; clang is looked for again after a second.
var compilers [C.PORTABLE__DRIVERS]struct {
	sync.Mutex
	open         bool
	major, minor C.int32_t
	why          string
	missed       time.Time // the last search without success, and the variable's value then
	named        string
	index        int // of OpenCL: the device that was asked for
}

// library describes where a compiler is found.
type library struct {
	variable string
	names    func(driver int) []string
	none     string
}

var libraries = [...]library{
	Cuda: {"PORTABLE_NVRTC_LIBRARY", candidates, "there is no libnvrtc.so of CUDA 13, 12 or 11 where the loader looks (LD_LIBRARY_PATH, ldconfig)"},
	Hip:  {"PORTABLE_HIPRTC_LIBRARY", hipCandidates, "there is no libhiprtc.so of ROCm 7, 6 or 5 where the loader looks (LD_LIBRARY_PATH, ldconfig)"},

	OpenCL: {variable: "PORTABLE_CLANG"},
}

// NoCompiler says why the compiler for a device is missing; "": it is open. A program whose kernels all run on the host, because there is no compiler,
// asks at each launch, and a search of all folders takes 100 us: so the answer stays for a second, unless the variable changes.
func NoCompiler(index int) string {
	of := driverOf(index)
	c, l := &compilers[of], libraries[of]
	c.Lock()
	defer c.Unlock()
	named := variable(l.variable)
	if c.open {
		return ""
	}
	if of == OpenCL {
		if c.missed.IsZero() || time.Since(c.missed) >= time.Second || named != c.named || index != c.index {
			c.missed, c.named, c.index = time.Now(), named, index
			c.why = door.NoCompiler(ordinalOf(index), variable)
		}
		return c.why
	}
	if c.missed.IsZero() || time.Since(c.missed) >= time.Second || named != c.named {
		c.missed, c.named = time.Now(), named
		c.open, c.why = l.search(named, driverMajor(index), func(path string) string { return openLibrary(of, path) })
	}
	if c.open {
		return ""
	}
	return c.why
}

// search opens the library that the user names, else the first of candidates.
func (l library) search(named string, driver int, open func(path string) string) (found bool, why string) {
	if named != "" {
		why = open(named)
		return why == "", why
	}
	for _, name := range l.names(driver) {
		if open(name) == "" {
			return true, ""
		}
	}
	return false, l.none
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

// hipCandidates lists names of hiprtc, those of the driver's own HIP first: two versions in a process would load two compilers. HIP 5 has it in the
// driver's library.
func hipCandidates(driver int) (names []string) {
	majors := []int{7, 6, 5}
	if driver > 0 {
		majors = append([]int{driver}, slices.DeleteFunc(majors, func(m int) bool { return m == driver })...)
	}
	for _, major := range majors {
		for _, name := range []string{"libhiprtc.so.%d", "libamdhip64.so.%d"} {
			names = append(names, fmt.Sprintf(name, major))
		}
	}
	return append(names, "libhiprtc.so")
}

// driverOf is the driver of a device; NVIDIA's if there is no such device.
func driverOf(index int) Interface {
	if facts := C.portable__cuda_facts(C.int32_t(index)); facts != nil {
		return Interface(facts.driver)
	}
	return Cuda
}

// ordinalOf is the driver's number of a device.
func ordinalOf(index int) int { return int(C.portable__cuda_ordinal(C.int32_t(index))) }

// driverMajor is the major number of the driver's CUDA or HIP; 0: there is no device.
func driverMajor(index int) int {
	facts := C.portable__cuda_facts(C.int32_t(index))
	switch {
	case facts == nil:
		return 0
	case Interface(facts.driver) == Hip:
		return int(facts.driver_version) / 10000000
	}
	return int(facts.driver_version) / 1000
}

// openLibrary opens one library, and returns why it could not.
func openLibrary(of Interface, path string) string {
	name := append([]byte(path), 0)
	var why [1024]C.char
	c := &compilers[of]
	if C.portable__nvrtc_open(C.int(of), (*C.char)(unsafe.Pointer(&name[0])), &c.major, &c.minor, &why[0], C.size_t(len(why))) != 0 {
		return C.GoString(&why[0])
	}
	return ""
}
