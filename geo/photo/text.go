package photo

import (
	"html"
	"strings"
	"unicode"
)

// plain turns a fragment of HTML into one line of text: tags go, the content
// of script and style goes with them, entities are decoded, white space and
// control characters become single spaces, and at most limit characters stay.
// No tag is left in the result, however it was nested or encoded, so that a
// page that shows it carelessly is safe too.
func plain(fragment string, limit int) string {
	text := html.UnescapeString(stripTags(strings.ToValidUTF8(fragment, "")))
	// Decoding, or the removal of an inner tag, may have made a new one. Each
	// round shortens the text; no honest author needs many.
	for range 8 {
		stripped := stripTags(text)
		if stripped == text {
			break
		}
		text = stripped
	}
	if stripTags(text) != text {
		text = strings.ReplaceAll(text, "<", "")
	}
	text = strings.Join(strings.FieldsFunc(text, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r)
	}), " ")
	if runes := []rune(text); len(runes) > limit {
		text = strings.TrimSpace(string(runes[:limit-1])) + "…"
	}
	return text
}

// stripTags replaces every tag and comment by a space where it may separate
// words, and drops what stands inside script and style. A "<" that starts no
// tag is text.
func stripTags(s string) string {
	var out strings.Builder
	for s != "" {
		i := strings.IndexByte(s, '<')
		if i < 0 {
			out.WriteString(s)
			break
		}
		out.WriteString(s[:i])
		s = s[i:]
		if !startsTag(s) {
			out.WriteByte('<')
			s = s[1:]
			continue
		}
		var name string
		name, s = cutTag(s)
		switch name {
		case "script", "style":
			s = afterClosing(s, name)
		case "br", "/p", "/div", "/li", "/td", "/tr", "p", "div", "li":
			out.WriteByte(' ')
		}
	}
	return out.String()
}

// startsTag reports whether s, which starts with "<", starts a tag, a closing
// tag, a comment or a declaration.
func startsTag(s string) bool {
	if len(s) < 2 {
		return false
	}
	c := s[1]
	return c == '/' || c == '!' || c == '?' || (c|0x20 >= 'a' && c|0x20 <= 'z')
}

// cutTag returns the lower-case name of the tag that s starts with and what
// follows the tag. A tag that never ends takes the rest.
func cutTag(s string) (name, rest string) {
	if strings.HasPrefix(s, "<!--") {
		_, rest, _ = strings.Cut(s[4:], "-->")
		return "", rest
	}
	end := tagEnd(s)
	name = strings.ToLower(strings.Trim(s[1:end], "> "))
	if i := strings.IndexAny(name, " \t\r\n"); i >= 0 {
		name = name[:i]
	}
	name = strings.TrimSuffix(name, "/")
	return name, s[min(end+1, len(s)):]
}

// tagEnd is the index of the ">" that ends the tag; one inside quotes does not.
func tagEnd(s string) int {
	var quote byte
	for i := 1; i < len(s); i++ {
		switch c := s[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '>':
			return i
		}
	}
	return len(s)
}

// afterClosing skips to behind the closing tag of a raw-text element.
func afterClosing(s, name string) string {
	i := strings.Index(strings.ToLower(s), "</"+name)
	if i < 0 || i > len(s) {
		return ""
	}
	_, rest := cutTag(s[i:])
	return rest
}
