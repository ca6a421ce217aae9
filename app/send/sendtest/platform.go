// Package sendtest stands in for the outside world in tests of package send and of what
// stands on it: a platform that takes messages as a test says.
package sendtest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"svc/messenger"
)

// Accepted is a message that the platform of a test took.
type Accepted struct {
	Account string // the session's name
	messenger.Message
	At time.Duration // since the test began
}

// Platform stands in for the outside world: it takes each number once for an account.
type Platform struct {
	Names   map[string]int64 // whose usernames are
	mu      sync.Mutex
	Begun   time.Time
	log     []Accepted
	Tries   int
	ids     map[string]bool
	busy    map[string]bool
	Overlap bool // an account sent two messages at a time
	open    map[string]int
	Twice   bool // an account had two connections at a time
	// answer decides what becomes of a try; nil takes all. took says whether the
	// platform took the message whatever it answers.
	Answer func(ctx context.Context, a Accepted) (took bool, err error)
}

// Kind implements messenger.Driver.
func (p *Platform) Kind() messenger.Kind { return messenger.Simulator }

// SendCode implements messenger.Driver.
func (p *Platform) SendCode(_ context.Context, _ messenger.Route, phone string) (messenger.Step, error) {
	return messenger.Step{Kind: messenger.CodeSent, CodeType: "app", State: []byte(phone)}, nil
}

// EnterCode implements messenger.Driver: every code is right.
func (p *Platform) EnterCode(_ context.Context, _ messenger.Route, state []byte, _ string) (messenger.Step, error) {
	id := int64(0)
	_, _ = fmt.Sscanf(string(state), "+%d", &id)
	return messenger.Step{Kind: messenger.Completed, Session: state, Self: messenger.Profile{ID: id, FirstName: "Account"}}, nil
}

// EnterPassword implements messenger.Driver.
func (p *Platform) EnterPassword(context.Context, messenger.Route, []byte, string) (messenger.Step, error) {
	return messenger.Step{}, errors.New("no password is asked for")
}

// CheckRoute implements messenger.Driver.
func (p *Platform) CheckRoute(context.Context, messenger.Route) (time.Duration, error) { return 0, nil }

// Connect implements messenger.Driver.
func (p *Platform) Connect(_ context.Context, a messenger.Account) (messenger.Conn, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.open[string(a.Session)]++
	p.Twice = p.Twice || p.open[string(a.Session)] > 1
	return &line{p: p, account: string(a.Session), done: make(chan struct{})}, nil
}

// line is a connection to a Platform.
type line struct {
	messenger.Conn // what sending never asks
	p              *Platform
	account        string
	done           chan struct{}
	once           sync.Once
}

func (l *line) Check(context.Context) (messenger.Profile, error) {
	id := int64(0)
	_, _ = fmt.Sscanf(l.account, "+%d", &id)
	return messenger.Profile{ID: id, FirstName: "Account"}, nil
}

func (l *line) LogOut(context.Context) error { return nil }

func (l *line) Done() <-chan struct{} { return l.done }

func (l *line) Err() error { return nil }

func (l *line) Online() bool { return true }

func (l *line) Close() error {
	l.once.Do(func() {
		close(l.done)
		l.p.mu.Lock()
		defer l.p.mu.Unlock()
		l.p.open[l.account]--
	})
	return nil
}

func (l *line) Send(ctx context.Context, m messenger.Message) (messenger.Sent, error) {
	p := l.p
	a := Accepted{l.account, m, time.Since(p.Begun)}
	p.mu.Lock()
	p.Tries++
	p.Overlap = p.Overlap || p.busy[l.account]
	p.busy[l.account] = true
	answer := p.Answer
	p.mu.Unlock()
	took, err := true, error(nil)
	peer := m.To.ID
	if peer == 0 { // whose the username is
		peer = p.Names[m.To.Username]
	}
	if m.Object != nil {
		err = m.Object(ctx, messenger.Peer{ID: peer})
		took = err == nil
	}
	if took && answer != nil {
		took, err = answer(ctx, a)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.busy[l.account] = false
	sent := messenger.Sent{At: time.Now(), Peer: messenger.Peer{ID: peer, Username: m.To.Username}}
	if took {
		id := fmt.Sprint(l.account, m.RandomIDs)
		if sent.Duplicate = p.ids[id]; !sent.Duplicate {
			p.ids[id] = true
			p.log = append(p.log, a)
			sent.MessageID = len(p.log)
		}
	}
	return sent, err
}

// Accept sets what becomes of tries.
func (p *Platform) Accept(f func(ctx context.Context, a Accepted) (bool, error)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.Answer = f
}

// Took are the messages that the platform has taken since the last call.
func (p *Platform) Took() []Accepted {
	p.mu.Lock()
	defer p.mu.Unlock()
	out := p.log
	p.log = nil
	return out
}

// New makes a platform that takes everything.
func New() *Platform {
	return &Platform{Begun: time.Now(), ids: map[string]bool{}, busy: map[string]bool{}, open: map[string]int{}}
}

// Tried is how many tries there were.
func (p *Platform) Tried() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.Tries
}
