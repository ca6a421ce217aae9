package acceptance

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"
)

// TestKilled kills the real program (kill -9) again and again while it imports, opts
// people out, delivers webhooks and is backed up, all at once. Afterwards whatever it
// acknowledged is there, once; events, audit log, suppressions and deliveries tell the
// same; and the database and every backup are whole. SVC_TEST_KILLS says how often; 3
// when it is not set.
func TestKilled(t *testing.T) {
	t.Parallel()
	kills, err := strconv.Atoi(cmp.Or(os.Getenv("SVC_TEST_KILLS"), "3"))
	if err != nil || kills < 1 {
		t.Fatalf("SVC_TEST_KILLS is %q, no number above zero", os.Getenv("SVC_TEST_KILLS"))
	}
	v := newVictim(t, kills)
	for round := range kills {
		v.in.start()
		v.round(round, 5+rand.IntN(60))
		v.backupsAreWhole()
		if t.Failed() {
			return
		}
	}
	v.in.start()
	v.settle()
	v.importsAreWhole()
	v.optOutsAgree()
	deliveriesAreWhole(v.owner, v.receiver, "/events?type=recipient.opted_out&type=recipient.imported", patience)
	v.in.auditIsWhole(2)
	v.in.stop()
	file := filepath.Join(t.TempDir(), "last.db")
	v.in.must("backup", file) // reads every record, index, count and secret
	v.in.must("backup", "verify", file)
	v.in.auditIsWhole(2)
	if v.backups == 0 {
		t.Error("no backup was made while the server worked and was killed")
	}
	t.Logf("%d kills: %d opt-outs and %d imports of %d rows acknowledged, %d backups whole, %d events received more than once",
		kills, len(v.optedOut), len(v.imported), v.rows, v.backups, v.twice())
}

// workers is how many opt people out at once; each has a key, for its rate.
const workers = 4

// victim is the server that is killed, and what it acknowledged.
type victim struct {
	t        *testing.T
	in       *installation
	receiver *receiver
	owner    *caller
	keys     []*caller
	rows     int // of an import
	perRound int // imports
	kills    int
	backups  int

	mu       sync.Mutex
	optedOut []string // ids
	imported []string // tags
	backedUp []string // files of this round
}

func newVictim(t *testing.T, kills int) *victim {
	t.Helper()
	// The plan has room for 250,000 recipients.
	rows := min(3000, 200_000/kills)
	v := &victim{t: t, in: install(t), receiver: newReceiver(t), kills: kills, rows: rows, perRound: max(1, 200_000/kills/rows)}
	v.in.start()
	v.owner = v.in.signUp("vera", nil)
	for i := range workers {
		v.keys = append(v.keys, v.owner.newKey(fmt.Sprint("worker ", i)))
	}
	hook := v.owner.do("POST", "/webhooks", map[string]any{"url": v.receiver.url(), "events": []string{"recipient.opted_out", "recipient.imported"}}).want(201)
	v.receiver.secret(hook.text("signing_secret"))
	v.in.kill()
	return v
}

// round lets everybody work until so many opt-outs are acknowledged, and kills.
func (v *victim) round(round, after int) {
	v.t.Helper()
	ctx, dead := context.WithCancel(v.t.Context())
	acknowledged := make(chan struct{}, 1024)
	var busy sync.WaitGroup
	for n, key := range v.keys {
		busy.Go(func() { v.optOut(key, fmt.Sprintf("out_%d_%d", round, n), acknowledged) })
	}
	busy.Go(func() { v.importOn(round) })
	busy.Go(func() { v.backUp(ctx, round) })
	stop := make(chan struct{})
	go func() { busy.Wait(); close(stop) }()
	for n := 0; n < after; n++ {
		select {
		case <-acknowledged:
		case <-stop:
			v.t.Errorf("round %d: everybody stopped after %d opt-outs, want %d", round, n, after)
			n = after
		}
	}
	if round == 0 { // an import and a backup must be acknowledged before anything dies
		wait(v.t, "an import and a backup", func() bool {
			v.mu.Lock()
			defer v.mu.Unlock()
			return v.t.Failed() || len(v.imported) > 0 && len(v.backedUp) > 0
		})
	}
	v.in.kill()
	dead()
	<-stop
}

// optOut makes people and opts them out, in turn by key and by their link, until the
// server is gone.
func (v *victim) optOut(key *caller, name string, acknowledged chan<- struct{}) {
	for i := 0; ; i++ {
		made, err := key.try("POST", "/recipients", map[string]any{"username": fmt.Sprintf("%s_%d", name, i)})
		if !v.went(made, err, 201) {
			return
		}
		id := made.text("id")
		who, path := key, "/recipients/"+id+"/opt-out"
		if i%2 == 1 {
			preview, err := key.try("POST", "/messages/preview", map[string]any{"message": map[string]any{"text": "{{opt_out_url}}"}, "recipient_id": id})
			if !v.went(preview, err, 200) {
				return
			}
			who, path = &caller{in: v.in, from: fmt.Sprintf("198.51.%d.%d", rand.IntN(250), rand.IntN(250))}, preview.text("text")
		}
		if out, err := who.try("POST", path, nil); !v.went(out, err, 200) {
			return
		}
		v.mu.Lock()
		v.optedOut = append(v.optedOut, id)
		v.mu.Unlock()
		acknowledged <- struct{}{}
	}
}

// went says whether a request succeeded. A server that is gone ends the work, any
// other answer is wrong; but a key may have been too fast.
func (v *victim) went(r reply, err error, want int) bool {
	if err == nil && r.status != want && r.status != http.StatusTooManyRequests {
		v.t.Errorf("%s: %d, want %d: %s", r.asked, r.status, want, tail(string(r.body)))
	}
	return err == nil && r.status == want
}

// importOn imports one file after the other. The import of a former round may still
// be under way.
func (v *victim) importOn(round int) {
	for n := 0; n < v.perRound; n++ {
		tag := fmt.Sprintf("r%d_%d", round, n)
		records := make([]map[string]any, v.rows)
		for i := range records {
			name := fmt.Sprintf("%s_%d", tag, i)
			records[i] = map[string]any{"username": "i" + name, "first_name": "Имя", "tags": []string{tag}, "attributes": map[string]any{"key": name}}
		}
		r, err := v.owner.try("POST", "/recipients/import", map[string]any{"records": records, "default_consent": "AUTHORIZED"})
		switch {
		case err == nil && (r.status == http.StatusConflict || r.status == http.StatusTooManyRequests):
			n--
			if !v.later() {
				return
			}
			continue
		case !v.went(r, err, 201):
			return
		}
		if r.int("created") != v.rows {
			v.t.Errorf("import %s: %s", tag, tail(string(r.body)))
		}
		v.mu.Lock()
		v.imported = append(v.imported, tag)
		v.mu.Unlock()
	}
}

// later waits a little, and says whether the server is still there.
func (v *victim) later() bool {
	_, err := v.owner.try("GET", "/me", nil)
	return err == nil
}

// backUp makes backups until the server is gone. One that fails while the server is
// there is wrong.
func (v *victim) backUp(ctx context.Context, round int) {
	for n := 0; ctx.Err() == nil; n++ {
		file := v.backup(round, n)
		if out, err := v.in.svc("backup", file); err != nil {
			if v.later() {
				v.t.Errorf("a backup while the server is there: %v: %s", err, tail(out))
			}
			return // what it left is looked at
		}
		v.mu.Lock()
		v.backedUp = append(v.backedUp, file)
		v.mu.Unlock()
	}
}

func (v *victim) backup(round, n int) string {
	return filepath.Join(filepath.Dir(v.in.data), fmt.Sprintf("backup-%d-%d.db", round, n))
}

// backupsAreWhole verifies what stands under the name of a backup, also of one that
// was being made when the server was killed. Every acknowledged one is there.
func (v *victim) backupsAreWhole() {
	v.t.Helper()
	for _, file := range v.backedUp {
		if _, err := os.Stat(file); err != nil {
			v.t.Errorf("a backup was acknowledged and is not there: %v", err)
		}
	}
	v.backedUp = nil
	files, err := filepath.Glob(filepath.Join(filepath.Dir(v.in.data), "backup-*.db"))
	if err != nil {
		v.t.Fatal(err)
	}
	for i, file := range files {
		if i == 0 || i == len(files)-1 { // each reads everything
			v.in.must("backup", "verify", file)
			v.backups++
		}
		if err := os.Remove(file); err != nil {
			v.t.Fatal(err)
		}
	}
}

// settle waits for what was under way: imports, then deliveries.
func (v *victim) settle() {
	v.t.Helper()
	wait(v.t, "the imports to end", func() bool {
		return v.owner.do("GET", "/recipient-imports?limit=1", nil).want(200).text("data.0.status") != "RUNNING"
	})
}

// pages reads a whole list.
func pages[T any](c *caller, path string) (all []T) {
	c.in.t.Helper()
	for {
		var page struct {
			Data  []T
			Total int
		}
		c.do("GET", fmt.Sprintf("%s&limit=500&offset=%d", path, len(all)), nil).want(200).into(&page)
		all = append(all, page.Data...)
		if len(page.Data) == 0 {
			if len(all) != page.Total {
				c.in.t.Errorf("GET %s says %d and has %d", path, page.Total, len(all))
			}
			return all
		}
	}
}

// importsAreWhole: every import that was begun has all of its rows, once, and one
// event; every acknowledged one was begun.
func (v *victim) importsAreWhole() {
	v.t.Helper()
	type job struct {
		Status string
		Report struct{ Created, Updated, Duplicates, Invalid int }
	}
	begun := pages[job](v.owner, "/recipient-imports?sort=created_at")
	for _, i := range begun {
		if i.Status != "DONE" || i.Report.Created != v.rows || i.Report.Updated+i.Report.Duplicates+i.Report.Invalid != 0 {
			v.t.Errorf("an import is not as it was sent: %+v", i)
		}
	}
	var tags struct {
		Data []struct {
			Tag   string
			Count int
		}
	}
	v.owner.do("GET", "/recipients/tags", nil).want(200).into(&tags)
	found := map[string]int{}
	for _, t := range tags.Data {
		found[t.Tag] = t.Count
		if t.Count != v.rows {
			v.t.Errorf("%d people of import %s, want %d", t.Count, t.Tag, v.rows)
		}
	}
	for _, tag := range v.imported {
		if found[tag] == 0 {
			v.t.Errorf("import %s was acknowledged and is lost", tag)
		}
	}
	if len(found) != len(begun) {
		v.t.Errorf("people of %d imports, but %d were begun", len(found), len(begun))
	}
	v.owner.do("GET", "/events?type=recipient.imported&limit=1", nil).want(200).says("total", len(begun))
}

// optOutsAgree: recipients, suppressions, events and the audit log name the same
// people, each once, and every acknowledged one is among them.
func (v *victim) optOutsAgree() {
	v.t.Helper()
	type one struct {
		ID        string
		Recipient string `json:"recipient_id"`
		Data      struct {
			Recipient string `json:"recipient_id"`
		}
		Resource struct{ ID string }
	}
	lists := map[string]func(one) string{
		"/recipients?consent_status=OPTED_OUT": func(o one) string { return o.ID },
		"/suppressions?q=out":                  func(o one) string { return o.Recipient },
		"/events?type=recipient.opted_out":     func(o one) string { return o.Data.Recipient },
		"/audit-logs?action=recipient.opted_out": func(o one) string {
			return o.Resource.ID
		},
	}
	var want []string
	for path, id := range lists {
		var ids []string
		for _, o := range pages[one](v.owner, path) {
			ids = append(ids, id(o))
		}
		slices.Sort(ids)
		if len(slices.Compact(slices.Clone(ids))) != len(ids) {
			v.t.Errorf("%s names somebody twice", path)
		}
		if want == nil {
			want = ids
		}
		if !slices.Equal(ids, want) {
			v.t.Errorf("%s names %d people, another list %d", path, len(ids), len(want))
		}
	}
	for _, id := range v.optedOut {
		if _, found := slices.BinarySearch(want, id); !found {
			v.t.Errorf("the opt-out of %s was acknowledged and is lost", id)
		}
	}
	if unheard := len(want) - len(v.optedOut); unheard > workers*v.kills {
		v.t.Errorf("%d opted out without an answer; at most %d requests were cut off", unheard, workers*v.kills)
	}
}

// deliveriesAreWhole: every event of a list has one delivery, which succeeds within a time,
// and arrived.
func deliveriesAreWhole(c *caller, r *receiver, path string, within time.Duration) {
	t := c.in.t
	t.Helper()
	type event struct {
		ID         string
		Deliveries struct{ Succeeded, Failed, Pending int }
	}
	var all []event
	waitFor(t, within, "every delivery to succeed", func() bool {
		if last := c.do("GET", path+"&limit=1", nil).want(200); last.int("data.0.deliveries.succeeded") == 0 {
			return false
		}
		all = pages[event](c, path)
		return !slices.ContainsFunc(all, func(e event) bool { return e.Deliveries.Succeeded == 0 })
	})
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, e := range all {
		if e.Deliveries.Succeeded != 1 || e.Deliveries.Failed+e.Deliveries.Pending != 0 {
			t.Errorf("event %s has the deliveries %+v", e.ID, e.Deliveries)
		}
		if r.seen[e.ID] == nil {
			t.Errorf("event %s never arrived", e.ID)
		}
	}
	if len(r.seen) != len(all) {
		t.Errorf("%d events arrived, %d are recorded", len(r.seen), len(all))
	}
}

// twice is how many events arrived more than once: at least once is the promise.
func (v *victim) twice() (n int) {
	v.receiver.mu.Lock()
	defer v.receiver.mu.Unlock()
	for _, h := range v.receiver.seen {
		if h.times > 1 {
			n++
		}
	}
	return n
}
