package shortbread

import "svc/geo/mvt"

// accessOf is the table "access tag mapping" of Shortbread 1.1.
var accessOf = map[string]string{
	"yes":          "yes",
	"designated":   "yes",
	"permissive":   "yes",
	"customers":    "limited",
	"destination":  "limited",
	"agricultural": "limited",
	"forestry":     "limited",
	"delivery":     "limited",
	"discouraged":  "limited",
	"permit":       "limited",
	"dismount":     "no",
	"military":     "no",
	"private":      "no",
	"no":           "no",
}

// accessTags are the attributes of access and the tags they come from; the
// first with a value of the table counts.
var accessTags = []struct {
	attribute string
	from      []key
}{
	{"motorcar", []key{kMotorcar, kMotorVehicle, kVehicle, kAccess}},
	{"bicycle", []key{kBicycle, kVehicle, kAccess}},
	{"foot", []key{kFoot, kAccess}},
	{"horse", []key{kHorse, kAccess}},
}

// putAccess gives a highway its access attributes.
func (m *Mapper) putAccess() {
	for i := range accessTags {
		for _, k := range accessTags[i].from {
			if v := accessOf[m.o.get(k)]; v != "" {
				m.putFrom(accessFrom, accessTags[i].attribute, mvt.String(v))
				break
			}
		}
	}
}
