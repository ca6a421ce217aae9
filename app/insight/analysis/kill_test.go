package analysis_test

import (
	"bufio"
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"svc/app/api"
	"svc/app/api/apitest"
	"svc/app/audit"
	"svc/app/business"
	"svc/app/engine"
	"svc/app/event"
	"svc/app/inbox/channel"
	"svc/app/inbox/conversation"
	"svc/app/insight/analysis"
	"svc/app/insight/cases"
	"svc/app/insight/sums"
	"svc/app/jev"
	"svc/app/notify"
	"svc/app/org"
	"svc/app/seller/lead"
	"svc/app/seller/memory"
	"svc/app/setting"
	"svc/app/signal"
	"svc/store"
	"svc/store/coord"
	"svc/store/queue"
	"svc/store/storetest"
)

// TestKilled kills a process that analyses conversations again and again, while their customers
// write on other days. What the boards add up is what a recount finds, and what was acknowledged
// is there. SVC_TEST_KILLS says how often; 1 when it is not set.
func TestKilled(t *testing.T) {
	if dir := os.Getenv("SVC_TEST_KILLED"); dir != "" {
		victim(t, dir)
		return
	}
	kills, err := strconv.Atoi(os.Getenv("SVC_TEST_KILLS"))
	if err != nil {
		kills = 1
	}
	dir := t.TempDir()
	s := openShop(t, dir, "")
	s.furnish()
	orgID := s.Org
	storetest.Close(t, s.db)
	known := map[string]bool{}
	for range kills {
		for _, id := range killOne(t, dir, orgID, 10+rand.IntN(40)) {
			known[id] = true
		}
		s := openShop(t, dir, orgID)
		session, err := coord.Of(s.db).Enter(t.Context()) // which ends the nodes of the killed
		if err != nil {
			t.Fatal(err)
		}
		if wrong, err := s.analyses.Recount(t.Context(), orgID); err != nil || wrong != 0 {
			t.Fatalf("%d places are wrong, %v", wrong, err)
		}
		for id := range known {
			storetest.View(t, s.db, func(tx *store.Tx) error {
				done, err := analysis.AnalysedSince(tx, orgID, id, time.Unix(1, 0))
				if !done {
					t.Errorf("%s was acknowledged and is not analysed", id)
				}
				return err
			})
		}
		session.Leave()
		storetest.Close(t, s.db)
		if t.Failed() {
			t.FailNow()
		}
	}
	t.Logf("%d kills, %d conversations analysed", kills, len(known))
}

// shop is the analysis over a store, with a business and the demo model.
type shop struct {
	*apitest.Server
	db       *store.DB
	engine   *engine.Service
	analyses *analysis.Service
	business string
}

const shopAccount = "acc_00000000000000000000000001"

func openShop(t *testing.T, dir, orgID string) *shop {
	t.Helper()
	o := store.Options{Tables: slices.Concat(analysis.Tables(), sums.Conversations.Tables(), cases.Tables(), business.Tables(), org.Tables(), setting.Tables(), queue.Tables(),
		engine.Tables(), event.Tables(), audit.Tables(), notify.Tables(), conversation.Tables(), memory.Tables(), lead.Tables(), jev.Tables())}
	o.KeyFile = filepath.Join(dir, "master.key")
	db, err := store.Open(context.Background(), filepath.Join(dir, "svc.db"), o)
	if err != nil {
		t.Fatal(err)
	}
	s := &shop{db: db, engine: engine.New(db, engine.Options{Demo: true})}
	s.analyses = analysis.New(db, s.engine.Runs, nil, slog.New(slog.DiscardHandler))
	names := func(*store.Tx, string, string) (string, error) { return "Shop", nil }
	s.Server = apitest.New(t, db, s.engine, cases.New(db, cases.Options{Conversations: analysis.CountOf}), business.New(db, business.Options{Bus: &signal.Bus{}, AccountName: names}))
	if s.Org = orgID; orgID == "" {
		storetest.Update(t, db, func(tx *store.Tx) error {
			o, err := org.Create(tx, api.System(t.Context(), "", db.Now()), org.Fields{Name: "Acme", Plan: org.Enterprise, Timezone: "Asia/Tashkent"})
			s.Org = o.ID
			return err
		})
	}
	return s
}

// furnish makes the business, whose account answers for it, and its cases.
func (s *shop) furnish() {
	s.business = s.Do("POST /ai/businesses", map[string]any{"name": "Gul"}).Want(201).String("id")
	s.Do("PUT /ai/businesses/"+s.business+"/accounts", map[string]any{"accounts": []any{map[string]any{"account_id": shopAccount, "ai_enabled": false}}}).Want(200)
	for _, name := range []string{"Atirgul", "Lola", "Pion"} {
		s.Do("POST /ai/businesses/"+s.business+"/cases", map[string]any{"dimension": "DEMAND", "name": map[string]any{"uz": name}}).Want(201)
	}
}

// says lets a customer write some hours after what they wrote before, and answers the
// conversation.
func (s *shop) says(person, text string) (id string, err error) {
	at := channel.At{Org: s.Org, Account: shopAccount, Owner: "shop", Channel: channel.OnMessenger}
	err = s.db.Update(context.Background(), func(tx *store.Tx) error {
		k, found, err := conversation.Find(tx, s.Org, at, channel.Person{ID: person, FirstName: "Nodira"})
		if err != nil {
			return err
		}
		when := k.LastInAt
		if found.Made {
			when = s.db.Now()
		}
		id = k.ID
		_, err = conversation.Add(tx, s.Org, &k, &channel.Incoming{
			ID: s.db.NewID("msg"), From: k.Person, At: when.Add(time.Duration(1+rand.IntN(20)) * time.Hour), Text: text,
		}, conversation.Arrival{Made: found.Made, Bus: &signal.Bus{}})
		return err
	})
	return id, err
}

// killOne starts a victim, kills it a moment after a number of acknowledgements, and answers all
// it gave.
func killOne(t *testing.T, dir, orgID string, behind int) (lines []string) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestKilled$")
	cmd.Env = append(os.Environ(), "SVC_TEST_KILLED="+dir, "SVC_TEST_ORG="+orgID)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for scan := bufio.NewScanner(out); scan.Scan(); {
		var id string
		if _, err := fmt.Sscanf(scan.Text(), "analysed %s", &id); err != nil {
			continue
		}
		if lines = append(lines, id); len(lines) == behind {
			time.AfterFunc(time.Duration(rand.IntN(10_000))*time.Microsecond, func() { _ = cmd.Process.Kill() })
		}
	}
	_ = cmd.Wait() // killed: it says so
	if len(lines) < behind {
		t.Fatalf("the victim ended after %d analyses, want %d", len(lines), behind)
	}
	return lines
}

// victim lets customers write and analyses their conversations until it is killed. It
// acknowledges what is analysed.
func victim(t *testing.T, dir string) {
	s := openShop(t, dir, os.Getenv("SVC_TEST_ORG"))
	texts := []string{"Atirgul bormi?", "Lola narxi qancha?", "Pion kerak edi", "Kuryer kechikdi, bu nima degan gap!", "Rahmat"}
	var printing sync.Mutex
	var all sync.WaitGroup
	for range 6 {
		all.Go(func() {
			for {
				id, err := s.says(fmt.Sprint(rand.IntN(12)), texts[rand.IntN(len(texts))])
				if err == nil {
					_, err = s.analyses.Analyse(context.Background(), s.Org, id)
				}
				if err != nil {
					t.Error(err)
					return
				}
				printing.Lock()
				fmt.Printf("analysed %s\n", id)
				printing.Unlock()
			}
		})
	}
	all.Wait()
}
