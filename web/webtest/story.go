package webtest

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"svc/web/webtest/town"
)

// story is a parsed file: its parts in order, so that it can be written again.
type story struct{ parts []part }

// part is a run of lines that the file keeps as they are (comments, blank
// lines, directives), an action, or a step.
type part struct {
	line   int
	kept   []string
	action string // with its argument
	told   *step  // what an action must tell, where it tells something
	step   *step
}

// step is one request and its answer.
type step struct {
	line    int
	request []string // without the leading "> "
	view    []string // paths of the members that are compared; nil for all
	status  int      // left: the client goes before there is one
	headers []header // of the answer, that are compared
	body    string   // of the answer, as written
}

// left stands for the status of a request whose client goes away.
const left = -1

// header is one expected header; absent wants none of that name.
type header struct {
	name, value string
	absent      bool
}

// parseStory reads a file. Errors begin with the line.
func parseStory(text string) (*story, error) {
	s := &story{}
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	for i := 0; i < len(lines); {
		switch l := lines[i]; {
		case strings.HasPrefix(l, ">"):
			st, next, err := parseStep(lines, i)
			if err != nil {
				return nil, err
			}
			s.parts, i = append(s.parts, part{line: i + 1, step: st}), next
		case strings.HasPrefix(l, "!"):
			p := part{line: i + 1, action: strings.TrimSpace(l[1:])}
			p.told = &step{line: p.line, request: []string{"! " + p.action}}
			i = p.told.parseView(lines, i+1)
			i = p.told.parseBody(lines, i)
			s.parts = append(s.parts, p)
		case strings.TrimSpace(l) == "" || l[0] == '#' || l[0] == '@':
			if n := len(s.parts); n == 0 || s.parts[n-1].kept == nil {
				s.parts = append(s.parts, part{line: i + 1})
			}
			last := &s.parts[len(s.parts)-1]
			last.kept = append(last.kept, l)
			i++
		default:
			return nil, fmt.Errorf("%d: a line must begin with #, @, !, > or belong to an answer: %q", i+1, l)
		}
	}
	return s, nil
}

// parseStep reads the request at lines[i] and its answer.
func parseStep(lines []string, i int) (*step, int, error) {
	st := &step{line: i + 1}
	for ; i < len(lines) && strings.HasPrefix(lines[i], ">"); i++ {
		st.request = append(st.request, strings.TrimPrefix(lines[i][1:], " "))
	}
	i = st.parseView(lines, i)
	if i == len(lines) || !strings.HasPrefix(lines[i], "<") {
		return nil, i, fmt.Errorf("%d: the request has no answer; write \"< 200\" below it", st.line)
	}
	if word := strings.TrimSpace(lines[i][1:]); word == "left" {
		st.status = left
	} else if st.status, _ = strconv.Atoi(word); st.status == 0 {
		return nil, i, fmt.Errorf("%d: %q is no status", i+1, lines[i])
	}
	for i++; i < len(lines) && strings.HasPrefix(lines[i], "<"); i++ {
		h := header{}
		name, value, found := strings.Cut(strings.TrimSpace(lines[i][1:]), ":")
		h.name, h.absent = strings.CutPrefix(name, "-")
		h.value = strings.TrimSpace(value)
		if found == h.absent {
			return nil, i, fmt.Errorf("%d: write \"< Name: value\" or \"< -Name\"", i+1)
		}
		st.headers = append(st.headers, h)
	}
	return st, st.parseBody(lines, i), nil
}

// parseView reads the members that are compared, at lines[i].
func (st *step) parseView(lines []string, i int) (next int) {
	for ; i < len(lines) && strings.HasPrefix(lines[i], "|"); i++ {
		st.view = append(st.view, strings.Fields(lines[i][1:])...)
	}
	return i
}

// parseBody reads what is told, at lines[i].
func (st *step) parseBody(lines []string, i int) (next int) {
	var body []string
	for ; i < len(lines) && (lines[i] == "" || !strings.ContainsRune("#@!>", rune(lines[i][0]))); i++ {
		body = append(body, lines[i])
	}
	// Blank lines before the next part are the file's, not the answer's.
	for len(body) > 0 && body[len(body)-1] == "" {
		body, i = body[:len(body)-1], i-1
	}
	st.body = strings.Join(body, "\n")
	return i
}

// String writes the file.
func (s *story) String() string {
	var b strings.Builder
	for i := range s.parts {
		p := &s.parts[i]
		switch {
		case p.step != nil:
			p.step.write(&b)
		case p.action != "":
			b.WriteString("! " + p.action + "\n")
			p.told.writeAnswer(&b)
		default:
			b.WriteString(strings.Join(p.kept, "\n") + "\n")
		}
	}
	return b.String()
}

func (st *step) write(b *strings.Builder) {
	for _, l := range st.request {
		b.WriteString(strings.TrimRight("> "+l, " ") + "\n")
	}
	st.writeView(b)
	if st.status == left {
		b.WriteString("< left\n")
	} else {
		fmt.Fprintf(b, "< %d\n", st.status)
	}
	for _, h := range st.headers {
		if h.absent {
			b.WriteString("< -" + h.name + "\n")
		} else {
			b.WriteString("< " + h.name + ": " + h.value + "\n")
		}
	}
	st.writeBody(b)
}

// writeAnswer writes what an action tells.
func (st *step) writeAnswer(b *strings.Builder) {
	st.writeView(b)
	st.writeBody(b)
}

func (st *step) writeView(b *strings.Builder) {
	if st.view != nil {
		b.WriteString("| " + strings.Join(st.view, " ") + "\n")
	}
}

func (st *step) writeBody(b *strings.Builder) {
	if st.body != "" {
		b.WriteString(st.body + "\n")
	}
}

// options reads the directives.
func (s *story) options() (Options, error) {
	o := Options{Map: town.Town, Now: defaultNow}
	for i := range s.parts {
		for j, l := range s.parts[i].kept {
			if !strings.HasPrefix(l, "@") {
				continue
			}
			name, value, _ := strings.Cut(l[1:], " ")
			if err := o.set(name, strings.TrimSpace(value)); err != nil {
				return o, fmt.Errorf("%d: @%s: %w", s.parts[i].line+j, name, err)
			}
		}
	}
	return o, nil
}

func (o *Options) set(name, value string) (err error) {
	switch name {
	case "map":
		o.Map = value
	case "clock":
		o.Now, err = time.Parse(time.RFC3339, value)
	case "keys":
		o.Keys = value
	case "require-key":
		o.RequireKey = true
	case "usage":
		o.Usage = true
	case "key-rate":
		o.KeyRate, err = strconv.ParseInt(value, 10, 64)
	case "photos":
		o.Photos = true
	case "routing":
		o.Routing = value
	case "messaging":
		o.Messaging = true
	case "messenger-patience":
		o.Patience, err = time.ParseDuration(value)
	case "hours":
		o.Hours = true
	case "faults":
		o.Faults = true
	case "hurry":
		o.Hurry = value
	case "mail":
		o.Mail = true
	case "public-url":
		o.PublicURL = value
	default:
		err = fmt.Errorf("no such directive")
	}
	return err
}
