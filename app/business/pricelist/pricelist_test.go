package pricelist_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"svc/app/business/pricelist"
	"svc/app/recipient/sheet"
)

func read(t *testing.T, content []byte, o pricelist.Options) (*pricelist.List, error) {
	t.Helper()
	f, err := sheet.Open(content)
	if err != nil {
		t.Fatal(err)
	}
	return pricelist.Read(f, o, "file")
}

// workbook is an XLSX file whose first sheet is a note and whose second has these rows.
func workbook(t *testing.T, rows [][]string) []byte {
	t.Helper()
	var data strings.Builder
	for i, cells := range rows {
		fmt.Fprintf(&data, `<row r="%d">`, i+3)
		for n, c := range cells {
			kind, value := "str", c
			if strings.Trim(c, "0123456789.") == "" {
				kind = "n"
			}
			fmt.Fprintf(&data, `<c r="%c%d" t="%s"><v>%s</v></c>`, 'A'+n, i+3, kind, value)
		}
		data.WriteString("</row>")
	}
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for name, text := range map[string]string{
		"xl/workbook.xml":            `<workbook><sheets><sheet name="Izoh" r:id="r1"/><sheet name="Narxlar" r:id="r2"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels": `<Relationships><Relationship Id="r1" Target="a.xml"/><Relationship Id="r2" Target="b.xml"/></Relationships>`,
		"xl/a.xml":                   `<worksheet><sheetData><row r="1"><c t="str"><v>Hello</v></c></row></sheetData></worksheet>`,
		"xl/b.xml":                   `<worksheet><sheetData>` + data.String() + `</sheetData></worksheet>`,
	} {
		w, err := z.Create(name)
		if err == nil {
			_, err = w.Write([]byte(text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// A row of a workbook says the same as one of a CSV file.
func TestReadWorkbook(t *testing.T) {
	rows := [][]string{{"Nomi", "Narxi", "Holati", "Faol"}, {"Atirgul", "1250000.5", "buyurtma asosida", "yoʻq"}, {}, {"Lola", "12000", "tugagan", "ha"}}
	l, err := read(t, workbook(t, rows), pricelist.Options{Sheet: "narxlar"})
	if err != nil || len(l.Issues) > 0 || len(l.Rows) != 2 || l.Sheet != "Narxlar" {
		t.Fatalf("read %+v, %v", l, err)
	}
	first, last := l.Rows[0], l.Rows[1]
	if first.Number != 4 || first.Name != "Atirgul" || first.Price.String() != "1250000.5" || first.Availability != "PREORDER" || *first.Active {
		t.Errorf("the first row is %+v", first)
	}
	if last.Number != 6 || last.Availability != "OUT_OF_STOCK" || !*last.Active {
		t.Errorf("the last row is %+v", last)
	}
	if _, err := read(t, workbook(t, rows), pricelist.Options{}); err == nil {
		t.Error("the first sheet names no column, and was read")
	}
}

func TestColumns(t *testing.T) {
	for _, c := range []struct {
		header, columns, ignored string
	}{
		{"name", "name", ""},
		{"Product,Name", "name", "Product"}, // what is named as the field goes first
		{"Название,Цена,Цена до,Валюта,SKU", "name price price_max currency", "SKU"},
		{"nomi,narx,,havola", "name price url", ""},
		{"id,name,sales_priority,created_at,updated_at", "name sales_priority", ""}, // an export
		{"id,name,created_at", "name", "id created_at"},
	} {
		l, err := read(t, []byte(c.header+"\nRose"), pricelist.Options{})
		if err != nil {
			t.Errorf("%s: %v", c.header, err)
			continue
		}
		if got := strings.Join(l.Columns, " "); got != c.columns {
			t.Errorf("%s: columns %q, want %q", c.header, got, c.columns)
		}
		if got := strings.Join(l.Ignored, " "); got != c.ignored {
			t.Errorf("%s: ignored %q, want %q", c.header, got, c.ignored)
		}
	}
}

// What a row cannot say keeps it out, with a reason.
func TestBounds(t *testing.T) {
	for _, c := range []struct{ field, value, wrong string }{
		{"name", strings.Repeat("ў", 200), ""},
		{"name", strings.Repeat("ў", 201), "name must not be longer than 200 characters."},
		{"description", strings.Repeat("ў", 4001), "description must not be longer than 4000 characters."},
		{"price_note", strings.Repeat("a", 501), "price_note must not be longer than 500 characters."},
		{"delivery", strings.Repeat("a", 1001), "delivery must not be longer than 1000 characters."},
		{"url", strings.Repeat("a", 2049), "url must not be longer than 2048 characters."},
		{"currency", "so‘m", ""},
		{"currency", "zzz", "currency must be a code of ISO 4217 such as UZS."},
		{"currency", "money", "currency must be a code of ISO 4217 such as UZS."},
		{"sales_priority", "100", ""},
		{"sales_priority", "-1", "sales_priority must be a whole number from 0 to 100."},
		{"type", "Xizmat", ""},
		{"type", "gift", "type must be one of PRODUCT, SERVICE, SUBSCRIPTION, BUNDLE."},
	} {
		header, line := "name,"+c.field, "Rose,"+c.value
		if c.field == "name" {
			header, line = "name", c.value
		}
		l, err := read(t, []byte(header+"\n"+line), pricelist.Options{})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if len(l.Issues) > 0 {
			got = l.Issues[0].Message
		}
		if got != c.wrong || len(l.Issues) > 1 || (len(l.Rows) == 1) != (c.wrong == "") {
			t.Errorf("%s %.20q: %q with %d rows, want %q", c.field, c.value, got, len(l.Rows), c.wrong)
		}
	}
	for line, wrong := range map[string]string{
		"Lily,5,UZS,x":   "The row has a value in column 4",
		"Lily,5 $,UZS":   "currency is not the one beside the price.",
		",5,UZS":         "name is needed: the row says no offer.",
		"Lily,5 $,usd":   "",
		"Lily,5,so'm,,,": "",
	} {
		l, err := read(t, []byte("name,price,currency\n"+line), pricelist.Options{})
		got := ""
		if err == nil && len(l.Issues) > 0 {
			got = l.Issues[0].Message
		}
		if err != nil || !strings.HasPrefix(got, wrong) || (got == "") != (wrong == "") || len(l.Issues)+len(l.Rows) != 1 {
			t.Errorf("%s: %q, want %q: %+v, %v", line, got, wrong, l, err)
		}
	}
}

// What every row says is counted once, whatever the file is.
func FuzzRead(f *testing.F) {
	f.Add([]byte("name,price\nRose,5\nRose,6\n,7"))
	f.Add([]byte("\xef\xbb\xbfНазвание;Цена\nРозы;189.000 сум"))
	f.Fuzz(func(t *testing.T, content []byte) {
		file, err := sheet.Open(content)
		if err != nil {
			return
		}
		l, err := pricelist.Read(file, pricelist.Options{}, "file")
		if err != nil {
			return
		}
		r := l.Report(nil, len(l.Rows), 0, 0)
		rows := map[int]bool{}
		for _, i := range l.Issues {
			if i.Kind == pricelist.Invalid {
				rows[i.Row] = true
			}
		}
		if r.Invalid != len(rows) || r.Total != r.Valid+r.Invalid+r.Duplicates || !slices.IsSortedFunc(r.Issues, func(a, b pricelist.Issue) int { return a.Row - b.Row }) {
			t.Errorf("%q: %+v", content, r)
		}
	})
}
