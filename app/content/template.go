package content

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"svc/app/api"
	"svc/app/audit"
	"svc/app/content/markup"
	"svc/store"
)

type listTemplatesIn struct {
	api.PageIn
	Q        string        `query:"q" minLength:"2" maxLength:"120" doc:"The beginning of a word of the name, upper or lower case."`
	Language string        `query:"language" maxLength:"16"`
	Category string        `query:"category" maxLength:"64"`
	Format   markup.Format `query:"format" enum:"PLAIN,MARKDOWN,HTML"`
	Sort     string        `query:"sort" enum:"created_at,-created_at,updated_at,-updated_at,name,-name,last_used_at,-last_used_at" default:"-created_at"`
}

func (in listTemplatesIn) query() store.Query[stored] {
	q := store.Query[stored]{Offset: in.Offset, Limit: in.Limit, After: in.Behind()}
	field, descending := strings.CutPrefix(in.Sort, "-")
	q.Sort, q.Reverse = sorted[field], descending
	if in.Q != "" {
		q.Where = append(q.Where, bySearch.Where(store.HasPrefix(store.Fold(in.Q))))
	}
	if in.Language != "" {
		q.Where = append(q.Where, languageFacet.Any(in.Language))
	}
	if in.Category != "" {
		q.Where = append(q.Where, categoryFacet.Any(in.Category))
	}
	if in.Format != "" {
		q.Where = append(q.Where, formatFacet.Any(string(in.Format)))
	}
	return q
}

func (s *Service) listTemplates(c *api.Call, tx *store.Tx, in listTemplatesIn) (out api.Page[ShownTemplate], err error) {
	page, err := templates.Page(tx, c.Org, in.query())
	if err != nil {
		return out, err
	}
	return api.ShowPage(page, in.PageIn, func(x *stored) (ShownTemplate, error) {
		t, err := x.open(tx, c.Org)
		if err != nil {
			return ShownTemplate{}, err
		}
		return t.shown(c.Org), nil
	})
}

type templateIn struct {
	ID string `path:"id" maxLength:"64"`
}

// getTemplate answers the row of the list.
func (s *Service) getTemplate(c *api.Call, tx *store.Tx, in templateIn) (out ShownTemplate, err error) {
	t, err := templates.Get(tx, c.Org, in.ID)
	if err != nil {
		return out, err
	}
	whole, err := t.open(tx, c.Org)
	out = whole.shown(c.Org)
	return out, err
}

// open gives the template with its text and its uses.
func (t *stored) open(tx *store.Tx, org string) (out Template, err error) {
	text, err := sealedText.Open(tx.DB(), org, t)
	if err != nil {
		return out, err
	}
	out = t.Template
	out.Text = string(text)
	out.UsesCount, err = uses.Count(tx, org, t.ID)
	return out, err
}

type createTemplateIn struct {
	Body struct {
		Name          string        `json:"name" maxLength:"120" example:"Welcome"`
		Text          string        `json:"text" example:"Hello {{first_name}}! Stop: {{opt_out_url}}"`
		Format        markup.Format `json:"format" enum:"PLAIN,MARKDOWN,HTML" doc:"PLAIN when left out."`
		AttachmentIDs []string      `json:"attachment_ids" maxItems:"10"`
		Language      *string       `json:"language" pattern:"^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$" maxLength:"16" example:"uz"`
		Category      *string       `json:"category" maxLength:"64" example:"news"`
	}
}

func (s *Service) createTemplate(c *api.Call, in createTemplateIn) (out api.Created[ShownTemplate], err error) {
	b := in.Body
	t := Template{
		ID: s.db.NewID("tpl"), Name: b.Name, Text: b.Text, Format: formatOr(b.Format), AttachmentIDs: b.AttachmentIDs,
		Language: b.Language, Category: b.Category, CreatedBy: c.Caller.ID, CreatedAt: c.Now, UpdatedAt: c.Now,
	}
	if err := t.check(); err != nil {
		return out, err
	}
	err = s.db.Update(c, func(tx *store.Tx) error {
		rec := stored{Template: t}
		if err := rec.save(tx, c.Org); err != nil {
			return err
		}
		out = api.New(t.shown(c.Org))
		return audit.Write(tx, c, "template.created", audit.On("template", t.ID, t.Name))
	})
	return out, err
}

// check makes a template whole, or says what is wrong with it.
func (t *Template) check() error {
	t.Name = strings.Join(strings.Fields(t.Name), " ")
	if n := utf8.RuneCountInString(t.Name); n == 0 || n > maxName {
		return api.Wrong("name", "must have 1 to %d characters", maxName)
	}
	if t.Category != nil {
		if *t.Category = strings.TrimSpace(*t.Category); *t.Category == "" {
			t.Category = nil
		}
	}
	text, err := read("text", t.Text, t.Format)
	if err != nil {
		return err
	}
	t.Variables = text.Variables()
	if t.AttachmentIDs == nil {
		t.AttachmentIDs = []string{}
	}
	if strings.TrimSpace(t.Text) == "" && len(t.AttachmentIDs) == 0 {
		return api.Wrong("text", "a template needs a text or an attachment")
	}
	return checkIDs("attachment_ids", t.AttachmentIDs)
}

// checkIDs refuses attachments that are named twice, and too many.
func checkIDs(field string, ids []string) error {
	if len(ids) > MaxAttachments {
		return api.Wrong(field, "a message carries at most %d files", MaxAttachments)
	}
	for i, id := range ids {
		if slices.Contains(ids[:i], id) {
			return api.Wrong(fmt.Sprintf("%s[%d]", field, i), "the file is named twice")
		}
	}
	return nil
}

// save seals the text and keeps the template with what it holds.
func (t *stored) save(tx *store.Tx, org string) error {
	text := t.Text
	defer func() { t.Text = text }()
	if err := sealedText.Set(tx, org, t, []byte(text)); err != nil {
		return err
	}
	t.Text = ""
	err := templates.Put(tx, org, t)
	if store.Duplicate(err, "name") {
		return errNameTaken
	}
	if err != nil {
		return err
	}
	return Hold(tx, org, t.ID, Holding{Attachments: t.AttachmentIDs})
}

type updateTemplateIn struct {
	ID   string `path:"id"`
	Body struct {
		Name          api.Patch[string]        `json:"name" maxLength:"120"`
		Text          api.Patch[string]        `json:"text"`
		Format        api.Patch[markup.Format] `json:"format" enum:"PLAIN,MARKDOWN,HTML"`
		AttachmentIDs api.Patch[[]string]      `json:"attachment_ids" maxItems:"10"`
		Language      api.PatchNull[string]    `json:"language" pattern:"^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$" maxLength:"16"`
		Category      api.PatchNull[string]    `json:"category" maxLength:"64"`
	}
}

// apply changes a template and says whether that changed anything.
func (in *updateTemplateIn) apply(t *Template) bool {
	changed := in.Body.Name.Apply(&t.Name)
	changed = in.Body.Text.Apply(&t.Text) || changed
	changed = in.Body.Format.Apply(&t.Format) || changed
	changed = in.Body.AttachmentIDs.Apply(&t.AttachmentIDs) || changed
	changed = in.Body.Language.Apply(&t.Language) || changed
	return in.Body.Category.Apply(&t.Category) || changed
}

func (s *Service) updateTemplate(c *api.Call, in updateTemplateIn) (out ShownTemplate, err error) {
	err = s.db.Update(c, func(tx *store.Tx) error {
		rec, err := templates.Get(tx, c.Org, in.ID)
		if err != nil {
			return err
		}
		before, err := rec.open(tx, c.Org)
		if err != nil {
			return err
		}
		after := before
		changed := in.apply(&after)
		if err := after.check(); err != nil {
			return err
		}
		if changed {
			after.UpdatedAt = c.Now
			err = rec.replace(tx, c, &before, &after)
		}
		out = after.shown(c.Org)
		return err
	})
	return out, err
}

// replace saves a template as it is after a change.
func (t *stored) replace(tx *store.Tx, c *api.Call, before, after *Template) error {
	t.Template = *after
	if err := t.save(tx, c.Org); err != nil {
		return err
	}
	return audit.Write(tx, c, "template.updated", audit.On("template", after.ID, after.Name), differences(before, after)...)
}

// differences are the fields that changed, without the text, which the audit log
// may not show.
func differences(before, after *Template) []audit.Detail {
	out := []audit.Detail{
		audit.Changed("name", before.Name, after.Name), audit.Changed("format", before.Format, after.Format),
		audit.Changed("attachment_ids", before.AttachmentIDs, after.AttachmentIDs),
		audit.Changed("language", before.Language, after.Language), audit.Changed("category", before.Category, after.Category),
	}
	if before.Text != after.Text {
		out = append(out, audit.Hidden("text"))
	}
	return out
}

type deleteTemplateIn struct {
	ID string `path:"id"`
}

func (s *Service) deleteTemplate(c *api.Call, in deleteTemplateIn) (out api.NoContent, err error) {
	err = s.db.Update(c, func(tx *store.Tx) error {
		t, err := templates.Get(tx, c.Org, in.ID)
		if err != nil {
			return err
		}
		live, err := liveUses.Count(tx, c.Org, in.ID)
		if err != nil {
			return err
		}
		if live > 0 {
			return errTemplateRun
		}
		if err := templates.Delete(tx, c.Org, in.ID); err != nil {
			return err
		}
		if err := Release(tx, c.Org, in.ID); err != nil {
			return err
		}
		return audit.Write(tx, c, "template.deleted", audit.On("template", t.ID, t.Name))
	})
	return out, err
}

// ShownTemplate is a template as the API answers it.
type ShownTemplate struct {
	Template
	Attachments []*api.Named `json:"attachments" nullable:"false"`
	Creator     *api.Named   `json:"creator"`
}

func (t Template) shown(org string) ShownTemplate {
	return ShownTemplate{t, api.Refs(org, t.AttachmentIDs), api.Ref(org, t.CreatedBy)}
}
