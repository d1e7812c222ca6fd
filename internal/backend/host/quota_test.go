package host

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestQuota(t *testing.T) {
	for _, c := range []struct {
		name  string
		files map[string]string
		want  float64
	}{
		{"no control groups", nil, 0},
		{"second version", map[string]string{"proc/self/cgroup": "0::/job/step\n", "sys/fs/cgroup/job/step/cpu.max": "150000 100000\n"}, 1.5},
		{"the group above is tighter", map[string]string{"proc/self/cgroup": "0::/job/step\n",
			"sys/fs/cgroup/job/step/cpu.max": "400000 100000\n", "sys/fs/cgroup/job/cpu.max": "200000 100000\n"}, 2},
		{"no limit", map[string]string{"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/cpu.max": "max 100000\n"}, 0},
		{"first version", map[string]string{"proc/self/cgroup": "12:pids:/a\n4:cpu,cpuacct:/a\n",
			"sys/fs/cgroup/cpu/a/cpu.cfs_quota_us": "300000\n", "sys/fs/cgroup/cpu/a/cpu.cfs_period_us": "100000\n"}, 3},
		{"first version, no limit", map[string]string{"proc/self/cgroup": "4:cpu,cpuacct:/\n",
			"sys/fs/cgroup/cpu/cpu.cfs_quota_us": "-1\n", "sys/fs/cgroup/cpu/cpu.cfs_period_us": "100000\n"}, 0},
		{"nonsense", map[string]string{"proc/self/cgroup": "what\n0::/\n", "sys/fs/cgroup/cpu.max": "much\n"}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			root := t.TempDir()
			for name, text := range c.files {
				require.NoError(t, os.MkdirAll(filepath.Join(root, filepath.Dir(name)), 0o755))
				require.NoError(t, os.WriteFile(filepath.Join(root, name), []byte(text), 0o644))
			}
			require.InDelta(t, c.want, Quota(root), 0)
		})
	}
}
