package acceptance

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.etcd.io/bbolt"
)

// TestForgedAudit changes the database of a stopped server behind its back, and a
// backup of it, as somebody with the file could. svc audit verify names the entry,
// still proves the other chains, and ends with 1; no such backup verifies, none is
// restored, and none is made.
func TestForgedAudit(t *testing.T) {
	t.Parallel()
	in := install(t)
	in.start()
	victim, other := in.signUp("vera", nil), in.signUp("oleg", nil)
	for _, name := range []string{"One", "Two", "Three"} {
		victim.do("POST", "/lists", map[string]any{"name": name}).want(201)
		other.do("POST", "/lists", map[string]any{"name": name}).want(201)
	}
	org := victim.do("GET", "/organization", nil).want(200).text("id")
	in.stop()
	in.auditIsWhole(3)
	backup := filepath.Join(t.TempDir(), "backup.db")
	in.must("backup", backup)
	database := filepath.Join(in.data, "svc.db")
	sound := map[string][]byte{database: contents(t, database), backup: contents(t, backup)}

	for _, tt := range []struct {
		name  string
		forge func(c *chain)
		want  string // after the id of the chain; ID stands for that of the last entry
	}{
		{"a changed value", func(c *chain) {
			c.put(c.last().key, bytes.Replace(c.last().value, []byte("Three"), []byte("Threw"), 1))
		}, "at place LAST, entry ID: it was changed"},
		{"a missing last entry", func(c *chain) { c.remove(c.last()) }, "at place LAST: it ends here, and LAST entries were written"},
		{"an added entry", func(c *chain) { c.forget() }, "at place LAST, entry ID: it was added"},
		{"one that cannot be read", func(c *chain) { c.put(c.last().key, append(bytes.Clone(c.last().value[:9]), "Three"...)) }, "at place LAST, entry ID: it cannot be read"},
		{"none left", func(c *chain) { c.remove(append(c.entries, c.end)...) }, "at place 1: all of its entries are missing"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for file, data := range sound {
				if err := os.WriteFile(file, data, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			tampered := tamper(t, database, org, tt.forge)
			tamper(t, backup, org, tt.forge)
			want := strings.NewReplacer("LAST", fmt.Sprint(len(tampered.entries)), "ID", tampered.last().id).Replace(tt.want)
			forged := contents(t, database)

			out := in.fails(t, "audit", "verify")
			line := regexp.MustCompile(`(?m)^` + org + ` .*BROKEN: the audit chain of ` + org + ` is broken (.*)$`).FindStringSubmatch(out)
			if line == nil || !strings.HasPrefix(line[1], want) {
				t.Errorf("svc audit verify does not say %q:\n%s", want, out)
			}
			if n := strings.Count(out, "whole, entries: "); n != 2 || strings.Count(out, "BROKEN") != 1 || !strings.Contains(out, "1 chain broken") {
				t.Errorf("%d other chains are proven, want 2:\n%s", n, out)
			}
			for _, args := range [][]string{{"backup", "verify", backup}, {"restore", backup}, {"backup", filepath.Join(t.TempDir(), "new.db")}} {
				if out := in.fails(t, args...); !strings.Contains(out, want) {
					t.Errorf("svc %s does not say %q:\n%s", strings.Join(args, " "), want, out)
				}
				if _, err := os.Stat(args[len(args)-1]); len(args) == 2 && args[0] == "backup" && !errors.Is(err, os.ErrNotExist) {
					t.Errorf("a backup of it was made: %v", err)
				}
			}
			if _, err := os.Stat(database + ".replaced"); !errors.Is(err, os.ErrNotExist) || len(forged) == 0 {
				t.Errorf("the database was replaced: %v", err)
			}
		})
	}
}

// fails is a command that must end with 1.
func (in *installation) fails(t *testing.T, args ...string) string {
	t.Helper()
	out, err := in.svc(args...)
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 1 {
		t.Errorf("svc %s: %v, want exit code 1\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

func contents(t *testing.T, file string) []byte {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// link is a stored record of an audit chain.
type link struct {
	key, value []byte
	id, hash   string
	seq        int
}

// chain is the audit chain of one organization as it is stored.
type chain struct {
	t       *testing.T
	b       *bbolt.Bucket
	entries []link // in their order
	end     link   // what the chain says of its last entry
}

// tamper changes a database that nobody has open. The chain is that from before.
func tamper(t *testing.T, path, org string, forge func(*chain)) *chain {
	t.Helper()
	db, err := bbolt.Open(path, 0o600, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	c := &chain{t: t}
	if err := db.Update(func(tx *bbolt.Tx) error {
		c.b = tx.Bucket([]byte("kv"))
		chains, ends := storedChains(t, c.b)
		owner := ownerOf(t, chains, org)
		c.entries, c.end = chains[owner], ends[owner]
		slices.SortFunc(c.entries, func(a, b link) int { return a.seq - b.seq })
		forge(c)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return c
}

// storedChains are the audit entries and ends in a file, by the bytes of their owner,
// which stand behind the table and the kind of a key.
func storedChains(t *testing.T, b *bbolt.Bucket) (chains map[string][]link, ends map[string]link) {
	t.Helper()
	chains, ends = map[string][]link{}, map[string]link{}
	if err := b.ForEach(func(k, v []byte) error {
		var e struct {
			ID, Hash, Action string
			Seq              int
		}
		at := bytes.IndexByte(v, '{')
		readable := at >= 0 && json.Unmarshal(v[at:], &e) == nil
		if len(k) < 21 || k[4] != 'r' || !readable || e.Hash == "" {
			return nil
		}
		l := link{bytes.Clone(k), bytes.Clone(v), e.ID, e.Hash, e.Seq}
		switch owner := string(k[5:21]); {
		case e.ID == "head":
			ends[owner] = l
		case e.Action != "":
			chains[owner] = append(chains[owner], l)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return chains, ends
}

// ownerOf finds the owner whose chain begins with the creation of an organization.
func ownerOf(t *testing.T, chains map[string][]link, org string) string {
	t.Helper()
	for owner, entries := range chains {
		for _, e := range entries {
			if e.seq == 1 && bytes.Contains(e.value, []byte(`"action":"organization.created"`)) && bytes.Contains(e.value, []byte(org)) {
				return owner
			}
		}
	}
	t.Fatalf("%s has no chain", org)
	return ""
}

func (c *chain) last() link { return c.entries[len(c.entries)-1] }

func (c *chain) put(k, v []byte) {
	c.t.Helper()
	if err := c.b.Put(k, v); err != nil {
		c.t.Fatal(err)
	}
}

// remove takes records away with their index entries, which end with the same id.
func (c *chain) remove(links ...link) {
	c.t.Helper()
	var all [][]byte
	if err := c.b.ForEach(func(k, _ []byte) error {
		if slices.ContainsFunc(links, func(l link) bool {
			return bytes.HasSuffix(k, l.key[5+len("0123456789abcdef"):]) && bytes.Contains(k, l.key[5:21])
		}) {
			all = append(all, bytes.Clone(k))
		}
		return nil
	}); err != nil {
		c.t.Fatal(err)
	}
	if len(all) < len(links) {
		c.t.Fatalf("%d keys of %d records", len(all), len(links))
	}
	for _, k := range all {
		if err := c.b.Delete(k); err != nil {
			c.t.Fatal(err)
		}
	}
}

// forget makes the last entry one that the chain does not know of.
func (c *chain) forget() {
	c.t.Helper()
	before := c.entries[len(c.entries)-2]
	c.put(c.end.key, fmt.Appendf(nil, "%s{\"id\":\"head\",\"seq\":%d,\"hash\":\"%s\"}", c.end.value[:1], before.seq, before.hash))
}
