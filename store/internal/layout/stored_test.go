package layout

import (
	"testing"

	"svc/store/kv"
)

// FuzzStored reads bytes of a damaged file as everything they could be: an error,
// never a panic.
func FuzzStored(f *testing.F) {
	numbered := Table{Name: "numbered", Prefix: "rcp", Numbered: true}
	free := Table{Name: "free"}
	f.Add(PackRecord(7, []byte(`{"id":"x"}`)), numbered.RecordKey(Org{1}, make([]byte, 16)))
	f.Add(PackRecord(0, []byte(`{}`)), free.RecordKey(Org{}, []byte("id")))
	f.Add(free.entryValue(0, 2), append(free.PartKey(KindSorted, 3, &Org{1}), "valueid"...))
	f.Add(numbered.entryValue(9, 16), append(numbered.PartKey(KindSorted, 3, nil), make([]byte, 40)...))
	f.Add([]byte(`"AAAA"`), []byte{})
	f.Fuzz(func(t *testing.T, value, key []byte) {
		if n, body, err := UnpackRecord(value); err == nil && len(body) >= len(value) {
			t.Errorf("record %x: number %d, %x", value, n, body)
		}
		for _, c := range []*Table{&numbered, &free} {
			for _, org := range []*Org{nil, {1}} {
				if e, err := c.ReadEntry(kv.Pair{Key: key, Value: value}, 0, org); err == nil {
					if len(e.Value)+len(e.ID) > len(key) {
						t.Errorf("entry %x is longer than its key %x", e.ID, key)
					}
					_, _ = c.IDString(e.ID)
				}
				_, _ = c.ReadUnique(value, org)
			}
		}
		_, _, _ = ReadText(value)
	})
}
