package overview_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"svc/app/api"
	"svc/app/api/apitest"
	"svc/app/api/perm"
	"svc/app/audit"
	"svc/app/event"
	"svc/app/notify"
	"svc/app/org"
	"svc/app/overview"
	"svc/app/recipient"
	"svc/app/recipient/imports"
	"svc/app/setting"
	"svc/app/user"
	"svc/store"
	"svc/store/queue"
	"svc/store/storetest"
)

func lowTables() []store.AnyTable {
	return slices.Concat(audit.Tables(), event.Tables(), setting.Tables(), notify.Tables(), user.Tables(), org.Tables(), queue.Tables(), recipient.Tables(), imports.Tables())
}

// newServer serves overviews at 12:00 on the first of March.
func newServer(t *testing.T, of overview.Sources) (*apitest.Server, *store.DB) {
	t.Helper()
	db := storetest.OpenWith(t, "", store.Options{Tables: lowTables(), Now: storetest.NewClock().Now})
	s := apitest.New(t, db, overview.New(db, of))
	err := db.Update(t.Context(), func(tx *store.Tx) error {
		o, err := org.Create(tx, api.System(t.Context(), store.Platform, db.Now()), org.Fields{Name: "Acme"})
		s.Org = o.ID
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return s, db
}

// full are sources that know something of everything.
func full() overview.Sources {
	return overview.Sources{
		Accounts: func(_ *store.Tx, c *api.Call) (overview.Accounts, error) {
			return overview.Accounts{Total: 5, Active: 3, CoolingDown: 1, NeedsAttention: 2}, nil
		},
		Campaigns: func(*store.Tx, *api.Call) (overview.Campaigns, error) {
			return overview.Campaigns{Running: 1, Scheduled: 2, Paused: 3, Completed30d: 4}, nil
		},
		Series: func(_ *store.Tx, _ *api.Call, a overview.Asked) ([]overview.Row, error) {
			if a.GroupBy == overview.ByCampaign {
				name := "Spring"
				return []overview.Row{{Key: "cmp_1", Label: &name, Counters: overview.Counters{Delivered: 4}}}, nil
			}
			// A reply belongs to no campaign: the days have more than the campaigns.
			return []overview.Row{
				{Key: "2026-02-16", Counters: overview.Counters{Delivered: 1, Failed: 2, Unreachable: 3, Skipped: 4, Read: 5, Replied: 6, OptedOut: 7}},
				{Key: "2026-03-01", Counters: overview.Counters{Delivered: 4, Failed: 1, Unreachable: 1}},
			}, nil
		},
	}
}

func TestDashboard(t *testing.T) {
	s, db := newServer(t, full())
	err := db.Update(t.Context(), func(tx *store.Tx) error {
		return notify.Send(tx, s.Org, notify.Notice{Kind: "ACCOUNT_RESTRICTED", Title: "An account is restricted"})
	})
	if err != nil {
		t.Fatal(err)
	}
	a := s.Do("GET /dashboard", nil).Want(200)
	if a.Int("accounts.needs_attention") != 2 || a.Int("campaigns.completed_30d") != 4 || a.Int("channels.connected") != 0 || a.At("channels") == nil ||
		a.Int("recipients.total") != 0 || a.At("recipients") == nil || a.Int("messages.today.delivered") != 4 || a.Int("messages.today.failed") != 2 ||
		a.String("attention.0.kind") != "ACCOUNT_RESTRICTED" || a.At("inbox") == nil || a.At("ai") == nil {
		t.Error(a.Body)
	}
	var d overview.Dashboard
	a.Into(&d)
	if len(d.Messages.Days) != 14 {
		t.Fatalf("%d days", len(d.Messages.Days))
	}
	for i, day := range d.Messages.Days {
		want := overview.Day{Date: time.Date(2026, 2, 16+i, 0, 0, 0, 0, time.UTC).Format(time.DateOnly)}
		switch i {
		case 0:
			want.Delivered, want.Failed, want.Replied = 1, 5, 6
		case 13:
			want.Delivered, want.Failed = 4, 2
		}
		if day != want {
			t.Errorf("day %d: %+v, want %+v", i, day, want)
		}
	}
}

// TestParts: a part that the caller may not read is null, each by its own permission.
func TestParts(t *testing.T) {
	s, _ := newServer(t, full())
	parts := map[string]perm.Perm{
		"accounts": perm.AccountsRead, "channels": perm.AccountsRead, "campaigns": perm.CampaignsRead, "recipients": perm.RecipientsRead,
		"messages": perm.AnalyticsRead, "inbox": perm.AIRead, "ai": perm.AIRead,
	}
	for without := range perm.Owner.Permissions().All() {
		s.As = func(c *api.Call) { c.Caller.Perms = perm.Owner.Permissions().Without(perm.Of(without)) }
		a := s.Do("GET /dashboard", nil).Want(200)
		for part, needs := range parts {
			if shown := a.At(part) != nil; shown != (needs != without) {
				t.Errorf("without %s the part %s: %v", without, part, shown)
			}
		}
	}
	s.As = func(c *api.Call) { c.Caller.Perms = perm.Owner.Permissions().Without(perm.Of(perm.AnalyticsRead)) }
	s.Do("GET /analytics/messages", nil).Refused(api.ErrForbidden)
	s.As = func(c *api.Call) { c.Org = "" }
	s.Do("GET /dashboard", nil).Refused(api.ErrNoOrganization)
	s.Do("GET /analytics/messages", nil).Refused(api.ErrNoOrganization)
}

// TestFailing: a source that fails is a failure, not an empty part.
func TestFailing(t *testing.T) {
	of := full()
	broken := fmt.Errorf("broken")
	of.Series = func(*store.Tx, *api.Call, overview.Asked) ([]overview.Row, error) { return nil, broken }
	s, _ := newServer(t, of)
	s.Do("GET /dashboard", nil).Refused(api.ErrInternal)
	s.Do("GET /analytics/messages", nil).Refused(api.ErrInternal)
}

func TestAnalytics(t *testing.T) {
	s, _ := newServer(t, full())
	a := s.Do("GET /analytics/messages", nil).Want(200)
	if a.String("from") != "2026-01-30T12:00:00Z" || a.String("to") != "2026-03-01T12:00:00Z" || a.String("group_by") != "day" ||
		a.Int("totals.delivered") != 5 || a.Int("totals.unreachable") != 4 || a.Int("totals.opted_out") != 7 || a.String("series.0.key") != "2026-02-16" ||
		a.At("series.0.label") != nil || a.Int("series.1.delivered") != 4 {
		t.Error(a.Body)
	}
	a = s.Do("GET /analytics/messages?group_by=campaign", nil).Want(200)
	if a.String("series.0.label") != "Spring" || a.Int("series.0.delivered") != 4 || a.Int("totals.delivered") != 5 || a.At("series.1") != nil {
		t.Error(a.Body)
	}
	empty, _ := newServer(t, overview.Sources{})
	for _, by := range []overview.GroupBy{overview.ByDay, overview.ByHour, overview.ByAccount, overview.ByCampaign, overview.ByError} {
		a := empty.Do("GET /analytics/messages?from=2026-02-20&group_by="+string(by), nil).Want(200)
		if list, ok := a.At("series").([]any); !ok || len(list) != 0 || a.String("group_by") != string(by) {
			t.Error(a.Body)
		}
	}
}

// TestAnalyticsRange: what is asked for, and what is refused with the field's name.
func TestAnalyticsRange(t *testing.T) {
	s, _ := newServer(t, overview.Sources{})
	for query, want := range map[string]string{
		"":                                  "2026-01-30T12:00:00Z 2026-03-01T12:00:00Z",
		"?from=2026-02-01":                  "2026-02-01T00:00:00Z 2026-03-01T12:00:00Z",
		"?from=2026-02-01&to=2026-02-02":    "2026-02-01T00:00:00Z 2026-02-02T00:00:00Z", // one day
		"?from=2026-02-01T10:00:00%2B05:00": "2026-02-01T05:00:00Z 2026-03-01T12:00:00Z",
		"?from=2025-03-01&to=2026-03-01":    "2025-03-01T00:00:00Z 2026-03-01T00:00:00Z",
		"?from=2026-02-01T00:00:00Z&to=2026-03-04T00:00:00Z&group_by=hour": "2026-02-01T00:00:00Z 2026-03-04T00:00:00Z",
	} {
		a := s.Do("GET /analytics/messages"+query, nil).Want(200)
		if got := a.String("from") + " " + a.String("to"); got != want {
			t.Errorf("%q: %s, want %s", query, got, want)
		}
	}
	for query, field := range map[string]string{
		"?from=2026-03-01T12:00:00Z": "to", "?from=2026-03-02": "to", "?from=2026-02-02&to=2026-02-01": "to", "?from=2026-02-01&to=2026-02-01": "to", "?from=2025-02-27": "from",
		"?from=2026-01-29&group_by=hour": "from", "?from=soon": "from", "?to=2026-02-30": "to", "?to=1": "to", "?group_by=week": "group_by",
	} {
		a := s.Do("GET /analytics/messages"+query, nil).Refused(api.ErrInvalid)
		if a.At("error.details."+field) == nil {
			t.Errorf("%q: %s", query, a.Body)
		}
	}
}
