// Package document makes text of files: PDF, DOCX, HTML, Markdown and plain text, with
// headings as lines that begin with # as package chunk wants them.
//
// It promises bounded work whatever the file: a time, a number of pages, an unpacked size, a
// size of the text and of the memory on the way; that a parser that panics is an error of the
// file; and that what nobody sees in a document (deleted text, comments, scripts, hidden
// elements, characters of no width) is not in its text.
//
// It refuses to guess: a file whose characters cannot be told, that has none or is locked is
// an [Error] that says so. Tables (CSV, XLSX) are read elsewhere.
package document

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Kind is what a file is.
type Kind string

// The kinds.
const (
	PDF      Kind = "PDF"
	DOCX     Kind = "DOCX"
	XLSX     Kind = "XLSX"
	CSV      Kind = "CSV"
	HTML     Kind = "HTML"
	Markdown Kind = "MD"
	Plain    Kind = "TXT"
)

// Code says what is wrong with a file.
type Code string

// The codes (contract 13.21).
const (
	Unknown     Code = "UNKNOWN_FORMAT"
	Damaged     Code = "DAMAGED"
	Encrypted   Code = "ENCRYPTED"
	NoText      Code = "NO_TEXT"
	Garbled     Code = "GARBLED_TEXT"
	TooManyPage Code = "TOO_MANY_PAGES"
	TooLarge    Code = "TOO_LARGE"
	Timeout     Code = "TIMEOUT"
)

// Error is why a file has no text for us.
type Error struct {
	Code  Code
	Cause error // may be nil
}

// Error implements error.
func (e *Error) Error() string {
	if e.Cause == nil {
		return string(e.Code)
	}
	return fmt.Sprintf("%s: %v", e.Code, e.Cause)
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Cause }

func refuse(c Code, cause error) error { return &Error{c, cause} }

// Bounds.
const (
	MaxPages    = 500
	MaxUnpacked = 200 << 20 // bytes of an archive
	maxRatio    = 100
	MaxText     = 20 << 20 // bytes
	maxMemory   = 256 << 20
	maxTime     = 30 * time.Second
	// atOnce bounds the files that are read at a time: one that does not end holds its place.
	atOnce = 4
)

// Text is what a file says.
type Text struct {
	Title string // "" when it has none
	Body  string
	Pages int // of a PDF
}

var places = make(chan struct{}, atOnce)

// Read makes text of a file. The error is an *Error, or that of the context.
func Read(ctx context.Context, k Kind, content []byte) (Text, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, maxTime, refuse(Timeout, nil))
	defer cancel()
	select {
	case places <- struct{}{}:
	case <-ctx.Done():
		return Text{}, context.Cause(ctx)
	}
	type result struct {
		text Text
		err  error
	}
	done := make(chan result, 1)
	go func() {
		defer func() { <-places }()
		var r result
		defer func() { done <- r }()
		defer func() {
			if p := recover(); p != nil {
				r = result{err: panicked(p)}
			}
		}()
		r.text, r.err = read(ctx, k, content)
	}()
	select {
	case r := <-done:
		if ctx.Err() != nil {
			return Text{}, context.Cause(ctx)
		}
		return finish(r.text, r.err)
	case <-ctx.Done():
		return Text{}, context.Cause(ctx)
	}
}

// panicked is the error of a parser that panicked.
func panicked(p any) error {
	if s, ok := p.(stopped); ok {
		return refuse(s.code, nil)
	}
	return refuse(Damaged, fmt.Errorf("%v", p))
}

func read(ctx context.Context, k Kind, content []byte) (Text, error) {
	switch k {
	case PDF:
		return readPDF(ctx, content)
	case DOCX:
		return readDOCX(ctx, content)
	case HTML:
		return readHTML(content)
	case Markdown, Plain:
		text, err := Decode(content, "")
		return Text{Body: text}, err
	}
	return Text{}, refuse(Unknown, nil)
}

// finish cleans a text and refuses one that is none.
func finish(t Text, err error) (Text, error) {
	if err != nil {
		return Text{}, err
	}
	t.Title, t.Body = strings.Join(strings.Fields(Clean(t.Title)), " "), strings.TrimSpace(Clean(t.Body))
	switch {
	case len(t.Body) > MaxText:
		return Text{}, refuse(TooLarge, nil)
	case t.Body == "":
		return Text{}, refuse(NoText, nil)
	}
	return t, nil
}

// KindOf says what a file is, by its bytes; of texts, which have none that tell, by its name.
func KindOf(name string, content []byte) (Kind, error) {
	head := content[:min(len(content), 4096)]
	switch {
	case bytes.Contains(head[:min(len(head), 1024)], []byte("%PDF-")):
		return PDF, nil
	case bytes.HasPrefix(head, []byte("PK\x03\x04")):
		return kindOfArchive(content)
	case bytes.HasPrefix(head, []byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")):
		// The older formats of Microsoft, and what is locked with a password.
		if bytes.Contains(content, utf16("EncryptedPackage")) {
			return "", refuse(Encrypted, nil)
		}
		return "", refuse(Unknown, nil)
	}
	text, err := Decode(head[:wholeRunes(head)], "")
	if err != nil {
		return "", err
	}
	switch strings.ToLower(filepath.Ext(name)) {
	case ".html", ".htm", ".xhtml":
		return HTML, nil
	case ".csv", ".tsv":
		return CSV, nil
	case ".md", ".markdown":
		return Markdown, nil
	}
	if looksHTML(text) {
		return HTML, nil
	}
	return Plain, nil
}

// wholeRunes is where the last character of a beginning ends.
func wholeRunes(b []byte) int {
	for n := len(b); n > len(b)-utf8.UTFMax && n > 0; n-- {
		if r, size := utf8.DecodeLastRune(b[:n]); r != utf8.RuneError || size > 1 {
			return n
		}
	}
	return len(b)
}

func utf16(s string) []byte {
	out := make([]byte, 0, 2*len(s))
	for i := range len(s) {
		out = append(out, s[i], 0)
	}
	return out
}

func looksHTML(text string) bool {
	text = strings.ToLower(strings.TrimSpace(text))
	for _, begin := range []string{"<!doctype html", "<html", "<head", "<body"} {
		if strings.HasPrefix(text, begin) {
			return true
		}
	}
	return false
}

// Clean drops what nobody sees: characters of no width, directions, controls, private and
// broken ones.
func Clean(s string) string {
	s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case r == '\f' || r == '\v' || r == '\u2028' || r == '\u2029':
			return '\n'
		case r == '\u00a0' || r == '\u202f' || r == '\u2007':
			return ' '
		case unicode.IsControl(r), unicode.Is(unicode.Cf, r), unicode.Is(unicode.Co, r), r == utf8.RuneError,
			r >= 0xFE00 && r <= 0xFE0F, r >= 0xE0000 && r <= 0xE0FFF:
			return -1
		}
		return r
	}, s)
}

// Letters is how many letters and digits a text has.
func Letters(s string) (n int) {
	for _, r := range s {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			n++
		}
	}
	return n
}

// IsCode says whether an error is an *Error with a code.
func IsCode(err error, c Code) bool {
	var e *Error
	return errors.As(err, &e) && e.Code == c
}
