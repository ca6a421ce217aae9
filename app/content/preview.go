package content

import (
	"strings"

	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/content/markup"
	"svc/app/recipient/field"
	"svc/store"
)

type previewMessageIn struct {
	Body struct {
		Message     Message        `json:"message"`
		RecipientID *string        `json:"recipient_id" maxLength:"64" doc:"Whose values the variables have; nobody's when left out."`
		Attributes  map[string]any `json:"attributes" doc:"Values that replace the recipient's, fields included."`
	}
}

// Preview is a message as one person receives it (contract 4.6).
type Preview struct {
	Text             string          `json:"text" doc:"As it is read, without its marks; a variable without a value stays as it was written."`
	Entities         []markup.Entity `json:"entities" doc:"What is bold, a link and so on; offsets and lengths in UTF-16 units."`
	Format           markup.Format   `json:"format"`
	Length           int             `json:"length"`
	LengthUnit       string          `json:"length_unit" enum:"utf16"`
	MaxLength        int             `json:"max_length" doc:"4096, and 1024 with an attachment."`
	Parts            int             `json:"parts" doc:"A message is never cut into several."`
	MissingVariables []string        `json:"missing_variables" doc:"Without a value for this person, who would be skipped."`
	UnknownVariables []string        `json:"unknown_variables" doc:"Which no recipient has."`
	Attachments      []Attachment    `json:"attachments"`
}

func (s *Service) preview(c *api.Call, tx *store.Tx, in previewMessageIn) (out Preview, err error) {
	if len(in.Body.Attributes) > 0 {
		if err := field.CheckAttributes(in.Body.Attributes); err != nil {
			return out, api.Wrong("attributes", "%v", err)
		}
	}
	id := ""
	if in.Body.RecipientID != nil && *in.Body.RecipientID != "" {
		if id = *in.Body.RecipientID; !c.Can(perm.RecipientsRead) {
			return out, api.ErrForbidden.WithMessage("To preview for a recipient needs the permission %s.", perm.RecipientsRead)
		}
	}
	return s.Preview(tx, c.Org, in.Body.Message, id, in.Body.Attributes)
}

// Preview shows a message to a recipient, or to nobody when the id is "".
// attributes replace values.
func (s *Service) Preview(tx *store.Tx, org string, m Message, recipientID string, attributes map[string]any) (out Preview, err error) {
	text, m, err := Check(tx, org, "message", m)
	if err != nil {
		return out, err
	}
	attachments, err := GetAttachments(tx, org, "message.attachment_ids", m.AttachmentIDs)
	if err == nil {
		err = CheckAlbum("message.attachment_ids", attachments)
	}
	if err != nil {
		return out, err
	}
	p, err := s.personOrNobody(tx, org, recipientID)
	if err != nil {
		return out, err
	}
	r := text.Render(p.with(attributes).Value)
	out = Preview{
		Text: r.Text, Entities: r.Entities, Format: m.Format, Length: r.Length, LengthUnit: "utf16", MaxLength: MaxLength(len(attachments)), Parts: 1,
		MissingVariables: r.Missing, UnknownVariables: []string{}, Attachments: attachments,
	}
	// Somebody else may have what this recipient has not.
	for _, name := range r.Unknown {
		known, err := s.anybodyHas(tx, org, name)
		if err != nil {
			return out, err
		}
		if known {
			out.MissingVariables = append(out.MissingVariables, name)
		} else {
			out.UnknownVariables = append(out.UnknownVariables, name)
		}
	}
	return out, nil
}

func (s *Service) anybodyHas(tx *store.Tx, org, name string) (bool, error) {
	if s.o.HasAttribute == nil {
		return false, nil
	}
	return s.o.HasAttribute(tx, org, strings.TrimPrefix(name, attributePrefix))
}

// Check makes a message whole: without a text of its own it has that of its
// template, with the template's format and, when it names none, its attachments.
// It answers the text, read. What is wrong is validation_failed with the names of
// fields below at, as in "message.text".
func Check(tx *store.Tx, org, at string, m Message) (*markup.Text, Message, error) {
	m, err := Complete(tx, org, at, m)
	if err != nil {
		return nil, m, err
	}
	text, err := read(at+".text", m.Text, m.Format)
	return text, m, err
}

// Complete is Check without reading the text, for drafts: they are saved with a text that
// no messenger takes, and the checks before a launch find it.
func Complete(tx *store.Tx, org, at string, m Message) (Message, error) {
	if m.Text == "" && m.TemplateID != nil {
		t, err := GetTemplate(tx, org, *m.TemplateID)
		if err != nil {
			return m, wrongTemplate(at, err)
		}
		m.Text, m.Format = t.Text, t.Format
		if len(m.AttachmentIDs) == 0 {
			m.AttachmentIDs = t.AttachmentIDs
		}
	}
	m.Format = formatOr(m.Format)
	if strings.TrimSpace(m.Text) == "" && len(m.AttachmentIDs) == 0 {
		return m, api.Wrong(at+".text", "a message needs a text or an attachment")
	}
	return m, checkIDs(at+".attachment_ids", m.AttachmentIDs)
}
