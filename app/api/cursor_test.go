package api_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"svc/app/api"
	"svc/app/api/perm"
	"svc/store"
)

// numbered is a list of five rows, newest first, in memory.
func numbered(_ *api.Call, in struct {
	api.PageIn
	Tag string `query:"tag"`
}) (api.Page[thing], error) {
	if in.Tag == "broken" && in.Behind() != nil {
		return api.Page[thing]{}, store.ErrCursor
	}
	rows := []thing{{ID: "5"}, {ID: "4"}, {ID: "3"}, {ID: "2"}, {ID: "1"}}
	return api.Window(rows, in.PageIn, func(t *thing) string { return t.ID }), nil
}

func lists() http.Handler {
	mux := http.NewServeMux()
	a := humago.New(mux, api.Config())
	api.Mount(a, admitting(owner), []api.Endpoint{
		api.E("GET /things", "things.list", perm.RecipientsRead, "List things.", numbered),
		api.E("GET /others", "others.list", perm.RecipientsRead, "List others.", numbered),
	})
	return mux
}

type page struct {
	Data  []thing `json:"data"`
	Total int     `json:"total"`
	Next  *string `json:"next_cursor"`
	Error struct {
		Code    string            `json:"code"`
		Details map[string]string `json:"details"`
	} `json:"error"`
}

func ask(t *testing.T, h http.Handler, path string) (p page) {
	t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, http.NoBody))
	if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil {
		t.Fatalf("%s: %s", path, w.Body)
	}
	return p
}

// TestCursor: pages follow each other, and null ends them.
func TestCursor(t *testing.T) {
	h := lists()
	var seen []string
	path, pages := "/things?limit=2", 0
	for ; pages < 10; pages++ {
		p := ask(t, h, path)
		for i := range p.Data {
			seen = append(seen, p.Data[i].ID)
		}
		if p.Total != 5 {
			t.Errorf("total %d", p.Total)
		}
		if p.Next == nil {
			break
		}
		path = "/things?limit=2&cursor=" + *p.Next
	}
	if strings.Join(seen, "") != "54321" || pages != 2 {
		t.Errorf("%q in %d pages", seen, pages+1)
	}
	if p := ask(t, h, "/things?limit=2&offset=3"); p.Next != nil || len(p.Data) != 2 {
		t.Errorf("the last page by offset: %+v", p)
	}
}

// TestCursorOfAnotherList: a cursor goes on in the list that gave it, with the same
// filter and order, whatever the size of the page (contract 21.2).
func TestCursorOfAnotherList(t *testing.T) {
	h := lists()
	cursor := *ask(t, h, "/things?limit=2&tag=a").Next
	for _, tt := range []struct {
		name, path string
		takes      bool
	}{
		{"the same", "/things?limit=2&tag=a&cursor=" + cursor, true},
		{"another size", "/things?cursor=" + cursor + "&tag=a", true},
		{"with what nobody reads", "/things?tag=a&nobody=1&cursor=" + cursor, true},
		{"another filter", "/things?tag=b&cursor=" + cursor, false},
		{"no filter", "/things?cursor=" + cursor, false},
		{"another list", "/others?tag=a&cursor=" + cursor, false},
		{"with an offset", "/things?tag=a&offset=1&cursor=" + cursor, false},
		{"damaged", "/things?tag=a&cursor=" + cursor[:len(cursor)-1] + "_", false},
		{"cut", "/things?tag=a&cursor=" + cursor[:12], false},
		{"longer", "/things?tag=a&cursor=" + cursor + "AAAA", false},
		{"none", "/things?tag=a&cursor=abc", false},
		{"an id", "/things?tag=a&cursor=evt_01kqfxa2d0t9v2n8m5c7b3k1hj", false},
		{"no place for the list", "/things?tag=broken&cursor=" + *ask(t, h, "/things?limit=2&tag=broken").Next, false},
	} {
		p := ask(t, h, tt.path)
		if tt.takes != (p.Error.Code == "") || !tt.takes && (p.Error.Code != "validation_failed" || p.Error.Details["cursor"] == "") {
			t.Errorf("%s: %+v", tt.name, p)
		}
	}
}

// TestWindowWhileRowsGo: the row at which a page ended may be gone.
func TestWindowWhileRowsGo(t *testing.T) {
	h := lists()
	next := *ask(t, h, "/things?limit=3").Next // behind 3
	if p := ask(t, h, "/things?limit=3&cursor="+next); len(p.Data) != 2 || p.Data[0].ID != "2" {
		t.Errorf("%+v", p)
	}
}
