package knowledge_test

import (
	"flag"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"svc/app/api"
	"svc/app/api/apitest"
	"svc/app/audit"
	"svc/app/business"
	"svc/app/content"
	"svc/app/event"
	"svc/app/knowledge"
	"svc/app/notify"
	"svc/app/org"
	"svc/app/setting"
	"svc/app/signal"
	"svc/app/vault"
	"svc/store"
	"svc/store/queue"
	"svc/store/storetest"
)

var update = flag.Bool("update", false, "rewrite golden files")

func tables() []store.AnyTable {
	return slices.Concat(knowledge.Tables(), business.Tables(), content.Tables(), event.Tables(), audit.Tables(), notify.Tables(), setting.Tables(), org.Tables(), queue.Tables())
}

// world is the slice over a store, with the businesses that it is about.
type world struct {
	*apitest.Server
	t    testing.TB
	db   *store.DB
	s    *knowledge.Service
	stop func()
}

func newWorld(t testing.TB, o store.Options) *world {
	t.Helper()
	o.Tables = tables()
	w := worldOver(t, storetest.OpenWith(t, "", o), t.TempDir())
	w.Org = newOrg(t, w.db)
	return w
}

func worldOver(t testing.TB, db *store.DB, data string) *world {
	return worldWith(t, db, knowledge.Options{Vault: vault.InFolder(data, db)})
}

func worldWith(t testing.TB, db *store.DB, o knowledge.Options) *world {
	bus := &signal.Bus{}
	w := &world{t: t, db: db, s: knowledge.New(db, o)}
	knowledge.Subscribe(bus)
	w.Server = apitest.New(t, db, w.s, business.New(db, business.Options{Bus: bus}))
	return w
}

func newOrg(t testing.TB, db *store.DB) (id string) {
	t.Helper()
	storetest.Update(t, db, func(tx *store.Tx) error {
		o, err := org.Create(tx, api.System(t.Context(), "", db.Now()), org.Fields{Name: "Acme " + db.NewID("org"), Plan: org.Enterprise})
		id = o.ID
		return err
	})
	return id
}

// work runs the jobs until the test ends.
func (w *world) work() *world {
	q := queue.New(w.db, queue.Options{})
	w.s.Work(q)
	w.stop = storetest.Run(w.t, q.Run)
	return w
}

// business makes one.
func (w *world) business(name string) string {
	return w.Do("POST /ai/businesses", map[string]any{"name": name}).Want(201).String("id")
}

// add makes a source and answers its id.
func (w *world) add(body map[string]any) string {
	return w.Do("POST /ai/knowledge/sources", body).Want(201).String("id")
}

// ends waits until a source is in a status.
func (w *world) ends(id, status string) apitest.Answer {
	w.t.Helper()
	var a apitest.Answer
	storetest.Eventually(w.t, fmt.Sprintf("the source %s is %s", id, status), func() bool {
		a = w.Do("GET /ai/knowledge/sources/"+id, nil).Want(200)
		return a.String("status") == status
	})
	return a
}

// find searches for what a business knows.
func (w *world) find(business, text string) ([]knowledge.Hit, bool) {
	w.t.Helper()
	hits, relevant, err := w.s.Find(w.t.Context(), knowledge.Query{Org: w.Org, Business: business, Text: text, Limit: 5}, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	return hits, relevant
}

func golden(name string) string { return filepath.Join("testdata", name) }
