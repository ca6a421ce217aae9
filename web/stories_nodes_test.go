package web_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

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

// TestMessagingStoriesOnTwoNodes plays stories of the messaging service where two processes
// share its database. SVC_TEST_SOAK: all of them.
func TestMessagingStoriesOnTwoNodes(t *testing.T) {
	var files []string
	for _, name := range onTwoNodes {
		files = append(files, "testdata/messaging/"+name+".txt")
	}
	if os.Getenv("SVC_TEST_SOAK") != "" {
		all, err := filepath.Glob("testdata/messaging/*.txt")
		if err != nil {
			t.Fatal(err)
		}
		files = slices.DeleteFunc(all, func(file string) bool {
			name := filepath.Base(file)
			return notOnTwoNodes[name[:len(name)-len(".txt")]] != ""
		})
	}
	webtest.StoriesOn(t, 2, files...)
}
