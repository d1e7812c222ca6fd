package exec

// This file reads the settings of launches: PORTABLE_SCHEDULE and the number of threads.

import (
	"strconv"
	"strings"
)

// MaxThreads is the most threads that may share a launch.
const MaxThreads = 4095

// Schedule is the assignment of the parts of a launch to threads; the numbers are those of portable_launch.h.
type Schedule int32

const (
	// Static gives each worker one part, the same in each launch with the same bounds.
	Static Schedule = 1
	// Dynamic gives the next part to the next free worker.
	Dynamic Schedule = 2
)

// ParseSchedule reads "static" or "dynamic"; why is not "" for anything else.
func ParseSchedule(text string) (s Schedule, why string) {
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "static":
		return Static, ""
	case "dynamic":
		return Dynamic, ""
	}
	return 0, "static or dynamic is wanted"
}

// ParseThreads reads a number of threads. OpenMP's variable may hold one for each level of nesting; the first counts.
func ParseThreads(text string, levels bool) (n int, why string) {
	if levels {
		text, _, _ = strings.Cut(text, ",")
	}
	n, err := strconv.Atoi(strings.TrimSpace(text))
	switch {
	case err != nil:
		return 0, "a whole number is wanted"
	case n < 1:
		return 0, "it is less than 1"
	case n > MaxThreads:
		return 0, "it is more than " + strconv.Itoa(MaxThreads)
	}
	return n, ""
}
