package admin

import (
	"errors"
	"strings"
	"time"
	"unicode/utf8"

	"svc/app/account"
	"svc/app/api"
	"svc/app/audit"
	"svc/app/user"
	"svc/store"
)

func (s *Service) reportEndpoints() []api.Endpoint {
	return []api.Endpoint{
		e("GET /admin/abuse-reports", "list_abuse_reports", "List abuse reports, newest first.", api.Read(s.db, s.listReports)),
		e("POST /admin/abuse-reports", "create_abuse_report", "Record an abuse report.", s.createReport),
		e("PATCH /admin/abuse-reports/{id}", "update_abuse_report", "Take an abuse report up, assign it, or end it.", api.Write(s.db, s.updateReport), api.Errors(api.ErrState)),
	}
}

// Category says what an abuse report is about.
type Category string

// Origin says who reported.
type Origin string

// Report is a complaint about what an organization sends (contract 17).
type Report struct {
	ID             string       `json:"id"`
	OrganizationID *string      `json:"organization_id"`
	AccountID      *string      `json:"account_id"`
	RecipientRef   *string      `json:"recipient_ref" doc:"Whom it happened to, as far as it was told: an id, a username."`
	Category       Category     `json:"category" enum:"SPAM,FRAUD,HARASSMENT,PRIVACY,OTHER"`
	Description    string       `json:"description"`
	Source         Origin       `json:"source" enum:"CUSTOMER,PLATFORM,ADMIN"`
	Status         ReportStatus `json:"status" enum:"OPEN,INVESTIGATING,RESOLVED,DISMISSED"`
	Resolution     *string      `json:"resolution"`
	AssignedTo     *string      `json:"assigned_to" doc:"A platform administrator."`
	CreatedAt      time.Time    `json:"created_at"`
	UpdatedAt      time.Time    `json:"updated_at"`
	ResolvedAt     *time.Time   `json:"resolved_at"`
}

var (
	reports        = store.NewTable("abuse_report", "abr", func(r *Report) string { return r.ID }).Global()
	reportStatus   = reports.Facet("status", func(r *Report) []string { return []string{string(r.Status)} })
	reportCategory = reports.Facet("category", func(r *Report) []string { return []string{string(r.Category)} })
	reportOrg      = reports.Multi("organization", func(r *Report) []store.Key {
		if r.OrganizationID == nil {
			return nil
		}
		return []store.Key{store.Text(*r.OrganizationID)}
	})
)

func (r *Report) resource() audit.Resource { return audit.On("abuse_report", r.ID, string(r.Category)) }

// openReports is how many wait for somebody.
func openReports(tx *store.Tx) (int, error) {
	return reportStatus.Count(tx, store.Platform, string(Open))
}

type listReportsIn struct {
	api.PageIn
	Status         ReportStatus `query:"status" enum:"OPEN,INVESTIGATING,RESOLVED,DISMISSED"`
	Category       Category     `query:"category" enum:"SPAM,FRAUD,HARASSMENT,PRIVACY,OTHER"`
	OrganizationID string       `query:"organization_id" maxLength:"64"`
	Sort           string       `query:"sort" enum:"created_at,-created_at" default:"-created_at"`
}

func (s *Service) listReports(_ *api.Call, tx *store.Tx, in listReportsIn) (out api.Page[ShownReport], err error) {
	var where []store.Cond[Report]
	if in.Status != "" {
		where = append(where, reportStatus.Any(string(in.Status)))
	}
	if in.Category != "" {
		where = append(where, reportCategory.Any(string(in.Category)))
	}
	if in.OrganizationID != "" {
		where = append(where, reportOrg.Where(store.Is(store.Text(in.OrganizationID))))
	}
	page, err := reports.Page(tx, store.Platform, store.Query[Report]{
		Where: where, Reverse: strings.HasPrefix(in.Sort, "-"), Offset: in.Offset, Limit: in.Limit, After: in.Behind(),
	})
	if err != nil {
		return out, err
	}
	return api.ShowPage(page, in.PageIn, func(x *Report) (ShownReport, error) { return x.show(tx) })
}

// Bounds of what is written down, in characters.
const (
	maxReportText = 4000
	maxRef        = 200
)

type createReportIn struct {
	Body struct {
		OrganizationID *string  `json:"organization_id" maxLength:"64"`
		AccountID      *string  `json:"account_id" maxLength:"64"`
		RecipientRef   *string  `json:"recipient_ref" maxLength:"200"`
		Category       Category `json:"category" required:"true" enum:"SPAM,FRAUD,HARASSMENT,PRIVACY,OTHER"`
		Description    string   `json:"description" required:"true" maxLength:"4000"`
		Source         Origin   `json:"source" enum:"CUSTOMER,PLATFORM,ADMIN" default:"ADMIN"`
		AssignedTo     *string  `json:"assigned_to" maxLength:"64"`
	}
}

func (s *Service) createReport(c *api.Call, in createReportIn) (out api.Created[ShownReport], err error) {
	r, err := in.report(c.Now)
	if err != nil {
		return out, err
	}
	r.ID = s.db.NewID("abr")
	err = s.db.Update(c, func(tx *store.Tx) error {
		if err := s.checkReport(tx, &r); err != nil {
			return err
		}
		if err := reports.Insert(tx, store.Platform, &r); err != nil {
			return err
		}
		shown, err := r.show(tx)
		if err != nil {
			return err
		}
		out = api.New(shown)
		return audit.WriteTo(tx, store.Platform, c, "abuse_report.created", r.resource(), audit.Changed("organization_id", nil, r.OrganizationID))
	})
	return out, err
}

// report is the report that was asked for, without an id.
func (in *createReportIn) report(now time.Time) (Report, error) {
	b := &in.Body
	text, err := said("description", b.Description)
	r := Report{
		OrganizationID: filled(b.OrganizationID), AccountID: filled(b.AccountID), RecipientRef: filled(b.RecipientRef),
		Category: b.Category, Description: text, Source: b.Source, Status: Open, AssignedTo: filled(b.AssignedTo), CreatedAt: now, UpdatedAt: now,
	}
	if r.Source == "" {
		r.Source = "ADMIN"
	}
	return r, err
}

// checkReport is validation_failed unless what the report names is there.
func (s *Service) checkReport(tx *store.Tx, r *Report) error {
	wrong := map[string]string{}
	if r.OrganizationID != nil {
		if err := exists(tx, *r.OrganizationID); missing(err) {
			wrong["organization_id"] = "is no organization"
		} else if err != nil {
			return err
		}
	}
	if r.AccountID != nil {
		if sentence, err := s.wrongAccount(tx, r); err != nil {
			return err
		} else if sentence != "" {
			wrong["account_id"] = sentence
		}
	}
	if len(wrong) > 0 {
		return api.WrongFields(wrong)
	}
	return checkAssignee(tx, r.AssignedTo)
}

// checkAssignee is validation_failed unless a report is given to an administrator who
// can look at it, or to nobody.
func checkAssignee(tx *store.Tx, id *string) error {
	if id == nil {
		return nil
	}
	u, err := user.Get(tx, *id)
	if err != nil && !missing(err) {
		return err
	}
	if err != nil || !u.IsPlatformAdmin || u.Status != user.Active {
		return api.Wrong("assigned_to", "is no platform administrator who can sign in")
	}
	return nil
}

// filled is a text without the spaces around it, nil for an empty one.
func filled(p *string) *string {
	if p == nil {
		return nil
	}
	return api.Optional(strings.TrimSpace(*p))
}

// said is validation_failed on field unless a text says something.
func said(field, text string) (string, error) {
	text = strings.TrimSpace(text)
	if n := utf8.RuneCountInString(text); n == 0 || n > maxReportText {
		return "", api.Wrong(field, "must have 1 to %d characters", maxReportText)
	}
	return text, nil
}

func missing(err error) bool { return errors.Is(err, store.ErrNotFound) }

// ShownReport is a report with the names of what it is about.
type ShownReport struct {
	Report
	Organization *api.Named `json:"organization"`
	Account      *api.Named `json:"account"`
	Assignee     *api.Named `json:"assignee"`
}

// show adds to a report what it names. An account whose organization the report does not
// say is looked up.
func (r *Report) show(tx *store.Tx) (ShownReport, error) {
	of, err := text(r.OrganizationID), error(nil)
	if of == "" && r.AccountID != nil {
		of, err = account.Find(tx, *r.AccountID)
	}
	return ShownReport{
		Report: *r, Organization: api.RefTo(text(r.OrganizationID), r.OrganizationID), Account: api.RefTo(of, r.AccountID),
		Assignee: api.RefTo(store.Platform, r.AssignedTo),
	}, store.IgnoreNotFound(err)
}
