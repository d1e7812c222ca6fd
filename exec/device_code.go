package exec

// This file checks the device version of a kernel (portable_kernel_set_cuda) and finds its file.
// Main function: DeviceCode.Refusal.

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"

	"libportable/internal/outside"
)

// DeviceRefusal is why a call for a device is refused; Kind chooses the status.
type DeviceRefusal struct {
	Kind DeviceKind
	Text string
}

func (r *DeviceRefusal) Error() string { return r.Text }

// DeviceKind is a kind of refusal.
type DeviceKind int

// Kinds of refusals.
const (
	DeviceArgument   DeviceKind = iota // the program's arguments, or its code
	DeviceNoCompiler                   // the device's compiler is missing
	DeviceMissing                      // there is no such device
	DeviceDriver                       // the driver refused
	DeviceNoMemory
	DeviceInternal // the library's own code does not compile
)

func refuseDevice(kind DeviceKind, format string, args ...any) error {
	return &DeviceRefusal{kind, fmt.Sprintf(format, args...)}
}

// Forms of DeviceCode, as in portable_cuda.h.
const (
	deviceSource = iota
	deviceSourceFile
	deviceImage
	deviceImageFile
	deviceForms
)

const mostShared = 1 << 20 // bytes; no block has more

// MostCode are the most bytes of code; a longer one is a mistake in the call, which must not make the library copy all memory.
const MostCode = 1 << 31

// DeviceCode is the device version of a kernel, as portable_kernel_set_cuda gets it.
type DeviceCode struct {
	Label, Entry, Options, File string
	Form, Line                  int
	Text                        []byte // the source or image, or the path; nil: NULL
	Bytes                       uint64 // the length of the call; above MostCode Text is shorter
	NoEntry                     bool   // the entry has the kernel's label
	Terminated                  bool   // Text ended with NUL: the call gave no length
	BlockSize                   int
	SharedBytes                 uint64
	Builtin                     string // the embedded source; "": the program's code
}

// OneForm: the code has no variants. Such are images, and code of the library.
func (c *DeviceCode) OneForm() bool { return c.Form >= deviceImage || c.Builtin != "" }

// DeviceCodeSize refuses a structure of another size.
func DeviceCodeSize(label string, size uint32) error {
	return refuseDevice(DeviceArgument, "portable_kernel_set_cuda of '%s': struct_size is %d; begin with PORTABLE_CUDA_CODE_INIT", outside.Clean(label), size)
}

// NoMemoryForCode refuses a function without memory for it.
func NoMemoryForCode(label string) error {
	return refuseDevice(DeviceNoMemory, "kernel '%s': no memory for its device version", outside.Clean(label))
}

// Refusal checks the code in the documented order.
func (c *DeviceCode) Refusal() error {
	refuse := func(format string, args ...any) error {
		return refuseDevice(DeviceArgument, "portable_kernel_set_cuda of '"+strings.ReplaceAll(outside.Clean(c.Label), "%", "%%")+"': "+format, args...)
	}
	switch {
	case c.Form < 0 || c.Form >= deviceForms:
		return refuse("there is no form %d; there are PORTABLE_CUDA_SOURCE, _SOURCE_FILE, _IMAGE and _IMAGE_FILE", c.Form)
	case c.Text == nil:
		return refuse("code is NULL; NULL in the place of the whole structure takes the version away")
	case len(c.Text) == 0:
		return refuse("code is empty; NULL in the place of the whole structure takes the version away")
	case !c.NoEntry && !isEntry(c.Entry):
		return refuse("the entry '%s' is no name of a function; entry names the __global__ function", outside.Clean(c.Entry))
	case c.NoEntry && !isEntry(c.Label):
		return refuse("the label '%s' is no name of a function; entry names the __global__ function", outside.Clean(c.Label))
	case c.Form == deviceImage && c.Terminated && bytes.HasPrefix(c.Text, []byte("\177ELF")):
		return refuse("the image is machine code, which needs its length in bytes; only PTX ends with NUL")
	case c.BlockSize < 0:
		return refuse("block_size is %d; it is 0 or more", c.BlockSize)
	case c.Line < 0:
		return refuse("line is %d; it is 0 or more", c.Line)
	case c.SharedBytes > mostShared:
		return refuse("shared_bytes is %d; it is 0 or more, and no block has more than 1 MiB", c.SharedBytes)
	case c.Bytes > MostCode:
		return refuseDevice(DeviceNoMemory, "portable_kernel_set_cuda of '%s': code has %d bytes, and no more than 2 GiB are copied; give its length in bytes",
			outside.Clean(c.Label), c.Bytes)
	}
	return nil
}

// isEntry tests for a name of a function that the compiler takes.
func isEntry(name string) bool {
	for i := range len(name) {
		c := name[i]
		letter := 'a' <= c|0x20 && c|0x20 <= 'z' || c == '_' || c == '$'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return name != ""
}

// Locate completes the path of a file. It searches the working folder, then the folders of PORTABLE_CUDA_PATH, then the folder of
// the executable. The path of a missing file stays; the first launch reports it.
func (c *DeviceCode) Locate(folders, executable string) {
	if c.Form != deviceSourceFile && c.Form != deviceImageFile {
		return
	}
	if end := bytes.IndexByte(c.Text, 0); end >= 0 {
		c.Text = c.Text[:end]
	}
	path := string(c.Text)
	if strings.HasPrefix(path, "/") || readable(path) {
		return
	}
	list := strings.Split(folders, ":")
	if executable != "" {
		list = append(list, filepath.Dir(executable))
	}
	for _, folder := range list {
		if file := folder + "/" + path; folder != "" && readable(file) {
			c.Text = []byte(file)
			return
		}
	}
}

func readable(path string) bool {
	f, err := outside.Open(path)
	if err == nil {
		f.Close()
	}
	return err == nil
}

// argumentNames lists the names of a kernel's arguments: neighbours of one name are parts of one argument.
func argumentNames(all []string) (names []string) {
	for _, name := range all {
		if n := len(names); n == 0 || name == "" || names[n-1] != name {
			names = append(names, name)
		}
	}
	return names
}

// NoSuchDevice refuses the number of a device that does not exist.
func NoSuchDevice(call, label string, device, count int) error {
	if label != "" {
		call += " of '" + outside.Clean(label) + "'"
	}
	return refuseDevice(DeviceMissing, "%s: there is no device %d; there are %d", call, device, count)
}
