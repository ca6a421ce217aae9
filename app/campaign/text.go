package campaign

import (
	"fmt"
	"strings"
	"sync"

	"svc/app/api"
	"svc/app/content"
	"svc/app/content/markup"
	"svc/app/recipient"
	"svc/app/send"
	"svc/store"
)

// message is the message of a campaign with its text, which only this opens.
func (k *Campaign) message(db *store.DB, orgID string) (content.Message, error) {
	m := k.Message
	text, err := sealed.Open(db, orgID, k)
	m.Text = string(text)
	if m.AttachmentIDs == nil {
		m.AttachmentIDs = []string{}
	}
	return m, err
}

// written is a text as it is kept: a blank one is none.
func written(text string) string {
	if strings.TrimSpace(text) == "" {
		return ""
	}
	return text
}

// write makes m the message of a campaign, which the caller saves. An empty one is
// allowed, and in a draft one that cannot be read: drafts are written step by step, and
// the checks find it. What was launched keeps a text that can be sent.
func (k *Campaign) write(tx *store.Tx, orgID string, m content.Message) error {
	m.Text = written(m.Text)
	if m.Text != "" || m.TemplateID != nil || len(m.AttachmentIDs) > 0 {
		whole, err := content.Complete(tx, orgID, "message", m)
		if err == nil && k.Status != Draft {
			_, whole, err = content.Check(tx, orgID, "message", m)
		}
		if err != nil {
			return err
		}
		m = whole
	}
	if m.Format == "" {
		m.Format = markup.Plain
	}
	if n := markup.Length(m.Text); n > markup.MaxLength {
		return api.Wrong("message.text", "has %d characters (UTF-16 units); a message has %d at most", n, markup.MaxLength)
	}
	files, err := content.GetAttachments(tx, orgID, "message.attachment_ids", m.AttachmentIDs)
	if err == nil {
		err = content.CheckAlbum("message.attachment_ids", files)
	}
	if err != nil {
		return err
	}
	hash := ""
	if m.Text != "" {
		if hash, err = tx.Hash("campaign text", orgID+"/"+m.Text); err != nil {
			return err
		}
	}
	k.rewords(hash, tx.DB().Now())
	if err := sealed.Set(tx, orgID, k, []byte(m.Text)); err != nil {
		return err
	}
	m.Text = ""
	k.Message = m
	return pulses.Put(tx, orgID, &sendProgress{ID: k.ID, Content: tx.DB().NewID("txt")})
}

// copyMessage makes m the message of a copy. A template that is gone by now is left out:
// its text was copied. An attachment that is gone stays named, so that the checks find it
// (attachments_ready): a message does not go out without its picture unasked.
func (k *Campaign) copyMessage(tx *store.Tx, orgID string, m content.Message) error {
	if m.TemplateID != nil {
		if _, err := content.GetTemplate(tx, orgID, *m.TemplateID); store.IsNotFound(err) {
			m.TemplateID = nil
		} else if err != nil {
			return err
		}
	}
	named := m.AttachmentIDs
	m.AttachmentIDs = there(tx, orgID, named)
	if err := k.write(tx, orgID, m); err != nil {
		return err
	}
	k.Message.AttachmentIDs = named
	return nil
}

// there are those of some attachments that were not removed.
func there(tx *store.Tx, orgID string, ids []string) (out []string) {
	for _, id := range ids {
		if _, err := content.GetAttachments(tx, orgID, "message.attachment_ids", []string{id}); err == nil {
			out = append(out, id)
		}
	}
	return out
}

// draft is what is sent: read once, for everybody.
type draft struct {
	text        *markup.Text
	attachments []string
	preview     bool
}

func readDraft(m content.Message) (*draft, error) {
	text, err := content.Parse(m.Text, m.Format)
	if err != nil {
		return nil, fmt.Errorf("the text of a campaign cannot be read: %w", err)
	}
	return &draft{text: text, attachments: m.AttachmentIDs, preview: m.LinkPreview}, nil
}

// texts remembers the drafts of campaigns that send, so that a message costs no
// unsealing and no parsing.
type texts struct {
	mu    sync.Mutex
	known map[string]*draft
}

const maxTexts = 500

func newTexts() *texts { return &texts{known: map[string]*draft{}} }

func (t *texts) get(key string) *draft {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.known[key]
}

func (t *texts) put(key string, d *draft) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.known) >= maxTexts {
		clear(t.known) // rare, and found again
	}
	t.known[key] = d
}

// draftOf is what a campaign sends at the moment.
func (s *Service) draftOf(tx *store.Tx, orgID, id string) (*draft, error) {
	p, err := pulses.Get(tx, orgID, id)
	if err != nil {
		return nil, err
	}
	key := orgID + "/" + id + "/" + p.Content
	if d := s.texts.get(key); d != nil {
		return d, nil
	}
	k, err := campaigns.Get(tx, orgID, id)
	if err != nil {
		return nil, err
	}
	m, err := k.message(tx.DB(), orgID)
	if err != nil {
		return nil, err
	}
	d, err := readDraft(m)
	if err == nil {
		s.texts.put(key, d)
	}
	return d, err
}

// render is the message as one person gets it; ok is false when a variable has no
// value for that person.
func (s *Service) render(d *draft, orgID string, r *recipient.Recipient) (out markup.Rendered, ok bool, err error) {
	p, err := s.o.Content.PersonOf(orgID, r)
	if err != nil {
		return out, false, err
	}
	out = d.text.Render(p.Value)
	return out, len(out.Missing) == 0 && len(out.Unknown) == 0, nil
}

// Compose is send.Source: the words of a message, in the transaction that claims it.
func (s *Service) Compose(tx *store.Tx, c *api.Call, j *send.Job, r *recipient.Recipient) (send.Draft, error) {
	if r == nil {
		return send.Draft{}, &send.Skip{Reason: send.RecipientDeleted}
	}
	d, err := s.draftOf(tx, c.Org, j.Batch)
	if err != nil {
		return send.Draft{}, err
	}
	out, ok, err := s.render(d, c.Org, r)
	if err != nil {
		return send.Draft{}, err
	}
	if !ok {
		return send.Draft{}, &send.Skip{Reason: send.MissingVariables}
	}
	return send.Draft{Text: out.Text, Entities: out.Entities, Attachments: d.attachments, LinkPreview: d.preview}, nil
}
