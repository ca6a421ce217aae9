package sheet

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"

	"svc/app/api"
)

// Encoding is how the text of a file is written.
type Encoding string

// The encodings that are told apart (contract 21.1).
const (
	UTF8        Encoding = "UTF-8"
	UTF16LE     Encoding = "UTF-16LE"
	UTF16BE     Encoding = "UTF-16BE"
	Windows1251 Encoding = "WINDOWS-1251"
)

// ErrNotText refuses a file that is neither a text that can be read nor a workbook.
var ErrNotText = api.ErrInvalidUpload.WithMessage("The file is no CSV or JSON text in UTF-8, UTF-16 or Windows-1251 and no XLSX workbook; save it as CSV UTF-8 or as XLSX.")

// magic are the first bytes of files that are no text, whatever follows.
var magic = [][]byte{
	[]byte("%PDF-"), []byte("\x89PNG"), []byte("GIF8"), []byte("\xff\xd8\xff"), []byte("\xd0\xcf\x11\xe0"), []byte("Rar!"), []byte("7z\xbc\xaf"), []byte("\x1f\x8b"), []byte("{\\rtf"), []byte("RIFF"),
}

// Decode makes UTF-8 of a text without its byte-order mark and says how it was written.
// The error is ErrNotText. A file is told by its bytes: names lie.
func Decode(content []byte) ([]byte, Encoding, error) {
	for _, m := range magic {
		if bytes.HasPrefix(content, m) {
			return nil, "", ErrNotText
		}
	}
	if rest, ok := bytes.CutPrefix(content, byteOrderMark); ok {
		content = rest
	}
	switch wide := wideOf(content); {
	case wide != "":
		out, err := decodeWide(content, wide)
		return out, wide, err
	case utf8.Valid(content):
		if !printable(content) {
			return nil, "", ErrNotText
		}
		return content, UTF8, nil
	case printable(content) && looksCyrillic(content):
		out, err := decoded(content, charmap.Windows1251)
		return out, Windows1251, err
	}
	return nil, "", ErrNotText
}

// wideOf says which UTF-16 a text is in, "" for none: by its mark, or by the zero bytes
// that separators, digits and line ends have.
func wideOf(content []byte) Encoding {
	switch {
	case bytes.HasPrefix(content, []byte{0xff, 0xfe}):
		return UTF16LE
	case bytes.HasPrefix(content, []byte{0xfe, 0xff}):
		return UTF16BE
	}
	const look, least = 4096, 5 // bytes; one character in so many has a zero byte
	var zero [2]int
	begin := content[:min(len(content), look)&^1]
	for i, c := range begin {
		if c == 0 {
			zero[i%2]++
		}
	}
	switch pairs := len(begin) / 2; {
	case pairs == 0 || len(content)%2 != 0:
	case zero[1]*least > pairs && zero[0]*20 <= zero[1]:
		return UTF16LE
	case zero[0]*least > pairs && zero[1]*20 <= zero[0]:
		return UTF16BE
	}
	return ""
}

func decodeWide(content []byte, wide Encoding) ([]byte, error) {
	order := unicode.LittleEndian
	if wide == UTF16BE {
		order = unicode.BigEndian
	}
	if len(content)%2 != 0 {
		return nil, ErrNotText
	}
	for i := 0; i+1 < len(content); i += 2 { // half a pair would silently become another character
		unit := unitAt(content, i, wide)
		if !utf16.IsSurrogate(unit) {
			continue
		}
		if i += 2; i+1 >= len(content) || utf16.DecodeRune(unit, unitAt(content, i, wide)) == utf8.RuneError {
			return nil, ErrNotText
		}
	}
	out, err := decoded(content, unicode.UTF16(order, unicode.UseBOM))
	if err == nil && !printable(out) {
		err = ErrNotText
	}
	return out, err
}

func unitAt(content []byte, i int, wide Encoding) rune {
	if wide == UTF16BE {
		return rune(content[i])<<8 | rune(content[i+1])
	}
	return rune(content[i+1])<<8 | rune(content[i])
}

func decoded(content []byte, e encoding.Encoding) ([]byte, error) {
	out, err := e.NewDecoder().Bytes(content)
	if err != nil {
		return nil, ErrNotText.WithCause(err)
	}
	return out, nil
}

// printable says whether a text has hardly any control characters. One in a text that was
// copied from somewhere is for its row to say.
func printable(content []byte) bool {
	control := 0
	for _, c := range content {
		if c < ' ' && c != '\t' && c != '\n' && c != '\r' || c == 0x7f {
			control++
		}
	}
	return control*100 <= len(content)
}

// looksCyrillic says whether a text of single bytes is in Windows-1251: nearly all of its
// bytes beyond ASCII are letters of Russian or marks that are typed with them, they stand
// beside each other and not among Latin ones, and no capital follows a small letter, as
// it would in KOI8-R.
func looksCyrillic(content []byte) bool {
	high, letters, mixed, turned := 0, 0, 0, 0
	before := byte(' ')
	for _, c := range content {
		switch {
		case isRussian(c):
			high++
			letters++
			if isLatin(before) {
				mixed++
			}
			if isRussian(before) && isSmall(before) && !isSmall(c) {
				turned++
			}
		case c >= 0x80:
			high++
			if bytes.IndexByte(typed, c) < 0 {
				mixed++
			}
		case isLatin(c) && isRussian(before):
			mixed++
		}
		before = c
	}
	return letters > 0 && mixed*10 <= high && turned*10 <= letters && letters*10 >= high*7
}

// typed are marks of Windows-1251 beside its Russian letters: quotes, dashes, the number
// sign, a space that does not break, and letters of its neighbours.
var typed = []byte{0x84, 0x85, 0x91, 0x92, 0x93, 0x94, 0x96, 0x97, 0xa0, 0xa1, 0xa2, 0xaa, 0xab, 0xaf, 0xb2, 0xb3, 0xb4, 0xb9, 0xba, 0xbb, 0xbf}

func isRussian(c byte) bool { return c >= 0xc0 || c == 0xa8 || c == 0xb8 }
func isSmall(c byte) bool   { return c >= 0xe0 || c == 0xb8 }
func isLatin(c byte) bool   { return c|0x20 >= 'a' && c|0x20 <= 'z' }
