package content

import (
	"errors"
	"slices"

	"svc/app/api"
	"svc/store"
)

// Holding is what something uses of the content.
type Holding struct {
	Template    string // "" for none
	Attachments []string
	// Live: it is scheduled or running, so its template must stay.
	Live bool
}

// holding is a Holding as it is kept, under the id of who holds.
type holding struct {
	ID          string   `json:"id"`
	Template    string   `json:"template,omitempty"`
	Attachments []string `json:"attachments,omitempty"`
	Live        bool     `json:"live,omitempty"`
}

var (
	holdings = store.NewTable("content_use", "", func(h *holding) string { return h.ID })
	uses     = holdings.Tally("template", func(h *holding) []string {
		if h.Template == "" {
			return nil
		}
		return []string{h.Template}
	})
	liveUses = holdings.Tally("live", func(h *holding) []string {
		if h.Template == "" || !h.Live {
			return nil
		}
		return []string{h.Template}
	})
)

// Hold notes what holder, such as a campaign, uses from now on, in place of what it
// used before. What is held is not removed: attachments as long as anything holds
// them, a template while a live holder does. What holder did not use before must be
// there, else the error is validation_failed.
func Hold(tx *store.Tx, org, holder string, h Holding) error {
	before, err := holdings.Get(tx, org, holder)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return err
	}
	now := holding{ID: holder, Template: h.Template, Attachments: slices.Clone(h.Attachments), Live: h.Live}
	slices.Sort(now.Attachments)
	now.Attachments = slices.Compact(now.Attachments)
	for _, id := range now.Attachments {
		if !slices.Contains(before.Attachments, id) {
			if err := use(tx, org, id, +1); err != nil {
				return err
			}
		}
	}
	for _, id := range before.Attachments {
		if !slices.Contains(now.Attachments, id) {
			if err := use(tx, org, id, -1); err != nil {
				return err
			}
		}
	}
	if err := touch(tx, org, before, now); err != nil {
		return err
	}
	if now.Template == "" && len(now.Attachments) == 0 {
		if before.ID == "" {
			return nil
		}
		return holdings.Delete(tx, org, holder)
	}
	return holdings.Put(tx, org, &now)
}

// Release ends what holder uses: it was deleted.
func Release(tx *store.Tx, org, holder string) error { return Hold(tx, org, holder, Holding{}) }

// use changes how often an attachment is used.
func use(tx *store.Tx, org, id string, change int) error {
	_, err := files.Edit(tx, org, id, func(f *file) error {
		f.UsedByCount += change
		f.UnusedSince = nil
		if f.UsedByCount == 0 {
			now := tx.DB().Now()
			f.UnusedSince = &now
		}
		return nil
	})
	if errors.Is(err, store.ErrNotFound) {
		return api.Wrong("attachment_ids", "there is no attachment %.64s; upload it again", id)
	}
	return err
}

// touch notes that a template was taken, or goes out.
func touch(tx *store.Tx, org string, before, now holding) error {
	if now.Template == "" || now.Template == before.Template && (before.Live || !now.Live) {
		return nil
	}
	_, err := templates.Edit(tx, org, now.Template, func(t *stored) error {
		at := tx.DB().Now()
		t.LastUsedAt = &at
		return nil
	})
	if !errors.Is(err, store.ErrNotFound) {
		return err
	}
	if now.Template == before.Template {
		return nil // removed while nothing was live: the text was copied
	}
	return api.Wrong("template_id", "there is no template %.64s", now.Template)
}

// GetTemplate reads a template with its text.
func GetTemplate(tx *store.Tx, org, id string) (Template, error) {
	t, err := templates.Get(tx, org, id)
	if err != nil {
		return Template{}, err
	}
	return t.open(tx, org)
}

// GetAttachments reads attachments in the order of ids. One that is not there is
// validation_failed for that field of the request.
func GetAttachments(tx *store.Tx, org, field string, ids []string) ([]Attachment, error) {
	found, err := files.GetMany(tx, org, ids)
	if err != nil {
		return nil, err
	}
	out := make([]Attachment, 0, len(ids))
	for i, f := range found {
		if f == nil {
			return nil, api.Wrong(field, "there is no attachment %.64s; upload it again", ids[i])
		}
		out = append(out, f.Attachment)
	}
	return out, nil
}

// StorageUsed is how many megabytes the organization's files take, as its plan
// counts them (storage_mb).
func StorageUsed(tx *store.Tx, org string) (int, error) {
	s, err := storageOf(tx, org)
	return megabytes(s.Bytes), err
}

// RoomFor is plan_limit_reached when that many bytes more do not fit into the plan.
func RoomFor(tx *store.Tx, org string, bytes int64) error {
	_, err := room(tx, org, bytes)
	return err
}

// AddStorage counts files that another slice keeps, or with a negative number no longer
// keeps, in the storage of an organization. Past its plan it is plan_limit_reached.
func AddStorage(tx *store.Tx, org string, bytes int64) error {
	st, err := room(tx, org, bytes)
	if err != nil {
		return err
	}
	st.Bytes = max(st.Bytes, 0)
	return storages.Put(tx, org, &st)
}

func storageOf(tx *store.Tx, org string) (storage, error) {
	s, err := storages.Get(tx, org, storageID)
	if errors.Is(err, store.ErrNotFound) {
		return storage{ID: storageID}, nil
	}
	return s, err
}
