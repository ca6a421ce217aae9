package document

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	utf "golang.org/x/text/encoding/unicode"
)

// Decode makes UTF-8 of a text: in the character set that contentType or a page itself
// names, else as its bytes tell: UTF-8, UTF-16 with a mark, Windows-1251 and 1252. The error
// is Unknown for what is no text.
func Decode(content []byte, contentType string) (string, error) {
	switch {
	case bytes.HasPrefix(content, []byte("\xef\xbb\xbf")):
		content = content[3:]
	case bytes.HasPrefix(content, []byte{0xff, 0xfe}), bytes.HasPrefix(content, []byte{0xfe, 0xff}):
		return decoded(content, utf.UTF16(utf.LittleEndian, utf.UseBOM))
	}
	if contentType != "" {
		e, name, certain := charset.DetermineEncoding(content[:min(len(content), 1024)], contentType)
		if certain && name != "utf-8" && e != encoding.Nop {
			return decoded(content, e)
		}
	}
	if utf8.Valid(content) {
		return text(string(content))
	}
	if broken(content) {
		return text(strings.ToValidUTF8(string(content), "\ufffd"))
	}
	cyrillic, err := decoded(content, charmap.Windows1251)
	if err == nil && looksCyrillic(cyrillic) {
		return cyrillic, nil
	}
	return decoded(content, charmap.Windows1252)
}

// broken says whether bytes are UTF-8 with few errors: nearly every byte beyond ASCII belongs
// to a character.
func broken(content []byte) bool {
	whole, wrong := 0, 0
	for rest := content; len(rest) > 0; {
		r, n := utf8.DecodeRune(rest)
		switch {
		case r == utf8.RuneError && n == 1:
			wrong++
		case n > 1:
			whole++
		}
		rest = rest[n:]
	}
	return whole > 20*wrong
}

// looksCyrillic says whether most letters beyond ASCII are lower-case Cyrillic, or stand in
// words of such.
func looksCyrillic(s string) bool {
	cyrillic, other := 0, 0
	for _, r := range s {
		switch {
		case r < utf8.RuneSelf:
		case unicode.Is(unicode.Cyrillic, r) && (r >= 'А' && r <= 'я' || r == 'ё' || r == 'Ё'):
			cyrillic++
		default:
			other++
		}
	}
	ascii := 0
	for i := range len(s) {
		if c := s[i] | 0x20; c >= 'a' && c <= 'z' {
			ascii++
		}
	}
	// In a text of the West, letters beyond ASCII are few among others.
	return cyrillic > 3*other && cyrillic*3 > ascii
}

func decoded(content []byte, e encoding.Encoding) (string, error) {
	out, err := e.NewDecoder().Bytes(content)
	if err != nil {
		return "", refuse(Unknown, err)
	}
	return text(string(out))
}

// text refuses bytes that are no text: with many controls.
func text(s string) (string, error) {
	controls := 0
	for _, r := range s {
		if r == 0 || unicode.IsControl(r) && !strings.ContainsRune("\t\n\r\f\v\x1a\x1b", r) {
			controls++
		}
	}
	if controls*50 > len(s) {
		return "", refuse(Unknown, nil)
	}
	return s, nil
}
