package api

import (
	"strings"

	"github.com/danielgtaylor/huma/v2/validation"
)

// init gives the library's words for wrong fields the form of ours: what the field
// must be. They are variables of its own, for the whole program; only this package
// uses it.
func init() {
	for message, sentence := range map[*string]string{
		&validation.MsgUnexpectedProperty:                "is not known here",
		&validation.MsgExpectedRFC3339DateTime:           "must be a time such as 2026-05-01T10:00:00Z",
		&validation.MsgExpectedRFC3339Date:               "must be a date such as 2026-05-01",
		&validation.MsgExpectedRFC5322Email:              "must be an e-mail address: %v",
		&validation.MsgExpectedRFC3986URI:                "must be a web address: %v",
		&validation.MsgExpectedBoolean:                   "must be true or false",
		&validation.MsgExpectedNumber:                    "must be a number",
		&validation.MsgExpectedInteger:                   "must be a whole number",
		&validation.MsgExpectedString:                    "must be a text",
		&validation.MsgExpectedBase64String:              "must be in base64",
		&validation.MsgExpectedArray:                     "must be a list",
		&validation.MsgExpectedObject:                    "must be an object",
		&validation.MsgExpectedArrayItemsUnique:          "must not name anything twice",
		&validation.MsgExpectedOneOf:                     "must be one of %s",
		&validation.MsgExpectedMinimumNumber:             "must be at least %v",
		&validation.MsgExpectedExclusiveMinimumNumber:    "must be more than %v",
		&validation.MsgExpectedMaximumNumber:             "must be at most %v",
		&validation.MsgExpectedExclusiveMaximumNumber:    "must be less than %v",
		&validation.MsgExpectedNumberBeMultipleOf:        "must be a multiple of %v",
		&validation.MsgExpectedMinLength:                 "must have at least %d characters",
		&validation.MsgExpectedMaxLength:                 "must have at most %d characters",
		&validation.MsgExpectedBePattern:                 "must be %s",
		&validation.MsgExpectedMatchPattern:              "must match %s",
		&validation.MsgExpectedMinItems:                  "must have at least %d entries",
		&validation.MsgExpectedMaxItems:                  "must have at most %d entries",
		&validation.MsgExpectedMinProperties:             "must have at least %d fields",
		&validation.MsgExpectedMaxProperties:             "must have at most %d fields",
		&validation.MsgExpectedMatchAtLeastOneSchema:     "has none of the forms that it may have",
		&validation.MsgExpectedMatchExactlyOneSchema:     "has none of the forms that it may have",
		&validation.MsgExpectedDependentRequiredProperty: "%s is needed beside %s",
	} {
		*message = sentence
	}
}

// parsed are words for parameters that cannot be read, and sentences that read
// badly with the number in them.
var parsed = map[string]string{
	"invalid integer": "must be a whole number", "invalid float": "must be a number", "invalid boolean": "must be true or false",
	"required query parameter is missing": "is required", "required header parameter is missing": "is required",
	"must have at least 1 characters": "must not be empty", "must have at least 1 entries": "must have an entry",
}

// inOurWords is a sentence about a parameter as we say it.
func inOurWords(sentence string) string {
	if ours, ok := parsed[sentence]; ok {
		return ours
	}
	if strings.HasPrefix(sentence, "invalid date/time for format") {
		return "must be a time such as 2026-05-01T10:00:00Z"
	}
	return sentence
}
