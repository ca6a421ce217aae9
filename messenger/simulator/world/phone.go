package world

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/hex"
	"fmt"
	"strconv"
	"time"

	"github.com/gotd/td/crypto"

	"svc/messenger/simulator/world/record"
)

// codeLife is the platform's own time for a code.
const codeLife = 5 * time.Minute

// codeTries is how many wrong codes a sent code survives.
const codeTries = 10

// HomeOfNumber is the data centre that a number belongs to, 0 for the first.
func (w *World) HomeOfNumber(number string) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.home(number)
}

// HomeOf is the data centre that an account belongs to, 0 for the first.
func (w *World) HomeOf(id int64) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	if a := w.accounts[id]; a != nil {
		return w.home(a.phone)
	}
	return 0
}

func (w *World) home(number string) int {
	if number, err := record.NormalNumber(number); err == nil && w.phones[number] != nil {
		return w.phones[number].DC
	}
	return 0
}

// SentCode is what the platform says about a code that it sent.
type SentCode struct {
	Hash   string
	Type   string // one of the constants
	Length int
}

// AddPhone adds a number, or changes what it does. Its account, if it has one, stays.
func (w *World) AddPhone(p record.Phone) error {
	return w.do(func() error { return w.addPhone(p) })
}

func (w *World) addPhone(p record.Phone) error {
	number, err := record.NormalNumber(p.Number)
	if err != nil {
		return err
	}
	p.Number = number
	if old := w.phones[number]; p.Person.ID == 0 && old != nil {
		p.Person.ID = old.Person.ID
	}
	if p.Person.ID == 0 {
		last := number[max(1, len(number)-9):]
		n, _ := strconv.ParseInt(last, 10, 64)
		p.Person.ID = w.freeID(10_000_000_000 + n)
	}
	if p.Person.First == "" {
		p.Person.First = "Account " + number[max(1, len(number)-4):]
	}
	p.Person.Phone = number
	if !p.Unregistered {
		w.addPerson(p.Person)
	}
	w.put(&record.Record{K: record.KindPhone, Phone: &p})
	return nil
}

func (w *World) applyPhone(p *record.Phone) {
	w.phones[p.Number] = p
	if !p.Unregistered && w.accounts[p.Person.ID] == nil {
		w.accounts[p.Person.ID] = newAccount(p.Person.ID, p.Number)
	}
}

// phone finds a number; one of the demonstration begins to exist here.
func (w *World) phone(number string) (*record.Phone, error) {
	number, err := record.NormalNumber(number)
	if err != nil {
		return nil, platform("PHONE_NUMBER_INVALID")
	}
	if p := w.phones[number]; p != nil {
		return p, nil
	}
	p := record.Phone{Number: number, Unregistered: true}
	if w.o.Demo {
		if demo, ok := demoPhone(number); ok {
			p = demo
		}
	}
	if p.Unregistered {
		return &p, nil // strangers leave no trace
	}
	if err := w.addPhone(p); err != nil {
		return nil, err
	}
	return w.phones[number], nil
}

// SendCode sends a sign-in code.
func (w *World) SendCode(number string) (SentCode, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	p, err := w.phone(number)
	if err != nil {
		return SentCode{}, err
	}
	if p.Refuse != "" {
		return SentCode{}, platform(p.Refuse)
	}
	b := make([]byte, 9)
	_, _ = rand.Read(b)
	life := p.CodeLife
	if life == 0 {
		life = codeLife
	}
	w.dropCodes()
	c := &record.Code{Phone: p.Number, Hash: hex.EncodeToString(b), Ends: w.o.Now().Add(life)}
	w.put(&record.Record{K: record.KindCode, Code: c})
	if p.EffectiveCodeType() == record.CodeApp {
		w.sendCode(p)
	}
	return SentCode{Hash: c.Hash, Type: p.EffectiveCodeType(), Length: len(p.EffectiveCode())}, nil
}

// maxCodes bounds the codes on their way.
const maxCodes = 10_000

func (w *World) dropCodes() {
	if len(w.codes) < maxCodes {
		return
	}
	now := w.o.Now()
	for number, c := range w.codes {
		if c.Ends.Before(now) || len(w.codes) >= 2*maxCodes {
			delete(w.codes, number)
		}
	}
}

// serviceUser is who writes sign-in codes into the messenger.
const serviceUser = 777000

// tellCode writes the code to the clients that are signed in already, as the platform
// does. Nobody may keep these messages.
func (w *World) sendCode(p *record.Phone) {
	a := w.accounts[p.Person.ID]
	if a == nil || !w.signedIn(a.id) {
		return
	}
	w.receive(a, serviceUser, record.Message{Text: "Login code: " + p.EffectiveCode() + ". Do not give this code to anyone."})
}

func (w *World) signedIn(account int64) bool {
	for _, k := range w.keys {
		if k.account == account {
			return true
		}
	}
	return false
}

// SignIn enters a code. It answers with the account, or with what the platform says
// instead; errSignUp (ErrSignUp) when the number has no account.
func (w *World) SignIn(k crypto.AuthKey, number, hash, entered string) (int64, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	p, err := w.phone(number)
	if err != nil {
		return 0, err
	}
	if p.Refuse != "" {
		return 0, platform(p.Refuse)
	}
	c := w.codes[p.Number]
	switch {
	case entered == "":
		return 0, platform("PHONE_CODE_EMPTY")
	case c == nil || c.Hash != hash || c.Used || c.Tries >= codeTries || !w.o.Now().Before(c.Ends):
		return 0, platform("PHONE_CODE_EXPIRED")
	}
	next := *c
	if subtle.ConstantTimeCompare([]byte(entered), []byte(p.EffectiveCode())) == 0 {
		next.Tries++
		w.put(&record.Record{K: record.KindCode, Code: &next})
		return 0, platform("PHONE_CODE_INVALID")
	}
	if p.Unregistered {
		return 0, ErrSignUp
	}
	next.Used = p.Password == "" // with a password the client may come back
	w.put(&record.Record{K: record.KindCode, Code: &next})
	if p.Password != "" {
		w.put(&record.Record{K: record.KindKey, Key: k.Value[:], Pending: p.Person.ID})
		return 0, platform("SESSION_PASSWORD_NEEDED")
	}
	return p.Person.ID, w.signIn(k, p.Person.ID)
}

// ErrSignUp says that nobody has the number yet.
var ErrSignUp = platform("PHONE_NUMBER_UNOCCUPIED")

func (w *World) signIn(k crypto.AuthKey, account int64) error {
	a := w.accounts[account]
	if a == nil {
		return errUnregistered
	}
	if a.limit.Ban != "" {
		return platform(a.limit.Ban)
	}
	w.put(&record.Record{K: record.KindKey, Key: k.Value[:], Account: account})
	return nil
}

// SignInKey signs a key in without a code: sessions for tests by the thousand.
func (w *World) SignInKey(k crypto.AuthKey, number string) error {
	return w.do(func() error {
		number, err := record.NormalNumber(number)
		if err != nil {
			return err
		}
		if p := w.phones[number]; p == nil {
			p := record.Phone{Number: number}
			if demo, ok := demoPhone(number); ok && w.o.Demo {
				p = demo
			}
			if err := w.addPhone(p); err != nil {
				return err
			}
		}
		p := w.phones[number]
		if p.Unregistered {
			return fmt.Errorf("nobody has the number %s", number)
		}
		return w.signIn(k, p.Person.ID)
	})
}

// LogOut ends the session of a key. The key stays known.
func (w *World) LogOut(k crypto.AuthKey) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.put(&record.Record{K: record.KindKey, Key: k.Value[:]})
}
