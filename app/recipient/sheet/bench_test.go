package sheet_test

import (
	"fmt"
	"runtime/debug"
	"strings"
	"testing"

	"svc/app/recipient/sheet"
	"svc/store/storetest"
)

// workbookTarget is what reading a workbook may cost, whatever is in it (contract 21.3,
// Memory).
const workbookTarget = 60 // MB

// BenchmarkWorkbook reads workbooks, honest and hostile, and reports the most memory that
// it took beside the target. Run with -benchtime=1x.
func BenchmarkWorkbook(b *testing.B) {
	defer debug.SetGCPercent(debug.SetGCPercent(200)) // as a server has it
	sheetOf := func(rows string) map[string]string {
		return map[string]string{"xl/worksheets/sheet1.xml": `<worksheet><sheetData><row><c t="inlineStr"><is><t>username</t></is></c></row>` + rows + `</sheetData></worksheet>`}
	}
	shared := func(texts string) map[string]string {
		return map[string]string{"xl/sharedStrings.xml": "<sst>" + texts + "</sst>"}
	}
	for _, tt := range []struct {
		name  string
		parts func() map[string]string // made when it is its turn: what waits would count
	}{
		{"people_inline", func() map[string]string {
			return people(100_000, func(text string) string { return `<c t="inlineStr"><is><t>` + text + `</t></is></c>` }, nil)
		}},
		{"people_shared", func() map[string]string { return people(60_000, nil, &strings.Builder{}) }},
		{"bomb", func() map[string]string {
			return map[string]string{"xl/worksheets/sheet1.xml": strings.Repeat(" ", 129<<20)}
		}},
		{"one_text", func() map[string]string {
			return sheetOf(`<row r="2"><c t="inlineStr"><is><t>` + strings.Repeat("a", 100<<20) + `</t></is></c></row>`)
		}},
		{"shared_of_100_MB", func() map[string]string {
			return shared(strings.Repeat("<si><t>"+strings.Repeat("b", 1000)+"</t></si>", 100_000))
		}},
		{"one_shared_text", func() map[string]string { return shared("<si><t>" + strings.Repeat("b", 100<<20) + "</t></si>") }},
		{"many_shared_texts", func() map[string]string { return shared(strings.Repeat("<si><t>a</t></si>", 2_000_000)) }},
	} {
		content := zipOf(b, book(tt.parts()))
		b.Run(tt.name, func(b *testing.B) {
			for b.Loop() {
				peak := storetest.PeakMemory(func() {
					f, err := sheet.Open(content)
					if err == nil {
						o := options()
						o.Take = func([]sheet.Row) error { return nil }
						_, err = f.Read(o, "file")
					}
					_ = err // a hostile one is refused
				})
				b.ReportMetric(float64(peak)/1e6, "peak-MB")
				b.ReportMetric(workbookTarget, "target-MB")
			}
		})
	}
}

// people is a sheet of n people with eight cells each: as cell writes a text, or as shared
// texts.
func people(n int, cell func(string) string, texts *strings.Builder) map[string]string {
	var rows strings.Builder
	count := 0
	if texts != nil {
		cell = func(text string) string {
			count++
			fmt.Fprintf(texts, "<si><t>%s</t></si>", text)
			return fmt.Sprintf(`<c t="s"><v>%d</v></c>`, count-1)
		}
	}
	rows.WriteString("<worksheet><sheetData><row>" + cell("username"))
	for c := range 7 {
		rows.WriteString(cell(fmt.Sprintf("c%d", c)))
	}
	for r := range n {
		rows.WriteString("</row><row>" + cell(fmt.Sprintf("user_%d", r)))
		for c := range 7 {
			rows.WriteString(cell(fmt.Sprintf("value %d %d", r, c)))
		}
	}
	rows.WriteString("</row></sheetData></worksheet>")
	parts := map[string]string{"xl/worksheets/sheet1.xml": rows.String()}
	if texts != nil {
		parts["xl/sharedStrings.xml"] = "<sst>" + texts.String() + "</sst>"
	}
	return parts
}
