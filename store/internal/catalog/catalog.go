// Package catalog is what the file of a store says about itself: its format, the migrations that
// it has been through, the versions of what tables keep beside their records.
//
// It promises to tell what a newer program wrote, and what a program has to build or drop. It
// refuses to do either: it plans.
package catalog

import (
	"encoding/json"
	"errors"
	"fmt"

	"svc/store/internal/buffer"
	"svc/store/internal/layout"
)

// Format is the version of the layout of keys and values that this program knows.
const Format = 2

// Key is where the head lies, as JSON.
var Key = layout.Meta("head")

// ErrNewer is matched when a file was written by a newer version.
var ErrNewer = errors.New("written by a newer version of svc; run that version, or restore the backup that was taken before the upgrade")

// Head is what the file says about itself.
type Head struct {
	Format int `json:"format"`
	// Migrated names the migrations that are done, in their order.
	Migrated []string `json:"migrated"`
	// Running is the migration under way, and Cursor where it goes on.
	Running string `json:"running,omitempty"`
	Cursor  []byte `json:"cursor,omitempty"`
	// Parts are the versions of the parts of each table, by label.
	Parts map[string]map[string]int `json:"parts"`
}

// New is the head of a new file, which has nothing to migrate.
func New(migrations []string) Head {
	return Head{Format: Format, Migrated: migrations, Parts: map[string]map[string]int{}}
}

// Check refuses files of another format or of a newer program.
func (h Head) Check(path string, migrations []string) error {
	if h.Format > Format {
		return fmt.Errorf("database %s has format %d, this svc knows %d: it was %w", path, h.Format, Format, ErrNewer)
	}
	for i, name := range h.Migrated {
		if i >= len(migrations) {
			return fmt.Errorf("database %s has been through %q, which this svc does not know: it was %w", path, name, ErrNewer)
		}
		if migrations[i] != name {
			return fmt.Errorf("store: migration %d is %q, but %s has been through %q there: the list only grows at its end", i+1, migrations[i], path, name)
		}
	}
	if n := len(h.Migrated); h.Running != "" && (n >= len(migrations) || migrations[n] != h.Running) {
		return fmt.Errorf("database %s is half-way through %q, which this svc does not know: it was %w", path, h.Running, ErrNewer)
	}
	return nil
}

// Read reads the head of the file of that name; found is false in a new one.
func Read(tx *buffer.Tx, file string) (h Head, found bool, err error) {
	b, err := tx.Get(Key)
	if err != nil || b == nil {
		return h, false, err
	}
	if err := json.Unmarshal(b, &h); err != nil {
		return h, true, layout.Corrupt("the head of %s does not decode: %w", file, err)
	}
	return h, true, nil
}

// Write writes the head.
func (h Head) Write(tx *buffer.Tx) error {
	b, err := json.Marshal(h)
	if err != nil {
		return err
	}
	return tx.Put(Key, b)
}

// Edit changes the head of the file of that name.
func Edit(tx *buffer.Tx, file string, change func(*Head)) error {
	h, _, err := Read(tx, file)
	if err != nil {
		return err
	}
	change(&h)
	return h.Write(tx)
}
