package cuda

import (
	"testing"

	"libportable/internal/backend/codeobject"

	"github.com/stretchr/testify/require"
)

// The compiler of the driver's own CUDA is tried first; a library that the user names is the only one.
func TestCompilersAreTriedInOrder(t *testing.T) {
	tried := []string{}
	open := func(path string) string {
		tried = append(tried, path)
		return path + " is missing"
	}
	found, why := libraries[Cuda].search("", 12, open)
	require.False(t, found)
	require.Contains(t, why, "there is no libnvrtc.so of CUDA 13, 12 or 11")
	require.Equal(t, []string{"libnvrtc.so.12", "libnvrtc.so.13", "libnvrtc.so.11.2", "libnvrtc.so.11.1", "libnvrtc.so.11.0", "libnvrtc.so"}, tried)
	require.Equal(t, []string{"libnvrtc.so.14", "libnvrtc.so.13"}, candidates(14)[:2])
	require.Equal(t, "libnvrtc.so", candidates(0)[0])
	tried = nil
	found, why = libraries[Cuda].search("/my/library", 12, open)
	require.False(t, found)
	require.Equal(t, "/my/library is missing", why)
	require.Equal(t, []string{"/my/library"}, tried)
	found, why = libraries[Cuda].search("", 13, func(path string) string { return "" })
	require.True(t, found)
	require.Empty(t, why)
	require.Equal(t, []string{"libhiprtc.so.6", "libamdhip64.so.6", "libhiprtc.so.7", "libamdhip64.so.7", "libhiprtc.so.5", "libamdhip64.so.5", "libhiprtc.so"}, hipCandidates(6))
	require.Equal(t, "libhiprtc.so.7", hipCandidates(0)[0])
	require.Equal(t, "libhiprtc.so.8", hipCandidates(8)[0])
}

// Options of NVRTC that a program gives have their meaning for hiprtc, which is clang, too.
// The code generator of hiprtc's own version is asked first, in its folder and elsewhere.
func TestGenerators(t *testing.T) {
	require.Equal(t, []string{"", "/opt/rocm-7/lib/libamd_comgr.so.3", "/opt/rocm-7/lib/libamd_comgr.so.2", "libamd_comgr.so.3", "libamd_comgr.so.2"}, generators("/opt/rocm-7/lib/libhiprtc.so.7"))
	require.Equal(t, []string{"", "/lib/libamd_comgr.so.2", "/lib/libamd_comgr.so.3", "libamd_comgr.so.2", "libamd_comgr.so.3"}, generators("/lib/libamdhip64.so.5.2.0"))
	require.Equal(t, []string{"", "libamd_comgr.so.3", "libamd_comgr.so.2"}, generators("hiprtc"))
	require.Equal(t, []string{"", "libamd_comgr.so.3", "libamd_comgr.so.2"}, generators(""))
}

func TestHipOptions(t *testing.T) {
	none := hipOptions("", "gfx90a:sramecc+", Fortran|Narrow)
	require.Equal(t, []string{"--offload-arch=gfx90a:sramecc+", "-std=c++14", "-DPORTABLE_NARROW=1", "-DPORTABLE_LAUNCH_ORDER=1", "-ffp-contract=off"}, none)
	require.NotContains(t, hipOptions("", "", 0), "--offload-arch=")
	for users, want := range map[string][]string{
		"--fmad=true":                                 {"-ffp-contract=fast", "-std=c++14", "-DPORTABLE_LAUNCH_ORDER=0"},
		"-fmad=false --std=c++17":                     {"-ffp-contract=off", "-DPORTABLE_LAUNCH_ORDER=0", "-std=c++17"},
		"--fmad=true --fmad=false":                    {"-ffp-contract=off", "-std=c++14", "-DPORTABLE_LAUNCH_ORDER=0"},
		"-ffast-math":                                 {"-ffast-math", "-std=c++14", "-DPORTABLE_LAUNCH_ORDER=0"},
		"--use_fast_math --fmad=false":                {"-ffast-math", "-ffp-contract=off", "-std=c++14", "-DPORTABLE_LAUNCH_ORDER=0"},
		"--use_fast_math":                             {"-std=c++14", "-DPORTABLE_LAUNCH_ORDER=0", "-ffast-math"},
		"-arch=sm_80 -DA=1 -I/x":                      {"-ffp-contract=off", "-std=c++14", "-DPORTABLE_LAUNCH_ORDER=0", "-DA=1", "-I/x"},
		"-arch sm_80 --maxrregcount 64 --std c++17":   {"-ffp-contract=off", "-DPORTABLE_LAUNCH_ORDER=0", "-std=c++17"},
		"--offload-arch gfx942 -DA":                   {"--offload-arch=gfx942", "-ffp-contract=off", "-std=c++14", "-DPORTABLE_LAUNCH_ORDER=0", "-DA"},
		"--offload-arch":                              {"--offload-arch=", "-ffp-contract=off", "-std=c++14", "-DPORTABLE_LAUNCH_ORDER=0"},
		"--maxrregcount=64 -lineinfo -default-device": {"-ffp-contract=off", "-std=c++14", "-DPORTABLE_LAUNCH_ORDER=0"},
	} {
		require.ElementsMatch(t, want, hipOptions(users, "", 0), users)
	}
	require.ErrorContains(t, hipKnows(hipOptions("--offload-arch=", "gfx90a", 0), "gfx90a"), "the option --offload-arch names no architecture")
	require.ErrorContains(t, hipKnows(hipOptions("--offload-arch=gfx1030:xnack+", "gfx1030", 0), "gfx1030"), "'xnack+' is no feature of the architecture gfx1030:xnack+, which the option --offload-arch names")
}

// What AMD's compiler writes says how many bytes the parameters of each entry take.
func TestHiprtcParameters(t *testing.T) {
	if why := openLibrary(Hip, "libamdhip64.so.5"); why != "" {
		t.Skip(why)
	}
	const text = "struct space { char bytes[256]; };\nstruct fields { double *x; float a; };\n" +
		"extern \"C\" __global__ void scalars(const space s, double *x, int k) { x[threadIdx.x] = s.bytes[0] + k + blockDim.x; }\n" +
		"extern \"C\" __global__ void structure(const space s, const fields f) { f.x[threadIdx.x] = s.bytes[1] + f.a; }\n"
	for _, architecture := range []string{"gfx90a", "gfx1030"} {
		b := &build{driver: Hip, file: "parameters.cu", text: []byte(text), options: hipOptions("", architecture, 0)}
		image, log, err := b.compile()
		require.NoError(t, err, log)
		require.Equal(t, map[string]int{"scalars": 268, "structure": 272}, codeobject.Parameters(image), architecture)
	}
}
