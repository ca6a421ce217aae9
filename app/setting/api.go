package setting

import (
	"svc/app/api"
	"svc/app/api/perm"
	"svc/store"
)

// Public is what anybody may know of the service before signing in.
type Public struct {
	Name                 string   `json:"name"`
	Version              string   `json:"version"`
	SignupsOpen          bool     `json:"signups_open"`
	Languages            []string `json:"languages"`
	PolicyVersion        string   `json:"policy_version"`
	PolicyURL            string   `json:"policy_url"`
	MaintenanceMode      bool     `json:"maintenance_mode"`
	MFARequiredForAdmins bool     `json:"mfa_required_for_admins"`
	Channels             Channels `json:"channels"`
	AIEnabled            bool     `json:"ai_enabled"`
}

// Channels says which networks this installation can connect.
type Channels struct {
	PhotoNetwork bool `json:"photo_network"`
	PageNetwork  bool `json:"page_network"`
	VideoNetwork bool `json:"video_network"`
}

// Service shows the settings that are public.
type Service struct {
	db       *store.DB
	version  string
	url      string
	channels Channels
}

// New makes the service. url is where people reach it.
func New(db *store.DB, version, url string, channels Channels) *Service {
	return &Service{db, version, url, channels}
}

// Endpoints are the operations of the slice.
func (s *Service) Endpoints() []api.Endpoint {
	return []api.Endpoint{
		api.E("GET /public/config", "public.config", perm.Public, "Read what a client must know before signing in.", s.public),
		api.E("GET /public/policy", "public.policy", perm.Public, "Read the acceptable-use policy that holds now.", s.policy),
	}
}

func (s *Service) public(c *api.Call, _ struct{}) (out Public, err error) {
	err = s.db.View(c, func(tx *store.Tx) error {
		now, err := Get(tx)
		out = Public{
			Name: "svc", Version: s.version, SignupsOpen: now.SignupsOpen, Languages: []string{"uz", "ru", "en"},
			PolicyVersion: now.AUPVersion, PolicyURL: s.url + "/api/v1/public/policy", MaintenanceMode: now.MaintenanceMode,
			MFARequiredForAdmins: true, Channels: s.channels, AIEnabled: now.AIEnabled,
		}
		return err
	})
	return out, err
}

// Policy is the acceptable-use policy.
type Policy struct {
	Version string `json:"version"`
	Text    string `json:"text"`
}

func (s *Service) policy(c *api.Call, _ struct{}) (out Policy, err error) {
	err = s.db.View(c, func(tx *store.Tx) error {
		now, err := Get(tx)
		out = Policy{now.AUPVersion, now.AUPText}
		return err
	})
	return out, err
}
