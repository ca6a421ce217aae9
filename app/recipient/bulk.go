package recipient

import (
	"errors"
	"slices"

	"svc/app/api"
	"svc/app/audit"
	"svc/app/recipient/field"
	"svc/store"
)

// action is what a bulk operation does to each recipient.
type action string

const (
	tag            action = "tag"
	untag          action = "untag"
	addToList      action = "add_to_list"
	removeFromList action = "remove_from_list"
	giveConsent    action = "set_consent"
	optEverybody   action = "opt_out"
	deleteAll      action = "delete"
)

// change is an action with what it needs.
type change struct {
	action  action
	tags    []string
	list    string
	consent field.Consent
	remark  *string
}

// MaxBulk is how many recipients one bulk operation changes (contract 47);
// bulkChunk how many one transaction does, of which each may write 40 keys.
const (
	MaxBulk    = 5000
	bulkChunk  = 200
	maxSkipped = 500
)

// tally says what became of the recipients of a bulk operation.
type tally struct {
	changed, unchanged, missing int
	skipped                     []Skipped
}

// Skipped is a recipient that a bulk operation left alone.
type Skipped struct {
	RecipientID string `json:"recipient_id"`
	Reason      string `json:"reason" example:"recipient_opted_out"`
}

func (t *tally) add(o tally) {
	t.changed += o.changed
	t.unchanged += o.unchanged
	t.missing += o.missing
	t.skipped = append(t.skipped, o.skipped...)
	t.skipped = t.skipped[:min(len(t.skipped), maxSkipped)]
}

// inBulk changes recipients chunk by chunk. What was changed before an error stays.
func (s *Service) inBulk(c *api.Call, ids []string, ch change) (out tally, err error) {
	for chunk := range slices.Chunk(ids, bulkChunk) {
		var did tally
		err := s.db.Update(c, func(tx *store.Tx) (err error) {
			did, err = s.changeChunk(tx, c, chunk, ch)
			return err
		})
		if err != nil {
			return out, err
		}
		out.add(did)
	}
	return out, nil
}

func (s *Service) changeChunk(tx *store.Tx, c *api.Call, ids []string, ch change) (out tally, err error) {
	on := audit.On("organization", c.Org, "")
	if ch.list != "" {
		l, err := lists.Get(tx, c.Org, ch.list)
		if err != nil {
			return out, err
		}
		on = audit.On("list", l.ID, l.Name)
	}
	found, err := recipients.GetMany(tx, c.Org, ids)
	if err != nil {
		return out, err
	}
	for i, r := range found {
		if r == nil {
			out.missing++
			out.skipped = append(out.skipped, Skipped{ids[i], api.ErrNotFound.Code})
			continue
		}
		changed, err := s.changeOne(tx, c, r, ch)
		var refused *api.Error
		switch {
		case errors.As(err, &refused):
			out.skipped = append(out.skipped, Skipped{r.ID, refused.Code})
		case err != nil:
			return out, err
		case changed:
			out.changed++
		default:
			out.unchanged++
		}
	}
	if out.changed == 0 {
		return out, nil
	}
	return out, audit.Write(tx, c, "recipients."+string(ch.action), on, audit.Changed("recipients", 0, out.changed), audit.Changed("tags", nil, ch.tags))
}

// errTooManyTags is why a recipient gets no further tag.
var errTooManyTags = &api.Error{Kind: api.Invalid, Code: "too_many_tags", Message: "A recipient carries 50 tags at most."}

// changeOne does it to one recipient and says whether that changed anything. A
// refusal is found before anything is written.
func (s *Service) changeOne(tx *store.Tx, c *api.Call, r *Recipient, ch change) (changed bool, err error) {
	switch ch.action {
	case tag:
		tags := field.AddTags(r.Tags, ch.tags)
		if len(tags) > field.MaxTags {
			return false, errTooManyTags
		}
		changed, r.Tags = len(tags) > len(r.Tags), tags
	case untag:
		tags, gone := field.RemoveTags(r.Tags, ch.tags)
		changed, r.Tags = gone > 0, tags
	case addToList:
		in := union(r.Lists, []string{ch.list})
		changed, r.Lists = len(in) > len(r.Lists), in
	case removeFromList:
		left, gone := without(r.Lists, []string{ch.list})
		changed, r.Lists = gone > 0, left
	case giveConsent:
		if r.Consent == ch.consent && ch.remark == nil {
			return false, nil
		}
		at := r.ConsentAt
		if r.Consent != ch.consent {
			at = nil // a new basis is recorded now
		}
		remark := r.ConsentNote
		if ch.remark != nil {
			remark = ch.remark
		}
		if err := setConsent(tx, c, r, ch.consent, at, remark); err != nil {
			return false, err
		}
		changed = true
	case optEverybody:
		if r.Consent == field.OptedOut && r.Suppressed {
			return false, nil
		}
		was := r.Consent
		return was != field.OptedOut, optOut(tx, c, s.bus, r, SourceOf(c), "")
	case deleteAll:
		return true, s.remove(tx, c, r)
	}
	if !changed {
		return false, nil
	}
	r.UpdatedAt = c.Now
	return true, put(tx, c.Org, r)
}
