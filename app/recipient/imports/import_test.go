package imports_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"svc/app/api"
	"svc/app/api/apitest"
	"svc/app/event"
	"svc/app/notify"
	"svc/app/org"
	"svc/app/recipient"
	"svc/app/recipient/field"
	"svc/app/recipient/imports"
	"svc/app/recipient/recipienttest"
	"svc/app/recipient/sheet"
)

// TestUpdateOnMatch is the table of contract 35.4: what a row changes of
// somebody who is there.
func TestUpdateOnMatch(t *testing.T) {
	h := recipienttest.New(t).Work()
	for _, tt := range []struct {
		name, file string
		fields     map[string]string
		want       map[string]any
	}{
		{"messenger_id is filled", "messenger_id,username\n9,olga\n", nil, map[string]any{"messenger_id": 9.0}},
		{"username is replaced", "messenger_id,username\n5,olga_new\n", nil, map[string]any{"username": "olga_new"}},
		{"username is another's", "messenger_id,username\n5,ivan\n", nil, map[string]any{"username": "maria"}},
		{"names are replaced", "username,name,surname,lang\nmaria,New,Name,ru\n", nil, map[string]any{"first_name": "New", "last_name": "Name", "language": "ru"}},
		{"empty keeps", "username,name,surname,lang,consent,consent_timestamp\nmaria,,,,,\n", nil, map[string]any{
			"first_name": "Maria", "last_name": "M", "language": "uz", "consent_status": "AUTHORIZED", "consent_timestamp": "2026-01-01T00:00:00Z"}},
		{"consent is replaced", "username,consent\nmaria,existing_relationship\n", nil, map[string]any{"consent_status": "EXISTING_RELATIONSHIP", "consent_timestamp": "2026-01-01T00:00:00Z"}},
		{"default applies to new ones only", "username\nmaria\n", map[string]string{"default_consent": "OPTED_IN"}, map[string]any{"consent_status": "AUTHORIZED"}},
		{"consent time is replaced", "username,consent_timestamp\nmaria,2026-02-02\n", nil, map[string]any{"consent_timestamp": "2026-02-02T00:00:00Z"}},
		{"tags are added", "username,tags\nmaria,b;c\n", map[string]string{"tags": "d, e"}, map[string]any{"tags": []any{"a", "b", "c", "d", "e"}}},
		{"attributes are merged", "username,x,y\nmaria,2,3\n", nil, map[string]any{"attributes": map[string]any{"x": "2", "y": "3", "z": "1"}}},
		{"opted out for good", "username,consent\nmaria,OPTED_OUT\n", nil, map[string]any{"consent_status": "OPTED_OUT", "opt_out_source": "IMPORT", "suppressed": true}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h.T, h.Org = t, recipienttest.NewOrg(t, h.DB, org.Pro)
			h.Add(map[string]any{"username": "olga"})
			h.Add(map[string]any{"username": "ivan"})
			id := h.Add(map[string]any{
				"messenger_id": 5, "username": "maria", "first_name": "Maria", "last_name": "M", "language": "uz", "consent_status": "AUTHORIZED",
				"consent_timestamp": "2026-01-01T00:00:00Z", "tags": []string{"a"}, "attributes": map[string]any{"x": "1", "z": "1"},
			})
			if a := h.Upload(tt.file, tt.fields).Want(201); a.Int("updated") != 1 || a.Int("created") != 0 {
				t.Errorf("report: %s", a.Body)
			}
			if tt.want["messenger_id"] == 9.0 {
				id = h.Find("olga")["id"].(string)
			}
			a := h.Do("GET /recipients/"+id, nil).Want(200)
			for field, want := range tt.want {
				if got, exp := string(mustJSON(t, a.At(field))), string(mustJSON(t, want)); got != exp {
					t.Errorf("%s is %s, want %s", field, got, exp)
				}
			}
			if n := h.Do("GET /recipients", nil).Int("total"); n != 3 {
				t.Errorf("%d recipients, want 3", n)
			}
		})
	}
}

// TestReport: each kind of issue, what is counted, what is imported; the dry run
// says the same and saves nothing.
func TestReport(t *testing.T) {
	h := recipienttest.New(t).Work()
	out := h.Add(map[string]any{"username": "gone", "messenger_id": 7})
	h.Do("POST /recipients/"+out+"/opt-out", nil).Want(200)
	h.Do("POST /suppressions", `{"username":"blocked"}`).Want(201)
	h.Add(map[string]any{"username": "known", "messenger_id": 8, "consent_status": "OPTED_IN"})
	file := "messenger_id,username,consent,City\n" +
		",olga,OPTED_IN,T\n" + // 2 good
		"1e9,,,\n" + // 3 INVALID
		",OLGA,,\n" + // 4 DUPLICATE
		",blocked,OPTED_IN,\n" + // 5 SUPPRESSED
		",gone,OPTED_IN,\n" + // 6 OPTED_OUT: earlier
		",leaver,OPTED_OUT,\n" + // 7 OPTED_OUT: the row
		",stranger,,\n" + // 8 UNKNOWN_CONSENT
		",known,,\n" + // 9 a basis is there
		"8,,,\n" // 10 the same recipient by another name
	counts := map[string]int{"total": 9, "valid": 6, "duplicates": 2, "invalid": 1, "suppressed": 1, "opted_out": 2,
		"by_consent.OPTED_IN": 2, "by_consent.OPTED_OUT": 3, "by_consent.UNKNOWN": 1}
	kinds := "3 INVALID, 4 DUPLICATE, 5 SUPPRESSED, 6 OPTED_OUT, 7 OPTED_OUT, 8 UNKNOWN_CONSENT, 10 DUPLICATE"
	check := func(a apitest.Answer, prefix string) {
		t.Helper()
		for field, want := range counts {
			if got := a.Int(prefix + field); got != want {
				t.Errorf("%s is %d, want %d: %s", field, got, want, a.Body)
			}
		}
		var said []string
		for i := range 8 {
			if kind := a.String(fmt.Sprintf("%sissues.%d.kind", prefix, i)); kind != "" {
				said = append(said, fmt.Sprint(a.Int(fmt.Sprintf("%sissues.%d.row", prefix, i)), " ", kind))
			}
		}
		if got := strings.Join(said, ", "); got != kinds {
			t.Errorf("issues %s\nwant   %s", got, kinds)
		}
		if a.String(prefix+"columns.3") != "attributes.city" {
			t.Errorf("columns: %v", a.At(prefix+"columns"))
		}
	}
	dry := h.Upload(file, map[string]string{"dry_run": "true", "new_list_name": "New"}).Want(200)
	check(dry, "")
	if dry.At("dry_run") != true || dry.Int("created")+dry.Int("updated") != 0 || dry.At("import_id") != nil || dry.String("sample.0.username") != "olga" {
		t.Errorf("the dry run: %s", dry.Body)
	}
	if n := h.Do("GET /recipients", nil).Int("total") + h.Do("GET /lists", nil).Int("total") + h.Do("GET /recipient-imports", nil).Int("total"); n != 2 {
		t.Errorf("the dry run saved something: %d", n)
	}
	saved := h.Upload(file, map[string]string{"new_list_name": "New"}).Want(201)
	check(saved, "")
	if saved.At("dry_run") != false || saved.Int("created") != 4 || saved.Int("updated") != 2 || saved.String("import_id") == "" || saved.String("sample.0.username") != "olga" {
		t.Errorf("the import: %s", saved.Body)
	}
	listed := h.Do("GET /recipient-imports", nil).Want(200)
	check(listed, "data.0.report.")
	if listed.String("data.0.status") != "DONE" || listed.String("data.0.file_name") != "people.csv" || listed.String("data.0.source") != "CSV" || listed.At("data.0.report.sample") != nil || listed.String("data.0.finished_at") == "" {
		t.Errorf("the list: %s", listed.Body)
	}
	list := h.Do("GET /lists", nil).Want(200)
	if list.Int("data.0.members_count") != 6 || list.Int("data.0.sendable_count") != 2 {
		t.Errorf("the new list: %s", list.Body)
	}
	for _, name := range []string{"blocked", "leaver"} {
		h.OptedOut(h.Find(name)["id"].(string), field.ByImport)
	}
	if got := h.Find("olga")["attributes"].(map[string]any)["city"]; got != "T" {
		t.Errorf("city is %v", got)
	}
	importedIsTold(h, saved.String("import_id"))
}

// importedIsTold: the event and the notification of an import.
func importedIsTold(h *recipienttest.Harness, id string) {
	h.T.Helper()
	events := h.Events(event.RecipientImported)
	if len(events) != 1 || !strings.Contains(string(events[0].Data), id) || !strings.Contains(string(events[0].Data), `"created":4`) {
		h.T.Errorf("events: %+v", events)
	}
	s := apitest.New(h.T, h.DB, notify.New(h.DB))
	s.Org = h.Org
	if a := s.Do("GET /notifications", nil).Want(200); a.String("data.0.kind") != "IMPORT_FINISHED" || a.String("data.0.resource.id") != id {
		h.T.Errorf("notifications: %s", a.Body)
	}
	s.As = func(c *api.Call) { c.Caller.ID = "usr_00000000000000000000000002" }
	if n := s.Do("GET /notifications", nil).Want(200).Int("total"); n != 0 {
		h.T.Errorf("somebody else is told of the import")
	}
}

func TestImportBody(t *testing.T) {
	h := recipienttest.New(t).Work()
	list := h.Do("POST /lists", `{"name":"L"}`).Want(201).String("id")
	a := h.Do("POST /recipients/import", map[string]any{
		"records":         []any{map[string]any{"messenger_id": 5, "tags": []string{"x"}, "attributes": map[string]any{"n": 1}}, map[string]any{"username": "@olga"}},
		"default_consent": "AUTHORIZED", "tags": []string{"y"}, "list_id": list,
	}).Want(201)
	if a.Int("created") != 2 || a.Int("by_consent.AUTHORIZED") != 2 {
		t.Errorf("report: %s", a.Body)
	}
	r := h.Find("olga")
	if r["source"] != "API" || r["consent_status"] != "AUTHORIZED" || r["consent_timestamp"] == nil || len(r["lists"].([]any)) != 1 {
		t.Errorf("a new recipient: %v", r)
	}
	for source, want := range map[string]string{"": "JSON", "CRM": "CRM"} {
		name := "from_" + want
		h.Upload(`[{"username":"`+name+`"}]`, map[string]string{"source": source}).Want(201)
		if got := h.Find(name)["source"]; got != want {
			t.Errorf("source %v, want %s", got, want)
		}
	}
	if got := h.Upload("username\ncsv_man\n", nil).Want(201); h.Find("csv_man")["source"] != "CSV" {
		t.Errorf("a CSV file: %s", got.Body)
	}
	h.Do("POST /recipients/import", `{"records":[{"username":"mapped_no","Nick":"mapped_yes"}],"mapping":{"nick":"username","username":""}}`).Want(201)
	h.Find("mapped_yes")
}

func TestImportRefuses(t *testing.T) {
	h := recipienttest.New(t).Work()
	list := h.Do("POST /lists", `{"name":"L"}`).Want(201).String("id")
	for name, fields := range map[string]map[string]string{
		"both lists":      {"list_id": list, "new_list_name": "x"},
		"consent":         {"default_consent": "YES"},
		"source":          {"source": "FAX"},
		"dry run":         {"dry_run": "maybe"},
		"mapping":         {"mapping": "x=y"},
		"mapping field":   {"mapping": `{"username":"phone"}`},
		"long tag":        {"tags": strings.Repeat("t", 65)},
		"long list name":  {"new_list_name": strings.Repeat("t", 81)},
		"mapping unknown": {"mapping": `{"nick":"username"}`},
	} {
		t.Run(name, func(t *testing.T) { h.Upload("username\nolga\n", fields).Refused(api.ErrInvalid) })
	}
	h.Upload("username\nolga\n", map[string]string{"new_list_name": "l"}).Refused(recipient.ErrListName)
	h.Upload("username\nolga\n", map[string]string{"list_id": "lst_01jyd1zq6x4t9v2n8m5c7b3k1h"}).Refused(api.ErrNotFound)
	h.Do("POST /recipients/import", "x", "Content-Type", "text/csv").Refused(imports.ErrMediaType)
	h.Do("POST /recipients/import", "{").Refused(api.ErrInvalidJSON)
	h.Do("POST /recipients/import", `{}`).Refused(api.ErrInvalid)
	h.Do("POST /recipients/import", `{"records":[]}`).Refused(api.ErrInvalid)
	h.Do("POST /recipients/import", "--x--", "Content-Type", "multipart/form-data; boundary=x").Refused(api.ErrInvalidUpload)
	h.Do("POST /recipients/import", "junk", "Content-Type", "multipart/form-data").Refused(api.ErrInvalidUpload)
	h.Upload("username\n"+strings.Repeat("x", sheet.MaxBytes), nil).Refused(imports.ErrFileTooLarge)
	h.Upload("username\n"+strings.Repeat("x", sheet.MaxBytes+2<<20), nil).Refused(imports.ErrFileTooLarge)
	if n := h.Do("GET /recipient-imports", nil).Int("total"); n != 0 {
		t.Errorf("%d imports were saved", n)
	}
}

// TestDryRunWithNothingToSay: lists of a report are lists, also when they are empty;
// and no good row is no sample.
func TestDryRunWithNothingToSay(t *testing.T) {
	h := recipienttest.New(t).Work()
	dry := map[string]string{"dry_run": "true", "default_consent": "OPTED_IN"}
	if a := h.Upload("username\nolga\n", dry).Want(200); !strings.Contains(a.Body, `"issues":[]`) || len(a.At("sample").([]any)) != 1 {
		t.Errorf("nothing to say: %s", a.Body)
	}
	if a := h.Upload("username\nx\n", dry).Want(200); !strings.Contains(a.Body, `"sample":[]`) || a.Int("invalid") != 1 {
		t.Errorf("no good row: %s", a.Body)
	}
	h.Upload("username\nx\n", nil).Want(201)
	if a := h.Do("GET /recipient-imports", nil).Want(200); strings.Contains(a.Body, "null,\"columns") || strings.Contains(a.Body, `"sample"`) {
		t.Errorf("the list: %s", a.Body)
	}
}

// TestImportTellsWhatNobodyRead: a misspelt field of a form or of a body is named, a
// value of another type refused by its name; columns of people are attributes.
func TestImportTellsWhatNobodyRead(t *testing.T) {
	h := recipienttest.New(t).Work()
	const header = "X-Svc-Ignored-Fields"
	a := h.Do("POST /recipients/import", `{"zzz":1,"dry-run":true,"dry_run":true,"records":[{"username":"olga","Home City":"Buxoro"}]}`).Want(200)
	if got := a.Header.Get(header); got != "dry-run, zzz" {
		t.Errorf("of a body: %q", got)
	}
	if a := h.Upload("username\nolga\n", map[string]string{"zzz": "1", "dry_run": "true"}).Want(200); a.Header.Get(header) != "zzz" {
		t.Errorf("of a form: %q", a.Header.Get(header))
	}
	if a := h.Do("POST /recipients/import", `{"dry_run":true,"records":[{"username":"olga"}]}`).Want(200); a.Header.Get(header) != "" {
		t.Errorf("nothing was ignored, and it says %q", a.Header.Get(header))
	}
	for body, field := range map[string]string{
		`{"dry_run":"yes","records":[{"username":"olga"}]}`: "dry_run",
		`{"tags":5,"records":[{"username":"olga"}]}`:        "tags",
		`{"mapping":["a"],"records":[{"username":"olga"}]}`: "mapping",
		`[{"username":"olga"}]`:                             "body",
	} {
		a := h.Do("POST /recipients/import", body).Refused(api.ErrInvalid)
		if d := a.String("error.details." + field); d == "" || strings.Contains(d, "json") {
			t.Errorf("%s: %s", body, a.Body)
		}
	}
	a = h.Do("POST /recipients", `{"messenger_id":1e3}`).Refused(api.ErrInvalid)
	if d := a.String("error.details.messenger_id"); d != "must be a whole number, written with digits only" {
		t.Errorf("a number with an exponent: %s", a.Body)
	}
}

func mustJSON(t *testing.T, v any) []byte {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
