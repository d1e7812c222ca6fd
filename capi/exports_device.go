package capi

/*
// Headers for devices include those of C.
#cgo CFLAGS: -Iinclude/c
#include <stdlib.h>
#include "questions.h"
#include "../exec/algorithm/cufft.h"
#include "../exec/device/cuda_notes.h"
#include "../internal/backend/cuda/devices.h"
#include "../internal/team/emulated.h"
#include "../internal/team/devices.h"
#include "../exec/launch/fallback.h"
#include "../exec/launch/launch.h"
*/
import "C"

import (
	"bytes"
	"embed"
	"errors"
	"io/fs"
	"os"
	"strings"
	"unsafe"

	"libportable/exec"
	"libportable/internal/backend/cuda"
	"libportable/internal/edge"
)

// Files that device code may include, once: the same files that hosts include.
//
//go:embed include/device/*.h include/c/portable_device*.h include/c/portable_atomic.h include/c/portable_division.h include/kernel/*.h
var deviceHeaders embed.FS

func init() {
	if folders, err := fs.Sub(deviceHeaders, "include"); err == nil {
		cuda.SetHeaders(folders)
	}
	cuda.Ending = func() {
		programs.End()
		C.portable__cufft_end(nil)
		for i := range C.int32_t(cuda.Most) {
			C.portable__cuda_notes_end(i)
		}
	}
}

// programs are the device versions of kernels.
var programs = exec.NewDevicePrograms(deviceLoader{}, printLine)

// deviceLoader lets internal/backend/cuda load code, and keeps its functions in records of C.
type deviceLoader struct{}

func (deviceLoader) Record(p *exec.DeviceProgram) any {
	label := terminated(p.Code.Label)
	r := C.portable__cuda_program_make(C.portable__text(unsafe.Pointer(&label[0])))
	if r == nil {
		return nil
	}
	r.number, r.block_size, r.shared_bytes = C.uint32_t(p.Number), C.int32_t(p.Code.BlockSize), C.size_t(p.Code.SharedBytes)
	if p.Code.OneForm() {
		r.one_form = 1
	}
	return r
}

func (deviceLoader) Load(p *exec.DeviceProgram, index, variant int) (log string, err error) {
	c := &p.Code
	code := cuda.Code{Label: c.Label, Form: c.Form, Text: c.Text, Entry: c.Entry, Options: c.Options, File: c.File, Line: c.Line}
	if c.Builtin != "" {
		if code, err = cuda.Builtin(c.Builtin, c.Entry); err != nil {
			return "", err
		}
	}
	f, log, err := cuda.Load(code, index, variant)
	var problem *cuda.Problem
	var driver *cuda.Driver
	switch {
	case errors.As(err, &problem):
		return log, &exec.CodeProblem{NoCompiler: problem.NoCompiler, Lasting: problem.Lasting, Text: problem.Text}
	case errors.As(err, &driver):
		return log, refusalOf(driver)
	case err == nil && C.portable__cuda_program_publish(p.Record.(*C.struct_portable__cuda_program), C.int32_t(index), C.int32_t(variant),
		(*C.struct_portable__cuda_function)(unsafe.Pointer(&f))) == 0:
		return log, exec.NoMemoryForCode(c.Label)
	}
	return log, err
}

func (deviceLoader) Forget(record any) bool {
	return C.portable__cuda_program_forget(record.(*C.struct_portable__cuda_program)) != 0
}

func (deviceLoader) NoCompiler(index int) string { return cuda.NoCompiler(index) }

func (deviceLoader) Compiler(index int) (name, remedy string) { return cuda.CompilerName(index) }

func refusalOf(d *cuda.Driver) *exec.DriverProblem {
	name, text, sticky := d.Texts()
	return &exec.DriverProblem{Code: d.Code, Sticky: sticky, Call: d.Call, Name: name, Text: text, Log: strings.TrimSpace(d.Log)}
}

// deviceCodes are the status codes of kinds of refusals.
var deviceCodes = [...]C.portable_status{exec.DeviceArgument: C.PORTABLE_ERR_ARG, exec.DeviceNoCompiler: C.PORTABLE_ERR_STATE,
	exec.DeviceMissing: C.PORTABLE_ERR_NODEVICE, exec.DeviceDriver: C.PORTABLE_ERR_DEVICE, exec.DeviceNoMemory: C.PORTABLE_ERR_NOMEM,
	exec.DeviceInternal: C.PORTABLE_ERR_INTERNAL}

// deviceStatus makes a code of an error and keeps its text.
func deviceStatus(err error) C.portable_status {
	var r *exec.DeviceRefusal
	if !errors.As(err, &r) {
		return status(err)
	}
	setError(r.Text)
	return deviceCodes[r.Kind]
}

func setError(text string) { C.portable__set_error(textAndBytes(text)) }

//export portable__go_kernel_set_cuda
func portable__go_kernel_set_cuda(k C.portable__kernel_in, code C.portable__cuda_code_in, out **C.struct_portable__cuda_program) (st C.portable_status) {
	defer guard(&st)
	label := C.GoString(&k.label[0])
	if code.struct_size != C.uint32_t(unsafe.Sizeof(*code)) {
		return deviceStatus(exec.DeviceCodeSize(label, uint32(code.struct_size)))
	}
	c := exec.DeviceCode{Label: label, Entry: optional(code.entry), NoEntry: code.entry == nil, Options: optional(code.options), File: optional(code.file),
		Form: int(code.form), Line: int(code.line), BlockSize: int(code.block_size), SharedBytes: uint64(code.shared_bytes), Terminated: code.bytes == 0}
	if code.code != nil {
		length := code.bytes
		if length == 0 {
			length = C.strlen(code.code)
		}
		c.Bytes = uint64(length)
		c.Text = unsafe.Slice((*byte)(unsafe.Pointer(code.code)), int(min(c.Bytes, exec.MostCode)))
	}
	if err := c.Refusal(); err != nil {
		return deviceStatus(err)
	}
	c.Text = bytes.Clone(c.Text)
	folders, _ := edge.Lookup("PORTABLE_CUDA_PATH")
	executable, _ := os.Executable()
	c.Locate(folders, executable)
	var names []string
	for _, a := range unsafe.Slice(k.arguments, int(k.count)) {
		names = append(names, C.GoString(&a.name[0]))
	}
	p, err := programs.Add(c, names)
	if err == nil {
		*out = p.Record.(*C.struct_portable__cuda_program)
	}
	return deviceStatus(err)
}

//export portable__go_cuda_form
func portable__go_cuda_form(program *C.struct_portable__cuda_program, index, variant, onHost C.int32_t, noCompiler *C.int32_t) (st C.portable_status) {
	defer guard(&st)
	err := programs.Form(programs.Find(uint32(program.number)), int(index), int(variant), onHost != 0)
	if err == exec.ErrNoCompiler {
		*noCompiler = 1
		return C.PORTABLE_ERR_STATE
	}
	if err == exec.ErrCodeRefused {
		*noCompiler = C.PORTABLE__CODE_REFUSED
		return C.PORTABLE_ERR_STATE
	}
	return deviceStatus(err)
}

//export portable__go_cuda_list
func portable__go_cuda_list(label C.portable__text, key C.uint32_t) (st C.portable_status) {
	defer guard(&st)
	return deviceStatus(programs.List(goString(label), uint32(key), func() bool { return C.portable__cuda_list_find(key) != nil }, func(list []*exec.DeviceProgram) bool {
		var records [C.PORTABLE__LIST_MOST]*C.struct_portable__cuda_program
		for i, p := range list {
			records[i] = p.Record.(*C.struct_portable__cuda_program)
		}
		return C.portable__cuda_list_add(key, C.int32_t(len(list)), &records[0]) != 0
	}))
}

//export portable__go_cuda_compiles
func portable__go_cuda_compiles(index C.int32_t) (compiles C.int32_t) {
	var st C.portable_status
	defer guard(&st)
	return oneIf(programs.Compiles(int(index)))
}

//export portable__go_cuda_log
func portable__go_cuda_log(program *C.struct_portable__cuda_program, text *C.char, room C.size_t) C.size_t {
	var st C.portable_status
	defer guard(&st)
	log := programs.Find(uint32(program.number)).Log()
	put(text, room, log)
	return C.size_t(len(log) + 1)
}

//export portable__go_cuda_note
func portable__go_cuda_note(n C.portable__note_in, text *C.char, room C.size_t, label *C.char, labelRoom C.size_t) {
	var st C.portable_status
	defer guard(&st)
	note := exec.DeviceNote{Kernel: uint32(n.kernel), Code: int(n.code), Argument: int(n.argument), Dimension: int(n.dimension), Rank: int(n.rank),
		At: int64(n.index), Lower: int64(n.lower), Upper: int64(n.upper)}
	if note.Index = n.kind != C.PORTABLE__NOTE_FAILED; note.Index {
		note.Code = C.PORTABLE_ERR_ARG
	} else {
		note.Said = C.GoStringN(&n.text[0], C.int(len(n.text)))
		note.Said, _, _ = strings.Cut(note.Said, "\x00")
	}
	name, said := programs.Note(&note)
	put(text, room, said)
	put(label, labelRoom, name)
}

//export portable__go_cuda_failed
func portable__go_cuda_failed(code C.int32_t, call, label C.portable__text) {
	var st C.portable_status
	defer guard(&st)
	setError(refusalOf(&cuda.Driver{Code: int(code), Call: goString(call)}).Refusal(optional(label)))
}

//export portable__go_cuda_refused
func portable__go_cuda_refused(r C.portable__cuda_refused_in) (st C.portable_status) {
	defer guard(&st)
	k := r.kernel
	l := exec.DeviceLaunch{Call: goString(r.call), Label: C.GoString(&k.label[0]), Device: int(r.device), Named: int(r.config_device),
		DeviceName: deviceName(r.device), NoArguments: k.block_bytes > 0 && r.args == nil, Block: uint64(k.block_bytes),
		Space: C.sizeof_portable_launch_space, ByPointer: k.block_bytes > C.PORTABLE_ARGUMENTS_DIRECT}
	if r.form != nil {
		l.Registers, l.Static = int(r.form.f.registers), int64(r.form.f.static_shared)
		l.Entry = programs.Find(uint32(r.program.number)).Code.Entry
		if r.division != nil {
			most := r.facts.max_block
			l.MostThreads = int64(r.form.f.max_threads)
			l.Division = &exec.DeviceDivision{Division: (*exec.Division)(unsafe.Pointer(r.division)), Team: r.team != 0, CodeBlock: int64(r.program.block_size),
				MostBlock: [3]int64{int64(most[0]), int64(most[1]), int64(most[2])}}
		}
		if r.threads_asked != 0 {
			l.Threads, l.MostThreads = int64(r.threads_asked), int64(r.form.f.max_threads)
		}
		if r.shared_asked != 0 {
			l.Shared, l.MostShared = int64(r.shared_asked), int64(r.shared_most)
		}
		if r.parameter_bytes != 0 {
			l.Takes, l.Has = int64(r.form.f.parameter_bytes), int64(r.parameter_bytes)
		}
		for _, a := range unsafe.Slice(k.arguments, int(k.count)) {
			l.End = max(l.End, uint64(a.what.offset+a.what.bytes))
		}
		l.View = viewOf(k, r.args)
	}
	if err := l.Refusal(); err != nil {
		return deviceStatus(err)
	}
	return refusal(exec.Refusal{}, l.Call+" '"+l.Label+"'")
}

// viewOf returns the first argument that is a view of another rank than the declared one; nil: there is none.
func viewOf(k C.portable__kernel_in, args unsafe.Pointer) *exec.DeviceView {
	const head = C.size_t(unsafe.Offsetof(C.portable_view_1{}.dim))
	for i, a := range unsafe.Slice(k.arguments, int(k.count)) {
		if a.what.kind != C.PORTABLE_ARGUMENT_ARRAY || args == nil {
			continue
		}
		declared := int((a.what.bytes - head) / C.sizeof_portable_view_dimension)
		if rank := int((*C.portable_view_1)(unsafe.Add(args, a.what.offset)).rank); rank != declared {
			return &exec.DeviceView{Argument: i + 1, Name: C.GoString(&a.name[0]), Rank: rank, Declared: declared}
		}
	}
	return nil
}

func deviceName(number C.portable_device) string { return C.GoString(C.portable_device_name(number)) }

//export portable__go_device_unreached
func portable__go_device_unreached(r C.portable__unreached_in) (st C.portable_status) {
	defer guard(&st)
	u := exec.DeviceUnreached{Why: int(r.why), Call: goString(r.call), Label: goString(r.label), Name: optional(r.name), OtherName: optional(r.other_name),
		At: uintptr(r.at), Other: uintptr(r.other), Index: int(r.index), Owner: deviceName(C.portable_device(C.portable__cuda_number(r.index))),
		Device: deviceName(r.device), OnDevice: C.portable__cuda_index(r.device) >= 0}
	setError(u.Refusal())
	if u.Why == exec.UnreachedCopy {
		return C.PORTABLE_ERR_ARG
	}
	return C.PORTABLE_ERR_POINTER
}

//export portable__go_device_missing
func portable__go_device_missing(call, label C.portable__text, device C.portable_device) (st C.portable_status) {
	defer guard(&st)
	return deviceStatus(exec.NoSuchDevice(goString(call), optional(label), int(device), int(C.portable_device_count())))
}

//export portable__go_device_not_cuda
func portable__go_device_not_cuda(call, label C.portable__text, device C.portable_device) (st C.portable_status) {
	defer guard(&st)
	return deviceStatus(exec.DeviceUnknown(goString(call), optional(label), int(device), deviceName(device)))
}

//export portable__go_device_properties
func portable__go_device_properties(device C.portable_device, out *C.portable_device_properties) (st C.portable_status) {
	defer guard(&st)
	p := C.portable_device_properties{struct_size: out.struct_size}
	put(&p.name[0], C.size_t(len(p.name)), deviceName(device))
	if f := C.portable__cuda_facts(C.portable__cuda_index(device)); f != nil {
		p.model, p.memory_bytes, p.parallelism = f.name, f.memory, f.multiprocessors
		p.kind = map[cuda.Interface]C.int32_t{cuda.Cuda: C.PORTABLE_DEVICE_CUDA, cuda.Hip: C.PORTABLE_DEVICE_HIP, cuda.OpenCL: C.PORTABLE_DEVICE_OPENCL}[cuda.Interface(f.driver)]
		p.concurrent_managed, p.pageable_access = f.concurrent_managed, f.pageable
		p.max_threads_per_block, p.warp_size = f.max_threads_per_block, f.warp
		p.shared_bytes_per_block, p.shared_bytes_opt_in = C.uint64_t(f.max_shared_bytes), C.uint64_t(max(f.max_shared_bytes, f.max_shared_bytes_opt_in))
		p.compute_major, p.compute_minor, p.driver_version, p.integrated = f.major, f.minor, f.driver_version, f.integrated
		p.pci, p.uuid = f.pci, f.uuid
	} else {
		_, total := exec.HostMemory()
		p.memory_bytes, p.parallelism = C.uint64_t(total), C.portable__device_workers(device)
		put(&p.model[0], C.size_t(len(p.model)), exec.HostModel())
		if p.kind = C.PORTABLE_DEVICE_EMULATED; device != C.portable_device(C.portable__emulated_number()) {
			p.kind, p.concurrent_managed, p.pageable_access = C.PORTABLE_DEVICE_HOST, 1, 1
		}
	}
	*out = p
	return C.PORTABLE_OK
}

//export portable__go_device_memory
func portable__go_device_memory(device C.portable_device, free, total *C.uint64_t) (st C.portable_status) {
	defer guard(&st)
	index := C.portable__cuda_index(device)
	if index < 0 {
		rest, all := exec.HostMemory()
		*free, *total = C.uint64_t(rest), C.uint64_t(all)
		return C.PORTABLE_OK
	}
	if code := C.portable__cuda_memory(index, free, total); code != 0 {
		return deviceStatus(refusalOf(&cuda.Driver{Code: int(code), Call: "cuMemGetInfo"}).Refuse("portable_device_memory_info"))
	}
	return C.PORTABLE_OK
}
