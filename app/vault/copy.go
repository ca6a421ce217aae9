package vault

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
)

// Copy puts what a root has into another, for a move between places: kinds are the places.
// Files that are there with the same length are left. done hears of each file.
func Copy(ctx context.Context, from, to Root, kinds []string, done func(name string)) error {
	for _, kind := range kinds {
		source, target := from.Place(kind), to.Place(kind)
		for found, err := range source.Files() {
			if err := errors.Join(err, ctx.Err()); err != nil {
				return err
			}
			if found.Partial {
				continue
			}
			if err := copyFile(source, target, found.Name); err != nil {
				return fmt.Errorf("%s/%s: %w", kind, found.Name, err)
			}
			done(found.Name)
		}
	}
	return nil
}

func copyFile(from, to Place, name string) error {
	f, err := from.Open(name)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // it was only read
	if there, err := to.Open(name); err == nil {
		same := there.Size() == f.Size()
		if err := there.Close(); err != nil || same {
			return err
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	u, err := to.Create(name)
	if err != nil {
		return err
	}
	if _, err := io.Copy(u, io.NewSectionReader(f, 0, f.Size())); err != nil {
		return errors.Join(err, u.Abort())
	}
	return u.Commit()
}
