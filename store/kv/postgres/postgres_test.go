package postgres_test

import (
	"os"
	"testing"

	"svc/store/kv"
	"svc/store/kv/kvtest"
	"svc/store/kv/postgres"
	"svc/store/kv/postgres/pgtest"
)

func TestMain(m *testing.M) {
	code := m.Run()
	pgtest.Stop()
	os.Exit(code)
}

func open(t testing.TB, address string) *postgres.Engine {
	t.Helper()
	e, err := postgres.Open(t.Context(), address, postgres.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return e
}

func TestEngineConforms(t *testing.T) {
	for seed := range uint64(3) {
		kvtest.Conformance(t, kvtest.Twice{Engine: open(t, pgtest.Address(t))}, seed, 200)
	}
	kvtest.Rules(t, open(t, pgtest.Address(t)))
}

var _ kv.Engine = (*postgres.Engine)(nil)
