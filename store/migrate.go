package store

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"svc/store/internal/layout"
	"svc/store/kv"
)

// Migration changes what is stored when a newer program opens an older file. The
// list of a program only ever grows at its end, and names never change:
// every release upgrades any earlier one (contract 19).
type Migration struct {
	// Name says what it does: "2026-03 recipients: language from locale".
	Name string
	// Step does a part of the work in one transaction, at most some thousand keys,
	// and answers where to go on; nil ends the migration. What it wrote and where
	// it goes on are committed together, so a killed program goes on there.
	Step func(tx *Tx, after []byte) (next []byte, err error)
}

// check refuses files of another format or of a newer program.
func (h head) check(path string, list []Migration) error {
	if h.Format > Format {
		return fmt.Errorf("database %s has format %d, this svc knows %d: it was %w", path, h.Format, Format, ErrNewer)
	}
	for i, name := range h.Migrated {
		if i >= len(list) {
			return fmt.Errorf("database %s has been through %q, which this svc does not know: it was %w", path, name, ErrNewer)
		}
		if list[i].Name != name {
			return fmt.Errorf("store: migration %d is %q, but %s has been through %q there: the list only grows at its end", i+1, list[i].Name, path, name)
		}
	}
	if n := len(h.Migrated); h.Running != "" && (n >= len(list) || list[n].Name != h.Running) {
		return fmt.Errorf("database %s is half-way through %q, which this svc does not know: it was %w", path, h.Running, ErrNewer)
	}
	return nil
}

// upgrade brings an older file up to this program.
func (db *DB) upgrade(ctx context.Context, h head, o Options) error {
	plans := db.plans(h)
	if len(h.Migrated) == len(o.Migrations) && len(plans) == 0 && h.Format == Format {
		return nil
	}
	if o.BeforeUpgrade != nil {
		if err := o.BeforeUpgrade(ctx, db); err != nil {
			return fmt.Errorf("before the upgrade of %s: %w", db.path, err)
		}
	}
	if err := db.raiseFormat(ctx, h); err != nil {
		return err
	}
	for _, m := range o.Migrations[len(h.Migrated):] {
		db.log.Info("migrating the database", "migration", m.Name)
		if err := db.migrate(ctx, m); err != nil {
			return fmt.Errorf("migration %q: %w", m.Name, err)
		}
	}
	for _, p := range plans {
		db.log.Info("building indexes", "table", p.t.base().Name, "parts", p.what())
		if err := db.rebuild(ctx, p); err != nil {
			return fmt.Errorf("build the indexes of %s: %w", p.t.base().Name, err)
		}
	}
	return nil
}

// raiseFormat keeps programs that do not know this format away: they would leave out what
// is in the logs of the engine.
func (db *DB) raiseFormat(ctx context.Context, h head) error {
	if h.Format == Format {
		return nil
	}
	err := db.Update(ctx, func(tx *Tx) error {
		h, err := tx.head()
		if err != nil {
			return err
		}
		h.Format = Format
		return tx.writeHead(h)
	})
	if b, ok := db.engine.(fileEngine); ok && err == nil {
		err = b.Checkpoint(ctx) // they read the tree alone
	}
	return err
}

func (db *DB) migrate(ctx context.Context, m Migration) error {
	for done := false; !done; {
		err := db.Update(ctx, func(tx *Tx) error {
			h, err := tx.head()
			if err != nil {
				return err
			}
			next, err := m.Step(tx, h.Cursor)
			if err != nil {
				return err
			}
			h.Running, h.Cursor, done = m.Name, next, next == nil
			if done {
				h.Running = ""
				h.Migrated = append(h.Migrated, m.Name)
				if s := db.sealer; s != nil {
					if err := tx.saveKeys(len(h.Migrated), s.Sealed); err != nil {
						return err
					}
				}
			}
			return tx.writeHead(h)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (tx *Tx) head() (h head, err error) {
	b, err := tx.buf.Get(HeadKey)
	if err == nil {
		err = json.Unmarshal(b, &h)
	}
	return h, err
}

// Rewrite is the step of a migration that changes the stored form of the records
// of a table, whatever their organization: the function is given the JSON of each
// and answers the new one, or nil to leave it. Indexes are not touched: give those
// whose values change a new Version, so that they are built anew afterwards.
func (t *Table[T]) Rewrite(change func(old json.RawMessage) (json.RawMessage, error)) func(tx *Tx, after []byte) ([]byte, error) {
	return func(tx *Tx, after []byte) (next []byte, err error) {
		r := kv.Under(layout.Space(t.core.Num, layout.KindRecord))
		r.Limit = chunkRecords
		if after != nil {
			r.From = append(slices.Clone(after), 0)
		}
		var found []kv.Pair
		for p, err := range tx.buf.Scan(r) {
			if err != nil {
				return nil, err
			}
			found = append(found, kv.Pair{Key: slices.Clone(p.Key), Value: slices.Clone(p.Value)})
		}
		for _, p := range found {
			number, old, err := layout.UnpackRecord(p.Value)
			if err != nil {
				return nil, err
			}
			now, err := change(old)
			if err != nil {
				return nil, err
			}
			if now == nil {
				continue
			}
			if err := tx.buf.Put(p.Key, layout.PackRecord(number, now)); err != nil {
				return nil, err
			}
		}
		if len(found) == chunkRecords {
			next = found[len(found)-1].Key
		}
		return next, nil
	}
}

// RewriteRecords is Rewrite for changes that seal: the function is given the record as it
// decodes now, with whose it is and its stored JSON, and says whether it changed it.
// Records must still decode.
func (t *Table[T]) RewriteRecords(change func(tx *Tx, org string, rec *T, old json.RawMessage) (bool, error)) func(tx *Tx, after []byte) ([]byte, error) {
	return func(tx *Tx, after []byte) (next []byte, err error) {
		type changed struct {
			key    []byte
			number uint32
			json   []byte
		}
		var all []changed
		next, err = t.chunkRaw(tx, after, func(p kv.Pair) error {
			at, rec, err := t.placed(p)
			if err != nil {
				return err
			}
			_, old, err := layout.UnpackRecord(p.Value)
			if err != nil {
				return err
			}
			if yes, err := change(tx, at.Org.String(), rec, old); err != nil || !yes {
				return err
			}
			b, err := json.Marshal(rec)
			all = append(all, changed{slices.Clone(p.Key), at.Number, b})
			return err
		})
		for _, x := range all {
			if err := tx.buf.Put(x.key, layout.PackRecord(x.number, x.json)); err != nil {
				return nil, err
			}
		}
		return next, err
	}
}

// plan is what has to be built or dropped in one table.
type plan struct {
	t     AnyTable
	build []layout.Part
	drop  []layout.Part // to clear, those of build included
	now   map[string]int
	all   bool // the records get or lose their numbers, and everything is built
}

func (p plan) what() string {
	var out []string
	for _, x := range p.build {
		out = append(out, x.Label())
	}
	return strings.Join(out, ", ")
}

// recordsLabel stands for the table's own counts and numbers in the head.
const recordsLabel = "records"

// labels gives the versions of the parts of a table. The records' own is 3 when
// they have numbers; it was 2 when unique entries did not know them.
func labels(t AnyTable) map[string]int {
	out := map[string]int{recordsLabel: 1}
	if t.base().Numbered {
		out[recordsLabel] = 3
	}
	for _, p := range t.parts() {
		out[p.Label()] = p.Version
	}
	return out
}

// plans compares the tables with what the file holds.
func (db *DB) plans(h head) (out []plan) {
	for _, t := range db.list {
		had, p := h.Parts[t.base().Name], plan{t: t, now: labels(t)}
		p.all = had[recordsLabel] != p.now[recordsLabel]
		for _, x := range t.parts() {
			if had[x.Label()] != x.Version || p.all {
				p.build, p.drop = append(p.build, x), append(p.drop, x)
			}
		}
		for label := range had {
			if _, here := p.now[label]; !here {
				p.drop = append(p.drop, layout.FromLabel(label))
			}
		}
		if p.all || len(p.drop) > 0 {
			out = append(out, p)
		}
	}
	return out
}
