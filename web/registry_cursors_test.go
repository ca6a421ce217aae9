package web_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/session"
	"svc/web/apiv1"
)

// TestEveryListTakesACursor: each operation that answers pages takes a cursor and gives
// the next one, and refuses one that is none (contract 21.2).
func TestEveryListTakesACursor(t *testing.T) {
	a := openApp(t)
	list := a.Endpoints()
	doc := apiv1.New(apiv1.Config{DB: a.DB, Endpoints: list, Log: slog.New(slog.DiscardHandler)}).Document()
	ask := doors(t, a, "org_01arz3ndektsv4rrffq69g5fav")
	found := 0
	for i := range list {
		e := &list[i]
		if e.Method != http.MethodGet || rowOf(doc.Components.Schemas, answerOf(doc, e.Path)) == nil {
			continue
		}
		found++
		if deref(doc.Components.Schemas, answerOf(doc, e.Path)).Properties["next_cursor"] == nil {
			t.Errorf("%s gives no next_cursor", e.ID)
		}
		status, body := ask(administrating(perm.Owner), e.Method, missing(e.Path)+"?cursor=cur_none", "")
		if status != http.StatusUnprocessableEntity || !strings.Contains(body, `"cursor":`) {
			t.Errorf("%s takes a cursor that is none: %d %s", e.ID, status, body)
		}
	}
	if found < 28 {
		t.Errorf("only %d lists are in the document", found)
	}
}

// turning is a list whose rows come and go while somebody reads it.
type turning struct {
	list   string // path and query of the list
	create string // path that makes a row; "" when rows of other lists make them
	body   string // with %02d for its number
	remove string // path that removes a row, with %s for its id; "" when none is removed
}

var turningLists = []turning{
	{"/recipients?sort=created_at", "/recipients", `{"username":"person%02d","first_name":"F%[1]d"}`, "/recipients/%s"},
	{"/recipients?sort=-created_at", "/recipients", `{"username":"second%02d"}`, "/recipients/%s"},
	{"/recipients?sort=first_name&source=API", "/recipients", `{"username":"third%02d","first_name":"G%[1]d"}`, "/recipients/%s"},
	{"/lists?sort=name", "/lists", `{"name":"List %02d"}`, "/lists/%s"},
	{"/lists", "/lists", `{"name":"New %02d"}`, "/lists/%s"},
	{"/suppressions", "/suppressions", `{"username":"never%02d"}`, "/suppressions/%s"},
	{"/templates?sort=-name", "/templates", `{"name":"Letter %02d","text":"Hello"}`, "/templates/%s"},
	{"/templates?q=note", "/templates", `{"name":"Note %02d","text":"Hello"}`, "/templates/%s"},
	{"/campaigns", "/campaigns", `{"name":"Campaign %02d"}`, "/campaigns/%s"},
	{"/admin/campaigns", "/campaigns", `{"name":"Across %02d"}`, "/campaigns/%s"},
	{"/invitations", "/invitations", `{"email":"p%02d@example.uz","role":"ANALYST"}`, ""},
	{"/api-keys", "/api-keys", `{"name":"Key %02d"}`, ""},
	{"/webhooks", "/webhooks", `{"url":"https://example.uz/hook%02d","events":["campaign.*"]}`, "/webhooks/%s"},
	{"/audit-logs", "/lists", `{"name":"Audited %02d"}`, ""},
	{"/audit-logs?sort=created_at&action=list.*", "/lists", `{"name":"Seen %02d"}`, ""},
	{"/ai/communication-profiles", "/ai/communication-profiles", `{"name":"Voice %02d"}`, ""},
	{"/ai/language-profiles", "/ai/language-profiles", `{"name":"Voice %02d","language":"uz","script":"LATIN"}`, ""},
	{"/admin/organizations", "", "", ""},
	{"/admin/users", "", "", ""},
}

// TestCursorsWhileRowsComeAndGo: who follows next_cursor sees every row that was there
// all the time once, and none twice, although rows are added and deleted meanwhile.
func TestCursorsWhileRowsComeAndGo(t *testing.T) {
	o := newOrganizer(t)
	for i := range turningLists {
		l := &turningLists[i]
		t.Run(strings.Trim(l.list, "/"), func(t *testing.T) { l.turn(t, o) })
	}
}

func (l *turning) turn(t *testing.T, o *organizer) {
	for n := range 7 {
		l.add(t, o, n)
	}
	gone := map[string]bool{}
	there := o.page(t, l.list, 500, "").ids()
	seen := map[string]int{}
	cursor, n := "", 10
	for pages := 0; ; pages++ {
		p := o.page(t, l.list, 2, cursor)
		for _, id := range p.ids() {
			seen[id]++
		}
		if p.Next == nil {
			break
		}
		if cursor = *p.Next; pages > 200 {
			t.Fatal("the list never ends")
		}
		if pages < 2 && l.remove != "" {
			// The row at which the page ended, and one that comes later.
			for _, id := range []string{p.ids()[len(p.ids())-1], there[len(there)-1-pages]} {
				if !gone[id] {
					o.do(t, "DELETE", fmt.Sprintf(l.remove, id), "")
					gone[id] = true
				}
			}
		}
		if pages < 3 {
			l.add(t, o, n)
			n++
		}
	}
	for _, id := range there {
		if !gone[id] && seen[id] != 1 {
			t.Errorf("%s was there all the time and was seen %d times", id, seen[id])
		}
	}
	for id, times := range seen {
		if times > 1 {
			t.Errorf("%s was seen %d times", id, times)
		}
	}
}

func (l *turning) add(t *testing.T, o *organizer, n int) {
	if l.create == "" {
		o.signUp(t, fmt.Sprintf("%s-%d", strings.ReplaceAll(strings.Trim(l.list, "/"), "/", "-"), n))
		return
	}
	o.do(t, "POST", l.create, fmt.Sprintf(l.body, n))
}

// organizer is the OWNER of an organization who administers the platform.
type organizer struct {
	h         http.Handler
	org, user string
	n         int
}

func newOrganizer(t *testing.T) *organizer {
	a := openApp(t)
	o := &organizer{}
	start := time.Now()
	o.h = apiv1.New(apiv1.Config{
		DB: a.DB, Endpoints: a.Endpoints(), Log: slog.New(slog.DiscardHandler),
		Clock: func() time.Time { return start.Add(time.Duration(o.n) * time.Minute) }, // rates are not what is asked
		Identify: func(c *api.Call, _ session.Credential) error {
			if o.org != "" {
				administrating(perm.Owner)(c)
				c.Org, c.Caller.ID = o.org, o.user
			}
			return nil
		},
	})
	var me struct {
		User         struct{ ID string }
		Organization struct{ ID string }
	}
	if err := json.Unmarshal([]byte(o.signUp(t, "olga")), &me); err != nil {
		t.Fatal(err)
	}
	o.org, o.user = me.Organization.ID, me.User.ID
	return o
}

func (o *organizer) signUp(t *testing.T, name string) string {
	t.Helper()
	return o.do(t, "POST", "/auth/signup", fmt.Sprintf(`{"name":%q,"email":"%s@example.uz","password":"correct horse 1","organization_name":%[1]q,"timezone":"UTC"}`, name, name))
}

func (o *organizer) do(t *testing.T, method, path, body string) string {
	t.Helper()
	o.n++
	r := httptest.NewRequestWithContext(t.Context(), method, apiv1.Prefix+path, strings.NewReader(body))
	r.RemoteAddr = fmt.Sprintf("10.1.%d.%d:1", o.n>>8&255, o.n&255)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	w := httptest.NewRecorder()
	o.h.ServeHTTP(w, r)
	if w.Code >= http.StatusBadRequest {
		t.Fatalf("%s %s %s: %d %s", method, path, body, w.Code, w.Body)
	}
	return w.Body.String()
}

type rows struct {
	Data []struct {
		ID string `json:"id"`
	} `json:"data"`
	Next *string `json:"next_cursor"`
}

func (r rows) ids() (out []string) {
	for i := range r.Data {
		out = append(out, r.Data[i].ID)
	}
	return slices.Clip(out)
}

func (o *organizer) page(t *testing.T, path string, limit int, cursor string) (out rows) {
	t.Helper()
	mark := "?"
	if strings.Contains(path, "?") {
		mark = "&"
	}
	path += fmt.Sprintf("%slimit=%d", mark, limit)
	if cursor != "" {
		path += "&cursor=" + cursor
	}
	if err := json.Unmarshal([]byte(o.do(t, "GET", path, "")), &out); err != nil {
		t.Fatal(err)
	}
	return out
}
