package source

import (
	"errors"
	"log/slog"
	"time"

	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/business"
	"svc/app/signal"
	"svc/app/vault"
	"svc/store"
	"svc/store/queue"
)

// Options of New.
type Options struct {
	// Vault has the files.
	Vault *vault.Vault
	// Log hears of files that a crash left behind. nil: nobody does.
	Log *slog.Logger
}

// Service does the operations of the package.
type Service struct {
	db    *store.DB
	vault *vault.Vault
	log   *slog.Logger
}

// New makes the service. It starts nothing; see Work.
func New(db *store.DB, o Options) *Service {
	s := &Service{db: db, vault: o.Vault, log: o.Log}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	return s
}

const (
	read   = perm.AIRead
	manage = perm.AIManage
)

// MaxFile bounds a file (contract 13.20).
const (
	MaxFile    = 20 << 20
	maxForm    = 1 << 20 // what stands around it, and the body in JSON
	uploadTime = 5 * time.Minute
)

// Endpoints are the operations of the package.
func (s *Service) Endpoints() []api.Endpoint {
	taken, busy := api.Errors(api.ErrConflict), api.Errors(api.ErrState)
	return []api.Endpoint{
		api.E("GET /ai/knowledge/sources", "knowledge.list", read, "List sources of knowledge.", s.list),
		api.E("POST /ai/knowledge/sources", "knowledge.create", manage,
			"Add a source of knowledge: a text, a question with its answer, the offers, a web page, or a file as multipart/form-data in the field file. It is read in the background.",
			s.create, api.MaxBody(MaxFile+maxForm), api.Timeout(uploadTime), taken, api.Errors(api.ErrPlanLimit, api.ErrTooLarge, api.ErrInvalidUpload, api.ErrMediaType)),
		api.E("GET /ai/knowledge/sources/{id}", "knowledge.get", read, "Read a source of knowledge with its text and the first chunks of the published version.", s.get),
		api.E("PATCH /ai/knowledge/sources/{id}", "knowledge.update", manage, "Change a source of knowledge, take it out of searches or bring it back.", api.Write(s.db, s.update)),
		api.E("DELETE /ai/knowledge/sources/{id}", "knowledge.delete", manage, "Delete a source of knowledge with its versions.", s.remove),
		api.E("POST /ai/knowledge/sources/{id}/reindex", "knowledge.reindex", manage, "Read a source of knowledge again.", s.reindex, busy),
	}
}

// Ingest is the job that reads a source.
type Ingest struct {
	Org    string `json:"org"`
	Source string `json:"source"`
}

// Kind names the job on disk.
func (Ingest) Kind() string { return "knowledge.ingest" }

// Queue is where it waits.
func (Ingest) Queue() queue.Name { return queue.Imports }

// Tries is how often a source is read before it is Failed.
const Tries = 4

// ask asks for the ingestion of a source, one at a time of an organization.
func ask(tx *store.Tx, org, id string) error {
	_, err := queue.Add(tx, Ingest{org, id}, time.Time{}, queue.Once(id), queue.InLane(org), queue.Attempts(Tries), queue.For(org, id))
	return err
}

// Work registers the jobs of the package; that of [Ingest] belongs to package ingest.
func (s *Service) Work(w *queue.Workers) {
	queue.Register(w, s.runDrop)
	queue.Register(w, s.runDropFile)
	queue.Register(w, s.runForget)
	queue.Register(w, s.runRefresh)
	queue.Register(w, s.runSweep, queue.WithTimeout(time.Hour))
}

// Schedule asks for the jobs that run for ever, at every start.
func (s *Service) Schedule(tx *store.Tx) error {
	_, err := queue.Add(tx, refreshing{}, time.Time{}, queue.Once("all"))
	_, failed := queue.Add(tx, sweeping{}, time.Time{}, queue.Once("all"))
	return errors.Join(err, failed)
}

// Subscribe lets sources follow their businesses.
func Subscribe(b *signal.Bus) {
	signal.On(b, offersChanged)
	signal.On(b, func(tx *store.Tx, _ *api.Call, d business.Deleted) error {
		_, err := queue.Add(tx, forgetting{d.Org, d.Business}, time.Time{}, queue.Once(d.Business), queue.For(d.Org, d.Business))
		return err
	})
}
