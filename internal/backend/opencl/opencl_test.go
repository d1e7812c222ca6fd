package opencl

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// An entry gets one more parameter and a twin that reads parameters from memory; lines stay.
func TestRewrite(t *testing.T) {
	text := "# 1 \"a.cu\"\nextern \"C\" portable__global __attribute__((unused)) void one(const int a, double *b) {\n" +
		"  extern portable__shared __attribute__((aligned(64))) unsigned char room[];\n" +
		"  portable__shared T tile[4]; static portable__shared int n; f(\"portable__global } {\");\n}\n" +
		"portable__global void two(void) { if (1) { } }\nportable__global void later();\n"
	got, entries := rewrite(text)
	require.Equal(t, []string{"one", "two"}, entries)
	require.Contains(t, got, "void portable__body_one(const int a, double *b, char *portable__dynamic) {")
	require.Contains(t, got, "unsigned char *const room = (unsigned char *)portable__dynamic;")
	require.Contains(t, got, "  static __attribute__((shared)) T tile[4]; static __attribute__((shared)) int n; f(\"portable__global } {\");")
	require.Contains(t, got, "void portable__body_two(char *portable__dynamic) { if (1) { } } extern \"C\"")
	require.Contains(t, got, "void portable__body_later(char *portable__dynamic);")
	require.Contains(t, got, "\n} extern \"C\" __attribute__((device, used)) const unsigned long portable__bytes_one = ")
	require.Equal(t, strings.Count(text, "\n"), strings.Count(strings.Split(got, "\n#pragma clang attribute pop")[0], "\n"))
}

func TestOperations(t *testing.T) {
	for from, to := range map[string]string{
		"  %r = tail call spir_func noundef i32 @portable__rmw_add_int(ptr addrspace(4) noundef %p, i32 noundef %v) #5":                        "  %r = atomicrmw add ptr addrspace(4) %p, i32 %v monotonic",
		"  %3 = call spir_func i64 @portable__rmw_umax_portable__u64(i64 addrspace(4)* noundef align 8 dereferenceable(8) %1, i64 noundef %2)": "  %3 = atomicrmw umax i64 addrspace(4)* %1, i64 %2 monotonic",
		"  %7 = call spir_func noundef i64 @portable__cas_portable__u64(ptr addrspace(4) noundef %4, i64 noundef %5, i64 noundef 3) #4": "  %portable.pair.7 = cmpxchg ptr addrspace(4) %4, i64 %5, i64 3 monotonic monotonic\n" +
			"  %7 = extractvalue { i64, i1 } %portable.pair.7, 0",
		"  call spir_func void @portable__fence() #4": "  fence seq_cst",
	} {
		got, err := operation(from)
		require.NoError(t, err)
		require.Equal(t, to, got)
	}
	for _, wrong := range []string{"  call spir_func i32 @portable__rmw_add_int(ptr %p)", "  %1 = call i32 @portable__cas_int(ptr %p, i32 1)", "  %1 = call i32 @portable__rmw_add_int"} {
		_, err := operation(wrong)
		require.ErrorContains(t, err, "an atomic operation has an unknown form")
	}
}

func TestFinish(t *testing.T) {
	got, bytes, err := finish("target triple = \"spirv64\"\n@portable__bytes_f = addrspace(1) constant i64 272, align 8\n@llvm.used = appending global\n" +
		"define spir_kernel void @f(ptr addrspace(1) %0, ptr addrspace(3) %1) #0 {\n}\ndeclare spir_func i32 @portable__rmw_add_int(ptr, i32)\n")
	require.NoError(t, err)
	require.Equal(t, map[string]int{"f": 272}, bytes)
	require.True(t, strings.HasPrefix(got, "target triple = \"spir64-unknown-unknown\"\ndefine spir_kernel void @f(ptr addrspace(1) %0, ptr addrspace(3) %1) #0 !kernel_arg_addr_space !16777216 "), got)
	require.NotContains(t, got, "declare")
	_, _, err = finish("@portable__bytes_f = global i64 undef\n")
	require.ErrorContains(t, err, "the bytes of an entry's parameters are not known")
}

func TestOptions(t *testing.T) {
	words, folders, err := translate([]string{"--fmad=false", "--std=c++17", "-default-device", "--ftz=true", "--prec-div=false", "-G", "--disable-warnings", "-DA=1", "-U", "B", "-I", "/here", "-Ithere", "--include-path=/x"}, "/own")
	require.NoError(t, err)
	here, err := os.Getwd()
	require.NoError(t, err)
	require.Equal(t, []string{"-DA=1", "-UB", "-std=c++17", "-ffp-contract=off"}, words)
	require.Equal(t, []string{"-I", "/here", "-I", filepath.Join(here, "there"), "-I", "/x", "-I", "/own"}, folders)
	_, _, err = translate([]string{"--unknown"}, "")
	require.ErrorContains(t, err, "--unknown is not known for devices of OpenCL")
}

// A compiler newer than the driver's LLVM, or than the translator, is not taken; the user's own is.
func TestFind(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"clang-14", "clang-16", "mine"} {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), nil, 0o755))
	}
	t.Setenv("PATH", folder)
	none := func(string) string { return "" }
	found, why := find(Form{Spir: true, LLVM: 15}, none)
	if !executable("/usr/lib/llvm-15/bin/clang") {
		require.Empty(t, why)
		require.Equal(t, filepath.Join(folder, "clang-14"), found.clang)
	}
	_, why = find(Form{}, none)
	require.Contains(t, why, "there is no llvm-spirv in PATH")
	require.NoError(t, os.WriteFile(filepath.Join(folder, "llvm-spirv-14"), nil, 0o755))
	found, why = find(Form{}, none)
	require.Empty(t, why)
	require.Equal(t, tools{clang: filepath.Join(folder, "clang-14"), translator: filepath.Join(folder, "llvm-spirv-14")}, found)
	found, why = find(Form{Spir: true, LLVM: 15}, func(string) string { return "mine" })
	require.Empty(t, why)
	require.Equal(t, filepath.Join(folder, "mine"), found.clang)
	_, why = find(Form{Spir: true}, func(string) string { return "/nowhere/clang" })
	require.Equal(t, "PORTABLE_CLANG=/nowhere/clang: there is no such program", why)
	_, why = find(Form{Spir: true, LLVM: 13}, none)
	require.Contains(t, why, "there is no clang of LLVM 13 or older")
}

func TestImages(t *testing.T) {
	spirv := binary.NativeEndian.AppendUint32(nil, 0x07230203)
	image, err := Image(spirv)
	require.NoError(t, err)
	require.Equal(t, magic, string(image[:8]))
	image = pack(formSpir, []byte("program"), map[string]int{"b": 8, "a": 272})
	require.True(t, strings.HasSuffix(string(image), "bprogram"))
	require.Less(t, strings.IndexByte(string(image[24:]), 'a'), strings.IndexByte(string(image[24:]), 'b'))
}

// Files of the user go to a loader in C that looks at no length.
func TestDamagedImages(t *testing.T) {
	whole := pack(formIL, []byte("a program"), map[string]int{"first": 24, "second": 8})
	image, err := Image(whole)
	require.NoError(t, err)
	require.Equal(t, whole, image)
	for n := range whole {
		_, err := Image(whole[:n])
		require.Error(t, err, "the first %d bytes", n)
	}
	_, err = Image(append(slices.Clone(whole), 0))
	require.ErrorContains(t, err, "damaged")
	for _, at := range []int{20, 28, 41} { // the number of entries, the lengths of their names
		damaged := slices.Clone(whole)
		damaged[at] = 0x7f
		damaged[at+3] = 0x7f
		_, err := Image(damaged)
		require.ErrorContains(t, err, "an image of 60 bytes is a damaged program for OpenCL", "byte %d", at)
	}
	_, err = Image([]byte("// PTX"))
	require.ErrorContains(t, err, "an image of 6 bytes is no program for OpenCL")
}
