// Package files makes what a database writes beside itself durable: whole files, names and
// bytes.
//
// It promises that a file is there as a whole or not at all, whatever is killed meanwhile,
// and that what a killed process left is removed. It refuses to make one file twice at a time.
package files

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

var errClaimed = errors.New("somebody is making it already")

// The files beside one that is being made. Nobody else gives a file such a name, so one
// that is there is ours.
func temporary(path string) string { return path + ".svc-backup.tmp" }
func lockOf(path string) string    { return path + ".svc-backup.lock" }

// Replace lets make a file under a temporary name beside the one it will be, and
// renames it. What is made must be synced. On an error nothing is left; what a killed
// process left is removed the next time, or by Sweep.
func Replace(path string, make func(tmp string) error) error {
	release, err := claim(lockOf(path))
	if err != nil {
		return fmt.Errorf("make %s: %w", path, err)
	}
	defer release()
	tmp := temporary(path)
	_ = os.Remove(tmp) // of a process that was killed
	if err = make(tmp); err == nil {
		err = os.Rename(tmp, path)
	}
	if err != nil {
		_ = os.Remove(tmp) // perhaps never made; the reason is in err
		return fmt.Errorf("make %s: %w", path, err)
	}
	return SyncFolder(filepath.Dir(path))
}

// Sweep removes what a process that was killed while it made the file of that path left
// beside it. busy says that a process which lives makes it: nothing is removed then.
func Sweep(path string) (busy bool, err error) {
	release, err := claim(lockOf(path))
	switch {
	case errors.Is(err, errClaimed):
		return true, nil
	case errors.Is(err, fs.ErrNotExist): // its folder is gone
		return false, nil
	case err != nil:
		return false, err
	}
	defer release()
	if err := os.Remove(temporary(path)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	return false, nil
}

// claim takes a lock file for this call alone. It is not the file that is made: that
// one is opened as a database meanwhile, which locks it in turn.
func claim(name string) (release func(), err error) {
	for {
		f, err := os.OpenFile(name, os.O_CREATE|os.O_RDWR|syscall.O_NOFOLLOW, 0o600)
		if err != nil {
			return nil, err
		}
		if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
			_ = f.Close()
			return nil, errClaimed
		}
		if there(name, f) {
			return func() { _, _ = os.Remove(name), f.Close() }, nil
		}
		_ = f.Close() // it was released, and removed, between the two steps
	}
}

// there says whether a name still stands for an open file.
func there(name string, f *os.File) bool {
	now, errNow := os.Stat(name)
	mine, errMine := f.Stat()
	return errNow == nil && errMine == nil && os.SameFile(now, mine)
}

// SyncFolder makes the names in a folder durable.
func SyncFolder(path string) error {
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}
