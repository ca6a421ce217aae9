package sheet

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"svc/app/recipient/field"
)

// draft is a row in the making.
type draft struct {
	Options
	row      Row
	problems []Issue
	dayMonth string // a date that can be read in two ways
	// What the row was made of: a cell for each column, or the fields of a record.
	cells  []string
	fields map[string]string
}

// wrong notes why the row cannot be taken.
func (d *draft) wrong(name, value string, err error) {
	if err != nil {
		d.problems = append(d.problems, NewIssue(d.row.Number, Invalid, name, value, name+" "+err.Error()+"."))
	}
}

// surplus notes a value behind the last column. Most often a value before it has the
// separator in it and no quotes, so that everything behind stands in the wrong column:
// the row is not taken.
func (d *draft) surplus(cells []string, columns int) {
	for n := columns; n < len(cells); n++ {
		if value := strings.TrimSpace(cells[n]); value != "" {
			d.problems = append(d.problems, NewIssue(d.row.Number, Invalid, "", value, fmt.Sprintf(
				"The row has a value in column %d, and the first row names %d: put a value that holds the separator into quotes, or name the column.", n+1, columns)))
			return
		}
	}
}

// set fills a field with a text. An empty text says nothing.
func (d *draft) set(name, value string) {
	value = strings.TrimSpace(value)
	if value == "" || name == "" {
		return
	}
	var err error
	switch name {
	case messengerID:
		d.row.MessengerID, err = field.ParseMessengerID(value)
	case userName:
		d.row.Username, err = field.ParseUsername(value)
	case firstName:
		d.row.FirstName, err = value, field.CheckText(value, field.MaxName)
	case lastName:
		d.row.LastName, err = value, field.CheckText(value, field.MaxName)
	case language:
		d.row.Language, err = field.ParseLanguage(value)
	case consent:
		d.row.Consent, err = field.ParseConsent(value)
	case consentAt:
		if d.row.ConsentAt, err = field.ParseTime(value); err == nil {
			err = field.CheckConsentTime(d.row.ConsentAt, d.Now)
		}
		if err == nil && field.DayMonthUnclear(value) {
			d.dayMonth = value
		}
	case consentNote:
		d.row.ConsentNote, err = value, field.CheckText(value, field.MaxNote)
	case tags:
		d.row.Tags = append(d.row.Tags, field.SplitTags(value, false)...)
	case attributes:
		err = d.exported(value)
	default:
		d.attribute(strings.TrimPrefix(name, attributePrefix), value)
		return
	}
	d.wrong(name, value, err)
}

// exported reads the attributes of an export: a JSON object.
func (d *draft) exported(value string) error {
	var all map[string]any
	if json.Unmarshal([]byte(value), &all) != nil {
		return errors.New("must be a JSON object, as the export writes it")
	}
	for key, v := range all {
		if v != nil {
			d.attribute(key, v)
		}
	}
	return nil
}

// attribute sets an attribute; finish looks at it.
func (d *draft) attribute(key string, value any) {
	if d.row.Attributes == nil {
		d.row.Attributes = map[string]any{}
	}
	d.row.Attributes[key] = value
}

// empty says whether the row says nothing at all.
func (d *draft) empty() bool {
	r := &d.row
	return len(d.problems) == 0 && r.MessengerID == 0 && r.Username == "" && r.FirstName == "" && r.LastName == "" && r.Language == "" &&
		r.Consent == "" && r.ConsentAt.IsZero() && r.ConsentNote == "" && len(r.Tags) == 0 && len(r.Attributes) == 0
}

var errNobody = errors.New("or username is needed: the row says nobody")

// finish checks what only the whole row can be checked for.
func (d *draft) finish(more []string) {
	unsaid := func(p Issue) bool { return p.Field != nil && (*p.Field == messengerID || *p.Field == userName) }
	if d.row.MessengerID == 0 && d.row.Username == "" && !slices.ContainsFunc(d.problems, unsaid) {
		d.wrong(messengerID, "", errNobody)
	}
	list, err := field.Tags(slices.Concat(d.row.Tags, more))
	d.wrong(tags, strings.Join(d.row.Tags, ";"), err)
	d.row.Tags = list
	d.wrong(attributes, "", field.CheckAttributes(d.row.Attributes))
}
