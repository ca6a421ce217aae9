package sheet_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"maps"
	"strings"
	"testing"

	"svc/app/api"
	"svc/app/recipient/sheet"
)

func zipOf(t testing.TB, parts map[string]string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for name, text := range parts {
		part, err := w.Create(name)
		if err == nil {
			_, err = part.Write([]byte(text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// book is a workbook as spreadsheets save it, with two sheets.
func book(more map[string]string) map[string]string {
	parts := map[string]string{
		"[Content_Types].xml": `<Types/>`,
		"xl/workbook.xml": `<?xml version="1.0" encoding="UTF-8"?><workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="r"><workbookPr/>
			<sheets><sheet name="People" sheetId="1" r:id="rId7"/><sheet name="Others" sheetId="2" r:id="rId8"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels": `<Relationships><Relationship Id="rId7" Target="worksheets/sheet1.xml"/><Relationship Id="rId8" Target="/xl/worksheets/sheet2.xml"/></Relationships>`,
		"xl/styles.xml": `<styleSheet><numFmts count="1"><numFmt numFmtId="170" formatCode="dd\.mm\.yyyy\ hh:mm"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>
			<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="170"/><xf numFmtId="3"/></cellXfs></styleSheet>`,
		"xl/sharedStrings.xml": `<sst><si><t>tg_id</t></si><si><t>Name</t></si><si><r><t>consent_</t></r><r><rPr/><t>timestamp</t></r><rPh><t>no</t></rPh></si><si><t xml:space="preserve">Ольга &amp; Ко</t></si></sst>`,
		"xl/worksheets/sheet1.xml": `<worksheet><sheetData><row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1" t="s"><v>2</v></c><c r="E1" t="inlineStr"><is><t>City</t></is></c></row>
			<row r="3"><c r="A3"><v>1.23456789E8</v></c><c r="B3" t="s"><v>3</v></c><c r="C3" s="1"><v>46053</v></c><c r="E3" t="str"><f>A1</f><v>Toshkent</v></c></row>
			<row r="4" spans="1:5"><c r="A4" s="3"><v>7</v></c><c r="C4" s="2"><v>46053.5</v></c><c r="E4" t="b"><v>1</v></c></row><row r="5"/></sheetData></worksheet>`,
		"xl/worksheets/sheet2.xml": `<x:worksheet xmlns:x="m"><x:sheetData><x:row><x:c t="inlineStr"><x:is><x:t>username</x:t></x:is></x:c></x:row><x:row><x:c t="inlineStr"><x:is><x:t>ivan</x:t></x:is></x:c></x:row></x:sheetData></x:worksheet>`,
	}
	maps.Copy(parts, more)
	return parts
}

func readBook(t *testing.T, content []byte, name string) (*sheet.Sheet, error) {
	t.Helper()
	f, err := sheet.Open(content)
	if err != nil {
		return nil, err
	}
	o := options()
	o.Sheet = name
	return f.Read(o, "file")
}

func TestWorkbook(t *testing.T) {
	content := zipOf(t, book(nil))
	s, err := readBook(t, content, "")
	if err != nil || s.Name != "People" || len(s.Rows) != 2 {
		t.Fatalf("%v %v %+v", err, api.From(err).Details, s)
	}
	if got := said(s.Rows[0]); got != `3:123456789//Ольга & Ко///@2026-01-31T00:00 {"city":"Toshkent"}` {
		t.Errorf("row %s", got)
	}
	if got := said(s.Rows[1]); got != `4:7/////@2026-01-31T12:00 {"city":"true"}` {
		t.Errorf("row %s", got)
	}
	if s, err = readBook(t, content, "others"); err != nil || s.Name != "Others" || s.Rows[0].Username != "ivan" {
		t.Errorf("the second sheet: %v %+v", err, s)
	}
	if _, err = readBook(t, content, "Third"); err == nil || !strings.Contains(api.From(err).Details["sheet"], "People, Others") {
		t.Errorf("a sheet that is not there: %v", err)
	}
}

// TestHostileWorkbook: what unpacks to more than it should, refers to what is not there,
// or is larger than a row may be is refused, and does not take the memory.
func TestHostileWorkbook(t *testing.T) {
	row := func(cells string) map[string]string {
		return map[string]string{"xl/worksheets/sheet1.xml": `<worksheet><sheetData><row><c t="inlineStr"><is><t>username</t></is></c></row><row r="2">` + cells + `</row></sheetData></worksheet>`}
	}
	var lol strings.Builder
	lol.WriteString(`<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a "ha">`)
	for i := range 9 {
		fmt.Fprintf(&lol, `<!ENTITY %c "&%c;&%c;">`, 'b'+i, 'a'+i, 'a'+i)
	}
	lol.WriteString(`]><worksheet><sheetData><row><c t="inlineStr"><is><t>&j;</t></is></c></row></sheetData></worksheet>`)
	for name, tt := range map[string]struct {
		parts map[string]string
		says  string // of the field file; "": the upload is invalid
	}{
		"bomb":                {map[string]string{"xl/worksheets/sheet1.xml": strings.Repeat(" ", 129<<20)}, ""},
		"bomb of one text":    {row(`<c t="inlineStr"><is><t>` + strings.Repeat("a", 100<<20) + `</t></is></c>`), "bytes in row 2, up to column 1"},
		"entities":            {map[string]string{"xl/worksheets/sheet1.xml": lol.String()}, ""},
		"shared text missing": {row(`<c t="s"><v>99</v></c>`), ""},
		"no XML":              {row(`<c`), ""},
		"ends early":          {map[string]string{"xl/worksheets/sheet1.xml": `<worksheet><sheetData><row><c><v>1</v>`}, ""},
		"far column":          {row(`<c r="ZZZ2"><v>1</v></c>`), "column 18278 of row 2"},
		"wide row":            {row(strings.Repeat(`<c t="inlineStr"><is><t>`+strings.Repeat("a", 60<<10)+`</t></is></c>`, 2)), "bytes in row 2, up to column 2"},
		"many shared texts":   {map[string]string{"xl/sharedStrings.xml": "<sst>" + strings.Repeat("<si><t>a</t></si>", 500_001) + "</sst>"}, "different texts"},
		"an empty sheet":      {map[string]string{"xl/worksheets/sheet1.xml": `<worksheet><sheetData/></worksheet>`}, "has nothing"},
		"nobody's columns":    {map[string]string{"xl/worksheets/sheet1.xml": `<worksheet><sheetData><row><c><v>1</v></c></row></sheetData></worksheet>`}, "no column messenger_id"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := readBook(t, zipOf(t, book(tt.parts)), "")
			if tt.says == "" && !errors.Is(err, api.ErrInvalidUpload) || tt.says != "" && (err == nil || !strings.Contains(api.From(err).Details["file"], tt.says)) {
				t.Errorf("refused with %v %v", err, api.From(err).Details)
			}
		})
	}
}

func FuzzWorkbook(f *testing.F) {
	for part, text := range book(nil) {
		f.Add(part, text)
	}
	f.Fuzz(func(t *testing.T, part, text string) {
		if s, err := readBook(t, zipOf(t, book(map[string]string{part: text})), ""); err == nil {
			sound(t, s)
		}
	})
}
