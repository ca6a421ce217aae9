package source

import (
	"net/url"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"svc/app/api"
	"svc/app/audit"
	"svc/app/business"
	"svc/app/content"
	"svc/app/content/media"
	"svc/app/org"
	"svc/store"
)

// Bounds of what people write (contract 13.20).
const (
	maxTitle    = 200
	maxText     = 200_000
	maxQuestion = 500
	maxAnswer   = 4_000
	maxURL      = 2_048
	maxRefresh  = 720
)

// createForm is a source as a form, with its file.
type createForm struct {
	BusinessID string    `json:"business_id" required:"true" maxLength:"64"`
	Title      string    `json:"title" maxLength:"200" doc:"The name of the file when left out."`
	Language   string    `json:"language" enum:"uz,ru,en"`
	File       *api.File `json:"file" required:"true" nullable:"false" doc:"PDF, DOCX, XLSX, CSV, TXT, MD or HTML; its content says what it is, not its name." example:"Narxlar: 5000 so'm"`
}

// createBody is a source as JSON.
type createBody struct {
	BusinessID string `json:"business_id" required:"true" maxLength:"64"`
	// A file comes as a form.
	Type         Type    `json:"type" required:"true" enum:"TEXT,FAQ,OFFERS,WEB_PAGE"`
	Title        string  `json:"title" maxLength:"200" doc:"Needed for TEXT; else the question, the address of the page or “Offers” when left out."`
	Language     *string `json:"language" enum:"uz,ru,en" doc:"null: found for each chunk."`
	Text         string  `json:"text" maxLength:"200000" doc:"Of TEXT; a line that begins with # is a heading."`
	Question     string  `json:"question" maxLength:"500"`
	Answer       string  `json:"answer" maxLength:"4000" doc:"Of FAQ; what is sent word for word in strict scenarios."`
	URL          string  `json:"url" maxLength:"2048" example:"https://gul.example.uz/yetkazib-berish"`
	RefreshHours int     `json:"refresh_hours" minimum:"0" maximum:"720" doc:"Of WEB_PAGE; 0: it is not read again by itself."`
	Enabled      *bool   `json:"enabled" doc:"true when left out; false: it is kept DISABLED until somebody publishes it."`
}

type createIn = api.FormOrJSONIn[createForm, createBody]

// draft is a source that is about to be made, with its text or file.
type draft struct {
	Source
	text string
	file []byte
}

func (s *Service) create(c *api.Call, in createIn) (out api.Created[Shown], err error) {
	var d draft
	switch in.MediaType() {
	case "multipart/form-data":
		d, err = s.fromForm(c, in)
	case "application/json":
		d, err = s.fromJSON(c, in)
	default:
		err = api.ErrMediaType.WithMessage("Send application/json, or a file as multipart/form-data in the field file.")
	}
	if err != nil {
		return out, err
	}
	src, err := s.make(c, d)
	return api.New(src.Shown(c.Org)), err
}

func (s *Service) fromForm(c *api.Call, in createIn) (d draft, err error) {
	form, err := in.ReadForm(c)
	if err != nil {
		return d, err
	}
	switch {
	case form.File == nil:
		return d, api.ErrNoFile
	case len(form.File.Content) == 0:
		return d, api.Wrong("file", "%v", media.RefusedEmpty)
	}
	name := content.FileName(form.File.Name)
	d = draft{file: form.File.Content, Source: Source{
		BusinessID: form.BusinessID, Type: File, Title: form.Title, Language: form.Language, FileName: name, Size: int64(len(form.File.Content)),
	}}
	if strings.TrimSpace(d.Title) == "" {
		d.Title = strings.TrimSuffix(name, filepath.Ext(name))
	}
	if d.Size > MaxFile {
		return d, api.ErrTooLarge.WithMessage("A file may have %d MB; split it into several.", MaxFile>>20)
	}
	return d, nil
}

func (s *Service) fromJSON(c *api.Call, in createIn) (d draft, err error) {
	b, err := in.ReadJSON(c)
	if err != nil {
		return d, err
	}
	d = draft{text: b.Text, Source: Source{
		BusinessID: b.BusinessID, Type: b.Type, Title: b.Title, Question: b.Question, Answer: b.Answer, URL: b.URL, RefreshHours: b.RefreshHours,
	}}
	if b.Language != nil {
		d.Language = *b.Language
	}
	if b.Enabled != nil && !*b.Enabled {
		d.Status = Disabled
	}
	if b.Type == File {
		return d, api.Wrong("type", "a file is sent as multipart/form-data in the field file")
	}
	return d, nil
}

// check brings a source into form, or says what is wrong with each field.
func (d *draft) check() error {
	d.Title, d.Question, d.Answer = oneLine(d.Title), oneLine(d.Question), strings.TrimSpace(d.Answer)
	d.URL = strings.TrimSpace(d.URL)
	wrong := []error{checkLanguage(d.Language)}
	switch d.Type {
	case Text:
		wrong = append(wrong, length("text", d.text, 1, maxText), length("title", d.Title, 1, maxTitle))
	case FAQ:
		if d.Title == "" {
			d.Title = cut(d.Question, maxTitle)
		}
		wrong = append(wrong, length("question", d.Question, 1, maxQuestion), length("answer", d.Answer, 1, maxAnswer))
	case WebPage:
		host, err := CheckURL(d.URL)
		if d.Title == "" {
			d.Title, d.Untitled = cut(host, maxTitle), true
		}
		wrong = append(wrong, err, d.checkRefresh())
	case Offers:
		if d.Title == "" {
			d.Title = "Offers"
		}
	case File:
	default:
		return api.Wrong("type", "must be one of TEXT, FAQ, OFFERS, WEB_PAGE, or a file as multipart/form-data")
	}
	if err := api.AllWrong(append(wrong, length("title", d.Title, 0, maxTitle), d.others())...); err != nil {
		return err
	}
	return nil
}

// others refuses what belongs to another type.
func (d *draft) others() error {
	var wrong []error
	for _, f := range []struct {
		name string
		of   Type
		set  bool
	}{
		{"text", Text, d.text != ""}, {"question", FAQ, d.Question != ""}, {"answer", FAQ, d.Answer != ""},
		{"url", WebPage, d.URL != ""}, {"refresh_hours", WebPage, d.RefreshHours != 0},
	} {
		if f.set && d.Type != f.of {
			wrong = append(wrong, api.Wrong(f.name, "belongs to a source of the type %s", f.of))
		}
	}
	return api.AllWrong(wrong...)
}

func (s *Source) checkRefresh() error {
	if s.RefreshHours < 0 || s.RefreshHours > maxRefresh {
		return api.Wrong("refresh_hours", "must be 0 to %d", maxRefresh)
	}
	return nil
}

func checkLanguage(l string) error {
	switch l {
	case "", "uz", "ru", "en":
		return nil
	}
	return api.Wrong("language", "must be uz, ru or en")
}

// CheckURL refuses what is no address of a page, and says how it is named.
func CheckURL(text string) (host string, err error) {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Hostname() == "" || u.User != nil || len(text) > maxURL {
		return "", api.Wrong("url", "must be an address such as https://example.uz/delivery")
	}
	if p := u.Port(); p != "" && p != "80" && p != "443" {
		return "", api.Wrong("url", "may have the ports 80 and 443 only")
	}
	return u.Hostname() + strings.TrimSuffix(u.Path, "/"), nil
}

func length(field, text string, least, most int) error {
	switch n := utf8.RuneCountInString(text); {
	case n < least, strings.TrimSpace(text) == "" && least > 0:
		return api.Wrong(field, "must not be empty")
	case n > most:
		return api.Wrong(field, "must have at most %d characters", most)
	}
	return nil
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

func cut(s string, most int) string {
	if r := []rune(s); len(r) > most {
		return string(r[:most])
	}
	return s
}

// make checks a source and saves it, its file before its record.
func (s *Service) make(c *api.Call, d draft) (src Source, err error) {
	if err := d.check(); err != nil {
		return src, err
	}
	d.ID, d.CreatedBy, d.CreatedAt, d.UpdatedAt = s.db.NewID("kns"), c.Caller.ID, c.Now, c.Now
	if d.Status != Disabled {
		d.Status = Pending
	}
	if d.Type != File {
		err = s.db.Update(c, func(tx *store.Tx) error {
			src, err = Add(tx, c, d.Source, d.text)
			return err
		})
		return src, err
	}
	if d.Vault, err = s.db.Hash("knowledge file", c.Org+"/"+d.ID); err != nil {
		return src, err
	}
	if err := s.db.View(c, func(tx *store.Tx) error { return room(tx, c.Org, d.BusinessID, d.Size) }); err != nil {
		return src, err
	}
	err = s.vault.Locked(d.Vault, func() error {
		if err := s.vault.Write(d.Vault, d.file); err != nil {
			return err
		}
		return s.db.Update(c, func(tx *store.Tx) error {
			if err := content.AddStorage(tx, c.Org, d.Size); err != nil {
				return err
			}
			src, err = Add(tx, c, d.Source, "")
			return err
		})
	})
	return src, err
}

// room says what keeps a source with that many bytes of file away.
func room(tx *store.Tx, orgID, businessID string, size int64) error {
	if err := known(tx, orgID, businessID); err != nil {
		return err
	}
	used, err := Count(tx, orgID)
	if err != nil {
		return err
	}
	if err := org.CheckLimit(tx, orgID, org.LimitKnowledgeSources, used, 1); err != nil || size == 0 {
		return err
	}
	return content.RoomFor(tx, orgID, size)
}

// known refuses a business that is not there.
func known(tx *store.Tx, org, id string) error {
	_, err := business.Named(tx, org, id)
	return err
}

// Add saves a new source that is in form and asks for its ingestion, unless it is Disabled.
func Add(tx *store.Tx, c *api.Call, src Source, text string) (Source, error) {
	if err := room(tx, c.Org, src.BusinessID, 0); err != nil {
		return src, err
	}
	if err := sources.Insert(tx, c.Org, &src); store.Duplicate(err, "offers") {
		return src, api.ErrConflict.WithMessage("This business has a source of its offers already.")
	} else if err != nil {
		return src, err
	}
	if src.Type == Text {
		if err := bodies.Put(tx, c.Org, &body{src.ID, text}); err != nil {
			return src, err
		}
	}
	if src.Status == Pending {
		if err := ask(tx, c.Org, src.ID); err != nil {
			return src, err
		}
	}
	return src, audit.Write(tx, c, "knowledge_source.created", src.resource(), audit.Changed("type", nil, src.Type))
}

// AddDraft saves a text that a person has to publish: it is Disabled until then.
func AddDraft(tx *store.Tx, c *api.Call, id, businessID, title, text string) (Source, error) {
	text = cut(text, maxText)
	return Add(tx, c, Source{
		ID: id, BusinessID: businessID, Type: Text, Title: cut(title, maxTitle), Status: Disabled, CreatedBy: c.Caller.ID, CreatedAt: c.Now, UpdatedAt: c.Now,
	}, text)
}
