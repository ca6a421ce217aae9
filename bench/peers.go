package main

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/blevesearch/bleve/v2"
	_ "modernc.org/sqlite" // the peer: SQLite with FTS5, pure Go

	"svc/geo/index"
	"svc/geo/search"
	"svc/geo/text"
)

// measurePeers asks the same questions of bleve and of SQLite FTS5, which
// index the same names, normalised the same way.
func measurePeers(path string) error {
	x, e, _, err := openMeasured(path)
	if err != nil {
		return err
	}
	const n = 1000
	w := newWorkload(x, n)
	dir, err := os.MkdirTemp("", "svc-peers")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	names := distinctNames(x)
	fmt.Printf("the same queries on the same %d names\n", len(names))
	db, err := fillSQLite(filepath.Join(dir, "fts.db"), names)
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }()
	blv, err := fillBleve(filepath.Join(dir, "bleve"), names)
	if err != nil {
		return err
	}
	defer func() { _ = blv.Close() }()
	runtime.GOMAXPROCS(1)
	for _, set := range []struct {
		what    string
		queries []string
	}{{"two words and more", w.names}, {"one or two letters", w.prefixes}} {
		ours := measureWall(n, func(i int) { e.Search(search.Query{Text: set.queries[i], Lang: "uz", Limit: 10}) })
		lite := measureWall(n, func(i int) { err = firstOf(err, askSQLite(db, set.queries[i])) })
		full := measureWall(n, func(i int) { err = firstOf(err, askBleve(blv, set.queries[i])) })
		if err != nil {
			return err
		}
		fmt.Printf("  %-22s ours %s / %s   SQLite FTS5 %s / %s (%.1f x ours)   bleve %s / %s (%.1f x ours)\n", set.what,
			ours.at(.5), ours.at(.99), lite.at(.5), lite.at(.99), ratio(lite, ours), full.at(.5), full.at(.99), ratio(full, ours))
	}
	return nil
}

func ratio(a, b times) float64 { return a.sum().Seconds() / b.sum().Seconds() }

func firstOf(a, b error) error {
	if a != nil {
		return a
	}
	return b
}

func distinctNames(x *index.Index) []string {
	seen := map[string]bool{}
	var out []string
	for id := range x.Rows {
		d := x.Detail(uint32(id))
		n := strings.Join(text.Tokens(x.Text(d.Name)), " ")
		if n != "" && !seen[n] {
			seen[n] = true
			out = append(out, n)
		}
	}
	return out
}

func fillSQLite(path string, names []string) (*sql.DB, error) {
	db, err := sql.Open("sqlite", path)
	if err != nil {
		return nil, err
	}
	if _, err := db.Exec(`create virtual table names using fts5(name, prefix='1 2 3')`); err != nil {
		return nil, err
	}
	tx, err := db.Begin()
	if err != nil {
		return nil, err
	}
	for _, n := range names {
		if _, err := tx.Exec(`insert into names values (?)`, n); err != nil {
			return nil, err
		}
	}
	return db, tx.Commit()
}

// askSQLite matches every token as a prefix, as we do.
func askSQLite(db *sql.DB, q string) error {
	var parts []string
	for _, t := range text.Significant(text.Tokens(q)) {
		parts = append(parts, `"`+t+`"*`)
	}
	if len(parts) == 0 {
		return nil
	}
	rows, err := db.Query(`select name from names where names match ? order by rank limit 10`, strings.Join(parts, " "))
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var s string
		if err := rows.Scan(&s); err != nil {
			return err
		}
	}
	return rows.Err()
}

func fillBleve(path string, names []string) (bleve.Index, error) {
	m := bleve.NewIndexMapping()
	m.DefaultAnalyzer = "standard"
	idx, err := bleve.New(path, m)
	if err != nil {
		return nil, err
	}
	const batch = 5000
	for from := 0; from < len(names); from += batch {
		b := idx.NewBatch()
		for i, n := range names[from:min(from+batch, len(names))] {
			if err := b.Index(fmt.Sprint(from+i), map[string]string{"name": n}); err != nil {
				return nil, err
			}
		}
		if err := idx.Batch(b); err != nil {
			return nil, err
		}
	}
	return idx, nil
}

func askBleve(idx bleve.Index, q string) error {
	all := bleve.NewConjunctionQuery()
	for _, t := range text.Significant(text.Tokens(q)) {
		p := bleve.NewPrefixQuery(t)
		p.SetField("name")
		all.AddQuery(p)
	}
	_, err := idx.Search(bleve.NewSearchRequestOptions(all, 10, 0, false))
	return err
}
