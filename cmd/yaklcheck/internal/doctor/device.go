package doctor

import (
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"libportable/internal/report"
)

// This file examines NVIDIA devices, their driver, and the rights of this user.

// oldestDriver is the first driver with CUDA 11.0, which the library needs (internal/backend/cuda).
const oldestDriver = 450

func (d *doctor) nvidia() {
	driver := d.text("/proc/driver/nvidia/version")
	nodes, _ := fs.Glob(d.Root, "dev/nvidia[0-9]*")
	library, told := d.libraryOf("NVIDIA", "PORTABLE_CUDA_LIBRARY", "libcuda.so.1")
	if driver == "" && len(nodes) == 0 && library == "" {
		if word, asked := d.asks("cuda"); asked {
			d.tell(Warning, "NVIDIA", "PORTABLE_DEVICE="+word+", but there is no NVIDIA device, and no driver; launches will run on threads",
				"start the program on a machine that has one (in a container: --gpus all), or set PORTABLE_DEVICE=auto, which takes a device where there is one")
		} else if !told {
			d.tell(OK, "NVIDIA", "there is no NVIDIA device", "")
		}
		return
	}
	version := ""
	if _, rest, ok := strings.Cut(driver, "Kernel Module"); ok {
		for _, word := range strings.Fields(rest) {
			if word[0] >= '0' && word[0] <= '9' && strings.Contains(word, ".") {
				version = " " + word
				break
			}
		}
	}
	switch {
	case driver == "":
		d.tell(Warning, "NVIDIA", "the driver's module is not loaded (/proc/driver/nvidia/version is not there)", "modprobe nvidia; in a container, start it with "+
			"--gpus all")
	case len(nodes) == 0:
		d.tell(Warning, "NVIDIA", "the driver"+version+" is loaded, but there is no /dev/nvidia0", "run nvidia-smi once as root, or start the container with --gpus all")
	default:
		d.tell(OK, "NVIDIA", fmt.Sprintf("driver%s, %s", version, report.Plural(len(nodes), "device")), "")
	}
	if major, _, ok := strings.Cut(strings.TrimSpace(version), "."); ok {
		if n, err := strconv.Atoi(major); err == nil && n < oldestDriver {
			d.tell(Warning, "NVIDIA", "the driver"+version+" is too old for the library, which needs CUDA 11.0", fmt.Sprintf("install driver %d or newer", oldestDriver))
		}
	}
	if library == "" && !told && len(nodes) > 0 {
		d.tell(Warning, "NVIDIA", "libcuda.so.1 is in none of the usual folders", "install the driver's user part (libcuda1), or set LD_LIBRARY_PATH")
	}
	slices.Sort(nodes)
	d.rights("NVIDIA", append(nodes, "dev/nvidiactl")...)
	d.hidden("NVIDIA", "CUDA_VISIBLE_DEVICES")
}

// library finds a shared library in the folders of the loader.
func (d *doctor) library(name string) string {
	folders := append(strings.Split(d.Env["LD_LIBRARY_PATH"], ":"), "/usr/lib/x86_64-linux-gnu", "/lib/x86_64-linux-gnu", "/usr/lib64", "/lib64",
		"/usr/lib", "/usr/lib/aarch64-linux-gnu", "/usr/local/cuda/compat", "/opt/rocm/lib", "/usr/lib/wsl/lib", "/run/opengl-driver/lib")
	for _, folder := range folders {
		if folder == "" {
			continue
		}
		if _, err := fs.Stat(d.Root, strings.TrimPrefix(folder, "/")+"/"+name); err == nil {
			return folder + "/" + name
		}
	}
	return ""
}
