package cases

import (
	"slices"
	"strings"
	"time"

	"svc/ai/document"
	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/audit"
	"svc/app/business"
	"svc/app/engine/execution"
	"svc/app/insight/dimension"
	"svc/store"
)

// Sampled is a conversation from which cases are made.
type Sampled struct {
	Conversation string
	// Text says what it is about, masked.
	Text string
	// Of are the dimensions of which it says something.
	Of []dimension.Dimension
}

// Options of New.
type Options struct {
	// Conversations is how many conversations have a case.
	Conversations func(tx *store.Tx, org, id string) (int, error)
	// Sample are conversations of a business from which cases are made, at most n.
	Sample func(tx *store.Tx, org, business string, n int) ([]Sampled, error)
	// Allowed refuses where conversations are not analysed.
	Allowed func(tx *store.Tx, org string) error
	Runs    *execution.Service
}

// Service does the operations of the package.
type Service struct {
	db *store.DB
	o  Options
}

// New makes the service. It starts nothing; see Work.
func New(db *store.DB, o Options) *Service { return &Service{db, o} }

// Endpoints are the operations of the package.
func (s *Service) Endpoints() []api.Endpoint {
	return []api.Endpoint{
		api.E("GET /ai/businesses/{id}/cases", "cases.list", perm.AIRead, "List the cases of a business.", s.list),
		api.E("POST /ai/businesses/{id}/cases", "cases.create", perm.AIManage, "Add a case.", s.create, api.Errors(api.ErrConflict)),
		api.E("POST /ai/businesses/{id}/cases/generate", "cases.generate", perm.AIManage,
			"Find cases in conversations, in the background: those that are alike are grouped and named.", s.generate, api.Status(202), api.Errors(api.ErrState)),
		api.E("GET /ai/businesses/{id}/cases/generation", "cases.generation", perm.AIRead, "Read how the last generation went.", s.generation),
		api.E("PATCH /ai/cases/{id}", "cases.update", perm.AIManage, "Change a case, archive it, bring it back, or merge it into another.", api.Write(s.db, s.update), api.Errors(api.ErrConflict, api.ErrState)),
		api.E("DELETE /ai/cases/{id}", "cases.delete", perm.AIManage, "Delete a case; one that conversations have is archived instead.", s.remove),
	}
}

// Shown is a case as the API answers it (contract 15.2).
type Shown struct {
	ID            string              `json:"id"`
	BusinessID    string              `json:"business_id"`
	Business      *api.Named          `json:"business"`
	Dimension     dimension.Dimension `json:"dimension" enum:"PURCHASE_OUTCOME,LOST_REASON,DISSATISFACTION,DEMAND,SERVICE_QUALITY,CONTENT_TOPIC,COMMENT_TOPIC"`
	Key           string              `json:"key" doc:"What models and the decision service are given; it never changes."`
	Name          Names               `json:"name"`
	Description   string              `json:"description"`
	Examples      []string            `json:"examples" nullable:"false" doc:"What customers say."`
	Source        Source              `json:"source" enum:"GENERATED,MANUAL"`
	Status        Status              `json:"status" enum:"ACTIVE,ARCHIVED"`
	MergedInto    *api.Named          `json:"merged_into" doc:"The case as which it counts."`
	Conversations int                 `json:"conversations_count" doc:"That were given this case, not those that were merged into it."`
	CreatedAt     time.Time           `json:"created_at"`
	UpdatedAt     time.Time           `json:"updated_at"`
}

func (s *Service) shown(tx *store.Tx, org string, k *Case) (Shown, error) {
	n, err := s.o.Conversations(tx, org, k.ID)
	return Shown{
		ID: k.ID, BusinessID: k.Business, Business: api.Ref(org, k.Business), Dimension: k.Dimension, Key: k.Key, Name: k.Name, Description: k.Description,
		Examples: append([]string{}, k.Examples...), Source: k.Source, Status: k.Status, MergedInto: api.Ref(org, k.MergedInto), Conversations: n,
		CreatedAt: k.CreatedAt, UpdatedAt: k.UpdatedAt,
	}, err
}

type listIn struct {
	api.PageIn
	ID        string              `path:"id" maxLength:"64"`
	Dimension dimension.Dimension `query:"dimension" enum:"PURCHASE_OUTCOME,LOST_REASON,DISSATISFACTION,DEMAND,SERVICE_QUALITY,CONTENT_TOPIC,COMMENT_TOPIC"`
	Status    Status              `query:"status" enum:"ACTIVE,ARCHIVED"`
}

func (s *Service) list(c *api.Call, in listIn) (out api.Page[Shown], err error) {
	q := store.Query[Case]{Sort: inOrder, Offset: in.Offset, Limit: in.Limit, After: in.Behind(), Where: []store.Cond[Case]{businessFacet.Any(in.ID)}}
	if in.Dimension != "" {
		q.Where = append(q.Where, dimensionFacet.Any(in.ID+"/"+string(in.Dimension)))
	}
	if in.Status != "" {
		q.Where = append(q.Where, statusFacet.Any(string(in.Status)))
	}
	err = s.db.View(c, func(tx *store.Tx) error {
		if _, err := business.Get(tx, c.Org, in.ID); err != nil {
			return err
		}
		page, err := table.Page(tx, c.Org, q)
		if err != nil {
			return err
		}
		out, err = api.ShowPage(page, in.PageIn, func(k *Case) (Shown, error) { return s.shown(tx, c.Org, k) })
		return err
	})
	return out, err
}

type createIn struct {
	ID   string `path:"id" maxLength:"64"`
	Body struct {
		Dimension   dimension.Dimension `json:"dimension" required:"true" enum:"PURCHASE_OUTCOME,LOST_REASON,DISSATISFACTION,DEMAND,SERVICE_QUALITY,CONTENT_TOPIC,COMMENT_TOPIC"`
		Key         string              `json:"key" maxLength:"40" pattern:"^[a-z0-9_]*$" doc:"Made of the name when left out."`
		Name        Names               `json:"name" required:"true" doc:"A language that is left out takes that of another."`
		Description string              `json:"description" maxLength:"500"`
		Examples    []string            `json:"examples" maxItems:"10" doc:"Of 300 characters at most."`
	}
}

func (s *Service) create(c *api.Call, in createIn) (out api.Created[Shown], err error) {
	k := Case{
		ID: s.db.NewID("cas"), Business: in.ID, Dimension: in.Body.Dimension, Key: in.Body.Key, Name: in.Body.Name, Description: in.Body.Description,
		Examples: in.Body.Examples, Source: Manual, Status: Active, CreatedBy: c.Caller.ID, CreatedAt: c.Now, UpdatedAt: c.Now,
	}
	if err := k.tidy(); err != nil {
		return out, err
	}
	err = s.db.Update(c, func(tx *store.Tx) error {
		k := k
		if _, err := business.Get(tx, c.Org, in.ID); err != nil {
			return err
		}
		if err := k.insert(tx, c.Org); err != nil {
			return err
		}
		if out.Value, err = s.shown(tx, c.Org, &k); err != nil {
			return err
		}
		return audit.Write(tx, c, "case.created", k.resource(), audit.Changed("dimension", nil, k.Dimension))
	})
	return out, err
}

// insert stores a new case. A key of its own is taken as it is, else one is made.
func (k *Case) insert(tx *store.Tx, org string) (err error) {
	if err := room(tx, org, k.Business, k.Dimension); err != nil {
		return err
	}
	if k.Key == "" {
		if k.Key, err = freeKey(tx, org, k.Business, k.Dimension, k.Name.EN); err != nil {
			return err
		}
	}
	if strings.EqualFold(k.Key, dimension.Unclear) {
		return api.Wrong("key", "stands for conversations without a case")
	}
	err = table.Insert(tx, org, k)
	if store.Duplicate(err, "key") {
		return api.ErrConflict.WithMessage("Another case of the dimension has the key %s.", k.Key)
	}
	return err
}

const maxExample = 300

// tidy brings what people write into form.
func (k *Case) tidy() error {
	wrong := []error{}
	if !k.Name.fill() {
		wrong = append(wrong, api.Wrong("name", "must have a name in one language at least"))
	}
	for _, n := range []string{k.Name.UZ, k.Name.RU, k.Name.EN} {
		if len([]rune(n)) > maxName {
			wrong = append(wrong, api.Wrong("name", "must have at most %d characters", maxName))
			break
		}
	}
	k.Description = strings.TrimSpace(document.Clean(k.Description))
	var list []string
	for _, x := range k.Examples {
		if x = strings.Join(strings.Fields(document.Clean(x)), " "); x == "" {
			continue
		}
		if len([]rune(x)) > maxExample {
			wrong = append(wrong, api.Wrong("examples", "must have at most %d characters each", maxExample))
		}
		list = append(list, x)
	}
	if k.Examples = list; len(list) > maxExamples {
		wrong = append(wrong, api.Wrong("examples", "must be %d at most", maxExamples))
	}
	return api.AllWrong(wrong...)
}

type updateIn struct {
	ID   string `path:"id" maxLength:"64"`
	Body struct {
		Name        api.Patch[Names]    `json:"name"`
		Description api.Patch[string]   `json:"description" maxLength:"500"`
		Examples    api.Patch[[]string] `json:"examples" maxItems:"10"`
		Status      api.Patch[Status]   `json:"status" enum:"ACTIVE,ARCHIVED" doc:"ACTIVE takes back a merge."`
		MergeInto   api.Patch[string]   `json:"merge_into" maxLength:"64" doc:"Another case of the dimension as which it counts from now on; it is archived."`
	}
}

func (s *Service) update(c *api.Call, tx *store.Tx, in updateIn) (out Shown, err error) {
	k, err := table.Get(tx, c.Org, in.ID)
	if err != nil {
		return out, err
	}
	before := k
	k.Examples = slices.Clone(k.Examples)
	in.Body.Name.Apply(&k.Name)
	in.Body.Description.Apply(&k.Description)
	in.Body.Examples.Apply(&k.Examples)
	if err := k.tidy(); err != nil {
		return out, err
	}
	if err := k.move(tx, c.Org, in.Body.Status, in.Body.MergeInto); err != nil {
		return out, err
	}
	if err := s.save(tx, c, &before, &k); err != nil {
		return out, err
	}
	out, err = s.shown(tx, c.Org, &k)
	return out, err
}

// save stores a case that a person changed.
func (s *Service) save(tx *store.Tx, c *api.Call, before, k *Case) error {
	action := "case.updated"
	if k.MergedInto != before.MergedInto && k.MergedInto != "" {
		action = "case.merged"
	}
	k.UpdatedAt = tx.DB().Now()
	if err := table.Put(tx, c.Org, k); err != nil {
		return err
	}
	return audit.Write(tx, c, action, k.resource(), audit.Changed("name", before.Name, k.Name), audit.Changed("description", before.Description, k.Description),
		audit.Changed("examples", before.Examples, k.Examples), audit.Changed("status", before.Status, k.Status), audit.Changed("merged_into", before.MergedInto, k.MergedInto))
}

// move changes the status of a case and as which it counts.
func (k *Case) move(tx *store.Tx, org string, status api.Patch[Status], into api.Patch[string]) error {
	if into.Set && into.Value != "" {
		return k.merge(tx, org, into.Value)
	}
	if !status.Set || status.Value == k.Status {
		return nil
	}
	if status.Value == Active {
		if err := room(tx, org, k.Business, k.Dimension); err != nil {
			return err
		}
		k.MergedInto = ""
	}
	k.Status = status.Value
	return nil
}

// merge makes a case count as another one, and with it what counted as the first.
func (k *Case) merge(tx *store.Tx, org, into string) error {
	to, err := table.Get(tx, org, into)
	if store.IsNotFound(err) || err == nil && (to.Business != k.Business || to.Dimension != k.Dimension || to.ID == k.ID) {
		return api.Wrong("merge_into", "there is no other case %.64s of the dimension", into)
	}
	if err != nil {
		return err
	}
	if to.MergedInto != "" {
		return api.ErrState.WithMessage("That case was merged into another one itself.")
	}
	under, err := Including(tx, org, k.ID)
	if err != nil {
		return err
	}
	for _, id := range under[1:] {
		if _, err := table.Edit(tx, org, id, func(x *Case) error { x.MergedInto = to.ID; return nil }); err != nil {
			return err
		}
	}
	k.MergedInto, k.Status = to.ID, Archived
	return nil
}

type idIn struct {
	ID string `path:"id" maxLength:"64"`
}

func (s *Service) remove(c *api.Call, in idIn) (out api.NoContent, err error) {
	return out, s.db.Update(c, func(tx *store.Tx) error {
		k, err := table.Get(tx, c.Org, in.ID)
		if err != nil {
			return err
		}
		used, err := s.used(tx, c.Org, k.ID)
		if err != nil {
			return err
		}
		if before := k; used {
			k.Status = Archived
			return s.save(tx, c, &before, &k)
		}
		if err := table.Delete(tx, c.Org, k.ID); err != nil {
			return err
		}
		return audit.Write(tx, c, "case.deleted", k.resource())
	})
}

// used says whether conversations or other cases have a case.
func (s *Service) used(tx *store.Tx, org, id string) (bool, error) {
	n, err := s.o.Conversations(tx, org, id)
	if err != nil || n > 0 {
		return n > 0, err
	}
	under, err := Including(tx, org, id)
	return len(under) > 1, err
}

// ForgetBusiness removes up to limit cases of a business that is gone, and says how many there
// were.
func ForgetBusiness(tx *store.Tx, org, id string, limit int) (int, error) {
	page, err := table.Page(tx, org, store.Query[Case]{Where: []store.Cond[Case]{businessFacet.Any(id)}, Limit: limit})
	for i := range page.Data {
		if err == nil {
			err = table.Delete(tx, org, page.Data[i].ID)
		}
	}
	if err == nil && len(page.Data) < limit {
		err = store.IgnoreNotFound(generations.Delete(tx, org, id))
	}
	return len(page.Data), err
}
