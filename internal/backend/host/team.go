package host

/*
#include <sys/resource.h>
*/
import "C"

import (
	"os"
	"strconv"
	"strings"
	"time"

	"libportable/internal/team"
)

// CPUs looks how many processors this process may use.
func CPUs() int { return team.CPUs() }

// SetTeam changes the team behind the device threads: workers on so many processors.
func SetTeam(workers, cpus int, spin time.Duration, stack uint64) error {
	return team.Configure(team.Config{Workers: workers, CPUs: cpus, Spin: spin, Stack: stack})
}

// StopTeam ends the team's threads.
func StopTeam() error { return team.Stop() }

// StackLimit is the soft limit of the main thread's stack, which a user who has large arrays there has raised; 0 for none.
func StackLimit() uint64 {
	var l C.struct_rlimit
	if C.getrlimit(C.RLIMIT_STACK, &l) != 0 || l.rlim_cur == C.RLIM_INFINITY {
		return 0
	}
	return uint64(l.rlim_cur)
}

// Unbound says that nobody has restricted this process to some of the processors that there are.
func Unbound() bool {
	for _, file := range []string{"/sys/fs/cgroup/cpuset.cpus.effective", "/sys/devices/system/cpu/online"} {
		if text, err := os.ReadFile(file); err == nil {
			if n := listed(string(text)); n > 0 {
				return CPUs() >= n
			}
		}
	}
	return false
}

// listed counts the processors of a list as "0-3,8".
func listed(text string) (n int) {
	for _, part := range strings.Split(strings.TrimSpace(text), ",") {
		first, last, isRange := strings.Cut(part, "-")
		if !isRange {
			last = first
		}
		a, err := strconv.Atoi(first)
		if err != nil {
			return 0
		}
		b, err := strconv.Atoi(last)
		if err != nil || b < a {
			return 0
		}
		n += b - a + 1
	}
	return n
}
