package sheet

import (
	"fmt"
	"slices"
	"strings"

	"svc/app/api"
	"svc/app/recipient/field"
)

// The fields of a row.
const (
	messengerID = "messenger_id"
	userName    = "username"
	firstName   = "first_name"
	lastName    = "last_name"
	language    = "language"
	consent     = "consent_status"
	consentAt   = "consent_timestamp"
	consentNote = "consent_note"
	tags        = "tags"
	attributes  = "attributes"

	attributePrefix = attributes + "."
)

// Fields lists what a column may fill, beside attributes.<key>.
func Fields() []string {
	return []string{messengerID, userName, firstName, lastName, language, consent, consentAt, consentNote, tags}
}

// variants are other names of the fields, as spreadsheets of three languages have
// them. A bare "id" is not among them: it is the number of a customer in somebody's
// books more often than a user ID, and the messages would go to strangers.
var variants = map[string]string{
	"tg_id": messengerID, "telegram_id": messengerID, "messengerid": messengerID, "telegramid": messengerID, "tgid": messengerID,
	"messenger_user_id": messengerID, "telegram_user_id": messengerID, "tg_user_id": messengerID,
	"user_name": userName, "tg_username": userName, "telegram_username": userName, "messenger_username": userName, "tg_name": userName,
	"name": firstName, "firstname": firstName, "given_name": firstName, "имя": firstName, "ism": firstName,
	"surname": lastName, "lastname": lastName, "family_name": lastName, "фамилия": lastName, "familiya": lastName,
	"lang": language, "locale": language, "language_code": language, "язык": language, "til": language,
	"consent": consent, "согласие": consent, "rozilik": consent,
	"consent_date": consentAt, "consent_time": consentAt, "consent_at": consentAt,
	"note": attributePrefix + "note",
	"tag":  tags, "labels": tags, "теги": tags, "teglar": tags,
}

// fieldOf is the field of a column by its header: one of Fields, attributes.<key>,
// or "" for a column without a name.
func fieldOf(header string) string {
	name := field.Key(header)
	switch {
	case name == "":
		return ""
	case slices.Contains(Fields(), name):
		return name
	case variants[name] != "":
		return variants[name]
	}
	if rest, ok := strings.CutPrefix(strings.ToLower(strings.TrimSpace(header)), attributePrefix); ok && field.Key(rest) != "" {
		return attributePrefix + field.Key(rest)
	}
	return attributePrefix + name
}

// columns decides what each column fills. No field is filled twice: a column that
// is named as the field goes before one that is named as a variant, and the other
// becomes an attribute. So does a column without a name, by its place: what somebody
// uploads is not lost without a word.
func (o Options) columns(header []string, where string) ([]string, error) {
	mapped, err := o.mapped(header)
	if err != nil {
		return nil, err
	}
	if isOurs(header) {
		known(header, mapped)
	}
	out := make([]string, len(header))
	taken := map[string]bool{"": true}
	claim := func(i int, f string) {
		if f != "" && out[i] == "" && !taken[f] {
			out[i], taken[f] = f, true
		}
	}
	for i, f := range mapped {
		if f != nil && *f != "" && taken[*f] {
			return nil, api.Wrong("mapping", "two columns are mapped to %s", *f)
		}
		if f != nil {
			claim(i, *f)
		}
	}
	for _, exact := range []bool{true, false} {
		for i, h := range header {
			if f := fieldOf(h); mapped[i] == nil && (f == field.Key(h)) == exact {
				claim(i, f)
			}
		}
	}
	for _, called := range []bool{true, false} {
		for i, h := range header {
			key := field.Key(h)
			if key == "" {
				key = columnName(i)
			}
			for n := 1; mapped[i] == nil && out[i] == "" && nameless(h) != called && n <= maxColumns; n++ {
				claim(i, attributePrefix+numbered(key, n))
			}
		}
	}
	if !taken[messengerID] && !taken[userName] {
		return nil, api.Wrong(where, "has no column messenger_id or username; name one so in the first row, or send a mapping")
	}
	return out, nil
}

// Columns that every export of recipients has, and those that an import of one leaves
// out: they are ours to say (contract 21.1).
var (
	exportMarks = []string{"id", messengerID, userName, consent, attributes, "suppressed", "created_at"}
	exportOnly  = []string{
		"id", "source", "opted_out_at", "opt_out_source", "suppressed", "lists", "known_to_accounts", "last_messaged_at", "last_replied_at",
		"conversation_id", "created_at", "updated_at",
	}
	rejectedOnly = []string{RejectedRow, RejectedReason}
)

// isExport says whether a header is that of our own export, isOurs whether it is that or
// the header of our list of rejected rows.
func isExport(header []string) bool { return hasAll(header, exportMarks) }
func isOurs(header []string) bool   { return isExport(header) || hasAll(header, rejectedOnly) }

func hasAll(header, names []string) bool {
	for _, name := range names {
		if !slices.Contains(header, name) {
			return false
		}
	}
	return true
}

// known maps the columns of our own files that are no field of a row, where the caller
// maps them to nothing else.
func known(header []string, mapped []*string) {
	skipped, all := "", attributes
	for i, h := range header {
		switch {
		case mapped[i] != nil:
		case slices.Contains(rejectedOnly, h), isExport(header) && slices.Contains(exportOnly, h):
			mapped[i] = &skipped
		case isExport(header) && h == attributes:
			mapped[i] = &all
		}
	}
}

// columnName is a column without a name, by its place.
func columnName(at int) string { return fmt.Sprintf("column_%d", at+1) }

// nameless says whether a header names nothing: spreadsheets leave separators behind
// their last column.
func nameless(header string) bool { return field.Key(header) == "" }

func numbered(key string, n int) string {
	if n == 1 {
		return key
	}
	return fmt.Sprintf("%s_%d", key, n)
}

// mapped are the fields that the mapping gives to the columns; nil where it says
// nothing.
func (o Options) mapped(header []string) ([]*string, error) {
	out := make([]*string, len(header))
	for name, to := range o.Mapping {
		if err := CheckTarget(to); err != nil {
			return nil, api.Wrong("mapping", "%.80q %s", name, err)
		}
		found := false
		for i, h := range header {
			if strings.EqualFold(strings.TrimSpace(h), strings.TrimSpace(name)) {
				out[i], found = &to, true
			}
		}
		if !found {
			return nil, api.Wrong("mapping", "there is no column %.80q", name)
		}
	}
	return out, nil
}

// CheckTarget refuses a field of a mapping that no row has.
func CheckTarget(to string) error {
	key, attribute := strings.CutPrefix(to, attributePrefix)
	if to == "" || slices.Contains(Fields(), to) || attribute && key != "" && field.Key(key) == key {
		return nil
	}
	return fmt.Errorf("cannot be mapped to %.80q; use one of %s, attributes.<key>, or an empty text to leave it out", to, strings.Join(Fields(), ", "))
}
