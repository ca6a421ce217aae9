package recipient

import (
	"slices"
	"strings"
	"time"

	"svc/app/api"
	"svc/app/audit"
	"svc/store"
	"svc/store/queue"
)

// ShownList is a list as the API answers it.
type ShownList struct {
	ID          string     `json:"id"`
	Name        string     `json:"name"`
	Description *string    `json:"description"`
	Color       *string    `json:"color"`
	Members     int        `json:"members_count"`
	Sendable    int        `json:"sendable_count" doc:"Members that campaigns may write to."`
	CreatedBy   *string    `json:"created_by"`
	Creator     *api.Named `json:"creator"`
	CreatedAt   time.Time  `json:"created_at"`
	UpdatedAt   time.Time  `json:"updated_at"`
}

func showList(tx *store.Tx, org string, l List) (ShownList, error) {
	members, sendable, err := sizes(tx, org, l.ID)
	return ShownList{
		ID: l.ID, Name: l.Name, Description: l.Description, Color: l.Color, Members: members, Sendable: sendable,
		CreatedBy: api.Optional(l.CreatedBy), Creator: api.Ref(org, l.CreatedBy), CreatedAt: l.CreatedAt, UpdatedAt: l.UpdatedAt,
	}, err
}

type listsIn struct {
	api.PageIn
	Sort string `query:"sort" enum:"created_at,-created_at,name,-name" default:"-created_at"`
}

func (s *Service) lists(c *api.Call, tx *store.Tx, in listsIn) (out api.Page[ShownList], err error) {
	q := store.Query[List]{Reverse: strings.HasPrefix(in.Sort, "-"), Offset: in.Offset, Limit: in.Limit, After: in.Behind()}
	if strings.HasSuffix(in.Sort, "name") {
		q.Sort = listsByName
	}
	page, err := lists.Page(tx, c.Org, q)
	if err != nil {
		return out, err
	}
	return api.ShowPage(page, in.PageIn, func(x *List) (ShownList, error) { return showList(tx, c.Org, *x) })
}

type createListIn struct {
	Body struct {
		Name        string  `json:"name" required:"true" minLength:"1" maxLength:"80" example:"Customers 2026"`
		Description *string `json:"description" maxLength:"500"`
		Color       *string `json:"color" maxLength:"32" doc:"As the console shows it." example:"#2f6f4f"`
	}
}

var errBlankName = api.Wrong("name", "must not be blank")

func (s *Service) createList(c *api.Call, in createListIn) (out api.Created[ShownList], err error) {
	if strings.TrimSpace(in.Body.Name) == "" {
		return out, errBlankName
	}
	err = s.db.Update(c, func(tx *store.Tx) error {
		l := List{
			ID: tx.DB().NewID("lst"), Name: in.Body.Name, Description: in.Body.Description, Color: in.Body.Color,
			CreatedBy: c.Caller.ID, CreatedAt: c.Now, UpdatedAt: c.Now,
		}
		if err := MakeList(tx, c, &l); err != nil {
			return err
		}
		shown, err := showList(tx, c.Org, l)
		out = api.New(shown)
		return err
	})
	return out, err
}

// MakeList saves a new list and writes it into the audit log. A list of its name is
// ErrListName.
func MakeList(tx *store.Tx, c *api.Call, l *List) error {
	if err := newList(tx, c.Org, l); err != nil {
		return err
	}
	return audit.Write(tx, c, "list.created", audit.On("list", l.ID, l.Name))
}

func (s *Service) getList(c *api.Call, tx *store.Tx, in IDIn) (out ShownList, err error) {
	l, err := lists.Get(tx, c.Org, in.ID)
	if err != nil {
		return out, err
	}
	return showList(tx, c.Org, l)
}

type updateListIn struct {
	IDIn
	Body struct {
		Name        api.Patch[string]     `json:"name" minLength:"1" maxLength:"80"`
		Description api.PatchNull[string] `json:"description" maxLength:"500"`
		Color       api.PatchNull[string] `json:"color" maxLength:"32"`
	}
}

func (s *Service) updateList(c *api.Call, tx *store.Tx, in updateListIn) (out ShownList, err error) {
	if in.Body.Name.Set && strings.TrimSpace(in.Body.Name.Value) == "" {
		return out, errBlankName
	}
	l, err := lists.Get(tx, c.Org, in.ID)
	if err != nil {
		return out, err
	}
	was := l
	in.Body.Name.Apply(&l.Name)
	in.Body.Description.Apply(&l.Description)
	in.Body.Color.Apply(&l.Color)
	l.UpdatedAt = c.Now
	if err := putList(tx, c.Org, &l); err != nil {
		return out, err
	}
	err = audit.Write(tx, c, "list.updated", audit.On("list", l.ID, l.Name), audit.Changed("name", was.Name, l.Name),
		audit.Changed("description", was.Description, l.Description), audit.Changed("color", was.Color, l.Color))
	if err != nil {
		return out, err
	}
	out, err = showList(tx, c.Org, l)
	return out, err
}

func (s *Service) deleteList(c *api.Call, in IDIn) (api.NoContent, error) {
	err := s.db.Update(c, func(tx *store.Tx) error {
		l, err := lists.Get(tx, c.Org, in.ID)
		if err != nil {
			return err
		}
		if err := lists.Delete(tx, c.Org, l.ID); err != nil {
			return err
		}
		// Its members forget it in a job: there may be a million.
		if _, err := queue.Add(tx, unlist{Org: c.Org, List: l.ID}, time.Time{}, queue.For(c.Org, l.ID)); err != nil {
			return err
		}
		return audit.Write(tx, c, "list.deleted", audit.On("list", l.ID, l.Name))
	})
	return api.NoContent{}, err
}

type membersIn struct {
	IDIn
	Body struct {
		RecipientIDs []string `json:"recipient_ids" required:"true" minItems:"1" maxItems:"5000"`
	}
}

type removeMembersIn struct {
	IDIn
	RecipientIDs []string `query:"recipient_ids,explode" maxItems:"5000" doc:"Repeatable, or several with commas between them; instead of the body."`
	Body         *struct {
		RecipientIDs []string `json:"recipient_ids" nullable:"true" maxItems:"5000"`
	}
}

// ids are those of the query or of the body: many clients send no body with DELETE.
func (in removeMembersIn) ids() ([]string, error) {
	var ids []string
	for _, part := range in.RecipientIDs {
		for id := range strings.SplitSeq(part, ",") {
			ids = union(ids, present(strings.TrimSpace(id)))
		}
	}
	inBody := in.Body != nil && len(in.Body.RecipientIDs) > 0
	switch {
	case inBody && len(ids) > 0:
		return nil, api.Wrong("recipient_ids", "send them in the query or in the body, not in both")
	case inBody:
		ids = in.Body.RecipientIDs
	case len(ids) == 0:
		return nil, api.Wrong("recipient_ids", "is needed: name the recipients in the query or in the body")
	case len(ids) > MaxBulk:
		return nil, api.Wrong("recipient_ids", "must not be more than %d", MaxBulk)
	}
	return ids, nil
}

// MembersAdded says what became of the recipients that were to be put into a list.
type MembersAdded struct {
	Added    int `json:"added"`
	Already  int `json:"already" doc:"In the list before."`
	NotFound int `json:"not_found"`
}

// MembersRemoved says what became of the recipients that were to be taken out of a list.
type MembersRemoved struct {
	Removed  int `json:"removed"`
	Already  int `json:"already" doc:"Not in the list before."`
	NotFound int `json:"not_found"`
}

func (s *Service) addMembers(c *api.Call, in membersIn) (MembersAdded, error) {
	t, err := s.changeMembers(c, in.ID, in.Body.RecipientIDs, addToList)
	return MembersAdded{t.changed, t.unchanged, t.missing}, err
}

func (s *Service) removeMembers(c *api.Call, in removeMembersIn) (MembersRemoved, error) {
	ids, err := in.ids()
	if err != nil {
		return MembersRemoved{}, err
	}
	t, err := s.changeMembers(c, in.ID, ids, removeFromList)
	return MembersRemoved{t.changed, t.unchanged, t.missing}, err
}

func (s *Service) changeMembers(c *api.Call, list string, ids []string, a action) (tally, error) {
	return s.inBulk(c, slices.Compact(slices.Sorted(slices.Values(ids))), change{action: a, list: list})
}
