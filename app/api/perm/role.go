package perm

// Role is the part that a member, or an API key, plays in one organization.
type Role string

// The roles. APIClient belongs to keys only and is never assigned to a person.
const (
	Owner     Role = "OWNER"
	Admin     Role = "ADMIN"
	Manager   Role = "MANAGER"
	Operator  Role = "OPERATOR"
	Analyst   Role = "ANALYST"
	APIClient Role = "API_CLIENT"
)

// Roles are all roles in the order of the matrix.
func Roles() []Role { return []Role{Owner, Admin, Manager, Operator, Analyst, APIClient} }

// ForPeople says whether the role may be assigned to a person.
func (r Role) ForPeople() bool {
	switch r {
	case Owner, Admin, Manager, Operator, Analyst:
		return true
	}
	return false
}

// matrix is the table of contract 2: a letter for each
// role that has the permission, in the order O(wner) A(dmin) M(anager)
// o(perator) a(nalyst) K(ey).
var matrix = map[Perm]string{
	OrgRead:          "OAMoaK",
	OrgManage:        "OA   K",
	MembersRead:      "OAMoaK",
	MembersManage:    "OA    ",
	AccountsRead:     "OAMoaK",
	AccountsManage:   "OA   K",
	ProxiesRead:      "OAM  K",
	ProxiesManage:    "OA   K",
	RecipientsRead:   "OAMoaK",
	RecipientsManage: "OAM  K",
	CampaignsRead:    "OAMoaK",
	CampaignsManage:  "OAM  K",
	CampaignsExecute: "OAM  K",
	AnalyticsRead:    "OAMoaK",
	AuditRead:        "OA  aK",
	DevelopersManage: "OA    ",
	WebhooksRead:     "OAM aK",
	WebhooksManage:   "OA   K",
	BillingRead:      "OA  aK",
	AIRead:           "OAMoaK",
	AIManage:         "OAM  K",
	AIOperate:        "OAMo K",
}

var byRole = func() map[Role]Set {
	out := map[Role]Set{}
	for p, row := range matrix {
		for i, r := range Roles() {
			if row[i] != ' ' {
				out[r] |= Of(p)
			}
		}
	}
	return out
}()

// Permissions are what a role may do; an unknown role may do nothing.
func (r Role) Permissions() Set { return byRole[r] }
