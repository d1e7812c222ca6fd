package cuda

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"

	"libportable/internal/edge"
	"libportable/internal/outside"
)

// version is a part of each key: the version of the library, and of its changes to a source.
const version = "portable 0.1 code 1"

const varCache = "PORTABLE_CACHE"

// cacheMagic begins a file of the cache; a sum of the image and the image follow.
const cacheMagic = "portable cuda image 1\n"

func variable(name string) string {
	value, _ := edge.Lookup(name)
	return value
}

// sum identifies images and keys. A weak sum is enough, because no other user can write to a trusted folder; strong
// ones add a self-test to each start.
type sum [16]byte

func sumOf(text []byte) (is sum) {
	h := fnv.New128a()
	h.Write(text)
	h.Sum(is[:0])
	return is
}

// cacheFolder is the folder of images; "": no cache.
func cacheFolder() string {
	switch said := variable(varCache); said {
	case "off", "0":
		return ""
	case "":
	default:
		return said
	}
	if folder := variable("XDG_CACHE_HOME"); filepath.IsAbs(folder) {
		return filepath.Join(folder, "portable")
	}
	if home := variable("HOME"); filepath.IsAbs(home) {
		return filepath.Join(home, ".cache", "portable")
	}
	return ""
}

func cacheFile(folder string, hash sum) string {
	return filepath.Join(folder, fmt.Sprintf("cuda-%x.bin", hash))
}

// cached returns the image of a key. It ignores a damaged file, and one that another user could have written: its code
// would run with this user's data.
func cached(hash sum) ([]byte, bool) {
	folder := cacheFolder()
	if folder == "" || outside.TrustedFolder(folder) != nil {
		return nil, false
	}
	text, err := outside.ReadTrusted(cacheFile(folder, hash), outside.ImageMost)
	if err != nil {
		return nil, false
	}
	rest, ok := bytes.CutPrefix(text, []byte(cacheMagic))
	if !ok || len(rest) <= len(sum{}) {
		return nil, false
	}
	image, is := rest[len(sum{}):], sumOf(rest[len(sum{}):])
	return image, bytes.Equal(is[:], rest[:len(is)])
}

// store keeps an image for later runs, and for other ranks. It writes a temporary file first, so that no process reads
// half an image. A full disk, or a folder without write access, changes nothing.
func store(hash sum, image []byte) {
	folder := cacheFolder()
	if folder == "" || os.MkdirAll(folder, 0o755) != nil || outside.TrustedFolder(folder) != nil {
		return
	}
	f, err := os.CreateTemp(folder, "new-*")
	if err != nil {
		return
	}
	is := sumOf(image)
	_, err = f.Write(append(append([]byte(cacheMagic), is[:]...), image...))
	if err == nil {
		err = f.Chmod(0o644)
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(f.Name(), cacheFile(folder, hash))
	}
	if err != nil {
		os.Remove(f.Name())
	}
}
