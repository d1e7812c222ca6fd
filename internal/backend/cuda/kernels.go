package cuda

/*
#include <stdlib.h>
#include "devices.h"
#include "module.h"
#include "nvrtc.h"
*/
import "C"

import (
	"errors"
	"fmt"
	"hash/fnv"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"unsafe"

	"libportable/internal/backend/codeobject"
	"libportable/internal/backend/opencl/door"
	"libportable/internal/backend/options"
	"libportable/internal/outside"
)

// Forms of code, as in portable_cuda.h.
const (
	Source = iota
	SourceFile
	Image
	ImageFile
)

// Variants of one source, as bits.
const (
	Narrow  = 1 // all indices, and counts of steps, fit 32 bits
	Fortran = 2 // the first index runs fastest
	Checked = 4 // indices of views are tested
)

// Code is the device version of a kernel.
type Code struct {
	Label   string
	Form    int
	Text    []byte // the source or image, or the path
	Entry   string
	Options string
	File    string
	Line    int
}

// Function is a loaded entry, as C knows it (module.h).
type Function = C.struct_portable__cuda_function

// A Problem says why code could not be loaded, if the program or the installation can fix it.
type Problem struct {
	NoCompiler bool // NVRTC is missing
	Lasting    bool // the same code would fail again
	Text       string
}

func (p *Problem) Error() string { return p.Text }

// A Driver is the driver's answer.
type Driver struct {
	Code int
	Call string
	Log  string // text of its compiler
}

// Texts returns the driver's name and sentence for the code, and whether the context is lost after it.
func (d *Driver) Texts() (name, text string, sticky bool) {
	code := C.int(d.Code)
	return C.GoString(C.portable__cuda_error_name(code)), C.GoString(C.portable__cuda_error_text(code)), C.portable__cuda_is_sticky(code) != 0
}

func (d *Driver) Error() string { return fmt.Sprintf("%s gives %d", d.Call, d.Code) }

// module is an image in a device's context. Several kernels may be its entries.
type module struct {
	sync.Mutex
	loaded     unsafe.Pointer
	parameters map[string]int // bytes that entries take, where the image says it
	log        string
}

type moduleKey struct {
	index int
	hash  sum
}

// modules are all loaded modules. None is unloaded before the library stops, because launches of it may be in streams.
var modules = struct {
	sync.Mutex
	of map[moduleKey]*module
}{of: map[moduleKey]*module{}}

// Load loads code on a device: from the loaded modules, the cache on disk, or the compiler. The log is the compiler's, if
// it was called.
func Load(c Code, index, variant int) (f Function, log string, err error) {
	var before unsafe.Pointer
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if code := C.portable__cuda_visit(C.int32_t(index), &before); code != 0 {
		return f, "", &Driver{Code: int(code), Call: "cuCtxSetCurrent"}
	}
	defer C.portable__cuda_return(before)
	facts := C.portable__cuda_facts(C.int32_t(index))
	if facts == nil {
		return f, "", &Driver{Code: 101, Call: "cuDeviceGet"}
	}
	build, err := c.plan(index, facts, variant)
	if err != nil {
		return f, "", err
	}
	key := moduleKey{index, build.hash}
	modules.Lock()
	m := modules.of[key]
	if m == nil {
		m = &module{}
		modules.of[key] = m
	}
	modules.Unlock()
	m.Lock()
	defer m.Unlock()
	if m.loaded == nil {
		if m.loaded, m.log, err = build.load(); err != nil {
			log, m.log = m.log, ""
			return f, log, err
		}
		m.parameters = build.parameters
	}
	f, err = entry(m.loaded, c.Entry, build.file)
	if f.parameter_bytes == 0 {
		f.parameter_bytes = C.int32_t(m.parameters[c.Entry])
	}
	return f, m.log, err
}

// unload unloads all modules. No launch is in progress.
func unload() {
	modules.Lock()
	defer modules.Unlock()
	for key, m := range modules.of {
		var before unsafe.Pointer
		if m.loaded != nil && C.portable__cuda_visit(C.int32_t(key.index), &before) == 0 {
			C.portable__cuda_module_unload(m.loaded)
			C.portable__cuda_return(before)
		}
	}
	clear(modules.of)
}

// build is code with everything that its image depends on.
type build struct {
	code    Code
	file    string // for messages
	text    []byte // the source, or the image
	source  bool
	driver  Interface // whose compiler
	index   int       // of the device
	options []string
	cubin   bool
	hash    sum
	keep    bool // the image may be stored on disk: its dependencies are known
	// parameters are the bytes that its entries take, where the image says it.
	parameters map[string]int
}

// plan reads files and chooses options.
func (c Code) plan(index int, facts *C.struct_portable__cuda_facts, variant int) (*build, error) {
	b := &build{code: c, index: index, driver: Interface(facts.driver), text: c.Text, file: c.File, source: c.Form == Source || c.Form == SourceFile}
	if c.Form == SourceFile || c.Form == ImageFile {
		path := string(c.Text)
		text, err := outside.ReadFile(path, outside.ImageMost)
		if err != nil {
			return nil, &Problem{Text: fmt.Sprintf("the file of its device version cannot be read: %v; give a path from the working folder or from the root (cuda_code of Fortran also "+
				"looks in PORTABLE_CUDA_PATH, and next to the executable, where portable_cuda_sources of CMake puts files)", err)}
		}
		b.text = text
		if b.file == "" {
			b.file = path
		}
	}
	if b.file == "" {
		b.file = c.Label
	}
	h := fnv.New128a()
	if !b.source {
		if b.driver == OpenCL {
			text, err := door.Image(b.text)
			if err != nil {
				return nil, &Problem{Text: err.Error()}
			}
			b.text = text
		}
		h.Write(b.text)
		h.Sum(b.hash[:0])
		return b, nil
	}
	major, minor, err := compiler(index)
	if err != nil {
		return nil, err
	}
	identity := ""
	switch b.driver {
	case OpenCL:
		identity = door.Identity(ordinalOf(index), variable)
		b.options, _ = nvrtcOptions(c.Options, "", false, variant)
	case Hip:
		own := C.GoString(&facts.architecture[0])
		b.options = hipOptions(c.Options, own, variant)
		if err := hipKnows(b.options, own); err != nil {
			return nil, err
		}
	default:
		to, cubin := target(int(facts.major)*10 + int(facts.minor))
		b.options, b.cubin = nvrtcOptions(c.Options, to, cubin, variant)
	}
	fmt.Fprintf(h, "%s\x00%v %d.%d\x00driver %d\x00%s\x00%s\x00%s\x00%d\x00%s\x00", version, b.driver, major, minor, int(facts.driver_version), C.GoString(&facts.architecture[0]),
		strings.Join(b.options, "\x00"), b.file, c.Line, identity)
	h.Write(b.text)
	b.keep = hashHeaders(h, b.text, b.file, b.options)
	h.Sum(b.hash[:0])
	return b, nil
}

// compilerTexts are for messages.
var compilerTexts = [...]struct{ name, from, images string }{
	Cuda:   {"NVIDIA's compiler NVRTC", "CUDA toolkit, or the package libnvrtc", "PTX, cubin, fatbin"},
	Hip:    {"AMD's compiler hiprtc", "ROCm, or the package libamdhip64-5", "a code object"},
	OpenCL: {"the compiler clang for devices of OpenCL", "the package clang", "SPIR-V"},
}

// CompilerName is the compiler for a device, and what to do if it is missing.
func CompilerName(index int) (name, remedy string) {
	of := driverOf(index)
	return compilerTexts[of].name, "install it (" + compilerTexts[of].from + "), or say by " + libraries[of].variable + " where it is"
}

// compiler opens the compiler for a device.
func compiler(index int) (major, minor int, err error) {
	if why := NoCompiler(index); why != "" {
		name, remedy := CompilerName(index)
		return 0, 0, &Problem{NoCompiler: true, Text: "its device version is source, and " + name + ", which compiles it, is missing: " + why + "; " + remedy +
			", or give the kernel a compiled image (" + compilerTexts[driverOf(index)].images + ")"}
	}
	c := &compilers[driverOf(index)]
	return int(c.major), int(c.minor), nil
}

// target chooses the architecture: the device's own if the compiler knows it and makes machine code, else PTX for the
// newest architecture that both know, which the driver translates.
func target(architecture int) (option string, cubin bool) {
	var list [128]C.int32_t
	n := int(C.portable__nvrtc_architectures(&list[0], C.int32_t(len(list))))
	best := 0
	for _, known := range list[:n] {
		if int(known) == architecture && C.portable__nvrtc_has_cubin() != 0 {
			return fmt.Sprintf("--gpu-architecture=sm_%d", architecture), true
		}
		if int(known) <= architecture {
			best = max(best, int(known))
		}
	}
	if best == 0 {
		best = min(architecture, 70) // a compiler without a list knows these
	}
	return fmt.Sprintf("--gpu-architecture=compute_%d", best), false
}

// nvrtcOptions returns the library's own options, unless the user's replace them, then the user's.
func nvrtcOptions(users string, target string, cubin bool, variant int) (list []string, machine bool) {
	mine := options.Words(users)
	said := func(names ...string) bool {
		for _, option := range mine {
			for _, name := range names {
				if option == name || strings.HasPrefix(option, name+"=") {
					return true
				}
			}
		}
		return false
	}
	if said("--gpu-architecture", "-arch") {
		for _, option := range mine {
			cubin = strings.Contains(option, "sm_")
			if strings.HasPrefix(option, "-arch") || strings.HasPrefix(option, "--gpu-arch") {
				break
			}
		}
	} else if target != "" {
		list = append(list, target)
	}
	if !said("--fmad", "-fmad", "--use_fast_math", "-use_fast_math") {
		list = append(list, "--fmad=false")
	}
	if !said("--std", "-std") {
		list = append(list, "--std=c++14")
	}
	list = append(append(list, "-default-device"), variantOptions(variant)...)
	return append(list, mine...), cubin
}

// variantOptions are the macros of a variant.
func variantOptions(variant int) (list []string) {
	if variant&Narrow != 0 {
		list = append(list, "-DPORTABLE_NARROW=1")
	}
	list = append(list, fmt.Sprintf("-DPORTABLE_LAUNCH_ORDER=%d", variant&Fortran/Fortran))
	if variant&Checked != 0 {
		list = append(list, "-DPORTABLE_BOUNDS_CHECK=1")
	}
	return list
}

// load returns the module of an image that is loaded, cached or compiled.
func (b *build) load() (unsafe.Pointer, string, error) {
	if !b.source {
		m, err := b.loadModule(b.text)
		return m, "", err
	}
	if b.keep {
		if image, ok := cached(b.hash); ok {
			m, err := b.loadModule(image)
			var lost *Driver
			if err == nil || errors.As(err, &lost) && C.portable__cuda_is_sticky(C.int(lost.Code)) != 0 {
				return m, "", err // a lost device accepts no other image either
			}
		}
	}
	image, log, err := b.compile()
	if err != nil {
		return nil, log, err
	}
	m, err := b.loadModule(image)
	if err == nil && b.keep {
		store(b.hash, image)
	}
	return m, log, err
}

func (b *build) loadModule(image []byte) (unsafe.Pointer, error) {
	if b.driver == Hip {
		b.parameters = codeobject.Parameters(image)
	}
	text := append(image[:len(image):len(image)], 0) // the driver searches the end of a text
	var r C.struct_portable__cuda_module
	if code := C.portable__cuda_module_load(unsafe.Pointer(&text[0]), &r); code != 0 {
		return nil, &Driver{Code: int(code), Call: C.GoString(r.call), Log: C.GoString(&r.log[0])}
	}
	return r.module, nil
}

func entry(module unsafe.Pointer, name, file string) (f Function, err error) {
	text := append([]byte(name), 0)
	var call *C.char
	code := C.portable__cuda_module_entry(module, (*C.char)(unsafe.Pointer(&text[0])), &f, &call)
	if code == C.PORTABLE__CUDA_NO_ENTRY {
		return f, &Problem{Lasting: true, Text: fmt.Sprintf("there is no entry '%s' in its device version (%s); the entry is a function extern \"C\" __global__, "+
			"as PORTABLE_KERNEL makes it, and its name is the kernel's label, unless portable_cuda_code.entry gives another", name, file)}
	}
	if code != 0 {
		return f, &Driver{Code: int(code), Call: C.GoString(call)}
	}
	return f, nil
}

// ---- AMD devices: options, the text before a source, architectures that the compiler does not know ----

// hipPrelude stands before each source. It makes CUDA C of HIP: prelude/portable_hip.h.
const hipPrelude = "#include \"portable_hip.h\"\n"

// hipTurned are options of NVRTC that have another name for hiprtc.
var hipTurned = map[string]string{"--use_fast_math": "-ffast-math", "-use_fast_math": "-ffast-math", "--disable-warnings": "-w", "-G": "-g", "--device-debug": "-g"}

// hipOptions returns the options of hiprtc for those that a program gives for NVRTC. architecture "": that of the current device.
func hipOptions(users, architecture string, variant int) (list []string) {
	var mine []string
	contract, fast, standard, said := "off", false, "-std=c++14", architecture != ""
	for _, option := range options.Words(users) {
		name, value, _ := strings.Cut(option, "=")
		switch turned, known := hipTurned[option]; {
		case known:
			mine = append(mine, turned)
			fast = fast || turned == "-ffast-math"
		case option == "-ffast-math" || option == "-Ofast":
			mine, fast = append(mine, option), true
		case name == "--fmad" || name == "-fmad":
			contract, fast = map[bool]string{true: "fast", false: "off"}[value == "true"], false
		case name == "--std" || name == "-std":
			standard = ""
			mine = append(mine, "-std="+value)
		case name == "-ffp-contract":
			contract, fast = value, false
		case name == "--offload-arch":
			architecture, said = value, true
		case name == "--include-path" || name == "-include-path":
			mine = append(mine, "-I"+value)
		case !options.Nvidia(name):
			mine = append(mine, option)
		}
	}
	if said {
		list = append(list, "--offload-arch="+architecture)
	}
	if standard != "" {
		list = append(list, standard)
	}
	list = append(append(list, variantOptions(variant)...), mine...)
	if !fast { // behind -ffast-math, which has a rule of its own
		list = append(list, "-ffp-contract="+contract)
	}
	return list
}

// generatorKnows asks the first of AMD's code generators that is there: the one that hiprtc is linked to, one in its folder, where it looks first, one of the
// system. Where none is there, hiprtc compiles nothing and says so.
func generatorKnows(architecture string) bool {
	text := append([]byte(architecture), 0)
	for _, path := range generators(C.GoString(C.portable__hiprtc_file())) {
		path := append([]byte(path), 0)
		if known := C.portable__hiprtc_knows((*C.char)(unsafe.Pointer(&text[0])), (*C.char)(unsafe.Pointer(&path[0]))); known >= 0 {
			return known > 0
		}
	}
	return true
}

// generators are the code generators that a hiprtc may use, "" its own. That of ROCm 7 has the number 3, older ones have 2.
func generators(hiprtc string) []string {
	names := []string{"libamd_comgr.so.2", "libamd_comgr.so.3"}
	if version := hiprtc[strings.LastIndex(hiprtc, ".so")+1:]; !strings.HasPrefix(version, "so.5") && !strings.HasPrefix(version, "so.6") {
		slices.Reverse(names)
	}
	list := []string{""}
	if folder := filepath.Dir(hiprtc); filepath.IsAbs(folder) {
		list = append(list, filepath.Join(folder, names[0]), filepath.Join(folder, names[1]))
	}
	return append(list, names...)
}

// hipKnows refuses an architecture for which hiprtc would abort the process: one that the compiler's own library does not know, and words behind its name.
// own is that of the device.
func hipKnows(list []string, own string) error {
	for _, option := range list {
		architecture, is := strings.CutPrefix(option, "--offload-arch=")
		if !is {
			continue
		}
		from, remedy := "the option --offload-arch", "leave the option out for the device's own architecture"
		if architecture == own {
			from, remedy = "the driver", "install the ROCm of the driver, or name its hiprtc in PORTABLE_HIPRTC_LIBRARY"
		}
		why := ""
		if word, wrong := options.Feature(architecture); wrong && architecture != own {
			why = fmt.Sprintf("'%s' is no feature of the architecture %s, which %s names", word, architecture, from)
		} else if architecture == "" {
			why = from + " names no architecture"
		} else if !generatorKnows(architecture) {
			why = fmt.Sprintf("this hiprtc does not know the architecture %s, which %s names", architecture, from)
		}
		if why != "" {
			return &Problem{Lasting: true, Text: "its device version is source, and " + why + "; " + remedy}
		}
	}
	return nil
}
