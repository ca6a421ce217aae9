package inbox

import (
	"slices"
	"time"

	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/event"
	"svc/app/inbox/conversation"
	"svc/app/inbox/note"
	"svc/app/inbox/view"
	"svc/app/org"
	"svc/store"
)

// colleagueEndpoints are the operations by which people work together on conversations
// (contract 22).
func (s *Service) colleagueEndpoints() []api.Endpoint {
	operate := perm.AIOperate
	return []api.Endpoint{
		api.E("GET /ai/conversations/{id}/notes", "conversations.list_notes", operate, "List the notes of colleagues, newest first.", s.listNotes),
		api.E("POST /ai/conversations/{id}/notes", "conversations.add_note", operate, "Leave a note for colleagues, which is never sent.", api.Write(s.db, s.addNote), api.Errors(api.ErrConflict)),
		api.E("DELETE /ai/conversations/{id}/notes/{note_id}", "conversations.delete_note", operate, "Delete a note of your own; who manages the organization deletes any.", s.deleteNote),
		api.E("POST /ai/conversations/{id}/typing", "conversations.typing", operate, "Say that you write an answer, for five seconds; nothing keeps it.", s.typing, api.ChangesNothing()),
		api.E("GET /ai/inbox/views", "inbox_views.list", operate, "List the filters that you saved, with how many conversations each means.", s.listViews),
		api.E("POST /ai/inbox/views", "inbox_views.create", operate, "Save a filter of the inbox under a name.", s.addView, api.Errors(api.ErrConflict)),
		api.E("DELETE /ai/inbox/views/{id}", "inbox_views.delete", operate, "Delete a saved filter of your own.", s.deleteView),
	}
}

// Note is what a colleague wrote beside a conversation.
type Note struct {
	ID             string       `json:"id"`
	ConversationID string       `json:"conversation_id"`
	Author         *api.Named   `json:"author" doc:"null when a key wrote it."`
	Text           string       `json:"text"`
	Mentions       []*api.Named `json:"mentions" nullable:"false"`
	Mine           bool         `json:"mine" doc:"You may delete it."`
	CreatedAt      time.Time    `json:"created_at"`
}

func showNote(tx *store.Tx, c *api.Call, n *note.Note) (Note, error) {
	words, err := n.Words(tx.DB(), c.Org)
	out := Note{
		ID: n.ID, ConversationID: n.Conversation, Text: words, Mentions: api.Refs(c.Org, n.Mentions), Mine: mayDelete(c, n), CreatedAt: n.CreatedAt,
	}
	if n.Person {
		out.Author = api.Ref(c.Org, n.Author)
	}
	return out, err
}

// mayDelete says whether the caller may delete a note.
func mayDelete(c *api.Call, n *note.Note) bool {
	return n.Author == c.Caller.ID || c.Caller.Perms.Has(perm.OrgManage)
}

type listNotesIn struct {
	IDIn
	api.PageIn
}

func (s *Service) listNotes(c *api.Call, in listNotesIn) (out api.Page[Note], err error) {
	err = s.db.View(c, func(tx *store.Tx) error {
		k, err := find(tx, c, in.ID)
		if err != nil {
			return err
		}
		page, err := note.List(tx, c.Org, k.ID, store.Query[note.Note]{Offset: in.Offset, Limit: in.Limit, After: in.Behind()})
		if err != nil {
			return err
		}
		out, err = api.ShowPage(page, in.PageIn, func(x *note.Note) (Note, error) { return showNote(tx, c, x) })
		return err
	})
	return out, err
}

type addNoteIn struct {
	IDIn
	Body struct {
		Text     string   `json:"text" required:"true" maxLength:"16000" doc:"Up to 4,000 characters." example:"Narxini Anvardan soʻrang"`
		Mentions []string `json:"mention_user_ids,omitempty" maxItems:"20" doc:"Members who are told of the note."`
	}
}

func (s *Service) addNote(c *api.Call, tx *store.Tx, in addNoteIn) (out api.Created[Note], err error) {
	k, err := find(tx, c, in.ID)
	if err != nil {
		return out, err
	}
	mentions := slices.Compact(slices.Sorted(slices.Values(in.Body.Mentions)))
	for _, user := range mentions {
		if err := mayRead(tx, c.Org, user, &k); err != nil {
			return out, err
		}
	}
	if in.Body.Text != "" && api.Blank(in.Body.Text) {
		return out, api.Wrong("text", "must not be blank")
	}
	n, err := note.Add(tx, c, &k, in.Body.Text, mentions)
	if err != nil {
		return out, err
	}
	shown, err := showNote(tx, c, &n)
	out = api.New(shown)
	return out, err
}

// mayRead refuses the mention of somebody who could not read the note.
func mayRead(tx *store.Tx, orgID, user string, k *conversation.Conversation) error {
	m, err := org.MemberOf(tx, orgID, user)
	switch {
	case store.IsNotFound(err):
		return api.Wrong("mention_user_ids", "there is no member %.64s", user)
	case err != nil:
		return err
	case !answers(m.Role, k.Personal):
		return api.Wrong("mention_user_ids", "their role does not answer this conversation")
	}
	return nil
}

type noteIn struct {
	IDIn
	NoteID string `path:"note_id" maxLength:"64"`
}

func (s *Service) deleteNote(c *api.Call, in noteIn) (out api.NoContent, err error) {
	return out, s.db.Update(c, func(tx *store.Tx) error {
		k, err := find(tx, c, in.ID)
		if err != nil {
			return err
		}
		n, err := note.Get(tx, c.Org, k.ID, in.NoteID)
		if err != nil {
			return err
		}
		if !mayDelete(c, &n) {
			return api.ErrForbidden.WithMessage("Only who wrote a note, or who manages the organization, deletes it.")
		}
		return note.Delete(tx, c, &k, &n)
	})
}

// typing tells colleagues who look at the conversation that the caller writes.
func (s *Service) typing(c *api.Call, in IDIn) (out api.NoContent, err error) {
	return out, s.db.Update(c, func(tx *store.Tx) error {
		k, err := find(tx, c, in.ID)
		if err != nil {
			return err
		}
		event.TellTyping(tx, c.Org, event.Typing{Conversation: k.ID, User: personOf(c), Personal: k.Personal})
		return nil
	})
}

// View is a saved filter of the caller.
type View struct {
	ID        string            `json:"id"`
	Name      string            `json:"name"`
	Filter    view.Filter       `json:"filter"`
	Sort      conversation.Sort `json:"sort" enum:"recent,unread,waiting,oldest"`
	Total     *int              `json:"total" doc:"How many conversations it means; null when you may not look at them."`
	CreatedAt time.Time         `json:"created_at"`
}

func (s *Service) showView(tx *store.Tx, c *api.Call, v *view.View) (View, error) {
	out := View{ID: v.ID, Name: v.Name, Filter: v.Filter, Sort: v.Sort, CreatedAt: v.CreatedAt}
	if v.Filter.Personal && !visible(c) {
		return out, nil
	}
	acting, err := s.acting(tx, c.Org)
	if err != nil {
		return out, err
	}
	f := v.Filter.Of(c.Caller.ID)
	total, err := conversation.CountOf(tx, c.Org, &f, acting)
	out.Total = &total
	return out, err
}

type listViewsIn struct{ api.PageIn }

func (s *Service) listViews(c *api.Call, in listViewsIn) (out api.Page[View], err error) {
	err = s.db.View(c, func(tx *store.Tx) error {
		page, err := view.List(tx, c, store.Query[view.View]{Offset: in.Offset, Limit: in.Limit, After: in.Behind()})
		if err != nil {
			return err
		}
		out, err = api.ShowPage(page, in.PageIn, func(x *view.View) (View, error) { return s.showView(tx, c, x) })
		return err
	})
	return out, err
}

type addViewIn struct {
	Body struct {
		Name   string            `json:"name" required:"true" minLength:"1" maxLength:"80" example:"Kutayotganlar"`
		Filter view.Filter       `json:"filter,omitempty"`
		Sort   conversation.Sort `json:"sort,omitempty" enum:"recent,unread,waiting,oldest" default:"recent"`
	}
}

func (s *Service) addView(c *api.Call, in addViewIn) (out api.Created[View], err error) {
	b := &in.Body
	if b.Filter.Personal && !visible(c) {
		return out, api.ErrForbidden.WithMessage("This needs the permission %s.", perm.AccountsManage)
	}
	err = s.db.Update(c, func(tx *store.Tx) error {
		if err := s.known(tx, c, &b.Filter); err != nil {
			return err
		}
		v, err := view.Add(tx, c, view.View{Name: b.Name, Filter: b.Filter, Sort: b.Sort})
		if err != nil {
			return err
		}
		shown, err := s.showView(tx, c, &v)
		out = api.New(shown)
		return err
	})
	return out, err
}

// known refuses a filter that names an account or a person whom the organization does not
// have.
func (s *Service) known(tx *store.Tx, c *api.Call, f *view.Filter) error {
	if f.AccountID != "" {
		found, err := s.o.Networks.Have(tx, c.Org, f.AccountID)
		if err != nil {
			return err
		}
		if !found {
			return api.Wrong("filter.account_id", "there is no account %.64s", f.AccountID)
		}
	}
	if f.Assigned == "" || f.Assigned == "me" || f.Assigned == conversation.Nobody {
		return nil
	}
	if _, err := org.MemberOf(tx, c.Org, f.Assigned); store.IsNotFound(err) {
		return api.Wrong("filter.assigned_user_id", "there is no member %.64s", f.Assigned)
	} else if err != nil {
		return err
	}
	return nil
}

func (s *Service) deleteView(c *api.Call, in IDIn) (out api.NoContent, err error) {
	return out, s.db.Update(c, func(tx *store.Tx) error { return view.Delete(tx, c, in.ID) })
}
