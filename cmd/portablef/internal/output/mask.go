package output

import (
	"os"
	"sync"
	"syscall"
)

// mask is the process's mask of modes, which os.CreateTemp does not use.
var mask = sync.OnceValue(func() os.FileMode {
	m := syscall.Umask(0)
	syscall.Umask(m)
	return os.FileMode(m)
})

func allowed(mode os.FileMode) os.FileMode { return mode &^ mask() }
