// Package vector keeps the vectors of what can be found, so that a search finds what a
// question means and not only its words.
//
// It promises that a text has one vector in a space, however many chunks and versions say
// it; that searches use one space at a time, whole or growing, and the former one until that
// of another model is whole (contract 13.22); and that what nobody can find any more goes.
// It refuses to search (package index), and does nothing where no provider makes vectors.
package vector

import (
	"crypto/sha256"
	"encoding/hex"

	"svc/ai/rank"
	"svc/app/knowledge/source"
	"svc/store"
)

// record is the vector of a text in a space.
type record struct {
	ID string `json:"id"` // space and text, see key
	V  []byte `json:"v"`  // a rank.Packed
}

// Space is what an organization's searches compare vectors in.
type Space struct {
	ID string `json:"id"`
	// Name is the space that is searched, "" for none, and Building one that is not whole yet.
	Name     string `json:"name,omitempty"`
	Building string `json:"building,omitempty"`
	// N grows whenever vectors were added.
	N int64 `json:"n,omitempty"`
}

// spaceID is the id of the one record of its table.
const spaceID = "knowledge"

var (
	vectors = store.NewTable("kn_vector", "", func(r *record) string { return r.ID })
	spaces  = store.NewTable("kn_space", "", func(s *Space) string { return s.ID })
)

// Tables are what a store that holds vectors is opened with.
func Tables() []store.AnyTable { return []store.AnyTable{vectors, spaces} }

// SpaceOf is the space of an organization.
func SpaceOf(tx *store.Tx, org string) (Space, error) {
	s, err := spaces.Get(tx, org, spaceID)
	s.ID = spaceID
	return s, store.IgnoreNotFound(err)
}

// Text is what a vector is made of: a chunk as it is found.
func Text(c *source.Chunk) string { return c.Title + "\n" + c.Text }

// HashOf names a text.
func HashOf(text string) string {
	h := sha256.Sum256([]byte(text))
	return hex.EncodeToString(h[:12])
}

// spaceKey begins the ids of the vectors of a space.
func spaceKey(space string) string { return HashOf(space)[:8] }

func key(space, hash string) string { return spaceKey(space) + "/" + hash }

// Many are the vectors of texts in a space, by the names of the texts; nil for one that has
// none yet.
func Many(tx *store.Tx, org, space string, hashes []string) ([]rank.Packed, error) {
	ids := make([]string, len(hashes))
	for i, h := range hashes {
		ids[i] = key(space, h)
	}
	list, err := vectors.GetMany(tx, org, ids)
	if err != nil {
		return nil, err
	}
	out := make([]rank.Packed, len(list))
	for i, r := range list {
		if r != nil {
			out[i] = rank.PackedOf(r.V)
		}
	}
	return out, nil
}
