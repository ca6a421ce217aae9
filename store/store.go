// Package store keeps what the messaging service knows in one file: typed records
// with their indexes, counts and sets, sealed secrets, and jobs (package queue).
//
// It promises: a transaction is durable when Update returns, and whole; whatever
// belongs to a record (indexes, counts, facets) changes with it; another
// organization's record is not found; a secret is never printed and opens nowhere
// but in its own field; a file that a newer version wrote, that is damaged or open
// elsewhere is refused in one sentence. Check proves the rest.
//
// It refuses to know the business: it holds bytes and values. Code outside never
// sees the engine, so that the same closures can one day run on another
// (package kv).
//
// What needs no types of records lies below, in internal: layout and numbers are forms of
// bytes; buffer is a transaction; index and query are what stands beside records, and lists
// of them; check, catalog, prepare, backup, clock and
// keyring are the life of the file. Package offline restores and compacts.
//
// The rules of a closure, in short: it may run twice, so assign results whole, take
// ids and times before, send nothing; write at most 10,000 keys (about a thousand
// records); read at most a page. Lists walk an index, never the table.
package store

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"svc/store/internal/backup"
	"svc/store/internal/catalog"
	"svc/store/internal/clock"
	"svc/store/internal/keyring"
	"svc/store/kv"
	"svc/store/kv/message"
	"svc/store/masterkey"
	"svc/store/recordid"
)

// Format is the version of the layout of keys and values that this program knows. A store of
// another format needs another program.
const Format = catalog.Format

// HeadKey is where a store says in JSON what it holds.
var HeadKey = catalog.Key

// Options are what a store is opened with.
type Options struct {
	// Tables are all tables of the program. New indexes are built, removed ones
	// dropped, when the store is opened.
	Tables []AnyTable
	// Migrations is the append-only list of changes to what is stored.
	Migrations []Migration
	// KeyFile is the master key file; it is made when nothing was sealed yet. Key is
	// another source of the key. With neither the store neither seals nor hashes.
	KeyFile string
	Key     masterkey.Source
	// BeforeUpgrade is called before a file with data in it is migrated or indexed
	// anew: the place for a backup. May be nil.
	BeforeUpgrade func(context.Context, *DB) error
	// Prove proves more of a file than DB.Check can: what its records mean together.
	// Verify calls it, so it also holds of every backup that is made and restored. It
	// may only read, and answers an error that says what is wrong. May be nil.
	Prove func(context.Context, *DB) error
	// Now is the clock of this machine; nil is time.Now.
	Now func() time.Time
	// SharedNow says that all nodes have this Now, as in tests: it is not corrected.
	SharedNow bool
	// Log hears of migrations and of a clock that is wrong. nil: nobody does.
	Log *slog.Logger
	// Engine replaces the file. The store closes it. Stores over one engine hear what the
	// others publish.
	Engine kv.Engine
	// IDs makes the ids; nil: one of the store's own.
	IDs *recordid.Maker
}

// key is where the master key comes from.
func (o Options) key() masterkey.Source {
	if o.KeyFile != "" {
		return masterkey.Source{File: o.KeyFile}
	}
	return o.Key
}

// DB is an open store. Safe for concurrent use.
type DB struct {
	path    string
	options Options // without an engine: those of a file like this one
	engine  kv.Engine
	list    []*table
	tables  map[uint32]*table
	ids     *recordid.Maker
	clock   *clock.Clock
	log     *slog.Logger
	sealer  *keyring.Keys
	topics  message.Topics // who hears of changes, of this or another process (storage 8)
	deaf    func()         // ends what topics hear of the engine
	// fence refuses transactions while the store is being opened and another process took
	// over from it; nil afterwards.
	fence func(kv.Tx) error

	mu    sync.Mutex
	onces map[any]any
}

// Open opens the store in a file, or makes it. It migrates an older file first and
// refuses a newer one.
func Open(ctx context.Context, path string, o Options) (*DB, error) {
	db, err := newDB(path, o)
	if err != nil {
		return nil, err
	}
	if db.engine == nil {
		if db.engine, err = kv.OpenBolt(path); err != nil {
			return nil, err
		}
	}
	db.deaf = db.engine.Subscribe(db.topics.Hear)
	if err = db.FollowClock(ctx); err == nil {
		err = db.prepareAlone(ctx, o)
	}
	if err == nil {
		err = db.sweep(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

func newDB(path string, o Options) (*DB, error) {
	db := &DB{path: path, engine: o.Engine, tables: map[uint32]*table{}, clock: clock.New(o.Now), log: o.Log, options: o}
	db.options.Engine = nil
	if db.log == nil {
		db.log = slog.New(slog.DiscardHandler)
	}
	if db.ids = o.IDs; db.ids == nil {
		db.ids = recordid.NewMaker(db.clock.Now)
	}
	for _, any := range o.Tables {
		t := any.base()
		if other, taken := db.tables[t.Num]; taken {
			return nil, fmt.Errorf("store: tables %s and %s collide: rename one, or list it once", t.Name, other.Name)
		}
		db.tables[t.Num], db.list = t, append(db.list, t)
	}
	return db, nil
}

func (db *DB) prepare(ctx context.Context, o Options) error {
	h, fresh, err := db.readHead(ctx)
	if err != nil {
		return err
	}
	if err := h.Check(db.path, names(o.Migrations)); err != nil {
		return err
	}
	if fresh {
		err = db.writeFresh(ctx, o.Migrations)
	} else {
		err = backup.DropChecksum(ctx, db.engine)
	}
	if err != nil {
		return err
	}
	if from := o.key(); !from.IsZero() {
		if err = db.openKeys(ctx, from); err != nil {
			return err
		}
	}
	if fresh {
		return nil
	}
	return db.upgrade(ctx, h, o)
}

// Close waits for the transactions under way and closes the file.
func (db *DB) Close() error {
	defer db.deaf()
	return db.engine.Close()
}

// Exclusive says that no other process has these records open, nor any other DB, and
// that none will for as long as this one is open: kv.Engine.Exclusive.
func (db *DB) Exclusive() bool { return db.engine.Exclusive() }

// Once gives what a package keeps once for each open store, under a key of a type of
// its own. The first call makes it; make does not call Once.
func (db *DB) Once(key any, make func() any) any {
	db.mu.Lock()
	defer db.mu.Unlock()
	if v, ok := db.onces[key]; ok {
		return v
	}
	v := make()
	if db.onces == nil {
		db.onces = map[any]any{}
	}
	db.onces[key] = v
	return v
}

// NewID makes an id with a prefix. Take it before the transaction that uses it.
func (db *DB) NewID(prefix string) string { return db.ids.New(prefix) }

// IDsBehind makes every id from now on sort behind one that is there, whatever the
// clock says.
func (db *DB) IDsBehind(id string) { db.ids.Behind(id) }

// Now is the store's clock, the same on all nodes, in UTC and to the millisecond, which is
// what the API shows.
func (db *DB) Now() time.Time { return db.clock.Now().UTC().Truncate(time.Millisecond) }

// FollowClock corrects Now to the clock of the engine's machine, where several nodes share
// one (kv.Clocked): a time that one node stores means the same to the others, however their
// own clocks are set. Open calls it, and package coord at intervals. Without such an engine,
// and with Options.SharedNow, it does nothing.
func (db *DB) FollowClock(ctx context.Context) error {
	if db.options.SharedNow {
		return nil
	}
	return db.clock.Follow(ctx, db.engine, db.log)
}

// DB is the store of the transaction, for NewID, Hash and secrets. Its View and
// Update may not be called inside.
func (tx *Tx) DB() *DB { return tx.db }

// Size is the length of the file in bytes; 0 for an engine without a file.
func (db *DB) Size() (int64, error) {
	b, ok := db.engine.(backup.Engine)
	if !ok {
		return 0, nil
	}
	return b.Size()
}
