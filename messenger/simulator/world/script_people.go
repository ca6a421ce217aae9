package world

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// phoneLine adds or changes a number.
func (w *World) phoneLine(v *words) error {
	number, err := v.next("the number")
	if err != nil {
		return err
	}
	if number, err = normal(number); err != nil {
		return err
	}
	return w.do(func() error {
		p := Phone{Number: number}
		if old := w.phones[number]; old != nil {
			p = *old
			if who := w.person(old.Person.ID); who != nil {
				p.Person = *who
			}
		}
		for len(*v) > 0 {
			if err := p.option(v); err != nil {
				return err
			}
		}
		return w.addPhone(p)
	})
}

// option reads one thing that is said about a number.
func (p *Phone) option(v *words) (err error) {
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
		err = p.Person.name(v)
	case "premium":
		p.Person.Premium = true
	default:
		err = fmt.Errorf("%q is nothing that is said about a number", verb)
	}
	return err
}

func (p *Person) name(v *words) error {
	name, err := v.next("the name")
	p.First, p.Last, _ = strings.Cut(name, " ")
	return err
}

// personLine adds or changes somebody.
func (w *World) personLine(v *words) error {
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
		return w.reassignedLine(name, v)
	}
	var contacts []string
	err = w.do(func() error {
		p := &Person{}
		if old, err := w.who(name); err == nil {
			next := *old
			p = &next
			if slices.Contains(*v, "reads") || slices.Contains(*v, "says") {
				p.Does = nil // said anew, also by the same script after a restart
			}
		} else if strings.HasPrefix(name, "@") {
			p.Username = name[1:]
		} else if p.ID, err = (&words{name}).id(); err != nil {
			return err
		}
		for len(*v) > 0 {
			number, err := p.option(v)
			if err != nil {
				return err
			}
			contacts = append(contacts, number...)
		}
		name = strconv.FormatInt(w.addPerson(*p).ID, 10)
		return nil
	})
	for _, number := range contacts {
		if err == nil {
			err = w.AddContact(number, name)
		}
	}
	return err
}

func (w *World) reassignedLine(name string, v *words) error {
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

// option reads one thing that is said about a person; the numbers are those of accounts
// that have them in their address book.
func (p *Person) option(v *words) (contactOf []string, err error) {
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
		err = p.name(v)
	case "contact-of":
		contactOf = make([]string, 1)
		contactOf[0], err = v.next("the account")
	case "quiet":
		p.Does = nil
	case "reads", "says":
		err = p.reaction(verb, v)
	default:
		err = fmt.Errorf("%q is nothing that is said about a person", verb)
	}
	return contactOf, err
}

func (p *Person) reaction(verb string, v *words) (err error) {
	r := Reaction{Read: true}
	if verb == "says" {
		if r.Say, err = v.next("what is said"); err != nil {
			return err
		}
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
func (w *World) peopleLine(v *words) error {
	prefix, err := v.next("the beginning of the usernames")
	if err != nil {
		return err
	}
	span, err := v.next("the range")
	if err != nil {
		return err
	}
	low, high, _ := strings.Cut(span, "..")
	r := Range{Prefix: strings.TrimPrefix(prefix, "@")}
	from, err1 := strconv.Atoi(low)
	to, err2 := strconv.Atoi(high)
	if err1 != nil || err2 != nil || from < 1 || to < from || to > 1<<30 {
		return fmt.Errorf("a range is written like 1..1000, not %q", span)
	}
	if !v.take("id") {
		return fmt.Errorf("the first id is missing: people %s %s id 5000000", prefix, span)
	}
	if r.FirstID, err = v.id(); err != nil {
		return err
	}
	r.From, r.To = from, to
	w.AddPeople(r)
	return nil
}

// nowLine does something at once.
func (w *World) nowLine(v *words) error {
	who, err := v.next("the person or account")
	if err != nil {
		return err
	}
	switch {
	case v.take("says"):
		return w.saysLine(v, func(text, to string) error {
			_, err := w.Say(who, to, text)
			return err
		})
	case v.take("types"):
		return w.saysLine(v, func(text, to string) error {
			_, err := w.Type(who, to, text)
			return err
		})
	case v.take("reads"):
		number, err := v.next("the account")
		if err != nil {
			return err
		}
		return w.Read(number, who, 0)
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
	return w.on(who, func(a *account) { w.impose(a, &e) })
}

func (w *World) saysLine(v *words, f func(text, to string) error) error {
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
	return f(text, to)
}
