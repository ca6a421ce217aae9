package recipient

import (
	"slices"

	"svc/app/api"
	"svc/app/recipient/field"
	"svc/store"
)

type bulkIn struct {
	Body struct {
		Action       action        `json:"action" required:"true" enum:"tag,untag,add_to_list,remove_from_list,set_consent,opt_out,delete"`
		RecipientIDs []string      `json:"recipient_ids" nullable:"true" maxItems:"5000" doc:"These, or filter."`
		Filter       *filterBody   `json:"filter" doc:"Everybody who matches, up to 5000; the keys of the list's query, and no others."`
		All          bool          `json:"all" doc:"The same as all in the filter: without a condition, everybody is meant."`
		DryRun       bool          `json:"dry_run" doc:"Say how many recipients are meant; change nothing."`
		Tags         []string      `json:"tags" nullable:"true" doc:"For tag and untag."`
		ListID       string        `json:"list_id" nullable:"true" doc:"For add_to_list and remove_from_list."`
		Consent      field.Consent `json:"consent_status" nullable:"true" doc:"For set_consent: not OPTED_OUT."`
		ConsentNote  *string       `json:"consent_note" maxLength:"1000" doc:"For set_consent."`
	}
}

// BulkDone is what a bulk action did.
type BulkDone struct {
	Action    string    `json:"action"`
	DryRun    bool      `json:"dry_run"`
	Requested int       `json:"requested" doc:"How many recipients are meant."`
	Changed   int       `json:"changed" doc:"0 on a dry run."`
	Unchanged int       `json:"unchanged"`
	Skipped   []Skipped `json:"skipped" doc:"The first 500."`
}

func (s *Service) bulk(c *api.Call, in bulkIn) (out BulkDone, err error) {
	ch, err := in.change()
	if err != nil {
		return out, err
	}
	if err := orMaintained(c, in.Body.DryRun || ch.action == optEverybody); err != nil {
		return out, err
	}
	ids := slices.Compact(slices.Sorted(slices.Values(in.Body.RecipientIDs)))
	if in.Body.Filter != nil {
		if ids, err = s.matching(c, in.Body.Filter.filter(), in.Body.All || in.Body.Filter.All); err != nil {
			return out, err
		}
	}
	out = BulkDone{Action: string(ch.action), DryRun: in.Body.DryRun, Requested: len(ids), Skipped: []Skipped{}}
	if in.Body.DryRun {
		return out, nil
	}
	did, err := s.inBulk(c, ids, ch)
	out.Changed, out.Unchanged = did.changed, did.unchanged
	out.Skipped = append(out.Skipped, did.skipped...)
	return out, err
}

// change is the action of a body, or what is wrong with it.
func (in bulkIn) change() (ch change, err error) {
	b := in.Body
	wrong := map[string]string{}
	ch = change{action: b.Action}
	if (b.Filter != nil) == (len(b.RecipientIDs) > 0) {
		wrong["recipient_ids"] = "name the recipients, or send a filter"
	}
	switch b.Action {
	case tag, untag:
		ch.tags, err = field.Tags(b.Tags)
		if err != nil {
			wrong["tags"] = err.Error()
		} else if len(ch.tags) == 0 {
			wrong["tags"] = "name at least one tag"
		}
	case addToList, removeFromList:
		if ch.list = b.ListID; ch.list == "" {
			wrong["list_id"] = "name the list"
		}
	case giveConsent:
		ch.remark = b.ConsentNote
		ch.consent, err = field.ParseConsent(string(b.Consent))
		switch {
		case err != nil:
			wrong["consent_status"] = err.Error()
		case ch.consent == field.OptedOut:
			wrong["consent_status"] = "cannot opt anybody out; use the action opt_out"
		}
	}
	if len(wrong) > 0 {
		return ch, api.WrongFields(wrong)
	}
	return ch, nil
}

// errEverybody refuses a filter that says nothing: it would mean everybody.
var errEverybody = api.Wrong("filter", "names no condition, so it means everybody; add all: true when that is what you want")

// matching are the ids of those who match a filter. More than a bulk action may have are
// refused, and so is a filter without a condition that does not say that everybody is
// meant (contract 21.1).
func (s *Service) matching(c *api.Call, f filter, all bool) (ids []string, err error) {
	for after, more := store.Cursor(nil), true; more; more = after != nil {
		var page store.Page[Recipient]
		err := s.db.View(c, func(tx *store.Tx) error {
			where, err := f.conditions(tx, c.Org)
			if err != nil {
				return err
			}
			if len(where) == 0 && !all {
				return errEverybody
			}
			page, err = recipients.Page(tx, c.Org, store.Query[Recipient]{Where: where, After: after, Limit: api.MaxLimit})
			return err
		})
		if err != nil {
			return nil, err
		}
		if page.Total > MaxBulk {
			return nil, api.Wrong("filter", "matches %d recipients, and %d may be changed at once; narrow it", page.Total, MaxBulk)
		}
		for i := range page.Data {
			ids = append(ids, page.Data[i].ID)
		}
		after = page.Next
	}
	return ids, nil
}
