package doctor

import (
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

const limits = `Limit                     Soft Limit           Hard Limit           Units
Max stack size            8388608              unlimited            bytes
Max core file size        unlimited            unlimited            bytes
Max processes             31655                31655                processes
Max open files            1024                 524288               files
Max locked memory         8388608              8388608              bytes
Max address space         unlimited            unlimited            bytes
`

// machine is a machine without a problem, changed by the files of a case.
func machine(change map[string]string) fstest.MapFS {
	files := map[string]string{
		"sys/devices/system/cpu/online":              "0-7\n",
		"proc/self/status":                           "Name:\tx\nCpus_allowed_list:\t0-7\n",
		"proc/self/cgroup":                           "0::/user.slice/job\n",
		"sys/fs/cgroup/user.slice/cpu.max":           "max 100000\n",
		"proc/self/limits":                           strings.Replace(limits, "8388608              unlimited", "67108864             unlimited", 1),
		"proc/sys/vm/max_map_count":                  "65530\n",
		"proc/sys/vm/overcommit_memory":              "0\n",
		"sys/kernel/mm/transparent_hugepage/enabled": "always [madvise] never\n",
		"proc/meminfo":                               "MemTotal: 9 kB\nMemAvailable:   16000000 kB\n",
		"proc/sys/kernel/yama/ptrace_scope":          "1\n",
		"proc/sys/kernel/perf_event_paranoid":        "2\n",
	}
	m := fstest.MapFS{}
	for name, text := range files {
		m[name] = &fstest.MapFile{Data: []byte(text)}
	}
	for name, text := range change {
		if text == "" {
			delete(m, name)
		} else {
			m[name] = &fstest.MapFile{Data: []byte(text)}
		}
	}
	return m
}

// amd are the files of a machine with two AMD devices, changed by those of a case.
func amd(change map[string]string) map[string]string {
	files := map[string]string{"dev/kfd": "x", "dev/dri/renderD128": "x", "sys/class/kfd/kfd/topology/nodes/0/gpu_id": "0\n",
		"sys/class/kfd/kfd/topology/nodes/1/gpu_id": "51212\n", "sys/class/kfd/kfd/topology/nodes/2/gpu_id": "7340\n"}
	maps.Copy(files, change)
	return files
}

func TestMachines(t *testing.T) {
	for _, c := range []struct {
		name   string
		files  map[string]string
		env    map[string]string
		level  Level
		begins string
	}{
		{"nothing", nil, nil, OK, "processors: 8 processors for this process, of 8"},
		{"bound", map[string]string{"proc/self/status": "Cpus_allowed_list:\t2-3\n"}, nil, Note, "affinity: this process is bound to 2 processors of 8"},
		{"one core", map[string]string{"proc/self/status": "Cpus_allowed_list:\t2\n"}, nil, Warning, "affinity: this process is bound to 1 processor of 8"},
		{"quota", map[string]string{"sys/fs/cgroup/user.slice/job/cpu.max": "250000 100000"}, nil, Note, "control group: the control group leaves 2.5 processors"},
		{"quota above", map[string]string{"sys/fs/cgroup/user.slice/job/cpu.max": "450000 100000", "sys/fs/cgroup/user.slice/cpu.max": "100000 100000"}, nil,
			OK, "processors: 1 processor for this process, of 8"},
		{"old groups", map[string]string{"proc/self/cgroup": "3:cpuacct,cpu:/job\n", "sys/fs/cgroup/cpu/job/cpu.cfs_quota_us": "300000",
			"sys/fs/cgroup/cpu/job/cpu.cfs_period_us": "100000"}, nil, OK, "processors: 3 processors"},
		{"too many threads", nil, map[string]string{"PORTABLE_NUM_THREADS": "16"}, Warning, "threads: PORTABLE_NUM_THREADS=16 is more than the 8 processors"},
		{"few threads", nil, map[string]string{"OMP_NUM_THREADS": "2,3"}, Note, "threads: OMP_NUM_THREADS=2 leaves 6 processors idle"},
		{"ours first", nil, map[string]string{"OMP_NUM_THREADS": "99", "PORTABLE_NUM_THREADS": "8"}, OK, "processors: 8"},
		{"maps", map[string]string{"proc/sys/vm/max_map_count": "1000"}, nil, Warning, "max_map_count: vm.max_map_count is 1000"},
		{"overcommit", map[string]string{"proc/sys/vm/overcommit_memory": "2"}, nil, Warning, "overcommit: vm.overcommit_memory is 2"},
		{"pages of a guest", map[string]string{"sys/bus/virtio/devices/virtio0/device": "0x0005\n", "sys/bus/virtio/devices/virtio0/features": "00000100\n"}, nil, OK,
			"huge pages: this guest reports free pages"},
		{"pages", map[string]string{"sys/kernel/mm/transparent_hugepage/enabled": "always madvise [never]"}, nil, Note, "huge pages: transparent huge pages are off"},
		{"memory", map[string]string{"proc/meminfo": "MemAvailable: 1000000 kB"}, nil, Note, "memory: 976 MB are available"},
		{"ptrace", map[string]string{"proc/sys/kernel/yama/ptrace_scope": "3"}, nil, Note, "debuggers: kernel.yama.ptrace_scope is 3"},
		{"perf", map[string]string{"proc/sys/kernel/perf_event_paranoid": "4"}, nil, Note, "perf: kernel.perf_event_paranoid is 4"},
		{"stack", map[string]string{"proc/self/limits": limits}, nil, Note, "stack: the main thread has 8 MB of stack"},
		{"no stack limit", map[string]string{"proc/self/limits": "Max stack size    unlimited unlimited bytes"}, nil, Note, "stack: the main thread's stack has no limit"},
		{"space", map[string]string{"proc/self/limits": "Max address space    1600000000 unlimited bytes"}, nil, Warning, "address space: address space is limited to 1.49 GB"},
		{"more space", map[string]string{"proc/self/limits": "Max address space    8000000000 unlimited bytes"}, nil, Note, "address space: address space is limited to 7.45 GB"},
		{"core", map[string]string{"proc/self/limits": "Max core file size    0 0 bytes"}, nil, Note, "core files: a crash leaves no core file"},
		{"locked", map[string]string{"proc/self/limits": "Max locked memory    65536 65536 bytes"}, map[string]string{"PMI_RANK": "1"}, Note, "locked memory: 64 KB"},
		{"processes", map[string]string{"proc/self/limits": "Max processes    100 100 processes"}, nil, Warning, "processes: this user may have 100 threads"},
		{"files", map[string]string{"proc/self/limits": "Max open files    64 64 files"}, nil, Note, "open files: 64"},
		{"unknown", nil, map[string]string{"PORTABLE_NUM_THREAD": "3"}, Warning, "variables: PORTABLE_NUM_THREAD is no variable of the library"},
		{"invalid", nil, map[string]string{"GATOR_INITIAL_MB": "much"}, Warning, "variables: GATOR_INITIAL_MB='much' is invalid: a size"},
		{"threads", nil, map[string]string{"PORTABLE_NUM_THREADS": "0"}, Warning, "variables: PORTABLE_NUM_THREADS='0' is invalid: a number from 1"},
		{"word", nil, map[string]string{"PORTABLE_CHECK": "launch,arrys"}, Warning, "variables: PORTABLE_CHECK='launch,arrys' is invalid: there are launch"},
		{"no yes", nil, map[string]string{"PORTABLE_B4B": "maybe"}, Warning, "variables: PORTABLE_B4B='maybe' is invalid: yes or no"},
		{"well", nil, map[string]string{"PORTABLE_B4B": "yes", "GATOR_GROW_MB": "0.5 GB"}, OK, "variables: 2 variables of the library set"},
		{"serial", nil, map[string]string{"PORTABLE_DEVICE": "serial"}, Note, "variables: PORTABLE_DEVICE=serial"},
		{"checks", nil, map[string]string{"PORTABLE_CHECK": "all"}, Note, "variables: PORTABLE_CHECK=all costs time"},
		{"active", nil, map[string]string{"OMP_WAIT_POLICY": "ACTIVE"}, Warning, "OpenMP: idle threads of OpenMP never sleep"},
		{"spin", nil, map[string]string{"GOMP_SPINCOUNT": "infinity"}, Warning, "OpenMP: idle threads of OpenMP never sleep"},
		{"waits", nil, map[string]string{"OMP_NUM_THREADS": "8"}, Note, "OpenMP: idle threads of libgomp look for work"},
		{"bind", nil, map[string]string{"OMP_PROC_BIND": "spread"}, OK, "OMP_PROC_BIND: each of the library's threads"},
		{"places", nil, map[string]string{"OMP_PLACES": "cores"}, Note, "OMP_PLACES: OMP_PLACES=cores binds"},
		{"mpi", nil, map[string]string{"OMPI_COMM_WORLD_RANK": "3"}, OK, "MPI: started by Open MPI as rank 3"},
		{"many ranks", nil, map[string]string{"OMPI_COMM_WORLD_RANK": "3", "OMPI_COMM_WORLD_LOCAL_SIZE": "4", "PORTABLE_NUM_THREADS": "8"}, Warning,
			"MPI: 4 ranks with 8 threads each are on this node, which has 8 processors"},
		{"no device", nil, nil, OK, "NVIDIA: there is no NVIDIA device"},
		{"device", map[string]string{"proc/driver/nvidia/version": "NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.54.03  Tue", "dev/nvidia0": "x",
			"usr/lib64/libcuda.so.1": "x"}, nil, OK, "NVIDIA: driver 535.54.03, 1 device"},
		{"asked for", nil, map[string]string{"PORTABLE_DEVICE": "cuda:1"}, Warning, "NVIDIA: PORTABLE_DEVICE=cuda:1, but there is no NVIDIA device"},
		{"asked for any", nil, map[string]string{"PORTABLE_DEVICE": "auto"}, OK, "NVIDIA: there is no NVIDIA device"},
		{"named", map[string]string{"opt/x/libcuda.so.1": "x", "dev/nvidia0": "x", "proc/driver/nvidia/version": "Kernel Module  535.54.03"},
			map[string]string{"PORTABLE_CUDA_LIBRARY": "/opt/x/libcuda.so.1"}, OK, "NVIDIA: driver 535.54.03, 1 device"},
		{"named wrong", map[string]string{"usr/lib64/libcuda.so.1": "x", "dev/nvidia0": "x", "proc/driver/nvidia/version": "x"},
			map[string]string{"PORTABLE_CUDA_LIBRARY": "/opt/libcuda.so.1"}, Warning, "NVIDIA: PORTABLE_CUDA_LIBRARY=/opt/libcuda.so.1 is not there"},
		{"too old", map[string]string{"usr/lib64/libcuda.so.1": "x", "dev/nvidia0": "x", "proc/driver/nvidia/version": "Kernel Module  440.100"}, nil,
			Warning, "NVIDIA: the driver 440.100 is too old"},
		{"no node", map[string]string{"proc/driver/nvidia/version": "Kernel Module  535.54.03"}, nil, Warning, "NVIDIA: the driver 535.54.03 is loaded, but there is no"},
		{"no driver", map[string]string{"dev/nvidia0": "x"}, nil, Warning, "NVIDIA: the driver's module is not loaded"},
		{"no library", map[string]string{"proc/driver/nvidia/version": "x", "dev/nvidia0": "x"}, nil, Warning, "NVIDIA: libcuda.so.1 is in none"},
		{"refused", map[string]string{"proc/driver/nvidia/version": "x", "dev/nvidia7": "x", "opt/libcuda.so.1": "x"}, map[string]string{"LD_LIBRARY_PATH": "/x:/opt"},
			Warning, "NVIDIA: /dev/nvidia7 may not be used: permission denied"},
		{"hidden", map[string]string{"proc/driver/nvidia/version": "x", "dev/nvidia0": "x"}, map[string]string{"CUDA_VISIBLE_DEVICES": ""}, Warning,
			"NVIDIA: CUDA_VISIBLE_DEVICES hides all devices"},
		{"no AMD", nil, nil, OK, "AMD: there is no AMD device"},
		{"no AMD, asked for", nil, map[string]string{"PORTABLE_DEVICE": "HIP:0"}, Warning, "AMD: PORTABLE_DEVICE=hip:0, but there is no AMD device"},
		{"AMD", amd(map[string]string{"opt/rocm/lib/libamdhip64.so.6": "x", "opt/rocm/lib/libhiprtc.so.6": "x"}), nil, OK, "AMD: 2 devices"},
		{"AMD of ROCm 5", amd(map[string]string{"usr/lib64/libamdhip64.so.5": "x"}), nil, OK, "AMD: 2 devices"},
		{"AMD without files", amd(map[string]string{"dev/kfd": "", "usr/lib64/libamdhip64.so.5": "x"}), nil, Warning, "AMD: there is no /dev/kfd"},
		{"AMD without a library", amd(nil), nil, Warning, "AMD: libamdhip64.so is in none"},
		{"AMD without a compiler", amd(map[string]string{"opt/rocm/lib/libamdhip64.so.7": "x"}), nil, Note, "AMD: libhiprtc.so.7 is in none"},
		{"AMD named wrong", amd(nil), map[string]string{"PORTABLE_HIP_LIBRARY": "/opt/libamdhip64.so"}, Warning, "AMD: PORTABLE_HIP_LIBRARY=/opt/libamdhip64.so is not there"},
		{"AMD refused", amd(map[string]string{"usr/lib64/libamdhip64.so.5": "x"}), nil, Warning, "AMD: /dev/dri/renderD128 may not be used: permission denied"},
		{"AMD hidden", amd(map[string]string{"usr/lib64/libamdhip64.so.5": "x"}), map[string]string{"ROCR_VISIBLE_DEVICES": "-1"}, Warning, "AMD: ROCR_VISIBLE_DEVICES hides all"},
		{"no OpenCL", nil, nil, OK, "OpenCL: there is no driver of OpenCL"},
		{"no OpenCL, asked for", nil, map[string]string{"PORTABLE_DEVICE": "opencl"}, Warning, "OpenCL: PORTABLE_DEVICE=opencl, but there is no driver"},
		{"OpenCL", map[string]string{"etc/OpenCL/vendors/pocl.icd": "x", "usr/lib/libOpenCL.so.1": "x"}, nil, OK, "OpenCL: drivers: pocl.icd"},
		{"OpenCL without a loader", map[string]string{"etc/OpenCL/vendors/pocl.icd": "x"}, nil, Warning, "OpenCL: libOpenCL.so.1 is in none"},
		{"OpenCL without a compiler", map[string]string{"etc/OpenCL/vendors/pocl.icd": "x", "usr/lib/libOpenCL.so.1": "x"}, map[string]string{"PORTABLE_DEVICE": "opencl:0"},
			Warning, "OpenCL: there is no clang of LLVM 14"},
		{"OpenCL with one", map[string]string{"etc/OpenCL/vendors/pocl.icd": "x", "usr/lib/libOpenCL.so.1": "x", "opt/bin/clang-15": "x"},
			map[string]string{"PORTABLE_DEVICE": "opencl:0", "PATH": "/bin:/opt/bin"}, OK, "OpenCL: drivers: pocl.icd"},
		{"nothing readable", map[string]string{"sys/devices/system/cpu/online": "", "proc/self/status": ""}, nil, Note, "processors: the number of processors is unknown"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := &System{Root: machine(c.files), Env: c.env, Open: func(path string) error {
				if path == "/dev/nvidia7" || c.name == "AMD refused" && path == "/dev/dri/renderD128" {
					return errors.New("permission denied")
				}
				return nil
			}}
			out := Check(s, "", nil)
			require.True(t, slices.ContainsFunc(out, func(v Verdict) bool {
				return v.Level == c.level && strings.HasPrefix(v.Subject+": "+v.Text, c.begins)
			}), "%+v", out)
			for _, v := range out {
				require.True(t, v.Level != Warning || v.Remedy != "", "%+v", v)
				require.True(t, c.level == Warning || c.name == "no stack limit" || v.Level != Warning || strings.HasPrefix(c.begins, v.Subject+": "), "%+v", v)
			}
		})
	}
}

func TestNoWarningWhereNothingIsWrong(t *testing.T) {
	for _, v := range Check(&System{Root: machine(nil)}, "", nil) {
		require.Equal(t, OK, v.Level, "%+v", v)
	}
	require.NotEmpty(t, Check(&System{Root: fstest.MapFS{}}, "", nil)) // no /proc at all
}

func TestNearestName(t *testing.T) {
	for _, v := range Check(&System{Root: machine(nil), Env: map[string]string{"PORTABLE_THREADS": "1", "GATOR_INITIAL": "3"}}, "", nil) {
		if v.Level == Warning {
			require.Contains(t, v.Text+v.Remedy, map[bool]string{true: "did you mean GATOR_INITIAL_MB?", false: "PORTABLE_THREADS"}[strings.Contains(v.Text, "GATOR")])
		}
	}
}

// The version is that of portable.h.
func TestVersion(t *testing.T) {
	header, err := os.ReadFile("../../../../capi/include/c/portable.h")
	if err != nil {
		header, err = os.ReadFile("../../../../capi/include/c/portable.h")
	}
	require.NoError(t, err)
	require.Contains(t, string(header), "#define PORTABLE_VERSION 100\n", "version in program.go")
}

func TestPrograms(t *testing.T) {
	compiler, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("there is no gcc")
	}
	folder := t.TempDir()
	source := filepath.Join(folder, "p.c")
	require.NoError(t, os.WriteFile(source, []byte("int portable_version(void) { return V; }\nint portable_init(void) { return 0; }\n"+
		"void _gfortran_set_fpe(int f) { (void)f; }\nint main(void) { return portable_version() - V; }\n"), 0o600))
	build := func(flags ...string) []byte {
		exe := filepath.Join(folder, "p")
		out, err := exec.Command(compiler, append(flags, source, "-o", exe)...).CombinedOutput()
		require.NoError(t, err, "%s", out)
		image, err := os.ReadFile(exe)
		require.NoError(t, err)
		return image
	}
	look := func(image []byte) (all string) {
		for _, v := range Check(&System{Root: machine(nil)}, "./model", image) {
			all += string(v.Level) + " " + v.Subject + ": " + v.Text + "\n"
		}
		return all
	}
	all := look(build("-DV=100", "-g", "-O1", "-z", "execstack"))
	require.Contains(t, all, "ok program: libportable 0.1 is in it\n")
	require.Contains(t, all, "ok debug information: ")
	require.Contains(t, all, "note executable stack: ")
	require.Contains(t, all, "note floating point: it may trap")
	all = look(build("-DV=20300", "-O1", "-no-pie", "-z", "noexecstack"))
	require.Contains(t, all, "warning program: libportable 2.3 is in it; this yaklcheck is of 0.1\n")
	require.Contains(t, all, "warning debug information: there is none")
	require.NotContains(t, all, "executable stack")
	require.Contains(t, all, "ok linking: at fixed addresses")
	all = look(build("-DV=100", "-s", "-Dportable_init=other"))
	require.Contains(t, all, "warning program: libportable is not in it\n")
	require.Contains(t, all, "warning debug information: the program is stripped")
	require.Contains(t, look([]byte("#!/bin/sh\n")), "warning program: ./model cannot be read as an executable")
}
