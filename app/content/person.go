package content

import (
	"strconv"
	"strings"

	"svc/app/recipient"
	"svc/app/recipient/field"
	"svc/app/recipient/optout"
	"svc/store"
)

// OptOutVariable stands for the address at which a recipient opts out.
const OptOutVariable = "opt_out_url"

// Person is one recipient as the variables of a message see him.
type Person struct {
	MessengerID, Username, FirstName, LastName, Language string
	OptOutURL                                            string
	Attributes                                           map[string]string
}

// fields are the variables that everybody has.
var fields = map[string]func(*Person) *string{
	"messenger_id": func(p *Person) *string { return &p.MessengerID },
	"username":     func(p *Person) *string { return &p.Username },
	"first_name":   func(p *Person) *string { return &p.FirstName },
	"last_name":    func(p *Person) *string { return &p.LastName },
	"language":     func(p *Person) *string { return &p.Language },
	OptOutVariable: func(p *Person) *string { return &p.OptOutURL },
}

// Field says whether a variable is one that everybody has, and no attribute.
func Field(name string) bool { return fields[name] != nil }

// attributePrefix may stand before the key of an attribute, for one that has the
// name of a field.
const attributePrefix = "attributes."

// Value is what a variable stands for. known is false for one that this person does
// not have.
func (p *Person) Value(name string) (value string, known bool) {
	if field := fields[name]; field != nil {
		return *field(p), true
	}
	value, known = p.Attributes[strings.TrimPrefix(name, attributePrefix)]
	return value, known
}

// PersonOf is a recipient as the variables of a message see him, with the address at
// which he opts out.
func (s *Service) PersonOf(org string, r *recipient.Recipient) (Person, error) {
	link, err := s.optOutURL(org, r.ID)
	return PersonWith(r, link), err
}

// PersonWith is PersonOf with an address that is known: every address is as long as
// any other, so lengths come out the same with one for all.
func PersonWith(r *recipient.Recipient, optOutURL string) Person {
	p := Person{
		Username: r.Username, FirstName: r.FirstName, LastName: r.LastName, Language: r.Language, OptOutURL: optOutURL,
		Attributes: make(map[string]string, len(r.Attributes)),
	}
	if r.MessengerID != 0 {
		p.MessengerID = strconv.FormatInt(r.MessengerID, 10)
	}
	for k, v := range r.Attributes {
		p.Attributes[k] = field.Text(v)
	}
	return p
}

func (s *Service) optOutURL(org, id string) (string, error) {
	token, err := optout.Token(s.db, org, id)
	return s.o.PublicURL + optout.ShortPath(token), err
}

// nobody is an id that no recipient has: a link for show is as long as a real one.
var nobody = "rcp_" + strings.Repeat("0", 26)

// personOrNobody reads a recipient; with the id "" it is nobody, who has an address
// to opt out all the same.
func (s *Service) personOrNobody(tx *store.Tx, org, id string) (p Person, err error) {
	if id == "" {
		p.OptOutURL, err = s.optOutURL(org, nobody)
		return p, err
	}
	r, err := recipient.Get(tx, org, id)
	if err != nil {
		return p, err
	}
	return s.PersonOf(org, &r)
}

// with gives a person other values.
func (p Person) with(attributes map[string]any) *Person {
	own := p.Attributes
	p.Attributes = make(map[string]string, len(own)+len(attributes))
	for k, v := range own {
		p.Attributes[k] = v
	}
	for k, v := range attributes {
		if at := fields[k]; at != nil {
			*at(&p) = field.Text(v)
		} else {
			p.Attributes[k] = field.Text(v)
		}
	}
	return &p
}
