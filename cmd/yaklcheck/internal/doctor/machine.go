package doctor

import (
	"fmt"
	"path"
	"strconv"
	"strings"

	"libportable/internal/report"
	"libportable/internal/settings"
)

// This file examines the processors and the memory of the machine, and the share of this process.

// count is the number of processors in a list such as 0-3,8.
func count(list string) (n int) {
	for part := range strings.SplitSeq(list, ",") {
		from, to, pair := strings.Cut(strings.TrimSpace(part), "-")
		a, err := strconv.Atoi(from)
		b := a
		if pair {
			var wrong error
			if b, wrong = strconv.Atoi(to); wrong != nil {
				return 0
			}
		}
		if err != nil || b < a {
			return 0
		}
		n += b - a + 1
	}
	return n
}

// quota is the number of processors that the control groups allow: the least on the path to the root; 0: no limit.
func (d *doctor) quota() (least float64) {
	take := func(quota, period string) {
		q, err := strconv.ParseFloat(quota, 64)
		p, err2 := strconv.ParseFloat(period, 64)
		if err == nil && err2 == nil && q > 0 && p > 0 && (least == 0 || q/p < least) {
			least = q / p
		}
	}
	for line := range strings.Lines(d.text("/proc/self/cgroup")) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(parts) != 3 {
			continue
		}
		for folder := path.Clean("/" + parts[2]); ; folder = path.Dir(folder) {
			if parts[1] == "" {
				if words := strings.Fields(d.text("/sys/fs/cgroup" + folder + "/cpu.max")); len(words) == 2 {
					take(words[0], words[1])
				}
			} else if strings.Contains(","+parts[1]+",", ",cpu,") {
				at := "/sys/fs/cgroup/cpu" + folder
				take(d.text(at+"/cpu.cfs_quota_us"), d.text(at+"/cpu.cfs_period_us"))
			}
			if folder == "/" {
				break
			}
		}
	}
	return least
}

func (d *doctor) processors() {
	online := count(d.text("/sys/devices/system/cpu/online"))
	mask := count(field(d.text("/proc/self/status"), "Cpus_allowed_list:"))
	quota := d.quota()
	d.cpus = online
	if mask > 0 && (mask < online || online == 0) {
		d.cpus = mask
	}
	if quota > 0 && quota < float64(d.cpus) {
		d.cpus = max(1, int(quota))
	}
	if d.cpus == 0 {
		d.tell(Note, "processors", "the number of processors is unknown", "set PORTABLE_NUM_THREADS")
		return
	}
	d.tell(OK, "processors", fmt.Sprintf("%s for this process, of %d", report.Plural(d.cpus, "processor"), max(online, mask)), "")
	if mask > 0 && mask < online {
		level, remedy := Note, "that is right for one of several ranks; else see taskset, mpirun --bind-to none, the batch job's cores per task"
		if mask == 1 {
			level = Warning
		}
		d.tell(level, "affinity", fmt.Sprintf("this process is bound to %s of %d", report.Plural(mask, "processor"), online), remedy)
	}
	if quota > 0 && quota < float64(max(mask, 1)) {
		d.tell(Note, "control group", fmt.Sprintf("the control group leaves %.3g processors of %d: more threads would often be stopped", quota,
			max(mask, online)), "ask for more processors for the container or job, or let the library count: it heeds this limit")
	}
	d.threads = d.cpus
	for _, name := range []string{"PORTABLE_NUM_THREADS", "OMP_NUM_THREADS"} {
		first, _, _ := strings.Cut(d.Env[name], ",")
		n, err := strconv.Atoi(strings.TrimSpace(first))
		if err != nil || n < 1 {
			continue
		}
		d.threads = n
		if n > d.cpus {
			d.tell(Warning, "threads", fmt.Sprintf("%s=%d is more than the %s of this process: threads wait for each other's time slices", name, n,
				report.Plural(d.cpus, "processor")), fmt.Sprintf("unset it, or set it to %d", d.cpus))
		} else if n < d.cpus {
			d.tell(Note, "threads", fmt.Sprintf("%s=%d leaves %s idle", name, n, report.Plural(d.cpus-n, "processor")), "")
		}
		break
	}
}

func (d *doctor) memory() {
	const subject = "memory"
	if n, err := strconv.Atoi(d.text("/proc/sys/vm/max_map_count")); err == nil {
		if n < 65530 {
			d.tell(Warning, "max_map_count", fmt.Sprintf("vm.max_map_count is %d: `yaklcheck --mode=exact` needs two or three mappings for each guarded "+
				"block, and guards fewer blocks", n), "sysctl vm.max_map_count=1048576, or --sample=N, or --mode=fast")
		} else {
			d.tell(OK, "max_map_count", fmt.Sprintf("vm.max_map_count is %d: `yaklcheck --mode=exact` can guard some %d blocks at a time", n, n/3), "")
		}
	}
	switch d.text("/proc/sys/vm/overcommit_memory") {
	case "2":
		d.tell(Warning, "overcommit", "vm.overcommit_memory is 2: address space that is only reserved (guards, first slabs, stacks) counts as used",
			"set GATOR_INITIAL_MB and PORTABLE_STACKSIZE low, budget= in PORTABLE_MEMCHECK; or sysctl vm.overcommit_memory=0")
	case "0", "1":
		d.tell(OK, "overcommit", "memory counts when it is touched", "")
	}
	if text := d.text("/sys/kernel/mm/transparent_hugepage/enabled"); text != "" {
		_, chosen, _ := strings.Cut(text, "[")
		chosen, _, _ = strings.Cut(chosen, "]")
		switch chosen {
		case "never":
			d.tell(Note, "huge pages", "transparent huge pages are off: large arrays may be up to twice as slow to read and write",
				"as root: echo madvise > /sys/kernel/mm/transparent_hugepage/enabled")
		case "always", "madvise":
			if settings.ReportsFreePages(d.text) {
				d.tell(OK, "huge pages", "this guest reports free pages to its host, so the pool's slabs do not ask for huge pages unless PORTABLE_HUGEPAGES=yes", "")
			} else {
				d.tell(OK, "huge pages", "transparent huge pages: "+chosen+", which the pool's slabs get", "")
			}
		}
	}
	if free := field(d.text("/proc/meminfo"), "MemAvailable:"); free != "" {
		if kb, err := strconv.ParseUint(strings.TrimSuffix(free, " kB"), 10, 64); err == nil && kb < 2<<20 {
			d.tell(Note, subject, fmt.Sprintf("%d MB are available: `yaklcheck --mode=exact` takes up to 2 GB more than the program", kb>>10),
				"--budget=SIZE, or --mode=fast")
		}
	}
	if v := d.text("/proc/sys/kernel/yama/ptrace_scope"); v == "2" || v == "3" {
		d.tell(Note, "debuggers", "kernel.yama.ptrace_scope is "+v+": gdb cannot be attached to a running program", "start the program in gdb, "+
			"or sysctl kernel.yama.ptrace_scope=1; yaklcheck needs neither")
	}
	if n, err := strconv.Atoi(d.text("/proc/sys/kernel/perf_event_paranoid")); err == nil && n > 2 {
		d.tell(Note, "perf", fmt.Sprintf("kernel.perf_event_paranoid is %d: perf may not count events", n), "sysctl kernel.perf_event_paranoid=1; "+
			"PORTABLE_PROFILE=1 needs nothing")
	}
}
