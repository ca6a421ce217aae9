package record

import (
	"svc/store/internal/buffer"
	"svc/store/internal/layout"
	"svc/store/internal/query"
)

// Page is a part of a list.
type Page struct {
	Records []any
	Total   int
	Next    []byte
}

// Page reads a part of a list, in the order of a sorted part, or of saving with nil.
func (t *Table) Page(tx *buffer.Tx, org layout.Org, sort *Part, l query.List) (page Page, err error) {
	var matches []any
	if sort != nil {
		l.Sort = &sort.Part
		l.Values = func(refs []layout.Ref) (values [][]byte, err error) {
			matches, values, err = t.valuesOf(tx, sort, org, refs)
			return values, err
		}
	}
	found, err := query.Find(tx, &t.Table, org, l)
	page.Total, page.Next = found.Total, found.Next
	switch {
	case err != nil:
	case found.InOrder:
		page.Records, page.Next, err = t.Walk(tx, org, found.After, l.Limit, l.Reverse)
	case found.Sorted != nil:
		page.Records = make([]any, len(found.Sorted))
		for i, at := range found.Sorted {
			page.Records[i] = matches[at]
		}
	case found.Keys != nil:
		page.Records, err = t.Load(tx, found.Keys...)
	}
	return page, err
}

// valuesOf loads records and gives what their entries have behind the prefix of a sorted part.
func (t *Table) valuesOf(tx *buffer.Tx, p *Part, org layout.Org, refs []layout.Ref) (recs []any, values [][]byte, err error) {
	if recs, err = t.LoadAt(tx, refs...); err != nil {
		return nil, nil, err
	}
	prefix := len(t.PartKey(layout.KindSorted, p.Num, &org))
	values = make([][]byte, len(recs))
	for i := range recs {
		values[i] = t.pairs(p, refs[i], recs[i])[0].Key[prefix:]
	}
	return recs, values, nil
}
