package store

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/tink-crypto/tink-go/v2/aead"
	"github.com/tink-crypto/tink-go/v2/insecurecleartextkeyset"
	"github.com/tink-crypto/tink-go/v2/keyset"

	"svc/store/kv"
)

// master is the key file: a Tink keyset in JSON, the only secret that is not
// itself sealed. Whoever has it and the database can read everything.
type master struct {
	path   string
	handle *keyset.Handle
}

// OldKey is added to the name of a key file that is kept while the key is rotated.
const OldKey = ".before-rotation"

// maxKeyFile bounds what is read of a key file.
const maxKeyFile = 1 << 20

// openMaster reads the key file, or makes it when nothing was sealed yet.
func openMaster(path string, sealed bool) (*master, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		if sealed {
			return nil, fmt.Errorf("the master key file %s is missing, and the database holds data sealed with it; put the file back from where it is kept, nothing else can open that data", path)
		}
		return newMaster(path)
	}
	switch {
	case err != nil:
		return nil, fmt.Errorf("master key file: %w", err)
	case !info.Mode().IsRegular() || info.Size() > maxKeyFile:
		return nil, fmt.Errorf("%s is no master key file", path)
	case info.Mode().Perm()&0o077 != 0:
		return nil, fmt.Errorf("the master key file %s can be read by others (mode %04o); run: chmod 600 %s", path, info.Mode().Perm(), path)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("master key file: %w", err)
	}
	h, err := insecurecleartextkeyset.Read(keyset.NewJSONReader(bytes.NewReader(b)))
	if err != nil {
		return nil, fmt.Errorf("the master key file %s is damaged; put it back from where it is kept", path)
	}
	return &master{path, h}, nil
}

func newMaster(path string) (*master, error) {
	h, err := keyset.NewHandle(aead.AES256GCMKeyTemplate())
	if err != nil {
		return nil, fmt.Errorf("make a master key: %w", err)
	}
	m := &master{path, h}
	return m, m.save()
}

// save replaces the key file as a whole, readable for its owner only.
func (m *master) save() (err error) {
	var b bytes.Buffer
	if err := insecurecleartextkeyset.Write(m.handle, keyset.NewJSONWriter(&b)); err != nil {
		return fmt.Errorf("write the master key: %w", err)
	}
	b.WriteByte('\n')
	dir := filepath.Dir(m.path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("master key file: %w", err)
	}
	name := m.path + ".tmp"
	_ = os.Remove(name) // of a process that was killed
	tmp, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("master key file: %w", err)
	}
	_, err = tmp.Write(b.Bytes())
	if err = errors.Join(err, tmp.Sync(), tmp.Close()); err == nil {
		err = os.Rename(name, m.path)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("master key file: %w", err), os.Remove(name))
	}
	return kv.SyncFolder(dir)
}

// renew adds a key and makes it the one that new data is sealed with.
func renew(h *keyset.Handle) (*keyset.Handle, error) {
	primary, err := h.Primary()
	if err != nil {
		return nil, err
	}
	params := primary.Key().Parameters()
	m := keyset.NewManagerFromHandle(h)
	id, err := m.AddNewKeyFromParameters(params)
	if err != nil {
		return nil, err
	}
	if err := m.SetPrimary(id); err != nil {
		return nil, err
	}
	return m.Handle()
}

// drop removes keys.
func drop(h *keyset.Handle, ids []uint32) (*keyset.Handle, error) {
	m := keyset.NewManagerFromHandle(h)
	for _, id := range ids {
		if err := m.Delete(id); err != nil {
			return nil, err
		}
	}
	return m.Handle()
}

// older lists the keys that are not the primary one.
func older(h *keyset.Handle) (ids []uint32, err error) {
	for i := range h.Len() {
		e, err := h.Entry(i)
		if err != nil {
			return nil, err
		}
		if !e.IsPrimary() {
			ids = append(ids, e.KeyID())
		}
	}
	return ids, nil
}
