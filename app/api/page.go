package api

import (
	"strconv"

	"svc/store"
)

// Bounds of a list (contract 1).
const (
	DefaultLimit = 50
	MaxLimit     = 500
)

// PageIn are the parameters that every list takes; embed it. Its Resolve reads
// Cursor; an input with a Resolve of its own calls it.
type PageIn struct {
	Limit  int    `query:"limit" minimum:"1" maximum:"500" default:"50" doc:"How many to answer."`
	Offset int    `query:"offset" minimum:"0" default:"0" doc:"How many to pass over; not with cursor."`
	Cursor string `query:"cursor" maxLength:"2048" doc:"next_cursor of the page before, of the same list with the same filters and sort: goes on behind its last row, whatever was added or deleted meanwhile." example:"cur_AQAAAAAAAAAAAAAAAAAAAAAAAAA"`

	after   store.Cursor // where Cursor stands, nil for the beginning
	listing string       // the list with its filters and sort, to which cursors are bound
}

// Behind is where the page begins: behind the row at which the page of Cursor ended;
// nil for the beginning, and with Offset.
func (in PageIn) Behind() store.Cursor { return in.after }

// Page is the answer of a list: {data, total, limit, offset, next_cursor}.
type Page[T any] struct {
	Data       []T     `json:"data"`
	Total      int     `json:"total" doc:"How many there are in all, exactly."`
	Limit      int     `json:"limit"`
	Offset     int     `json:"offset"`
	NextCursor *string `json:"next_cursor" doc:"Send it as cursor for the next page; null when nothing is left." example:"cur_AQAAAAAAAAAAAAAAAAAAAAAAAAA"`
}

// NewPage makes the answer to in. data may be nil; next is behind its last row, nil when
// nothing is left.
func NewPage[T any](data []T, total int, in PageIn, next store.Cursor) Page[T] {
	if data == nil {
		data = []T{}
	}
	return Page[T]{Data: data, Total: total, Limit: in.Limit, Offset: in.Offset, NextCursor: in.cursor(next)}
}

// ShowPage makes a page of records into one of answers. show makes the answer of each; its
// first error ends the page.
func ShowPage[T, S any](page store.Page[T], in PageIn, show func(*T) (S, error)) (out Page[S], err error) {
	rows := make([]S, len(page.Data))
	for i := range page.Data {
		if rows[i], err = show(&page.Data[i]); err != nil {
			return out, err
		}
	}
	return NewPage(rows, page.Total, in, page.Next), nil
}

// ListOf answers a page of the records of the caller's organization that a query finds, read in
// one transaction.
func ListOf[T, S any](c *Call, db *store.DB, t *store.Table[T], q store.Query[T], in PageIn, show func(*store.Tx, *T) (S, error)) (out Page[S], err error) {
	err = db.View(c, func(tx *store.Tx) error {
		page, err := t.Page(tx, c.Org, q)
		if err != nil {
			return err
		}
		out, err = ShowPage(page, in, func(x *T) (S, error) { return show(tx, x) })
		return err
	})
	return out, err
}

// Window is a page of a list that is in memory whole and sorted by key, falling. No two
// rows have the same key.
func Window[T any](rows []T, in PageIn, key func(*T) string) Page[T] {
	return window(rows, in, key, func(key, after string) bool { return key >= after })
}

// Rising is Window of a list whose keys rise.
func Rising[T any](rows []T, in PageIn, key func(*T) string) Page[T] {
	return window(rows, in, key, func(key, after string) bool { return key <= after })
}

// window is a page of rows of which those before a cursor are first.
func window[T any](rows []T, in PageIn, key func(*T) string, before func(key, after string) bool) Page[T] {
	from := min(in.Offset, len(rows))
	if in.after != nil {
		for from = 0; from < len(rows) && before(key(&rows[from]), string(in.after)); {
			from++
		}
	}
	to := min(from+in.Limit, len(rows))
	var next store.Cursor
	if to > from && to < len(rows) {
		next = store.Cursor(key(&rows[to-1]))
	}
	return NewPage(rows[from:to], len(rows), in, next)
}

// Passed is how many rows lie before the page of a list in which a cursor is a count: one
// that grows only at its end, or whose rows move by themselves.
func (in PageIn) Passed() (int, error) {
	if in.after == nil {
		return in.Offset, nil
	}
	n, err := strconv.Atoi(string(in.after))
	if err != nil || n < 0 {
		return 0, store.ErrCursor
	}
	return n, nil
}

// CountedPage is NewPage for such a list; passed rows lie before it.
func CountedPage[T any](data []T, total int, in PageIn, passed int) Page[T] {
	var next store.Cursor
	if behind := passed + len(data); len(data) > 0 && behind < total {
		next = store.Cursor(strconv.Itoa(behind))
	}
	return NewPage(data, total, in, next)
}

// List is the answer of a list that is always whole: {data}.
type List[T any] struct {
	Data []T `json:"data"`
}

// NewList makes the answer of a whole list. data may be nil.
func NewList[T any](data []T) List[T] {
	if data == nil {
		data = []T{}
	}
	return List[T]{Data: data}
}
