package world

import (
	"fmt"
	"time"

	"svc/messenger/simulator/world/record"
	"svc/messenger/simulator/world/scene"
)

// unknown says that nobody is called so.
func unknown(who string) error {
	return fmt.Errorf("%q is nobody here: name a person as @username or by id, an account by its number", who)
}

// on runs a scene for the account of a number.
func (w *World) on(number string, f func(a *account)) error {
	return w.do(func() error {
		a, err := w.account(number)
		if err != nil {
			return err
		}
		f(a)
		return nil
	})
}

// between runs a scene for a person and the account of a number.
func (w *World) between(person, number string, f func(p *record.Person, a *account)) error {
	return w.do(func() error {
		p, err := w.who(person)
		if err != nil {
			return err
		}
		a, err := w.account(number)
		if err != nil {
			return err
		}
		f(p, a)
		return nil
	})
}

// Flood makes an account wait before it may write again. With sends above 0 this many
// messages are answered with the whole wait, however late they come.
func (w *World) Flood(number string, wait time.Duration, sends int) error {
	return w.on(number, func(a *account) {
		w.impose(a, &scene.Effect{Seconds: int((wait + time.Second - 1) / time.Second), Sends: sends})
	})
}

// Restrict lets the platform answer every message of an account with name, as in
// PEER_FLOOD, USER_RESTRICTED or FROZEN_METHOD_INVALID.
func (w *World) Restrict(number, name string) error {
	return w.on(number, func(a *account) { w.impose(a, &scene.Effect{Restrict: name}) })
}

// Freeze is Restrict with the platform's answer to a frozen account.
func (w *World) Freeze(number string) error { return w.Restrict(number, "FROZEN_METHOD_INVALID") }

// Ban lets the platform answer every request of an account with name, as in
// USER_DEACTIVATED_BAN.
func (w *World) Ban(number, name string) error {
	return w.on(number, func(a *account) { w.impose(a, &scene.Effect{Ban: name}) })
}

// Lift ends every limit of an account.
func (w *World) Lift(number string) error {
	return w.on(number, func(a *account) { w.setLimit(a, record.Limit{}) })
}

// Revoke ends the sessions of an account, as its owner would from another client:
// requests are answered with AUTH_KEY_UNREGISTERED.
func (w *World) Revoke(number string) error {
	return w.on(number, func(a *account) { w.endSessions(a, "AUTH_KEY_UNREGISTERED") })
}

// Forget makes the platform forget the keys of an account and closes its connections.
func (w *World) Forget(number string) error {
	return w.on(number, func(a *account) { w.endSessions(a, "") })
}

// Kick closes the connections of an account. Its clients come back.
func (w *World) Kick(number string) error {
	return w.on(number, func(a *account) { w.events = append(w.events, Event{Account: a.id, Kick: true}) })
}

// Lose keeps the next n updates of an account from being pushed: a gap in its sequence.
func (w *World) Lose(number string, n int) error {
	return w.on(number, func(a *account) { a.lose += n })
}

// Next messages, of whatever account, meet a fate. Taken says whether the message
// arrives.
func (w *World) Next(n int, fate scene.Fate, taken bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for range n {
		w.scenes.next = append(w.scenes.next, scene.Effect{Fate: fate, Lost: !taken})
	}
}

// AckButDoNotAnswer takes the next n messages, acknowledges and never answers them.
func (w *World) AckButDoNotAnswer(n int) { w.Next(n, scene.Fate{Loss: scene.Unanswered}, true) }

// Drop takes the next n messages and ends their connections instead of answering.
func (w *World) Drop(n int) { w.Next(n, scene.Fate{Loss: scene.Dropped}, true) }

// DropBefore ends the connections of the next n messages before they are taken.
func (w *World) DropBefore(n int) { w.Next(n, scene.Fate{Loss: scene.Dropped}, false) }

// Fail answers the next n messages with an error of the platform, as in INTERNAL.
func (w *World) Fail(n int, name string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for range n {
		w.scenes.next = append(w.scenes.next, scene.Effect{Fail: name})
	}
}

// Delay answers every message this much later, from now on.
func (w *World) Delay(d time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.scenes.delay = d
}

// ExpireFiles makes every reference to an uploaded file expire.
func (w *World) ExpireFiles() error {
	return w.do(func() error {
		w.put(&record.Record{K: record.KindEpoch, N: w.files.epoch + 1})
		return nil
	})
}

// Say lets a person write to an account. from is @username or an id; the result is the
// message as the account has it.
func (w *World) Say(from, number, text string) (*record.Message, error) {
	return w.say(from, number, record.Message{Text: text})
}

// SayShort is Say with the platform's short form of the update, which does not describe
// the person.
func (w *World) SayShort(from, number, text string) (*record.Message, error) {
	return w.say(from, number, record.Message{Text: text, Short: true})
}

func (w *World) say(from, number string, m record.Message) (out *record.Message, err error) {
	err = w.between(from, number, func(p *record.Person, a *account) { out = w.receive(a, p.ID, m) })
	return out, err
}

// Answer is Say in reply to a message of the account.
func (w *World) Answer(from, number, text string, replyTo int) (*record.Message, error) {
	return w.say(from, number, record.Message{Text: text, ReplyTo: replyTo})
}

// Type is what the owner of an account writes to a person in the messenger's own app.
func (w *World) Type(number, to, text string) (out *record.Message, err error) {
	err = w.between(to, number, func(p *record.Person, a *account) {
		out = &record.Message{ID: a.lastID + 1, Peer: p.ID, Out: true, At: w.o.Now().Unix(), Text: text}
		w.put(&record.Record{K: record.KindMessage, Account: a.id, Message: out, Pts: a.pts + 1})
		w.emit(a, nil)
	})
	return out, err
}

// Read lets a person read what an account wrote, up to a message; 0 is everything.
func (w *World) Read(number, person string, upTo int) error {
	return w.between(person, number, func(p *record.Person, a *account) {
		w.seen(a, p.ID, a.lastOf(p.ID, true, upTo))
	})
}

// Edit changes the text of a message that an account has.
func (w *World) Edit(number string, id int, text string) error {
	return w.do(func() error {
		a, err := w.account(number)
		if err != nil {
			return err
		}
		m := a.find(id)
		if m == nil {
			return fmt.Errorf("%s has no message %d", number, id)
		}
		w.edit(a, m, text)
		return nil
	})
}

func (w *World) edit(a *account, m *record.Message, text string) {
	next := *m
	next.Text, next.Entities, next.EditedAt = text, nil, w.o.Now().Unix()
	w.put(&record.Record{K: record.KindEdit, Account: a.id, Message: &next, Pts: a.pts + 1})
	w.emit(a, nil)
}

// Unsend removes messages that an account has, for both sides.
func (w *World) Unsend(number string, ids ...int) error {
	return w.do(func() error {
		a, err := w.account(number)
		if err != nil {
			return err
		}
		_, _, err = w.remove(a, ids, nil)
		return err
	})
}

// AddContact puts a person into the address book of an account.
func (w *World) AddContact(number, person string) error {
	return w.between(person, number, func(p *record.Person, a *account) {
		w.put(&record.Record{K: record.KindContact, Account: a.id, Peer: p.ID})
	})
}

// Newest is the id of the newest message of one side of a chat.
func (w *World) Newest(number, person string, out bool) (id int, err error) {
	bad := w.between(person, number, func(p *record.Person, a *account) {
		if id = a.lastOf(p.ID, out, 0); id == 0 {
			err = fmt.Errorf("there is no such message in the chat of %s with %s", number, person)
		}
	})
	if bad != nil {
		return 0, bad
	}
	return id, err
}

// ChangePhone adds a number, or changes what it does.
func (w *World) ChangePhone(number string, change func(*record.Phone) error) error {
	return w.do(func() error {
		p := record.Phone{Number: number}
		if old := w.phones[number]; old != nil {
			p = *old
			if who := w.person(old.Person.ID); who != nil {
				p.Person = *who
			}
		}
		if err := change(&p); err != nil {
			return err
		}
		return w.addPhone(p)
	})
}

// ChangePerson changes somebody, by @username or by id, or adds somebody who is not known.
func (w *World) ChangePerson(name string, change func(p *record.Person, known bool) error) (id int64, err error) {
	err = w.do(func() error {
		p := record.Person{}
		old, err := w.who(name)
		if err == nil {
			p = *old
		}
		if err := change(&p, err == nil); err != nil {
			return err
		}
		id = w.addPerson(p).ID
		return nil
	})
	return id, err
}

// AddRule adds a scene that waits for its moment.
func (w *World) AddRule(r scene.Rule) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.scenes.rules = append(w.scenes.rules, r)
}

// Impose does something to an account at once.
func (w *World) Impose(number string, e scene.Effect) error {
	return w.on(number, func(a *account) { w.impose(a, &e) })
}

// Script sets scenes from text (scene.Run).
func (w *World) Script(text string) error { return scene.Run(w, text) }
