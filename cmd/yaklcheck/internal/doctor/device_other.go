package doctor

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"libportable/internal/report"
)

// This file examines AMD devices and drivers of OpenCL.

// asks says whether the program will ask for a device of a driver, and by which word.
func (d *doctor) asks(driver string) (word string, yes bool) {
	word = strings.ToLower(strings.TrimSpace(d.Env["PORTABLE_DEVICE"]))
	name, _, _ := strings.Cut(word, ":")
	return word, name == driver
}

// libraryOf finds a driver's library by the variable that names it, else by its names; told: a verdict has been given already.
func (d *doctor) libraryOf(subject, variable string, names ...string) (found string, told bool) {
	named := d.Env[variable]
	if named == "" {
		for _, name := range names {
			if found = d.library(name); found != "" {
				return found, false
			}
		}
		return "", false
	}
	if !strings.Contains(named, "/") {
		found = d.library(named)
	} else if _, err := fs.Stat(d.Root, strings.TrimPrefix(named, "/")); err == nil || !strings.HasPrefix(named, "/") {
		found = named // a relative path cannot be examined
	}
	if found == "" {
		d.tell(Warning, subject, variable+"="+named+" is not there; none of its devices will be found", "unset it, or name the driver's "+names[0])
	}
	return found, found == ""
}

// hidden reports a variable by which a driver shows fewer devices.
func (d *doctor) hidden(subject, variable string) {
	switch v, set := d.Env[variable]; {
	case set && (v == "" || v == "-1"):
		d.tell(Warning, subject, variable+" hides all devices", "unset it")
	case set:
		d.tell(Note, subject, variable+"="+v, "")
	}
}

// rights examines whether this user may use the files of devices.
func (d *doctor) rights(subject string, nodes ...string) {
	for _, n := range nodes {
		if _, err := fs.Stat(d.Root, n); err != nil || d.Open == nil {
			continue
		}
		if err := d.Open("/" + n); err != nil {
			d.tell(Warning, subject, fmt.Sprintf("/%s may not be used: %v", n, err), "ask for membership in its group (ls -l /"+n+"), or for the device in the batch job")
		}
	}
}

func (d *doctor) amd() {
	const subject = "AMD"
	devices := 0
	nodes, _ := fs.Glob(d.Root, "sys/class/kfd/kfd/topology/nodes/*/gpu_id")
	for _, n := range nodes {
		if id := d.text(n); id != "" && id != "0" { // processors are nodes, too
			devices++
		}
	}
	library, told := d.libraryOf(subject, "PORTABLE_HIP_LIBRARY", "libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5", "libamdhip64.so")
	word, asked := d.asks("hip")
	_, err := fs.Stat(d.Root, "dev/kfd")
	switch {
	case devices == 0 && asked:
		d.tell(Warning, subject, "PORTABLE_DEVICE="+word+", but there is no AMD device; launches will run on threads",
			"start the program on a machine that has one (in a container: --device /dev/kfd --device /dev/dri), or set PORTABLE_DEVICE=auto")
		return
	case devices == 0:
		if !told {
			d.tell(OK, subject, "there is no AMD device", "")
		}
		return
	case err != nil:
		d.tell(Warning, subject, "there is no /dev/kfd", "load the module amdgpu; start a container with --device /dev/kfd --device /dev/dri")
	default:
		d.tell(OK, subject, report.Plural(devices, "device"), "")
	}
	switch {
	case library == "" && !told:
		d.tell(Warning, subject, "libamdhip64.so is in none of the usual folders", "install ROCm, or set LD_LIBRARY_PATH or PORTABLE_HIP_LIBRARY")
	case library != "" && !strings.Contains(library, ".so.5"): // that one has the compiler in it
		d.libraryOrNote(subject, "PORTABLE_HIPRTC_LIBRARY", "libhiprtc.so.7", "libhiprtc.so.6", "libhiprtc.so")
	}
	render, _ := fs.Glob(d.Root, "dev/dri/renderD*")
	d.rights(subject, append([]string{"dev/kfd"}, render...)...)
	d.hidden(subject, "HIP_VISIBLE_DEVICES")
	d.hidden(subject, "ROCR_VISIBLE_DEVICES")
}

// libraryOrNote reports a compiler that is missing.
func (d *doctor) libraryOrNote(subject, variable string, names ...string) {
	if found, told := d.libraryOf(subject, variable, names...); found == "" && !told {
		d.tell(Note, subject, names[0]+" is in none of the usual folders: kernels whose device version is source run on the host", "install ROCm's hiprtc, or set "+variable)
	}
}

func (d *doctor) openCL() {
	const subject = "OpenCL"
	drivers, _ := fs.Glob(d.Root, "etc/OpenCL/vendors/*.icd")
	for i, name := range drivers {
		drivers[i] = path.Base(name)
	}
	word, asked := d.asks("opencl")
	library, told := d.libraryOf(subject, "PORTABLE_OPENCL_LIBRARY", "libOpenCL.so.1")
	named := d.Env["PORTABLE_OPENCL_LIBRARY"] != "" || d.Env["OCL_ICD_VENDORS"] != "" // the drivers may be elsewhere
	switch {
	case len(drivers) == 0 && !named && asked:
		d.tell(Warning, subject, "PORTABLE_DEVICE="+word+", but there is no driver of OpenCL; launches will run on threads",
			"install one (intel-opencl-icd; pocl-opencl-icd for tests), or set PORTABLE_DEVICE=auto")
		return
	case len(drivers) == 0 && !named:
		d.tell(OK, subject, "there is no driver of OpenCL", "")
		return
	case library == "":
		if !told {
			d.tell(Warning, subject, "libOpenCL.so.1 is in none of the usual folders", "install it (ocl-icd-libopencl1), or set PORTABLE_OPENCL_LIBRARY")
		}
		return
	case len(drivers) > 0:
		d.tell(OK, subject, "drivers: "+strings.Join(drivers, ", ")+" (for a libportable that was built with PORTABLE_OPENCL)", "")
	}
	if asked && !d.hasClang() {
		d.tell(Warning, subject, "there is no clang of LLVM 14 or newer: kernels whose device version is source run on the host",
			"install it (PoCL of Debian 12 needs clang-15), or name it in PORTABLE_CLANG")
	}
}

// hasClang says whether there is a compiler for devices of OpenCL.
func (d *doctor) hasClang() bool {
	is := func(file string) bool {
		_, err := fs.Stat(d.Root, strings.TrimPrefix(file, "/"))
		return err == nil
	}
	if named := d.Env["PORTABLE_CLANG"]; strings.HasPrefix(named, "/") {
		return is(named)
	}
	names, _ := fs.Glob(d.Root, "usr/lib/llvm-*/bin/clang")
	return len(names) > 0 || slices.ContainsFunc(strings.Split(d.Env["PATH"], ":"), func(folder string) bool {
		there, _ := fs.Glob(d.Root, strings.TrimPrefix(folder, "/")+"/clang-[12]?")
		return len(there) > 0 || is(folder+"/clang")
	})
}
