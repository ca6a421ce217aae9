package world

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"svc/messenger/simulator/world/record"
	"svc/messenger/simulator/world/scene"
)

// scenes are the rules, and what was asked for by a method for the next messages.
type scenes struct {
	rules []scene.Rule
	next  []scene.Effect
	once  []scene.Rule  // for the next question of a kind
	delay time.Duration // of every answer
}

// send lets scenes act on a message that is about to be taken.
func (s *scenes) send(w *World, a *account) (fate scene.Fate, taken bool, err error) {
	fate.Delay = s.delay
	taken = true
	if len(s.next) > 0 {
		e := s.next[0]
		s.next = s.next[1:]
		taken, err = w.act(a, &e, &fate)
	}
	for i := range s.rules {
		if r := &s.rules[i]; err == nil && taken && r.Acts(scene.Sends, a.phone, a.tries) {
			taken, err = w.act(a, &r.Does, &fate)
		}
	}
	if kind, ok := demoKind(a.phone); ok && w.o.Demo {
		for i := range demoScenes {
			if d := &demoScenes[i]; d.kind == kind && err == nil && taken && d.rule.Acts(scene.Sends, a.phone, a.tries) {
				taken, err = w.act(a, &d.rule.Does, &fate)
			}
		}
	}
	if err != nil || !taken {
		w.setLimit(a, a.limit) // the count goes into the journal with it
	}
	return fate, taken, err
}

// asked lets scenes act on a question, the n-th of its kind.
func (s *scenes) asked(w *World, a *account, what scene.Counted, n int) error {
	if i := slices.IndexFunc(s.once, func(r scene.Rule) bool { return r.What == what }); i >= 0 {
		r := s.once[i]
		s.once = slices.Delete(s.once, i, i+1)
		if _, err := w.act(a, &r.Does, &scene.Fate{}); err != nil {
			return err
		}
	}
	for i := range s.rules {
		if r := &s.rules[i]; r.Acts(what, a.phone, n) {
			if _, err := w.act(a, &r.Does, &scene.Fate{}); err != nil {
				return err
			}
		}
	}
	return nil
}

// FailQuestion answers the next question of a kind, as scripts count them (parts, dialogs,
// histories, resolves, books), with an error of the platform.
func (w *World) FailQuestion(kind, name string) error {
	what := scene.CountedWords[kind]
	if what == 0 {
		return fmt.Errorf("%q is nothing that is asked for", kind)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.scenes.once = append(w.scenes.once, scene.Rule{What: what, Does: scene.Effect{Fail: name}})
	return nil
}

// question counts what an account asks for, and lets scenes act on it.
func (w *World) question(a *account, what scene.Counted) error {
	a.asks[what]++
	return w.scenes.asked(w, a, what, a.asks[what])
}

// act carries out an effect on a request. Not taken without an error leaves it to its
// fate.
func (w *World) act(a *account, e *scene.Effect, fate *scene.Fate) (taken bool, err error) {
	fate.Delay += e.Fate.Delay
	fate.Loss = max(fate.Loss, e.Fate.Loss)
	if e.Expire {
		w.put(&record.Record{K: record.KindEpoch, N: w.files.epoch + 1})
	}
	if e.Fail != "" {
		return false, platform(e.Fail)
	}
	w.impose(a, e)
	switch {
	case e.Ban != "":
		return false, platform(e.Ban)
	case e.Revoke != "":
		return false, platform(e.Revoke)
	case e.Forget:
		fate.Loss = scene.Dropped
		return false, nil
	}
	return !e.Lost, w.limited(a)
}

// impose changes what the account may do.
func (w *World) impose(a *account, e *scene.Effect) {
	l := a.limit
	switch {
	case e.Sends > 0:
		l.Seconds, l.Sends, l.Premium = e.Seconds, e.Sends, e.Premium
	case e.Seconds > 0:
		l.Until, l.Premium = w.o.Now().Add(time.Duration(e.Seconds)*time.Second), e.Premium
	}
	if e.Restrict != "" {
		l.Refuse = e.Restrict
	}
	if e.Ban != "" {
		l.Ban = e.Ban
	}
	if l != a.limit {
		w.setLimit(a, l)
	}
	if e.Revoke != "" || e.Forget {
		w.endSessions(a, e.Revoke)
	}
}

// account finds an account by its number.
func (w *World) account(number string) (*account, error) {
	p, err := w.phone(number)
	if err != nil {
		return nil, unknown(number)
	}
	a := w.accounts[p.Person.ID]
	if a == nil {
		return nil, unknown(number)
	}
	return a, nil
}

// who finds a person by @username, by id, or by the number of an account.
func (w *World) who(name string) (*record.Person, error) {
	var p *record.Person
	switch {
	case name == "":
	case name[0] == '@':
		p = w.named(name)
	case name[0] == '+':
		if a, err := w.account(name); err == nil {
			p = w.person(a.id)
		}
	default:
		if id, err := strconv.ParseInt(name, 10, 64); err == nil {
			p = w.person(id)
		}
	}
	if p == nil {
		return nil, unknown(name)
	}
	return p, nil
}

// AccountID is the id of the account with a number.
func (w *World) AccountID(number string) (int64, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	a, err := w.account(number)
	if err != nil {
		return 0, err
	}
	return a.id, nil
}

// Number is that of an account.
func (w *World) Number(id int64) (string, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	a := w.accounts[id]
	if a == nil {
		return "", unknown(strconv.FormatInt(id, 10))
	}
	return a.phone, nil
}

// Find is the id of a person by @username or by id.
func (w *World) Find(name string) (int64, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	p, err := w.who(name)
	if err != nil {
		return 0, err
	}
	return p.ID, nil
}
