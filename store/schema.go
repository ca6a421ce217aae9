package store

import (
	"encoding/json"
	"fmt"
)

// HeadKey is the key under which a store describes itself, for who looks at an engine that
// no store has open.
func HeadKey() []byte { return headName }

// Schema is the version of what a store holds.
type Schema struct {
	Format     int    // of keys and values
	Known      int    // the newest format that this program knows
	Migrations int    // that are done
	Running    string // the migration under way, or that was interrupted; "": none
}

// ReadSchema reads the value of HeadKey.
func ReadSchema(value []byte) (s Schema, err error) {
	var h head
	if err := json.Unmarshal(value, &h); err != nil {
		return s, fmt.Errorf("what the store says of itself: %w", err)
	}
	return Schema{h.Format, format, len(h.Migrated), h.Running}, nil
}
