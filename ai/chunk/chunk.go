// Package chunk cuts texts of knowledge into pieces that can be found and shown to a model:
// at headings, then paragraphs, then sentences, with the title and the headings above in
// front; questions with their answers and rows of tables stay whole.
//
// It promises that no text is lost, that nothing is cut inside a character, that the same
// text gives the same chunks, and bounded work: MaxText bytes and MaxChunks chunks, beyond
// which it answers an error.
//
// It refuses to read files and pages: they come as text, with headings as lines that begin
// with # and one empty line between paragraphs.
package chunk

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"

	"svc/ai/lang"
)

// Chunk is one piece of a source.
type Chunk struct {
	N     int    // its place in the source, from 0
	Title string // title of the source and the headings above, " › " between
	Text  string
	Lang  string // as lang.Guess.Label writes it; empty when nothing is known
	Hash  string // SHA-256 of title and text, in hex
}

// Bounds.
const (
	MaxText   = 20 << 20 // bytes of a source
	MaxChunks = 2_000    // chunks of a source
	// MinSize is the characters below which a chunk takes more, if there is more under its
	// heading.
	MinSize = 900
	// MaxSize is the characters that no chunk passes, but for a row of a table or an answer,
	// which stay whole up to maxWhole.
	MaxSize  = 1_400
	maxWhole = 4 * MaxSize
	maxTitle = 300
)

// The ways in which a source is refused.
var (
	ErrTooLong = errors.New("the text is longer than a source may be: split it into several sources")
	ErrTooMany = errors.New("the source has more parts than a source may have: split it into several sources")
	ErrEmpty   = errors.New("the source has no text")
)

// Entry is a question and its answer.
type Entry struct{ Question, Answer string }

// Split cuts a text. A line that begins with one to six # and a space is a heading.
func Split(title, text string) ([]Chunk, error) {
	if len(text) > MaxText {
		return nil, ErrTooLong
	}
	w := writer{title: line(title)}
	var heads [6]string
	var body []string
	for raw := range strings.Lines(clean(text)) {
		level, head := heading(raw)
		if level == 0 {
			body = append(body, strings.TrimSpace(raw))
			continue
		}
		w.section(heads[:], body)
		body = body[:0]
		heads[level-1] = head
		clear(heads[level:])
	}
	w.section(heads[:], body)
	return w.done()
}

// FAQ makes one chunk of each question and its answer; a very long answer becomes several,
// each with the question.
func FAQ(title string, entries []Entry) ([]Chunk, error) {
	w := writer{title: line(title)}
	size := 0
	for _, e := range entries {
		if size += len(e.Question) + len(e.Answer); size > MaxText {
			return nil, ErrTooLong
		}
		question, answer := line(clean(e.Question)), strings.TrimSpace(clean(e.Answer))
		if question == "" || answer == "" {
			continue
		}
		for _, part := range pieces(answer, maxWhole) {
			w.add(join(w.title, question), part)
		}
	}
	return w.done()
}

// Table makes chunks of rows, each group of rows below the header: "column: value; …".
// Cells without a value are left out, and so are rows without any.
func Table(title string, header []string, rows [][]string) ([]Chunk, error) {
	w := writer{title: line(title)}
	var group strings.Builder
	size, total := 0, 0
	for _, row := range rows {
		text := rowText(header, row)
		if total += len(text); total > MaxText {
			return nil, ErrTooLong
		}
		for _, part := range pieces(text, maxWhole) {
			n := utf8.RuneCountInString(part)
			if size > 0 && size+n > MaxSize {
				w.add(w.title, group.String())
				group.Reset()
				size = 0
			}
			if size > 0 {
				group.WriteByte('\n')
			}
			group.WriteString(part)
			size += n + 1
		}
	}
	if size > 0 {
		w.add(w.title, group.String())
	}
	return w.done()
}

func rowText(header, row []string) string {
	var b strings.Builder
	for i, cell := range row {
		cell = line(clean(cell))
		if cell == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteString("; ")
		}
		if i < len(header) && line(header[i]) != "" {
			b.WriteString(line(clean(header[i])) + ": ")
		}
		b.WriteString(cell)
	}
	return b.String()
}

// writer collects chunks.
type writer struct {
	title string
	out   []Chunk
	many  bool
}

// add appends a chunk, unless the source is full.
func (w *writer) add(title, text string) {
	if w.many = w.many || len(w.out) == MaxChunks; w.many {
		return
	}
	title = cutTitle(title)
	sum := sha256.Sum256([]byte(title + "\x00" + text))
	w.out = append(w.out, Chunk{N: len(w.out), Title: title, Text: text, Lang: lang.Identify(text).Label(), Hash: hex.EncodeToString(sum[:])})
}

func (w *writer) done() ([]Chunk, error) {
	switch {
	case w.many:
		return nil, ErrTooMany
	case len(w.out) == 0:
		return nil, ErrEmpty
	}
	return w.out, nil
}

// section cuts what stands below one heading.
func (w *writer) section(heads, body []string) {
	title := join(append([]string{w.title}, heads...)...)
	for _, part := range pack(body) {
		w.add(title, part)
	}
}

// heading is the level and the text of a heading; 0 when the line is none.
func heading(raw string) (level int, text string) {
	raw = strings.TrimSpace(raw)
	for level < len(raw) && raw[level] == '#' {
		level++
	}
	if level == 0 || level > 6 || level == len(raw) || raw[level] != ' ' {
		return 0, ""
	}
	text = line(strings.TrimRight(raw[level:], "# "))
	if text == "" {
		return 0, ""
	}
	return level, text
}

// join puts titles in front of each other, empty and repeated ones left out.
func join(titles ...string) string {
	var out []string
	for _, t := range titles {
		if t != "" && (len(out) == 0 || out[len(out)-1] != t) {
			out = append(out, t)
		}
	}
	return strings.Join(out, " › ")
}

func cutTitle(s string) string {
	if r := []rune(s); len(r) > maxTitle {
		return string(r[:maxTitle])
	}
	return s
}

// line is a text on one line, with single spaces.
func line(s string) string { return strings.Join(strings.Fields(s), " ") }

// clean drops what nobody sees: characters of no width, directions, controls; broken bytes
// become U+FFFD.
func clean(s string) string {
	s = strings.ReplaceAll(strings.ReplaceAll(strings.ToValidUTF8(s, "�"), "\r\n", "\n"), "\r", "\n")
	return strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r)) {
			return -1
		}
		return r
	}, s)
}
