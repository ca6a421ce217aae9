package kv

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
	"time"

	berrors "go.etcd.io/bbolt/errors"

	"svc/store/kv/pages"
)

// VerifyFile walks the pages of a database file (VerifyPages) while no other
// process writes it. A file that is missing or empty is sound.
func VerifyFile(path string, full bool) error {
	_, err := verifyFile(path, full)
	return err
}

// verifyFile is VerifyFile, and counts the free pages.
func verifyFile(path string, full bool) (free uint64, err error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("database: %w", err)
	}
	if !info.Mode().IsRegular() {
		return 0, fmt.Errorf("database %s is not a regular file", path)
	}
	if info.Size() == 0 {
		return 0, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return 0, openError(path, err)
	}
	defer f.Close()
	if err := lock(f, syscall.LOCK_SH); err != nil {
		return 0, openError(path, err)
	}
	if info, err = f.Stat(); err != nil { // again: the lock may have waited for a writer
		return 0, fmt.Errorf("database: %w", err)
	}
	if free, err = pages.VerifyCount(f, info.Size(), full, pages.MaxPage); err != nil {
		return 0, fmt.Errorf("%s: %w; restore a backup", path, err)
	}
	return free, nil
}

// lock waits as long as bbolt would for a process that is just stopping. Closing
// the file lets go of the lock.
func lock(f *os.File, how int) error {
	for end := time.Now().Add(lockTimeout); ; {
		err := syscall.Flock(int(f.Fd()), how|syscall.LOCK_NB)
		if err == nil {
			return nil
		}
		if !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, syscall.EINTR) {
			return fmt.Errorf("lock: %w", err)
		}
		if time.Now().After(end) {
			return berrors.ErrTimeout
		}
		<-time.After(20 * time.Millisecond)
	}
}

// Lock keeps other processes from opening a database while it is replaced. A file
// that is missing needs no lock.
func Lock(path string) (unlock func(), err error) {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return func() {}, nil
	}
	if err != nil {
		return nil, openError(path, err)
	}
	if err := lock(f, syscall.LOCK_EX); err != nil {
		f.Close()
		return nil, openError(path, err)
	}
	return func() { f.Close() }, nil
}
