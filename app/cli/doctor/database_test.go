package doctor

import (
	"context"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"svc/geo/route"
	"svc/store/kv"
	"svc/store/kv/postgres"
	"svc/store/kv/postgres/pgtest"
)

func TestMain(m *testing.M) {
	code := m.Run()
	pgtest.Stop()
	os.Exit(code)
}

// TestDoctorOfTheDatabase looks at a real server: with nothing in it, with a node, and with
// what can be wrong there.
func TestDoctorOfTheDatabase(t *testing.T) {
	address := pgtest.Address(t)
	look := func(address string) map[string]Finding {
		t.Helper()
		var f Findings
		f.checkDatabase(t.Context(), &Subject{Store: address, Messaging: true})
		return only(f, "database")
	}
	holds := func(found map[string]Finding, name string, verdict route.Verdict, says string) {
		t.Helper()
		if n := found[name]; n.Verdict != verdict || !strings.Contains(n.Found, says) || (n.Do == "") != (verdict == route.Good) {
			t.Errorf("%s: %+v, want %v %q", name, n, verdict, says)
		}
	}
	empty := look(address)
	for name, says := range map[string]string{
		"answers": "127.0.0.1:", "version": "PostgreSQL 1", "writes": "takes", "isolation": "serializable", "clock": "as on this machine",
		"connections": "a node takes up to 20", "schema": "empty", "leases": "no node", "round trip": " ms",
	} {
		holds(empty, name, route.Good, says)
	}
	exec := func(sql string) {
		t.Helper()
		conn, err := pgx.Connect(t.Context(), address)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = conn.Close(context.Background()) }()
		if _, err := conn.Exec(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
	var made bool
	if conn, err := pgx.Connect(t.Context(), address); err != nil {
		t.Fatal(err)
	} else {
		if err := conn.QueryRow(t.Context(), "select to_regclass('svc_kv') is not null").Scan(&made); err != nil || made {
			t.Errorf("the doctor made tables: %v, %v", made, err)
		}
		_ = conn.Close(context.Background())
	}

	e, err := postgres.Open(t.Context(), address, postgres.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = e.Close() }()
	head := func(text string) {
		t.Helper()
		err := e.Update(t.Context(), func(tx kv.Tx) error { return tx.Put([]byte("\x00\x00\x00\x00head"), []byte(text)) })
		if err != nil {
			t.Fatal(err)
		}
	}
	head(`{"format":2,"migrated":["a"]}`)
	served := look(address)
	holds(served, "schema", route.Good, "format 2, 1 migrations done")
	holds(served, "leases", route.Good, "1 connected")
	head(`{"format":99}`)
	holds(look(address), "schema", route.Bad, "format 99, this svc knows 2")
	head(`{"format":1}`)
	holds(look(address), "schema", route.Warning, "format 1")
	head(`{"format":2,"running":"x"}`)
	holds(look(address), "schema", route.Warning, "under way")

	// A standby takes no writes; so does a user whose transactions may only read.
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	q := u.Query()
	q.Set("default_transaction_read_only", "on")
	u.RawQuery = q.Encode()
	holds(look(u.String()), "writes", route.Bad, "takes no writes")

	u, _ = url.Parse(address)
	u.User, u.Path = url.UserPassword("nobody", "s3cret"), "/absent"
	wrong := look(u.String())
	holds(wrong, "answers", route.Bad, "")
	if n := wrong["answers"]; len(wrong) != 1 || strings.Contains(n.Found, "s3cret") || strings.Contains(n.Do, "s3cret") {
		t.Errorf("an address with a wrong user: %+v", wrong)
	}
	u.Host = "127.0.0.1:1"
	holds(look(u.String()), "answers", route.Bad, "127.0.0.1:1")
	u, _ = url.Parse(address)
	guest := "guest_of_" + u.Path[1:]
	u.User = url.User(guest)
	exec("drop schema public cascade; create schema public; create role " + guest + " login")
	defer exec("drop role " + guest)
	holds(look(u.String()), "writes", route.Bad, "may not make tables")
}

// TestDoctorOfADatabaseInTrouble: what a server of a test does not show.
func TestDoctorOfADatabaseInTrouble(t *testing.T) {
	for _, tt := range []struct {
		name    string
		check   func(*Findings)
		verdict route.Verdict
		found   string
	}{
		{"round trip", func(f *Findings) { f.checkJourney("database", postgres.Health{RoundTrip: 5 * time.Millisecond}) }, route.Warning, "5.0 ms"},
		{"round trip", func(f *Findings) { f.checkJourney("database", postgres.Health{RoundTrip: 80 * time.Millisecond}) }, route.Bad, "80.0 ms"},
		{"connections", func(f *Findings) { f.checkConnections("database", postgres.Health{Connections: 20, Used: 15}) }, route.Bad, "5 of 20 are free"},
		{"connections", func(f *Findings) {
			f.checkConnections("database", postgres.Health{Connections: 20, Used: 15, Nodes: []postgres.Quiet{{}}})
		}, route.Warning, "another node"},
		{"leases", func(f *Findings) {
			f.checkNodes("database", postgres.Health{Nodes: []postgres.Quiet{{Node: "B", For: 30 * time.Second}, {Node: "A", For: time.Second}}})
		}, route.Warning, "2 connected, B said nothing for 30s"},
		{"leases", func(f *Findings) {
			f.checkNodes("database", postgres.Health{Nodes: []postgres.Quiet{{Node: "B", For: 7 * time.Second}}})
		}, route.Warning, "said nothing for 7s"},
		{"schema", func(f *Findings) { f.checkSchema("database", postgres.Health{Head: []byte("{")}) }, route.Bad, "unexpected end"},
	} {
		var f Findings
		tt.check(&f)
		if n := only(f, "database")[tt.name]; n.Verdict != tt.verdict || !strings.Contains(n.Found, tt.found) || n.Do == "" {
			t.Errorf("%s: %+v", tt.name, n)
		}
	}
}
