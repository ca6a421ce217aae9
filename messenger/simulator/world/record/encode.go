package record

import (
	"encoding/base64"
	"encoding/json"
	"strconv"
	"time"
	"unicode/utf8"
)

// line writes flat JSON objects: the two lines of every message that is sent are most of
// what the simulator does beside the wire, and reflection would be most of these.
type line []byte

func (l line) name(name string) line {
	if n := len(l); n > 0 && l[n-1] != '{' {
		l = append(l, ',')
	}
	l = append(append(l, '"'), name...)
	return append(l, '"', ':')
}

// int adds a number, unless it is 0.
func (l line) int(name string, n int64) line {
	if n == 0 {
		return l
	}
	return strconv.AppendInt(l.name(name), n, 10)
}

// text adds a text, unless it is empty.
func (l line) text(name, s string) line {
	if s == "" {
		return l
	}
	l = l.name(name)
	if plain(s) {
		return append(append(append(l, '"'), s...), '"')
	}
	q, _ := json.Marshal(s) // a string never fails
	return append(l, q...)
}

// plain says whether a text stands in JSON as it is.
func plain(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' {
			return false
		}
	}
	return utf8.ValidString(s)
}

// Encode is the line of a record in the journal.
func (r *Record) Encode(dst []byte) ([]byte, error) {
	if r.K != KindMessage {
		b, err := json.Marshal(r)
		return append(dst, b...), err
	}
	l := append(line(dst), '{').text("k", r.K).int("a", r.Account).int("pts", int64(r.Pts)).int("t", int64(r.Tries)).int("n", r.N)
	m := r.Message
	l = append(l.name("m"), '{')
	l = l.int("id", int64(m.ID)).int("p", m.Peer)
	if m.Out {
		l = append(l.name("o"), "true"...)
	}
	l = l.int("at", m.At).text("t", m.Text).text("e", base64.StdEncoding.EncodeToString(m.Entities))
	l = l.int("f", m.File).int("r", int64(m.ReplyTo)).int("g", m.Group).int("ed", m.EditedAt).int("rid", m.RandomID)
	if m.Extra != nil {
		x, err := json.Marshal(m.Extra)
		if err != nil {
			return nil, err
		}
		l = append(l.name("x"), x...)
	}
	return append(l, "}}"...), nil
}

// Encode is the line of a message in the log.
func (s *Sent) Encode(dst []byte) []byte {
	l := append(line(dst), '{').int("n", s.N)
	l = append(s.At.AppendFormat(append(l.name("at"), '"'), time.RFC3339Nano), '"')
	l = l.text("account", s.Account).int("peer", s.Peer).int("random_id", s.RandomID).int("message_id", int64(s.MessageID))
	l = l.text("text", s.Text).text("file", s.File)
	if s.Photo {
		l = append(l.name("photo"), "true"...)
	}
	l = l.int("group", s.Group).int("reply_to", int64(s.ReplyTo))
	return append(l, '}')
}
