package cli

import (
	"context"
	"errors"
	"strings"
	"testing"

	"svc/app/local"
)

// TestCommandsAboutAFile: with a database on a server, what is about a file names the tools to
// use instead, and opens nothing: opening upgrades a database that others may work on.
func TestCommandsAboutAFile(t *testing.T) {
	const secret = "hunter2"
	for args, want := range map[string]string{
		"backup copy.db":         "pg_dump --format=custom",
		"backup --force copy.db": "keep the master key apart",
		"restore copy.db":        "pg_restore",
		"compact":                "VACUUM",
	} {
		opened := false
		root := New(Parts{
			Env:      []string{"SVC_STORE=postgres://svc:" + secret + "@db.example/svc"},
			Database: func(Config) string { opened = true; return "" },
			Admin: func(context.Context, Config) (local.Admin, func() error, error) {
				opened = true
				return nil, nil, errors.New("opened")
			},
		})
		root.SetArgs(append(strings.Fields(args), "--data", t.TempDir()))
		err := root.ExecuteContext(t.Context())
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), secret) {
			t.Errorf("svc %s: %v", args, err)
		}
		if opened {
			t.Errorf("svc %s opened the database", args)
		}
	}
}
