package host

import (
	"path/filepath"
	"strconv"
	"strings"

	"libportable/internal/outside"
)

// Quota is the number of processors whose time the process's control group may use; 0: no limit was found. Limits of
// the groups above count too. root is "/" outside tests.
func Quota(root string) float64 {
	groups, err := outside.ReadFile(filepath.Join(root, "proc/self/cgroup"), outside.TextMost)
	if err != nil {
		return 0
	}
	least := 0.0
	consider := func(quota float64) {
		if quota > 0 && (least == 0 || quota < least) {
			least = quota
		}
	}
	for _, line := range strings.Split(strings.TrimSpace(string(groups)), "\n") {
		number, rest, _ := strings.Cut(line, ":")
		controllers, path, ok := strings.Cut(rest, ":")
		if !ok {
			continue
		}
		switch {
		case number == "0" && controllers == "":
			for p := path; ; p = filepath.Dir(p) {
				consider(quota2(filepath.Join(root, "sys/fs/cgroup", p, "cpu.max")))
				if p == "/" || p == "." {
					break
				}
			}
		case contains(controllers, "cpu"):
			for p := path; ; p = filepath.Dir(p) {
				consider(quota1(filepath.Join(root, "sys/fs/cgroup/cpu", p)))
				if p == "/" || p == "." {
					break
				}
			}
		}
	}
	return least
}

func contains(list, word string) bool {
	for _, w := range strings.Split(list, ",") {
		if w == word {
			return true
		}
	}
	return false
}

// quota2 reads "max 100000" or "150000 100000": time and period.
func quota2(file string) float64 {
	text, err := outside.ReadFile(file, outside.TextMost)
	if err != nil {
		return 0
	}
	words := strings.Fields(string(text))
	if len(words) != 2 {
		return 0
	}
	return ratio(words[0], words[1])
}

func quota1(folder string) float64 {
	quota, err := outside.ReadFile(filepath.Join(folder, "cpu.cfs_quota_us"), outside.TextMost)
	if err != nil {
		return 0
	}
	period, err := outside.ReadFile(filepath.Join(folder, "cpu.cfs_period_us"), outside.TextMost)
	if err != nil {
		return 0
	}
	return ratio(strings.TrimSpace(string(quota)), strings.TrimSpace(string(period)))
}

func ratio(quota, period string) float64 {
	q, err := strconv.ParseFloat(quota, 64)
	if err != nil || q <= 0 {
		return 0
	}
	p, err := strconv.ParseFloat(period, 64)
	if err != nil || p <= 0 {
		return 0
	}
	return q / p
}
