package vault

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Renewer is a Sealer whose key was renewed.
type Renewer interface {
	Sealer
	// SealedAnew says whether a piece is sealed with the newest key.
	SealedAnew(piece []byte) (bool, error)
}

// Reseal seals every file of the folder again with the newest key; nobody else may use
// the vault meanwhile. Interrupted at any point, it goes on with those that are left. A
// file that did not open before stays as it is, and its name is in damaged.
func Reseal(ctx context.Context, dir string, seal Renewer) (done int, damaged []string, err error) {
	v := New(dir, seal)
	for found, err := range v.Names() {
		if err := errors.Join(err, ctx.Err()); err != nil {
			return done, damaged, err
		}
		if found.Partial {
			if err := v.RemovePartial(found.Name); err != nil {
				return done, damaged, err
			}
			continue
		}
		switch err := v.reseal(found.Name, seal); {
		case errors.Is(err, ErrDamaged):
			damaged = append(damaged, found.Name)
		case err != nil:
			return done, damaged, fmt.Errorf("file %s: %w", found.Name, err)
		default:
			done++
		}
	}
	return done, damaged, nil
}

// reseal seals one file again, unless it is with the newest key.
func (v *Vault) reseal(name string, seal Renewer) (err error) {
	path, err := v.path(name)
	if err != nil {
		return err
	}
	size, anew, err := v.sealedSize(path, seal)
	if err != nil || anew {
		return err
	}
	r, err := v.Open(name, size)
	if err != nil {
		return err
	}
	defer func() { _ = r.Close() }() // it was only read
	f, err := os.OpenFile(path+temporary, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	err = errors.Join(v.copyAnew(f, r), f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(path+temporary, path)
	}
	if err != nil {
		return errors.Join(err, ignoreMissing(os.Remove(path+temporary)))
	}
	return syncFolder(filepath.Dir(path))
}

// sealedSize is the length of what is sealed in a file, and whether its first piece is
// sealed with the newest key: a file is replaced as a whole, so then all are.
func (v *Vault) sealedSize(path string, seal Renewer) (size int64, anew bool, err error) {
	empty, err := seal.SealFile("length", nil)
	if err != nil {
		return 0, false, err
	}
	f, err := os.Open(path)
	if err != nil {
		return 0, false, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return 0, false, err
	}
	extra := int64(len(empty))
	pieces := (info.Size() + Piece + extra - 1) / (Piece + extra)
	first := make([]byte, min(extra, info.Size()))
	if _, err := f.ReadAt(first, 0); err != nil && !errors.Is(err, io.EOF) {
		return 0, false, err
	}
	anew, err = seal.SealedAnew(first)
	return info.Size() - pieces*extra, anew, err
}

// copyAnew seals what a reader opens, a piece at a time.
func (v *Vault) copyAnew(to *os.File, r *Reader) error {
	for i := int64(0); i*Piece < r.size; i++ {
		if err := r.load(i); err != nil {
			return err
		}
		sealed, err := v.seal.SealFile(pieceName(r.name, r.size, i), r.plain)
		if err != nil {
			return err
		}
		if _, err := to.Write(sealed); err != nil {
			return err
		}
	}
	return nil
}
