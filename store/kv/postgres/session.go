package postgres

import (
	"bytes"
	"cmp"
	"context"
	"iter"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"svc/store/kv"
)

// How transactions begin. A View sees one state; it is no part of the order that updates
// are put into, so that it never has to run again for their sake.
const (
	beginView   = "begin read only isolation level repeatable read"
	beginUpdate = "begin isolation level serializable"
)

// Bounds of what a session remembers of what it read.
const (
	maxKept      = 4096
	maxKeptValue = 32 << 10
)

// session is one transaction of the server. It begins with its first statement, in the
// same journey.
type session struct {
	e     *Engine
	pool  *pgxpool.Pool
	begin string
	conn  *pgxpool.Conn // nil: nothing was asked yet
	begun bool
	// broken is why the transaction cannot go on; the closure may hide it.
	broken error
	kept   map[string][]byte // what get read; nil for a key that is absent
}

// run sends a batch, before the first one the beginning of the transaction, and reads the
// answer of each statement.
func (s *session) run(b *pgx.Batch, read func(pgx.BatchResults) error) (err error) {
	if s.broken != nil {
		return s.broken
	}
	ctx, cancel := context.WithTimeout(s.e.life, statementTime)
	defer cancel()
	defer func() {
		if err != nil {
			err = explain(err)
			s.broken = err
		}
	}()
	if s.conn == nil {
		if s.conn, err = s.pool.Acquire(ctx); err != nil {
			return err
		}
	}
	all := b
	if !s.begun {
		all = &pgx.Batch{}
		all.Queue(s.begin)
		all.QueuedQueries = append(all.QueuedQueries, b.QueuedQueries...)
	}
	results := s.conn.SendBatch(ctx, all)
	if !s.begun {
		if _, err := results.Exec(); err != nil {
			_ = results.Close() // it says the same again
			return err
		}
		s.begun = true
	}
	if err := read(results); err != nil {
		_ = results.Close()
		return err
	}
	return results.Close()
}

// leave ends a transaction that wrote nothing; its caller does not wait for it.
func (s *session) leave() {
	conn := s.conn
	if conn == nil {
		return
	}
	s.conn = nil
	if !s.begun {
		conn.Release()
		return
	}
	s.e.background.Go(func() {
		defer conn.Release()
		ctx, cancel := context.WithTimeout(s.e.life, statementTime)
		defer cancel()
		if _, err := conn.Exec(ctx, "rollback"); err != nil {
			_ = conn.Conn().Close(ctx) // the pool makes another
		}
	})
}

// row is a stored row: n is 0 for a value, and the number of an addition otherwise.
type row struct {
	key   []byte
	n     int64
	value []byte
}

func (s *session) rows(sql string, args ...any) (out []row, err error) {
	b := &pgx.Batch{}
	b.Queue(sql, args...)
	err = s.run(b, func(results pgx.BatchResults) error {
		rows, err := results.Query()
		if err != nil {
			return err
		}
		out, err = pgx.CollectRows(rows, readRow)
		return err
	})
	return out, err
}

func readRow(r pgx.CollectableRow) (x row, err error) { return x, r.Scan(&x.key, &x.n, &x.value) }

// get reads keys in one journey, and none for those that it read before.
func (s *session) get(keys [][]byte) ([][]byte, error) {
	var asked [][]byte
	for _, key := range keys {
		if _, known := s.kept[string(key)]; !known {
			asked = append(asked, key)
		}
	}
	read := map[string][]byte{}
	if len(asked) > 0 {
		rows, err := s.rows("select k, n, v from svc_kv where k = any($1)", asked)
		if err != nil {
			return nil, err
		}
		slices.SortFunc(rows, func(a, b row) int { return bytes.Compare(a.key, b.key) })
		for len(rows) > 0 {
			n := sameKey(rows)
			if read[string(rows[0].key)], err = s.fold(rows[:n]); err != nil {
				return nil, err
			}
			rows = rows[n:]
		}
		s.keep(asked, read)
	}
	out := make([][]byte, len(keys))
	for i, key := range keys {
		v, known := s.kept[string(key)]
		if !known {
			v = read[string(key)]
		}
		out[i] = v
	}
	return out, nil
}

// keep remembers what was read: the transaction sees no other state.
func (s *session) keep(asked [][]byte, read map[string][]byte) {
	if s.kept == nil {
		s.kept = map[string][]byte{}
	}
	for _, key := range asked {
		if v := read[string(key)]; len(s.kept) < maxKept && len(v) <= maxKeptValue {
			s.kept[string(key)] = v
		}
	}
}

// sameKey is how many rows at the beginning belong to one key.
func sameKey(rows []row) int {
	n := 1
	for n < len(rows) && bytes.Equal(rows[n].key, rows[0].key) {
		n++
	}
	return n
}

// fold is the value of the rows of one key, in whatever order.
func (s *session) fold(rows []row) ([]byte, error) {
	value, additions := split(rows)
	if len(additions) >= foldFrom {
		s.e.folds.ask(rows[0].key)
	}
	return fold(value, additions)
}

// split takes the rows of one key apart: its value, nil for none, and its additions, the
// oldest first. It sorts the rows.
func split(rows []row) (value []byte, additions [][]byte) {
	slices.SortFunc(rows, func(a, b row) int { return cmp.Compare(a.n, b.n) })
	for _, r := range rows {
		if r.n == 0 {
			value = r.value
		} else {
			additions = append(additions, r.value)
		}
	}
	return value, additions
}

// Rows of a page of a scan: from firstRows, twice as many each time up to maxRows.
const (
	firstRows = 64
	maxRows   = 2048
)

// scan yields the keys of a range, page by page. limit says how many are likely to be
// wanted; 0: all.
func (s *session) scan(r kv.Range, limit int) iter.Seq2[kv.Pair, error] {
	return func(yield func(kv.Pair, error) bool) {
		size := firstRows
		if limit > 0 {
			size = min(limit+limit/4+1, maxRows)
		}
		from, to := r.From, r.To
		if from == nil {
			from = []byte{}
		}
		for {
			rows, err := s.page(from, to, r.Reverse, size)
			if err != nil {
				yield(kv.Pair{}, err)
				return
			}
			last := len(rows) < size
			for len(rows) > 0 {
				n := sameKey(rows)
				if n == len(rows) && !last {
					break // there may be more rows of this key
				}
				key := rows[0].key
				value, err := s.fold(rows[:n])
				if err != nil {
					yield(kv.Pair{}, err)
					return
				}
				if value != nil && !yield(kv.Pair{Key: key, Value: value}, nil) {
					return
				}
				rows = rows[n:]
			}
			switch {
			case last:
				return
			case r.Reverse:
				to = append(bytes.Clone(rows[0].key), 0)
			default:
				from = rows[0].key
			}
			if len(rows) == size {
				size *= 2 // one key has more rows than a page
			} else {
				size = min(2*size, max(size, maxRows))
			}
		}
	}
}

// page reads the first rows of a range.
func (s *session) page(from, to []byte, reverse bool, size int) ([]row, error) {
	switch {
	case reverse && to == nil:
		return s.rows("select k, n, v from svc_kv where k >= $1 order by k desc, n desc limit $2", from, size)
	case reverse:
		return s.rows("select k, n, v from svc_kv where k >= $1 and k < $2 order by k desc, n desc limit $3", from, to, size)
	case to == nil:
		return s.rows("select k, n, v from svc_kv where k >= $1 order by k, n limit $2", from, size)
	}
	return s.rows("select k, n, v from svc_kv where k >= $1 and k < $2 order by k, n limit $3", from, to, size)
}
