package store

import (
	"bytes"
	"context"
	"fmt"

	"svc/store/internal/keyring"
	"svc/store/internal/layout"
	"svc/store/masterkey"
)

var keysName = layout.Meta("keys")

// keysTopic hears of keys that were saved.
const keysTopic = "store keys"

// openKeys reads the keys of the file, or makes them.
func (db *DB) openKeys(ctx context.Context, from masterkey.Source) error {
	keys := keyring.New(keysHome{db})
	db.Subscribe(keysTopic, func(string, bool) { keys.Changed() })
	if err := keys.Open(ctx, from); err != nil {
		return err
	}
	db.sealer = keys
	return nil
}

// keysHome keeps the keys beside the head.
type keysHome struct{ db *DB }

// ReadKeys implements keyring.Home.
func (h keysHome) ReadKeys(ctx context.Context) (sealed []byte, migrated int, err error) {
	err = h.db.View(ctx, func(tx *Tx) error {
		sealed = nil
		b, err := tx.buf.Get(keysName)
		if err != nil || b == nil {
			return err
		}
		migrated, err = tx.migrated()
		sealed = bytes.Clone(b)
		return err
	})
	return sealed, migrated, err
}

// SaveKeys implements keyring.Home.
func (h keysHome) SaveKeys(ctx context.Context, seal func(migrated int) ([]byte, error)) error {
	return h.db.Update(ctx, func(tx *Tx) error {
		n, err := tx.migrated()
		if err != nil {
			return err
		}
		return tx.saveKeys(n, seal)
	})
}

// saveKeys keeps sealed keys in a transaction that makes it so many migrations.
func (tx *Tx) saveKeys(migrated int, seal func(migrated int) ([]byte, error)) error {
	b, err := seal(migrated)
	if err != nil {
		return err
	}
	tx.Notify(keysTopic)
	return tx.buf.Put(keysName, b)
}

func (tx *Tx) migrated() (int, error) {
	h, err := tx.head()
	return len(h.Migrated), err
}

func (db *DB) keys() (*keyring.Ring, error) {
	if db.sealer == nil {
		return nil, ErrNoKey
	}
	return db.sealer.Ring(), nil
}

// keys are those that the transaction may seal with. One that seals makes sure: it reads the
// keys, so that it cannot commit beside one that replaces them, and nothing is sealed with a
// key that a rotation is about to remove (storage 8).
func (tx *Tx) keys() (*keyring.Ring, error) {
	if tx.db.sealer == nil {
		return nil, ErrNoKey
	}
	if tx.writable && !tx.db.Exclusive() {
		b, err := tx.buf.Get(keysName)
		if err == nil {
			err = tx.db.sealer.Take(b, tx.migrated)
		}
		if err != nil {
			return nil, err
		}
	}
	return tx.db.keys()
}

// takeNewKeys takes keys that were saved since the last transaction. Where it cannot, what
// they sealed does not open, and nothing is sealed.
func (tx *Tx) takeNewKeys() {
	s := tx.db.sealer
	if s == nil || !s.Stale() {
		return
	}
	b, err := tx.kv.Get(keysName)
	if err == nil {
		err = s.Take(b, tx.migrated)
	}
	if err != nil {
		tx.db.log.Error("the keys that another process made cannot be used", "error", err)
	}
}

// Hash is a keyed hash of a secret (HMAC-SHA-256, in hex) under which the secret
// can be found again: an API key, a session token, a phone number. Without the
// master key it tells nothing, not even about short secrets. Hashes of different
// purposes cannot be compared. It never changes, also not when keys rotate.
func (db *DB) Hash(purpose, secret string) (string, error) {
	r, err := db.keys()
	if err != nil {
		return "", err
	}
	return r.Hash(purpose, secret)
}

// DeriveKey gives a key of 32 bytes for one purpose, such as "audit chain": HKDF with
// SHA-256 from a secret of the file that only the master key opens. Who has the file and
// not the master key cannot know it. Keys of different purposes tell nothing about each
// other. It never changes, also not when keys rotate, so that what was signed with it
// can be proven for ever.
func (db *DB) DeriveKey(purpose string) ([]byte, error) {
	r, err := db.keys()
	if err != nil {
		return nil, err
	}
	return r.Derive(purpose)
}

// SealFile seals a piece of a file that lies beside the database. The name says
// which piece of which file it is, and OpenFile needs the same: pieces cannot be
// swapped.
func (db *DB) SealFile(name string, plain []byte) ([]byte, error) {
	r, err := db.keys()
	if err != nil {
		return nil, err
	}
	return r.SealFile(name, plain)
}

// OpenFile opens what SealFile sealed. Its error matches ErrSealed when the bytes
// were changed or belong elsewhere.
func (db *DB) OpenFile(name string, sealed []byte) ([]byte, error) {
	r, err := db.keys()
	if err != nil {
		return nil, err
	}
	return r.OpenFile(name, sealed)
}

// SealedAnew says whether a piece of a file is sealed with the newest key, so that a
// rotation that goes on can leave it.
func (db *DB) SealedAnew(sealed []byte) (bool, error) {
	r, err := db.keys()
	return err == nil && r.NewestFile(sealed), err
}

// KeyState is what an administrator may know about the keys.
type KeyState struct {
	ID       uint32 // of the key that new data is sealed with
	Rotating bool   // a rotation has begun and not ended
}

// KeyState says which key is in use.
func (db *DB) KeyState() (KeyState, error) {
	r, err := db.keys()
	if err != nil {
		return KeyState{}, err
	}
	return KeyState{r.ID(), r.Rotating()}, nil
}

// Rotation is what RotateKeys has to know.
type Rotation struct {
	// New is the file of the new master key when the key comes from where this program
	// cannot write; it is made unless it is there. "" for a key file, which gets a new key.
	New string
	// Files seals every file beside the database again (SealFile). nil: there are none, and
	// their key stays.
	Files func(context.Context) error
	// Step hears what is done now. May be nil.
	Step func(what string)
}

// RotateKeys gives a store a new master key and new keys of data and files, and seals
// every secret in the tables and every file again. Nobody else may write files
// meanwhile; other nodes take the new keys as soon as they are saved. A rotation that was
// interrupted, also by kill -9, goes on where a call finds it: at every point the keys on
// the disk fit together. A key file holds the old key too until the end, and a copy from
// before is kept beside it under masterkey.OldKey until masterkey.Retire.
// Afterwards nothing in the tables and files is sealed with a key that the old master key
// opens, but for what hashes are made with: that never changes, so that what was hashed
// is still found. Free pages of the database file still have old bytes: see offline.Compact
// (contract 21.3, Keys).
func (db *DB) RotateKeys(ctx context.Context, r Rotation) error {
	if db.sealer == nil {
		return ErrNoKey
	}
	return db.sealer.Rotate(ctx, keyring.Rotation{New: r.New, Files: r.Files, Step: r.Step, Records: func(ctx context.Context) error {
		for _, t := range db.list {
			if !t.seals() {
				continue
			}
			if r.Step != nil {
				r.Step("records: " + t.Name)
			}
			if err := db.inChunks(ctx, t.reseal); err != nil {
				return fmt.Errorf("seal %s again: %w", t.Name, err)
			}
		}
		return nil
	}})
}
