package tilebuild

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// createTemp opens the temporary file of an output, empty. Its name is always
// the same, so that what a killed build left is taken over and not left lying;
// a lock, which ends with the process, keeps two builds of one output apart.
func createTemp(out string) (*os.File, error) {
	for {
		f, err := os.OpenFile(out+".tmp", os.O_RDWR|os.O_CREATE, 0o644)
		if err != nil {
			return nil, err
		}
		ours, err := own(f, out)
		if err != nil {
			return nil, errors.Join(err, f.Close())
		}
		if ours {
			return f, nil
		}
		if err := f.Close(); err != nil {
			return nil, err
		}
	}
}

// own locks and empties f; false when another build has renamed the file
// between opening and locking, so that the name stands for another one.
func own(f *os.File, out string) (bool, error) {
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return false, fmt.Errorf("another build is writing %s: wait for it or name another output", out)
		}
		return false, fmt.Errorf("lock %s: %w", f.Name(), err)
	}
	mine, err := f.Stat()
	if err != nil {
		return false, err
	}
	named, err := os.Stat(f.Name())
	if errors.Is(err, os.ErrNotExist) || err == nil && !os.SameFile(mine, named) {
		return false, nil
	}
	return err == nil, errors.Join(err, f.Truncate(0))
}
