package api

import "svc/store"

// Lists are the indexes by which ListAcross lists records that have a status, for one
// organization and for all of them.
type Lists[T any] struct {
	Table  *store.Table[T]
	Status *store.Facet[T]
	// Across has the keys store.Tuple(status, creation time), and the same with "" for the
	// status.
	Across *store.IndexAcross[T]
	Tally  *store.TallyAcross[T]
}

// ListAcross lists the records of all organizations, or of one, newest first; status ""
// means all. show makes the answer of each.
func ListAcross[T, S any](tx *store.Tx, l Lists[T], org, status string, in PageIn, show func(org string, it *T) (S, error)) (out Page[store.Of[S]], err error) {
	found, total, next, err := l.page(tx, org, status, in)
	rows := make([]store.Of[S], len(found))
	for i := range found {
		if err == nil {
			rows[i].Org = found[i].Org
			rows[i].Record, err = show(found[i].Org, &found[i].Record)
		}
	}
	return NewPage(rows, total, in, next), err
}

func (l Lists[T]) page(tx *store.Tx, org, status string, in PageIn) (out []store.Of[T], total int, next store.Cursor, err error) {
	if org == "" {
		if total, err = l.totalAcross(tx, status); err == nil {
			out, next, err = l.pageAcross(tx, status, in)
		}
		return out, total, next, err
	}
	q := store.Query[T]{Reverse: true, Offset: in.Offset, Limit: in.Limit, After: in.Behind()}
	if status != "" {
		q.Where = []store.Cond[T]{l.Status.Any(status)}
	}
	page, err := l.Table.Page(tx, org, q)
	for _, it := range page.Data {
		out = append(out, store.Of[T]{Org: org, Record: it})
	}
	return out, page.Total, page.Next, err
}

// skippedAtATime bounds how many records are read at once to leave them out.
const skippedAtATime = 200

// pageAcross reads a page of what all organizations have, newest first. It costs what
// lies before it: administrators look at the first pages.
func (l Lists[T]) pageAcross(tx *store.Tx, status string, in PageIn) ([]store.Of[T], store.Cursor, error) {
	skip, after := in.Offset, in.Behind()
	for {
		most := in.Limit
		if skip > 0 {
			most = min(skip, skippedAtATime)
		}
		page, next, err := l.Across.Walk(tx, store.Range{Span: store.Is(store.Tuple(store.Text(status))), After: after, Limit: most, Reverse: true})
		if err != nil || skip == 0 {
			return page, next, err
		}
		if next == nil {
			return nil, nil, nil
		}
		skip, after = skip-len(page), next
	}
}

func (l Lists[T]) totalAcross(tx *store.Tx, status string) (n int, err error) {
	if status != "" {
		return l.Tally.Count(tx, status)
	}
	all, err := l.Tally.Counts(tx)
	for _, k := range all {
		n += k
	}
	return n, err
}
