package store

import (
	"encoding/json"
	"testing"

	"svc/store/kv"
)

// FuzzStored reads bytes of a damaged file as everything they could be: an error,
// never a panic.
func FuzzStored(f *testing.F) {
	numbered := core{name: "numbered", prefix: "rcp", numbered: true}
	free := core{name: "free"}
	f.Add(packRecord(7, []byte(`{"id":"x"}`)), numbered.recordKey(orgID{1}, make([]byte, 16)))
	f.Add(packRecord(0, []byte(`{}`)), free.recordKey(orgID{}, []byte("id")))
	f.Add(free.entryValue(0, 2), append(free.partKey(kindSorted, 3, &orgID{1}), "valueid"...))
	f.Add(numbered.entryValue(9, 16), append(numbered.partKey(kindSorted, 3, nil), make([]byte, 40)...))
	f.Add([]byte(`"AAAA"`), []byte{})
	f.Fuzz(func(t *testing.T, value, key []byte) {
		if n, body, err := unpackRecord(value); err == nil && len(body) >= len(value) {
			t.Errorf("record %x: number %d, %x", value, n, body)
		}
		for _, c := range []*core{&numbered, &free} {
			for _, org := range []*orgID{nil, {1}} {
				if e, err := c.readEntry(kv.Pair{Key: key, Value: value}, 0, org); err == nil {
					if len(e.value)+len(e.id) > len(key) {
						t.Errorf("entry %x is longer than its key %x", e.id, key)
					}
					_, _ = c.idString(e.id)
				}
				_, _ = c.holder(value, org)
			}
		}
		_, _ = readCount(value)
		_, _, _ = readText(value)
		var s Sealed
		if json.Unmarshal(value, &s) == nil {
			_ = keyOf(s.b)
		}
	})
}
