package proxy

import (
	"path/filepath"
	"slices"
	"testing"
	"time"

	"svc/app/api/apitest"
	"svc/app/audit"
	"svc/app/notify"
	"svc/app/setting"
	"svc/app/user"
	"svc/messenger/messengertest"
	"svc/messenger/simulator"
	"svc/messenger/simulator/simtest"
	"svc/messenger/telegram"
	"svc/store"
	"svc/store/queue"
	"svc/store/storetest"
)

// env is the proxies over a store, with the production driver on the simulator. No
// account uses any of them: what accounts make of proxies is tested in package account.
type env struct {
	*apitest.Server
	t   *testing.T
	db  *store.DB
	s   *Service
	sim *simulator.Simulator
}

func newEnv(t *testing.T) *env {
	h := &env{t: t, sim: simtest.Start(t, simulator.Options{Demo: true})}
	now := storetest.NewClock().Now() // the time stands still
	h.db = storetest.OpenWith(t, filepath.Join(t.TempDir(), "test.db"), store.Options{
		Tables: slices.Concat(queue.Tables(), audit.Tables(), setting.Tables(), notify.Tables(), user.Tables(), Tables()),
		Now:    func() time.Time { return now },
	})
	h.s = New(h.db, Options{Driver: telegram.New(simtest.Options(h.sim)), AllowPrivate: true})
	h.Server = apitest.New(t, h.db, h.s, notify.New(h.db))
	return h
}

// add adds a proxy as a person does.
func (h *env) add(p *messengertest.Proxy, change func(map[string]any)) (id, status, body string) {
	h.t.Helper()
	via := p.Route()
	in := map[string]any{"type": via.Kind, "host": via.Host, "port": via.Port, "username": via.Username, "password": via.Password, "secret": via.Secret}
	if change != nil {
		change(in)
	}
	a := h.Do("POST /proxies", in).Want(201)
	return a.String("id"), a.String("status"), a.Body
}

// notices are the kinds of the notifications of the organization, newest first.
func (h *env) notices() (out []string) {
	h.t.Helper()
	var page struct {
		Data []struct {
			Kind string `json:"kind"`
		} `json:"data"`
	}
	h.Do("GET /notifications", nil).Want(200).Into(&page)
	for _, n := range page.Data {
		out = append(out, n.Kind)
	}
	return out
}

func (h *env) update(f func(tx *store.Tx) error) {
	h.t.Helper()
	storetest.Update(h.t, h.db, f)
}

// run starts the jobs until the test ends.
func (h *env) run() {
	workers := queue.New(h.db, queue.Options{})
	h.s.Work(workers)
	storetest.Run(h.t, workers.Run)
}

func (h *env) eventually(what string, ok func() bool) {
	h.t.Helper()
	storetest.Eventually(h.t, what, ok)
}
