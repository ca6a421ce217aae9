package acceptance

import (
	"context"
	"os"
	"path/filepath"

	"github.com/rogpeppe/go-internal/testscript"

	"svc/app"
	"svc/store"
)

// newer makes a database what a newer version of svc would leave: `newer DATA FILE`,
// where DATA has the master key.
func newer(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: newer DATA FILE")
	}
	o := app.Options{Data: ts.MkAbs(args[0])}.StoreOptions()
	o.Migrations = append(o.Migrations, store.Migration{
		Name: "9999-12 of a version to come",
		Step: func(*store.Tx, []byte) ([]byte, error) { return nil, nil },
	})
	db, err := store.Open(context.Background(), ts.MkAbs(args[1]), o)
	ts.Check(err)
	ts.Check(db.Close())
}

// cut takes the second half of a file away: `cut FILE`.
func cut(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: cut FILE")
	}
	path := filepath.Clean(ts.MkAbs(args[0]))
	info, err := os.Stat(path)
	ts.Check(err)
	ts.Check(os.Truncate(path, info.Size()/2))
}
