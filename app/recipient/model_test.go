package recipient_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"svc/app/recipient"
	"svc/app/recipient/optout"
	"svc/app/recipient/recipienttest"
	"svc/store/storetest"
)

// person is a recipient as the model keeps it.
type person struct {
	messengerID int
	username    string
	name        string
	consent     string
	tags        map[string]bool
}

// model is the slice in a few maps: who is there, and who is suppressed.
type model struct {
	people     map[string]*person
	suppressed map[string]bool // "5" and "olga"
}

func (m *model) byID(id int) (string, *person) {
	for key, p := range m.people {
		if id != 0 && p.messengerID == id {
			return key, p
		}
	}
	return "", nil
}

func (m *model) byName(name string) (string, *person) {
	for key, p := range m.people {
		if name != "" && strings.EqualFold(p.username, name) {
			return key, p
		}
	}
	return "", nil
}

func (m *model) isSuppressed(p *person) bool {
	return m.suppressed[strconv.Itoa(p.messengerID)] || m.suppressed[strings.ToLower(p.username)]
}

// saveAndSuppress opts out whoever is suppressed, and suppresses whoever is, in both names.
func (m *model) settle(p *person) {
	if m.isSuppressed(p) || p.consent == "OPTED_OUT!" {
		p.consent = "OPTED_OUT"
		if p.messengerID != 0 {
			m.suppressed[strconv.Itoa(p.messengerID)] = true
		}
		if p.username != "" {
			m.suppressed[strings.ToLower(p.username)] = true
		}
	}
}

// row imports one row by the rules of contract 35.4.
func (m *model) row(id int, name, first, consent, tag string, newID func() string) {
	key, p := m.byID(id)
	other, holder := m.byName(name)
	if p == nil {
		key, p = other, holder
	}
	if p == nil {
		key, p = newID(), &person{consent: "UNKNOWN", tags: map[string]bool{}}
		m.people[key] = p
		p.messengerID = id
	}
	if p.messengerID == 0 {
		p.messengerID = id
	}
	if name != "" && (holder == nil || other == key) {
		p.username = name
	}
	if first != "" {
		p.name = first
	}
	if tag != "" {
		p.tags[tag] = true
	}
	switch {
	case p.consent == "OPTED_OUT":
	case consent == "OPTED_OUT" || m.suppressed[strconv.Itoa(id)] || m.suppressed[strings.ToLower(name)]:
		p.consent = "OPTED_OUT!"
	case consent != "":
		p.consent = consent
	}
	m.settle(p)
}

// TestModel runs a random history of creations, imports, changes, opt-outs,
// suppressions and deletions against the slice and against the model, every
// closure twice. Names are few, so that they meet. SVC_TEST_STEPS is how long it
// is.
func TestModel(t *testing.T) {
	steps, err := strconv.Atoi(os.Getenv("SVC_TEST_STEPS"))
	if err != nil {
		steps = 400
	}
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	h := recipienttest.In(t, storetest.Twice(t, recipienttest.Tables()...), nil).Work()
	m := &model{map[string]*person{}, map[string]bool{}}
	some := func() (key string) {
		i := r.IntN(max(1, len(m.people)))
		for k := range m.people {
			if key = k; i == 0 {
				break
			}
			i--
		}
		return key
	}
	name := func() string { return []string{"", "olga", "Ivan", "MARIA", "petr", "zoya"}[r.IntN(6)] }
	consents := []string{"", "OPTED_IN", "UNKNOWN", "AUTHORIZED", "OPTED_OUT"}
	for step := range steps {
		id, username := r.IntN(7), name()
		switch r.IntN(8) {
		case 0, 1: // create
			body := map[string]any{"first_name": "c"}
			if id != 0 {
				body["messenger_id"] = id
			}
			if username != "" {
				body["username"] = username
			}
			a := h.Do("POST /recipients", body)
			_, p := m.byID(id)
			_, q := m.byName(username)
			switch {
			case id == 0 && username == "":
				a.Want(422)
			case p != nil || q != nil:
				a.Refused(recipient.ErrExists)
			default:
				p := &person{id, username, "c", "UNKNOWN", map[string]bool{}}
				m.people[a.Want(201).String("id")] = p
				m.settle(p)
			}
		case 2, 3, 4: // import
			if id == 0 && username == "" {
				continue
			}
			consent, first, tag := consents[r.IntN(5)], []string{"", "i"}[r.IntN(2)], []string{"", "x", "y"}[r.IntN(3)]
			shown := strconv.Itoa(id)
			if id == 0 {
				shown = ""
			}
			a := h.Upload(fmt.Sprintf("messenger_id,username,name,consent,tags\n%s,%s,%s,%s,%s\n", shown, username, first, consent, tag), nil).Want(201)
			m.row(id, username, first, consent, tag, func() string { return newest(h) })
			if a.Int("created")+a.Int("updated") != 1 {
				t.Fatalf("step %d: %s", step, a.Body)
			}
		case 5: // change
			key := some()
			if key == "" || id == 0 && username == "" {
				continue
			}
			a := h.Do("PATCH /recipients/"+key, map[string]any{"messenger_id": orNull(id), "username": orNull(username)})
			k, p := m.byID(id)
			l, q := m.byName(username)
			if p != nil && k != key || q != nil && l != key {
				a.Refused(recipient.ErrExists)
				continue
			}
			a.Want(200)
			m.people[key].rename(m, id, username)
		case 6: // suppress
			if id == 0 {
				continue
			}
			a := h.Do("POST /suppressions", map[string]any{"messenger_id": id})
			if m.suppressed[strconv.Itoa(id)] {
				a.Refused(optout.ErrAlreadySuppressed)
				continue
			}
			a.Want(201)
			m.suppressed[strconv.Itoa(id)] = true
			if _, p := m.byID(id); p != nil {
				m.settle(p)
			}
		case 7: // delete
			if key := some(); key != "" {
				h.Do("DELETE /recipients/"+key, nil).Want(204)
				delete(m.people, key)
			}
		}
		compare(h, step, m)
	}
	h.Idle()
}

func orNull[T comparable](v T) any {
	var none T
	if v == none {
		return nil
	}
	return v
}

// rename gives a person other names; who is suppressed under the old ones is so
// under the new ones.
func (p *person) rename(m *model, id int, username string) {
	was := m.isSuppressed(p)
	changed := p.messengerID != id || p.username != username
	p.messengerID, p.username = id, username
	if was && changed {
		p.consent = "OPTED_OUT!"
	}
	if changed {
		m.settle(p)
	}
}

func newest(h *recipienttest.Harness) string {
	return h.Do("GET /recipients?limit=1", nil).Want(200).String("data.0.id")
}

// compare checks that the slice holds what the model does.
func compare(h *recipienttest.Harness, step int, m *model) {
	h.T.Helper()
	var all struct {
		Data  []recipient.ShownRecipient
		Total int
	}
	h.Do("GET /recipients?limit=500", nil).Want(200).Into(&all)
	if all.Total != len(m.people) {
		h.T.Fatalf("step %d: %d recipients, want %d", step, all.Total, len(m.people))
	}
	for _, r := range all.Data {
		p := m.people[r.ID]
		if p == nil {
			h.T.Fatalf("step %d: %s is not in the model", step, r.ID)
		}
		id, username := 0, ""
		if r.MessengerID != nil {
			id = int(*r.MessengerID)
		}
		if r.Username != nil {
			username = *r.Username
		}
		if id != p.messengerID || username != p.username || r.FirstName != p.name || string(r.Consent) != p.consent || len(r.Tags) != len(p.tags) || r.Suppressed != m.isSuppressed(p) {
			h.T.Fatalf("step %d: %+v\nthe model says %+v, suppressed %v", step, r, *p, m.isSuppressed(p))
		}
		if r.Suppressed && r.Consent != "OPTED_OUT" {
			h.T.Fatalf("step %d: suppressed and not opted out: %+v", step, r)
		}
	}
}
