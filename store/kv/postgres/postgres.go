// Package postgres is an engine of the store on a server that speaks the PostgreSQL
// protocol, which several nodes share.
//
// The ordered key space is one table. A row with n = 0 is the value of a key; the others
// are additions, which Add, SetBits and ClearBits write without reading: the value of a
// key is its value row with its additions, in the order of n. Additions are folded into
// the value row when a key has many.
//
// It promises what package kv asks for: updates are serialisable, and run again when
// another node was in the way. Updates that wait at a time share one transaction, whose
// writes and commit are one journey. A commit whose answer was lost is looked up before
// anything runs again, so nothing is done twice.
package postgres

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	mathrand "math/rand/v2"
	"net"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"svc/store/kv"
	"svc/store/kv/group"
	"svc/store/kv/message"
)

// Options of Open.
type Options struct {
	// Readers bounds the connections that read at a time; 0: 16.
	Readers int
}

// statementTime bounds a statement, waiting for a connection and for locks included.
const statementTime = 30 * time.Second

// writers are the connections of the committer, of folding and of looking up a commit.
const writers = 3

// Engine is a connection to a database, for one process.
type Engine struct {
	name    string // of this process among those that share the database
	readers *pgxpool.Pool
	writers *pgxpool.Pool
	group   *group.Group[kv.Tx]
	last    int64 // number of the last commit of this process; of the committer
	folds   *folds

	delivering  sync.Mutex // whoever calls subscribers
	subscribers message.Subscribers

	life       context.Context
	end        context.CancelFunc
	background sync.WaitGroup
	once       sync.Once
	closed     atomic.Bool
}

var (
	_ kv.Engine  = (*Engine)(nil)
	_ kv.Clocked = (*Engine)(nil)
)

// Open connects to the database of an address ("postgres://user:password@host:5432/name")
// and makes the tables when they are not there. The password appears in no error.
func Open(ctx context.Context, address string, o Options) (*Engine, error) {
	if o.Readers == 0 {
		o.Readers = 16
	}
	e := &Engine{name: rand.Text()[:12]}
	e.life, e.end = context.WithCancel(context.Background())
	var err error
	if e.readers, err = e.connect(e.life, address, o.Readers); err == nil {
		e.writers, err = e.connect(e.life, address, writers)
	}
	if err == nil {
		err = e.prepare(ctx)
	}
	if err == nil {
		e.folds = newFolds(e)
		err = e.listen(ctx, address)
	}
	if err != nil {
		e.shut()
		return nil, err
	}
	e.background.Go(e.folds.run)
	e.group = group.New(e.commit)
	return e, nil
}

// Name is the database of an address without what is secret: "host:5432/name".
func Name(address string) string {
	c, err := pgx.ParseConfig(address)
	if err != nil {
		return "PostgreSQL"
	}
	return net.JoinHostPort(c.Host, strconv.Itoa(int(c.Port))) + "/" + c.Database
}

// CheckAddress refuses what is no address of a database.
func CheckAddress(address string) error {
	scheme, _, _ := strings.Cut(address, "://")
	if _, err := pgx.ParseConfig(address); err != nil || scheme != "postgres" && scheme != "postgresql" {
		return errAddress
	}
	return nil
}

var errAddress = errors.New("must have the form postgres://user:password@host:5432/name")

func (e *Engine) connect(ctx context.Context, address string, most int) (*pgxpool.Pool, error) {
	c, err := pgxpool.ParseConfig(address)
	if err != nil {
		return nil, fmt.Errorf("the address of the database %w", errAddress)
	}
	c.MaxConns, c.MinConns = int32(most), 1
	if c.ConnConfig.ConnectTimeout == 0 {
		c.ConnConfig.ConnectTimeout = 5 * time.Second
	}
	for name, value := range map[string]string{
		"application_name": application + e.name, "statement_timeout": fmt.Sprint(statementTime.Milliseconds()), "idle_in_transaction_session_timeout": "120000",
	} {
		if c.ConnConfig.RuntimeParams[name] == "" {
			c.ConnConfig.RuntimeParams[name] = value
		}
	}
	return pgxpool.NewWithConfig(ctx, c)
}

// schema is what the database holds. Nodes that start at a time may all try to make it.
var schema = []string{
	"create table if not exists svc_kv (k bytea not null, n bigint not null, v bytea not null, primary key (k, n))",
	"create sequence if not exists svc_kv_addition",
	"create table if not exists svc_kv_commit (node text primary key, number bigint not null)",
}

func (e *Engine) prepare(ctx context.Context) error {
	var err error
	for range 5 {
		err = e.makeSchema(ctx)
		if err == nil {
			return nil
		}
		if !pause(ctx, 200*time.Millisecond) {
			break
		}
	}
	return fmt.Errorf("the database cannot be used: %w", err)
}

func (e *Engine) makeSchema(ctx context.Context) error {
	for _, sql := range schema {
		if _, err := e.writers.Exec(ctx, sql); err != nil {
			return explain(err)
		}
	}
	_, err := e.writers.Exec(ctx, "insert into svc_kv_commit (node, number) values ($1, 0)", e.name)
	return explain(err)
}

// View implements kv.Engine.
func (e *Engine) View(ctx context.Context, fn func(kv.Tx) error) error {
	var tries again
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		if e.closed.Load() {
			return kv.ErrClosed
		}
		s := &session{e: e, pool: e.readers, begin: beginView}
		err := e.view(ctx, s, fn)
		if s.broken == nil || !tries.wait(ctx, s.broken) {
			return err
		}
	}
}

func (e *Engine) view(ctx context.Context, s *session, fn func(kv.Tx) error) error {
	t := &tx{ctx: ctx, s: s}
	defer func() {
		t.over = true
		s.leave()
	}()
	return fn(t)
}

// Update implements kv.Engine.
func (e *Engine) Update(ctx context.Context, fn func(kv.Tx) error) error {
	return e.group.Update(ctx, fn)
}

// Exclusive implements kv.Engine: others may share the database.
func (e *Engine) Exclusive() bool { return false }

// Clock implements kv.Clocked.
func (e *Engine) Clock(ctx context.Context) (at time.Time, err error) {
	begin := time.Now()
	if err := e.readers.QueryRow(ctx, "select clock_timestamp()").Scan(&at); err != nil {
		return at, explain(err)
	}
	return at.Add(time.Since(begin) / 2), nil
}

// Subscribe implements kv.Engine.
func (e *Engine) Subscribe(f func(kv.Message)) (stop func()) { return e.subscribers.Subscribe(f) }

// deliver passes messages on to this process.
func (e *Engine) deliver(messages []kv.Message) {
	e.delivering.Lock()
	defer e.delivering.Unlock()
	e.subscribers.Deliver(messages)
}

// Close implements kv.Engine: it waits for the updates that were asked for.
func (e *Engine) Close() error {
	e.once.Do(func() {
		e.group.Close()
		e.closed.Store(true)
		ctx, cancel := context.WithTimeout(e.life, 5*time.Second)
		defer cancel()
		_, _ = e.writers.Exec(ctx, "delete from svc_kv_commit where node = $1", e.name) // of no use to anybody
		e.shut()
	})
	return nil
}

func (e *Engine) shut() {
	e.end()
	e.background.Wait()
	for _, pool := range []*pgxpool.Pool{e.readers, e.writers} {
		if pool != nil {
			pool.Close()
		}
	}
}

// pause waits about as long as d, and says whether ctx lasted.
func pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d/2 + mathrand.N(d))
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
