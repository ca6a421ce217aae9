package evaluation

import (
	"time"

	"svc/store"
)

// ForgetItems removes the results of items that are gone, at most limit of them.
func ForgetItems(tx *store.Tx, org string, items []string, limit int) (n int, err error) {
	for _, id := range items {
		list, _, err := byItem.Walk(tx, org, store.Range{Span: store.Is(store.Text(id)), Limit: limit})
		for i := range list {
			if err == nil {
				err = results.Delete(tx, org, list[i].ID)
			}
		}
		if err != nil {
			return n, err
		}
		n += len(list)
	}
	return n, nil
}

// RemoveOfBusiness removes some of the evaluations of a business that was deleted, with their
// results; more says whether others are left.
func RemoveOfBusiness(tx *store.Tx, org, business string) (more bool, err error) {
	p, err := table.Page(tx, org, store.Query[Evaluation]{Where: []store.Cond[Evaluation]{places.Any(business)}, Limit: 1})
	if err != nil || len(p.Data) == 0 {
		return false, err
	}
	e := &p.Data[0]
	list, _, err := failedFirst.Walk(tx, org, store.Range{Span: store.Is(store.Tuple(store.Text(e.ID))), Limit: atOnce})
	for i := range list {
		if err == nil {
			err = results.Delete(tx, org, list[i].ID)
		}
	}
	if err != nil || len(list) == atOnce {
		return true, err
	}
	return true, table.Delete(tx, org, e.ID)
}

// Purge removes what up to limit results from before a time say, the oldest first, and says
// how many there were.
func Purge(tx *store.Tx, org string, before time.Time, limit int) (int, error) {
	list, _, err := kept.Walk(tx, org, store.Range{Span: store.Between(nil, store.Time(before)), Limit: limit})
	for i := range list {
		if err != nil {
			break
		}
		r := &list[i]
		r.Purged = true
		if err = words.Set(tx, org, r, nil); err == nil {
			err = results.Put(tx, org, r)
		}
	}
	return len(list), err
}
