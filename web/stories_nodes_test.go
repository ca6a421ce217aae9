package web_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"svc/store/kv/postgres/pgtest"
	"svc/web/webtest"
)

// onTwoNodes are the stories that every run plays on two processes over one database, each
// request going to the other one than the request before: sessions, keys, roles, rates,
// streams, jobs, webhooks, repeated requests.
var onTwoNodes = []string{
	"admin-queues", "audit", "deliveries", "events", "idempotency", "keys", "lists", "organization", "passkeys", "profile", "rates", "recipients",
	"roles", "signing-in", "stream", "team", "two-factor", "webhooks",
}

// notOnTwoNodes are stories that one process alone can tell, and why.
var notOnTwoNodes = map[string]string{
	"admin-platform": "it lists the workers of one process",
	"proxies-mute":   "the sign-in through a proxy that answers late takes longer than it allows; to be found out",
}

// TestMain ends the PostgreSQL server that stories started.
func TestMain(m *testing.M) {
	code := m.Run()
	pgtest.Stop()
	os.Exit(code)
}

// TestMessagingStoriesOnPostgres plays the same stories where the two processes share a
// PostgreSQL server.
func TestMessagingStoriesOnPostgres(t *testing.T) {
	webtest.StoriesOn(t, webtest.Nodes{Count: 2, Postgres: true}, files(t)...)
}

// TestMessagingStoriesOnTwoNodes plays stories of the messaging service where two processes
// share its database. SVC_TEST_SOAK: all of them.
func TestMessagingStoriesOnTwoNodes(t *testing.T) {
	webtest.StoriesOn(t, webtest.Nodes{Count: 2}, files(t)...)
}

func files(t *testing.T) (out []string) {
	t.Helper()
	if os.Getenv("SVC_TEST_SOAK") == "" {
		for _, name := range onTwoNodes {
			out = append(out, "testdata/messaging/"+name+".txt")
		}
		return out
	}
	all, err := filepath.Glob("testdata/messaging/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(all, func(file string) bool {
		name := filepath.Base(file)
		return notOnTwoNodes[name[:len(name)-len(".txt")]] != ""
	})
}
