package webtest

import (
	"context"
	"encoding/json"
	"regexp"
	"sync"
	"time"

	"svc/messenger"
	"svc/messenger/simulator/world"
)

// arriveWithin is how long a story waits for what the messenger pushes. What never comes
// (a scene lost it) is no failure of the wait.
const arriveWithin = 2 * time.Second

// arrivals knows up to where each account with inbound messages has taken the messenger's
// updates.
type arrivals struct {
	mu    sync.Mutex
	taken map[int64]int // pts by account
	conns map[int64]int
}

// listening is a driver whose accounts tell arrivals what they took.
type listening struct {
	messenger.Driver
	of    *arrivals
	world *world.World
}

// Connect implements messenger.Driver.
func (l listening) Connect(ctx context.Context, a messenger.Account) (messenger.Conn, error) {
	var session struct{ Data struct{ AuthKeyID []byte } }
	if a.Inbound == nil || json.Unmarshal(a.Session, &session) != nil || len(session.Data.AuthKeyID) != 8 {
		return l.Driver.Connect(ctx, a)
	}
	id, err := l.world.AccountOf([8]byte(session.Data.AuthKeyID))
	if err != nil {
		return l.Driver.Connect(ctx, a)
	}
	state, err := a.State.UpdateState(ctx)
	if err != nil {
		return nil, err
	}
	l.of.took(id, state)
	a.State = taking{a.State, l.of, id}
	c, err := l.Driver.Connect(ctx, a)
	if err != nil {
		return nil, err
	}
	l.of.count(id, 1)
	go func() {
		<-c.Done()
		l.of.count(id, -1)
	}()
	return c, nil
}

// taking is the memory of an account, which is told when updates were taken.
type taking struct {
	messenger.StateStore
	of *arrivals
	id int64
}

// SaveUpdateState implements messenger.StateStore.
func (t taking) SaveUpdateState(ctx context.Context, state []byte) error {
	err := t.StateStore.SaveUpdateState(ctx, state)
	if err == nil {
		t.of.took(t.id, state)
	}
	return err
}

func (a *arrivals) took(id int64, state []byte) {
	var s struct{ Pts int }
	if json.Unmarshal(state, &s) != nil {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.taken == nil {
		a.taken, a.conns = map[int64]int{}, map[int64]int{}
	}
	a.taken[id] = max(a.taken[id], s.Pts)
}

func (a *arrivals) count(id int64, n int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.taken == nil {
		a.taken, a.conns = map[int64]int{}, map[int64]int{}
	}
	a.conns[id] += n
}

// wait returns when every account that is connected has taken what its messenger has, or
// after a while.
func (a *arrivals) wait(w *world.World) {
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for end := time.Now().Add(arriveWithin); time.Now().Before(end) && a.behind(w.Places()); {
		<-tick.C
	}
}

// connected waits until an account is connected that somebody writes to, or for a while: one
// that was told to listen a moment ago connects in the background, and until then a story
// cannot tell that it has not taken the message yet.
func (a *arrivals) connected(w *world.World, scene string) {
	to := written.FindStringSubmatch(scene)
	if to == nil {
		return
	}
	id, _ := w.AccountID(to[1])
	there := func() bool {
		a.mu.Lock()
		defer a.mu.Unlock()
		return a.conns[id] > 0
	}
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for end := time.Now().Add(arriveWithin); id != 0 && !there() && time.Now().Before(end); {
		<-tick.C
	}
}

// written is the scene in which somebody writes to a number.
var written = regexp.MustCompile(`^now @\S+ (?:says|sends) .*to (\+\d+)`)

func (a *arrivals) behind(places map[int64]int) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	for id, pts := range places {
		if a.conns[id] > 0 && a.taken[id] < pts {
			return true
		}
	}
	return false
}

// ClockSkew implements messenger.Clocked.
func (l listening) ClockSkew() (time.Duration, bool) {
	c, ok := l.Driver.(messenger.Clocked)
	if !ok {
		return 0, false
	}
	return c.ClockSkew()
}

// People implements messenger.Populated.
func (l listening) People() messenger.People {
	p, ok := l.Driver.(messenger.Populated)
	if !ok {
		return nil
	}
	return p.People()
}
