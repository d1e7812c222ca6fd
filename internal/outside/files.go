package outside

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
)

// Sizes up to which files are read at once. Files written by hand are shorter; a sparse file of a terabyte is easy to make.
const (
	TextMost    = 64 << 20 // a file written by hand: settings, sources
	ProgramMost = 64 << 30 // an executable with its debugging information
	ImageMost   = 1 << 30  // a file that a program has written: kernels, programs, dumps
)

// ErrKind says that a file is a folder, a device, a FIFO or a socket: reading it could wait for ever, or have no end.
var ErrKind = errors.New("it is not a regular file")

// fails names the file, as os does.
func fails(call, path string, err error) error { return &os.PathError{Op: call, Path: path, Err: err} }

// open opens a regular file to read; more are further flags. It does not wait for the writer of a FIFO.
func open(path string, more int) (fd int, size int64, err error) {
	for {
		fd, err = syscall.Open(path, syscall.O_RDONLY|syscall.O_NONBLOCK|syscall.O_NOCTTY|syscall.O_CLOEXEC|more, 0)
		if err != syscall.EINTR {
			break
		}
	}
	if err != nil {
		return -1, 0, fails("open", path, err)
	}
	var s syscall.Stat_t
	if err = syscall.Fstat(fd, &s); err == nil && s.Mode&syscall.S_IFMT != syscall.S_IFREG {
		err = ErrKind
	}
	if err != nil {
		syscall.Close(fd)
		return -1, 0, fails("open", path, err)
	}
	return fd, s.Size, nil
}

// ReadFile reads a regular file of at most so many bytes. Unlike os.ReadFile it leaves nothing behind in the program: os starts Go's watch over files
// and sockets, whose epoll descriptor a program may close that closes what it has not opened, and then Go ends the process.
func ReadFile(path string, most int64) ([]byte, error) {
	fd, size, err := open(path, 0)
	if err != nil {
		return nil, err
	}
	defer syscall.Close(fd)
	return read(fd, size, path, most)
}

func read(fd int, size int64, path string, most int64) ([]byte, error) {
	if size > most {
		return nil, fails("read", path, tooLarge(most))
	}
	text, part := make([]byte, 0, size), make([]byte, 32<<10)
	for {
		n, err := syscall.Read(fd, part)
		switch {
		case err == syscall.EINTR:
		case err != nil:
			return nil, fails("read", path, err)
		case n <= 0:
			return text, nil
		case int64(len(text)+n) > most: // files of /proc have no size
			return nil, fails("read", path, tooLarge(most))
		default:
			text = append(text, part[:n]...)
		}
	}
}

func tooLarge(most int64) error {
	if most >= 1<<20 {
		return fmt.Errorf("it has more than %d MB", most>>20)
	}
	return fmt.Errorf("it has more than %d bytes", most)
}

// Open opens a regular file to read; for programs of their own, not for the library (see ReadFile).
func Open(path string) (*os.File, error) {
	fd, _, err := open(path, 0)
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), path), nil
}

// Regular says why a name is not that of a regular file; for readers that open a file themselves.
func Regular(path string) error {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		err = fails("open", path, ErrKind)
	}
	return err
}

// isInherited says that the user has handed the file on to the program: /dev/stdin, or what the shell makes of <(command).
func isInherited(path string) bool {
	return path == "/dev/stdin" || strings.HasPrefix(path, "/dev/fd/") || strings.HasPrefix(path, "/proc/self/fd/")
}

// OpenArgument is Open for a name on a command line, which may be a pipe that the shell has made.
func OpenArgument(path string) (*os.File, error) {
	if isInherited(path) {
		return os.Open(path)
	}
	return Open(path)
}

// ReadArgument is ReadFile for a name on a command line, which may be a pipe that the shell has made.
func ReadArgument(path string, most int64) ([]byte, error) {
	if !isInherited(path) {
		return ReadFile(path, most)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, most+1))
	if err == nil && int64(len(text)) > most {
		err = fails("read", path, tooLarge(most))
	}
	return text, err
}

// Create makes a file to write, or empties it: a regular file, a character device, or a FIFO with a reader. It does not wait for a reader.
func Create(path string) (*os.File, error) {
	if path == "/dev/stdout" || path == "/dev/stderr" || isInherited(path) {
		return os.Create(path)
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC|syscall.O_NONBLOCK|syscall.O_NOCTTY, 0o666)
	if errors.Is(err, syscall.ENXIO) {
		return nil, fails("open", path, errors.New("it is a FIFO that no process reads, or a socket"))
	}
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() && info.Mode()&(os.ModeCharDevice|os.ModeNamedPipe) == 0 {
		err = fails("open", path, ErrKind)
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}

// WriteFile is os.WriteFile by Create.
func WriteFile(path string, text []byte) error {
	file, err := Create(path)
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	if closed := file.Close(); err == nil {
		err = closed
	}
	return err
}
