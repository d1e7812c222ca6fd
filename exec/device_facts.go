package exec

// This file reads facts of the host, as properties of its device: memory and the name of the
// processor.

import (
	"os"
	"strconv"
	"strings"
	"syscall"
)

// groups are the files of a control group's limit and use of memory.
var groups = [][2]string{{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"},
	{"/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.usage_in_bytes"}}

// HostMemory returns the free and total bytes of the machine, or of the control group if it has less.
func HostMemory() (free, total uint64) {
	return hostMemory(lineOf, groups)
}

func hostMemory(line func(path, key string) string, groups [][2]string) (free, total uint64) {
	number := func(path, key string) (n uint64, ok bool) {
		word, _, _ := strings.Cut(strings.TrimSpace(line(path, key)), " ")
		n, err := strconv.ParseUint(word, 10, 64)
		return n, err == nil
	}
	all, known := number("/proc/meminfo", "MemTotal:")
	available, also := number("/proc/meminfo", "MemAvailable:")
	var info syscall.Sysinfo_t
	if known && also {
		free, total = available*1024, all*1024
	} else if syscall.Sysinfo(&info) == nil {
		free, total = uint64(info.Freeram)*uint64(info.Unit), uint64(info.Totalram)*uint64(info.Unit)
	}
	for _, g := range groups {
		limit, limited := number(g[0], "")
		used, counted := number(g[1], "")
		if limited && counted && limit < total {
			total = limit
			free = min(free, limit-min(used, limit))
		}
	}
	return free, total
}

// HostModel is the processor's name; "": the system does not say.
func HostModel() string {
	_, model, _ := strings.Cut(lineOf("/proc/cpuinfo", "model name"), ": ")
	return model
}

// lineOf returns the rest of the first line of a file of the system that begins with key; "": there is none.
func lineOf(path, key string) string {
	text, _ := os.ReadFile(path)
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, key); ok {
			return strings.TrimSuffix(rest, "\n")
		}
	}
	return ""
}
