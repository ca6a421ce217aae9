package content_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/audit"
	"svc/app/content"
	"svc/store"
	"svc/store/recordid"
)

type body map[string]any

// TestTemplateRecord: every field of the decided record is there, unset ones null.
func TestTemplateRecord(t *testing.T) {
	h := setup(t)
	a := h.Do("POST /templates", body{"name": "  New   year ", "text": "Hi {{first_name}}, {{city}} {{first_name}}"}).Want(201)
	var got map[string]any
	a.Into(&got)
	id := a.String("id")
	if !recordid.Valid("tpl", id) {
		t.Errorf("id %q", id)
	}
	now := h.db.Now().Format(time.RFC3339Nano)
	want := map[string]any{
		"id": id, "name": "New year", "text": "Hi {{first_name}}, {{city}} {{first_name}}", "format": "PLAIN", "attachment_ids": []any{},
		"variables": []any{"first_name", "city"}, "language": nil, "category": nil, "uses_count": 0.0, "last_used_at": nil,
		"created_by": "usr_00000000000000000000000001", "created_at": now, "updated_at": now,
		"attachments": []any{}, "creator": map[string]any{"id": "usr_00000000000000000000000001", "name": nil}, // nobody reads names here
	}
	for _, at := range []string{"created_at", "updated_at"} {
		if parsed, err := time.Parse(time.RFC3339, fmt.Sprint(got[at])); err != nil || !parsed.Equal(h.db.Now()) {
			t.Errorf("%s is %v", at, got[at])
		}
		want[at] = got[at]
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
	var listed map[string]any
	h.Do("GET /templates", nil).Want(200).Into(&listed)
	if d := cmp.Diff(map[string]any{"data": []any{want}, "total": 1.0, "limit": 50.0, "offset": 0.0, "next_cursor": nil}, listed); d != "" {
		t.Errorf("list (-want +got)\n%s", d)
	}
}

func TestTemplateRefusals(t *testing.T) {
	h := setup(t)
	h.Do("POST /templates", body{"name": "Welcome", "text": "x"}).Want(201)
	file := h.uploaded("a.txt", []byte("hello"))
	for _, tt := range []struct {
		in    any
		err   *api.Error
		field string
	}{
		{`{`, api.ErrInvalidJSON, ""},
		{body{"text": "x"}, api.ErrInvalid, "name"},
		{body{"name": "   ", "text": "x"}, api.ErrInvalid, "name"},
		{body{"name": strings.Repeat("n", 121), "text": "x"}, api.ErrInvalid, "name"},
		{body{"name": "wELCOME ", "text": "x"}, api.ErrConflict, ""},
		{body{"name": "a"}, api.ErrInvalid, "text"},
		{body{"name": "a", "text": " \n"}, api.ErrInvalid, "text"},
		{body{"name": "a", "text": "<b>x", "format": "HTML"}, api.ErrInvalid, "text"},
		{body{"name": "a", "text": "*x", "format": "MARKDOWN"}, api.ErrInvalid, "text"},
		{body{"name": "a", "text": "{{x"}, api.ErrInvalid, "text"},
		{body{"name": "a", "text": strings.Repeat("😀", 2049)}, api.ErrInvalid, "text"},
		{body{"name": "a", "text": "x", "format": "RTF"}, api.ErrInvalid, "format"},
		{body{"name": "a", "text": "x", "language": "Uzbek!"}, api.ErrInvalid, "language"},
		{body{"name": "a", "text": "x", "category": strings.Repeat("c", 65)}, api.ErrInvalid, "category"},
		{body{"name": "a", "text": "x", "attachment_ids": []string{"att_nothing"}}, api.ErrInvalid, "attachment_ids"},
		{body{"name": "a", "text": "x", "attachment_ids": []string{file, file}}, api.ErrInvalid, "attachment_ids[1]"},
		{body{"name": "a", "text": "x", "attachment_ids": make([]string, 11)}, api.ErrInvalid, "attachment_ids"},
	} {
		a := h.Do("POST /templates", tt.in).Refused(tt.err)
		if details, _ := a.At("error.details").(map[string]any); tt.field != "" && details[tt.field] == nil {
			t.Errorf("%v: details %v, want %s", tt.in, details, tt.field)
		}
	}
	if n := h.Do("GET /templates", nil).Int("total"); n != 1 {
		t.Errorf("%d templates, want the one that was right", n)
	}
	h.Do("POST /templates", body{"name": "long", "text": strings.Repeat("😀", 2048), "attachment_ids": []string{file}}).Want(201)
}

func TestTemplateUpdate(t *testing.T) {
	h := setup(t)
	file := h.uploaded("a.txt", []byte("hello"))
	h.Do("POST /templates", body{"name": "Other", "text": "x"}).Want(201)
	id := h.Do("POST /templates", body{"name": "News", "text": "a {{x}}", "language": "uz", "category": "c", "attachment_ids": []string{file}}).Want(201).String("id")
	route := "PATCH /templates/" + id
	created := h.db.Now()
	h.clock.Add(time.Minute)

	same := h.Do(route, body{"name": "News"}).Want(200)
	if at, _ := time.Parse(time.RFC3339, same.String("updated_at")); !at.Equal(created) {
		t.Errorf("a change of nothing is a change at %v", at)
	}
	a := h.Do(route, body{"text": "*b* {{y}}", "format": "MARKDOWN", "language": nil, "name": "news"}).Want(200)
	if a.String("name") != "news" || a.String("text") != "*b* {{y}}" || a.At("language") != nil || a.String("category") != "c" || a.At("variables.0") != "y" {
		t.Errorf("changed to %s", a.Body)
	}
	if at, _ := time.Parse(time.RFC3339, a.String("updated_at")); !at.Equal(h.db.Now()) {
		t.Errorf("changed at %v", at)
	}
	if listed := h.Do("GET /templates?q=news", nil); listed.String("data.0.text") != "*b* {{y}}" || listed.String("data.0.attachment_ids.0") != file {
		t.Errorf("listed as %s", listed.Body)
	}
	for in, err := range map[string]*api.Error{
		`{"name":"OTHER"}`: api.ErrConflict, `{"name":null}`: api.ErrInvalid, `{"text":"*b"}`: api.ErrInvalid, `{"format":"HTML","text":"<"}`: api.ErrInvalid,
		`{"text":"","attachment_ids":[]}`: api.ErrInvalid, `{"attachment_ids":["att_no"]}`: api.ErrInvalid,
	} {
		h.Do(route, in).Refused(err)
	}
	h.Do("PATCH /templates/tpl_none", body{"name": "x"}).Refused(api.ErrNotFound)
	h.Do(route, body{"attachment_ids": []string{}, "text": "only text"}).Want(200)

	if got, want := h.actions(), []string{"attachment.uploaded", "template.created", "template.created", "template.updated", "template.updated"}; !slices.Equal(got, want) {
		t.Errorf("audit log: %v, want %v", got, want)
	}
	page, err := audit.New(h.db).Page(h.Call(), h.Org, audit.Filter{Action: "template.updated"}, api.PageIn{Limit: 1}, false)
	if err != nil {
		t.Fatal(err)
	}
	if c := page.Data[0].Changes["text"]; string(c.To) != `"hidden"` || string(page.Data[0].Changes["name"].From) != `"News"` {
		t.Errorf("the log says %v", page.Data[0].Changes)
	}
}

// TestTemplateUse: what a running campaign uses stays (contract 6).
func TestTemplateUse(t *testing.T) {
	h := setup(t)
	id := h.Do("POST /templates", body{"name": "News", "text": "a"}).Want(201).String("id")
	hold := func(holder string, live bool) {
		h.update(func(tx *store.Tx) error {
			return content.Hold(tx, h.Org, holder, content.Holding{Template: id, Live: live})
		})
	}
	uses := func() (int, time.Time) {
		a := h.Do("GET /templates", nil).Want(200)
		at, _ := time.Parse(time.RFC3339, a.String("data.0.last_used_at"))
		return a.Int("data.0.uses_count"), at
	}
	hold("cmp_1", false)
	hold("cmp_2", false)
	first := h.db.Now()
	if n, at := uses(); n != 2 || !at.Equal(first) {
		t.Errorf("%d uses, the last at %v", n, at)
	}
	h.clock.Add(time.Hour)
	hold("cmp_1", false)
	if _, at := uses(); !at.Equal(first) {
		t.Error("what is used already was used again")
	}
	hold("cmp_1", true)
	if n, at := uses(); n != 2 || !at.Equal(h.db.Now()) {
		t.Errorf("%d uses, the last at %v", n, at)
	}
	h.Do("DELETE /templates/"+id, nil).Refused(api.ErrConflict)
	hold("cmp_1", false) // it ended
	h.update(func(tx *store.Tx) error { return content.Release(tx, h.Org, "cmp_2") })
	if n, _ := uses(); n != 1 {
		t.Errorf("%d uses after one was deleted", n)
	}
	h.Do("DELETE /templates/"+id, nil).Want(204)
	h.Do("DELETE /templates/"+id, nil).Refused(api.ErrNotFound)
	hold("cmp_1", true) // goes on without its template
	err := h.db.Update(t.Context(), func(tx *store.Tx) error {
		return content.Hold(tx, h.Org, "cmp_3", content.Holding{Template: id})
	})
	if e := api.From(err); e.Code != api.ErrInvalid.Code || e.Details["template_id"] == "" {
		t.Errorf("a template that is gone was taken: %v", err)
	}
}

func TestTemplateList(t *testing.T) {
	h := setup(t)
	for i, in := range []body{
		{"name": "Bahor aksiyasi", "text": "a", "language": "uz", "category": "promo"},
		{"name": "spring Sale", "text": "a", "language": "en", "category": "promo", "format": "HTML"},
		{"name": "Акция весны", "text": "a", "language": "ru", "category": "promo"},
		{"name": "Alert", "text": "a", "language": "en", "format": "MARKDOWN"},
	} {
		h.Do("POST /templates", in).Want(201)
		h.clock.Add(time.Duration(i+1) * time.Second)
	}
	names := func(query string) string {
		a := h.Do("GET /templates?"+query, nil).Want(200)
		var out []string
		for i := range 4 {
			if n := a.String(fmt.Sprintf("data.%d.name", i)); n != "" {
				out = append(out, n)
			}
		}
		return fmt.Sprintf("%s (%d)", strings.Join(out, ", "), a.Int("total"))
	}
	for query, want := range map[string]string{
		"":                        "Alert, Акция весны, spring Sale, Bahor aksiyasi (4)",
		"sort=created_at&limit=2": "Bahor aksiyasi, spring Sale (4)",
		"sort=name":               "Alert, Bahor aksiyasi, spring Sale, Акция весны (4)",
		"sort=-updated_at":        "Alert, Акция весны, spring Sale, Bahor aksiyasi (4)",
		"offset=3":                "Bahor aksiyasi (4)",
		"q=SALE":                  "spring Sale (1)",
		"q=" + "%D0%B2%D0%B5":     "Акция весны (1)",
		"q=al":                    "Alert (1)",
		"q=ksiya":                 " (0)",
		"language=en":             "Alert, spring Sale (2)",
		"language=en&format=HTML": "spring Sale (1)",
		"category=promo&q=ba":     "Bahor aksiyasi (1)",
		"category=none":           " (0)",
	} {
		if got := names(query); got != want {
			t.Errorf("%q: %s, want %s", query, got, want)
		}
	}
	h.Do("GET /templates?q=a", nil).Refused(api.ErrInvalid)
	h.Do("GET /templates?sort=text", nil).Refused(api.ErrInvalid)
	h.Do("GET /templates?limit=501", nil).Refused(api.ErrInvalid)
}

// TestTenants: what belongs to another organization is not there.
func TestTenants(t *testing.T) {
	h := setup(t)
	tpl := h.Do("POST /templates", body{"name": "News", "text": "a"}).Want(201).String("id")
	att := h.uploaded("a.txt", []byte("hello"))
	h.Org = h.organization("Other")
	h.Do("PATCH /templates/"+tpl, body{"name": "x"}).Refused(api.ErrNotFound)
	h.Do("DELETE /templates/"+tpl, nil).Refused(api.ErrNotFound)
	h.Do("GET /attachments/"+att+"/content", nil).Refused(api.ErrNotFound)
	h.Do("POST /templates", body{"name": "News", "text": "a", "attachment_ids": []string{att}}).Refused(api.ErrInvalid)
	h.Do("POST /messages/preview", body{"message": body{"template_id": tpl}}).Refused(api.ErrInvalid)
	if n := h.Do("GET /templates", nil).Int("total"); n != 0 {
		t.Errorf("sees %d templates of others", n)
	}
	h.Do("POST /templates", body{"name": "News", "text": "a"}).Want(201) // the name is free here
}

func TestPermissions(t *testing.T) {
	h := setup(t)
	tpl := h.Do("POST /templates", body{"name": "News", "text": "a"}).Want(201).String("id")
	att := h.uploaded("a.txt", []byte("hello"))
	h.As = func(c *api.Call) { c.Caller.Role, c.Caller.Perms = perm.Analyst, perm.Analyst.Permissions() }
	h.Do("GET /templates", nil).Want(200)
	h.Do("GET /attachments/"+att+"/content", nil).Want(200)
	for _, route := range []string{"POST /templates", "PATCH /templates/" + tpl, "DELETE /templates/" + tpl, "POST /attachments", "POST /messages/preview"} {
		h.Do(route, body{}).Refused(api.ErrForbidden)
	}
}
