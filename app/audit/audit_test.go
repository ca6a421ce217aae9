package audit_test

import (
	"encoding/csv"
	"strings"
	"testing"

	"svc/app/api"
	"svc/app/api/apitest"
	"svc/app/audit"
	"svc/store"
	"svc/store/storetest"
)

func write(t *testing.T, db *store.DB, c *api.Call, action, id string, details ...audit.Detail) {
	t.Helper()
	err := db.Update(c, func(tx *store.Tx) error {
		return audit.Write(tx, c, action, audit.On("list", id, "VIP"), details...)
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestLog(t *testing.T) {
	db := storetest.Twice(t, audit.Tables()...)
	s := apitest.New(t, db, audit.New(db))
	c := s.Call()
	c.UserAgent = "curl/8"
	write(t, db, c, "list.created", "lst_1", audit.Changed("name", nil, "VIP"), audit.Changed("color", "red", "red"))
	write(t, db, c, "list.updated", "lst_1", audit.Hidden("text"), audit.Because("a typing error"))
	write(t, db, api.System(t.Context(), s.Org, db.Now()), "recipient.opted_out", "rcp_1")

	all := s.Do("GET /audit-logs", nil).Want(200)
	if got := all.Int("total"); got != 3 {
		t.Fatalf("total %d: %s", got, all.Body)
	}
	for path, want := range map[string]any{
		"data.0.action": "recipient.opted_out", "data.0.actor.type": "SYSTEM", "data.0.actor.id": nil,
		"data.1.changes.text.to": "hidden", "data.1.reason": "a typing error", "data.1.actor.type": "USER",
		"data.2.changes.name.from": nil, "data.2.changes.name.to": "VIP", "data.2.changes.color": nil,
		"data.2.resource.name": "VIP", "data.2.ip": "192.0.2.1", "data.2.request_id": "req-1", "data.2.user_agent": "curl/8",
		"data.2.seq": 1.0, "data.2.actor.name": "Olga", "data.2.support_session_id": nil,
	} {
		if got := all.At(path); got != want {
			t.Errorf("%s is %v, want %v", path, got, want)
		}
	}
	for query, want := range map[string]int{
		"action=list.*": 2, "action=list.created": 1, "action=nothing.*": 0, "actor_type=SYSTEM": 1, "resource_type=list": 3,
		"resource_id=lst_1": 2, "actor_id=" + c.Caller.ID: 2, "actor_id=usr_x": 0, "from=2000-01-01T00:00:00Z": 3, "to=2000-01-01T00:00:00Z": 0,
		"action=list.*&resource_id=rcp_1": 0,
	} {
		if got := s.Do("GET /audit-logs?"+query, nil).Want(200).Int("total"); got != want {
			t.Errorf("%s: %d, want %d", query, got, want)
		}
	}
	if got := s.Do("GET /audit-logs?sort=created_at&limit=1", nil).Want(200).String("data.0.action"); got != "list.created" {
		t.Errorf("oldest first begins with %s", got)
	}
	s.Do("GET /audit-logs?actor_type=GHOST", nil).Refused(api.ErrInvalid)

	other := apitest.New(t, db, audit.New(db))
	if got := other.Do("GET /audit-logs", nil).Want(200).Int("total"); got != 0 {
		t.Errorf("another organization sees %d entries", got)
	}
}

func TestExport(t *testing.T) {
	db := storetest.Open(t, audit.Tables()...)
	s := apitest.New(t, db, audit.New(db))
	s.As = func(c *api.Call) { c.Caller.Name = "=cmd()" }
	for range 3 {
		write(t, db, s.Call(), "list.created", "lst_1", audit.Changed("name", "a", "b,\n\"c\""))
	}
	a := s.Do("GET /audit-logs?format=csv&action=list.*", nil).Want(200)
	rows, err := csv.NewReader(strings.NewReader(a.Body)).ReadAll()
	if err != nil || len(rows) != 4 {
		t.Fatalf("%d rows, %v: %s", len(rows), err, a.Body)
	}
	if got := rows[1][5]; got != "'=cmd()" {
		t.Errorf("a spreadsheet would run %q", got)
	}
	if !strings.Contains(a.Header.Get("Content-Type"), "text/csv") || rows[0][0] != "id" || rows[1][1] != "3" {
		t.Errorf("%v %v", a.Header, rows[:2])
	}
}
