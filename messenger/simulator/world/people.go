package world

import (
	"strconv"
	"strings"
	"time"
)

// Person is somebody on the platform.
type Person struct {
	ID       int64  `json:"id"`
	Username string `json:"username,omitempty"`
	First    string `json:"first,omitempty"`
	Last     string `json:"last,omitempty"`
	Phone    string `json:"phone,omitempty"` // of an account of this world
	Premium  bool   `json:"premium,omitempty"`
	Bot      bool   `json:"bot,omitempty"`
	Deleted  bool   `json:"deleted,omitempty"`
	// Refuses is the platform's answer to who writes to this person, as in
	// USER_IS_BLOCKED; "" takes messages.
	Refuses string `json:"refuses,omitempty"`
	// Does is what the person does after each message that is received.
	Does []Reaction `json:"does,omitempty"`
}

// Reaction is what a person does some time after a message: read it, react to it, write
// or send something back, change or delete what they wrote last, in this order.
type Reaction struct {
	After  time.Duration `json:"after"`
	Read   bool          `json:"read,omitempty"`
	React  string        `json:"react,omitempty"` // an emoji
	Say    string        `json:"say,omitempty"`
	Send   string        `json:"send,omitempty"` // the kind of a file, as Attachment.Kind
	Edit   string        `json:"edit,omitempty"` // the new text
	Delete bool          `json:"delete,omitempty"`
}

// Range is people that are not stored: they come into being when they are asked for.
type Range struct {
	// Prefix and a number without leading zeros are the username.
	Prefix  string
	From    int
	To      int
	FirstID int64 // of number From; the others follow
	// Person fills in how number n behaves; nil for people who take every message
	// and do nothing.
	Person func(n int, p *Person)
}

func (r *Range) at(n int) *Person {
	if n < r.From || n > r.To {
		return nil
	}
	p := &Person{
		ID: r.FirstID + int64(n-r.From), Username: r.Prefix + strconv.Itoa(n),
		First: firstNames[n%len(firstNames)], Last: lastNames[n/len(firstNames)%len(lastNames)],
	}
	if r.Person != nil {
		r.Person(n, p)
	}
	return p
}

func (r *Range) byName(name string) *Person {
	digits, ok := strings.CutPrefix(name, strings.ToLower(r.Prefix))
	if !ok || strings.HasPrefix(digits, "0") {
		return nil
	}
	n, err := strconv.Atoi(digits)
	if err != nil {
		return nil
	}
	return r.at(n)
}

// person finds somebody by id; nil for nobody. The result is not to be changed.
func (w *World) person(id int64) *Person {
	if p := w.people[id]; p != nil {
		return p
	}
	for i := range w.ranges {
		r := &w.ranges[i]
		if n := id - r.FirstID; n >= 0 && n <= int64(r.To-r.From) {
			return r.at(int(n) + r.From)
		}
	}
	return nil
}

// named finds who has a username now.
func (w *World) named(name string) *Person {
	name = lower(name)
	if id, ok := w.names[name]; ok {
		return w.person(id) // 0, nobody, for a name that was given up
	}
	for i := range w.ranges {
		if p := w.ranges[i].byName(name); p != nil {
			return p
		}
	}
	return nil
}

func (w *World) applyPerson(p *Person) {
	if old := w.person(p.ID); old != nil && old.Username != "" && lower(old.Username) != lower(p.Username) {
		// The name is free, also that of somebody who is not stored.
		w.names[lower(old.Username)] = 0
	}
	w.people[p.ID] = p
	if p.Username != "" {
		w.names[lower(p.Username)] = p.ID
	}
}

// AddPerson adds somebody, or changes who has the id. Without an id it gets one; a
// username moves here from whoever had it.
func (w *World) AddPerson(p Person) (id int64, err error) {
	err = w.do(func() error {
		id = w.addPerson(p).ID
		return nil
	})
	return id, err
}

func (w *World) addPerson(p Person) *Person {
	if p.ID == 0 {
		p.ID = w.freeID(800_000_000 + int64(len(w.people)))
	}
	if p.First == "" {
		p.First = "Person " + strconv.FormatInt(p.ID, 10)
	}
	if had := w.named(p.Username); p.Username != "" && had != nil && had.ID != p.ID {
		without := *had
		without.Username = ""
		w.put(&record{K: kindPerson, Person: &without})
	}
	w.put(&record{K: kindPerson, Person: &p})
	return &p
}

func (w *World) freeID(id int64) int64 {
	for w.person(id) != nil {
		id++
	}
	return id
}

// AddPeople adds people without storing each. A range is part of the program, not of
// the state: add it again after a restart.
func (w *World) AddPeople(r Range) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ranges = append(w.ranges, r)
}

// Reassign gives the username of one person to another, who is made when there is none
// with that id.
func (w *World) Reassign(username string, to int64) error {
	return w.do(func() error {
		p := w.person(to)
		if p == nil {
			p = &Person{ID: to, First: "Newcomer"}
		}
		next := *p
		next.Username = strings.TrimPrefix(username, "@")
		w.addPerson(next)
		return nil
	})
}
