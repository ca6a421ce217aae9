// Package messengertest holds what every driver of package messenger must pass (Run),
// a memory and an inbox to drive one with, and real proxy servers (StartProxy).
//
// It promises that each case asserts what the caller of a driver relies on, seen from
// both sides: what the driver answered, and what the platform's own log says arrived. It
// refuses to know how a platform works inside: a Platform sets the scenes.
package messengertest

import (
	"context"
	"fmt"
	"testing"
	"time"

	"svc/messenger"
)

// Phone is a number that can sign in.
type Phone struct {
	Number, Code, Password, Hint string
	CodeType                     string // as messenger.Step.CodeType
	// Refuse is the platform's answer to who asks for a code, as in
	// PHONE_NUMBER_BANNED; "" sends one.
	Refuse       string
	Unregistered bool
	Expired      bool  // its codes are too old
	ID           int64 // of its owner
	Username     string
	// Elsewhere: it belongs to another data centre than that where clients begin, which
	// sends them there.
	Elsewhere bool
}

// Person is somebody to write to.
type Person struct {
	ID              int64
	Username, First string
	Bot, Deleted    bool
	// Refuses is the platform's answer to who writes to this person, as in
	// USER_IS_BLOCKED; "" takes messages.
	Refuses string
}

// Taken is one message in the platform's own log.
type Taken struct {
	Account   string // the number
	Peer      int64
	RandomID  int64
	MessageID int
	Text      string
	File      string // names its content; "" for none
	Group     int64  // the same for the messages of an album, 0 for others
	ReplyTo   int
}

// Content is what somebody sends. Several files are one album.
type Content struct {
	Out      bool // by the owner of the account
	Text     string
	Entities []messenger.Entity
	Files    []Attachment
	Location *messenger.Location
	Contact  *messenger.ContactCard
	// Forwarded says that somebody else wrote it first: who has that id, or that name, or
	// neither for somebody who hides.
	Forwarded     bool
	ForwardedFrom int64
	ForwardedName string
	ReplyTo       int
}

// Attachment is a file of a message, with what the sender says about it.
type Attachment struct {
	messenger.Media
	Content []byte
}

// Platform is a messenger that a test may tell what to do. Accounts are named by their
// number, people by @username or id.
type Platform interface {
	// Driver makes a driver that reaches this platform.
	Driver() messenger.Driver
	// Address is where it listens, for proxies that need to know.
	Address() string
	AddPhone(t testing.TB, p Phone)
	AddPerson(t testing.TB, p Person)
	// Session is a ready session of a number that AddPhone added.
	Session(t testing.TB, number string) []byte
	// Taken is every message that was accepted, in order.
	Taken(t testing.TB) []Taken
	// Say lets a person write; the id is that of the message at the account. Short
	// leaves out who the person is, as platforms do.
	Say(t testing.TB, from, number, text string, short bool) (id int)
	// Type is what the owner writes in the messenger's own app.
	Type(t testing.TB, number, to, text string) (id int)
	// Tell is Say, or with Content.Out Type, for everything that people send; the ids are
	// those at the account.
	Tell(t testing.TB, person, number string, c Content) (ids []int)
	// React lets a person react to a message of an account, or the owner with "".
	React(number string, id int, person, emoji string) error
	// ReadOwn lets the owner read what a person wrote, in the messenger's own app.
	ReadOwn(number, person string, upTo int) error
	// Unread is how many messages of a person the account has not read.
	Unread(t testing.TB, number, person string) int
	// FailQuestion answers the next question for parts of files, dialogs or histories, as
	// these words name them, with an error.
	FailQuestion(kind, name string) error

	Flood(number string, wait time.Duration, sends int) error
	Restrict(number, name string) error
	Ban(number, name string) error
	Revoke(number string) error // from another client
	Forget(number string) error // its keys, as after a loss at the platform
	Kick(number string) error   // ends the connections
	Lose(number string, updates int) error
	Read(number, person string, upTo int) error
	Edit(number string, id int, text string) error
	Unsend(number string, ids ...int) error
	Reassign(username string, to int64) error
	AddContact(number, person string) error // to the account's address book
	ExpireFiles() error
	// What the next n messages meet: taken and never answered; taken and the
	// connection ends; the connection ends and they are not taken; an error.
	AckButDoNotAnswer(n int)
	Drop(n int)
	DropBefore(n int)
	Fail(n int, name string)
}

// Run holds a driver against what its callers rely on.
func Run(t *testing.T, start func(t *testing.T) Platform) {
	for _, group := range []struct {
		name  string
		cases []testCase
	}{
		{"sign-in", signInCases},
		{"send", sendCases},
		{"address book", bookCases},
		{"files", fileCases},
		{"connection", connectionCases},
		{"inbound", inboundCases},
		{"content", contentCases},
		{"download", downloadCases},
		{"history", historyCases},
		{"routes", routeCases},
	} {
		t.Run(group.name, func(t *testing.T) {
			for _, c := range group.cases {
				t.Run(c.name, func(t *testing.T) {
					ctx, cancel := context.WithTimeout(t.Context(), patience)
					defer cancel()
					p := start(t)
					c.run(&stage{T: t, Platform: p, ctx: ctx, driver: p.Driver()})
				})
			}
		})
	}
}

// patience bounds a case: with the race detector on a busy machine some take a while.
const patience = 3 * time.Minute

type testCase struct {
	name string
	run  func(s *stage)
}

// stage is what a case plays on.
type stage struct {
	*testing.T
	Platform
	ctx    context.Context
	driver messenger.Driver
}

// The account and the people that most cases use.
const (
	number = "+998901234567"
	owner  = 700
	ali    = 1001
	vali   = 1002
)

// account adds the usual number and two people, and connects.
func (s *stage) account(in messenger.Inbound) (messenger.Conn, *StateStore) {
	s.Helper()
	s.people()
	m := NewStateStore()
	return s.connect(m, in), m
}

func (s *stage) people() {
	s.Helper()
	s.AddPhone(s.T, Phone{Number: number, ID: owner, Username: "owner_name"})
	s.AddPerson(s.T, Person{ID: ali, Username: "ali_karim", First: "Ali"})
	s.AddPerson(s.T, Person{ID: vali, Username: "vali_karim", First: "Vali"})
}

// connect opens a connection with what m remembers, or with a new session.
func (s *stage) connect(m *StateStore, in messenger.Inbound) messenger.Conn {
	s.Helper()
	if m.Session() == nil {
		_ = m.SaveSession(s.ctx, s.Session(s.T, number))
	}
	c, err := s.driver.Connect(s.ctx, messenger.Account{Session: m.Session(), State: m, Inbound: in})
	if err != nil {
		s.Fatalf("connect: %v", err)
	}
	s.Cleanup(func() { _ = c.Close() })
	return c
}

// text is a message to somebody.
func text(to messenger.Target, words string, random ...int64) messenger.Message {
	return messenger.Message{To: to, Text: words, RandomIDs: random}
}

// fault asserts what an error means; no code leaves it open.
func (s *stage) fault(err error, want messenger.Fault, code string) {
	s.Helper()
	_ = s.refused(err, want, code)
}

// refused is fault for who wants to know more of the error.
func (s *stage) refused(err error, want messenger.Fault, code string) *messenger.Error {
	s.Helper()
	e := messenger.As(err)
	if e == nil || e.Fault != want || code != "" && e.Code != code {
		s.Fatalf("error %s: want fault %d %s", describe(err), want, code)
	}
	return e
}

func describe(err error) string {
	if e := messenger.As(err); e != nil {
		return fmt.Sprintf("fault %d code %s wait %s cause %v", e.Fault, e.Code, e.Wait, e.Cause)
	}
	return fmt.Sprintf("%T %v", err, err)
}

// eventually waits until something is true.
func (s *stage) eventually(what string, ok func() bool) {
	s.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for !ok() {
		select {
		case <-tick.C:
		case <-s.ctx.Done():
			s.Fatalf("never happened: %s", what)
		}
	}
}

// texts are those of the platform's log, in order.
func (s *stage) texts() []string {
	var out []string
	for _, m := range s.Taken(s.T) {
		out = append(out, m.Text)
	}
	return out
}
