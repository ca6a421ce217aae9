package storetest

import (
	"context"
	"os"
	"sync"
	"testing"

	"svc/store/kv"
	"svc/store/kv/postgres"
	"svc/store/kv/postgres/pgtest"
)

// Address makes a database on the server that SVC_TEST_STORE=postgres asks for, and
// answers its address; "" where the variable is not set: tests use files then.
func Address(t testing.TB) string {
	t.Helper()
	switch os.Getenv("SVC_TEST_STORE") {
	case "":
		return ""
	case "postgres":
		return pgtest.Address(t)
	}
	t.Fatal("SVC_TEST_STORE must be postgres, or not be set")
	return ""
}

// addresses are those of the databases that stand for files, by path: a test that opens a
// file again finds what it left.
var addresses sync.Map

// engine is what a store at a path stands on; nil: its file.
func engine(t testing.TB, path string) kv.Engine {
	t.Helper()
	known, _ := addresses.Load(path)
	address, _ := known.(string)
	if address == "" {
		if address = Address(t); address == "" {
			return nil
		}
		addresses.Store(path, address)
	}
	e, err := postgres.Open(context.Background(), address, postgres.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return e
}
