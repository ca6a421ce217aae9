package markup

import (
	"net/url"
	"slices"
	"strings"
)

// Rendered is a text as one person receives it.
type Rendered struct {
	Text     string
	Entities []Entity // by Offset, an outer one before those inside it
	Length   int      // of Text in UTF-16 units
	// Missing are the variables without a value for this person, Unknown those that
	// nobody has; they stand in Text as they were written, {{name}}. A text with
	// either must not be sent.
	Missing, Unknown []string
	// Defaults are the variables without a value in the place of which a text of their own
	// stands; nil when there is none.
	Defaults []string
}

// Values answers what a variable stands for. known is false for a name that nobody
// has; a value that is blank is missing (contract 5).
type Values func(name string) (value string, known bool)

// Render puts values in the place of the variables.
//
// In the address of a link, a value that begins it is taken whole and any other is
// escaped. A value that makes an address no messenger opens counts as missing.
func (t *Text) Render(values Values) Rendered {
	r := renderer{values: values, begun: make([]int, len(t.spans))}
	r.out.Missing, r.out.Unknown, r.out.Entities = []string{}, []string{}, []Entity{}
	for _, s := range t.steps {
		switch s.do {
		case write:
			r.write(s.text)
		case insert:
			v, ok := r.value(s)
			if !ok {
				v = opening + s.text + closing
			}
			r.write(v)
		case open:
			r.open(s.span, t.spans[s.span])
		case shut:
			r.shut(s.span)
		}
	}
	// What is empty for this person styles nothing.
	r.out.Entities = slices.DeleteFunc(r.out.Entities, func(e Entity) bool { return e.Length == 0 })
	r.out.Text = r.text.String()
	return r.out
}

type renderer struct {
	out    Rendered
	text   strings.Builder
	values Values
	begun  []int // the entity of each span
}

func (r *renderer) write(s string) {
	r.text.WriteString(s)
	r.out.Length += Length(s)
}

// value is what a variable stands for, made safe to be sent; where it has none, the text
// that stands in for it.
func (r *renderer) value(s step) (string, bool) {
	name := s.text
	v, known := r.values(name)
	v = strings.Map(func(c rune) rune {
		if forbidden(c) {
			return -1
		}
		return c
	}, v)
	switch {
	case s.hasInstead && strings.TrimSpace(v) == "":
		r.out.Defaults = noted(r.out.Defaults, name)
		return s.instead, true
	case !known:
		r.out.Unknown = noted(r.out.Unknown, name)
	case strings.TrimSpace(v) == "":
		r.out.Missing = noted(r.out.Missing, name)
	default:
		return v, true
	}
	return "", false
}

func noted(list []string, name string) []string {
	if slices.Contains(list, name) {
		return list
	}
	return append(list, name)
}

// nothing marks a span without a style: the code inside a pre.
const nothing = -1

func (r *renderer) open(i int, s span) {
	if r.begun[i] = nothing; s.style == "" {
		return
	}
	e := Entity{Type: s.style, Offset: r.out.Length, Language: s.language, Collapsed: s.collapsed}
	if s.style == Link {
		e.URL = r.address(s.url)
	}
	r.begun[i] = len(r.out.Entities)
	r.out.Entities = append(r.out.Entities, e)
}

func (r *renderer) shut(i int) {
	if r.begun[i] == nothing {
		return
	}
	e := &r.out.Entities[r.begun[i]]
	if e.Type == Link && e.URL == "" {
		return // its variables are missing
	}
	e.Length = r.out.Length - e.Offset
}

// address makes the address of a link, "" when a variable of it has no value.
func (r *renderer) address(steps []step) string {
	var b strings.Builder
	whole, from := true, []string(nil)
	for i, s := range steps {
		v := s.text
		if s.do == insert {
			var ok bool
			v, ok = r.value(s)
			whole = whole && ok
			from = append(from, s.text)
			if i > 0 {
				v = url.QueryEscape(v)
			}
		}
		b.WriteString(v)
	}
	if !whole {
		return ""
	}
	address, ok := Address(b.String())
	if !ok {
		for _, name := range from {
			r.out.Missing = noted(r.out.Missing, name)
		}
		return ""
	}
	return address
}

// MaxAddress is how long the address of a link may be, in bytes.
const MaxAddress = 2048

// Address is a link as messengers take it: https, http or tg, and https when it
// names none; false for what is no such address.
func Address(s string) (string, bool) {
	s = strings.TrimSpace(s)
	if s == "" || len(s) > MaxAddress || strings.ContainsAny(s, " \t\r\n<>\"") {
		return "", false
	}
	if scheme, _, ok := strings.Cut(s, "://"); !ok || strings.ContainsAny(scheme, "./?#") {
		if !dotted(s) {
			return "", false // a scheme without a host, such as mailto: or javascript:
		}
		s = "https://" + s
	}
	u, err := url.Parse(s)
	if err != nil || u.User != nil || u.Host == "" {
		return "", false
	}
	switch strings.ToLower(u.Scheme) {
	case "https", "http":
		return s, dotted(u.Host) || u.Hostname() == "localhost"
	case "tg":
		return s, true
	}
	return "", false
}

// dotted says whether an address begins with the name of a host.
func dotted(s string) bool {
	host, _, _ := strings.Cut(s, "/")
	host, _, _ = strings.Cut(host, ":")
	name, domain, ok := strings.Cut(host, ".")
	return ok && name != "" && domain != ""
}
