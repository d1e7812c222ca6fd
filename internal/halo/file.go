package halo

import (
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// This file has files that replace others when they are on disk.

// Action is what is done with a file, in the numbers of portable_halo.h.
type Action int

// FILE.new is made with disk space, gets it again after a library has truncated it, takes the name of FILE, or is removed.
const (
	Test Action = iota // FILE can be read
	Create
	Space
	Keep
	Remove
)

// OnFile does it, or says why not. disk: the cause is the disk (full, a quota, a limit of sizes, a failure), not the name. After
// Test the stamp is that of FILE, after Create that of FILE.new, which no other file has.
func OnFile(name string, action Action, bytes int64) (stamp uint64, why Fault, disk bool) {
	err := onFile(name, name+".new", action, bytes)
	if action == Create && err == nil {
		name += ".new"
	}
	if (action == Test || action == Create) && err == nil {
		stamp, err = stampOf(name)
	}
	if err == nil {
		return stamp, "", false
	}
	for _, cause := range []error{syscall.ENOSPC, syscall.EDQUOT, syscall.EFBIG, syscall.EIO} {
		disk = disk || errors.Is(err, cause)
	}
	if p := (*fs.PathError)(nil); errors.As(err, &p) {
		return 0, fault("cannot %s %s: %s", p.Op, p.Path, p.Err), disk
	}
	return 0, Fault(err.Error()), disk
}

// onFile keeps the older file whole until the new one is on disk.
func onFile(name, fresh string, action Action, bytes int64) error {
	switch action {
	case Create:
		if err := replaceable(name); err != nil {
			return err
		}
		f, err := os.Create(fresh)
		if err != nil {
			return err
		}
		_, marked := fmt.Fprintln(f, time.Now().UnixNano(), os.Getpid()) // HDF5 truncates the file
		if err = errors.Join(reserved(f, 0, bytes), marked, f.Close()); err != nil {
			_ = os.Remove(fresh)
		}
		return err
	case Space:
		f, err := os.OpenFile(fresh, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		return errors.Join(reserved(f, keepSize, bytes), f.Close())
	case Keep:
		if err := trimmed(fresh); err != nil {
			return err
		}
		if err := synced(fresh); err != nil {
			return err
		}
		if err := os.Rename(fresh, name); err != nil {
			return err
		}
		if err := synced(filepath.Dir(name)); err != nil && !errors.Is(err, syscall.EINVAL) { // file systems without folders to sync say that
			return err
		}
		return nil
	case Remove:
		return os.Remove(fresh)
	}
	if err := replaceable(name); err != nil {
		return err
	}
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	return f.Close()
}

const stamped = 65536 // the first bytes of a file, which have its time, step and hashes

// stampOf is a number for the size and the first bytes of a file, by which ranks tell whether they see the same one.
func stampOf(name string) (uint64, error) {
	f, err := os.Open(name)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	about, err := f.Stat()
	if err != nil {
		return 0, err
	}
	first := make([]byte, min(about.Size(), stamped))
	if _, err = io.ReadFull(f, first); err != nil {
		return 0, err
	}
	h := fnv.New64a()
	fmt.Fprintln(h, about.Size(), string(first))
	return h.Sum64(), nil
}

// replaceable refuses names that are not of files: the new file would take the place of a device, or be refused when all is written.
func replaceable(name string) error {
	if name == "" {
		return errors.New("the name of the file is empty")
	}
	about, err := os.Stat(name)
	switch {
	case err != nil: // none, or opening tells
		return nil
	case about.IsDir():
		return errors.New("this is a folder; name a file in it")
	case !about.Mode().IsRegular():
		return errors.New("this is a device, not a file; name a file")
	}
	return nil
}

const keepSize = 1 // FALLOC_FL_KEEP_SIZE

// reserved takes disk space for a file, so that writing it does not fail half way: MPI libraries wait for ever, and HDF5
// crashes at the end of the program, where a disk is full. File systems that cannot do that go without.
func reserved(f *os.File, mode uint32, bytes int64) error {
	err := syscall.Fallocate(int(f.Fd()), mode, 0, max(bytes, 1))
	if err == nil || errors.Is(err, syscall.EOPNOTSUPP) || errors.Is(err, syscall.ENOSYS) {
		return nil
	}
	return &fs.PathError{Op: fmt.Sprintf("reserve %d bytes for", bytes), Path: f.Name(), Err: err}
}

// trimmed releases reserved space that was not needed.
func trimmed(name string) error {
	about, err := os.Stat(name)
	if err != nil {
		return err
	}
	return os.Truncate(name, about.Size())
}

// synced waits until a file or a folder is on disk.
func synced(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	err = f.Sync()
	return errors.Join(err, f.Close())
}
