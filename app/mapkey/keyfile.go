package mapkey

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"
)

// maxKeyFile bounds the key file: a hundred thousand keys with long allowlists fit.
const maxKeyFile = 32 << 20

// Key is one record of the key file (map contract 54.6).
type Key struct {
	Key          string   `json:"key"`           // the secret; 32 hex characters when generated
	Name         string   `json:"name"`          // what people call it; need not be unique
	Origins      []string `json:"origins"`       // allowlist; empty means unrestricted
	RateLimit    int64    `json:"rate_limit"`    // requests per minute; 0 means the server's default
	MonthlyQuota int64    `json:"monthly_quota"` // billable requests per UTC month; 0 means unlimited
	Disabled     bool     `json:"disabled"`      // refused with 403 when true
	Note         string   `json:"note"`          // for people
	CreatedAt    string   `json:"created_at"`    // RFC 3339; kept as written, nothing depends on it
}

// FileError says what is wrong with a key file and where. It never repeats a
// value from the file, because the value might be a key.
type FileError struct {
	Path         string
	Line, Column int // from 1; 0 when the mistake has no place
	Problem      string
}

// Error names the file, the line, the column and the mistake.
func (e *FileError) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("key file %s: %s", e.Path, e.Problem)
	}
	return fmt.Sprintf("key file %s: line %d, column %d: %s", e.Path, e.Line, e.Column, e.Problem)
}

// field is one member of a record, as it stands in the file.
type field struct {
	name  string
	value json.RawMessage
	at    int // offset of the value in the file
}

// record is one object of the key file with everything in it, also what this
// version does not know, so that an edit loses nothing.
type record []field

var utf8BOM = []byte("\xef\xbb\xbf")

// readKeyFile reads and parses a whole key file. The returned os.FileInfo was
// taken before the bytes, so a change during the reading shows at the next poll.
func readKeyFile(path string) ([]Key, []record, os.FileInfo, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, nil, nil, fmt.Errorf("key file: %w", err)
	}
	if !info.Mode().IsRegular() { // a pipe would block for ever
		return nil, nil, info, &FileError{Path: path, Problem: "it is not a regular file"}
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, info, fmt.Errorf("key file: %w", err)
	}
	defer f.Close()
	if opened, err := f.Stat(); err == nil {
		info = opened
	}
	data, err := io.ReadAll(io.LimitReader(f, maxKeyFile+1))
	if err != nil {
		return nil, nil, info, fmt.Errorf("key file: %w", err)
	}
	keys, recs, err := parseKeys(path, data)
	return keys, recs, info, err
}

// parseKeys reads the JSON array of a key file. keys and records run in
// parallel, in file order, entries with an empty key included. Field names are
// compared without regard to letter case; of a repeated field the last counts.
func parseKeys(path string, data []byte) ([]Key, []record, error) {
	fail := func(at int, problem string) error {
		line, column := position(data, at)
		return &FileError{Path: path, Line: line, Column: column, Problem: problem}
	}
	if len(data) > maxKeyFile {
		return nil, nil, &FileError{Path: path, Problem: fmt.Sprintf("it is larger than %d MB", maxKeyFile>>20)}
	}
	if len(bytes.TrimSpace(bytes.TrimPrefix(data, utf8BOM))) == 0 {
		return nil, nil, &FileError{Path: path, Problem: "it is empty; an empty set of keys is written []"}
	}
	skip := len(data) - len(bytes.TrimPrefix(data, utf8BOM))
	text := data[skip:]
	if at, problem := syntax(text); problem != "" {
		return nil, nil, fail(skip+at, problem)
	}
	d := &fileDecoder{text: text, dec: json.NewDecoder(bytes.NewReader(text))}
	recs, at, problem := d.records()
	if problem != "" {
		return nil, nil, fail(skip+at, problem)
	}
	keys := make([]Key, len(recs))
	for i, rec := range recs {
		if at, problem := keys[i].fill(rec); problem != "" {
			return nil, nil, fail(skip+at, problem)
		}
	}
	return keys, recs, nil
}

// syntax answers the offset and the nature of the first JSON mistake.
func syntax(text []byte) (int, string) {
	var whole json.RawMessage
	err := json.Unmarshal(text, &whole)
	if err == nil {
		return 0, ""
	}
	var se *json.SyntaxError
	if errors.As(err, &se) {
		return max(int(se.Offset)-1, 0), "invalid JSON: " + se.Error()
	}
	return 0, "invalid JSON"
}

// fileDecoder walks text that is known to be valid JSON.
type fileDecoder struct {
	text []byte
	dec  *json.Decoder
}

// next is the offset where the next value begins.
func (d *fileDecoder) next() int {
	at := int(d.dec.InputOffset())
	for at < len(d.text) && strings.IndexByte(" \t\r\n:,", d.text[at]) >= 0 {
		at++
	}
	return at
}

func (d *fileDecoder) records() (recs []record, at int, problem string) {
	start := d.next()
	if d.text[start] != '[' {
		return nil, start, "the file must hold a JSON array of key objects, not " + kind(d.text[start])
	}
	_, _ = d.dec.Token()
	for d.dec.More() {
		at := d.next()
		switch d.text[at] {
		case '{':
			recs = append(recs, d.object())
		case 'n': // null is an entry without a key; it is ignored and not written back
			_, _ = d.dec.Token()
		default:
			return nil, at, "each entry must be a key object, not " + kind(d.text[at])
		}
	}
	return recs, 0, ""
}

func (d *fileDecoder) object() record {
	rec := record{}
	_, _ = d.dec.Token()
	for d.dec.More() {
		tok, err := d.dec.Token()
		name, ok := tok.(string)
		if err != nil || !ok {
			return rec
		}
		f := field{name: name, at: d.next()}
		if d.dec.Decode(&f.value) != nil {
			return rec
		}
		rec = append(rec, f)
	}
	_, _ = d.dec.Token()
	return rec
}

// fill sets the key from a record; on a wrong type it answers the value's
// offset and what was expected.
func (k *Key) fill(rec record) (int, string) {
	k.Origins = []string{}
	for _, f := range rec {
		to, want := k.member(f.name)
		if to == nil || f.value[0] == 'n' { // unknown, or null: the default stays
			continue
		}
		if json.Unmarshal(f.value, to) != nil {
			got := kind(f.value[0])
			switch {
			case got == "a number":
				got = "this number"
			case got == "an array" && to == any(&k.Origins):
				got = "an array with something else in it"
			}
			return f.at, fmt.Sprintf("%s must be %s, not %s", strings.ToLower(f.name), want, got)
		}
	}
	return 0, ""
}

// member is where a field of the file belongs and what it must hold.
func (k *Key) member(name string) (to any, want string) {
	switch strings.ToLower(name) {
	case "key":
		return &k.Key, "a string"
	case "name":
		return &k.Name, "a string"
	case "origins":
		k.Origins = []string{}
		return &k.Origins, "an array of strings"
	case "rate_limit":
		return &k.RateLimit, "a whole number"
	case "monthly_quota":
		return &k.MonthlyQuota, "a whole number"
	case "disabled":
		return &k.Disabled, "true or false"
	case "note":
		return &k.Note, "a string"
	case "created_at":
		return &k.CreatedAt, "a string"
	}
	return nil, ""
}

// kind names the JSON value that starts with c.
func kind(c byte) string {
	switch c {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "a string"
	case 't', 'f':
		return "true or false"
	case 'n':
		return "null"
	}
	return "a number"
}

// position turns an offset into a line and a column in characters, from 1.
func position(data []byte, at int) (line, column int) {
	at = min(max(at, 0), len(data))
	head := data[:at]
	start := bytes.LastIndexByte(head, '\n') + 1
	return bytes.Count(head, []byte("\n")) + 1, utf8.RuneCount(bytes.TrimPrefix(head[start:], utf8BOM)) + 1
}
