package imports_test

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/encoding/charmap"

	"svc/app/api"
	"svc/app/org"
	"svc/app/recipient/recipienttest"
)

// peopleOf are the recipients of the organization by username, without what is an
// organization's own.
func peopleOf(h *recipienttest.Harness) map[string]string {
	h.T.Helper()
	out := map[string]string{}
	var page struct{ Data []map[string]any }
	h.Do("GET /recipients?limit=500", nil).Want(200).Into(&page)
	for _, r := range page.Data {
		for _, own := range []string{"id", "source", "created_at", "updated_at", "lists", "opted_out_at", "opt_out_source", "suppressed"} {
			delete(r, own)
		}
		var fields []string
		for _, key := range slices.Sorted(maps.Keys(r)) {
			fields = append(fields, fmt.Sprintf("%s=%v", key, r[key]))
		}
		out[fmt.Sprint(r["username"])] = strings.Join(fields, " ")
	}
	return out
}

// TestExportIsImported: our own export gives another organization the same people, and
// changes nobody where it came from (contract 21.1).
func TestExportIsImported(t *testing.T) {
	h := recipienttest.New(t).Work()
	list := h.Do("POST /lists", `{"name":"L"}`).Want(201).String("id")
	for _, person := range []map[string]any{
		{"username": "olga", "messenger_id": 5, "first_name": "=Olga", "last_name": " -x", "language": "uz", "consent_status": "OPTED_IN",
			"consent_timestamp": "2026-01-02T03:04:05.678Z", "consent_note": "@form", "tags": []string{"@vip", "two words", "+x"},
			"attributes": map[string]any{"city": "T, \"q\"\nx", "age": 30, "vip": true, "formula": "=1+1", "id": "7", "source": "shop"}, "list_ids": []string{list}},
		{"username": "ivan", "consent_status": "AUTHORIZED", "first_name": "'=quoted"},
		{"username": "gone", "consent_status": "OPTED_OUT"},
		{"username": "nobody"},
	} {
		h.Add(person)
	}
	file, before := h.Do("GET /recipients?format=csv", nil).Want(200).Body, peopleOf(h)
	if a := h.Upload(file+"\n", nil).Want(201); a.Int("updated") != 4 || a.Int("invalid") != 0 {
		t.Errorf("into the same organization: %s", a.Body)
	}
	if after := peopleOf(h); !maps.Equal(after, before) {
		t.Errorf("into the same organization:\n%v\nwere\n%v", after, before)
	}
	h.Org = recipienttest.NewOrg(t, h.DB, org.Pro)
	if a := h.Upload(file+"\n", nil).Want(201); a.Int("created") != 4 || a.Int("invalid") != 0 {
		t.Errorf("into another organization: %s", a.Body)
	}
	if after := peopleOf(h); !maps.Equal(after, before) {
		t.Errorf("into another organization:\n%v\nwere\n%v", after, before)
	}
}

// TestRejectedByTheStore: a row that only the store can refuse is in the list of rejected
// rows too, with its values under the columns of the file.
func TestRejectedByTheStore(t *testing.T) {
	h := recipienttest.New(t).Work()
	full := make([]string, 50)
	for i := range full {
		full[i] = fmt.Sprint("t", i)
	}
	h.Add(map[string]any{"username": "olga", "tags": full})
	id := h.Upload("Trash,username,Labels,City\nx,olga,more;most,Toshkent\ny,ivan,,\n", map[string]string{"mapping": `{"Trash":""}`}).Want(201).String("import_id")
	a := h.Do("GET /recipient-imports/"+id+"/rejected", nil).Want(200)
	if a.Int("total") != 1 || a.Int("data.0.row") != 2 || a.String("data.0.cells.Labels") != "more;most" || a.String("data.0.cells.City") != "Toshkent" || a.String("data.0.cells.username") != "olga" {
		t.Errorf("%s", a.Body)
	}
}

// TestManyRejected: they are read page by page, and only the first 10,000 are kept.
func TestManyRejected(t *testing.T) {
	h := recipienttest.New(t).Work()
	var b strings.Builder
	b.WriteString("username,n\n")
	for i := range 10_100 {
		fmt.Fprintf(&b, "!,%d\n", i)
	}
	a := h.Upload(b.String(), nil).Want(201)
	id := a.String("import_id")
	page := h.Do("GET /recipient-imports/"+id+"/rejected?limit=100&offset=450", nil).Want(200)
	if page.Int("total") != 10_000 || page.Int("data.0.row") != 452 || page.Int("data.99.row") != 551 || page.String("data.99.cells.n") != "549" {
		t.Errorf("%d of %d: %s", page.Int("data.99.row"), page.Int("total"), page.Body[:200])
	}
	rows, err := csv.NewReader(strings.NewReader(h.Do("GET /recipient-imports/"+id+"/rejected?format=csv", nil).Want(200).Body)).ReadAll()
	if err != nil || len(rows) != 10_001 || rows[10_000][1] != "9999" {
		t.Errorf("%d rows, %v", len(rows), err)
	}
}

// TestFilesOfSpreadsheets: the report says how a text was written and which sheet of a
// workbook was read.
func TestFilesOfSpreadsheets(t *testing.T) {
	h := recipienttest.New(t).Work()
	text, err := charmap.Windows1251.NewEncoder().String("username;Имя\nolga;Ольга Иванова\n")
	if err != nil {
		t.Fatal(err)
	}
	if a := h.Upload(text, nil).Want(201); a.String("encoding") != "WINDOWS-1251" || h.Find("olga")["first_name"] != "Ольга Иванова" {
		t.Errorf("%s", a.Body)
	}
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for name, part := range map[string]string{
		"xl/workbook.xml":            `<workbook><sheets><sheet name="Notes" r:id="a"/><sheet name="Clients" r:id="b"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels": `<Relationships><Relationship Id="a" Target="worksheets/a.xml"/><Relationship Id="b" Target="worksheets/b.xml"/></Relationships>`,
		"xl/worksheets/a.xml":        `<worksheet><sheetData><row><c t="str"><v>nothing</v></c></row></sheetData></worksheet>`,
		"xl/worksheets/b.xml":        `<worksheet><sheetData><row><c t="str"><v>username</v></c></row><row><c t="str"><v>ivan</v></c></row></sheetData></worksheet>`,
	} {
		part2, err := w.Create(name)
		if err == nil {
			_, err = part2.Write([]byte(part))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	h.Upload(b.String(), nil).Refused(api.ErrInvalid)
	h.Upload(b.String(), map[string]string{"sheet": "third"}).Refused(api.ErrInvalid)
	a := h.Upload(b.String(), map[string]string{"sheet": "clients"}).Want(201)
	if a.String("sheet") != "Clients" || a.Int("created") != 1 || a.At("encoding") != nil {
		t.Errorf("%s", a.Body)
	}
	id := url.PathEscape(a.String("import_id"))
	if a := h.Do("GET /recipient-imports/"+id, nil).Want(200); a.String("report.sheet") != "Clients" || a.String("source") != "CSV" {
		t.Errorf("%s", a.Body)
	}
	h.Upload("\x89PNG\r\n\x1a\n", map[string]string{"default_consent": "MAYBE"}).Refused(api.ErrInvalidUpload)
}
