package sheet_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"

	"svc/app/api"
	"svc/app/recipient/sheet"
)

const someText = "username;first_name;Город\nolga_k;Ольга;Ташкент\nivan_p;Иван;«Самарканд»\n"

func encoded(t *testing.T, s string, encode func(string) (string, error)) []byte {
	t.Helper()
	out, err := encode(s)
	if err != nil {
		t.Fatal(err)
	}
	return []byte(out)
}

// TestEncodings: a text is read as it was written, and the sheet says how.
func TestEncodings(t *testing.T) {
	wide := func(order unicode.Endianness, mark unicode.BOMPolicy, s string) []byte {
		return encoded(t, s, unicode.UTF16(order, mark).NewEncoder().String)
	}
	for name, tt := range map[string]struct {
		content []byte
		want    sheet.Encoding
	}{
		"UTF-8":                     {[]byte(someText), sheet.UTF8},
		"UTF-8 with a mark":         {[]byte("\uFEFF" + someText), sheet.UTF8},
		"UTF-16 of Excel":           {wide(unicode.LittleEndian, unicode.UseBOM, someText), sheet.UTF16LE},
		"UTF-16 big with a mark":    {wide(unicode.BigEndian, unicode.UseBOM, someText), sheet.UTF16BE},
		"UTF-16 little, no mark":    {wide(unicode.LittleEndian, unicode.IgnoreBOM, someText), sheet.UTF16LE},
		"UTF-16 big, no mark":       {wide(unicode.BigEndian, unicode.IgnoreBOM, someText), sheet.UTF16BE},
		"Windows-1251":              {encoded(t, someText, charmap.Windows1251.NewEncoder().String), sheet.Windows1251},
		"Windows-1251, all capital": {encoded(t, strings.Replace(someText, "Иван", "ИВАНОВ", 1), charmap.Windows1251.NewEncoder().String), sheet.Windows1251},
	} {
		t.Run(name, func(t *testing.T) {
			f, err := sheet.Open(tt.content)
			if err != nil {
				t.Fatal(err)
			}
			s, err := f.Read(options(), "file")
			if err != nil || s.Encoding != tt.want || len(s.Rows) != 2 {
				t.Fatalf("%v, %+v", err, s)
			}
			if r := s.Rows[0]; r.FirstName != "Ольга" || r.Attributes["город"] != "Ташкент" {
				t.Errorf("%+v", r)
			}
		})
	}
}

// TestNoText: what is neither a text nor a workbook is refused as a file.
func TestNoText(t *testing.T) {
	for name, content := range map[string][]byte{
		"PNG":                []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"),
		"PDF":                []byte("%PDF-1.7\nusername\nolga\n"),
		"JPEG":               []byte("\xff\xd8\xff\xe0\x00\x10JFIF"),
		"old workbook":       []byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1username"),
		"zip of something":   zipOf(t, map[string]string{"readme.txt": "username\nolga\n"}),
		"half a zip":         zipOf(t, map[string]string{"xl/workbook.xml": "<workbook/>"})[:60],
		"workbook, no sheet": zipOf(t, map[string]string{"xl/workbook.xml": "<workbook/>"}),
		"zeros":              bytes.Repeat([]byte{0}, 5000),
		"noise":              []byte("username\n\x01\x02\x03\x04\xfe\xc3\x28\xa0\xa1\x05\x06"),
		"Latin-1":            []byte("username,name\njose,Jos\xe9 Mar\xeda L\xf3pez Fern\xe1ndez\n"),
		"KOI8-R":             encoded(t, strings.NewReplacer("«", "", "»", "").Replace(someText), charmap.KOI8R.NewEncoder().String),
		"half a pair":        append([]byte{0xff, 0xfe}, 'u', 0, 0x00, 0xd8, 'x', 0),
		"odd UTF-16":         {0xff, 0xfe, 'u', 0, 's'},
	} {
		t.Run(name, func(t *testing.T) {
			f, err := sheet.Open(content)
			if err == nil {
				_, err = f.Read(options(), "file")
			}
			if !errors.Is(err, api.ErrInvalidUpload) {
				t.Errorf("refused with %v", err)
			}
		})
	}
}

// TestRowBounds: what is too long or too wide is refused with its row and its column,
// before more than a row of it is in memory.
func TestRowBounds(t *testing.T) {
	wide := strings.Repeat("x,", 300)
	for name, tt := range map[string]struct{ content, says string }{
		"commas alone":       {strings.Repeat(",", 9<<20), "bytes in row 1, of which column"},
		"a long first cell":  {strings.Repeat("u", 1<<20) + "\nolga\n", "bytes in row 1, of which column 1"},
		"a long cell":        {"username,name\nolga,Olga\nivan," + strings.Repeat("y", 1<<20) + "\n", "bytes in row 3, of which column 2"},
		"a long quoted cell": {"username,name\nolga,\"" + strings.Repeat("y\n", 1<<20) + "\"\n", "bytes in row 2, of which column 2"},
		"many columns":       {"username\nolga\nivan," + wide + "\n", "302 columns in row 3; 200"},
		"a long record":      {`[{"username":"olga"},{"username":"ivan","x":"` + strings.Repeat("y", 1<<20) + `"}]`, "bytes in record 2"},
		"a nested record":    {`[{"username":"olga","x":` + strings.Repeat("[", 1<<20) + `}]`, "max depth"},
	} {
		t.Run(name, func(t *testing.T) {
			f, err := sheet.Open([]byte(tt.content))
			if err != nil {
				t.Fatal(err)
			}
			if _, err = f.Read(options(), "file"); err == nil || !strings.Contains(api.From(err).Details["file"], tt.says) {
				t.Errorf("%v %v", err, api.From(err).Details)
			}
		})
	}
	blank := "username\n" + strings.Repeat("\n\r\n", 1<<20) + "olga\n"
	if s := csvOf(t, blank, options()); len(s.Rows) != 1 || s.Rows[0].Number != 2<<20+2 {
		t.Errorf("empty lines: %+v", s)
	}
}

// TestOwnExport: the columns of our own export are known; what a spreadsheet would run
// comes back as it was.
func TestOwnExport(t *testing.T) {
	const header = "id,messenger_id,username,first_name,last_name,language,consent_status,consent_timestamp,consent_note,tags,attributes,source,opted_out_at,opt_out_source,suppressed,lists,last_messaged_at,last_replied_at,created_at\n"
	s := csvOf(t, header+`rcp_1,5,olga,'=Olga,'-,uz,OPTED_IN,2026-01-31T00:00:00Z,,'@a;b,"{""age"":30,""city"":""T"",""vip"":true}",MANUAL,,,false,Clients,,,2026-01-31T00:00:00Z`+"\n", options())
	const want = `2:5/olga/=Olga/-/uz/OPTED_IN@2026-01-31T00:00 #@a#b {"age":30,"city":"T","vip":true}`
	if len(s.Rows) != 1 || said(s.Rows[0]) != want {
		t.Errorf("%+v, %+v", s.Rows, s.Issues)
	}
	// A column of another file with one of these names is its own.
	s = csvOf(t, "username,id,source,suppressed\nolga,7,shop,no\n", options())
	if said(s.Rows[0]) != `2:0/olga//// {"id":"7","source":"shop","suppressed":"no"}` {
		t.Errorf("%+v", s.Rows)
	}
}

// TestRejected: rows that are not taken are kept as the file had them, with the reason,
// and the list of them can be imported.
func TestRejected(t *testing.T) {
	s := csvOf(t, "username,Name,,City\nolga,Olga,,T\nx,'=1,extra,\nOLGA,Again,,S\n", options())
	if fmt.Sprint(s.Header) != "[username Name column_3 City]" || len(s.Rejected) != 2 {
		t.Fatalf("%v %+v", s.Header, s.Rejected)
	}
	if x := s.Rejected[0]; x.Row != 3 || fmt.Sprint(x.Cells) != "[x '=1 extra ]" || !strings.HasPrefix(x.Reason, "username must have") {
		t.Errorf("%+v", x)
	}
	if x := s.Rejected[1]; x.Row != 4 || !strings.Contains(x.Reason, "row 2") {
		t.Errorf("%+v", x)
	}
	s = csvOf(t, "username,Name,import_row,import_reason\nolga_x,''=1,3,username must have\n", options())
	if len(s.Rows) != 1 || said(s.Rows[0]) != "2:0/olga_x/'=1///" {
		t.Errorf("%+v", s.Rows)
	}
	j, err := sheet.ReadRecords([]byte(`[{"username":"x","age":5},7,{"TG_ID":"5","tags":["a"]}]`), options(), "records")
	if err != nil || fmt.Sprint(j.Header) != "[username TG_ID age tags]" && fmt.Sprint(j.Header) != "[username tags TG_ID age]" || len(j.Rejected) != 2 {
		t.Errorf("%v %v %+v", err, j.Header, j.Rejected)
	}
}

// TestDayMonth: 01.05.2024 is the first of May, and it is said that it could be another
// day; 31.05.2024 could not.
func TestDayMonth(t *testing.T) {
	s := csvOf(t, "username,consent_timestamp\nolga,31.05.2024\nivan,01.05.2024\npetr,05.05.2024\nanna,2024-05-01\nvera,03.04.2024 10:00\n", options())
	if len(s.Rows) != 5 || s.Rows[1].ConsentAt.Format("2006-01-02") != "2024-05-01" {
		t.Fatalf("%+v", s)
	}
	if len(s.Warnings) != 1 || s.Warnings[0].Code != "day_month_order" || s.Warnings[0].Row != 3 || s.Warnings[0].Count != 2 {
		t.Errorf("%+v", s.Warnings)
	}
}

// TestTake: rows are handed on some at a time, and never all are kept.
func TestTake(t *testing.T) {
	var b strings.Builder
	b.WriteString("messenger_id,note_x\n")
	for i := range 5000 {
		fmt.Fprintf(&b, "%d,%s\n", i+1, strings.Repeat("n", 900))
	}
	o, got, most := options(), 0, 0
	o.Take = func(rows []sheet.Row) error {
		got, most = got+len(rows), max(most, len(rows))
		return nil
	}
	s := csvOf(t, b.String(), o)
	if got != 5000 || most > 1200 || len(s.Rows) != 0 || s.Total != 5000 {
		t.Errorf("%d rows, %d at once, %d kept", got, most, len(s.Rows))
	}
	failed := errors.New("enough")
	o.Take = func([]sheet.Row) error { return failed }
	if _, err := sheet.ReadCSV([]byte(b.String()), o, "file"); !errors.Is(err, failed) {
		t.Errorf("ended with %v", err)
	}
}
