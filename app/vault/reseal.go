package vault

import (
	"context"
	"errors"
	"fmt"
	"io"
)

// Renewer is a Sealer whose key was renewed.
type Renewer interface {
	Sealer
	// SealedAnew says whether a piece is sealed with the newest key.
	SealedAnew(piece []byte) (bool, error)
}

// Reseal seals every file of a place again with the newest key; nobody else may use
// the place meanwhile. Interrupted at any point, it goes on with those that are left. A
// file that did not open before stays as it is, and its name is in damaged.
func Reseal(ctx context.Context, place Place, seal Renewer) (done int, damaged []string, err error) {
	v := New(place, seal, nil)
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
func (v *Vault) reseal(name string, seal Renewer) error {
	size, anew, err := v.sealedSize(name, seal)
	if err != nil || anew {
		return err
	}
	r, err := v.Open(name, size)
	if err != nil {
		return err
	}
	defer func() { _ = r.Close() }() // it was only read
	w, err := v.Create(name, size)
	if err != nil {
		return err
	}
	if _, err := io.Copy(w, r); err != nil {
		return errors.Join(err, w.Abort())
	}
	return w.Commit()
}

// sealedSize is the length of what is sealed in a file, and whether its first piece is
// sealed with the newest key: a file is replaced as a whole, so then all are.
func (v *Vault) sealedSize(name string, seal Renewer) (size int64, anew bool, err error) {
	empty, err := seal.SealFile("length", nil)
	if err != nil {
		return 0, false, err
	}
	f, err := v.place.Open(name)
	if err != nil {
		return 0, false, err
	}
	defer func() { _ = f.Close() }() // it was only read
	extra := int64(len(empty))
	pieces := (f.Size() + Piece + extra - 1) / (Piece + extra)
	first := make([]byte, min(extra, f.Size()))
	if _, err := f.ReadAt(first, 0); err != nil && !errors.Is(err, io.EOF) {
		return 0, false, err
	}
	anew, err = seal.SealedAnew(first)
	return f.Size() - pieces*extra, anew, err
}
