package cuda

/*
#include <stdlib.h>
*/
import "C"

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"unsafe"
)

// version is a part of each key: of the library, and of what it makes of a source.
const version = "portable 0.1 code 1"

const varCache = "PORTABLE_CACHE"

// cacheMagic begins a file of the cache; the sum of the image and the image follow.
const cacheMagic = "portable cuda image 1\n"

// variable reads the program's environment, of which Go's copy may be older.
func variable(name string) string {
	text := append([]byte(name), 0) // C.CString would end the program if there is no memory
	if value := C.getenv((*C.char)(unsafe.Pointer(&text[0]))); value != nil {
		return C.GoString(value)
	}
	return ""
}

// sum tells images and keys apart. Nobody attacks a user's own folder, and sums that would stand that bring a self-test into the start of each program.
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

// cached is the image of a key. What is damaged is as if it were not there.
func cached(hash sum) ([]byte, bool) {
	folder := cacheFolder()
	if folder == "" {
		return nil, false
	}
	text, err := os.ReadFile(cacheFile(folder, hash))
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
	if folder == "" || os.MkdirAll(folder, 0o755) != nil {
		return
	}
	f, err := os.CreateTemp(folder, "new-*")
	if err != nil {
		return
	}
	is := sumOf(image)
	_, err = f.Write(append(append([]byte(cacheMagic), is[:]...), image...))
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Chmod(f.Name(), 0o644)
	}
	if err == nil {
		err = os.Rename(f.Name(), cacheFile(folder, hash))
	}
	if err != nil {
		os.Remove(f.Name())
	}
}
