package record

import (
	"strings"
	"time"

	"svc/app/api"
	"svc/app/content"
	"svc/app/content/markup"
	"svc/store"
)

// TextVersion is a text, by its hash, that a campaign sent in a part of its time.
type TextVersion struct {
	Hash string `json:"hash"`
	// Until is when another text took its place, or the campaign ended.
	Until time.Time `json:"until"`
	// From is when it took the place of another; it is not kept, because the one before says it.
	From time.Time `json:"-"`
}

// never is the end of a text that is still sent.
var never = time.Date(2200, 1, 1, 0, 0, 0, 0, time.UTC)

// Wordings are the texts that a campaign has sent, or may have, one after the other.
func (k *Campaign) Wordings() []TextVersion {
	if k.StartedAt == nil || k.TextHash == "" {
		return nil
	}
	last := TextVersion{Hash: k.TextHash, Until: never}
	if k.FinishedAt != nil {
		last.Until = *k.FinishedAt
	}
	out, from := make([]TextVersion, 0, len(k.Reworded)+1), time.Time{}
	for _, w := range append(k.Reworded[:len(k.Reworded):len(k.Reworded)], last) {
		w.From, from = from, w.Until
		out = append(out, w)
	}
	return out
}

// maxWordings bounds the texts that a campaign remembers.
const maxWordings = 50

// rewords notes that the text of a campaign is another from now on.
func (k *Campaign) rewords(hash string, now time.Time) {
	if k.StartedAt != nil && k.TextHash != "" && k.TextHash != hash {
		k.Reworded = append(k.Reworded[max(0, len(k.Reworded)-maxWordings+1):len(k.Reworded):len(k.Reworded)], TextVersion{Hash: k.TextHash, Until: now})
	}
	k.TextHash = hash
}

// OpenMessage is the message of a campaign with its text, which only this opens.
func (k *Campaign) OpenMessage(db *store.DB, orgID string) (content.Message, error) {
	m := k.Message
	text, err := sealed.Open(db, orgID, k)
	m.Text = string(text)
	if m.AttachmentIDs == nil {
		m.AttachmentIDs = []string{}
	}
	return m, err
}

// NormalText is a text as it is kept: a blank one is none.
func NormalText(text string) string {
	if strings.TrimSpace(text) == "" {
		return ""
	}
	return text
}

// WriteMessage makes m the message of a campaign, which the caller saves. An empty one is
// allowed, and in a draft one that cannot be read: drafts are written step by step, and
// the checks find it. What was launched keeps a text that can be sent.
func (k *Campaign) WriteMessage(tx *store.Tx, orgID string, m content.Message) error {
	m.Text = NormalText(m.Text)
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
	return progress.Put(tx, orgID, &SendProgress{ID: k.ID, Content: tx.DB().NewID("txt")})
}

// CopyMessage makes m the message of a copy. A template that is gone by now is left out:
// its text was copied. An attachment that is gone stays named, so that the checks find it
// (attachments_ready): a message does not go out without its picture unasked.
func (k *Campaign) CopyMessage(tx *store.Tx, orgID string, m content.Message) error {
	if m.TemplateID != nil {
		if _, err := content.GetTemplate(tx, orgID, *m.TemplateID); store.IsNotFound(err) {
			m.TemplateID = nil
		} else if err != nil {
			return err
		}
	}
	named := m.AttachmentIDs
	m.AttachmentIDs = ExistingAttachments(tx, orgID, named)
	if err := k.WriteMessage(tx, orgID, m); err != nil {
		return err
	}
	k.Message.AttachmentIDs = named
	return nil
}

// ExistingAttachments are those of some attachments that were not removed.
func ExistingAttachments(tx *store.Tx, orgID string, ids []string) (out []string) {
	for _, id := range ids {
		if _, err := content.GetAttachments(tx, orgID, "message.attachment_ids", []string{id}); err == nil {
			out = append(out, id)
		}
	}
	return out
}
