package admin_test

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"svc/app/admin"
	"svc/app/admin/disk"
	"svc/app/api"
	"svc/app/audit"
	"svc/app/campaign/record"
	"svc/app/setting"
	"svc/messenger"
	"svc/store"
	"svc/store/queue"
)

func TestOverview(t *testing.T) {
	h := newHarness(t, func(_ *harness, o *admin.Options) {
		o.Driver = messenger.MTProto
	})
	h.add(1, h.clock.Now().Add(time.Hour))
	restricted := h.olga.account("+998901234567", "")
	h.olga.account("+998901234568", "")
	h.update(func(tx *store.Tx) error {
		c := api.System(t.Context(), h.acme, h.clock.Now())
		return h.accounts.Trouble(tx, c, h.acme, restricted, &messenger.Error{Fault: messenger.Restricted, Code: "PEER_FLOOD"})
	})
	a := h.boss.do("GET /admin/overview", nil).Want(200)
	// Two organizations, and a message an hour each.
	if a.Int("organizations") != 2 || a.Int("users") != 2 || a.Int("accounts.by_status.RESTRICTED") != 1 || a.Int("accounts.by_status.ACTIVE") != 1 ||
		len(a.At("campaigns.by_status").(map[string]any)) != len(record.Statuses()) ||
		a.Int("messages_24h") != 48 || a.At("ai_cost_24h_usd") != 0.5 || a.Int("queues.waiting") != 1 || a.Int("queues.archived") != 0 || a.Int("workers") != 0 {
		t.Error(a.Body)
	}
	var kinds []string
	for _, alert := range a.At("alerts").([]any) {
		kinds = append(kinds, alert.(map[string]any)["kind"].(string))
	}
	if want := []string{"NO_WORKERS", "ACCOUNTS_RESTRICTED", "NO_BACKUP"}; !slices.Equal(kinds, want) {
		t.Errorf("%q, want %q", kinds, want)
	}
	h.update(func(tx *store.Tx) error { return admin.BackedUp(tx, true, true) })
	h.boss.do("PUT /admin/settings", map[string]any{"maintenance_mode": true}).Want(200)
	h.boss.do("POST /admin/organizations/"+h.acme+"/suspend", map[string]any{"reason": "x"}).Want(200)
	h.boss.do("POST /admin/abuse-reports", map[string]any{"category": "SPAM", "description": "x"}).Want(201)
	a = h.boss.do("GET /admin/overview", nil).Want(200)
	for _, kind := range []string{"MAINTENANCE", "ORGANIZATIONS_SUSPENDED", "ABUSE_REPORTS_OPEN"} {
		if !strings.Contains(a.Body, kind) {
			t.Errorf("no %s: %s", kind, a.Body)
		}
	}
	if strings.Contains(a.Body, "NO_BACKUP") {
		t.Error("it was backed up")
	}
}

// TestAlerts draws what needs somebody, for each fact alone.
func TestAlerts(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	day, month := now.Add(-24*time.Hour), now.Add(-30*24*time.Hour)
	stats := func(s queue.Stats) func(*admin.Facts) {
		return func(f *admin.Facts) { s.Name = queue.Send; f.SetQueues(s) }
	}
	var out strings.Builder
	for _, c := range []struct {
		what   string
		change func(*admin.Facts)
	}{
		{"nothing", func(*admin.Facts) {}},
		{"a full disk", func(f *admin.Facts) { f.SetStorage(disk.Storage{}) }},
		{"no worker", func(f *admin.Facts) { f.SetWorkers(0) }},
		{"a paused queue", stats(queue.Stats{Paused: true, OldestPending: time.Hour, Counts: map[queue.State]int{queue.Pending: 5, queue.Retry: 2, queue.Active: 1}})},
		{"a queue that waits five minutes", stats(queue.Stats{OldestPending: 5 * time.Minute})},
		{"a queue that waits longer", stats(queue.Stats{OldestPending: 7*time.Minute + 10*time.Second})},
		{"archived tasks", stats(queue.Stats{Counts: map[queue.State]int{queue.Archived: 3}})},
		{"a restricted account", func(f *admin.Facts) { f.SetRestricted(1) }},
		{"a clock 20 seconds ahead", func(f *admin.Facts) { f.SetSkew(20 * time.Second) }},
		{"a clock 21 seconds ahead", func(f *admin.Facts) { f.SetSkew(21 * time.Second) }},
		{"a clock a minute behind", func(f *admin.Facts) { f.SetSkew(-time.Minute) }},
		{"no backup", func(f *admin.Facts) { f.SetBackup(admin.Backup{}) }},
		{"an old backup", func(f *admin.Facts) { f.SetBackup(admin.Backup{LastAt: &month}) }},
		{"the state of the platform", func(f *admin.Facts) { f.SetState(2, 3, true, true, true, true) }},
	} {
		f := admin.NewFacts(now, day)
		c.change(&f)
		fmt.Fprintf(&out, "%s\n", c.what)
		for _, a := range admin.Alerts(f) {
			fmt.Fprintf(&out, "    %-8s %-24s %s (%s)\n", a.Severity, a.Kind, a.Title, a.Link)
		}
	}
	golden(t, "testdata/alerts.golden", out.String())
}

// golden holds a text to a file; it is rewritten when SVC_UPDATE is set.
func golden(t *testing.T, file, got string) {
	t.Helper()
	if os.Getenv("SVC_UPDATE") != "" {
		if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(want) != got {
		t.Errorf("%s differs; look, then run with SVC_UPDATE=1:\n%s", file, got)
	}
}

func TestSystem(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "file"), make([]byte, 5000), 0o600); err != nil {
		t.Fatal(err)
	}
	skew, known := 1500*time.Millisecond, false
	h := newHarness(t, func(_ *harness, o *admin.Options) {
		o.Data, o.Driver = dir, messenger.MTProto
		o.Build = admin.Build{Version: "1.4.0", Commit: "abc", BuiltAt: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
		o.ClockSkew = func() (time.Duration, bool) { return skew, known }
	})
	h.clock.Add(time.Hour)
	a := h.boss.do("GET /admin/system", nil).Want(200)
	if a.String("version") != "1.4.0" || a.String("commit") != "abc" || a.String("built_at") != "2026-01-01T00:00:00Z" || a.Int("uptime_seconds") != 3630 ||
		a.At("database.ok") != true || a.Int("database.size_bytes") == 0 || a.At("database.latency_ms").(float64) <= 0 || a.At("database.migrations") == nil ||
		a.At("storage.ok") != true || a.Int("storage.used_bytes") != 5000 || a.Int("storage.free_bytes") == 0 ||
		a.String("messenger.driver") != "MTPROTO" || a.Int("messenger.online_accounts") != 0 || a.At("clock_skew_ms") != nil ||
		a.String("encryption.key_id") == "" || a.At("encryption.rotating") != false || a.At("backup.last_at") != nil || a.At("maintenance_mode") != false {
		t.Error(a.Body)
	}
	if err := h.s.Heartbeat(t.Context()); err != nil {
		t.Fatal(err)
	}
	known = true
	h.boss.do("PUT /admin/settings", map[string]any{"maintenance_mode": true}).Want(200)
	h.update(func(tx *store.Tx) error { return admin.BackedUp(tx, true, false) })
	first := h.clock.Now()
	h.clock.Add(time.Minute)
	h.update(func(tx *store.Tx) error { return admin.BackedUp(tx, false, true) })
	if err := os.WriteFile(filepath.Join(dir, "second"), make([]byte, 1000), 0o600); err != nil {
		t.Fatal(err)
	}
	a = h.boss.do("GET /admin/system", nil).Want(200)
	if a.Int("clock_skew_ms") != 1500 || a.At("maintenance_mode") != true || a.String("backup.last_at") != first.Format(time.RFC3339) ||
		a.String("backup.last_verified_at") != h.clock.Now().Format(time.RFC3339) || a.Int("storage.used_bytes") != 6000 {
		t.Error(a.Body)
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	h.clock.Add(time.Minute)
	if a = h.boss.do("GET /admin/system", nil).Want(200); a.At("storage.ok") != false || a.At("storage.free_bytes") != nil {
		t.Error(a.Body)
	}
}

func TestSettings(t *testing.T) {
	h := newHarness(t)
	const path = "PUT /admin/settings"
	var s setting.Settings
	h.boss.do("GET /admin/settings", nil).Want(200).Into(&s)
	if s != setting.Default() {
		t.Errorf("%+v", s)
	}
	before := len(h.logged(""))
	h.boss.do(path, map[string]any{}).Want(200)
	h.boss.do(path, map[string]any{"signups_open": true}).Want(200)
	if n := len(h.logged("")); n != before {
		t.Errorf("nothing changed, and the log has %d entries more", n-before)
	}
	a := h.boss.do(path, map[string]any{"signups_open": false, "maintenance_message": "Back at noon", "max_daily_limit": 300, "typo": 1}).Want(200)
	if a.At("signups_open") != false || a.Int("max_daily_limit") != 300 || a.String("maintenance_message") != "Back at noon" || a.Int("default_daily_limit") != 150 ||
		a.Header.Get("X-Svc-Ignored-Fields") != "typo" {
		t.Error(a.Body)
	}
	(&browser{h: h}).do("POST /auth/signup", map[string]any{"email": "new@example.com", "password": password, "organization_name": "N"}).Want(403)
	if a := h.boss.do(path, map[string]any{"maintenance_message": nil}).Want(200); a.At("maintenance_message") != nil || a.At("signups_open") != false {
		t.Error(a.Body)
	}
	var page api.Page[audit.Entry]
	h.boss.do("GET /admin/audit-logs?action=settings.updated", nil).Want(200).Into(&page)
	if page.Total != 2 || page.Data[0].Actor.Type != audit.PlatformAdmin || string(page.Data[1].Changes["max_daily_limit"].From) != "500" ||
		string(page.Data[1].Changes["max_daily_limit"].To) != "300" {
		t.Errorf("%+v", page)
	}
	for field, wrong := range map[string]any{
		"signups_open": nil, "maintenance_mode": "on", "maintenance_message": strings.Repeat("x", 501), "default_plan": "GOLD",
		"default_daily_limit": 301, "max_daily_limit": 0, "default_min_interval_seconds": 3, "min_interval_seconds_floor": 3601,
		"max_flood_wait_seconds": 90_000, "aup_version": "", "aup_text": strings.Repeat("x", 100_001), "inbox_max_file_mb": 2001,
		"session_ttl_hours": 0, "support_session_minutes": 241, "ai_enabled": 1, "jev_available": "no", "allow_unknown_consent": nil,
		"conversation_intelligence_enabled": "no",
	} {
		a := h.boss.do(path, map[string]any{field: wrong})
		if a.Status == 400 { // a value of another type
			continue
		}
		details, _ := a.Refused(api.ErrInvalid).At("error.details").(map[string]any)
		if len(details) == 0 {
			t.Errorf("%s: %s", field, a.Body)
		}
	}
}

func TestAudit(t *testing.T) {
	h := newHarness(t)
	h.olga.do("PATCH /organization", map[string]any{"name": "Acme Trade"}).Want(200)
	theirs := h.boss.do("GET /admin/audit-logs?organization_id="+h.acme+"&action=organization.*&actor_type=USER", nil).Want(200)
	if theirs.Int("total") != 2 || theirs.String("data.0.action") != "organization.updated" {
		t.Error(theirs.Body)
	}
	ours := h.boss.do("GET /admin/audit-logs", nil).Want(200)
	if strings.Contains(ours.Body, "Acme Trade") || ours.Int("total") == 0 {
		t.Error(ours.Body)
	}
	h.boss.do("GET /admin/audit-logs?organization_id=org_01arz3ndektsv4rrffq69g5fav", nil).Refused(api.ErrNotFound)
	h.boss.do("GET /admin/audit-logs?actor_type=NOBODY", nil).Refused(api.ErrInvalid)
	a := h.boss.do("GET /admin/audit-logs?format=csv&organization_id="+h.acme, nil).Want(200)
	rows, err := csv.NewReader(strings.NewReader(a.Body)).ReadAll()
	if err != nil || len(rows) < 3 || rows[1][6] != "organization.updated" || a.Header.Get("Content-Type") != "text/csv; charset=utf-8" {
		t.Errorf("%v %q", err, rows)
	}
}

func TestBilling(t *testing.T) {
	h := newHarness(t)
	for i := range 120 {
		h.boss.do("POST /admin/organizations", map[string]any{"name": fmt.Sprintf("=Org %03d", i), "owner_email": "a@example.com"}).Want(201)
	}
	a := h.boss.do("GET /admin/billing?limit=2", nil).Want(200)
	if a.Int("total") != 122 || a.String("data.0.name") != "Acme" || a.String("data.0.organization_id") != h.acme || a.String("data.0.plan") != "PRO" ||
		a.String("data.0.period") != "2026-03" || a.Int("data.0.messages_sent") != 31*24 || a.At("data.0.ai_cost_usd") != 0.25 || a.Int("data.0.recipients") != 0 {
		t.Error(a.Body)
	}
	if a := h.boss.do("GET /admin/billing?period=2026-02", nil).Want(200); a.Int("data.0.messages_sent") != 28*24 || a.String("data.0.period") != "2026-02" {
		t.Error(a.Body)
	}
	for _, wrong := range []string{"2026-13", "2026-04", "march", "2026-2"} {
		if a := h.boss.do("GET /admin/billing?period="+wrong, nil).Refused(api.ErrInvalid); a.At("error.details.period") == nil {
			t.Error(a.Body)
		}
	}
	a = h.boss.do("GET /admin/billing?format=csv", nil).Want(200)
	rows, err := csv.NewReader(strings.NewReader(a.Body)).ReadAll()
	if err != nil || len(rows) != 123 || rows[0][0] != "organization_id" || rows[3][1] != "'=Org 000" || rows[122][1] != "'=Org 119" || rows[1][4] != "744" ||
		!strings.Contains(a.Header.Get("Content-Disposition"), "billing-2026-03.csv") {
		t.Errorf("%v, %d rows, %q", err, len(rows), rows[:4])
	}
}

func TestAbuseReports(t *testing.T) {
	h := newHarness(t)
	const path = "/admin/abuse-reports"
	a := h.boss.do("POST "+path, map[string]any{
		"organization_id": h.acme, "account_id": " ", "recipient_ref": "@gulnora", "category": "SPAM", "description": " They write every day. ",
	}).Want(201)
	id := a.String("id")
	if a.String("status") != "OPEN" || a.String("source") != "ADMIN" || a.String("description") != "They write every day." || a.At("account_id") != nil ||
		a.String("recipient_ref") != "@gulnora" || a.At("resolution") != nil || a.At("assigned_to") != nil || a.At("resolved_at") != nil {
		t.Error(a.Body)
	}
	h.boss.do("POST "+path, map[string]any{"category": "FRAUD", "description": "x", "source": "CUSTOMER", "assigned_to": h.bossN}).Want(201)
	olga := h.olga.do("GET /me", nil).String("user.id")
	for field, wrong := range map[string]map[string]any{
		"category":        {"category": "RUDE", "description": "x"},
		"description":     {"category": "SPAM", "description": " "},
		"organization_id": {"category": "SPAM", "description": "x", "organization_id": "org_01arz3ndektsv4rrffq69g5fav"},
		"account_id":      {"category": "SPAM", "description": "x", "account_id": "nonsense"},
		"assigned_to":     {"category": "SPAM", "description": "x", "assigned_to": olga},
		"source":          {"category": "SPAM", "description": "x", "source": "RUMOUR"},
	} {
		if a := h.boss.do("POST "+path, wrong).Refused(api.ErrInvalid); a.At("error.details."+field) == nil {
			t.Errorf("%s: %s", field, a.Body)
		}
	}
	for query, want := range map[string]int{
		"": 2, "?status=OPEN": 2, "?status=RESOLVED": 0, "?category=FRAUD": 1, "?organization_id=" + h.acme: 1, "?organization_id=" + h.acme + "&category=FRAUD": 0,
	} {
		if n := h.boss.do("GET "+path+query, nil).Want(200).Int("total"); n != want {
			t.Errorf("%q: %d, want %d", query, n, want)
		}
	}
	if a := h.boss.do("GET "+path+"?limit=1", nil); a.String("data.0.category") != "FRAUD" {
		t.Error(a.Body)
	}

	patch := "PATCH " + path + "/" + id
	if a := h.boss.do(patch, map[string]any{"status": "INVESTIGATING", "assigned_to": h.bossN, "category": "HARASSMENT"}).Want(200); a.String("status") != "INVESTIGATING" ||
		a.String("assigned_to") != h.bossN || a.String("category") != "HARASSMENT" {
		t.Error(a.Body)
	}
	h.boss.do(patch, map[string]any{"assigned_to": olga}).Refused(api.ErrInvalid)
	h.boss.do(patch, map[string]any{"status": "RESOLVED"}).Refused(api.ErrInvalid) // says nothing
	h.clock.Add(time.Hour)
	a = h.boss.do(patch, map[string]any{"status": "RESOLVED", "resolution": "They were told to stop."}).Want(200)
	if a.String("status") != "RESOLVED" || a.String("resolved_at") != h.clock.Now().Format(time.RFC3339) {
		t.Error(a.Body)
	}
	before := len(h.logged(""))
	h.boss.do(patch, map[string]any{"status": "RESOLVED"}).Want(200)
	if n := len(h.logged("")); n != before {
		t.Error("nothing changed, and it is in the log")
	}
	h.boss.do(patch, map[string]any{"status": "DISMISSED"}).Refused(api.ErrState)
	h.boss.do(patch, map[string]any{"resolution": nil}).Refused(api.ErrInvalid)
	if a := h.boss.do(patch, map[string]any{"status": "OPEN", "assigned_to": nil}).Want(200); a.At("resolved_at") != nil || a.At("assigned_to") != nil {
		t.Error(a.Body)
	}
	h.boss.do("PATCH "+path+"/abr_01arz3ndektsv4rrffq69g5fav", map[string]any{}).Refused(api.ErrNotFound)
	log := h.boss.do("GET /admin/audit-logs?resource_id="+id, nil).Want(200)
	if log.Int("total") != 4 || strings.Contains(log.Body, "every day") || strings.Contains(log.Body, "told to stop") {
		t.Error(log.Body)
	}
}

// TestReportLives draws the life of an abuse report.
func TestReportLives(t *testing.T) {
	states, events, next := admin.ReportLives()
	var out strings.Builder
	for _, s := range states {
		for _, e := range events {
			if to, ok := next(s, e); ok {
				fmt.Fprintf(&out, "%-14s %-10s %s\n", s, e, to)
			} else {
				fmt.Fprintf(&out, "%-14s %-10s -\n", s, e)
			}
		}
	}
	golden(t, "testdata/reports.golden", out.String())
}
