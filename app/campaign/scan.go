package campaign

import (
	"context"
	"slices"

	"svc/app/content"
	"svc/app/content/markup"
	"svc/app/policy"
	"svc/app/recipient"
	"svc/app/recipient/audience"
	"svc/store"
)

// audienceRules say who of an audience is written to.
type audienceRules struct {
	message policy.Message
	// visit hears of everybody who gets the message, in their order; nil: nobody asks.
	visit func(*recipient.Recipient)
}

// scanned is what a text comes to for the people of an audience who may be written to.
type scanned struct {
	variables []string
	people    int
	missing   int            // people who lack a value
	lacking   map[string]int // by variable
	longest   int            // of the texts, in UTF-16 units
	// elsewhere are the variables that somebody has who is in the audience and may not
	// be written to: their names are right.
	elsewhere map[string]bool
	// replaced counts by variable the people who read its default.
	replaced map[string]int
}

// unused are the variables that nobody has a value for, and everybody reads the default of.
func (f *scanned) unused() (out []string) {
	for _, name := range f.variables {
		if f.people > 0 && f.replaced[name] == f.people && !f.elsewhere[name] {
			out = append(out, name)
		}
	}
	return out
}

// nobodys are the variables that nobody in the audience has a value for.
func (f *scanned) nobodys() (out []string) {
	for _, name := range f.variables {
		if f.people > 0 && f.lacking[name] == f.people && !f.elsewhere[name] {
			out = append(out, name)
		}
	}
	return out
}

// scannedAtATime bounds the people that one transaction reads.
const scannedAtATime = 1000

// scan renders a text for everybody who may be written to. A text that is the same for
// everybody is rendered once, and then nobody is read unless somebody asks (visit).
func (s *Service) scan(ctx context.Context, orgID string, m content.Message, who audience.Frozen, by audienceRules) (*scanned, error) {
	out := &scanned{lacking: map[string]int{}, elsewhere: map[string]bool{}, replaced: map[string]int{}}
	text, ok := read(m)
	if !ok {
		return out, nil // a check says so
	}
	out.variables = text.Variables()
	nobody := recipient.Recipient{ID: nobodyID}
	link, err := s.o.Content.PersonOf(orgID, &nobody)
	if err != nil {
		return nil, err
	}
	out.longest = text.Render(func(name string) (string, bool) { return constant(&link, name), true }).Length
	same := !personal(out.variables)
	if same && by.visit == nil {
		return out, nil
	}
	if !same {
		out.longest = 0
	}
	return out, s.eachPage(ctx, orgID, who, func(people []recipient.Recipient) {
		for i := range people {
			r := &people[i]
			switch may := by.message.Objection(r.Person()) == ""; {
			case !may && !same:
				out.note(text, r, link.OptOutURL)
			case may && (same || out.add(text, r, link.OptOutURL)) && by.visit != nil:
				by.visit(r)
			}
		}
	})
}

// read reads the text of a message; false for one that cannot be read.
func read(m content.Message) (*markup.Text, bool) {
	text, err := content.Parse(m.Text, m.Format)
	return text, err == nil
}

// nobodyID is an id that no recipient has; a link for it is as long as a real one.
const nobodyID = "rcp_00000000000000000000000000"

// constant is what a variable is for everybody, as long as a real value.
func constant(link *content.Person, name string) string {
	v, _ := link.Value(name)
	return v
}

// personal says whether a text differs from person to person in more than its link.
func personal(variables []string) bool {
	for _, name := range variables {
		if name != content.OptOutVariable {
			return true
		}
	}
	return false
}

// add renders the text for one person, and says whether the person has every value. The
// link of another is as long as this one's, and needs no keyed hash for each.
func (f *scanned) add(text *markup.Text, r *recipient.Recipient, link string) bool {
	p := content.PersonWith(r, link)
	out := text.Render(p.Value)
	f.people++
	f.longest = max(f.longest, out.Length)
	for _, name := range out.Defaults {
		f.replaced[name]++
	}
	if len(out.Missing)+len(out.Unknown) == 0 {
		return true
	}
	f.missing++
	for _, list := range [][]string{out.Missing, out.Unknown} {
		for _, name := range list {
			f.lacking[name]++
		}
	}
	return false
}

// note keeps which variables somebody has who is not written to.
func (f *scanned) note(text *markup.Text, r *recipient.Recipient, link string) {
	if len(f.elsewhere) == len(f.variables) {
		return
	}
	p := content.PersonWith(r, link)
	out := text.Render(p.Value)
	for _, name := range f.variables {
		if !slices.Contains(out.Missing, name) && !slices.Contains(out.Unknown, name) && !slices.Contains(out.Defaults, name) {
			f.elsewhere[name] = true
		}
	}
}

// eachPage reads the people of an audience, a page a transaction.
func (s *Service) eachPage(ctx context.Context, orgID string, who audience.Frozen, visit func([]recipient.Recipient)) error {
	for after := (store.Cursor)(nil); ; {
		var people []recipient.Recipient
		var next store.Cursor
		err := s.db.View(ctx, func(tx *store.Tx) (err error) {
			people, next, err = recipient.PageOf(tx, orgID, who, after, scannedAtATime)
			return err
		})
		if err != nil {
			return err
		}
		visit(people)
		if after = next; after == nil {
			return nil
		}
	}
}
