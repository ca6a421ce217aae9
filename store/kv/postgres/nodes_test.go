package postgres_test

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"svc/store/kv"
	"svc/store/kv/bitset"
	"svc/store/kv/postgres/pgtest"
	"svc/store/storetest"
)

func number(t testing.TB, e kv.Engine, key string) (n int64) {
	t.Helper()
	err := e.View(t.Context(), func(tx kv.Tx) error {
		b, err := tx.Get([]byte(key))
		if err != nil {
			return err
		}
		n, err = kv.DecodeNumber(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// increase reads a number and writes the next one.
func increase(tx kv.Tx, key string) error {
	b, err := tx.Get([]byte(key))
	if err != nil {
		return err
	}
	n, err := kv.DecodeNumber(b)
	if err != nil {
		return err
	}
	return tx.Put([]byte(key), binary.AppendVarint(nil, n+1))
}

// TestNodesAreSerialised: two nodes each take one of two seats when both are free of what
// the other took. No seat is taken by both, though each only reads what the other writes.
func TestNodesAreSerialised(t *testing.T) {
	address := pgtest.Address(t)
	nodes := []kv.Engine{open(t, address), open(t, address)}
	const rounds = 60
	for round := range rounds {
		seats := []string{fmt.Sprint("left of ", round), fmt.Sprint("right of ", round)}
		var all sync.WaitGroup
		for i, e := range nodes {
			all.Go(func() {
				err := e.Update(t.Context(), func(tx kv.Tx) error {
					other, err := tx.Get([]byte(seats[1-i]))
					if err != nil || other != nil {
						return err
					}
					return tx.Put([]byte(seats[i]), nil)
				})
				if err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		err := nodes[0].View(t.Context(), func(tx kv.Tx) error {
			found, err := tx.GetMany([][]byte{[]byte(seats[0]), []byte(seats[1])})
			if err == nil && (found[0] == nil) == (found[1] == nil) {
				t.Errorf("round %d: taken are left %v, right %v", round, found[0] != nil, found[1] != nil)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestNodesAddTogether: additions of two nodes at a time are all there, also while others
// read and write the same key, and few rows stay of them.
func TestNodesAddTogether(t *testing.T) {
	address := pgtest.Address(t)
	nodes := []kv.Engine{open(t, address), open(t, address)}
	const writers, each = 8, 40
	var all sync.WaitGroup
	for i := range writers {
		e := nodes[i%2]
		all.Go(func() {
			for n := range each {
				err := e.Update(t.Context(), func(tx kv.Tx) error {
					if err := errors.Join(tx.Add([]byte("sum"), 1), increase(tx, "read and written")); err != nil {
						return err
					}
					return tx.SetBits([]byte("set"), []uint16{uint16(i*each + n)})
				})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	for _, e := range nodes {
		if a, b := number(t, e, "sum"), number(t, e, "read and written"); a != writers*each || b != writers*each {
			t.Errorf("%d added, %d read and written, want %d", a, b, writers*each)
		}
		err := e.View(t.Context(), func(tx kv.Tx) error {
			v, err := tx.Get([]byte("set"))
			if err != nil {
				return err
			}
			set, err := bitset.Decode(v)
			if err == nil && set.Count() != writers*each {
				t.Errorf("%d members", set.Count())
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	storetest.Eventually(t, "the additions were folded", func() bool {
		number(t, nodes[0], "sum") // whoever reads has it folded
		return rows(t, address, "sum") < 30
	})
}

func rows(t testing.TB, address, key string) (n int) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(context.Background()) }()
	if err := conn.QueryRow(t.Context(), "select count(*) from svc_kv where k = $1", []byte(key)).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// TestNodesHearEachOther: what one node publishes the other hears in order, and after its
// connection broke it hears that messages may be missing.
func TestNodesHearEachOther(t *testing.T) {
	address := pgtest.Address(t)
	a, b := open(t, address), open(t, address)
	var mu sync.Mutex
	var heard []string
	defer b.Subscribe(func(m kv.Message) {
		mu.Lock()
		defer mu.Unlock()
		if m.Lost {
			m.Payload = "lost"
		}
		heard = append(heard, m.Payload)
	})()
	got := func() string {
		mu.Lock()
		defer mu.Unlock()
		return strings.Join(heard, " ")
	}
	publish := func(words ...string) {
		err := a.Update(t.Context(), func(tx kv.Tx) error {
			for _, w := range words {
				if err := tx.Publish("t", w); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	publish("one", "two")
	publish(strings.Repeat("long", 50))
	want := "one two " + strings.Repeat("long", 50)
	storetest.Eventually(t, "the other node heard both updates", func() bool { return got() == want })
	conn, err := pgx.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(context.Background()) }()
	if _, err := conn.Exec(t.Context(), "select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen%' and datname = current_database()"); err != nil {
		t.Fatal(err)
	}
	storetest.Eventually(t, "the other node knows that it may have missed something", func() bool { return got() == want+" lost" })
	publish("three")
	storetest.Eventually(t, "the other node hears again", func() bool { return got() == want+" lost three" })
}

// TestLostAnswersChangeNothingTwice: connections break at any moment, also while a commit
// is answered. Every update that returned nil happened once, and no other did.
func TestLostAnswersChangeNothingTwice(t *testing.T) {
	address := pgtest.Address(t)
	p := newProxy(t, address)
	e := open(t, p.address)
	p.cutting.Store(true)
	var all sync.WaitGroup
	const writers, each = 4, 200
	var done atomic.Int64
	for i := range writers {
		all.Go(func() {
			for n := range each {
				err := e.Update(t.Context(), func(tx kv.Tx) error {
					return errors.Join(increase(tx, "read and written"), tx.Add([]byte("sum"), 1), tx.Put(fmt.Appendf(nil, "mark %d %d", i, n), nil))
				})
				if err != nil {
					t.Error(err)
					continue
				}
				done.Add(1)
			}
		})
	}
	all.Wait()
	p.cutting.Store(false)
	direct := open(t, address)
	if a, b := number(t, direct, "sum"), number(t, direct, "read and written"); a != done.Load() || b != done.Load() {
		t.Errorf("%d updates returned nil; %d were added, %d read and written", done.Load(), a, b)
	}
	t.Logf("%d connections were cut", p.cuts.Load())
}

// proxy is a way to the server that breaks while cutting is set: after some answers of the
// server and not after some time, so that a slow machine gets as far as a fast one.
type proxy struct {
	address string
	cutting atomic.Bool
	mu      sync.Mutex
	open    map[*pair]bool
	left    int // answers until the next cut
	cuts    atomic.Int64
}

// meanAnswers is about how many answers of the server are passed on between two cuts: a
// connection needs some to begin, a transaction about two.
const meanAnswers = 4

// pair is a connection through the proxy. A deaf one still passes on what the client says,
// and no answer.
type pair struct {
	near, far net.Conn
	deaf      atomic.Bool
}

func (c *pair) end() { _, _ = c.near.Close(), c.far.Close() }

func newProxy(t *testing.T, address string) *proxy {
	t.Helper()
	c, err := pgx.ParseConfig(address)
	if err != nil {
		t.Fatal(err)
	}
	server := net.JoinHostPort(c.Host, fmt.Sprint(c.Port))
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{open: map[*pair]bool{}, address: strings.Replace(address, server, l.Addr().String(), 1)}
	t.Cleanup(func() {
		_ = l.Close()
		p.mu.Lock()
		defer p.mu.Unlock()
		for c := range p.open {
			c.end()
		}
	})
	go func() {
		for {
			near, err := l.Accept()
			if err != nil {
				return
			}
			far, err := net.Dial("tcp", server)
			if err != nil {
				_ = near.Close()
				continue
			}
			p.join(&pair{near: near, far: far})
		}
	}()
	return p
}

func (p *proxy) join(c *pair) {
	p.mu.Lock()
	p.open[c] = true
	p.mu.Unlock()
	end := func() {
		c.end()
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.open, c)
	}
	go func() { _, _ = io.Copy(c.far, c.near); end() }()
	go func() {
		defer end()
		b := make([]byte, 32<<10)
		for {
			n, err := c.far.Read(b)
			if err != nil {
				return
			}
			p.answered()
			if c.deaf.Load() {
				continue
			}
			if _, err := c.near.Write(b[:n]); err != nil {
				return
			}
		}
	}()
}

// answered counts an answer, and cuts when it is the turn.
func (p *proxy) answered() {
	if !p.cutting.Load() {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.left--; p.left < 0 {
		p.left = rand.IntN(2 * meanAnswers)
		p.cut()
	}
}

// cut breaks some of the connections that are open: half of them pass no answer on for a
// while before.
func (p *proxy) cut() {
	for c := range p.open {
		switch rand.IntN(4) {
		case 0:
			c.end()
			p.cuts.Add(1)
		case 1:
			c.deaf.Store(true)
			time.AfterFunc(20*time.Millisecond, c.end)
			p.cuts.Add(1)
		}
	}
}
