package admin

import (
	"svc/app/api"
	"svc/app/audit"
	"svc/store"
)

// ReportStatus is where an abuse report is in its life.
type ReportStatus string

// The statuses (contract 17).
const (
	Open          ReportStatus = "OPEN"
	Investigating ReportStatus = "INVESTIGATING"
	Resolved      ReportStatus = "RESOLVED"
	Dismissed     ReportStatus = "DISMISSED"
)

type reportEvent string

const (
	takenUp   reportEvent = "taken_up"
	resolved  reportEvent = "resolved"
	dismissed reportEvent = "dismissed"
	reopened  reportEvent = "reopened"
)

// reportLives is the life of an abuse report. What is over can be opened again; it is
// not over in another way without that.
var reportLives = api.Table[ReportStatus, reportEvent]{
	{From: []ReportStatus{Open}, On: takenUp, To: Investigating},
	{From: []ReportStatus{Open, Investigating}, On: resolved, To: Resolved},
	{From: []ReportStatus{Open, Investigating}, On: dismissed, To: Dismissed},
	{From: []ReportStatus{Investigating, Resolved, Dismissed}, On: reopened, To: Open},
}

// toward is what happens when somebody wants a status.
var toward = map[ReportStatus]reportEvent{Open: reopened, Investigating: takenUp, Resolved: resolved, Dismissed: dismissed}

type updateReportIn struct {
	ID   string `path:"id" maxLength:"64"`
	Body struct {
		Status     api.Patch[ReportStatus] `json:"status" enum:"OPEN,INVESTIGATING,RESOLVED,DISMISSED"`
		Resolution api.PatchNull[string]   `json:"resolution" doc:"What was done; needed for RESOLVED and DISMISSED. At most 4000 characters."`
		AssignedTo api.PatchNull[string]   `json:"assigned_to" maxLength:"64" doc:"A platform administrator; null for nobody."`
		Category   api.Patch[Category]     `json:"category" enum:"SPAM,FRAUD,HARASSMENT,PRIVACY,OTHER"`
	}
}

func (s *Service) updateReport(c *api.Call, tx *store.Tx, in updateReportIn) (out ShownReport, err error) {
	before, err := reports.Get(tx, store.Platform, in.ID)
	if err != nil {
		return out, err
	}
	r := before
	if err := in.apply(&r, c); err != nil {
		return out, err
	}
	if text(before.AssignedTo) != text(r.AssignedTo) {
		if err := checkAssignee(tx, r.AssignedTo); err != nil {
			return out, err
		}
	}
	if !same(&before, &r) {
		r.UpdatedAt = c.Now
		err = r.replace(tx, c, &before)
	}
	if err == nil {
		out, err = r.show(tx)
	}
	return out, err
}

// replace saves a report as it is after a change.
func (r *Report) replace(tx *store.Tx, c *api.Call, before *Report) error {
	if err := reports.Put(tx, store.Platform, r); err != nil {
		return err
	}
	details := []audit.Detail{
		audit.Changed("status", before.Status, r.Status), audit.Changed("category", before.Category, r.Category),
		audit.Changed("assigned_to", before.AssignedTo, r.AssignedTo),
	}
	if text(before.Resolution) != text(r.Resolution) { // it may quote people
		details = append(details, audit.Hidden("resolution"))
	}
	return audit.WriteTo(tx, store.Platform, c, "abuse_report.updated", r.resource(), details...)
}

// apply writes the change to a report, whose status moves as its life allows.
func (in updateReportIn) apply(r *Report, c *api.Call) error {
	b := in.Body
	b.Category.Apply(&r.Category)
	if b.AssignedTo.Set {
		r.AssignedTo = filled(b.AssignedTo.Value)
	}
	if b.Resolution.Set {
		r.Resolution = nil
		if v := filled(b.Resolution.Value); v != nil {
			checked, err := said("resolution", *v)
			if err != nil {
				return err
			}
			r.Resolution = &checked
		}
	}
	if b.Status.Set && b.Status.Value != r.Status {
		next, ok := reportLives.Next(r.Status, toward[b.Status.Value])
		if !ok {
			return api.ErrState.WithMessage("A report that is %s cannot become %s.", r.Status, b.Status.Value)
		}
		r.Status, r.ResolvedAt = next, nil
		if over(next) {
			r.ResolvedAt = &c.Now
		}
	}
	if over(r.Status) && r.Resolution == nil {
		return api.Wrong("resolution", "is needed: say what was done, or why nothing was")
	}
	return nil
}

func over(s ReportStatus) bool { return s == Resolved || s == Dismissed }

func same(a, b *Report) bool {
	return a.Status == b.Status && a.Category == b.Category && text(a.Resolution) == text(b.Resolution) && text(a.AssignedTo) == text(b.AssignedTo)
}

func text(p *string) string {
	if p == nil {
		return ""
	}
	return *p
}
