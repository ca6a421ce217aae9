package mapkey

import (
	"errors"
	"fmt"
	"os"
	"reflect"
	"strings"
)

// KeyChanges is what a person wants to be different about a key. What is nil stays.
type KeyChanges struct {
	Name         *string
	Origins      *[]string // empty means unrestricted
	RateLimit    *int64    // requests per minute; 0 means the server's default
	MonthlyQuota *int64    // billable requests per UTC month; 0 means unlimited
	Note         *string
}

// Empty reports whether nothing would change.
func (c KeyChanges) Empty() bool { return c == KeyChanges{} }

// Edited is the outcome of EditKey.
type Edited struct {
	Key
	Masked   string // the start of the key
	Same     bool   // it was like that before; nothing was written
	SameName int    // how many other records carry the name that it has now
}

// EditKey changes the record of the key that who names, in the ways of RevokeKey, and
// leaves what else stands in the record as it is. Bounds hold for what is changed: a
// file edited by hand may exceed them elsewhere.
func EditKey(path, who string, c KeyChanges) (Edited, error) {
	who = strings.TrimSpace(who)
	if who == "" {
		return Edited{}, errors.New("name the key to change: the key itself or its name")
	}
	if err := c.Check(); err != nil {
		return Edited{}, err
	}
	if _, err := os.Stat(path); err != nil { // do not leave a lock file beside nothing
		return Edited{}, fmt.Errorf("key file: %w", err)
	}
	c, err := c.checked()
	if err != nil {
		return Edited{}, err
	}
	var out Edited
	err = editFile(path, func(keys []Key, recs []record) ([]record, error) {
		hit, err := find(keys, who)
		if err != nil {
			return nil, err
		}
		out = Edited{Same: true}
		for _, i := range hit {
			after := c.Apply(keys[i])
			out.Key, out.Masked = after, Mask(after.Key)
			out.Same = out.Same && reflect.DeepEqual(after, keys[i])
			if recs[i], err = recs[i].changed(keys[i], after); err != nil {
				return nil, err
			}
		}
		for _, k := range keys {
			if k.Key != "" && k.Key != out.Key.Key && k.Name == out.Name {
				out.SameName++
			}
		}
		if out.Same {
			return nil, errUnchanged
		}
		return recs, nil
	})
	if errors.Is(err, errUnchanged) {
		err = nil
	}
	return out, err
}

// Apply is the key with the changes.
func (c KeyChanges) Apply(k Key) Key {
	if c.Name != nil {
		k.Name = *c.Name
	}
	if c.Origins != nil {
		k.Origins = append([]string{}, *c.Origins...)
	}
	if c.RateLimit != nil {
		k.RateLimit = *c.RateLimit
	}
	if c.MonthlyQuota != nil {
		k.MonthlyQuota = *c.MonthlyQuota
	}
	if c.Note != nil {
		k.Note = *c.Note
	}
	return k
}

// Check is what EditKey refuses.
func (c KeyChanges) Check() error {
	if c.Empty() {
		return errors.New("nothing to change; say what the key shall have")
	}
	_, err := c.checked()
	return err
}

// checked refuses what NewKey refuses and trims what people typed.
func (c KeyChanges) checked() (KeyChanges, error) {
	k := c.Apply(Key{Name: "unchanged"})
	k, err := NewKey{Name: k.Name, Origins: k.Origins, RateLimit: k.RateLimit, MonthlyQuota: k.MonthlyQuota, Note: k.Note}.checked()
	if c.Name != nil {
		c.Name = &k.Name
	}
	if c.Origins != nil {
		c.Origins = &k.Origins
	}
	return c, err
}

// changed is the record with the fields in which the key after differs.
func (rec record) changed(before, after Key) (record, error) {
	for _, f := range []struct {
		name       string
		was, value any
	}{
		{"name", before.Name, after.Name},
		{"origins", before.Origins, after.Origins},
		{"rate_limit", before.RateLimit, after.RateLimit},
		{"monthly_quota", before.MonthlyQuota, after.MonthlyQuota},
		{"note", before.Note, after.Note},
	} {
		if reflect.DeepEqual(f.was, f.value) {
			continue
		}
		v, err := marshal(f.value)
		if err != nil {
			return nil, fmt.Errorf("key record: %w", err)
		}
		rec = rec.set(f.name, v)
	}
	return rec, nil
}
