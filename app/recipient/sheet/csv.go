package sheet

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"strings"
	"unicode/utf8"

	"svc/app/api"
)

var byteOrderMark = []byte("\xEF\xBB\xBF")

// ReadCSV reads a CSV file: UTF-8, with or without a byte-order mark, cells
// separated by commas, semicolons or tabs, the first row naming the columns. where
// is the field of the request that refusals name.
func ReadCSV(content []byte, o Options, where string) (*Sheet, error) {
	var t *table
	if err := eachLine(content, where, o.into(&t, where)); err != nil {
		return nil, err
	}
	return t.end()
}

// eachLine calls a function for every row of a CSV file, at least one. The cells are good
// until it returns.
func eachLine(content []byte, where string, take func(cells []string, number int) error) error {
	content = bytes.TrimPrefix(content, byteOrderMark)
	switch {
	case len(bytes.TrimSpace(content)) == 0:
		return api.Wrong(where, "is empty; the first row names the columns")
	case !utf8.Valid(content):
		return api.Wrong(where, "is not in UTF-8; save it as CSV UTF-8")
	}
	// An old Macintosh ends its lines with a carriage return alone.
	if !bytes.ContainsRune(content, '\n') {
		content = bytes.ReplaceAll(content, []byte("\r"), []byte("\n"))
	}
	in := newLines(content)
	for first := true; ; first = false {
		cells, number, err := in.row()
		if errors.Is(err, io.EOF) && !first {
			return nil
		}
		if err != nil {
			return in.refuse(err, len(cells), where)
		}
		if !first && in.open(content, len(cells)) {
			return api.Wrong(where, "has a quotation mark in row %d that is never closed; close it, or take it out", number)
		}
		if err := take(cells, number); err != nil {
			return err
		}
	}
}

// open says whether the file ended within the quotes of the row that was read last:
// everything from there on became one value of it.
func (l *lines) open(content []byte, cells int) bool {
	if l.InputOffset() < int64(len(content)) {
		return false
	}
	line, column := l.FieldPos(cells - 1)
	for range line - 1 {
		_, content, _ = bytes.Cut(content, []byte("\n"))
	}
	value, quoted := bytes.CutPrefix(content[column-1:], []byte(`"`))
	value = bytes.TrimRight(value, "\r\n")
	marks := len(value) - len(bytes.TrimRight(value, `"`))
	return quoted && marks%2 == 0 // two are one within quotes
}

// refuse says why a file cannot be read; cells is how many of the row were read.
func (l *lines) refuse(err error, cells int, where string) error {
	switch {
	case errors.Is(err, io.EOF):
		return api.Wrong(where, "is empty; the first row names the columns")
	case errors.Is(err, errLong):
		return api.Wrong(where, "has more than %d bytes in row %d, of which column %d is the last that was read; shorten the row", maxRecord, l.number+1, max(1, cells))
	}
	return api.Wrong(where, "cannot be read as CSV: %s", err)
}

// lines numbers rows as a spreadsheet does: an empty line is a row, a line break
// within quotes is none.
type lines struct {
	*csv.Reader
	content []byte
	from    *bounded
	next    int // the line on which the next row begins when no empty one comes first
	number  int
}

func newLines(content []byte) *lines {
	l := &lines{content: content, from: &bounded{in: bytes.NewReader(content)}, next: 1}
	l.Reader = csv.NewReader(l.from)
	l.Comma = Separator(content)
	l.FieldsPerRecord, l.LazyQuotes, l.ReuseRecord = -1, true, true
	return l
}

func (l *lines) row() (cells []string, number int, err error) {
	begin := l.InputOffset()
	for begin < int64(len(l.content)) && (l.content[begin] == '\n' || l.content[begin] == '\r') {
		begin++ // the reader passes over empty lines
	}
	l.from.from(begin)
	cells, err = l.Read()
	if err != nil {
		return cells, 0, err
	}
	line, _ := l.FieldPos(0)
	l.number += 1 + line - l.next
	l.next = line + 1
	for _, c := range cells {
		l.next += strings.Count(c, "\n")
	}
	return cells, l.number, nil
}

// Separator is the character of the first row, outside quotes, that is there most
// often; a comma when none is.
func Separator(content []byte) rune {
	first := map[byte]int{}
	quoted := false
	for _, c := range content {
		switch {
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '\n' && len(first) > 0:
			return most(first)
		case c == ',' || c == ';' || c == '\t':
			first[c]++
		case c == '\n':
			if len(first) == 0 {
				return ',' // one column
			}
		}
	}
	return most(first)
}

func most(seen map[byte]int) rune {
	best := byte(',')
	for _, c := range []byte{';', '\t'} {
		if seen[c] > seen[best] {
			best = c
		}
	}
	return rune(best)
}
