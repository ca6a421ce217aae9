package keyring

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/tink-crypto/tink-go/v2/keyset"

	"svc/store/masterkey"
)

// Rotation is what Rotate has to know.
type Rotation struct {
	// New is the file of the new master key when the key comes from where this program
	// cannot write; it is made unless it is there. "" for a key file, which gets a new key.
	New string
	// Records seals again what Seal sealed, and Files what SealFile did. Without files, nil,
	// their key stays.
	Records, Files func(context.Context) error
	// Step hears what is done now. May be nil.
	Step func(what string)
}

// Rotate makes a new master key and new keys, has everything sealed again, and forgets the old
// ones. One that was interrupted goes on where a call finds it: at every point the keys on the
// disk fit together. A key file holds the old key too until the end, and a copy from before is
// kept beside it under masterkey.OldKey.
func (s *Keys) Rotate(ctx context.Context, r Rotation) error {
	s.rotate.Lock()
	defer s.rotate.Unlock()
	if err := s.begin(ctx, r); err != nil {
		return fmt.Errorf("rotate the master key: %w", err)
	}
	now := s.ring.Load()
	if !now.active {
		return s.keepNewest() // the one before this was interrupted at its very end
	}
	if now.filesToo && r.Files == nil {
		return errors.New("rotate the master key: a rotation with files was begun; go on with the same data folder")
	}
	if err := r.Records(ctx); err != nil {
		return err
	}
	if now.filesToo {
		r.step("files")
		if err := r.Files(ctx); err != nil {
			return fmt.Errorf("seal files again: %w", err)
		}
	}
	return s.end(ctx)
}

func (r Rotation) step(what string) {
	if r.Step != nil {
		r.Step(what)
	}
}

// begin makes the new keys, unless they are there: then they are active, or, when the
// rotation had come to its end, they are not.
func (s *Keys) begin(ctx context.Context, r Rotation) error {
	if s.ring.Load().active {
		return nil
	}
	done, err := s.newMaster(ctx, r.New)
	if err != nil || done {
		return err
	}
	r.step("new keys")
	now := *s.ring.Load()
	now.active, now.filesToo = true, r.Files != nil
	if now.data, err = renew(now.data); err != nil {
		return err
	}
	if now.filesToo {
		if now.files, err = renew(now.files); err != nil {
			return err
		}
	}
	return s.use(ctx, &now)
}

// use saves keys and takes them.
func (s *Keys) use(ctx context.Context, now *Ring) error {
	if err := now.prepare(); err != nil {
		return err
	}
	if err := s.save(ctx, now); err != nil {
		return err
	}
	s.ring.Store(now)
	return nil
}

// newMaster takes a new master key. done says that the keys of the file are sealed with
// it already, by a rotation that came to its end.
func (s *Keys) newMaster(ctx context.Context, file string) (done bool, err error) {
	stored, migrated, err := s.read(ctx)
	if err != nil {
		return false, err
	}
	if file == "" {
		return s.newInFile(stored, migrated)
	}
	from := masterkey.Source{File: file}
	next, err := from.Read(ctx)
	if errors.Is(err, fs.ErrNotExist) {
		if err = masterkey.NewFile(file); err == nil {
			next, err = from.Read(ctx)
		}
	}
	if err != nil {
		return false, err
	}
	s.master.Store(&master{from, next})
	return opens(stored, next, migrated)
}

// newInFile gives the key file a second key, and keeps the file as it was.
func (s *Keys) newInFile(stored *storedKeys, migrated int) (done bool, err error) {
	path := s.master.Load().from.File
	if path == "" {
		return false, fmt.Errorf("the key comes from %s, where svc cannot write a new one; name a file for it", s.master.Load().from)
	}
	old, err := masterkey.ReadFile(path+masterkey.OldKey, true)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if old, err = masterkey.ReadFile(path, true); err == nil {
			err = masterkey.WriteFile(path+masterkey.OldKey, old)
		}
		if err != nil {
			return false, err
		}
	case err != nil:
		return false, err
	default: // an earlier rotation was interrupted
		before, err := masterkey.Parse(old)
		if err != nil {
			return false, fmt.Errorf("%s is no master key; it is what an interrupted rotation left: put it back, or move it away", path+masterkey.OldKey)
		}
		if began, err := other(before, s.master.Load().handle); err != nil || began {
			newest, err := alone(s.master.Load().handle)
			if err != nil {
				return false, err
			}
			return opens(stored, newest, migrated)
		}
	}
	next, err := renew(s.master.Load().handle)
	if err != nil {
		return false, err
	}
	s.master.Store(&master{s.master.Load().from, next})
	return false, s.master.Load().save()
}

// other says whether two keysets seal with different keys.
func other(a, b *keyset.Handle) (bool, error) {
	x, err := primaryOf(a)
	if err != nil {
		return false, err
	}
	y, err := primaryOf(b)
	return x != y, err
}

// opens says whether the keys of a file are sealed with a master key.
func opens(stored *storedKeys, with *keyset.Handle, migrated int) (bool, error) {
	_, err := stored.open(with, migrated)
	if errors.Is(err, ErrWrongKey) {
		return false, nil
	}
	return err == nil, err
}

// end removes the keys that nothing is sealed with any more.
func (s *Keys) end(ctx context.Context) (err error) {
	now := *s.ring.Load()
	if now.data, err = alone(now.data); err != nil {
		return err
	}
	if now.filesToo {
		if now.files, err = alone(now.files); err != nil {
			return err
		}
	}
	now.active, now.filesToo = false, false
	if err := s.use(ctx, &now); err != nil {
		return err
	}
	return s.keepNewest()
}

// keepNewest takes the old key out of the key file.
func (s *Keys) keepNewest() (err error) {
	if s.master.Load().handle.Len() == 1 || s.master.Load().from.File == "" {
		return nil
	}
	newest, err := alone(s.master.Load().handle)
	if err != nil {
		return err
	}
	s.master.Store(&master{s.master.Load().from, newest})
	return s.master.Load().save()
}
