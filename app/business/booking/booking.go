// Package booking is how a business takes bookings: how soon, how far ahead, for how long.
//
// It promises that rules which contradict themselves are refused field by field. It knows no
// records and no transaction.
package booking

import (
	"slices"

	"svc/app/api"
)

// Rules say how bookings are made (contract 11.1).
type Rules struct {
	Notice  int   `json:"min_notice_minutes" minimum:"0" maximum:"43200" doc:"How long before its start a booking is made at the latest; 120 by default."`
	Horizon int   `json:"horizon_days" minimum:"1" maximum:"365" doc:"How far ahead bookings are made; 30 by default."`
	Lengths []int `json:"allowed_minutes" minItems:"1" maxItems:"10" doc:"How long bookings may be; [30, 60] by default." example:"[30,60]"`
	Buffer  int   `json:"buffer_minutes" minimum:"0" maximum:"240" doc:"What stays free between two bookings; 0 by default."`
	Step    int   `json:"slot_step_minutes" minimum:"5" maximum:"240" doc:"Bookings begin at multiples of it; 30 by default."`
	PerDay  *int  `json:"max_per_day" minimum:"1" maximum:"1000" doc:"null: any number."`
}

// Default are the rules of a business that set none.
func Default() Rules {
	return Rules{Notice: 120, Horizon: 30, Lengths: []int{30, 60}, Step: 30}
}

// Check brings the rules into form, or says what is wrong with each field.
func (k *Rules) Check() error {
	slices.Sort(k.Lengths)
	k.Lengths = slices.Compact(k.Lengths)
	for _, n := range k.Lengths {
		if n < 5 || n > 24*60 {
			return api.Wrong("calendar_config.allowed_minutes", "must be lengths of 5 to 1440 minutes")
		}
	}
	wrong := map[string]string{}
	for _, f := range []struct {
		name               string
		value, least, most int
	}{
		{"min_notice_minutes", k.Notice, 0, 43200}, {"horizon_days", k.Horizon, 1, 365}, {"buffer_minutes", k.Buffer, 0, 240},
		{"slot_step_minutes", k.Step, 5, 240},
	} {
		if f.value < f.least || f.value > f.most {
			wrong["calendar_config."+f.name] = "is outside its bounds"
		}
	}
	if len(k.Lengths) == 0 {
		wrong["calendar_config.allowed_minutes"] = "must name a length at least"
	}
	if k.PerDay != nil && (*k.PerDay < 1 || *k.PerDay > 1000) {
		wrong["calendar_config.max_per_day"] = "must be 1 to 1000, or null for any number"
	}
	if len(wrong) > 0 {
		return api.WrongFields(wrong)
	}
	return nil
}
