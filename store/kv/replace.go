package kv

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

var errClaimed = errors.New("somebody is making it already")

// replaceFile lets make a file under a temporary name beside the one it will be, and
// renames it. What is made must be synced. On an error nothing is left; what a killed
// process left is overwritten the next time.
func replaceFile(path string, make func(tmp string) error) error {
	release, err := claim(path + ".lock")
	if err != nil {
		return fmt.Errorf("make %s: %w", path, err)
	}
	defer release()
	tmp := path + ".tmp"
	if err = make(tmp); err == nil {
		err = os.Rename(tmp, path)
	}
	if err != nil {
		_ = os.Remove(tmp) // perhaps never made; the reason is in err
		return fmt.Errorf("make %s: %w", path, err)
	}
	return SyncFolder(filepath.Dir(path))
}

// claim takes a lock file for this call alone. It is not the file that is made: that
// one is opened as a database meanwhile, which locks it in turn.
func claim(name string) (release func(), err error) {
	for {
		f, err := os.OpenFile(name, os.O_CREATE|os.O_RDWR, 0o600)
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
