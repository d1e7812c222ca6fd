package programs

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// This file runs converted programs on devices of other drivers: AMD's without a GPU (internal/cudasim), with waves of 64 and of 32 lanes,
// and PoCL, a device of OpenCL on the processor. Rows have the bits of the original, and run in the place that they have on a CUDA device
// (device_test.go).

var opencl = flag.Bool("opencl", false, "the library was built with devices of OpenCL")

// others are the devices with their environments.
func others(t *testing.T) map[string][]string {
	all := map[string][]string{}
	if _, err := os.Stat(filepath.Join(*fake, "libamdhip64.so.5")); err == nil {
		amd := []string{"PORTABLE_DEVICE=hip", "PORTABLE_HIP_LIBRARY=" + filepath.Join(*fake, "libamdhip64.so.5"), "FAKE_CUDA_STRICT=1",
			"PORTABLE_HIPRTC_LIBRARY=" + filepath.Join(*fake, "libhiprtc.so.5"), "PORTABLE_CACHE=" + filepath.Join(*fake, "cache")}
		all["hip 64"] = amd
		all["hip 32"] = append(slices.Clone(amd), "FAKE_HIP_ARCHITECTURE=gfx1030", "FAKE_CUDA_ATTRIBUTE=warp_size=32,compute_capability_major=10,compute_capability_minor=3")
	}
	if icd, _ := filepath.Glob("/etc/OpenCL/vendors/pocl*.icd"); *opencl && icd != nil {
		cache := filepath.Join(*fake, "pocl")
		require.NoError(t, os.MkdirAll(cache, 0o755))
		all["opencl"] = []string{"PORTABLE_DEVICE=opencl", "POCL_CACHE_DIR=" + cache, "PORTABLE_CACHE=" + cache}
	}
	return all
}

// TestDeviceOfOthers: rows of the table of semantics, by bits.
func TestDeviceOfOthers(t *testing.T) {
	devices := others(t)
	if len(devices) == 0 {
		t.Skip("no driver: give -fake or -opencl")
	}
	for _, b := range tables(t, false) {
		name := filepath.Base(b.name)
		if !*all && name != "devices.f90" || *all && !slices.Contains(onDeviceTables, name) {
			continue
		}
		b := b.taken(t, *fc)
		w := with(t)
		want := b.original(t, w, "-O2")
		b.convertedWith(t, w, "-O2", []string{"--device", "hip"}, quiet(w.compiler)...) // one text for all kinds of devices
		for device, env := range devices {
			t.Run(name+" "+device, func(t *testing.T) {
				log := w.path(strings.ReplaceAll(device, " ", "_"))
				b.check(t, want, w.run(append(slices.Clone(env), "PORTABLE_VERBOSE="+log), "converted.x"), device)
				text, err := os.ReadFile(log)
				require.NoError(t, err)
				launched := launchesOnDevice(string(text))
				require.Greater(t, 3*len(launched), len(b.rows), "fewer than a third of the rows ran on the device")
				b.places(t, launched)
			})
		}
	}
}
