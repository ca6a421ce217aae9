package doctor

import (
	"context"
	"encoding/json"
	"time"

	"svc/store"
	"svc/store/kv/postgres"
)

// What a database of several nodes is measured by.
const (
	oldestServer = 130000 // version 13
	slowJourney  = 2 * time.Millisecond
	farJourney   = 20 * time.Millisecond
	fewPredLocks = 1024
	// differentClock is how far clocks may differ before people notice it in times that
	// nodes write; no lease depends on it.
	differentClock = 2 * time.Second
	// silentNode is after how long without a word others take over what a node had (docs/contract,
	// storage 8).
	silentNode = 10 * time.Second
	lateNode   = 5 * time.Second
)

// checkDatabase looks at the database that nodes share.
func (f *Findings) checkDatabase(ctx context.Context, c *Subject) {
	const area = "database"
	if c.Store == "" || !c.Messaging {
		return
	}
	within, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	h, err := postgres.Examine(within, c.Store, store.HeadKey)
	name := postgres.Name(c.Store)
	if err != nil {
		f.bad(area, "answers", "look at the address in --store, the password, the firewall and pg_hba.conf, and whether the server runs", "%s: %v", name, err)
		return
	}
	f.good(area, "answers", "%s", name)
	if h.Number < oldestServer {
		f.bad(area, "version", "use PostgreSQL 13 or later", "%s", h.Version)
	} else {
		f.good(area, "version", "PostgreSQL %s", h.Version)
	}
	switch {
	case h.ReadOnly:
		f.bad(area, "writes", "name the primary: target_session_attrs=read-write in the address finds it among several hosts", "the server takes no writes")
	case !h.MayCreate:
		f.bad(area, "writes", "make the user the owner of the database", "the user may not make tables in it")
	default:
		f.good(area, "writes", "it takes them")
	}
	switch {
	case !h.Serialises:
		f.bad(area, "isolation", "use a server that has SERIALIZABLE, with no pooler that changes it", "the server gives no serializable transactions")
	case h.PredLocks > 0 && h.PredLocks < fewPredLocks:
		f.warn(area, "isolation", "set max_pred_locks_per_transaction = 1024 and restart the server: nodes then run changes again less often",
			"serializable, with max_pred_locks_per_transaction = %d", h.PredLocks)
	default:
		f.good(area, "isolation", "serializable")
	}
	f.checkJourney(area, h)
	if h.Ahead.Abs() > differentClock {
		f.warn(area, "clock", "let this machine and the server keep time with NTP: times that people read differ; leases do not depend on it",
			"the server's clock is %s %s this machine's", h.Ahead.Abs().Round(100*time.Millisecond), aheadOrBehind(h.Ahead))
	} else {
		f.good(area, "clock", "as on this machine, within %s", max(h.Ahead.Abs(), h.RoundTrip).Round(time.Millisecond))
	}
	f.checkConnections(area, h)
	f.checkSchema(area, h)
	f.checkNodes(area, h)
}

func (f *Findings) checkJourney(area string, h postgres.Health) {
	const do = "put nodes and database into one data centre: each request makes several journeys"
	ms := float64(h.RoundTrip.Microseconds()) / 1000
	switch {
	case h.RoundTrip > farJourney:
		f.bad(area, "round trip", do, "%.1f ms", ms)
	case h.RoundTrip > slowJourney:
		f.warn(area, "round trip", do, "%.1f ms", ms)
	default:
		f.good(area, "round trip", "%.2f ms", ms)
	}
}

func (f *Findings) checkConnections(area string, h postgres.Health) {
	const do = "raise max_connections of the server, or end what else uses it"
	free := h.Connections - h.Used
	switch {
	case free < postgres.PerNode && len(h.Nodes) == 0:
		f.bad(area, "connections", do, "%d of %d are free, a node takes up to %d", free, h.Connections, postgres.PerNode)
	case free < postgres.PerNode:
		f.warn(area, "connections", do, "%d of %d are free, another node takes up to %d", free, h.Connections, postgres.PerNode)
	default:
		f.good(area, "connections", "%d of %d are free, a node takes up to %d", free, h.Connections, postgres.PerNode)
	}
}

func (f *Findings) checkSchema(area string, h postgres.Health) {
	if h.Head == nil {
		f.good(area, "schema", "empty: the first start makes it, or 'svc store copy' fills it")
		return
	}
	var s struct {
		Format   int
		Migrated []string
		Running  string
	}
	switch err := json.Unmarshal(h.Head, &s); {
	case err != nil:
		f.bad(area, "schema", "restore the database from a copy", "%v", err)
	case s.Format > store.Format:
		f.bad(area, "schema", "run the version of svc that wrote it, or a newer one", "format %d, this svc knows %d", s.Format, store.Format)
	case s.Running != "":
		f.warn(area, "schema", "wait until it is done, or start a node, which goes on with it", "the migration %q is under way", s.Running)
	case s.Format < store.Format:
		f.warn(area, "schema", "stop every node, make a copy with pg_dump, then start one", "format %d; this svc makes it %d", s.Format, store.Format)
	default:
		f.good(area, "schema", "format %d, %d migrations done", s.Format, len(s.Migrated))
	}
}

// checkNodes looks at how long ago each connected node said something: it beats every 2 s.
func (f *Findings) checkNodes(area string, h postgres.Health) {
	const name = "leases"
	if len(h.Nodes) == 0 {
		f.good(area, name, "no node is connected")
		return
	}
	slowest := h.Nodes[0]
	switch {
	case slowest.For > silentNode:
		f.warn(area, name, "look at that machine: it is stopped, overloaded or cut off, and the others have its work by now",
			"%d connected, %s said nothing for %s", len(h.Nodes), slowest.Node, slowest.For.Round(time.Second))
	case slowest.For > lateNode:
		f.warn(area, name, "look at the load of that machine and of the database", "%d connected, %s said nothing for %s", len(h.Nodes), slowest.Node, slowest.For.Round(time.Second))
	default:
		f.good(area, name, "%d connected, each heard of within %s", len(h.Nodes), max(slowest.For, time.Millisecond).Round(time.Millisecond))
	}
}
