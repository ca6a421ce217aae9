package setting

import (
	"context"

	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/mail"
	"svc/store"
)

// Public is what anybody may know of the service before signing in.
type Public struct {
	Name                 string   `json:"name"`
	Version              string   `json:"version"`
	SignupsOpen          bool     `json:"signups_open"`
	Signup               Signup   `json:"signup" enum:"first_person,open,closed" doc:"Who may sign up: first_person with the one-time link that the service printed when it started, because nobody administers it yet; open for everybody; closed without an invitation."`
	Languages            []string `json:"languages"`
	PolicyVersion        string   `json:"policy_version"`
	PolicyURL            string   `json:"policy_url"`
	MaintenanceMode      bool     `json:"maintenance_mode"`
	MFARequiredForAdmins bool     `json:"mfa_required_for_admins"`
	Mail                 bool     `json:"mail" doc:"Mail is sent: invitations and links for a new password arrive by mail. Without it people are handed links."`
	Channels             Channels `json:"channels"`
	AIEnabled            bool     `json:"ai_enabled"`
	Messenger            *string  `json:"messenger" enum:"SIMULATOR,MTPROTO" doc:"What messages go out through. SIMULATOR reaches nobody; null: nothing is configured."`
}

// Signup says who may sign up (contract 21.1).
type Signup string

// The states of sign-up. FirstPerson: nobody administers the platform yet, and the
// one-time link of the first person works.
const (
	FirstPerson  Signup = "first_person"
	SignupOpen   Signup = "open"
	SignupClosed Signup = "closed"
)

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
	// administered says whether there is a platform administrator.
	administered func(*store.Tx) (bool, error)
	messenger    string
}

// New makes the service. url is where people reach it; administered says whether
// there is a platform administrator.
func New(db *store.DB, version, url string, channels Channels, administered func(*store.Tx) (bool, error)) *Service {
	return &Service{db: db, version: version, url: url, channels: channels, administered: administered}
}

// WithMessenger says through what messages go out, a kind of driver; "": nothing
// (contract 21.1, Simulator).
func (s *Service) WithMessenger(kind string) *Service {
	s.messenger = kind
	return s
}

// Endpoints are the operations of the slice.
func (s *Service) Endpoints() []api.Endpoint {
	return []api.Endpoint{
		api.E("GET /public/config", "public.config", perm.Public, "Read what a client must know before signing in.", api.Read(s.db, s.public)),
		api.E("GET /public/policy", "public.policy", perm.Public, "Read the acceptable-use policy that holds now.", api.Read(s.db, s.policy)),
	}
}

func (s *Service) public(_ *api.Call, tx *store.Tx, _ struct{}) (out Public, err error) {
	now, err := Get(tx)
	if err != nil {
		return out, err
	}
	signup, err := s.signupIn(tx, now)
	if err != nil {
		return out, err
	}
	sendsMail, err := mail.Enabled(tx)
	out = Public{
		Name: "svc", Version: s.version, SignupsOpen: now.SignupsOpen, Signup: signup, Languages: []string{"uz", "ru", "en"},
		PolicyVersion: now.AUPVersion, PolicyURL: s.url + "/api/v1/public/policy", MaintenanceMode: now.MaintenanceMode,
		MFARequiredForAdmins: true, Mail: sendsMail, Channels: s.channels, AIEnabled: now.AIEnabled, Messenger: api.Optional(s.messenger),
	}
	return out, err
}

// Signup says who may sign up now.
func (s *Service) Signup(ctx context.Context) (out Signup, err error) {
	err = s.db.View(ctx, func(tx *store.Tx) error {
		now, err := Get(tx)
		if err != nil {
			return err
		}
		out, err = s.signupIn(tx, now)
		return err
	})
	return out, err
}

func (s *Service) signupIn(tx *store.Tx, now Settings) (Signup, error) {
	there, err := s.administered(tx)
	switch {
	case err != nil:
		return "", err
	case !there:
		return FirstPerson, nil
	case now.SignupsOpen:
		return SignupOpen, nil
	}
	return SignupClosed, nil
}

// Policy is the acceptable-use policy.
type Policy struct {
	Version string `json:"version"`
	Text    string `json:"text"`
}

func (s *Service) policy(_ *api.Call, tx *store.Tx, _ struct{}) (out Policy, err error) {
	now, err := Get(tx)
	out = Policy{now.AUPVersion, now.AUPText}
	return out, err
}
