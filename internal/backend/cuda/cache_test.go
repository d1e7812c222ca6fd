package cuda

import (
	"hash/fnv"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCacheKeepsImages(t *testing.T) {
	folder := t.TempDir()
	t.Setenv(varCache, filepath.Join(folder, "a", "b"))
	hash, image := sumOf([]byte("key")), []byte("an image\x00of bytes")
	_, ok := cached(hash)
	require.False(t, ok)
	store(hash, image)
	got, ok := cached(hash)
	require.True(t, ok)
	require.Equal(t, image, got)
	files, err := os.ReadDir(filepath.Join(folder, "a", "b"))
	require.NoError(t, err)
	require.Len(t, files, 1, "no temporary file is left")

	path := filepath.Join(folder, "a", "b", files[0].Name())
	whole, err := os.ReadFile(path)
	require.NoError(t, err)
	for at := range whole { // one wrong byte at each position
		damaged := append([]byte{}, whole...)
		damaged[at] ^= 1
		require.NoError(t, os.WriteFile(path, damaged, 0o600))
		_, ok = cached(hash)
		require.False(t, ok, "byte %d", at)
	}
	for _, n := range []int{0, 5, len(cacheMagic), len(cacheMagic) + len(sum{}), len(whole) - 1} {
		require.NoError(t, os.WriteFile(path, whole[:n], 0o600))
		_, ok = cached(hash)
		require.False(t, ok, "%d bytes", n)
	}
	store(hash, image) // replaces the damaged one
	_, ok = cached(hash)
	require.True(t, ok)
}

// An image that another user could have written is compiled again, and replaced if the folder is this user's.
func TestCacheTrustsOnlyOurs(t *testing.T) {
	const other = 65534 // a user number
	hash, image := sumOf([]byte("key")), []byte("an image")
	for _, c := range []struct {
		name        string
		folder      os.FileMode
		file        os.FileMode
		folderOwner int // 0: as it is
		fileOwner   int
		link        bool // the file is a symbolic link
		used        bool
		stored      bool // a new image can be stored, and is used then
	}{
		{"all ours", 0o755, 0o644, 0, 0, false, true, true},
		{"no other user reads", 0o700, 0o600, 0, 0, false, true, true},
		{"file for the group", 0o755, 0o664, 0, 0, false, false, true},
		{"file for all", 0o755, 0o666, 0, 0, false, false, true},
		{"folder for the group", 0o775, 0o644, 0, 0, false, false, false},
		{"folder for all", 0o777, 0o644, 0, 0, false, false, false},
		{"folder as /tmp", 0o777 | os.ModeSticky, 0o644, 0, 0, false, true, true},
		{"folder as /tmp, file for all", 0o777 | os.ModeSticky, 0o666, 0, 0, false, false, true},
		{"folder as /tmp, file of another user", 0o777 | os.ModeSticky, 0o644, 0, other, false, false, true},
		{"file of another user", 0o755, 0o644, 0, other, false, false, true},
		{"folder of another user", 0o755, 0o644, other, 0, false, false, false},
		{"folder of another user, as /tmp", 0o777 | os.ModeSticky, 0o644, other, 0, false, false, false},
		{"a link", 0o755, 0o644, 0, 0, true, false, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			if (c.folderOwner != 0 || c.fileOwner != 0) && os.Geteuid() != 0 {
				t.Skip("only root gives files away; the rule itself is in internal/outside")
			}
			folder := filepath.Join(t.TempDir(), "cache")
			t.Setenv(varCache, folder)
			store(hash, image)
			path := cacheFile(folder, hash)
			if c.link {
				require.NoError(t, os.Rename(path, path+".elsewhere"))
				require.NoError(t, os.Symlink(path+".elsewhere", path))
			}
			require.NoError(t, os.Chmod(path, c.file))
			require.NoError(t, os.Chmod(folder, c.folder))
			if c.fileOwner != 0 {
				require.NoError(t, os.Chown(path, c.fileOwner, c.fileOwner))
			}
			if c.folderOwner != 0 {
				require.NoError(t, os.Chown(folder, c.folderOwner, c.folderOwner))
			}
			got, ok := cached(hash)
			require.Equal(t, c.used, ok)
			if ok {
				require.Equal(t, image, got)
			}
			store(hash, []byte("another image"))
			got, ok = cached(hash)
			require.Equal(t, c.stored, ok)
			if ok {
				require.Equal(t, "another image", string(got))
			}
		})
	}
}

func TestCacheDoesNotWait(t *testing.T) {
	folder := t.TempDir()
	require.NoError(t, os.Chmod(folder, 0o755))
	t.Setenv(varCache, folder)
	hash := sumOf([]byte("key"))
	require.NoError(t, syscall.Mkfifo(cacheFile(folder, hash), 0o600))
	_, ok := cached(hash)
	require.False(t, ok)
}

func TestCacheFolder(t *testing.T) {
	for _, c := range []struct{ cache, xdg, home, want string }{
		{"/c", "/x", "/h", "/c"},
		{"off", "/x", "/h", ""},
		{"", "/x", "/h", "/x/portable"},
		{"", "relative", "/h", "/h/.cache/portable"},
		{"", "", "/h", "/h/.cache/portable"},
		{"", "", "", ""},
	} {
		t.Setenv(varCache, c.cache)
		t.Setenv("XDG_CACHE_HOME", c.xdg)
		t.Setenv("HOME", c.home)
		require.Equal(t, c.want, cacheFolder(), "%+v", c)
	}
}

func TestIncludes(t *testing.T) {
	require.Equal(t, []string{"a.h", "b/c.h", "", "d.h"}, includes("#include <a.h>\n  #  include \"b/c.h\" // x\n#include MACRO\nint x;\n#define y\n#include<d.h>"))
}

// Included files are a part of the key, at any depth. If one is not found, the image is not stored.
func TestHeadersAreHashed(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600))
	}
	sumWith := func(text string, options ...string) (string, bool) {
		h := fnv.New128a()
		keep := hashHeaders(h, []byte(text), filepath.Join(folder, "kernel.cu"), options)
		return string(h.Sum(nil)), keep
	}
	write("one.h", "#include \"two.h\"\n")
	write("two.h", "#include \"one.h\"\nint a;\n")
	first, keep := sumWith("#include \"one.h\"\n#include <portable_device.h>\n#include <stdint.h>\n")
	_ = keep
	write("two.h", "#include \"one.h\"\nint b;\n")
	second, _ := sumWith("#include \"one.h\"\n#include <portable_device.h>\n#include <stdint.h>\n")
	require.NotEqual(t, first, second)
	_, keep = sumWith("#include \"one.h\"\n#include <stdint.h>\n")
	require.True(t, keep)
	_, keep = sumWith("#include \"missing.h\"\n")
	require.False(t, keep)
	_, keep = sumWith("#include NAME\n")
	require.False(t, keep)
	_, keep = sumWith("int x;", "-include", "one.h")
	require.False(t, keep)
	write("other.h", "")
	_, keep = sumWith("#include <other.h>\n", "-I"+folder)
	require.True(t, keep)
}

func TestOptions(t *testing.T) {
	list, cubin := nvrtcOptions("", "--gpu-architecture=sm_80", true, Narrow|Fortran)
	require.True(t, cubin)
	require.Equal(t, []string{"--gpu-architecture=sm_80", "--fmad=false", "--std=c++14", "-default-device", "-DPORTABLE_NARROW=1", "-DPORTABLE_LAUNCH_ORDER=1"}, list)
	list, cubin = nvrtcOptions("--fmad=true -std=c++17 --gpu-architecture=compute_70", "--gpu-architecture=sm_80", true, Checked)
	require.False(t, cubin)
	require.Equal(t, []string{"-default-device", "-DPORTABLE_LAUNCH_ORDER=0", "-DPORTABLE_BOUNDS_CHECK=1", "--fmad=true", "-std=c++17", "--gpu-architecture=compute_70"}, list)
}

func TestBuiltins(t *testing.T) {
	require.NotEmpty(t, Builtins())
	for _, name := range Builtins() {
		c, err := Builtin(name[:len(name)-len(".cu")], "")
		require.NoError(t, err)
		require.NotEmpty(t, c.Text)
	}
	c, err := Builtin("reduce_real64", "")
	require.NoError(t, err)
	require.Equal(t, "-DPORTABLE__KIND=6", c.Options)
	_, err = Builtin("nothing", "")
	require.Error(t, err)
}

func TestFirstErrors(t *testing.T) {
	require.Equal(t, "b.cu(3): error: x\nmore", firstErrors("a warning\nb.cu(3): error: x\nmore\n"))
	require.Equal(t, "says nothing of it", firstErrors("says nothing of it"))
}
