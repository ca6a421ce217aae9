package dataset

import (
	"time"

	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/audit"
	"svc/app/engine/agent"
	"svc/app/inbox/conversation"
	"svc/app/knowledge/source"
	"svc/app/quality/grade"
	"svc/store"
)

// Service does the operations about datasets.
type Service struct {
	db *store.DB
	// inUse says why a dataset cannot be deleted, nil when it can.
	inUse func(tx *store.Tx, org, id string) error
}

// New makes the service. inUse refuses to delete a dataset that something needs.
func New(db *store.DB, inUse func(tx *store.Tx, org, id string) error) *Service {
	return &Service{db, inUse}
}

// Endpoints are the operations of this package.
func (s *Service) Endpoints() []api.Endpoint {
	return []api.Endpoint{
		api.E("POST /ai/eval-datasets", "ai.create_dataset", perm.AIManage, "Make a dataset for evaluations.", s.create, api.Errors(api.ErrConflict)),
		api.E("GET /ai/eval-datasets", "ai.list_datasets", perm.AIRead, "List datasets, the newest first.", s.list),
		api.E("GET /ai/eval-datasets/{id}", "ai.get_dataset", perm.AIRead, "Read a dataset.", s.get),
		api.E("DELETE /ai/eval-datasets/{id}", "ai.delete_dataset", perm.AIManage,
			"Delete a dataset with its items; refused while a quality gate names it or an evaluation of it runs.", s.delete, api.Errors(api.ErrConflict)),
		api.E("POST /ai/eval-datasets/{id}/items", "ai.add_dataset_item", perm.AIOperate,
			"Add a conversation with what a good answer has; personal data is masked.", api.Write(s.db, s.add), api.Errors(api.ErrState)),
		api.E("GET /ai/eval-datasets/{id}/items", "ai.list_dataset_items", perm.AIRead, "List the items of a dataset, the newest first.", s.listItems),
	}
}

// Shown is a dataset in the API.
type Shown struct {
	ID          string      `json:"id"`
	Name        string      `json:"name"`
	Description *string     `json:"description"`
	Agent       agent.Agent `json:"agent" enum:"SELLER,DECISION"`
	BusinessID  *string     `json:"business_id"`
	Business    *api.Named  `json:"business"`
	ItemsCount  int         `json:"items_count"`
	CreatedBy   string      `json:"created_by"`
	Creator     *api.Named  `json:"creator"`
	CreatedAt   time.Time   `json:"created_at"`
	UpdatedAt   time.Time   `json:"updated_at"`
}

func (d *Dataset) shown(tx *store.Tx, org string) (Shown, error) {
	n, err := Count(tx, org, d.ID)
	return Shown{
		ID: d.ID, Name: d.Name, Description: api.Optional(d.Description), Agent: d.Agent, BusinessID: api.Optional(d.BusinessID),
		Business: api.Ref(org, d.BusinessID), ItemsCount: n, CreatedBy: d.CreatedBy, Creator: api.Ref(org, d.CreatedBy), CreatedAt: d.CreatedAt,
		UpdatedAt: d.UpdatedAt,
	}, err
}

type createBody struct {
	Name        string      `json:"name" required:"true" minLength:"1" maxLength:"120" example:"Narx savollari"`
	Description *string     `json:"description" maxLength:"1000"`
	Agent       agent.Agent `json:"agent" required:"true" enum:"SELLER,DECISION,SUMMARY,MEMORY,CASES,ANALYSIS,NARRATIVE,CALENDAR,RESEARCH,COMPOSER,SOCIAL,JUDGE"`
	BusinessID  *string     `json:"business_id" maxLength:"64" doc:"Whose offers, knowledge and settings answer; an evaluation names one when left out."`
}

type createIn struct{ Body createBody }

func (s *Service) create(c *api.Call, in createIn) (out api.Created[Shown], err error) {
	id := s.db.NewID("eds")
	err = s.db.Update(c, func(tx *store.Tx) error {
		d := Dataset{ID: id, CreatedBy: c.Caller.ID, CreatedAt: c.Now, UpdatedAt: c.Now}
		if err := d.take(tx, c.Org, &in.Body); err != nil {
			return err
		}
		if err := d.insert(tx, c.Org); err != nil {
			return err
		}
		x, err := d.shown(tx, c.Org)
		if err != nil {
			return err
		}
		out = api.New(x)
		return audit.Write(tx, c, "eval_dataset.created", d.resource())
	})
	return out, err
}

// insert stores a new dataset, unless the organization has too many or one with its name.
func (d *Dataset) insert(tx *store.Tx, org string) error {
	n, err := datasets.Count(tx, org)
	if err != nil {
		return err
	}
	if n >= MaxDatasets {
		return api.ErrConflict.WithMessage("An organization has %d datasets at most; delete one.", MaxDatasets)
	}
	err = datasets.Insert(tx, org, d)
	if store.Duplicate(err) {
		return api.ErrConflict.WithMessage("Another dataset has this name.")
	}
	return err
}

type listIn struct {
	api.PageIn
	Agent      agent.Agent `query:"agent" enum:"SELLER,DECISION"`
	BusinessID string      `query:"business_id" maxLength:"64"`
}

func (s *Service) list(c *api.Call, in listIn) (out api.Page[Shown], err error) {
	q := store.Query[Dataset]{Reverse: true, Offset: in.Offset, Limit: in.Limit, After: in.Behind()}
	if in.Agent != "" {
		q.Where = append(q.Where, agents.Any(string(in.Agent)))
	}
	if in.BusinessID != "" {
		q.Where = append(q.Where, places.Any(in.BusinessID))
	}
	return api.ListOf(c, s.db, datasets, q, in.PageIn, func(tx *store.Tx, d *Dataset) (Shown, error) { return d.shown(tx, c.Org) })
}

type idIn struct {
	ID string `path:"id" maxLength:"64"`
}

func (s *Service) get(c *api.Call, in idIn) (out Shown, err error) {
	err = s.db.View(c, func(tx *store.Tx) error {
		d, err := datasets.Get(tx, c.Org, in.ID)
		if err == nil {
			out, err = d.shown(tx, c.Org)
		}
		return err
	})
	return out, err
}

func (s *Service) delete(c *api.Call, in idIn) (out api.NoContent, err error) {
	err = s.db.Update(c, func(tx *store.Tx) error {
		d, err := datasets.Get(tx, c.Org, in.ID)
		if err != nil {
			return err
		}
		if err := s.inUse(tx, c.Org, d.ID); err != nil {
			return err
		}
		if _, err := Remove(tx, c.Org, d.ID, MaxItems+1); err != nil {
			return err
		}
		return audit.Write(tx, c, "eval_dataset.deleted", d.resource())
	})
	return out, err
}

// ShownItem is an item in the API.
type ShownItem struct {
	ID         string         `json:"id"`
	DatasetID  string         `json:"dataset_id"`
	Dataset    *api.Named     `json:"dataset"`
	Input      Input          `json:"input"`
	Expected   grade.Expected `json:"expected"`
	Tags       []string       `json:"tags" doc:"must_pass: a version that fails here never passes a quality gate."`
	Source     Source         `json:"source" enum:"MANUAL,FEEDBACK,CONVERSATION"`
	FeedbackID *string        `json:"feedback_id"`
	CreatedBy  string         `json:"created_by"`
	Creator    *api.Named     `json:"creator"`
	CreatedAt  time.Time      `json:"created_at"`
}

func (i *Item) shown(db *store.DB, org string) (ShownItem, error) {
	c, err := i.Open(db, org)
	return ShownItem{
		ID: i.ID, DatasetID: i.Dataset, Dataset: api.Ref(org, i.Dataset), Input: c.Input, Expected: c.Expected, Tags: append([]string{}, i.Tags...), Source: i.Source,
		FeedbackID: api.Optional(i.Feedback), CreatedBy: i.CreatedBy, Creator: api.Ref(org, i.CreatedBy), CreatedAt: i.CreatedAt,
	}, err
}

type addIn struct {
	ID   string `path:"id" maxLength:"64"`
	Body struct {
		Input          *Input         `json:"input" doc:"Left out with conversation_id."`
		ConversationID *string        `json:"conversation_id" maxLength:"64" doc:"Takes the messages of a conversation in the place of input."`
		MessageID      *string        `json:"message_id" maxLength:"64" doc:"The message of the customer that is answered; the last one when left out."`
		Expected       grade.Expected `json:"expected"`
		Tags           []string       `json:"tags" maxItems:"20"`
	}
}

func (s *Service) add(c *api.Call, tx *store.Tx, in addIn) (out api.Created[ShownItem], err error) {
	d, err := datasets.Get(tx, c.Org, in.ID)
	if err != nil {
		return out, err
	}
	i, content, err := in.item(tx, c)
	if err != nil {
		return out, err
	}
	if err := sourcesOf(tx, c.Org, content.Expected.Sources); err != nil {
		return out, err
	}
	if i, err = Add(tx, c.Org, &d, i, content); err != nil {
		return out, err
	}
	x, err := i.shown(tx.DB(), c.Org)
	if err != nil {
		return out, err
	}
	return api.New(x), audit.Write(tx, c, "eval_dataset.item_added", d.resource(), audit.Changed("item", nil, i.ID))
}

// item is what a request adds: what it holds itself, or what a conversation holds.
func (in *addIn) item(tx *store.Tx, c *api.Call) (i Item, content Content, err error) {
	i = Item{Source: Manual, Tags: in.Body.Tags, CreatedBy: c.Caller.ID}
	content.Expected = in.Body.Expected
	switch b := &in.Body; {
	case b.ConversationID != nil && b.Input == nil:
		i.Source, i.Conversation = FromConversation, *b.ConversationID
		content.Input, err = fromConversation(tx, c, *b.ConversationID, b.MessageID)
	case b.Input != nil && b.ConversationID == nil:
		content.Input = *b.Input
	default:
		err = api.Wrong("input", "or conversation_id is needed, and not both")
	}
	return i, content, err
}

// sourcesOf refuses sources of knowledge that an answer can never have: an item with one would
// fail for ever.
func sourcesOf(tx *store.Tx, org string, ids []string) error {
	for _, id := range ids {
		if _, err := source.Get(tx, org, id); store.IsNotFound(err) {
			return api.Wrong("expected.knowledge_source_ids", "names no knowledge source of the organization")
		} else if err != nil {
			return err
		}
	}
	return nil
}

// fromConversation reads the messages of a conversation up to one of the customer's.
func fromConversation(tx *store.Tx, c *api.Call, id string, message *string) (in Input, err error) {
	k, err := conversation.GetVisible(tx, c, id)
	if store.IsNotFound(err) {
		return in, api.Wrong("conversation_id", "names no conversation of the organization")
	}
	if err != nil {
		return in, err
	}
	until := k.LastID
	if message != nil {
		until = *message
	}
	in, err = Until(tx, c.Org, &k, until)
	if store.IsNotFound(err) {
		return in, api.Wrong("message_id", "names no message of this conversation")
	}
	return in, err
}

// ErrPersonal refuses what is of a personal chat.
var ErrPersonal = api.ErrState.WithMessage("A personal chat never enters a dataset.")

type itemsIn struct {
	ID string `path:"id" maxLength:"64"`
	api.PageIn
	Tag    string `query:"tag" maxLength:"64"`
	Source Source `query:"source" enum:"MANUAL,FEEDBACK,CONVERSATION"`
}

func (s *Service) listItems(c *api.Call, in itemsIn) (out api.Page[ShownItem], err error) {
	q := store.Query[Item]{Where: []store.Cond[Item]{within.Any(in.ID)}, Reverse: true, Offset: in.Offset, Limit: in.Limit, After: in.Behind()}
	if in.Tag != "" {
		q.Where = append(q.Where, tagged.Any(in.Tag))
	}
	if in.Source != "" {
		q.Where = append(q.Where, sources.Any(string(in.Source)))
	}
	err = s.db.View(c, func(tx *store.Tx) error {
		if _, err := datasets.Get(tx, c.Org, in.ID); err != nil {
			return err
		}
		page, err := items.Page(tx, c.Org, q)
		if err != nil {
			return err
		}
		out, err = api.ShowPage(page, in.PageIn, func(i *Item) (ShownItem, error) { return i.shown(s.db, c.Org) })
		return err
	})
	return out, err
}
