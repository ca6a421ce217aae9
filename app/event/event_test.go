package event

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"svc/app/api"
	"svc/app/api/apitest"
	"svc/app/api/perm"
	"svc/store"
	"svc/store/recordid"
	"svc/store/storetest"
)

const (
	orgA = "org_0000000000000000000000000a"
	orgB = "org_0000000000000000000000000b"
)

// emit records events in one transaction and answers their ids.
func emit(t testing.TB, db *store.DB, org string, what ...Type) (ids []string) {
	t.Helper()
	err := db.Update(t.Context(), func(tx *store.Tx) error {
		ids = make([]string, len(what))
		for i, kind := range what {
			err := Emit(tx, org, kind, map[string]any{"n": i}, func(e *Stored) { ids[i] = e.ID })
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return ids
}

func view(t testing.TB, db *store.DB, f func(tx *store.Tx) error) {
	t.Helper()
	if err := db.View(t.Context(), f); err != nil {
		t.Fatal(err)
	}
}

func TestEmit(t *testing.T) {
	db := storetest.Twice(t, Tables()...)
	org := db.NewID("org")
	data := struct {
		ID    string  `json:"id"`
		Camp  string  `json:"campaign_id"`
		None  *string `json:"account_id"`
		Empty string  `json:"job_id"`
		Name  string  `json:"name"`
	}{ID: "x_1", Camp: "cmp_1", Name: "a <b> & c"}
	err := db.Update(t.Context(), func(tx *store.Tx) error { return Emit(tx, org, CampaignStarted, data, Personal()) })
	if err != nil {
		t.Fatal(err)
	}
	view(t, db, func(tx *store.Tx) error {
		list, err := After(tx, org, "", 10)
		if err != nil || len(list) != 1 {
			t.Fatalf("%d events, want 1: %v", len(list), err)
		}
		e := list[0]
		if !slices.Equal(e.About, []string{"cmp_1", "x_1"}) || !e.Personal || !recordid.Valid("evt", e.ID) {
			t.Errorf("stored: %+v", e)
		}
		want := fmt.Sprintf(`{"id":%q,"type":"campaign.started","timestamp":%q,"organization_id":%q,"api_version":"v1","data":{"id":"x_1","campaign_id":"cmp_1","account_id":null,"job_id":"","name":"a \u003cb\u003e \u0026 c"}}`,
			e.ID, e.Timestamp.Format(time.RFC3339Nano), org)
		if got := string(e.Envelope()); got != want {
			t.Errorf("envelope\n%s, want\n%s", got, want)
		}
		return nil
	})
}

func TestEmitRefuses(t *testing.T) {
	db := storetest.Open(t, Tables()...)
	for name, tt := range map[string]struct {
		kind Type
		data any
		want string
	}{
		"no type":        {"campaign.exploded", map[string]any{}, "no type"},
		"no object":      {CampaignStarted, []int{1}, "not an object"},
		"not JSON":       {CampaignStarted, map[string]any{"f": func() {}}, "unsupported type"},
		"more than fits": {CampaignStarted, map[string]any{"f": strings.Repeat("x", MaxData)}, "bytes of data"},
	} {
		err := db.Update(t.Context(), func(tx *store.Tx) error { return Emit(tx, orgA, tt.kind, tt.data) })
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", name, err, tt.want)
		}
	}
}

// TestMaxDataFits: the largest event fits into the body of a webhook.
func TestMaxDataFits(t *testing.T) {
	e := Event{
		ID: "evt_00000000000000000000000000", Type: ChannelMarketingSubscription, Timestamp: time.Now().UTC(),
		OrganizationID: "org_00000000000000000000000000", APIVersion: Version, Data: json.RawMessage(`"` + strings.Repeat("x", MaxData-2) + `"`),
	}
	if n := len(e.Envelope()); n > 256<<10 {
		t.Errorf("an envelope of %d bytes", n)
	}
}

// TestIDsAscendWhenTheClockStepsBack: whoever reads behind a place misses nothing,
// also when a program starts again with a clock that stands before its last event.
func TestIDsAscendWhenTheClockStepsBack(t *testing.T) {
	clock := storetest.NewClock()
	path := t.TempDir() + "/test.db"
	open := func() *store.DB {
		return storetest.OpenWith(t, path, store.Options{Tables: Tables(), Now: clock.Now})
	}
	db := open()
	all := emit(t, db, orgA, CampaignStarted, CampaignPaused)
	storetest.Close(t, db)
	clock.Add(-time.Hour)
	db = open()
	view(t, db, Resume)
	all = append(all, emit(t, db, orgA, CampaignResumed)...)
	all = append(all, emit(t, db, orgB, CampaignResumed, CampaignPaused)...)
	if !slices.IsSorted(all) {
		t.Errorf("ids do not ascend: %v", all)
	}
	view(t, db, func(tx *store.Tx) error {
		list, err := AfterAcross(tx, all[1], 10)
		if len(list) != 3 {
			t.Errorf("%d events behind the place, want 3", len(list))
		}
		return err
	})
}

func TestReadingBehindAPlace(t *testing.T) {
	db := storetest.Open(t, Tables()...)
	a := emit(t, db, orgA, CampaignStarted, CampaignPaused)
	b := emit(t, db, orgB, CampaignStarted)
	c := emit(t, db, orgA, CampaignResumed)
	view(t, db, func(tx *store.Tx) error {
		for _, tt := range []struct {
			place string
			limit int
			want  []string
		}{
			{"", 10, []string{a[0], a[1], b[0], c[0]}},
			{a[1], 10, []string{b[0], c[0]}},
			{a[0], 2, []string{a[1], b[0]}},
			{b[0] + "0", 10, c},
			{c[0], 10, nil},
		} {
			list, err := AfterAcross(tx, tt.place, tt.limit)
			if got := idsOf(list); err != nil || !slices.Equal(got, tt.want) {
				t.Errorf("across, behind %q: %v, want %v (%v)", tt.place, got, tt.want, err)
			}
		}
		list, err := After(tx, orgA, a[0], 10)
		if got := idsOf(list); err != nil || !slices.Equal(got, []string{a[1], c[0]}) {
			t.Errorf("of one organization: %v (%v)", got, err)
		}
		if _, err := After(tx, orgA, "nonsense", 10); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("behind nonsense: %v", err)
		}
		last, err := Last(tx)
		if err != nil || last != c[0] {
			t.Errorf("last %s, want %s (%v)", last, c[0], err)
		}
		oldest, err := Oldest(tx, orgB)
		if err != nil || oldest != b[0] {
			t.Errorf("oldest %s, want %s (%v)", oldest, b[0], err)
		}
		return nil
	})
}

func idsOf(list []Stored) (out []string) {
	for i := range list {
		out = append(out, list[i].ID)
	}
	return out
}

func TestPurge(t *testing.T) {
	clock := storetest.NewClock()
	db := storetest.OpenWith(t, "", store.Options{Tables: Tables(), Now: clock.Now})
	old := emit(t, db, orgA, CampaignStarted, CampaignPaused, CampaignResumed)
	clock.Add(time.Hour)
	kept := emit(t, db, orgA, CampaignCompleted)
	other := emit(t, db, orgB, CampaignCompleted)
	var counts []int
	for range 3 {
		n := 0
		err := db.Update(t.Context(), func(tx *store.Tx) (err error) {
			if err := Delivered(tx, orgA, old[0], Deliveries{Pending: 1}); err != nil {
				return err
			}
			n, err = Purge(tx, orgA, clock.Now().Add(-time.Minute), 2)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		counts = append(counts, n)
	}
	if !slices.Equal(counts, []int{2, 1, 0}) {
		t.Errorf("removed %v, want 2, 1 and 0", counts)
	}
	view(t, db, func(tx *store.Tx) error {
		list, err := AfterAcross(tx, "", 10)
		if got := idsOf(list); !slices.Equal(got, append(kept, other...)) {
			t.Errorf("left: %v", got)
		}
		return err
	})
}

// TestList holds what each filter finds, and for whom.
func TestList(t *testing.T) {
	clock := storetest.NewClock()
	db := storetest.OpenWith(t, "", store.Options{Tables: Tables(), Now: clock.Now})
	srv := apitest.New(t, db, New(db))
	begun := clock.Now()
	record := func(kind Type, data any, o ...Option) (id string) {
		t.Helper()
		err := db.Update(t.Context(), func(tx *store.Tx) error {
			return Emit(tx, srv.Org, kind, data, append(o, func(e *Stored) { id = e.ID })...)
		})
		if err != nil {
			t.Fatal(err)
		}
		clock.Add(time.Minute)
		return id
	}
	names := map[string]string{}
	names[record(CampaignStarted, map[string]string{"campaign_id": "cmp_1"})] = "started"
	sent := record(MessageDelivered, map[string]string{"campaign_id": "cmp_1", "recipient_id": "rcp_1"})
	names[sent] = "delivered"
	names[record(RecipientOptedOut, map[string]string{"recipient_id": "rcp_1"})] = "opted out"
	names[record(ConversationMessage, map[string]string{"account_id": "acc_1"}, Personal())] = "personal"
	names[record(AccountPaused, map[string]string{"account_id": "acc_1"})] = "paused"
	names[record(WebhookTest, map[string]string{"webhook_id": "whk_1"})] = "test"
	emit(t, db, orgB, CampaignStarted)
	at := func(minutes int) string {
		return begun.Add(time.Duration(minutes) * time.Minute).Format(time.RFC3339)
	}
	all := []string{"test", "paused", "personal", "opted out", "delivered", "started"}
	for _, tt := range []struct {
		name, query string
		perms       perm.Set
		want        []string
	}{
		{"all, newest first", "", perm.Owner.Permissions(), all},
		{"a type", "?type=campaign.started", perm.Owner.Permissions(), []string{"started"}},
		{"types", "?type=campaign.started&type=webhook.test", perm.Owner.Permissions(), []string{"test", "started"}},
		{"a beginning", "?type=message.*", perm.Owner.Permissions(), []string{"delivered"}},
		{"any", "?type=*", perm.Owner.Permissions(), all},
		{"from is inclusive, to is not", "?from=" + at(1) + "&to=" + at(3), perm.Owner.Permissions(), []string{"opted out", "delivered"}},
		{"from", "?from=" + at(4), perm.Owner.Permissions(), []string{"test", "paused"}},
		{"to", "?to=" + at(1), perm.Owner.Permissions(), []string{"started"}},
		{"a resource", "?resource_id=rcp_1", perm.Owner.Permissions(), []string{"opted out", "delivered"}},
		{"a resource and a type", "?resource_id=cmp_1&type=message.*", perm.Owner.Permissions(), []string{"delivered"}},
		{"behind an event, oldest first", "?after=" + sent, perm.Owner.Permissions(), []string{"opted out", "personal", "paused", "test"}},
		{"behind an event that never was", "?after=" + sent[:len(sent)-1] + "z", perm.Owner.Permissions(), []string{"opted out", "personal", "paused", "test"}},
		{"a page", "?limit=2&offset=1", perm.Owner.Permissions(), []string{"paused", "personal"}},
		{"a person who may not read accounts", "", perm.Of(perm.WebhooksRead, perm.CampaignsRead), []string{"test", "delivered", "started"}},
		{"and asks for their events", "?type=account.*", perm.Of(perm.WebhooksRead), nil},
		{"nobody's personal chats", "", perm.Analyst.Permissions(), []string{"test", "paused", "opted out", "delivered", "started"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			srv.As = func(c *api.Call) { c.Caller.Perms = tt.perms }
			a := srv.Do("GET /events"+tt.query, nil).Want(200)
			var page api.Page[Listed]
			a.Into(&page)
			var got []string
			for _, e := range page.Data {
				got = append(got, names[e.ID])
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			if tt.name != "a page" && page.Total != len(tt.want) || tt.name == "a page" && page.Total != len(all) {
				t.Errorf("total %d", page.Total)
			}
		})
	}
	srv.As = nil
	for _, bad := range []string{"type=campaign.exploded", "type=exploded.*", "after=evt_1", "after=cmp_00000000000000000000000000", "from=yesterday"} {
		srv.Do("GET /events?"+bad, nil).Refused(api.ErrInvalid)
	}
	srv.As = func(c *api.Call) { c.Caller.Perms = perm.Operator.Permissions() }
	srv.Do("GET /events", nil).Refused(api.ErrForbidden)
}

// TestListShowsTheEnvelope and what became of the event at webhooks.
func TestListShowsTheEnvelope(t *testing.T) {
	db := storetest.Open(t, Tables()...)
	srv := apitest.New(t, db, New(db))
	id := emit(t, db, srv.Org, CampaignStarted)[0]
	gone := db.NewID("evt")
	err := db.Update(t.Context(), func(tx *store.Tx) error {
		return errors.Join(
			Delivered(tx, srv.Org, id, Deliveries{Pending: 3}),
			Delivered(tx, srv.Org, id, Deliveries{Pending: -2, Succeeded: 1, Failed: 1}),
			Delivered(tx, srv.Org, gone, Deliveries{Pending: 1}),
		)
	})
	if err != nil {
		t.Fatal(err)
	}
	var e Event
	view(t, db, func(tx *store.Tx) (err error) {
		if has, err := counts.Has(tx, srv.Org, gone); has || err != nil {
			t.Errorf("counts of an event that is gone: %v", err)
		}
		e, err = Get(tx, srv.Org, id)
		return err
	})
	envelope := strings.TrimSuffix(string(e.Envelope()), "}")
	want := `{"data":[` + envelope + `,"deliveries":{"succeeded":1,"failed":1,"pending":1},"names":[]}],"total":1,"limit":50,"offset":0,"next_cursor":null}`
	if got := srv.Do("GET /events", nil).Want(200).Body; got != want {
		t.Errorf("got\n%s, want\n%s", got, want)
	}
}
