package store

import (
	"encoding/json"
	"testing"

	"svc/store/internal/buffer"
	"svc/store/internal/keyring"
)

// FuzzSealed reads bytes of a damaged file as a count and as a secret: an error, never a
// panic.
func FuzzSealed(f *testing.F) {
	f.Add([]byte(`"AAAA"`))
	f.Add([]byte{7})
	f.Fuzz(func(t *testing.T, value []byte) {
		_, _ = buffer.ReadCount(value)
		var s Sealed
		if json.Unmarshal(value, &s) == nil {
			_ = new(keyring.Ring).Newest(s)
		}
	})
}
