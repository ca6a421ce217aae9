package admin

import (
	"strings"
	"unicode/utf8"

	"svc/app/api"
)

// idIn is the id in the path.
type idIn struct {
	ID string `path:"id" maxLength:"64"`
}

// reasonIn is an id and why, which the organization reads.
type reasonIn struct {
	ID   string `path:"id" maxLength:"64"`
	Body struct {
		Reason string `json:"reason" required:"true" maxLength:"500" doc:"Why; whom it concerns reads it." example:"Complaints about spam"`
	}
}

// mayReasonIn is an id and, if somebody wants to say it, why.
type mayReasonIn struct {
	ID   string      `path:"id" maxLength:"64"`
	Body *mayExplain // may be absent
}

type mayExplain struct {
	Reason string `json:"reason" maxLength:"500" doc:"Why, if that is to be noted."`
}

func (in mayReasonIn) reason() string {
	if in.Body == nil {
		return ""
	}
	return strings.TrimSpace(in.Body.Reason)
}

// maxReason bounds a reason in characters.
const maxReason = 500

// checkReason is validation_failed unless a reason says something.
func checkReason(reason string) (string, error) {
	reason = strings.TrimSpace(reason)
	if n := utf8.RuneCountInString(reason); n == 0 || n > maxReason {
		return "", api.Wrong("reason", "must have 1 to %d characters: whom it concerns reads it", maxReason)
	}
	return reason, nil
}
