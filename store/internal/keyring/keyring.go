// Package keyring has the keys that secrets and files of a store are sealed with. They lie in
// the store, sealed with the master key themselves, and are replaced as a whole (contract 21.3,
// Keys).
//
// It promises that what is sealed opens under the same name only, that a rotation which was
// killed goes on where it was, and that hashes never change. It refuses to know what is sealed,
// and where the keys are kept: that is its Home.
package keyring

import (
	"bytes"
	"context"
	"errors"
	"fmt"
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

var (
	// ErrWrongKey is matched when the master key is not the one that the keys are sealed with.
	ErrWrongKey = errors.New("wrong master key")
	// ErrSealed is matched when sealed data does not open.
	ErrSealed = errors.New("sealed data does not open")
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

// Home is where the sealed keys are kept.
type Home interface {
	// ReadKeys reads them, nil for none, and how many migrations their file has been through.
	ReadKeys(ctx context.Context) (sealed []byte, migrated int, err error)
	// SaveKeys keeps what seal makes for a file that has been through so many migrations,
	// and tells whoever has the same file open.
	SaveKeys(ctx context.Context, seal func(migrated int) ([]byte, error)) error
}

// Ring is the keys in use. It is replaced as a whole.
type Ring struct {
	data, files, hash *keyset.Handle
	sealData          tink.AEAD
	sealFiles         tink.AEAD
	prf               *prf.Set
	primary           uint32 // of data
	primaryFiles      uint32
	active, filesToo  bool // as in storedKeys
	stored            []byte
}

// Keys are those of a store that was opened with a master key.
type Keys struct {
	home   Home
	rotate sync.Mutex // one rotation at a time
	master atomic.Pointer[master]
	ring   atomic.Pointer[Ring]
	stale  atomic.Bool // keys were saved, perhaps by another node
}

// New are keys that are not open yet.
func New(home Home) *Keys { return &Keys{home: home} }

// Open reads the keys, or makes them. It is called once, before anything else but Changed.
func (s *Keys) Open(ctx context.Context, from masterkey.Source) error {
	stored, migrated, err := s.read(ctx)
	if err != nil {
		return err
	}
	m, err := openMaster(ctx, from, stored != nil)
	if err != nil {
		return err
	}
	s.master.Store(m)
	var ring *Ring
	if stored != nil {
		ring, err = s.unlock(stored, migrated)
	} else {
		ring, err = s.create(ctx)
	}
	if err != nil {
		return err
	}
	s.ring.Store(ring)
	return nil
}

// read reads the keys that are kept, nil for none, and for how many migrations they are sealed.
func (s *Keys) read(ctx context.Context) (*storedKeys, int, error) {
	b, migrated, err := s.home.ReadKeys(ctx)
	if err != nil || b == nil {
		return nil, 0, err
	}
	stored, err := decodeKeys(b)
	return stored, migrated, err
}

func decodeKeys(b []byte) (*storedKeys, error) {
	out := new(storedKeys)
	if err := json.Unmarshal(b, out); err != nil {
		return nil, layout.Corrupt("the sealed keys do not decode: %w", err)
	}
	out.raw = bytes.Clone(b)
	return out, nil
}

func (s *Keys) create(ctx context.Context) (*Ring, error) {
	r := new(Ring)
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
	if err := s.save(ctx, r); err != nil {
		return nil, err
	}
	return r, r.prepare()
}

// prepare makes the primitives of the handles.
func (r *Ring) prepare() (err error) {
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

func (s *Keys) unlock(stored *storedKeys, migrated int) (*Ring, error) {
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
func (stored *storedKeys) open(with *keyset.Handle, migrated int) (*Ring, error) {
	key, err := aead.New(with)
	if err != nil {
		return nil, fmt.Errorf("master key: %w", err)
	}
	r := &Ring{active: stored.Active, filesToo: stored.FilesToo, stored: stored.raw}
	for _, x := range []struct {
		to   **keyset.Handle
		b    []byte
		name []byte
	}{{&r.data, stored.Data, []byte(keysData)}, {&r.files, stored.Files, []byte(keysFiles)}, {&r.hash, stored.Hash, hashName(migrated)}} {
		*x.to, err = keyset.ReadWithAssociatedData(keyset.NewBinaryReader(bytes.NewReader(x.b)), key, x.name)
		if err != nil && x.to == &r.hash { // the others did open: it is the right key
			return nil, layout.Corrupt("its keys were not sealed for the %d migrations that it has been through, so somebody changed the file; restore a backup", migrated)
		}
		if err != nil {
			return nil, ErrWrongKey
		}
	}
	return r, r.prepare()
}

// save seals the keys with the master key and keeps them.
func (s *Keys) save(ctx context.Context, r *Ring) error {
	return s.home.SaveKeys(ctx, func(migrated int) ([]byte, error) { return s.seal(r, migrated) })
}

// Sealed are the keys in use, sealed for a file that has been through so many migrations.
func (s *Keys) Sealed(migrated int) ([]byte, error) { return s.seal(s.ring.Load(), migrated) }

func (s *Keys) seal(r *Ring, migrated int) ([]byte, error) {
	key, err := aead.New(s.master.Load().handle)
	if err != nil {
		return nil, fmt.Errorf("master key: %w", err)
	}
	stored := storedKeys{Active: r.active, FilesToo: r.filesToo}
	for _, x := range []struct {
		h    *keyset.Handle
		to   *[]byte
		name []byte
	}{{r.data, &stored.Data, []byte(keysData)}, {r.files, &stored.Files, []byte(keysFiles)}, {r.hash, &stored.Hash, hashName(migrated)}} {
		var b bytes.Buffer
		if err := x.h.WriteWithAssociatedData(keyset.NewBinaryWriter(&b), key, x.name); err != nil {
			return nil, fmt.Errorf("seal keys: %w", err)
		}
		*x.to = b.Bytes()
	}
	b, err := json.Marshal(stored)
	if err != nil {
		return nil, err
	}
	r.stored = b
	return b, nil
}

// Ring are the keys in use.
func (s *Keys) Ring() *Ring { return s.ring.Load() }
