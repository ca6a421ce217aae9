package keyring

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/tink-crypto/tink-go/v2/aead"
	"github.com/tink-crypto/tink-go/v2/insecurecleartextkeyset"
	"github.com/tink-crypto/tink-go/v2/keyset"

	"svc/store/masterkey"
)

// master is the key that the keys in the file are sealed with: a Tink keyset, the only
// secret that is not itself sealed. Whoever has it and the database can read everything.
type master struct {
	from   masterkey.Source
	handle *keyset.Handle
}

// openMaster reads the key. A key file is made when nothing was sealed yet.
func openMaster(ctx context.Context, from masterkey.Source, sealed bool) (*master, error) {
	h, err := from.Read(ctx)
	switch {
	case err == nil:
		return &master{from, h}, nil
	case from.File == "" || !errors.Is(err, fs.ErrNotExist):
		return nil, err
	case sealed:
		return nil, fmt.Errorf("the master key file %s is missing, and the database holds data sealed with it; put the file back from where it is kept, nothing else can open that data", from.File)
	}
	if h, err = keyset.NewHandle(aead.AES256GCMKeyTemplate()); err != nil {
		return nil, fmt.Errorf("make a master key: %w", err)
	}
	m := &master{from, h}
	return m, m.save()
}

// save replaces the key file.
func (m *master) save() error {
	var b bytes.Buffer
	if err := insecurecleartextkeyset.Write(m.handle, keyset.NewJSONWriter(&b)); err != nil {
		return fmt.Errorf("write the master key: %w", err)
	}
	b.WriteByte('\n')
	return masterkey.WriteFile(m.from.File, b.Bytes())
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

// alone is a keyset without its older keys.
func alone(h *keyset.Handle) (*keyset.Handle, error) {
	ids, err := older(h)
	if err != nil {
		return nil, err
	}
	return drop(h, ids)
}

func primaryOf(h *keyset.Handle) (uint32, error) {
	e, err := h.Primary()
	if err != nil {
		return 0, fmt.Errorf("use keys: %w", err)
	}
	return e.KeyID(), nil
}
