package channel_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"svc/app"
	"svc/app/api"
	"svc/app/api/apitest"
	"svc/app/channel"
	"svc/app/org"
	"svc/messenger/platform"
	"svc/messenger/platform/graph"
	"svc/store"
	"svc/store/storetest"
)

var update = flag.Bool("update", false, "rewrite the golden files")

const (
	secret   = "the secret of the application"
	external = "17841400000000017"
)

// world is the service over a folder, with an account of the photo network.
type world struct {
	*apitest.Server
	t    testing.TB
	a    *app.App
	stop func()
}

// open opens the service over a folder; org is "" for a new one. work: its queues are worked off.
func open(t testing.TB, dir, orgID string, work bool) *world {
	t.Helper()
	a, err := app.Open(context.Background(), app.Options{
		Data: filepath.Join(dir, "data"), PublicURL: "https://svc.example.uz", Outside: channel.Outside{Secrets: []string{"", secret}},
	})
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, a: a}
	run := a.Run
	if !work {
		run = nil
	}
	w.stop = storetest.RunAndClose(t, run, a.Close)
	w.Server = apitest.New(t, a.DB, a)
	if w.Org = orgID; orgID == "" {
		w.Org = adopt(t, a.DB)
	}
	return w
}

// adopt makes an organization with the account.
func adopt(t testing.TB, db *store.DB) (id string) {
	t.Helper()
	err := db.Update(t.Context(), func(tx *store.Tx) error {
		o, err := org.Create(tx, api.System(t.Context(), "", db.Now()), org.Fields{Name: "Acme", Plan: org.Enterprise, Timezone: "Asia/Tashkent"})
		if err != nil {
			return err
		}
		id = o.ID
		return channel.Adopt(tx, id, &channel.Account{Platform: platform.Photo, ExternalID: external, Username: "studio", WebhooksOK: true})
	})
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// said is a message as webhooks bring it.
type said struct {
	account, person, mid, text string
	at                         time.Time
}

// bodyOf is a webhook with messages.
func bodyOf(list ...said) []byte {
	var entries []any
	for _, m := range list {
		entries = append(entries, map[string]any{"id": m.account, "time": m.at.UnixMilli(), "messaging": []any{map[string]any{
			"sender": map[string]any{"id": m.person}, "recipient": map[string]any{"id": m.account}, "timestamp": m.at.UnixMilli(),
			"message": map[string]any{"mid": m.mid, "text": m.person + " " + m.text},
		}}})
	}
	body, _ := json.Marshal(map[string]any{"object": "instagram", "entry": entries}) // plain values
	return body
}

// post hands a webhook over, signed.
func (w *world) post(body []byte) apitest.Answer {
	return w.Do("POST /channels/meta/webhook", body, "X-Hub-Signature-256", graph.Sign(body, secret))
}

// texts are the messages of each person, in the order of their conversation. The first word of a
// text is whose it is.
func (w *world) texts() map[string][]string { return w.textsWith("") }

// textsWith are the newest messages of each person, back to where none begins with a prefix.
func (w *world) textsWith(prefix string) map[string][]string {
	w.t.Helper()
	var list struct{ Data []struct{ ID string } }
	w.Do("GET /ai/conversations?limit=100", nil).Want(200).Into(&list)
	out := map[string][]string{}
	for _, k := range list.Data {
		var pages [][]string
		for before, more := "", true; more; {
			var page struct {
				Messages []struct{ ID, Text string }
				Older    bool `json:"has_older"`
			}
			w.Do("GET /ai/conversations/"+k.ID+"?limit=200&before="+before, nil).Want(200).Into(&page)
			var texts []string
			with := false
			for _, m := range page.Messages {
				texts = append(texts, m.Text)
				_, words, _ := strings.Cut(m.Text, " ")
				with = with || strings.HasPrefix(words, prefix)
			}
			if pages, more = append(pages, texts), page.Older && with; more {
				before = page.Messages[0].ID
			}
		}
		slices.Reverse(pages)
		for _, text := range slices.Concat(pages...) {
			person, words, _ := strings.Cut(text, " ")
			out[person] = append(out[person], words)
		}
	}
	return out
}

var people = []string{"501", "502", "503", "504", "505", "506", "507", "508"}

func numbered(n int) string { return fmt.Sprintf("m_%08d", n) }
