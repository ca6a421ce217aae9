package targeting

import (
	"fmt"
	"sync"

	"svc/app/campaign/record"
	"svc/app/content"
	"svc/app/content/markup"
	"svc/app/recipient"
	"svc/app/send"
	"svc/store"
)

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

// Reader read who campaigns are for, and what those people would be sent.
type Reader struct {
	db      *store.DB
	content *content.Service
	texts   *texts
}

// New makes a reader. It starts nothing.
func New(db *store.DB, c *content.Service) *Reader {
	return &Reader{db: db, content: c, texts: newTexts()}
}

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
func (s *Reader) draftOf(tx *store.Tx, orgID, id string) (*draft, error) {
	p, err := record.GetProgress(tx, orgID, id)
	if err != nil {
		return nil, err
	}
	key := orgID + "/" + id + "/" + p.Content
	if d := s.texts.get(key); d != nil {
		return d, nil
	}
	k, err := record.Get(tx, orgID, id)
	if err != nil {
		return nil, err
	}
	m, err := k.OpenMessage(tx.DB(), orgID)
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
func (s *Reader) render(d *draft, orgID string, r *recipient.Recipient) (out markup.Rendered, ok bool, err error) {
	p, err := s.content.PersonOf(orgID, r)
	if err != nil {
		return out, false, err
	}
	out = d.text.Render(p.Value)
	return out, len(out.Missing) == 0 && len(out.Unknown) == 0, nil
}

// Compose is the words of a message, in the transaction that claims it.
func (s *Reader) Compose(tx *store.Tx, orgID string, j *send.Job, r *recipient.Recipient) (send.Draft, error) {
	if r == nil {
		return send.Draft{}, &send.Skip{Reason: send.RecipientDeleted}
	}
	d, err := s.draftOf(tx, orgID, j.Batch)
	if err != nil {
		return send.Draft{}, err
	}
	out, ok, err := s.render(d, orgID, r)
	if err != nil {
		return send.Draft{}, err
	}
	if !ok {
		return send.Draft{}, &send.Skip{Reason: send.MissingVariables}
	}
	return send.Draft{Text: out.Text, Entities: out.Entities, Attachments: d.attachments, LinkPreview: d.preview}, nil
}
