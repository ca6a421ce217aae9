package admin

import (
	"svc/app/api"
	"svc/app/audit"
	"svc/app/org"
	"svc/store"
)

// Limits are what an organization may have (contract 3). null is
// unlimited.
type Limits struct {
	Plan      org.Plan             `json:"plan" enum:"FREE,STARTER,PRO,ENTERPRISE"`
	Limits    map[org.LimitKey]any `json:"limits" doc:"What the plan allows; null is unlimited."`
	Overrides map[org.LimitKey]any `json:"overrides" doc:"What an administrator put in the place of the plan's."`
	Effective map[org.LimitKey]any `json:"effective" doc:"What holds."`
}

func limitsOf(o *org.Organization) Limits {
	return Limits{o.Plan, o.Plan.Limits(), o.Overridden(), o.Effective()}
}

func (s *Service) getLimits(_ *api.Call, tx *store.Tx, in idIn) (out Limits, err error) {
	o, err := org.Get(tx, in.ID)
	out = limitsOf(&o)
	return out, err
}

type putLimitsIn struct {
	ID   string `path:"id" maxLength:"64"`
	Body struct {
		Overrides map[string]any `json:"overrides" required:"true" maxProperties:"50" doc:"By limit: a number, null for unlimited, true or false for api_access, or \"default\" for the plan's own. Limits that are not named keep theirs." example:"{\"accounts\":50,\"recipients\":null,\"members\":\"default\"}"`
	}
}

func (s *Service) putLimits(c *api.Call, body putLimitsIn) (out Limits, err error) {
	err = s.db.Update(c, func(tx *store.Tx) error {
		before, err := org.Get(tx, body.ID)
		if err != nil {
			return err
		}
		o, err := org.SetOverrides(tx, in(c, body.ID), body.ID, body.Body.Overrides)
		if err != nil {
			return err
		}
		out = limitsOf(&o)
		return note(tx, c, "organization.limits_changed", audit.On("organization", o.ID, o.Name), o.ID,
			audit.Changed("overrides", before.Overridden(), o.Overridden()))
	})
	return out, err
}
