package api

import (
	"encoding/csv"
	"io"
	"iter"
	"strings"
	"unicode"
)

// CSV is a table that is written while it is read. Rows that cannot be read end the
// connection: half a table must not look whole. Every cell, those of the header too, is
// written as EscapeCell makes it.
func CSV(fileName string, header []string, rows iter.Seq2[[]string, error]) Text {
	return Text{Type: "text/csv; charset=utf-8", FileName: fileName, Write: func(w io.Writer) error {
		out := csv.NewWriter(w)
		if err := out.Write(escapeRow(header)); err != nil {
			return err
		}
		for row, err := range rows {
			if err != nil {
				return err
			}
			if err := out.Write(escapeRow(row)); err != nil {
				return err
			}
		}
		out.Flush()
		return out.Error()
	}}
}

// EscapeCell makes a text safe in a CSV file (contract 21.3). A spreadsheet
// runs a cell as a formula that begins with one of = + - @ or their wide forms, also
// behind blanks, and some programs take a tab or a line break at the beginning for the
// beginning of another cell. Such a cell gets an apostrophe in front, which spreadsheets
// take for "this is text".
//
// A cell that would be such a one without the apostrophes it begins with gets one more,
// so that every text comes back as it was: UnescapeCell(EscapeCell(s)) == s.
func EscapeCell(s string) string {
	if runs(strings.TrimLeft(s, "'")) {
		return "'" + s
	}
	return s
}

// UnescapeCell is the inverse of EscapeCell, for a file that this service wrote. One
// apostrophe in front is taken away when what stands behind all of them would run as a
// formula; every other cell is left as it is.
func UnescapeCell(s string) string {
	if rest := strings.TrimLeft(s, "'"); rest != s && runs(rest) {
		return s[1:]
	}
	return s
}

// formulaSigns begin a formula in some spreadsheet: the plain signs, their full-width
// and small forms, and the minus sign of typography.
const formulaSigns = "=+-@\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b\u2212"

// runs says whether a spreadsheet may take a cell for a formula or for several cells.
func runs(s string) bool {
	for _, r := range s {
		switch {
		case r == '\t', r == '\r', r == '\n', strings.ContainsRune(formulaSigns, r):
			return true
		case !unicode.IsSpace(r) && !unicode.Is(unicode.Cf, r) && !unicode.IsControl(r):
			return false // Cf are characters that nobody sees, such as a byte order mark
		}
	}
	return false
}

// escapeRow is EscapeCell of a row.
func escapeRow(row []string) []string {
	cells := make([]string, len(row))
	for i, text := range row {
		cells[i] = EscapeCell(text)
	}
	return cells
}
