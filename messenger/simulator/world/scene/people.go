package scene

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"svc/messenger/simulator/world/record"
	"svc/messenger/simulator/world/sample"
)

// phoneLine adds or changes a number.
func phoneLine(w Platform, v *words) error {
	number, err := v.next("the number")
	if err != nil {
		return err
	}
	if number, err = record.NormalNumber(number); err != nil {
		return err
	}
	return w.ChangePhone(number, func(p *record.Phone) error {
		for len(*v) > 0 {
			if err := phoneOption(p, v); err != nil {
				return err
			}
		}
		return nil
	})
}

// phoneOption reads one thing that is said about a number.
func phoneOption(p *record.Phone, v *words) (err error) {
	verb, _ := v.next("")
	switch verb {
	case "code":
		p.Code, err = v.next("the code")
	case "password":
		p.Password, err = v.next("the password")
	case "hint":
		p.Hint, err = v.next("the hint")
	case "type":
		p.CodeType, err = v.next("the type of the code")
	case "code-life":
		p.CodeLife, err = v.duration()
	case "refuses":
		p.Refuse, err = v.next("the platform's error")
	case "dc":
		p.DC, err = v.number("the data centre")
	case "unregistered":
		p.Unregistered = true
	case "id":
		p.Person.ID, err = v.id()
	case "username":
		p.Person.Username, err = v.next("the username")
	case "name":
		err = personName(&p.Person, v)
	case "premium":
		p.Person.Premium = true
	default:
		err = fmt.Errorf("%q is nothing that is said about a number", verb)
	}
	return err
}

func personName(p *record.Person, v *words) error {
	name, err := v.next("the name")
	p.First, p.Last, _ = strings.Cut(name, " ")
	return err
}

// personLine adds or changes somebody.
func personLine(w Platform, v *words) error {
	name, err := v.next("the person")
	if err != nil {
		return err
	}
	if !strings.HasPrefix(name, "@") {
		if _, err := strconv.ParseInt(name, 10, 64); err != nil {
			return fmt.Errorf("a person is named as @username or by id, not %q", name)
		}
	}
	if v.take("reassigned") {
		return reassignedLine(w, name, v)
	}
	var contacts []string
	id, err := w.ChangePerson(name, func(p *record.Person, known bool) (err error) {
		switch {
		case known:
			if slices.ContainsFunc(*v, func(s string) bool { return doings[s] }) {
				p.Does = nil // said anew, also by the same script after a restart
			}
		case strings.HasPrefix(name, "@"):
			p.Username = name[1:]
		default:
			if p.ID, err = (&words{name}).id(); err != nil {
				return err
			}
		}
		for len(*v) > 0 {
			number, err := personOption(p, v)
			if err != nil {
				return err
			}
			contacts = append(contacts, number...)
		}
		return nil
	})
	for _, number := range contacts {
		if err == nil {
			err = w.AddContact(number, strconv.FormatInt(id, 10))
		}
	}
	return err
}

func reassignedLine(w Platform, name string, v *words) error {
	if !v.take("to") {
		return fmt.Errorf("the word to is missing after reassigned")
	}
	id, err := v.id()
	if err != nil {
		return err
	}
	return w.Reassign(name, id)
}

// refusals are the words for what the platform says to who writes to a person.
var refusals = map[string]string{
	"blocks": "USER_IS_BLOCKED", "private": "USER_PRIVACY_RESTRICTED", "paid": "ALLOW_PAYMENT_REQUIRED_30",
	"premium-only": "PRIVACY_PREMIUM_REQUIRED", "no-writing": "CHAT_WRITE_FORBIDDEN", "blocked": "YOU_BLOCKED_USER",
}

// personOption reads one thing that is said about a person; the numbers are those of accounts
// that have them in their address book.
func personOption(p *record.Person, v *words) (contactOf []string, err error) {
	verb, _ := v.next("")
	if name, ok := refusals[verb]; ok {
		p.Refuses = name
		return nil, nil
	}
	switch verb {
	case "refuses":
		p.Refuses, err = v.next("the platform's error")
	case "takes":
		p.Refuses, p.Deleted, p.Bot = "", false, false
	case "deleted":
		p.Deleted = true
	case "bot":
		p.Bot = true
	case "premium":
		p.Premium = true
	case "id":
		p.ID, err = v.id()
	case "username":
		p.Username, err = v.next("the username")
	case "name":
		err = personName(p, v)
	case "contact-of":
		contactOf = make([]string, 1)
		contactOf[0], err = v.next("the account")
	case "quiet":
		p.Does = nil
	default:
		if !doings[verb] {
			return nil, fmt.Errorf("%q is nothing that is said about a person", verb)
		}
		err = reaction(p, verb, v)
	}
	return contactOf, err
}

// doings are what a person may do after a message.
var doings = map[string]bool{"reads": true, "says": true, "sends": true, "reacts": true, "edits": true, "deletes": true}

func reaction(p *record.Person, verb string, v *words) (err error) {
	r := record.Reaction{Read: true}
	switch verb {
	case "says":
		r.Say, err = v.next("what is said")
	case "reacts":
		r.React, err = v.next("the emoji")
	case "edits":
		r.Edit, err = v.next("the new text")
	case "deletes":
		r.Delete = true
	case "sends":
		var word string
		if word, err = v.next("what is sent"); err == nil && sample.Kinds[word] == "" {
			err = fmt.Errorf("%q is no file that is sent: photo, video, voice, audio, document, sticker, animation or video-note", word)
		}
		r.Send = sample.Kinds[word]
	}
	if err != nil {
		return err
	}
	if v.take("after") {
		if r.After, err = v.duration(); err != nil {
			return err
		}
	}
	p.Does = append(p.Does[:len(p.Does):len(p.Does)], r)
	return nil
}

// peopleLine adds people that are not stored.
func peopleLine(w Platform, v *words) error {
	prefix, err := v.next("the beginning of the usernames")
	if err != nil {
		return err
	}
	r := record.Range{Prefix: strings.TrimPrefix(prefix, "@")}
	if r.From, r.To, err = v.span(); err != nil {
		return err
	}
	if !v.take("id") {
		return fmt.Errorf("the first id is missing: people %s %d..%d id 5000000", prefix, r.From, r.To)
	}
	if r.FirstID, err = v.id(); err != nil {
		return err
	}
	w.AddPeople(r)
	return nil
}

// span reads the numbers of people.
func (v *words) span() (from, to int, err error) {
	span, err := v.next("the range")
	if err != nil {
		return 0, 0, err
	}
	low, high, _ := strings.Cut(span, "..")
	from, err1 := strconv.Atoi(low)
	to, err2 := strconv.Atoi(high)
	if err1 != nil || err2 != nil || from < 1 || to < from || to > 1<<30 {
		return 0, 0, fmt.Errorf("a range is written like 1..1000, not %q", span)
	}
	return from, to, nil
}

// nowLine does something at once.
func nowLine(w Platform, v *words) error {
	who, err := v.next("the person or account")
	if err != nil {
		return err
	}
	switch {
	case v.take("says"), v.take("types"):
		return saysLine(w, who, v)
	case v.take("sends"):
		return sendsLine(w, who, v)
	case v.take("edits"):
		return changesLine(w, "edits", who, v)
	case v.take("deletes"):
		return changesLine(w, "deletes", who, v)
	case v.take("reacts"):
		return changesLine(w, "reacts", who, v)
	case v.take("reads"):
		return readsLine(w, who, v)
	case who == "files" && v.take("expire"):
		return w.ExpireFiles()
	case v.take("lift"):
		return w.Lift(who)
	case v.take("kick"):
		return w.Kick(who)
	case v.take("lose"):
		n, err := v.number("the count of updates")
		if err != nil {
			return err
		}
		return w.Lose(who, n)
	}
	e, err := effectOf(v)
	if err != nil {
		return err
	}
	if !e.lasting() {
		return fmt.Errorf("this can be done at, after or every so many sends only")
	}
	return w.Impose(who, e)
}

func saysLine(w Platform, who string, v *words) error {
	text, err := v.next("the text")
	if err != nil {
		return err
	}
	if !v.take("to") {
		return fmt.Errorf("the word to is missing after the text")
	}
	to, err := v.next("whom it is for")
	if err != nil {
		return err
	}
	c := record.Content{Text: text}
	if err := contentOptions(&c, v); err != nil {
		return err
	}
	return deliver(w, who, to, c)
}
