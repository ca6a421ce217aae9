package world

import (
	"fmt"
	"slices"
	"strconv"
	"time"
)

// when says at which of the counted requests of an account a rule acts.
type when uint8

const (
	at    when = iota + 1 // at the n-th
	after                 // at each one after n
	every                 // at every n-th
)

// counted is what a rule counts.
type counted uint8

const (
	sends counted = iota + 1
	resolves
	books
	parts // of files, that are asked for
	dialogs
	histories

	countedKinds
)

// countedWords name what is counted in a script.
var countedWords = map[string]counted{
	"sends": sends, "send": sends, "resolves": resolves, "resolve": resolves, "books": books, "book": books,
	"parts": parts, "part": parts, "dialogs": dialogs, "histories": histories, "history": histories,
}

// rule is one line of a script that waits for its moment. Requests are counted for each
// account by itself.
type rule struct {
	when   when
	n      int
	what   counted
	number string // "" for every account
	does   effect
}

func (r *rule) acts(what counted, a *account, n int) bool {
	switch {
	case r.what != what || r.number != "" && r.number != a.phone:
		return false
	case r.when == after && r.does.lasting():
		return n == r.n+1
	case r.when == after:
		return n > r.n
	case r.when == every:
		return n%r.n == 0
	}
	return n == r.n
}

// effect is what a scene does to an account or to one request.
type effect struct {
	seconds  int    // of a flood
	sends    int    // answered with it, 0 for as long as it lasts
	premium  bool   // FLOOD_PREMIUM_WAIT
	restrict string // answer to every message from now on
	ban      string // answer to every request from now on
	revoke   string // how the sessions end
	forget   bool   // the keys
	fail     string // answer to this request
	expire   bool   // every reference to a file expires
	fate     Fate
	lost     bool // the message is not taken
}

// lasting effects act once: what they change stays.
func (e *effect) lasting() bool {
	return e.seconds > 0 || e.restrict != "" || e.ban != "" || e.revoke != "" || e.forget
}

// scenes are the rules, and what was asked for by a method for the next messages.
type scenes struct {
	rules []rule
	next  []effect
	once  []rule        // for the next question of a kind
	delay time.Duration // of every answer
}

// send lets scenes act on a message that is about to be taken.
func (s *scenes) send(w *World, a *account) (fate Fate, taken bool, err error) {
	fate.Delay = s.delay
	taken = true
	if len(s.next) > 0 {
		e := s.next[0]
		s.next = s.next[1:]
		taken, err = w.act(a, &e, &fate)
	}
	for i := range s.rules {
		if r := &s.rules[i]; err == nil && taken && r.acts(sends, a, a.tries) {
			taken, err = w.act(a, &r.does, &fate)
		}
	}
	if kind, ok := demoKind(a.phone); ok && w.o.Demo {
		for i := range demoScenes {
			if d := &demoScenes[i]; d.kind == kind && err == nil && taken && d.rule.acts(sends, a, a.tries) {
				taken, err = w.act(a, &d.rule.does, &fate)
			}
		}
	}
	if err != nil || !taken {
		w.setLimit(a, a.limit) // the count goes into the journal with it
	}
	return fate, taken, err
}

// asked lets scenes act on a question, the n-th of its kind.
func (s *scenes) asked(w *World, a *account, what counted, n int) error {
	if i := slices.IndexFunc(s.once, func(r rule) bool { return r.what == what }); i >= 0 {
		r := s.once[i]
		s.once = slices.Delete(s.once, i, i+1)
		if _, err := w.act(a, &r.does, &Fate{}); err != nil {
			return err
		}
	}
	for i := range s.rules {
		if r := &s.rules[i]; r.acts(what, a, n) {
			if _, err := w.act(a, &r.does, &Fate{}); err != nil {
				return err
			}
		}
	}
	return nil
}

// FailQuestion answers the next question of a kind, as scripts count them (parts, dialogs,
// histories, resolves, books), with an error of the platform.
func (w *World) FailQuestion(kind, name string) error {
	what := countedWords[kind]
	if what == 0 {
		return fmt.Errorf("%q is nothing that is asked for", kind)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.scenes.once = append(w.scenes.once, rule{what: what, does: effect{fail: name}})
	return nil
}

// question counts what an account asks for, and lets scenes act on it.
func (w *World) question(a *account, what counted) error {
	a.asks[what]++
	return w.scenes.asked(w, a, what, a.asks[what])
}

// act carries out an effect on a request. Not taken without an error leaves it to its
// fate.
func (w *World) act(a *account, e *effect, fate *Fate) (taken bool, err error) {
	fate.Delay += e.fate.Delay
	fate.Loss = max(fate.Loss, e.fate.Loss)
	if e.expire {
		w.put(&record{K: kindEpoch, N: w.files.epoch + 1})
	}
	if e.fail != "" {
		return false, platform(e.fail)
	}
	w.impose(a, e)
	switch {
	case e.ban != "":
		return false, platform(e.ban)
	case e.revoke != "":
		return false, platform(e.revoke)
	case e.forget:
		fate.Loss = Dropped
		return false, nil
	}
	return !e.lost, w.limited(a)
}

// impose changes what the account may do.
func (w *World) impose(a *account, e *effect) {
	l := a.limit
	switch {
	case e.sends > 0:
		l.Seconds, l.Sends, l.Premium = e.seconds, e.sends, e.premium
	case e.seconds > 0:
		l.Until, l.Premium = w.o.Now().Add(time.Duration(e.seconds)*time.Second), e.premium
	}
	if e.restrict != "" {
		l.Refuse = e.restrict
	}
	if e.ban != "" {
		l.Ban = e.ban
	}
	if l != a.limit {
		w.setLimit(a, l)
	}
	if e.revoke != "" || e.forget {
		w.endSessions(a, e.revoke)
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
func (w *World) who(name string) (*Person, error) {
	var p *Person
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
