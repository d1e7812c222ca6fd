package doctor

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

// NVIDIA devices, their driver, and whether this user may use them.

func (d *doctor) devices() {
	driver := d.text("/proc/driver/nvidia/version")
	nodes, _ := fs.Glob(d.Root, "dev/nvidia[0-9]*")
	library := d.library("libcuda.so.1")
	if driver == "" && len(nodes) == 0 && library == "" {
		d.tell(OK, "NVIDIA", "there is no NVIDIA device; launches run on threads", "")
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
		d.tell(OK, "NVIDIA", fmt.Sprintf("driver%s, %s", version, plural(len(nodes), "device")), "")
	}
	if library == "" && len(nodes) > 0 {
		d.tell(Warning, "NVIDIA", "libcuda.so.1 is in none of the usual folders", "install the driver's user part (libcuda1), or set LD_LIBRARY_PATH")
	}
	slices.Sort(nodes)
	for _, n := range append(nodes, "dev/nvidiactl") {
		if _, err := fs.Stat(d.Root, n); err != nil || d.Open == nil {
			continue
		}
		if err := d.Open("/" + n); err != nil {
			d.tell(Warning, "NVIDIA", fmt.Sprintf("/%s may not be used: %v", n, err), "ask for membership in its group (ls -l /"+n+"), or for the device in the batch job")
		}
	}
	if v, set := d.Env["CUDA_VISIBLE_DEVICES"]; set {
		if v == "" || v == "-1" {
			d.tell(Warning, "NVIDIA", "CUDA_VISIBLE_DEVICES hides all devices", "unset it")
		} else {
			d.tell(Note, "NVIDIA", "CUDA_VISIBLE_DEVICES="+v, "")
		}
	}
}

// library finds a shared library where loaders look.
func (d *doctor) library(name string) string {
	folders := append(strings.Split(d.Env["LD_LIBRARY_PATH"], ":"), "/usr/lib/x86_64-linux-gnu", "/lib/x86_64-linux-gnu", "/usr/lib64", "/lib64",
		"/usr/lib", "/usr/lib/aarch64-linux-gnu", "/usr/local/cuda/compat", "/usr/lib/wsl/lib", "/run/opengl-driver/lib")
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
