package calendar

import (
	"time"

	"svc/app/api"
	"svc/app/api/perm"
	"svc/store"
)

// Endpoints are the operations of the slice.
func (s *Service) Endpoints() []api.Endpoint {
	return []api.Endpoint{
		api.E("GET /ai/calendar", "calendar.get", perm.AIRead, "Read how the calendar is connected, and when it is taken.", s.get),
		api.E("POST /ai/calendar/connect", "calendar.connect", perm.AIManage, "Begin to connect a calendar: answers its consent page.", s.connect, api.Errors(api.ErrState), api.OneTime("authorization_url")),
		api.E("GET /ai/calendar/oauth/callback", "calendar.callback", perm.Public, "Where the consent page of the calendar returns to.", s.callback, api.Timeout(connectTime)),
		api.E("POST /ai/calendar/disconnect", "calendar.disconnect", perm.AIManage, "Disconnect the calendar: its access is forgotten at once; bookings stay in it.", s.disconnect, api.Errors(api.ErrState)),
		api.E("GET /ai/calendar/actions", "calendar.actions", perm.AIRead, "List what was asked of the calendar.", s.list),
		api.E("POST /ai/calendar/actions/{id}/confirm", "calendar.confirm", perm.AIOperate, "Confirm an action that waits for a person: it is done now.", s.confirm, api.Errors(api.ErrState)),
		api.E("POST /ai/calendar/actions/{id}/reject", "calendar.reject", perm.AIOperate, "Reject an action that waits.", s.reject, api.Errors(api.ErrState)),
	}
}

// ShownAction is an action in the API (contract 14.2).
type ShownAction struct {
	ID               string       `json:"id"`
	Type             Type         `json:"type" enum:"CREATE,UPDATE,CANCEL,FIND,CHECK_AVAILABILITY"`
	Status           ActionStatus `json:"status" enum:"AWAITING_CUSTOMER,PENDING,EXECUTING,COMPLETED,REJECTED,FAILED,EXPIRED"`
	ConversationID   string       `json:"conversation_id"`
	Conversation     *api.Named   `json:"conversation"`
	MessageID        *string      `json:"message_id" doc:"Of the customer, that it came of."`
	BusinessID       string       `json:"business_id"`
	Business         *api.Named   `json:"business"`
	ExecutionID      string       `json:"execution_id"`
	AgentExecutionID string       `json:"agent_execution_id" doc:"The step of the agent CALENDAR; that of the execution where it only looks."`
	DecisionID       *string      `json:"decision_id"`
	Confidence       float64      `json:"confidence"`
	Extracted        Extracted    `json:"extracted" doc:"What was understood. For FIND and CHECK_AVAILABILITY the time that was looked at."`
	StartsAt         *time.Time   `json:"starts_at" doc:"In the calendar; null until it is there."`
	EndsAt           *time.Time   `json:"ends_at"`
	EventID          *string      `json:"event_id"`
	EventURL         *string      `json:"event_url"`
	ExpiresAt        time.Time    `json:"expires_at" doc:"Nobody confirms it behind this."`
	ErrorCode        *Code        `json:"error_code" enum:"SLOT_TAKEN,OUTSIDE_HOURS,NOT_CONNECTED,CALENDAR_ERROR"`
	ConfirmedBy      *string      `json:"confirmed_by" doc:"CUSTOMER, or who of the team or which key."`
	Confirmer        *api.Named   `json:"confirmer"`
	Model            string       `json:"model"`
	PromptVersion    *string      `json:"prompt_version" doc:"null: the default prompt."`
	CreatedAt        time.Time    `json:"created_at"`
	UpdatedAt        time.Time    `json:"updated_at"`
}

func showAction(tx *store.Tx, org string, a *Action) (out ShownAction, err error) {
	x, err := a.Open(tx.DB(), org)
	out = ShownAction{
		ID: a.ID, Type: a.Type, Status: a.Status, ConversationID: a.Conversation, Conversation: api.Ref(org, a.Conversation), MessageID: api.Optional(a.Message),
		BusinessID: a.Business, Business: api.Ref(org, a.Business), ExecutionID: a.Execution, AgentExecutionID: a.Step, DecisionID: api.Optional(a.Decision),
		Confidence: a.Confidence, Extracted: x, StartsAt: api.Optional(a.StartsAt), EndsAt: api.Optional(a.EndsAt), EventID: api.Optional(a.EventID),
		EventURL: api.Optional(a.EventURL), ExpiresAt: a.ExpiresAt, ErrorCode: api.Optional(a.Code), ConfirmedBy: api.Optional(a.ConfirmedBy), Model: a.Model,
		PromptVersion: api.Optional(a.PromptVersion), CreatedAt: a.CreatedAt, UpdatedAt: a.UpdatedAt,
	}
	if a.ConfirmedBy != ByCustomer {
		out.Confirmer = api.Ref(org, a.ConfirmedBy)
	}
	return out, err
}

// ListIn narrows the list.
type ListIn struct {
	api.PageIn
	Status         ActionStatus `query:"status" enum:"AWAITING_CUSTOMER,PENDING,EXECUTING,COMPLETED,REJECTED,FAILED,EXPIRED"`
	Type           Type         `query:"type" enum:"CREATE,UPDATE,CANCEL,FIND,CHECK_AVAILABILITY"`
	ConversationID string       `query:"conversation_id" maxLength:"64"`
	BusinessID     string       `query:"business_id" maxLength:"64"`
}

func (s *Service) list(c *api.Call, in ListIn) (api.Page[ShownAction], error) {
	q := store.Query[Action]{Reverse: true, Offset: in.Offset, Limit: in.Limit, After: in.Behind()}
	if in.Status != "" {
		q.Where = append(q.Where, statusFacet.Any(string(in.Status)))
	}
	if in.Type != "" {
		q.Where = append(q.Where, typeFacet.Any(string(in.Type)))
	}
	if in.ConversationID != "" {
		q.Where = append(q.Where, inPlace.Where(store.Is(store.Text(in.ConversationID))))
	}
	if in.BusinessID != "" {
		q.Where = append(q.Where, ofBusiness.Where(store.Is(store.Text(in.BusinessID))))
	}
	return api.ListOf(c, s.db, actionTable, q, in.PageIn, func(tx *store.Tx, a *Action) (ShownAction, error) { return showAction(tx, c.Org, a) })
}

type idIn struct {
	ID string `path:"id" maxLength:"64"`
}

// confirm lets an action run that waits for a person. Hours and free time are looked at again when
// it does.
func (s *Service) confirm(c *api.Call, in idIn) (out ShownAction, err error) {
	return s.decide(c, in.ID, PersonConfirmed, func(a *Action) { a.ConfirmedBy = c.Caller.ID })
}

func (s *Service) reject(c *api.Call, in idIn) (out ShownAction, err error) {
	return s.decide(c, in.ID, WasRejected, func(*Action) {})
}

// decide does what a person decided of an action whose time has not passed.
func (s *Service) decide(c *api.Call, id string, on ActionEvent, note func(*Action)) (out ShownAction, err error) {
	err = s.db.Update(c, func(tx *store.Tx) error {
		a, err := actionTable.Get(tx, c.Org, id)
		if err != nil {
			return err
		}
		if !tx.DB().Now().Before(a.ExpiresAt) && (a.Status == Pending || a.Status == Awaiting) {
			return api.ErrState
		}
		note(&a)
		if err := s.act(tx, c, c.Org, &a, on); err != nil {
			return err
		}
		out, err = showAction(tx, c.Org, &a)
		return err
	})
	return out, err
}
