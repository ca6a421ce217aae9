package store

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"

	json "github.com/go-json-experiment/json/v1"

	"github.com/tink-crypto/tink-go/v2/aead"
	"github.com/tink-crypto/tink-go/v2/keyset"
	"github.com/tink-crypto/tink-go/v2/prf"
	"github.com/tink-crypto/tink-go/v2/tink"

	"svc/store/internal/layout"
	"svc/store/masterkey"
)

// Names of the keysets in the file, which are their associated data too.
const (
	keysData  = "svc store data"
	keysFiles = "svc store files"
	keysHash  = "svc store hash"
)

// hashName is what the hash keyset is sealed for: a file that has been through a number
// of migrations. Without the master key nobody can make a file look as if it had been
// through fewer, so that what a migration protects stays protected.
func hashName(migrated int) []byte {
	if migrated == 0 {
		return []byte(keysHash)
	}
	return fmt.Appendf(nil, "%s after %d migrations", keysHash, migrated)
}

// storedKeys is what the file keeps: keysets, sealed with the master key.
type storedKeys struct {
	Data  []byte `json:"data"`
	Files []byte `json:"files"`
	Hash  []byte `json:"hash"`
	// Active says that a rotation is under way: what is sealed with older keys is sealed
	// again, and then these go. FilesToo says that it has new keys for files.
	Active   bool `json:"active,omitempty"`
	FilesToo bool `json:"files_too,omitempty"`

	raw []byte // what was decoded
}

// keyring is the keys in use. It is replaced as a whole.
type keyring struct {
	data, files, hash *keyset.Handle
	sealData          tink.AEAD
	sealFiles         tink.AEAD
	prf               *prf.Set
	primary           uint32 // of data
	primaryFiles      uint32
	active, filesToo  bool // as in storedKeys
	stored            []byte
}

// sealer holds the keys of a store that was opened with a master key.
type sealer struct {
	rotate sync.Mutex // one rotation at a time
	master atomic.Pointer[master]
	ring   atomic.Pointer[keyring]
	stale  atomic.Bool // keys were saved, perhaps by another node
}

var keysName = layout.Meta("keys")

// openSealer reads the keys of the file, or makes them.
func openSealer(ctx context.Context, db *DB, from masterkey.Source) (*sealer, error) {
	stored, migrated, err := db.readKeys(ctx)
	if err != nil {
		return nil, err
	}
	m, err := openMaster(ctx, from, stored != nil)
	if err != nil {
		return nil, err
	}
	s := &sealer{}
	s.master.Store(m)
	db.Subscribe(keysTopic, func(string, bool) { s.stale.Store(true) })
	var ring *keyring
	if stored != nil {
		ring, err = s.unlock(stored, migrated)
	} else {
		ring, err = s.create(ctx, db)
	}
	if err != nil {
		return nil, err
	}
	s.ring.Store(ring)
	return s, nil
}

// readKeys reads the sealed keys, nil for none, and how many migrations the file has
// been through.
func (db *DB) readKeys(ctx context.Context) (out *storedKeys, migrated int, err error) {
	err = db.View(ctx, func(tx *Tx) error {
		out = nil
		b, err := tx.buf.Get(keysName)
		if err != nil || b == nil {
			return err
		}
		h, err := tx.head()
		if err != nil {
			return err
		}
		migrated = len(h.Migrated)
		out, err = decodeKeys(b)
		return err
	})
	return out, migrated, err
}

func decodeKeys(b []byte) (*storedKeys, error) {
	out := new(storedKeys)
	if err := json.Unmarshal(b, out); err != nil {
		return nil, corrupt("the sealed keys do not decode: %w", err)
	}
	out.raw = bytes.Clone(b)
	return out, nil
}

func (s *sealer) create(ctx context.Context, db *DB) (*keyring, error) {
	r := new(keyring)
	var err error
	// A nonce of 192 bits may be random for any number of messages.
	if r.data, err = keyset.NewHandle(aead.XAES256GCM192BitNonceKeyTemplate()); err != nil {
		return nil, fmt.Errorf("make keys: %w", err)
	}
	if r.files, err = keyset.NewHandle(aead.XAES256GCM192BitNonceKeyTemplate()); err != nil {
		return nil, fmt.Errorf("make keys: %w", err)
	}
	if r.hash, err = keyset.NewHandle(prf.HMACSHA256PRFKeyTemplate()); err != nil {
		return nil, fmt.Errorf("make keys: %w", err)
	}
	if err := s.save(ctx, db, r); err != nil {
		return nil, err
	}
	return r, r.prepare()
}

// prepare makes the primitives of the handles.
func (r *keyring) prepare() (err error) {
	if r.sealData, err = aead.New(r.data); err != nil {
		return fmt.Errorf("use keys: %w", err)
	}
	if r.sealFiles, err = aead.New(r.files); err != nil {
		return fmt.Errorf("use keys: %w", err)
	}
	if r.prf, err = prf.NewPRFSet(r.hash); err != nil {
		return fmt.Errorf("use keys: %w", err)
	}
	if r.primary, err = primaryOf(r.data); err != nil {
		return err
	}
	r.primaryFiles, err = primaryOf(r.files)
	return err
}

func (s *sealer) unlock(stored *storedKeys, migrated int) (*keyring, error) {
	m := s.master.Load()
	r, err := stored.open(m.handle, migrated)
	switch {
	case !errors.Is(err, ErrWrongKey):
		return r, err
	case stored.Active:
		return nil, fmt.Errorf("%w: the master key of %s is not the one of this database: a rotation of the key was begun and did not end; run svc keys rotate-master again as it was begun", ErrWrongKey, m.from)
	}
	return nil, fmt.Errorf("%w: the master key of %s does not fit this database; put the right one in its place; a backup from before a rotation needs the key of that time", ErrWrongKey, m.from)
}

// open opens the keys with a master key: ErrWrongKey when it is another one's.
func (stored *storedKeys) open(with *keyset.Handle, migrated int) (*keyring, error) {
	key, err := aead.New(with)
	if err != nil {
		return nil, fmt.Errorf("master key: %w", err)
	}
	r := &keyring{active: stored.Active, filesToo: stored.FilesToo, stored: stored.raw}
	for _, x := range []struct {
		to   **keyset.Handle
		b    []byte
		name []byte
	}{{&r.data, stored.Data, []byte(keysData)}, {&r.files, stored.Files, []byte(keysFiles)}, {&r.hash, stored.Hash, hashName(migrated)}} {
		*x.to, err = keyset.ReadWithAssociatedData(keyset.NewBinaryReader(bytes.NewReader(x.b)), key, x.name)
		if err != nil && x.to == &r.hash { // the others did open: it is the right key
			return nil, corrupt("its keys were not sealed for the %d migrations that it has been through, so somebody changed the file; restore a backup", migrated)
		}
		if err != nil {
			return nil, ErrWrongKey
		}
	}
	return r, r.prepare()
}

// save seals the keys with the master key and writes them.
func (s *sealer) save(ctx context.Context, db *DB, r *keyring) error {
	return db.Update(ctx, func(tx *Tx) error {
		h, err := tx.head()
		if err != nil {
			return err
		}
		return s.put(tx, r, len(h.Migrated))
	})
}

// put is save in a transaction that makes it so many migrations.
func (s *sealer) put(tx *Tx, r *keyring, migrated int) error {
	key, err := aead.New(s.master.Load().handle)
	if err != nil {
		return fmt.Errorf("master key: %w", err)
	}
	stored := storedKeys{Active: r.active, FilesToo: r.filesToo}
	for _, x := range []struct {
		h    *keyset.Handle
		to   *[]byte
		name []byte
	}{{r.data, &stored.Data, []byte(keysData)}, {r.files, &stored.Files, []byte(keysFiles)}, {r.hash, &stored.Hash, hashName(migrated)}} {
		var b bytes.Buffer
		if err := x.h.WriteWithAssociatedData(keyset.NewBinaryWriter(&b), key, x.name); err != nil {
			return fmt.Errorf("seal keys: %w", err)
		}
		*x.to = b.Bytes()
	}
	b, err := json.Marshal(stored)
	if err != nil {
		return err
	}
	r.stored = b
	tx.Notify(keysTopic)
	return tx.buf.Put(keysName, b)
}

func (db *DB) keys() (*keyring, error) {
	if db.sealer == nil {
		return nil, ErrNoKey
	}
	return db.sealer.ring.Load(), nil
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
	sum, err := r.prf.ComputePrimaryPRF(framed(purpose, secret), 32)
	if err != nil {
		return "", fmt.Errorf("hash: %w", err)
	}
	return hex.EncodeToString(sum), nil
}

// SealFile seals a piece of a file that lies beside the database. The name says
// which piece of which file it is, and OpenFile needs the same: pieces cannot be
// swapped.
func (db *DB) SealFile(name string, plain []byte) ([]byte, error) {
	r, err := db.keys()
	if err != nil {
		return nil, err
	}
	return r.sealFiles.Encrypt(plain, []byte(name))
}

// OpenFile opens what SealFile sealed. Its error matches ErrSealed when the bytes
// were changed or belong elsewhere.
func (db *DB) OpenFile(name string, sealed []byte) ([]byte, error) {
	r, err := db.keys()
	if err != nil {
		return nil, err
	}
	plain, err := r.sealFiles.Decrypt(sealed, []byte(name))
	if err != nil {
		return nil, fmt.Errorf("%w: file %s", ErrSealed, name)
	}
	return plain, nil
}

// SealedAnew says whether a piece of a file is sealed with the newest key, so that a
// rotation that goes on can leave it.
func (db *DB) SealedAnew(sealed []byte) (bool, error) {
	r, err := db.keys()
	return err == nil && keyOf(sealed) == r.primaryFiles, err
}

// framed joins texts so that no two lists give the same bytes.
func framed(texts ...string) []byte {
	var b []byte
	for _, s := range texts {
		b = append(strconv.AppendInt(b, int64(len(s)), 10), ':')
		b = append(b, s...)
	}
	return b
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
	return KeyState{r.primary, r.active}, nil
}
