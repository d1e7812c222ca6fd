package outside

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// This file decides whether a file may be executed, such as code from a cache: only this user and root may be able to write it.

// onlyOurs says why another user could have written a file or could put one into a folder; nil: none could. In a folder with the sticky bit, such as
// /tmp, others can add files but cannot replace those of this user, so the owner of each file decides.
func onlyOurs(owner, mode uint32, user int) error {
	const others = 0o022
	kind := mode & syscall.S_IFMT
	sticky := kind == syscall.S_IFDIR && mode&syscall.S_ISVTX != 0
	if owner != uint32(user) && owner != 0 {
		return fmt.Errorf("it belongs to user %d, who is neither root nor the user who runs this", owner)
	}
	if mode&others != 0 && !sticky {
		return fmt.Errorf("other users may write to it (mode %03o); take that away with chmod go-w", mode&0o777)
	}
	return nil
}

// TrustedFolder says why files of a folder cannot be trusted; nil: they can.
func TrustedFolder(path string) error {
	var s syscall.Stat_t
	if err := syscall.Stat(path, &s); err != nil {
		return fails("stat", path, err)
	}
	if s.Mode&syscall.S_IFMT != syscall.S_IFDIR {
		return fails("stat", path, errors.New("it is not a folder"))
	}
	return onlyOurs(s.Uid, s.Mode, os.Geteuid())
}

// ReadTrusted reads a regular file that no other user could have written. TrustedFolder tests its folder.
func ReadTrusted(path string, most int64) ([]byte, error) {
	fd, size, err := open(path, syscall.O_NOFOLLOW)
	if err != nil {
		return nil, err
	}
	defer syscall.Close(fd)
	var s syscall.Stat_t
	if err := syscall.Fstat(fd, &s); err != nil {
		return nil, fails("stat", path, err)
	}
	if err := onlyOurs(s.Uid, s.Mode, os.Geteuid()); err != nil {
		return nil, fails("read", path, err)
	}
	return read(fd, size, path, most)
}
