package main

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/csv"
	"fmt"
	"strconv"
	"time"

	_ "modernc.org/sqlite" // the driver
)

// peopleCSV are rows as an agency has them.
func peopleCSV(rows int) []byte {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	_ = w.Write([]string{"tg_id", "username", "first_name", "last_name", "lang", "consent", "tags", "city"}) // a buffer takes everything
	for i := range rows {
		_ = w.Write([]string{
			strconv.Itoa(100_000_000 + i), fmt.Sprintf("shop_%d", i), "Нодира", fmt.Sprintf("Surname%d", i%5000),
			[]string{"uz", "ru", "en"}[i%3], "OPTED_IN", fmt.Sprintf("tag%d", i%40), "Samarkand",
		})
	}
	w.Flush()
	return b.Bytes()
}

// sqliteFloor writes the rows with the indexes of the service's lists and nothing else:
// no checks, no suppressions, no history, no events.
func sqliteFloor(ctx context.Context, file string, rows int) (time.Duration, error) {
	db, err := sql.Open("sqlite", file+"?_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)")
	if err != nil {
		return 0, err
	}
	defer func() { _ = db.Close() }()
	for _, s := range []string{
		`CREATE TABLE recipient (id TEXT PRIMARY KEY, org TEXT, tg INTEGER, username TEXT, first TEXT, last TEXT, lang TEXT, consent TEXT, tags TEXT, city TEXT, created TEXT) WITHOUT ROWID`,
		`CREATE UNIQUE INDEX by_tg ON recipient (org, tg)`,
		`CREATE UNIQUE INDEX by_username ON recipient (org, username)`,
		`CREATE INDEX by_created ON recipient (org, created)`,
		`CREATE INDEX by_consent ON recipient (org, consent)`,
		`CREATE INDEX by_lang ON recipient (org, lang)`,
		`CREATE INDEX by_tag ON recipient (org, tags)`,
		`CREATE INDEX by_name ON recipient (org, first, last)`,
	} {
		if _, err := db.ExecContext(ctx, s); err != nil {
			return 0, err
		}
	}
	begin := time.Now()
	const transaction = 1000
	for from := 0; from < rows; from += transaction {
		if err := insertRows(ctx, db, from, min(from+transaction, rows)); err != nil {
			return 0, err
		}
	}
	return time.Since(begin), nil
}

func insertRows(ctx context.Context, db *sql.DB, from, to int) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // nothing after a commit
	insert, err := tx.PrepareContext(ctx, `INSERT INTO recipient VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
	if err != nil {
		return err
	}
	defer func() { _ = insert.Close() }()
	for i := from; i < to; i++ {
		_, err := insert.ExecContext(ctx, fmt.Sprintf("rcp_%026d", i), "org_01arz3ndektsv4rrffq69g5fav", 100_000_000+i, fmt.Sprintf("shop_%d", i), "Нодира",
			fmt.Sprintf("Surname%d", i%5000), []string{"uz", "ru", "en"}[i%3], "OPTED_IN", fmt.Sprintf("tag%d", i%40), "Samarkand", time.Now().UTC().Format(time.RFC3339Nano))
		if err != nil {
			return err
		}
	}
	return tx.Commit()
}
