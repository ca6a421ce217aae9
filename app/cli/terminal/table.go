package terminal

import (
	"fmt"
	"io"
	"strings"
	"unicode"

	"golang.org/x/text/width"
)

// maxCell bounds a column of the table, in terminal columns.
const maxCell = 60

// WriteTable aligns the columns of rows by what a terminal shows, not by bytes: Cyrillic
// letters are two bytes and one column, Chinese ones three bytes and two.
// Control characters of a hand-edited file are made visible.
func WriteTable(w io.Writer, rows [][]string) error {
	wide := make([]int, len(rows[0]))
	for _, row := range rows {
		for i := range row {
			row[i] = fitCell(row[i])
			wide[i] = max(wide[i], Columns(row[i]))
		}
	}
	var b strings.Builder
	for _, row := range rows {
		var line strings.Builder
		for i, c := range row {
			line.WriteString(c)
			line.WriteString(strings.Repeat(" ", wide[i]-Columns(c)+2))
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// fitCell makes a value printable on one line and no wider than maxCell.
func fitCell(s string) string {
	var b strings.Builder
	used, letters := 0, 0
	for _, r := range s {
		text := string(r)
		if !unicode.IsPrint(r) && !zeroWidth(r) || unicode.Is(unicode.Bidi_Control, r) {
			text = fmt.Sprintf("\\u%04x", r)
		}
		n := Columns(text)
		if letters++; used+n > maxCell-1 || letters > 4*maxCell { // marks without width are letters too
			return b.String() + "…"
		}
		b.WriteString(text)
		used += n
	}
	return b.String()
}

// Columns is how many terminal columns a text takes.
func Columns(s string) int {
	n := 0
	for _, r := range s {
		switch k := width.LookupRune(r).Kind(); {
		case zeroWidth(r):
		case k == width.EastAsianWide || k == width.EastAsianFullwidth:
			n += 2
		default:
			n++
		}
	}
	return n
}

// zeroWidth are marks that sit on the letter before them, and joiners.
func zeroWidth(r rune) bool {
	return unicode.In(r, unicode.Mn, unicode.Me) || r == '\u200d' || r == '\u200c'
}

// Bytes writes a size for people, in powers of ten as disks are sold.
func Bytes(n int64) string {
	switch {
	case n >= 1e9:
		return fmt.Sprintf("%.1f GB", float64(n)/1e9)
	case n >= 1e6:
		return fmt.Sprintf("%.1f MB", float64(n)/1e6)
	case n >= 1e3:
		return fmt.Sprintf("%.1f kB", float64(n)/1e3)
	}
	return fmt.Sprintf("%d bytes", n)
}
