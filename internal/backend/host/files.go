package host

import (
	"os"
	"syscall"
)

// ReadFile is os.ReadFile for the small files of /proc and /sys. That of os, even for a plain file, starts Go's watch over files and sockets, an epoll
// descriptor that lives on in the program; Go ends the process when a program that closes what it has not opened puts a file of its own there.
func ReadFile(path string) ([]byte, error) {
	fd, err := syscall.Open(path, syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: path, Err: err}
	}
	defer syscall.Close(fd)
	text, part := []byte(nil), make([]byte, 4096)
	for {
		n, err := syscall.Read(fd, part)
		switch {
		case err == syscall.EINTR:
		case err != nil:
			return nil, &os.PathError{Op: "read", Path: path, Err: err}
		case n == 0:
			return text, nil
		default:
			text = append(text, part[:n]...)
		}
	}
}
