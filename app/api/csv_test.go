package api_test

import (
	"bytes"
	"encoding/csv"
	"testing"

	"svc/app/api"
	"svc/app/api/cell"
)

// TestCellsThatASpreadsheetWouldRun writes a table whose cells, header included, begin
// with what spreadsheets run, and reads the file: each has its apostrophe, and the
// inverse gives the text back.
func TestCellsThatASpreadsheetWouldRun(t *testing.T) {
	for _, text := range []string{
		"=1+1", "+998901234567", "-5", "@SUM(A1)", " =1", "\u00a0=1", "\u2003\u00a0 =1", "\ufeff=1", "\u200b=1", "\x00=1",
		"\tx", "\rx", "\nx", " \tx", "  \r\nx", "\uff1d1", "\uff0b1", "\uff0d1", "\uff20x", " \uff1d1", "\ufe661", "\u22121",
		"'=1", "''=1", "'\t", "\t",
	} {
		if got := cell.Escape(text); got != "'"+text {
			t.Errorf("%q is written as %q", text, got)
		}
	}
	for _, text := range []string{"", " ", "Olga", "a=b", "1+1", "o'zbek", "'quoted'", "'", "''", "\u00a0x", "(=1)", "\u02bb=", "Ў=1"} {
		if got := cell.Escape(text); got != text {
			t.Errorf("%q is written as %q", text, got)
		}
	}
	var b bytes.Buffer
	file := api.CSV("x.csv", []string{"name", "=header"}, func(yield func([]string, error) bool) {
		yield([]string{"\n=1", "\uff1dx"}, nil)
	})
	if err := file.Write(&b); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&b).ReadAll()
	if err != nil || len(rows) != 2 || rows[0][1] != "'=header" || rows[1][0] != "'\n=1" || rows[1][1] != "'\uff1dx" {
		t.Errorf("%q, %v", rows, err)
	}
}

// FuzzCellsComeBack holds that a text is the same after the way out and in.
func FuzzCellsComeBack(f *testing.F) {
	for _, s := range []string{"", "'", "=", "'=", "''=x", " '=x", "'a", "\t'", "\xff=", "-5"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if got := cell.Unescape(cell.Escape(s)); got != s {
			t.Errorf("%q comes back as %q", s, got)
		}
	})
}
