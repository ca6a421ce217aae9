package recipient_test

import (
	"encoding/csv"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"svc/app/api"
	"svc/app/recipient"
	"svc/app/recipient/recipienttest"
	"svc/app/setting"
	"svc/store"
	"svc/store/storetest"
)

func TestLists(t *testing.T) {
	h := recipienttest.New(t).Work()
	list := h.Do("POST /lists", `{"name":" Buyers ","description":"all","color":"#123456"}`).Want(201)
	if list.String("name") != "Buyers" || list.Int("members_count") != 0 || list.String("created_by") == "" {
		t.Errorf("a new list: %s", list.Body)
	}
	h.Do("POST /lists", `{"name":"BUYERS"}`).Refused(api.ErrConflict)
	for _, body := range []string{`{}`, `{"name":""}`, `{"name":"  "}`, `{"name":"` + strings.Repeat("x", 81) + `"}`} {
		h.Do("POST /lists", body).Refused(api.ErrInvalid)
	}
	path := "/lists/" + list.String("id")
	var ids []string
	for i, consent := range []string{"OPTED_IN", "AUTHORIZED", "EXISTING_RELATIONSHIP", "UNKNOWN", "OPTED_OUT"} {
		ids = append(ids, h.Add(map[string]any{"messenger_id": i + 1, "consent_status": consent}))
	}
	none := "rcp_01jyd1zq6x4t9v2n8m5c7b3k1h"
	a := h.Do("POST "+path+"/members", map[string]any{"recipient_ids": append(ids, none, ids[0])}).Want(200)
	if a.Int("added") != 5 || a.Int("already") != 0 || a.Int("not_found") != 1 {
		t.Errorf("added: %s", a.Body)
	}
	if a := h.Do("POST "+path+"/members", map[string]any{"recipient_ids": ids[:2]}).Want(200); a.Int("already") != 2 {
		t.Errorf("added again: %s", a.Body)
	}
	counts := func(members, sendable int) {
		t.Helper()
		if a := h.Do("GET "+path, nil).Want(200); a.Int("members_count") != members || a.Int("sendable_count") != sendable {
			t.Errorf("want %d members, %d sendable: %s", members, sendable, a.Body)
		}
	}
	counts(5, 3)
	h.Update(func(tx *store.Tx) error {
		_, err := setting.Put(tx, h.Call(), map[string]any{"allow_unknown_consent": true})
		return err
	})
	counts(5, 4)
	h.Do("POST /recipients/"+ids[0]+"/opt-out", nil).Want(200)
	counts(5, 3)
	h.Do("DELETE /recipients/"+ids[1], nil).Want(204)
	counts(4, 2)
	a = h.Do("DELETE "+path+"/members", map[string]any{"recipient_ids": []string{ids[2], ids[1]}}).Want(200)
	if a.Int("removed") != 1 || a.Int("not_found") != 1 {
		t.Errorf("removed: %s", a.Body)
	}
	counts(3, 1)
	h.Do("POST /lists", `{"name":"Other"}`).Want(201)
	h.Do("PATCH "+path, `{"name":"other"}`).Refused(api.ErrConflict)
	if a := h.Do("PATCH "+path, `{"name":"Zed","description":null}`).Want(200); a.String("name") != "Zed" || a.At("description") != nil || a.String("color") == "" {
		t.Errorf("changed: %s", a.Body)
	}
	if a := h.Do("GET /lists?sort=name", nil).Want(200); a.String("data.0.name") != "Other" || a.Int("total") != 2 {
		t.Errorf("by name: %s", a.Body)
	}
	h.Do("DELETE "+path, nil).Want(204)
	h.Do("GET "+path, nil).Refused(api.ErrNotFound)
	if r := h.Do("GET /recipients/"+ids[3], nil).Want(200); r.At("lists.0") != nil {
		t.Errorf("a recipient shows a list that is gone: %s", r.Body)
	}
	h.Do("GET /recipients?list_id="+list.String("id"), nil).Refused(api.ErrNotFound)
	h.Idle()
	h.View(func(tx *store.Tx) error {
		r, err := recipient.Get(tx, h.Org, ids[3])
		if len(r.Lists) != 0 {
			t.Errorf("the job left %v", r.Lists)
		}
		return err
	})
}

// TestFilters asks for every filter, alone and with others, and compares with what
// looking at each recipient says.
func TestFilters(t *testing.T) {
	clock := storetest.NewClock()
	h := recipienttest.In(t, storetest.OpenWith(t, "", store.Options{Tables: recipienttest.Tables(), Now: clock.Now}), nil)
	list := h.Do("POST /lists", `{"name":"L"}`).Want(201).String("id")
	start := clock.Now()
	for i := range 60 {
		clock.Add(17*time.Minute + 13*time.Second + 7*time.Millisecond)
		body := map[string]any{
			"messenger_id": 1000 + i*37, "username": fmt.Sprintf("%s_%02d", []string{"Olga", "ivan"}[i%2], i), "language": []string{"uz", "ru", ""}[i%3],
			"consent_status": []string{"OPTED_IN", "UNKNOWN", "AUTHORIZED", "OPTED_OUT"}[i%4], "source": []string{"CRM", "MANUAL"}[i/2%2],
			"first_name": []string{"анна", "Борис", "anna", "Zoe", ""}[i%5],
		}
		for n, tag := range []string{"a", "b", "c"} {
			if i%(n+2) == 0 {
				tags, _ := body["tags"].([]string)
				body["tags"] = append(tags, tag)
			}
		}
		if i%5 == 0 {
			body["list_ids"] = []string{list}
		}
		id := h.Add(body)
		if i%7 == 0 {
			h.Update(func(tx *store.Tx) error {
				return recipient.RecordContact(tx, h.Org, id, recipient.Contact{At: clock.Now(), Sent: true, ConversationID: "cnv_x"})
			})
		}
	}
	var all struct{ Data []recipient.ShownRecipient }
	h.Do("GET /recipients?limit=500&sort=created_at", nil).Want(200).Into(&all)
	type rec = recipient.ShownRecipient
	at := start.Add(5*time.Hour + 10*time.Minute)
	late := start.Add(12 * time.Hour)
	cond := map[string]func(rec) bool{
		"q=OLGA":    func(r rec) bool { return strings.HasPrefix(strings.ToLower(*r.Username), "olga") },
		"q=@ivan_1": func(r rec) bool { return strings.HasPrefix(*r.Username, "ivan_1") },
		"q=11":      func(r rec) bool { return strings.HasPrefix(fmt.Sprint(*r.MessengerID), "11") },
		"tag=a":     func(r rec) bool { return slices.Contains(r.Tags, "a") },
		"tag=a&tag=c": func(r rec) bool {
			return slices.Contains(r.Tags, "a") && slices.Contains(r.Tags, "c")
		},
		"tag=none":                 func(rec) bool { return false },
		"list_id=" + list:          func(r rec) bool { return len(r.Lists) == 1 },
		"consent_status=OPTED_OUT": func(r rec) bool { return r.Consent == "OPTED_OUT" },
		"language=UZ":              func(r rec) bool { return r.Language != nil && *r.Language == "uz" },
		"source=CRM":               func(r rec) bool { return r.Source == "CRM" },
		"suppressed=true":          func(r rec) bool { return r.Suppressed },
		"suppressed=false":         func(r rec) bool { return !r.Suppressed },
		"has_conversation=true":    func(r rec) bool { return r.ConversationID != nil },
		"has_conversation=false":   func(r rec) bool { return r.ConversationID == nil },
		"created_from=" + url.QueryEscape(at.Format(time.RFC3339Nano)):                                           func(r rec) bool { return !r.CreatedAt.Before(at) },
		"created_to=" + url.QueryEscape(late.Format(time.RFC3339Nano)):                                           func(r rec) bool { return r.CreatedAt.Before(late) },
		"created_to=2019-01-01T00:00:00Z":                                                                        func(rec) bool { return false },
		"created_from=2999-01-01T00:00:00Z":                                                                      func(rec) bool { return false },
		"created_from=0001-01-01T00:00:00Z&created_to=9999-01-01T00:00:00Z":                                      func(rec) bool { return true },
		"created_from=" + at.Format(time.RFC3339) + "&created_to=" + at.Add(40*time.Minute).Format(time.RFC3339): func(r rec) bool { return !r.CreatedAt.Before(at) && r.CreatedAt.Before(at.Add(40*time.Minute)) },
	}
	check := func(query string, match func(rec) bool) {
		t.Helper()
		var want []string
		for _, r := range all.Data {
			if match(r) {
				want = append(want, r.ID)
			}
		}
		var got struct {
			Data  []rec
			Total int
		}
		h.Do("GET /recipients?limit=500&sort=created_at&"+query, nil).Want(200).Into(&got)
		var ids []string
		for _, r := range got.Data {
			ids = append(ids, r.ID)
		}
		if !slices.Equal(ids, want) || got.Total != len(want) {
			t.Errorf("%s: %d of %d, want %d", query, len(ids), got.Total, len(want))
		}
	}
	for a, isA := range cond {
		check(a, isA)
		for b, isB := range cond {
			nameA, _, _ := strings.Cut(a, "=")
			if nameB, _, _ := strings.Cut(b, "="); nameA != nameB && !strings.Contains(a+b, "&created") {
				check(a+"&"+b, func(r rec) bool { return isA(r) && isB(r) })
			}
		}
	}
	for _, bad := range []string{"q=a", "suppressed=maybe", "sort=username", "consent_status=X", "limit=501", "offset=-1", "created_from=yesterday", "source=X"} {
		h.Do("GET /recipients?"+bad, nil).Refused(api.ErrInvalid)
	}
}

func TestSortAndPages(t *testing.T) {
	h := recipienttest.New(t)
	for i, name := range []string{"borya", "Anna", "ЯНА", "anna", "Zoe"} {
		id := h.Add(map[string]any{"messenger_id": i + 1, "first_name": name})
		if i%2 == 0 {
			h.Update(func(tx *store.Tx) error {
				return recipient.RecordContact(tx, h.Org, id, recipient.Contact{At: h.DB.Now().Add(time.Duration(-i) * time.Hour), Sent: true})
			})
		}
	}
	for query, want := range map[string]string{
		"":                                      "Zoe anna ЯНА Anna borya",
		"sort=created_at":                       "borya Anna ЯНА anna Zoe",
		"sort=first_name":                       "Anna anna borya Zoe ЯНА",
		"sort=-first_name":                      "ЯНА Zoe borya anna Anna",
		"sort=-last_messaged_at&limit=3":        "borya ЯНА Zoe",
		"sort=created_at&limit=2&offset=3":      "anna Zoe",
		"sort=created_at&limit=2&offset=9":      "",
		"sort=first_name&offset=1&q=12&limit=1": "",
	} {
		var page struct {
			Data []recipient.ShownRecipient
		}
		h.Do("GET /recipients?"+query, nil).Want(200).Into(&page)
		var names []string
		for _, r := range page.Data {
			names = append(names, r.FirstName)
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%q: %q, want %q", query, got, want)
		}
	}
}

func TestExport(t *testing.T) {
	h := recipienttest.New(t).Work()
	var rows strings.Builder
	rows.WriteString("messenger_id,first_name,tags\n")
	for i := range 1234 {
		fmt.Fprintf(&rows, "%d,=cmd%d,all;t%d\n", 5000+i, i, i%3)
	}
	h.Upload(rows.String(), map[string]string{"new_list_name": "+List"}).Want(201)
	h.Add(map[string]any{"username": "other"})
	for query, want := range map[string]int{"": 1235, "&tag=all": 1234, "&tag=t0&sort=first_name": 412, "&limit=3&offset=5": 1235, "&tag=none": 0} {
		a := h.Do("GET /recipients?format=csv"+query, nil).Want(200)
		lines, err := csv.NewReader(strings.NewReader(a.Body)).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		if len(lines) != want+1 || lines[0][1] != "messenger_id" {
			t.Errorf("%q: %d lines, want %d", query, len(lines)-1, want)
		}
		seen := map[string]bool{}
		for _, l := range lines[1:] {
			if seen[l[0]] {
				t.Errorf("%s twice", l[0])
			}
			seen[l[0]] = true
			for _, cell := range l {
				if cell != "" && strings.ContainsRune("=+-@", rune(cell[0])) {
					t.Fatalf("a formula in %q", l)
				}
			}
		}
		if !strings.HasPrefix(a.Header.Get("Content-Type"), "text/csv") || !strings.Contains(a.Header.Get("Content-Disposition"), "recipients.csv") {
			t.Errorf("headers: %v", a.Header)
		}
	}
	h.Do("GET /recipients?format=csv&list_id=lst_01jyd1zq6x4t9v2n8m5c7b3k1h", nil).Refused(api.ErrNotFound)
}

func TestTags(t *testing.T) {
	h := recipienttest.New(t)
	if a := h.Do("GET /recipients/tags", nil).Want(200); a.Body != `{"data":[]}` {
		t.Errorf("no tags: %s", a.Body)
	}
	for i, tags := range [][]string{{"b", "a"}, {"b"}, {"c"}} {
		h.Add(map[string]any{"messenger_id": i + 1, "tags": tags})
	}
	if a := h.Do("GET /recipients/tags", nil).Want(200); a.Body != `{"data":[{"tag":"b","count":2},{"tag":"a","count":1},{"tag":"c","count":1}]}` {
		t.Errorf("tags: %s", a.Body)
	}
}
