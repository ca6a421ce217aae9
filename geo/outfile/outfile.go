// Package outfile writes files that are whole or absent, whatever happens.
//
// It promises that a name stands for the file before or the file after, never
// for a part of one; that what a killed writer left is taken over by the next;
// and that of two writers of one name the second is refused. It refuses nothing
// else: what is written is the caller's.
package outfile

import (
	"context"
	"errors"
	"fmt"
	"os"
	"syscall"
)

// Write writes the file out under a temporary name in the same folder, flushes it
// to the disk and renames it. When write fails, or ctx has ended by then, out
// stays as it was and nothing is left.
func Write(ctx context.Context, out string, write func(*os.File) error) (err error) {
	f, err := create(out)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, ignoreMissing(os.Remove(f.Name())))
		}
	}()
	if err := write(f); err != nil {
		return errors.Join(err, f.Close())
	}
	if err := errors.Join(f.Sync(), f.Close(), ctx.Err()); err != nil {
		return fmt.Errorf("write %s: %w", out, err)
	}
	return os.Rename(f.Name(), out)
}

func ignoreMissing(err error) error {
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return err
}

// create opens the temporary file of an output, empty. Its name is always
// the same, so that what a killed build left is taken over and not left lying;
// a lock, which ends with the process, keeps two builds of one output apart.
func create(out string) (*os.File, error) {
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
