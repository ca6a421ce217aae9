package imports_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"runtime/debug"
	"strings"
	"sync"
	"testing"

	"svc/app/org"
	"svc/app/recipient/recipienttest"
	"svc/store/storetest"
)

// memoryTarget is what a process may take while ten imports of nine megabytes are sent to
// it at once (contract 21.3; before, it took 2,961 MB).
const memoryTarget = 500 // MB

// importTargetMB is what one import may take, whatever its cells (contract 21.3).
const importTargetMB = 60

// BenchmarkImportMemory sends ten files of nine megabytes at once, each of another
// organization, and reports the most memory that the process had from the system and
// did not give back.
func BenchmarkImportMemory(b *testing.B) {
	defer debug.SetGCPercent(debug.SetGCPercent(200)) // as a server has it
	for _, tt := range []struct {
		name    string
		content func() string // made when it is its turn: what waits would count
	}{
		{"commas", func() string { return strings.Repeat(",", importSize) }},
		{"rows_of_commas", rowsOfCommas}, {"small_cells", smallCells},
		{"people", func() string { return recipienttest.PeopleCSV(0, 100_000) }},
		{"workbook", func() string { return workbookOf(b, 90_000) }},
	} {
		for _, n := range []int{1, 10} {
			b.Run(fmt.Sprintf("%s/%d", tt.name, n), func(b *testing.B) {
				h := recipienttest.New(b)
				body, contentType := formOf(b, tt.content())
				for b.Loop() {
					peak := storetest.PeakMemory(func() { importsAtOnce(h, b, n, body, contentType) })
					b.ReportMetric(0, "ns/op")
					// One body stands for those of all: the server has one for each.
					b.ReportMetric(float64(peak+uint64(n*len(body)))/1e6, "peak-MB")
					b.ReportMetric(map[int]float64{1: importTargetMB, 10: memoryTarget}[n], "target-MB")
				}
			})
		}
	}
}

// importsAtOnce sends a form n times at once, each to another organization.
func importsAtOnce(h *recipienttest.Harness, b *testing.B, n int, body []byte, contentType string) {
	var all sync.WaitGroup
	for range n {
		server := *h.Server
		server.Org = recipienttest.NewOrg(b, h.DB, org.Enterprise)
		all.Go(func() { server.Do("POST /recipients/import", body, "Content-Type", contentType) })
	}
	all.Wait()
}

// importSize is that of the largest files that are imported in one request, in bytes.
const importSize = 9 << 20

// rowsOfCommas are rows of 180 cells without a text.
func rowsOfCommas() string {
	rows := "username" + strings.Repeat(",a", 199) + "\n"
	for len(rows) < importSize {
		rows += fmt.Sprintf("user_%d%s\n", len(rows), strings.Repeat(",", 180)) + rows[:min(len(rows), 1<<20)]
	}
	return rows[:importSize]
}

// smallCells are rows of 90 cells with one letter each.
func smallCells() string {
	var rows strings.Builder
	rows.WriteString("username")
	for n := range 90 {
		fmt.Fprintf(&rows, ",c%d", n)
	}
	rows.WriteString("\n")
	for n := 0; rows.Len() < importSize; n++ {
		fmt.Fprintf(&rows, "user_%d%s\n", n, strings.Repeat(",x", 90))
	}
	return rows.String()
}

// workbookOf is a workbook with people, whose texts are shared as spreadsheets save them.
func workbookOf(b *testing.B, people int) string {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	part := func(name, text string) {
		to, err := w.Create(name)
		if err == nil {
			_, err = io.WriteString(to, text)
		}
		if err != nil {
			b.Fatal(err)
		}
	}
	var rows, texts strings.Builder
	count := 0
	cell := func(text string) {
		fmt.Fprintf(&texts, "<si><t>%s</t></si>", text)
		fmt.Fprintf(&rows, `<c t="s"><v>%d</v></c>`, count)
		count++
	}
	rows.WriteString("<worksheet><sheetData>")
	for n := range people + 1 {
		rows.WriteString("<row>")
		for _, column := range []string{"username", "name", "city", "order", "note"} {
			if n > 0 {
				column = fmt.Sprintf("%s_%d", column, n)
			}
			cell(column)
		}
		rows.WriteString("</row>")
	}
	part("xl/workbook.xml", `<workbook><sheets><sheet name="People" id="1"/></sheets></workbook>`)
	part("xl/_rels/workbook.xml.rels", `<Relationships><Relationship Id="1" Target="sheet.xml"/></Relationships>`)
	part("xl/sharedStrings.xml", "<sst>"+texts.String()+"</sst>")
	part("xl/sheet.xml", rows.String()+"</sheetData></worksheet>")
	if err := w.Close(); err != nil {
		b.Fatal(err)
	}
	return out.String()
}

// formOf is a form with a file that is looked through.
func formOf(b *testing.B, content string) (body []byte, contentType string) {
	b.Helper()
	out := bytes.NewBuffer(make([]byte, 0, len(content)+1024))
	w := multipart.NewWriter(out)
	file, err := w.CreateFormFile("file", "people.csv")
	if err == nil {
		_, err = io.WriteString(file, content)
	}
	if err := errors.Join(err, w.WriteField("dry_run", "true"), w.Close()); err != nil {
		b.Fatal(err)
	}
	return out.Bytes(), w.FormDataContentType()
}
