// Package world is the state of the simulator: phones, people, accounts, messages and
// the updates about them, and the rules by which the platform behaves.
//
// It promises that what was answered to a client survives a kill of the process: every
// change is a line of a journal, written before its answer leaves (Commit), and replayed
// when the world is opened again. It promises that each random id of an account is taken
// once, that message ids and pts of an account grow by one, and that memory stays
// bounded: old messages, updates and random ids are forgotten (Options.Keep), as the
// platform's own memory ends somewhere. It refuses to know the wire; package simulator
// turns requests into its methods and its events into pushes.
//
// What the platform does is told by scenes: methods such as Flood and Restrict, and the
// language of package scene (Script). How people and numbers of the demonstration behave stands
// with Demo.
package world

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gotd/td/crypto"
	"github.com/gotd/td/tgerr"

	"svc/messenger/simulator/world/journal"
	"svc/messenger/simulator/world/record"
	"svc/messenger/simulator/world/srp"
)

// Options of a world.
type Options struct {
	// Dir keeps the state; "" keeps it in memory.
	Dir string
	// Now is the clock, time.Now for nil.
	Now func() time.Time
	// Demo fills the world with the numbers and people of the demonstration.
	Demo bool
	// Keep is how many messages and updates of an account are remembered, 1,000 for 0.
	Keep int
	// Files is how many bytes of uploaded files are kept, 256 MiB for 0.
	Files int64
}

// idsKept is how many random ids of an account are remembered: more than any client has
// under way, by three orders of magnitude.
const idsKept = 100_000

// World is the platform behind the wire. Safe for concurrent use.
type World struct {
	o       Options
	changed func()
	journal *journal.Journal

	mu       sync.Mutex
	secret   []byte
	keys     map[[8]byte]*key
	idle     [][8]byte // keys without an account, oldest first
	phones   map[string]*record.Phone
	codes    map[string]*record.Code // by number
	srp      map[[8]byte]*srp.Challenge
	accounts map[int64]*account
	people   map[int64]*record.Person
	names    map[string]int64
	ranges   []record.Range
	scenes   scenes
	files    files
	events   []Event
	sentN    int64
	sent     []record.Sent // in memory only
	closed   bool

	replies atomic.Int64 // timers of people that are about to do something
}

// Event is something that happened to an account and that its clients are told.
type Event struct {
	Account int64
	Update  Update
	// Origin is the session that caused it, which learns of it by its answer.
	Origin any
	// Lost keeps it from being pushed: the client finds it by asking.
	Lost bool
	// Kick is no update: the connections of the account end.
	Kick bool
}

// Open reads the state of dir, or begins a new world.
func Open(o Options) (*World, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Keep <= 0 {
		o.Keep = 1000
	}
	if o.Files <= 0 {
		o.Files = 256 << 20
	}
	w := &World{
		o: o, changed: func() {}, keys: map[[8]byte]*key{}, phones: map[string]*record.Phone{}, codes: map[string]*record.Code{},
		srp: map[[8]byte]*srp.Challenge{}, accounts: map[int64]*account{}, people: map[int64]*record.Person{}, names: map[string]int64{},
	}
	w.files.init(o)
	if o.Demo {
		w.ranges = append(w.ranges, DemoPeople())
	}
	if o.Dir != "" {
		j, err := journal.Open(o.Dir, replayed{w})
		if err != nil {
			return nil, err
		}
		w.journal = j
	}
	if w.secret == nil {
		w.secret = make([]byte, 32)
		_, _ = rand.Read(w.secret) // never fails
		w.put(&record.Record{K: record.KindSecret, Key: w.secret})
	}
	return w, w.Commit()
}

// OnChange sets what is called after a change that clients are to be told of.
func (w *World) OnChange(f func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.changed = f
}

// Close writes what is left and ends the world; people do nothing any more.
func (w *World) Close() error {
	w.mu.Lock()
	w.closed = true
	w.mu.Unlock()
	if w.journal == nil {
		return nil
	}
	return errors.Join(w.Commit(), w.journal.Close())
}

// Commit returns when everything that has happened so far would survive a kill.
func (w *World) Commit() error {
	if w.journal == nil {
		return nil
	}
	return w.journal.Commit()
}

// Events takes the events since the last call, in their order.
func (w *World) Events() []Event {
	w.mu.Lock()
	defer w.mu.Unlock()
	out := w.events
	w.events = nil
	return out
}

// Now is the time on the platform.
func (w *World) Now() time.Time { return w.o.Now() }

// put makes a change: in the journal, and in memory.
func (w *World) put(r *record.Record) {
	if w.journal != nil {
		w.journal.Add(r)
	}
	w.apply(r)
}

// do runs one change from outside of the wire, and has it told.
func (w *World) do(f func() error) error {
	w.mu.Lock()
	err := f()
	changed := w.changed
	w.mu.Unlock()
	if err == nil {
		err = w.Commit()
	}
	changed()
	return err
}

// hash is the number with which an account proves that it knows a person.
func (w *World) hash(account, person int64) int64 {
	var b [48]byte
	copy(b[:], w.secret)
	binary.LittleEndian.PutUint64(b[32:], uint64(account))
	binary.LittleEndian.PutUint64(b[40:], uint64(person))
	sum := sha256.Sum256(b[:])
	return int64(binary.LittleEndian.Uint64(sum[:])>>1 | 1)
}

// codesOf are the numbers that the platform puts before its errors; any other is 400.
var codesOf = map[string]int{
	"FLOOD_WAIT": 420, "FLOOD_PREMIUM_WAIT": 420, "SLOWMODE_WAIT": 420, "FROZEN_METHOD_INVALID": 420, "FLOOD_TEST_PHONE_WAIT": 420,
	"AUTH_KEY_UNREGISTERED": 401, "AUTH_KEY_INVALID": 401, "SESSION_REVOKED": 401, "SESSION_EXPIRED": 401,
	"SESSION_PASSWORD_NEEDED": 401, "USER_DEACTIVATED": 401, "USER_DEACTIVATED_BAN": 401, "AUTH_KEY_PERM_EMPTY": 401,
	"USER_RESTRICTED": 403, "USER_PRIVACY_RESTRICTED": 403, "CHAT_WRITE_FORBIDDEN": 403, "ALLOW_PAYMENT_REQUIRED": 403,
	"PRIVACY_PREMIUM_REQUIRED": 403, "USER_IS_BLOCKED": 403, "AUTH_KEY_DUPLICATED": 406, "PHONE_PASSWORD_FLOOD": 406,
	"RANDOM_ID_DUPLICATE": 500, "INTERNAL": 500, "RPC_CALL_FAIL": 500, "WORKER_BUSY_TOO_LONG_RETRY": 500, "TIMEOUT": 503,
}

// platform is an error of the platform by its name, which may carry a number.
func platform(name string) *tgerr.Error {
	e := tgerr.New(400, name)
	if code, ok := codesOf[e.Type]; ok {
		e.Code = code
	}
	return e
}

var (
	errUnregistered = platform("AUTH_KEY_UNREGISTERED")
	errPeer         = platform("PEER_ID_INVALID")
)

// key is an authorization key: a client, signed in or not.
type key struct {
	auth    crypto.AuthKey
	account int64 // 0 before signing in
	pending int64 // whose password is asked for
	ended   string
	dc      int // where it was made
	device  Device
}

// Device is how a client described itself.
type Device struct {
	AppID                    int
	Model, System, App, Lang string
	SystemLang               string
}
