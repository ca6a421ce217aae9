package compare

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// Readable is an answer that is no JSON as a story shows it: a page as its words, what
// is no text as its length and hash.
func Readable(contentType string, body []byte) string {
	switch {
	case strings.HasPrefix(contentType, "text/html") && strings.Contains(string(body), "<html"):
		page, err := readPage(string(body))
		if err != nil {
			return "(no page: " + err.Error() + ")"
		}
		return page
	case !utf8.Valid(body) || strings.ContainsRune(string(body), 0):
		sum := sha256.Sum256(body)
		return fmt.Sprintf("(%d bytes, %s)", len(body), hex.EncodeToString(sum[:]))
	}
	return strings.TrimRight(string(body), "\n")
}

// shown are the attributes that count on a page.
var shown = map[string]string{"html": "lang", "a": "href", "form": "method", "script": "src", "link": "href", "img": "src", "iframe": "src"}

// readPage is a page as its words: a line for each element that holds some, or that
// does something.
func readPage(body string) (string, error) {
	d := xml.NewDecoder(strings.NewReader(body))
	d.Strict, d.AutoClose, d.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	var lines, open []string
	for {
		t, err := d.Token()
		if errors.Is(err, io.EOF) {
			return strings.Join(lines, "\n"), nil
		}
		if err != nil {
			return "", err
		}
		switch t := t.(type) {
		case xml.StartElement:
			name := element(t)
			open = append(open, name)
			if attribute := shown[t.Name.Local]; attribute != "" && t.Name.Local != "a" {
				lines = append(lines, name)
			}
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			text := strings.Join(strings.Fields(string(t)), " ")
			if len(open) == 0 || text == "" || open[len(open)-1] == "style" {
				continue
			}
			lines = append(lines, open[len(open)-1]+": "+text)
		}
	}
}

func element(t xml.StartElement) string {
	for _, a := range t.Attr {
		if a.Name.Local == shown[t.Name.Local] {
			return t.Name.Local + " " + a.Value
		}
	}
	return t.Name.Local
}

// Texts of several lines are indented in a story, so that none of them begins like a
// line of the story itself.
const indentation = "  "

// special are the characters that a line of a story begins with.
const special = "#@!<>| \t"

// Indent makes a text of several lines, or one that begins like a line of a story, part of an
// answer.
func Indent(text string) string {
	if text == "" || !strings.Contains(text, "\n") && !strings.ContainsAny(text[:1], special) {
		return text
	}
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		if l != "" {
			lines[i] = indentation + l
		}
	}
	return strings.Join(lines, "\n")
}

// Unindent is the text that Indent was given.
func Unindent(body string) string {
	lines := strings.Split(body, "\n")
	for _, l := range lines {
		if l != "" && !strings.HasPrefix(l, indentation) {
			return body
		}
	}
	for i, l := range lines {
		lines[i] = strings.TrimPrefix(l, indentation)
	}
	return strings.Join(lines, "\n")
}
