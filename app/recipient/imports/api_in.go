package imports

import (
	"encoding/json"
	"reflect"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"svc/app/api"
	"svc/app/recipient"
	"svc/app/recipient/field"
	"svc/app/recipient/sheet"
)

// importIn is an import as it is asked for, in a form or in JSON.
type importIn = api.FormOrJSONIn[importForm, importBody]

// ImportTerms are what is said of the people of an import, whatever brings them. It is
// exported because huma reads no others that are embedded.
type ImportTerms struct {
	DryRun      bool              `json:"dry_run" doc:"Say what would happen; save nothing."`
	Default     field.Consent     `json:"default_consent" enum:"OPTED_IN,AUTHORIZED,EXISTING_RELATIONSHIP,UNKNOWN,OPTED_OUT" default:"UNKNOWN" doc:"Of people whose row says none."`
	Tags        tagList           `json:"tags" doc:"For everybody."`
	ListID      string            `json:"list_id" doc:"The list that everybody goes into."`
	NewListName string            `json:"new_list_name" maxLength:"80" doc:"A list to make for them, instead of list_id."`
	Source      field.Source      `json:"source" enum:"CSV,JSON,API,CRM,MANUAL" doc:"What the file is, or API, when it says nothing."`
	Sheet       string            `json:"sheet" maxLength:"100" doc:"The sheet of a workbook; its first, when it is not said."`
	Mapping     map[string]string `json:"mapping" doc:"By header, the field that a column fills: one of the names of a record, attributes.<key>, or an empty text to leave it out."`
}

type importForm struct {
	File *api.File `json:"file" required:"true" nullable:"false" doc:"A CSV file whose first row names the columns, in UTF-8, UTF-16 or Windows-1251; an XLSX workbook; or a JSON file with a list of records."`
	ImportTerms
}

type importBody struct {
	Records recordList `json:"records" required:"true" nullable:"false"`
	ImportTerms
}

// TransformSchema gives an example that is taken; list_id and new_list_name exclude each
// other.
func (importForm) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	s.Examples = []any{map[string]any{
		"file": "messenger_id,first_name,consent_status\n123456789,Olga,OPTED_IN\n", "dry_run": true, "tags": "shop;2026", "new_list_name": "Shop",
	}}
	return s
}

// TransformSchema gives an example that is taken.
func (importBody) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	person := map[string]any{"messenger_id": 123456789, "first_name": "Olga", "consent_status": field.OptedIn, "tags": []string{"vip"}, "attributes": map[string]any{"city": "Toshkent"}}
	s.Examples = []any{map[string]any{"dry_run": true, "tags": []string{"shop"}, "new_list_name": "Shop", "records": []any{person}}}
	return s
}

// recordList is a list of people as it was sent. What is wrong with one of them is an
// issue of the report, so that nothing but the sheet reads it.
type recordList json.RawMessage

// UnmarshalJSON keeps the text; null is no list.
func (l *recordList) UnmarshalJSON(data []byte) error {
	if string(data) != "null" {
		*l = slices.Clone(data)
	}
	return nil
}

// Schema describes the records.
func (recordList) Schema(r huma.Registry) *huma.Schema {
	one, most := 1, sheet.MaxRows
	return &huma.Schema{Type: huma.TypeArray, Items: r.Schema(reflect.TypeFor[importRecord](), true, ""), MinItems: &one, MaxItems: &most}
}

// importRecord describes one of the people; the sheet reads it. A field with another
// name becomes an attribute.
type importRecord struct {
	MessengerID messengerID    `json:"messenger_id" doc:"The numeric user ID; this, a username, or both."`
	Username    string         `json:"username" nullable:"true" doc:"With or without @, or as a link." example:"olga_k"`
	FirstName   string         `json:"first_name" nullable:"true" maxLength:"128"`
	LastName    string         `json:"last_name" nullable:"true" maxLength:"128"`
	Language    string         `json:"language" nullable:"true" doc:"A code such as uz, ru or en." example:"uz"`
	Consent     field.Consent  `json:"consent_status" nullable:"true" enum:"OPTED_IN,AUTHORIZED,EXISTING_RELATIONSHIP,UNKNOWN,OPTED_OUT"`
	ConsentAt   string         `json:"consent_timestamp" nullable:"true" doc:"A time or a date, not in the future." example:"2026-05-01T10:00:00Z"`
	ConsentNote string         `json:"consent_note" nullable:"true" maxLength:"1000"`
	Tags        tagList        `json:"tags" doc:"Up to 50, each up to 64 characters."`
	Attributes  map[string]any `json:"attributes" doc:"Each key is a message variable."`
}

// messengerID is a user id as a number or as a text.
type messengerID struct{}

// Schema describes either form.
func (messengerID) Schema(huma.Registry) *huma.Schema {
	least := 1.0
	return &huma.Schema{OneOf: []*huma.Schema{
		{Type: huma.TypeInteger, Format: "int64", Minimum: &least, Examples: []any{123456789}}, {Type: huma.TypeString, Pattern: "^[0-9]+$"},
	}}
}

// tagList is a list of tags, or a text with commas or semicolons between them.
type tagList []string

// UnmarshalJSON reads either form.
func (t *tagList) UnmarshalJSON(data []byte) error {
	var text string
	if json.Unmarshal(data, &text) == nil {
		*t = field.SplitTags(text, true)
		return nil
	}
	return json.Unmarshal(data, (*[]string)(t))
}

// Schema describes either form.
func (tagList) Schema(huma.Registry) *huma.Schema { return recipient.TextOrTexts() }

// request is an import that was asked for.
type request struct {
	ImportTerms
	file    *api.File // or
	records recordList
	opened  sheet.File // the file
}

func readRequest(c *api.Call, in importIn) (r request, err error) {
	switch in.MediaType() {
	case "application/json":
		body, err := in.ReadJSON(c)
		if err != nil {
			return r, err
		}
		r = request{ImportTerms: body.ImportTerms, records: body.Records}
		if r.Source == "" {
			r.Source = field.API
		}
	case "multipart/form-data":
		if r, err = readForm(c, in); err != nil {
			return r, err
		}
	default:
		return r, ErrMediaType
	}
	return r, nil
}

func readForm(c *api.Call, in importIn) (r request, err error) {
	form, err := in.ReadForm(c)
	switch {
	case err != nil:
		return r, err
	case form.File == nil:
		return r, api.ErrInvalidUpload
	case len(form.File.Content) > sheet.MaxBytes:
		return r, ErrFileTooLarge
	}
	r = request{ImportTerms: form.ImportTerms, file: form.File}
	return r, nil
}
