package cuda

/*
#include "devices.h"
#include "memory.h"
*/
import "C"

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"syscall"
	"unsafe"

	"libportable/internal/backend"
)

// The spaces of memory, numbered as in portable_array.h; Device(k) has 3 + k.
const (
	SpacePinned  = 1 // of the host; devices access it over their bus
	SpaceManaged = 2 // one address on host and devices
	SpaceDevice  = 3 // a device's own; the host cannot access it
)

// slabAlignment is that of host.Slabs: the fast path's address map has one entry for so many bytes, and two slabs must
// not share one.
const slabAlignment = 2 << 20

// Memory is the memory of one device, of one space. No function touches it. Threads: safe.
type Memory struct {
	Index int // of the device
	Space int // SpacePinned, SpaceManaged or SpaceDevice + Index
}

var _ backend.Source = Memory{}

// Name is the device's name, with the space unless it is the device's own.
func (m Memory) Name() string {
	switch m.Space {
	case SpacePinned:
		return "pinned host memory of " + Name(m.Index)
	case SpaceManaged:
		return "managed memory of " + Name(m.Index)
	}
	return Name(m.Index)
}

// visit makes the device's context current on this thread, and binds the goroutine to it until leave.
func (m Memory) visit() (leave func(), err error) {
	var before unsafe.Pointer
	runtime.LockOSThread()
	if err := failed("the context of "+Name(m.Index), int(C.portable__cuda_visit(C.int32_t(m.Index), &before))); err != nil {
		runtime.UnlockOSThread()
		return nil, err
	}
	return func() {
		C.portable__cuda_return(before)
		runtime.UnlockOSThread()
	}, nil
}

// Reserve takes a slab from the driver, at a multiple of slabAlignment if it is that large.
func (m Memory) Reserve(bytes uint64) (uintptr, error) {
	if bytes > math.MaxInt64-2*slabAlignment {
		return 0, fmt.Errorf("%w: %d bytes are more than %s can have", backend.ErrRefused, bytes, m.Name())
	}
	leave, err := m.visit()
	if err != nil {
		return 0, m.refusalOf(fmt.Sprintf("%d bytes of %s: %v", bytes, m.Name(), err), err)
	}
	defer leave()
	align := uintptr(backend.Alignment)
	if bytes >= slabAlignment {
		align = slabAlignment
	}
	given, err := m.take(bytes)
	if err != nil {
		return 0, m.refused(bytes, err)
	}
	if given%align != 0 { // the driver does not promise it: ask for more, and align inside
		if m.give(given) != nil {
			align = backend.Alignment // keep the address: the map has a part of it, so some of its blocks are freed by Go
		} else if given, err = m.take(bytes + uint64(align)); err != nil {
			return 0, m.refused(bytes, err)
		}
	}
	start := (given + align - 1) &^ (align - 1)
	if reason := C.portable__cuda_slab_add(C.uintptr_t(start), C.uint64_t(bytes), C.uintptr_t(given), C.int32_t(m.Space)); reason != 0 {
		_ = m.give(given)
		return 0, fmt.Errorf("%w: the table of slabs: %w", backend.ErrRefused, syscall.Errno(reason))
	}
	return start, nil
}

// tools show the state of a driver's devices, and list the programs that use them ("": they do not).
var tools = [...]struct{ shows, lists string }{
	Cuda:   {"nvidia-smi", " (nvidia-smi lists them)"},
	Hip:    {"rocm-smi", " (rocm-smi --showpids lists them)"},
	OpenCL: {"clinfo", ""},
}

// refusal is backend.ErrRefused and its cause.
type refusal struct {
	text   string
	driver Interface
	cause  error
}

func (r *refusal) Error() string { return r.text }
func (r *refusal) Advice() string {
	return "ask for less (GATOR_INITIAL_MB, GATOR_GROW_MB), or end other programs that use memory of the device" + tools[r.driver].lists
}
func (r *refusal) Unwrap() []error { return []error{backend.ErrRefused, r.cause} }

// refusalOf returns a refusal if the driver has no memory, else backend.ErrDevice with its cause.
func (m Memory) refusalOf(text string, cause error) error {
	var e *driverError
	of := driverOf(m.Index)
	if errors.As(cause, &e) && e.code != outOfMemory {
		return &deviceError{text + "; see what " + tools[of].shows + " reports of the device, or run with PORTABLE_DEVICE=threads", cause}
	}
	return &refusal{text, of, cause}
}

// deviceError is backend.ErrDevice and its cause.
type deviceError struct {
	text  string
	cause error
}

func (d *deviceError) Error() string   { return d.text }
func (d *deviceError) Unwrap() []error { return []error{backend.ErrDevice, d.cause} }

// refused adds the free memory: other programs use the device, and the driver's text does not say it.
func (m Memory) refused(bytes uint64, cause error) error {
	text := fmt.Sprintf("%d bytes of %s: %v", bytes, m.Name(), cause)
	if free, total, err := m.Info(); err == nil {
		text += fmt.Sprintf("; the device has %d bytes, of which %d are free", total, free)
	}
	return m.refusalOf(text, cause)
}

// Release frees a slab; as the driver's call, it waits for the device's use of it. A lost device has nothing to free.
func (m Memory) Release(addr uintptr, bytes uint64) error {
	leave, err := m.visit()
	if err != nil {
		if lost(err) {
			C.portable__cuda_slab_take(C.uintptr_t(addr))
			return nil
		}
		return fmt.Errorf("%w: releasing %d bytes at %#x of %s: %w", backend.ErrRefused, bytes, addr, m.Name(), err)
	}
	defer leave()
	given := uintptr(C.portable__cuda_slab_take(C.uintptr_t(addr)))
	if given == 0 {
		return fmt.Errorf("%w: there is no slab of %d bytes at %#x of %s", backend.ErrRefused, bytes, addr, m.Name())
	}
	if err := m.give(given); err != nil && !lost(err) {
		C.portable__cuda_slab_add(C.uintptr_t(addr), C.uint64_t(bytes), C.uintptr_t(given), C.int32_t(m.Space))
		return fmt.Errorf("%w: releasing %d bytes at %#x of %s: %w", backend.ErrRefused, bytes, addr, m.Name(), err)
	}
	return nil
}

// SpaceOf is the space of an address; 0: it is in no slab of a device.
func SpaceOf(addr uintptr) int { return int(C.portable__cuda_find(C.uintptr_t(addr), nil, nil)) }

// Info returns the bytes of the device, and how many of them are free.
func (m Memory) Info() (free, total uint64, err error) {
	var f, t C.uint64_t
	err = failed("cuMemGetInfo", int(C.portable__cuda_memory(C.int32_t(m.Index), &f, &t)))
	return uint64(f), uint64(t), err
}

// ErrUnsupported says that the device lacks such memory.
var ErrUnsupported = errors.New("the device has no such memory")

// Codes of the driver.
const (
	outOfMemory    = 2
	notInitialized = 3
	noDevice       = 100
	invalidDevice  = 101
	notSupported   = 801
)

// driverError is the driver's answer to a call.
type driverError struct {
	call string
	code int
}

func (e *driverError) Error() string {
	code := C.int(e.code)
	return fmt.Sprintf("%s: %s (%d): %s", e.call, C.GoString(C.portable__cuda_error_name(code)), e.code, C.GoString(C.portable__cuda_error_text(code)))
}

func (e *driverError) Is(target error) bool {
	switch e.code {
	case notSupported:
		return target == ErrUnsupported
	case notInitialized, noDevice, invalidDevice:
		return target == backend.ErrNoDevice
	}
	return false
}

// failed returns an error, or nil for code 0.
func failed(call string, code int) error {
	if code == 0 {
		return nil
	}
	return &driverError{call, code}
}

// lost says whether the device is lost, and with it all its memory.
func lost(err error) bool {
	var e *driverError
	return errors.As(err, &e) && C.portable__cuda_is_sticky(C.int(e.code)) != 0
}
