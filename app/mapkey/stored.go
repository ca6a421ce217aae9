package mapkey

import (
	"encoding/hex"
	"maps"
	"slices"
)

// Stored is a key that is kept in the store of the messaging service instead of the
// key file. Of the key itself only its ID is known (map contract 54.10).
type Stored struct {
	ID           ID
	Name         string
	Origins      []string
	RateLimit    int64 // requests per minute; 0: the server's default
	MonthlyQuota int64 // billable requests per UTC month; 0: unlimited
	Disabled     bool
}

// UseStored makes these the stored keys in force, beside those of the file. Buckets
// follow their key.
func (k *Keys) UseStored(list []Stored) {
	k.mu.Lock()
	defer k.mu.Unlock()
	old := *k.stored.Load()
	set := make(map[ID]*Holder, len(list))
	for _, s := range list {
		set[s.ID] = k.holderOf(s.ID, Key{
			Name: s.Name, Origins: s.Origins, RateLimit: s.RateLimit, MonthlyQuota: s.MonthlyQuota, Disabled: s.Disabled,
		}, old[s.ID])
	}
	k.stored.Store(&set)
}

// Configured reports whether there is anything to check against: a key file, or a
// stored key. Without either the gate lets everything pass.
func (k *Keys) Configured() bool { return k.path != "" || len(*k.stored.Load()) > 0 }

// FileKey is a key of the key file as it may be shown: without the key itself.
type FileKey struct {
	ID  ID
	Key Key // its Key is shortened
}

// FileKeys are the keys of the file that are in force, by name.
func (k *Keys) FileKeys() []FileKey {
	list := slices.SortedFunc(maps.Values(*k.records.Load()), func(a, b Key) int {
		if a.Name != b.Name {
			if a.Name < b.Name {
				return -1
			}
			return 1
		}
		return slices.Compare([]byte(a.Key), []byte(b.Key))
	})
	out := make([]FileKey, 0, len(list))
	for _, rec := range list {
		f := FileKey{ID: KeyID(rec.Key), Key: rec}
		f.Key.Key = Mask(rec.Key)
		out = append(out, f)
	}
	return out
}

// Holder finds a key in force by its ID, in the file or stored.
func (k *Keys) Holder(id ID) (*Holder, bool) {
	if h, ok := (*k.stored.Load())[id]; ok {
		return h, true
	}
	for _, h := range *k.set.Load() {
		if h.ID == id {
			return h, true
		}
	}
	return nil, false
}

// String is the ID in hexadecimal digits.
func (id ID) String() string { return hex.EncodeToString(id[:]) }

// Check is what NewKey refuses, without making a key; the record has everything but
// the key.
func (n NewKey) Check() (Key, error) { return n.checked() }

// Generate makes a key of 32 random hexadecimal digits.
func Generate() string { return generate() }
