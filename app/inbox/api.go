package inbox

import (
	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/content/markup"
	"svc/app/inbox/channel"
	"svc/app/inbox/conversation"
	"svc/app/inbox/handoff"
	"svc/app/inbox/reply"
	"svc/store"
)

// Endpoints are the operations of the slice.
func (s *Service) Endpoints() []api.Endpoint {
	read, operate := perm.AIRead, perm.AIOperate
	return []api.Endpoint{
		api.E("GET /ai/conversations", "conversations.list", read, "List conversations of all networks.", s.list),
		api.E("GET /ai/conversations/{id}", "conversations.get", read, "Read one conversation with its newest messages.", s.get),
		api.E("POST /ai/conversations/{id}/reply", "conversations.reply", operate, "Answer the customer.", s.reply,
			api.Status(202), api.Errors(append(reply.Refusals(), reply.ErrUploadExpired)...)),
		api.E("POST /ai/conversations/{id}/takeover", "conversations.takeover", operate, "Answer in the AI's place.", s.takeover, api.Errors(api.ErrState)),
		api.E("POST /ai/conversations/{id}/resume", "conversations.resume", operate, "Hand the conversation back to the AI.", s.resume, api.Errors(api.ErrState)),
		api.E("POST /ai/conversations/{id}/stop", "conversations.stop", operate, "Opt the customer out, for good, because they want no more messages.", s.stop, api.InMaintenance()),
		api.E("POST /ai/conversations/{id}/read", "conversations.read", operate, "Mark a conversation read in this service.", s.read),
		api.E("POST /ai/conversations/{id}/platform-read", "conversations.platform_read", operate, "Tell the network, once, that the messages were read.",
			s.platformRead, api.Errors(channel.ErrRefused, channel.ErrUnreachable)),
		api.E("PUT /ai/conversations/{id}/personal", "conversations.personal", operate, "Say whether a chat is personal.", s.personal),
		api.E("POST /ai/conversations/{id}/assign", "conversations.assign", operate, "Give a conversation to somebody, or to nobody.", s.assign),
		api.E("POST /ai/conversations/{id}/done", "conversations.done", operate, "Say that nobody needs to answer.", s.done),
		api.E("POST /ai/conversations/simulate", "conversations.simulate", operate, "Let a made-up customer write; only where the messenger is a simulator.", s.simulate,
			api.MaxBody(maxSimulated), api.Timeout(2*arrival), api.Errors(ErrSimulatorOnly, channel.ErrUnreachable, api.ErrState)),
		api.E("GET /ai/handoffs", "handoffs.list", read, "List the requests that a person answers, newest first.", s.listHandoffs),
		api.E("PATCH /ai/handoffs/{id}", "handoffs.update", operate, "Give a handoff to somebody, or resolve it.", api.Write(s.db, s.changeHandoff), api.Errors(handoff.ErrResolved)),
	}
}

// IDIn is the path of one conversation. It is exported because huma reads no others that are
// embedded.
type IDIn struct {
	ID string `path:"id" maxLength:"64"`
}

// visible says whether the caller may see personal chats.
func visible(c *api.Call) bool { return c.Caller.Perms.Has(perm.AccountsManage) }

// find reads a conversation that the caller may see: others are not found.
func find(tx *store.Tx, c *api.Call, id string) (conversation.Conversation, error) {
	return conversation.GetVisible(tx, c, id)
}

type listIn struct {
	api.PageIn
	Channel     channel.Name         `query:"channel" enum:"MESSENGER,PHOTO_NETWORK,PAGE_NETWORK"`
	AccountID   string               `query:"account_id" maxLength:"64"`
	Unread      string               `query:"unread" enum:"true,false"`
	Waiting     string               `query:"waiting" enum:"true,false" doc:"The customer wrote last and nobody answered."`
	HasFiles    string               `query:"has_files" enum:"true,false"`
	Done        string               `query:"done" enum:"true,false"`
	Handoff     string               `query:"handoff" enum:"true,false" doc:"A handoff is open."`
	Personal    bool                 `query:"personal" doc:"Personal chats and no others; needs accounts:manage. They are in no other list."`
	AIState     conversation.AIState `query:"ai_state" enum:"ACTIVE,PAUSED_HANDOFF,STOPPED,OFF"`
	Assigned    string               `query:"assigned_user_id" maxLength:"64" doc:"A person, me or none."`
	Stage       string               `query:"stage" maxLength:"64"`
	LeadQuality string               `query:"lead_quality" enum:"cold,warm,hot"`
	Q           string               `query:"q" minLength:"2" maxLength:"120" doc:"The beginning of a word of the name, or of the username. Texts are sealed and not searched."`
	Sort        conversation.Sort    `query:"sort" enum:"recent,unread,waiting,oldest" default:"recent"`
}

// flag reads a query parameter that may be absent.
func flag(s string) *bool {
	if s == "" {
		return nil
	}
	yes := s == "true"
	return &yes
}

func (in *listIn) filter(c *api.Call) (conversation.Filter, error) {
	f := conversation.Filter{
		Channel: in.Channel, Account: in.AccountID, Unread: flag(in.Unread), Waiting: flag(in.Waiting), HasFiles: flag(in.HasFiles),
		Done: flag(in.Done), Handoff: flag(in.Handoff), Personal: in.Personal, AIState: in.AIState, Assigned: in.Assigned, Stage: in.Stage,
		LeadQuality: in.LeadQuality, Q: in.Q,
	}
	if in.Assigned == "me" {
		f.Assigned = c.Caller.ID
	}
	if in.Personal && !visible(c) {
		return f, api.ErrForbidden.WithMessage("This needs the permission %s.", perm.AccountsManage)
	}
	return f, nil
}

func (s *Service) list(c *api.Call, in listIn) (out api.Page[Conversation], err error) {
	f, err := in.filter(c)
	if err != nil {
		return out, err
	}
	err = s.db.View(c, func(tx *store.Tx) error {
		acting, err := s.acting(tx, c.Org)
		if err != nil {
			return err
		}
		page, err := conversation.List(tx, c.Org, &f, acting, in.Sort, store.Query[conversation.Conversation]{Offset: in.Offset, Limit: in.Limit, After: in.Behind()})
		if err != nil {
			return err
		}
		rows, err := s.rows(tx, c.Org, page.Data)
		out = api.NewPage(rows, page.Total, in.PageIn, page.Next)
		return err
	})
	return out, err
}

type getIn struct {
	IDIn
	Before string `query:"before" maxLength:"64" doc:"The id of a message: those before it."`
	Limit  int    `query:"limit" minimum:"1" maximum:"200" default:"50" doc:"How many messages."`
}

func (s *Service) get(c *api.Call, in getIn) (out Opened, err error) {
	err = s.db.View(c, func(tx *store.Tx) error {
		k, err := find(tx, c, in.ID)
		if err != nil {
			return err
		}
		if in.Before != "" {
			m, err := conversation.GetMessage(tx, c.Org, in.Before)
			if store.IsNotFound(err) || err == nil && m.Conversation != k.ID {
				return api.Wrong("before", "there is no message %.64s in this conversation", in.Before)
			}
		}
		out, err = s.open(tx, c.Org, &k, in.Before, in.Limit)
		return err
	})
	return out, err
}

// change runs a change of one conversation and answers its row.
func (s *Service) change(c *api.Call, id string, f func(*store.Tx, *conversation.Conversation) error) (out Conversation, err error) {
	err = s.db.Update(c, func(tx *store.Tx) error {
		k, err := find(tx, c, id)
		if err != nil {
			return err
		}
		if err := f(tx, &k); err != nil {
			return err
		}
		rows, err := s.rows(tx, c.Org, []conversation.Conversation{k})
		if err == nil {
			out = rows[0]
		}
		return err
	})
	return out, err
}

type replyIn struct {
	IDIn
	Body struct {
		Text      string        `json:"text" maxLength:"16384" example:"Salom! Ha, bor."`
		Format    markup.Format `json:"format,omitempty" enum:"PLAIN,MARKDOWN,HTML" doc:"PLAIN when left out."`
		UploadIDs []string      `json:"upload_ids,omitempty" maxItems:"10"`
		ReplyTo   *string       `json:"reply_to_message_id" maxLength:"64" doc:"A message of the conversation to quote."`
		ClientID  *string       `json:"client_id" minLength:"1" maxLength:"64" doc:"A name of the sender's own: sent again, it answers the reply that there is."`
	}
}

func (s *Service) reply(c *api.Call, in replyIn) (out Message, err error) {
	b := &in.Body
	w := reply.Words{Text: b.Text, Format: b.Format, Uploads: b.UploadIDs, ReplyToMessageID: orEmpty(b.ReplyTo), ClientID: orEmpty(b.ClientID)}
	err = s.db.Update(c, func(tx *store.Tx) error {
		k, err := find(tx, c, in.ID)
		if err != nil {
			return err
		}
		m, err := s.o.Replies.Queue(tx, c, &k, w)
		if err != nil {
			return err
		}
		out, err = showMessage(tx, c.Org, &m, "")
		return err
	})
	return out, err
}

func orEmpty[T any](v *T) (out T) {
	if v != nil {
		out = *v
	}
	return out
}

// answers says whether a role answers a conversation.
func answers(role perm.Role, personal bool) bool {
	p := role.Permissions()
	return p.Has(perm.AIOperate) && (!personal || p.Has(perm.AccountsManage))
}
