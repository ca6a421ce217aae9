// Package research looks something up in the web for people: it reads pages that a person
// named, pages of the site of the business, and what a search engine finds, and answers with
// sentences that stand there.
//
// It promises that every finding names a page that was fetched and a sentence that occurs in
// it, whatever a model says (contract 13.24); that research ends within its bounds of pages,
// searches and time; that nothing is sent to anybody because of it; and that what it found
// becomes knowledge only when a person publishes it. Without a language model the findings are
// the sentences that fit the questions best.
package research

import (
	"log/slog"
	"strings"
	"time"

	"svc/ai/catalog"
	"svc/ai/search"
	"svc/ai/web"
	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/audit"
	"svc/app/business"
	"svc/app/engine/agent"
	"svc/app/engine/execution"
	"svc/app/event"
	"svc/app/knowledge/source"
	"svc/store"
	"svc/store/queue"
)

// Status is where research is.
type Status string

// The statuses.
const (
	Queued  Status = "QUEUED"
	Running Status = "RUNNING"
	Done    Status = "DONE"
	Failed  Status = "FAILED"
)

// transition is what happens to research.
type transition string

const (
	begun    transition = "begun"
	answered transition = "answered"
	gaveUp   transition = "gave up"
)

// life is the life of research. Begun twice: its process died.
var life = api.Table[Status, transition]{
	{From: []Status{Queued, Running}, On: begun, To: Running},
	{From: []Status{Running}, On: answered, To: Done},
	{From: []Status{Running}, On: gaveUp, To: Failed},
}

// Finding is something that a page says.
type Finding struct {
	Text  string `json:"text"`
	Quote string `json:"quote" doc:"As it stands on the page."`
	URL   string `json:"url"`
	Title string `json:"title"`
}

// record is research as it is kept.
type record struct {
	ID          string       `json:"id"`
	BusinessID  string       `json:"business_id"`
	Topic       string       `json:"topic"`
	Questions   []string     `json:"questions,omitempty"`
	URLs        []string     `json:"urls,omitempty"`
	Language    string       `json:"language"`
	Status      Status       `json:"status"`
	Summary     string       `json:"summary,omitempty"`
	Findings    []Finding    `json:"findings,omitempty"`
	Pages       int          `json:"pages,omitempty"`
	ErrorCode   string       `json:"error_code,omitempty"`
	Cost        catalog.Nano `json:"cost,omitempty"`
	ExecutionID string       `json:"execution_id,omitempty"`
	SourceID    string       `json:"source_id,omitempty"`
	CreatedBy   string       `json:"created_by"`
	CreatedAt   time.Time    `json:"created_at"`
	FinishedAt  *time.Time   `json:"finished_at,omitempty"`
}

var (
	records     = store.NewTable("research", "rsh", func(r *record) string { return r.ID })
	ofBusiness  = records.Facet("business", func(r *record) []string { return []string{r.BusinessID} })
	statusFacet = records.Facet("status", func(r *record) []string { return []string{string(r.Status)} })
)

// Tables are what a store that holds research is opened with.
func Tables() []store.AnyTable { return []store.AnyTable{records} }

// Options of New.
type Options struct {
	Pages    *web.Client
	Searcher search.Searcher
	// Runs asks language models; nil: there are none.
	Runs *execution.Service
	Log  *slog.Logger
}

// Service does the operations of the package.
type Service struct {
	db *store.DB
	o  Options
}

// New makes the service. It starts nothing; see Work.
func New(db *store.DB, o Options) *Service {
	if o.Searcher == nil {
		o.Searcher = search.None{}
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Service{db, o}
}

// Endpoints are the operations of the package.
func (s *Service) Endpoints() []api.Endpoint {
	return []api.Endpoint{
		api.E("POST /ai/research", "research.create", perm.AIManage, "Look something up in the web, in the background.", api.Write(s.db, s.create), api.Errors(api.ErrConflict)),
		api.E("GET /ai/research", "research.list", perm.AIRead, "List research, the newest first.", s.list),
		api.E("GET /ai/research/{id}", "research.get", perm.AIRead, "Read what research found.", s.get),
		api.E("POST /ai/research/{id}/save-to-knowledge", "research.save", perm.AIManage,
			"Make a source of what was found; it is DISABLED until a person publishes it. Saved once, the same source is answered again.", api.Write(s.db, s.save),
			api.Errors(api.ErrState, api.ErrPlanLimit)),
	}
}

// Shown is research as the API answers it.
type Shown struct {
	ID          string     `json:"id"`
	BusinessID  string     `json:"business_id"`
	Business    *api.Named `json:"business"`
	Topic       string     `json:"topic"`
	Questions   []string   `json:"questions"`
	URLs        []string   `json:"urls"`
	Status      Status     `json:"status" enum:"QUEUED,RUNNING,DONE,FAILED"`
	Summary     *string    `json:"summary" doc:"null where no language model wrote one."`
	Findings    []Finding  `json:"findings"`
	PagesCount  int        `json:"pages_count" doc:"Pages that were read."`
	ErrorCode   *string    `json:"error_code"`
	CostUSD     float64    `json:"cost_usd"`
	ExecutionID *string    `json:"execution_id"`
	SourceID    *string    `json:"source_id" doc:"The source that it was saved to."`
	Source      *api.Named `json:"source"`
	CreatedBy   string     `json:"created_by"`
	Creator     *api.Named `json:"creator"`
	CreatedAt   time.Time  `json:"created_at"`
	FinishedAt  *time.Time `json:"finished_at"`
}

func (r *record) shown(org string) Shown {
	return Shown{
		ID: r.ID, BusinessID: r.BusinessID, Business: api.Ref(org, r.BusinessID), Topic: r.Topic, Questions: append([]string{}, r.Questions...),
		URLs: append([]string{}, r.URLs...), Status: r.Status, Summary: api.Optional(r.Summary), Findings: append([]Finding{}, r.Findings...), PagesCount: r.Pages,
		ErrorCode: api.Optional(r.ErrorCode), CostUSD: r.Cost.USD(), ExecutionID: api.Optional(r.ExecutionID), SourceID: api.Optional(r.SourceID), Source: api.Ref(org, r.SourceID),
		CreatedBy: r.CreatedBy, Creator: api.Ref(org, r.CreatedBy), CreatedAt: r.CreatedAt, FinishedAt: r.FinishedAt,
	}
}

func (r *record) resource() audit.Resource { return audit.On("research", r.ID, r.Topic) }

// apply changes the status of research that its caller saves.
func (r *record) apply(on transition) error {
	to, ok := life.Next(r.Status, on)
	if !ok {
		return api.ErrState
	}
	r.Status = to
	return nil
}

// emitUpdated lets those know who follow research.
func emitUpdated(tx *store.Tx, org string, r *record) error {
	return event.Emit(tx, org, event.ResearchUpdated, struct {
		ResearchID string `json:"research_id"`
		Status     Status `json:"status"`
	}{r.ID, r.Status})
}

// Bounds of what is asked.
const (
	maxTopic     = 200
	maxQuestion  = 300
	maxQuestions = 5
	maxNamed     = 10
	// maxWaiting is how many may wait and run in an organization.
	maxWaiting = 10
)

type createIn struct {
	Body struct {
		BusinessID string   `json:"business_id" required:"true" maxLength:"64"`
		Topic      string   `json:"topic" required:"true" maxLength:"200" example:"Atirgulni uzoq saqlash"`
		Questions  []string `json:"questions" maxItems:"5" doc:"Of 300 characters at most."`
		URLs       []string `json:"urls" maxItems:"10" doc:"Pages to read first."`
	}
}

func (s *Service) create(c *api.Call, tx *store.Tx, in createIn) (out api.Created[Shown], err error) {
	r := record{ID: tx.DB().NewID("rsh"), BusinessID: in.Body.BusinessID, Status: Queued, CreatedBy: c.Caller.ID, CreatedAt: c.Now}
	if err := r.take(in.Body.Topic, in.Body.Questions, in.Body.URLs); err != nil {
		return out, err
	}
	b, err := business.Named(tx, c.Org, r.BusinessID)
	if err != nil {
		return out, err
	}
	r.Language = string(b.DefaultLanguage)
	if err := s.mayResearch(tx, c.Org, r.BusinessID); err != nil {
		return out, err
	}
	if err := mayWait(tx, c.Org); err != nil {
		return out, err
	}
	if err := records.Insert(tx, c.Org, &r); err != nil {
		return out, err
	}
	if err := ask(tx, c.Org, r.ID); err != nil {
		return out, err
	}
	return api.New(r.shown(c.Org)), audit.Write(tx, c, "research.created", r.resource())
}

// mayWait refuses when as much as may wait or run does so already.
func mayWait(tx *store.Tx, org string) error {
	waiting := 0
	for _, status := range []Status{Queued, Running} {
		n, err := statusFacet.Count(tx, org, string(status))
		if err != nil {
			return err
		}
		waiting += n
	}
	if waiting >= maxWaiting {
		return api.ErrConflict.WithMessage("At most %d may wait or run; come again when some have ended.", maxWaiting)
	}
	return nil
}

// mayResearch refuses where the agent RESEARCH is not granted the tool web_research for a
// business.
func (s *Service) mayResearch(tx *store.Tx, org, business string) error {
	if s.o.Runs == nil { // no agents
		return nil
	}
	c, _, err := agent.Effective(tx, org, agent.Research, business)
	if err == nil && !c.Tools.WebResearch {
		return api.ErrForbidden.WithMessage("The agent RESEARCH may not read the web; grant web_research in its configuration.")
	}
	return err
}

func ask(tx *store.Tx, org, id string) error {
	_, err := queue.Add(tx, working{org, id}, time.Time{}, queue.Once(id), queue.InLane(org), queue.Attempts(tries), queue.For(org, id))
	return err
}

// take brings what is asked into form.
func (r *record) take(topic string, questions, urls []string) error {
	r.Topic = strings.Join(strings.Fields(topic), " ")
	wrong := []error{}
	if n := len([]rune(r.Topic)); n == 0 || n > maxTopic {
		wrong = append(wrong, api.Wrong("topic", "must have 1 to %d characters", maxTopic))
	}
	for _, q := range questions {
		if q = strings.Join(strings.Fields(q), " "); q == "" {
			continue
		}
		if len([]rune(q)) > maxQuestion {
			wrong = append(wrong, api.Wrong("questions", "must have at most %d characters each", maxQuestion))
		}
		r.Questions = append(r.Questions, q)
	}
	for _, u := range urls {
		if _, err := source.CheckURL(strings.TrimSpace(u)); err != nil {
			wrong = append(wrong, api.Wrong("urls", "must be addresses such as https://example.uz/page"))
		}
		r.URLs = append(r.URLs, strings.TrimSpace(u))
	}
	if len(r.Questions) > maxQuestions {
		wrong = append(wrong, api.Wrong("questions", "must be %d at most", maxQuestions))
	}
	if len(r.URLs) > maxNamed {
		wrong = append(wrong, api.Wrong("urls", "must be %d at most", maxNamed))
	}
	return api.AllWrong(wrong...)
}

type listIn struct {
	api.PageIn
	BusinessID string `query:"business_id" maxLength:"64"`
	Status     Status `query:"status" enum:"QUEUED,RUNNING,DONE,FAILED"`
}

func (s *Service) list(c *api.Call, in listIn) (out api.Page[Shown], err error) {
	q := store.Query[record]{Offset: in.Offset, Limit: in.Limit, After: in.Behind(), Reverse: true}
	if in.BusinessID != "" {
		q.Where = append(q.Where, ofBusiness.Any(in.BusinessID))
	}
	if in.Status != "" {
		q.Where = append(q.Where, statusFacet.Any(string(in.Status)))
	}
	return api.ListOf(c, s.db, records, q, in.PageIn, func(_ *store.Tx, x *record) (Shown, error) { return x.shown(c.Org), nil })
}

type idIn struct {
	ID string `path:"id" maxLength:"64"`
}

func (s *Service) get(c *api.Call, in idIn) (out Shown, err error) {
	err = s.db.View(c, func(tx *store.Tx) error {
		r, err := records.Get(tx, c.Org, in.ID)
		out = r.shown(c.Org)
		return err
	})
	return out, err
}

// save makes a source of the findings, which a person publishes.
func (s *Service) save(c *api.Call, tx *store.Tx, in idIn) (out api.MaybeCreated[source.Shown], err error) {
	r, err := records.Get(tx, c.Org, in.ID)
	if err != nil {
		return out, err
	}
	if r.Status != Done {
		return out, api.ErrState.WithMessage("Research that is %s has nothing to save.", r.Status)
	}
	if r.SourceID != "" {
		src, err := source.Get(tx, c.Org, r.SourceID)
		if !store.IsNotFound(err) {
			out.Value = src.Shown(c.Org)
			return out, err
		}
	}
	src, err := source.AddDraft(tx, c, tx.DB().NewID("kns"), r.BusinessID, r.Topic, r.text())
	if err != nil {
		return out, err
	}
	r.SourceID = src.ID
	out = api.MaybeCreated[source.Shown]{Made: true, Value: src.Shown(c.Org)}
	return out, records.Put(tx, c.Org, &r)
}

// text is what was found, as the text of a source.
func (r *record) text() string {
	var b strings.Builder
	if r.Summary != "" {
		b.WriteString(r.Summary + "\n\n")
	}
	for _, f := range r.Findings {
		b.WriteString(f.Text + "\n" + f.URL + "\n\n")
	}
	return strings.TrimSpace(b.String())
}
