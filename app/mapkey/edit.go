package mapkey

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Bounds of what the commands write. A file edited by hand may exceed them.
const (
	maxName      = 200 // characters
	maxNote      = 2000
	maxOrigins   = 200
	maxOriginLen = 300 // bytes
	shownPrefix  = 8   // characters of a key that a person gets to see
	minPrefix    = 8   // characters of a key that revoke accepts for the whole
)

// NewKey is what a person decides about a new key.
type NewKey struct {
	Name         string
	Origins      []string // empty means unrestricted
	RateLimit    int64    // requests per minute; 0 means the server's default
	MonthlyQuota int64    // billable requests per UTC month; 0 means unlimited
	Note         string
}

// Added is the outcome of AddKey.
type Added struct {
	Key
	SameName int // how many other records carry the same name
}

// Listed is one record of a key file for a list.
type Listed struct {
	Key
	full record
}

// MarshalJSON writes every field of map contract 54.6 and after them the ones
// this version does not know. The key is written in full.
func (l Listed) MarshalJSON() ([]byte, error) { return l.full.MarshalJSON() }

// Revoked is the outcome of RevokeKey.
type Revoked struct {
	Name    string
	Masked  string // the start of the key
	Already bool   // it was disabled before; nothing was written
}

// Mask shortens a key to what may be shown to people: its start.
func Mask(key string) string {
	n := min(shownPrefix, len(key)/2)
	return strings.ToValidUTF8(key[:n], "") + "…"
}

// ListKeys reads the records of a key file in file order, entries without a key
// left out (they are ignored everywhere). A missing file is an error that
// matches fs.ErrNotExist.
func ListKeys(path string) ([]Listed, error) {
	keys, recs, _, err := readKeyFile(path)
	if err != nil {
		return nil, err
	}
	out := []Listed{}
	for i, k := range keys {
		if k.Key == "" {
			continue
		}
		full, err := recs[i].complete(k)
		if err != nil {
			return nil, err
		}
		out = append(out, Listed{Key: k, full: full})
	}
	return out, nil
}

// AddKey makes a new key of 32 random hex characters and appends its record to
// the key file, which is created with mode 0600 when it does not exist. Other
// processes that edit the file at the same time wait for each other.
func AddKey(path string, n NewKey, now time.Time) (Added, error) {
	k, err := n.record(now)
	if err != nil {
		return Added{}, err
	}
	var same int
	err = editFile(path, func(keys []Key, recs []record) ([]record, error) {
		same = 0
		for _, other := range keys {
			if other.Key != "" && other.Name == k.Name {
				same++
			}
		}
		rec, err := newRecord(k)
		return append(recs, rec), err
	})
	return Added{Key: k, SameName: same}, err
}

// record checks what a person typed and completes it.
func (n NewKey) record(now time.Time) (Key, error) {
	k, err := n.checked()
	k.Key, k.CreatedAt = generate(), now.UTC().Format(time.RFC3339)
	return k, err
}

// generate makes a key.
func generate() string {
	var raw [16]byte
	_, _ = rand.Read(raw[:]) // never fails: it ends the process instead
	return hex.EncodeToString(raw[:])
}

// checked is the record of what a person typed, without key and time.
func (n NewKey) checked() (Key, error) {
	name := strings.TrimSpace(n.Name)
	switch {
	case name == "":
		return Key{}, errors.New("a key needs a name; give one that tells its user")
	case !printable(name) || utf8.RuneCountInString(name) > maxName:
		return Key{}, fmt.Errorf("the name must be at most %d printable characters on one line", maxName)
	case !utf8.ValidString(n.Note) || utf8.RuneCountInString(n.Note) > maxNote:
		return Key{}, fmt.Errorf("the note must be text of at most %d characters", maxNote)
	case n.RateLimit < 0:
		return Key{}, errors.New("the rate must be 0 (the server's default) or more requests per minute")
	case n.MonthlyQuota < 0:
		return Key{}, errors.New("the quota must be 0 (unlimited) or more requests per month")
	case len(n.Origins) > maxOrigins:
		return Key{}, fmt.Errorf("at most %d origins fit one key", maxOrigins)
	}
	origins := []string{}
	for _, o := range n.Origins {
		o = strings.TrimSpace(o)
		if o == "" || len(o) > maxOriginLen || !printable(o) {
			return Key{}, fmt.Errorf("an origin is of the form scheme://host, at most %d bytes, and not empty", maxOriginLen)
		}
		origins = append(origins, o)
	}
	return Key{Name: name, Origins: origins, RateLimit: n.RateLimit, MonthlyQuota: n.MonthlyQuota, Note: n.Note}, nil
}

func printable(s string) bool {
	return utf8.ValidString(s) && strings.IndexFunc(s, func(r rune) bool { return !unicode.IsPrint(r) }) < 0
}

// RevokeKey sets disabled on the key that who names: the key itself, the name of
// exactly one key that is still enabled, or the start of exactly one key as a
// list shows it (at least eight characters). The record stays, so that its
// usage keeps a name and the key cannot come back by accident.
func RevokeKey(path, who string) (Revoked, error) {
	who = strings.TrimSpace(who)
	if who == "" {
		return Revoked{}, errors.New("name the key to revoke: the key itself or its name")
	}
	if _, err := os.Stat(path); err != nil { // do not leave a lock file beside nothing
		return Revoked{}, fmt.Errorf("key file: %w", err)
	}
	var out Revoked
	err := editFile(path, func(keys []Key, recs []record) ([]record, error) {
		hit, err := find(keys, who)
		if err != nil {
			return nil, err
		}
		out = Revoked{Name: keys[hit[0]].Name, Masked: Mask(keys[hit[0]].Key), Already: true}
		for _, i := range hit {
			if !keys[i].Disabled {
				out.Already = false
				recs[i] = recs[i].set("disabled", json.RawMessage("true"))
			}
		}
		if out.Already {
			return nil, errUnchanged
		}
		return recs, nil
	})
	if errors.Is(err, errUnchanged) {
		err = nil
	}
	return out, err
}

// find answers the records of the one key that who names.
func find(keys []Key, who string) ([]int, error) {
	list := make([]Candidate, 0, len(keys))
	for _, k := range keys {
		list = append(list, Candidate{
			ID: k.Key, Name: k.Name, Disabled: k.Disabled,
			Is:     func(who string) bool { return k.Key != "" && k.Key == who },
			Begins: func(who string) bool { return strings.HasPrefix(k.Key, who) },
		})
	}
	return Find(list, who, "the file")
}

// Candidate is a key that a person may mean.
type Candidate struct {
	ID       string // candidates with one ID are the same key; "" is none, which nothing finds
	Name     string
	Disabled bool
	Is       func(who string) bool // who is the key itself
	Begins   func(who string) bool // who, of at least 8 characters, is how the key begins
}

// Find answers the candidates of the one key that who names: the key itself, the name
// of exactly one that is enabled, or the start of exactly one. where says in errors what
// was searched.
func Find(list []Candidate, who, where string) ([]int, error) {
	if hit := matching(list, func(c Candidate) bool { return c.Is(who) }); len(hit) > 0 {
		return hit, nil // one key may stand in the file twice
	}
	named := matching(list, func(c Candidate) bool { return c.Name == who })
	active := matching(list, func(c Candidate) bool { return c.Name == who && !c.Disabled })
	switch {
	case len(active) == 1:
		return active, nil
	case len(active) > 1:
		return nil, fmt.Errorf("%d enabled keys have that name; give the key itself or its start as the list shows it", len(active))
	case len(named) > 0:
		return named, nil
	}
	if who = strings.TrimSuffix(who, "…"); len(who) >= minPrefix {
		hit := matching(list, func(c Candidate) bool { return c.Begins(who) })
		n := distinct(list, hit)
		if n == 1 {
			return hit, nil
		}
		if n > 1 {
			return nil, fmt.Errorf("%d keys start like that; give more characters", n)
		}
	}
	return nil, fmt.Errorf("no key of %s is that key or has that name; svc keys list shows them", where)
}

func matching(list []Candidate, ok func(Candidate) bool) []int {
	var hit []int
	for i, c := range list {
		if c.ID != "" && ok(c) {
			hit = append(hit, i)
		}
	}
	return hit
}

func distinct(list []Candidate, hit []int) int {
	seen := map[string]bool{}
	for _, i := range hit {
		seen[list[i].ID] = true
	}
	return len(seen)
}

// errUnchanged ends an edit that found nothing to do.
var errUnchanged = errors.New("nothing to change")

// editFile changes a key file under its lock: read, edit, check, replace. A
// missing or empty file is an empty set.
func editFile(path string, edit func([]Key, []record) ([]record, error)) error {
	target, err := resolve(path)
	if err != nil {
		return err
	}
	lock, err := lockFile(target + ".lock")
	if err != nil {
		return err
	}
	defer lock.Close() // frees the lock
	keys, recs, info, err := readKeyFile(target)
	_ = keepOwner(lock, info) // or root's first edit would shut the file's owner out
	if err != nil && !errors.Is(err, fs.ErrNotExist) && (info == nil || info.Size() > 0) {
		return err
	}
	recs, err = edit(keys, recs)
	if err != nil {
		return err
	}
	data, err := encodeRecords(recs)
	if err != nil {
		return err
	}
	if _, _, err := parseKeys(target, data); err != nil { // never write what cannot be read
		return err
	}
	return replaceFile(target, data, info)
}
