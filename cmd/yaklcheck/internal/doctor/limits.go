package doctor

import (
	"fmt"
	"strconv"
	"strings"
)

// This file examines the limits of a process, which ulimit sets.

const unlimited = ^uint64(0)

// limit is the soft limit of that name in /proc/self/limits.
func (d *doctor) limit(name string) (value uint64, ok bool) {
	words := strings.Fields(field(d.text("/proc/self/limits"), name))
	if len(words) == 0 {
		return 0, false
	}
	if words[0] == "unlimited" {
		return unlimited, true
	}
	n, err := strconv.ParseUint(words[0], 10, 64)
	return n, err == nil
}

const (
	mb = 1 << 20
	gb = 1 << 30
)

func (d *doctor) limits() {
	if stack, ok := d.limit("Max stack size"); ok {
		switch {
		case stack == unlimited:
			d.tell(Note, "stack", "the main thread's stack has no limit, but threads that other libraries make then get 2 MB (this library's get 64 MB)",
				"set OMP_STACKSIZE=64M for OpenMP's threads, PORTABLE_STACKSIZE (MB) for this library's")
		case stack < 64*mb:
			d.tell(Note, "stack", fmt.Sprintf("the main thread has %d MB of stack, the library's threads 64 MB: large automatic arrays may fail in "+
				"serial code that work in kernels", stack/mb), "ulimit -s 65536, or unlimited")
		default:
			d.tell(OK, "stack", fmt.Sprintf("%d MB for the main thread, and as much for the library's threads", stack/mb), "")
		}
	}
	if space, ok := d.limit("Max address space"); ok && space != unlimited {
		level, text := Note, fmt.Sprintf("address space is limited to %.3g GB, of which 1.5 GB are reserved by the library's runtime", float64(space)/gb)
		if space < 2*gb {
			level = Warning
			text = fmt.Sprintf("address space is limited to %.3g GB: the program may not start (its Go runtime reserves 1.5 GB)", float64(space)/gb)
		}
		d.tell(level, "address space", text, "ulimit -v unlimited; in batch systems ask for more h_vmem; `yaklcheck --mode=exact` needs 2 GB more")
	}
	if core, ok := d.limit("Max core file size"); ok && core == 0 {
		d.tell(Note, "core files", "a crash leaves no core file", "ulimit -c unlimited, if you want to look at crashes in gdb")
	}
	if locked, ok := d.limit("Max locked memory"); ok && locked < 64*mb && (d.has("OMPI_") || d.has("PMI_") || d.has("SLURM_")) {
		d.tell(Note, "locked memory", fmt.Sprintf("%d KB may be locked: MPI over InfiniBand needs more", locked>>10), "ulimit -l unlimited")
	}
	if processes, ok := d.limit("Max processes"); ok && processes < 512 {
		d.tell(Warning, "processes", fmt.Sprintf("this user may have %d threads in all; the library needs %d", processes, 6+d.threads),
			"ulimit -u 4096, or PORTABLE_NUM_THREADS")
	}
	if files, ok := d.limit("Max open files"); ok && files < 256 {
		d.tell(Note, "open files", fmt.Sprintf("%d files may be open", files), "ulimit -n 1024")
	}
}

// has reports whether the name of a variable begins so.
func (d *doctor) has(prefix string) bool {
	for name := range d.Env {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}
