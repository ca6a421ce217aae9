package cli

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/width"

	"svc/app/mapkey"
)

// keyTableHead is the head of a table of keys.
var keyTableHead = []string{"NAME", "KEY", "STATE", "RATE/MIN", "QUOTA/MONTH", "ORIGINS", "CREATED", "NOTE"}

// keyRow is the row of a key of which start may be shown.
func keyRow(k mapkey.Key, start string) []string {
	state := "active"
	if k.Disabled {
		state = "revoked"
	}
	return []string{
		k.Name, start, state, number(k.RateLimit, "default"), number(k.MonthlyQuota, "unlimited"),
		originCell(k.Origins), dateCell(k.CreatedAt), k.Note,
	}
}

func number(n int64, none string) string {
	if n <= 0 {
		return none
	}
	return strconv.FormatInt(n, 10)
}

// originCell keeps the line short: two origins and how many more there are.
func originCell(origins []string) string {
	switch n := len(origins); {
	case n == 0:
		return "everywhere"
	case n > 2:
		return fmt.Sprintf("%s, %s and %d more", origins[0], origins[1], n-2)
	}
	return strings.Join(origins, ", ")
}

func dateCell(created string) string {
	if t, err := time.Parse(time.RFC3339, created); err == nil {
		return t.UTC().Format(time.DateOnly)
	}
	return created
}

// maxCell bounds a column of the table, in terminal columns.
const maxCell = 60

// writeTable aligns rows by what a terminal shows, not by bytes: Cyrillic
// letters are two bytes and one column, Chinese ones three bytes and two.
// Control characters of a hand-edited file are made visible.
func writeTable(w io.Writer, rows [][]string) error {
	wide := make([]int, len(rows[0]))
	for _, row := range rows {
		for i := range row {
			row[i] = fitCell(row[i])
			wide[i] = max(wide[i], columns(row[i]))
		}
	}
	var b strings.Builder
	for _, row := range rows {
		var line strings.Builder
		for i, c := range row {
			line.WriteString(c)
			line.WriteString(strings.Repeat(" ", wide[i]-columns(c)+2))
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
		n := columns(text)
		if letters++; used+n > maxCell-1 || letters > 4*maxCell { // marks without width are letters too
			return b.String() + "…"
		}
		b.WriteString(text)
		used += n
	}
	return b.String()
}

// columns is how many terminal columns a text takes.
func columns(s string) int {
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
