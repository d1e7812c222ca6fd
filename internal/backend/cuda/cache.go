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

// version is a part of each key: of the library, and of what it makes of a source.
const version = "portable 0.1 code 1"

const varCache = "PORTABLE_CACHE"

// cacheMagic begins a file of the cache; the sum of the image and the image follow.
const cacheMagic = "portable cuda image 1\n"

func variable(name string) string {
	value, _ := edge.Lookup(name)
	return value
}

// sum tells images and keys apart. Nobody else writes to a folder that is trusted, and sums that would stand that bring a self-test into the start of each program.
type sum [16]byte

func sumOf(text []byte) (is sum) {
	h := fnv.New128a()
	h.Write(text)
	h.Sum(is[:0])
	return is
}

// cacheFolder is where images are kept; "": nowhere.
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

// cached is the image of a key. A file that is damaged, or that another user could have written, is as if it were not there: its code would run with
// the data of this user.
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

// store keeps an image for later runs, and for other ranks: under a name of its own first, so that nobody reads half of it. A disk that is
// full, or a folder that is not to be written, changes nothing.
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
