package campaign

import (
	"svc/app/api"
	"svc/app/campaign/record"
	"svc/app/event"
	"svc/app/recipient"
	"svc/app/send"
	"svc/store"
)

// Settled is send.Source: what became of one person of a campaign, in the transaction
// that finds it out. It tells of it once, and ends the campaign with the last.
func (s *Service) Settled(tx *store.Tx, c *api.Call, j *send.Job) error {
	if err := s.announce(tx, c.Org, j); err != nil {
		return err
	}
	if j.Status == send.Delivered {
		err := recipient.RecordContact(tx, c.Org, j.RecipientID, recipient.Contact{
			At: j.SentAt, Sent: true, Account: j.AccountID, CampaignID: j.Batch, MessageID: j.ID, Status: string(j.Status),
		})
		if err != nil {
			return err
		}
	}
	if err := s.countRefusals(tx, c, j); err != nil {
		return err
	}
	return s.finishIfDone(tx, c, c.Org, j.Batch)
}

// messageData is the data of the events message.* (contract 8.2).
type messageData struct {
	CampaignID          string       `json:"campaign_id"`
	CampaignRecipientID string       `json:"campaign_recipient_id"`
	RecipientID         string       `json:"recipient_id"`
	AccountID           *string      `json:"account_id"`
	JobID               string       `json:"job_id"`
	PlatformMessageID   *int         `json:"platform_message_id"` // null when an earlier try had arrived, or none did
	Status              *send.Status `json:"status,omitempty"`
	ErrorCode           *string      `json:"error_code,omitempty"`
	LastError           *string      `json:"last_error,omitempty"`
	SkipReason          *string      `json:"skip_reason,omitempty"`
}

// announce emits the one event of an outcome. A cancelled person has none: that
// follows from the campaign (contract 8.2).
func (s *Service) announce(tx *store.Tx, orgID string, j *send.Job) error {
	d := messageData{
		CampaignID: j.Batch, CampaignRecipientID: j.RecipientRow(), RecipientID: j.RecipientID, AccountID: api.Optional(j.AccountID), JobID: j.ID,
	}
	var kind event.Type
	switch j.Status {
	case send.Delivered:
		kind, d.PlatformMessageID = event.MessageDelivered, api.Optional(j.PlatformMessageID)
	case send.Failed, send.Unreachable:
		kind, d.Status, d.ErrorCode, d.LastError = event.MessageFailed, &j.Status, api.Optional(j.ErrorCode), api.Optional(j.LastError)
	case send.Skipped:
		kind, d.SkipReason = event.MessageSkipped, api.Optional(j.SkipReason)
	default:
		return nil
	}
	return event.Emit(tx, orgID, kind, d)
}

// maxRefusals in a row for the content pause a campaign (contract 4.1).
const maxRefusals = 20

// countRefusals counts refusals of the content in a row: somebody who got the message
// ends them. What was skipped says nothing.
func (s *Service) countRefusals(tx *store.Tx, c *api.Call, j *send.Job) error {
	refused := j.Status == send.Failed && j.ContentRefused
	if !refused && j.Status != send.Delivered {
		return nil
	}
	p, err := record.GetProgress(tx, c.Org, j.Batch)
	if err != nil || !refused && p.Refused == 0 {
		return err
	}
	if p.Refused++; !refused {
		p.Refused = 0
	}
	pause := p.Refused >= maxRefusals
	if pause {
		p.Refused = 0
	}
	if err := record.PutProgress(tx, c.Org, &p); err != nil || !pause {
		return err
	}
	k, err := record.Get(tx, c.Org, j.Batch)
	if err != nil || k.Status != record.Running {
		return err
	}
	return s.apply(tx, c, c.Org, &k, transition{event: EventPaused, reason: record.ContentErrors})
}

// finishIfDone completes a running campaign when everybody has an outcome. It asks the
// kept count, and only when that is zero for the campaign.
func (s *Service) finishIfDone(tx *store.Tx, c *api.Call, orgID, id string) error {
	pending, err := send.Pending(tx, orgID, id)
	if err != nil || pending > 0 {
		return err
	}
	k, err := record.Get(tx, orgID, id)
	if err != nil || !k.Planned || k.Status != record.Running {
		return err
	}
	return s.apply(tx, c, orgID, &k, transition{event: EventCompleted})
}

// Compose is send.Source: the words of a message, in the transaction that claims it.
func (s *Service) Compose(tx *store.Tx, c *api.Call, j *send.Job, r *recipient.Recipient) (send.Draft, error) {
	return s.people.Compose(tx, c.Org, j, r)
}
