package postgres

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// application is the beginning of the name under which the server lists connections of a
// node; the name of the node follows.
const application = "svc "

// PerNode is how many connections a node takes at most: readers, writers, and the one that
// hears of changes.
const PerNode = 16 + writers + 1

// Health is what Examine found.
type Health struct {
	Version     string // as the server says it: "15.8 (Debian 15.8-0+deb12u1)"
	Number      int    // 150008
	Serialises  bool   // it gives transactions the isolation that they ask for
	ReadOnly    bool   // it takes no writes: a standby
	MayCreate   bool   // the user may make tables, or they are there
	RoundTrip   time.Duration
	Ahead       time.Duration // of the server's clock before that of this machine, give or take half a round trip
	Connections int           // that there may be, without those of administrators
	Used        int           // of them, by everybody
	PredLocks   int           // max_pred_locks_per_transaction; 0 where the server has no such setting
	Made        bool          // the tables are there
	Head        []byte        // what a store wrote about itself; nil: nothing
	Nodes       []Quiet       // that are connected, the most silent first
}

// Quiet is a connected node and how long ago it said something to the server.
type Quiet struct {
	Node string
	For  time.Duration
}

// examined is a connection, until something failed.
type examined struct {
	conn *pgx.Conn
	err  error
}

// scan reads one row, unless something failed before.
func (x *examined) scan(ctx context.Context, sql string, args []any, into ...any) {
	if x.err == nil {
		x.err = x.conn.QueryRow(ctx, sql, args...).Scan(into...)
	}
}

const roundTrips = 7

// Examine looks at the database of an address over one connection, and changes nothing. head
// is the key under which a store describes itself. The password appears in no error.
func Examine(ctx context.Context, address string, head []byte) (h Health, err error) {
	c, err := pgx.ParseConfig(address)
	if err != nil {
		return h, fmt.Errorf("the address of the database %w", errAddress)
	}
	if c.ConnectTimeout == 0 {
		c.ConnectTimeout = 5 * time.Second
	}
	conn, err := pgx.ConnectConfig(ctx, c)
	if err != nil {
		return h, explain(withoutAddress(err))
	}
	defer closeNow(conn)
	x := &examined{conn: conn}
	none := []any{}
	x.scan(ctx, "select current_setting('server_version'), current_setting('server_version_num')::int, pg_is_in_recovery() or current_setting('default_transaction_read_only')::bool", none,
		&h.Version, &h.Number, &h.ReadOnly)
	x.scan(ctx, "select to_regclass('svc_kv') is not null", none, &h.Made)
	x.scan(ctx, "select coalesce(has_schema_privilege(current_schema(), 'create'), false)", none, &h.MayCreate)
	x.scan(ctx, "select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int, count(*) from pg_stat_activity where backend_type = 'client backend'",
		none, &h.Connections, &h.Used)
	x.scan(ctx, "select coalesce(current_setting('max_pred_locks_per_transaction', true), '0')::int", none, &h.PredLocks)
	if x.err == nil {
		h.Serialises, x.err = serialises(ctx, conn)
	}
	x.clock(ctx, &h)
	x.nodes(ctx, &h)
	if x.err == nil && h.Made {
		h.MayCreate = true
		err := conn.QueryRow(ctx, "select v from svc_kv where k = $1 and n = 0", head).Scan(&h.Head)
		if !errors.Is(err, pgx.ErrNoRows) {
			x.err = err
		}
	}
	return h, explain(x.err)
}

// withoutAddress keeps what the client adds about users and hosts out of an error that the
// server explained.
func withoutAddress(err error) error {
	var said *pgconn.PgError
	if errors.As(err, &said) {
		return said
	}
	return err
}

// serialises asks what isolation the server gives to who asks for the one of updates.
func serialises(ctx context.Context, conn *pgx.Conn) (bool, error) {
	if _, err := conn.Exec(ctx, beginUpdate); err != nil {
		return false, err
	}
	var level string
	err := conn.QueryRow(ctx, "select current_setting('transaction_isolation')").Scan(&level)
	_, end := conn.Exec(ctx, "rollback")
	return level == "serializable", errors.Join(err, end)
}

// clock measures journeys, and compares clocks in the middle of the shortest.
func (x *examined) clock(ctx context.Context, h *Health) {
	var took []time.Duration
	for range roundTrips {
		var there time.Time
		began := time.Now()
		x.scan(ctx, "select clock_timestamp()", []any{}, &there)
		d := time.Since(began)
		if len(took) == 0 || d < slices.Min(took) {
			h.Ahead = there.Sub(began.Add(d / 2))
		}
		took = append(took, d)
	}
	slices.Sort(took)
	h.RoundTrip = took[len(took)/2]
}

func (x *examined) nodes(ctx context.Context, h *Health) {
	if x.err != nil {
		return
	}
	rows, err := x.conn.Query(ctx, `select application_name, extract(epoch from clock_timestamp() - max(state_change))::float8 as quiet from pg_stat_activity
		where datname = current_database() and starts_with(application_name, $1) and state_change is not null group by 1 order by 2 desc`, application)
	if err != nil {
		x.err = err
		return
	}
	h.Nodes, x.err = pgx.CollectRows(rows, func(r pgx.CollectableRow) (q Quiet, err error) {
		var seconds float64
		err = r.Scan(&q.Node, &seconds)
		q.Node, q.For = strings.TrimPrefix(q.Node, application), time.Duration(seconds*float64(time.Second))
		return q, err
	})
}
