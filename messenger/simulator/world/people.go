package world

import (
	"strconv"
	"strings"

	"svc/messenger/simulator/world/record"
)

// person finds somebody by id; nil for nobody. The result is not to be changed.
func (w *World) person(id int64) *record.Person {
	if p := w.people[id]; p != nil {
		return p
	}
	for i := range w.ranges {
		r := &w.ranges[i]
		if n := id - r.FirstID; n >= 0 && n <= int64(r.To-r.From) {
			return r.At(int(n) + r.From)
		}
	}
	return nil
}

// named finds who has a username now.
func (w *World) named(name string) *record.Person {
	name = record.FoldUsername(name)
	if id, ok := w.names[name]; ok {
		return w.person(id) // 0, nobody, for a name that was given up
	}
	for i := range w.ranges {
		if p := w.ranges[i].ByName(name); p != nil {
			return p
		}
	}
	return nil
}

func (w *World) applyPerson(p *record.Person) {
	if old := w.person(p.ID); old != nil && old.Username != "" && record.FoldUsername(old.Username) != record.FoldUsername(p.Username) {
		// The name is free, also that of somebody who is not stored.
		w.names[record.FoldUsername(old.Username)] = 0
	}
	w.people[p.ID] = p
	if p.Username != "" {
		w.names[record.FoldUsername(p.Username)] = p.ID
	}
}

// AddPerson adds somebody, or changes who has the id. Without an id it gets one; a
// username moves here from whoever had it.
func (w *World) AddPerson(p record.Person) (id int64, err error) {
	err = w.do(func() error {
		id = w.addPerson(p).ID
		return nil
	})
	return id, err
}

func (w *World) addPerson(p record.Person) *record.Person {
	if p.ID == 0 {
		p.ID = w.freeID(800_000_000 + int64(len(w.people)))
	}
	if p.First == "" {
		p.First = "Person " + strconv.FormatInt(p.ID, 10)
	}
	if had := w.named(p.Username); p.Username != "" && had != nil && had.ID != p.ID {
		without := *had
		without.Username = ""
		w.put(&record.Record{K: record.KindPerson, Person: &without})
	}
	w.put(&record.Record{K: record.KindPerson, Person: &p})
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
func (w *World) AddPeople(r record.Range) {
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
			p = &record.Person{ID: to, First: "Newcomer"}
		}
		next := *p
		next.Username = strings.TrimPrefix(username, "@")
		w.addPerson(next)
		return nil
	})
}
