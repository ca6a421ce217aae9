// Package outside has the settings of outside networks: which applications speak, and where
// the networks are.
package outside

import (
	"slices"

	"svc/messenger/platform"
)

// Config is what was said of outside networks.
type Config struct {
	// Simulator: the networks are inside this process.
	Simulator bool
	// Address is that of a simulator in another process, "" for none.
	Address string

	MetaAppID, MetaSecret                string // of the page network; the second is a secret
	PhotoAppID, PhotoSecret              string
	VerifyToken                          string
	GraphVersion                         string
	LoginConfig                          string
	HumanAgent                           bool
	Review                               string // PENDING or APPROVED
	PageURL, PageGraphURL                string
	PhotoURL, PhotoAPIURL, PhotoGraphURL string
}

// Kind is the type of a setting.
type Kind int

// The kinds.
const (
	Text Kind = iota
	Address
	Switch
	Choice
	HostPort
)

// Setting is one setting.
type Setting struct {
	Name, Usage, Default string
	Kind                 Kind
	Choices              []string
}

// Settings are those of this package, in the order in which they are shown.
func Settings() []Setting {
	return []Setting{
		{Name: "platforms", Usage: "photo and page network: real, or simulator for a demonstration that reaches nobody; empty: real once there is an application id", Kind: Choice, Choices: []string{"real", "simulator"}},
		{Name: "platforms-simulator", Usage: "address of a 'svc simulator --platforms' of its own, host:port; empty: it runs inside this process", Kind: HostPort},
		{Name: "meta-app-id", Usage: "id of your application at the page network"},
		{Name: "meta-app-secret", Usage: "secret of that application; better given in the environment"},
		{Name: "instagram-app-id", Usage: "id of your application at the photo network"},
		{Name: "instagram-app-secret", Usage: "secret of that application; better given in the environment"},
		{Name: "meta-verify-token", Usage: "word that the networks say when they look whether webhooks arrive; empty: one of this installation, which the console shows"},
		{Name: "meta-graph-version", Usage: "version of the networks' interface; each ends after about two years", Default: "v25.0"},
		{Name: "meta-login-config", Usage: "configuration of the page network's consent page (config_id), instead of a list of permissions"},
		{Name: "meta-human-agent", Usage: "your application has the permission Human Agent: a person may answer for seven days", Kind: Switch},
		{Name: "meta-app-review", Usage: "whether the networks have reviewed your application: PENDING or APPROVED", Default: "PENDING", Kind: Choice, Choices: []string{"PENDING", "APPROVED"}},
		{Name: "facebook-url", Usage: "where the page network asks for consent", Default: "https://www.facebook.com", Kind: Address},
		{Name: "meta-graph-url", Usage: "interface of the page network", Default: "https://graph.facebook.com", Kind: Address},
		{Name: "instagram-url", Usage: "where the photo network asks for consent", Default: "https://www.instagram.com", Kind: Address},
		{Name: "instagram-api-url", Usage: "where the photo network gives a first token", Default: "https://api.instagram.com", Kind: Address},
		{Name: "instagram-graph-url", Usage: "interface of the photo network", Default: "https://graph.instagram.com", Kind: Address},
	}
}

// Allowed says whether a value is one of the choices of a setting; "" is.
func (s *Setting) Allowed(value string) bool { return value == "" || slices.Contains(s.Choices, value) }

// Read makes the configuration of values by name.
func Read(text func(name string) string, on func(name string) bool) Config {
	c := Config{
		Address: text("platforms-simulator"), MetaAppID: text("meta-app-id"), MetaSecret: text("meta-app-secret"), PhotoAppID: text("instagram-app-id"), PhotoSecret: text("instagram-app-secret"),
		VerifyToken: text("meta-verify-token"), GraphVersion: text("meta-graph-version"), LoginConfig: text("meta-login-config"),
		HumanAgent: on("meta-human-agent"), Review: text("meta-app-review"), PageURL: text("facebook-url"), PageGraphURL: text("meta-graph-url"),
		PhotoURL: text("instagram-url"), PhotoAPIURL: text("instagram-api-url"), PhotoGraphURL: text("instagram-graph-url"),
	}
	kind := text("platforms")
	c.Simulator = kind == "simulator" || kind == "" && c.MetaAppID == "" && c.PhotoAppID == ""
	return c
}

// Missing are the settings that each network still needs.
func (c *Config) Missing() map[platform.Name][]string {
	out := map[platform.Name][]string{}
	if c.Simulator {
		return out
	}
	need := func(n platform.Name, value, name string) {
		if value == "" {
			out[n] = append(out[n], name)
		}
	}
	need(platform.Photo, c.PhotoAppID, "instagram-app-id")
	need(platform.Photo, c.PhotoSecret, "instagram-app-secret")
	need(platform.Page, c.MetaAppID, "meta-app-id")
	need(platform.Page, c.MetaSecret, "meta-app-secret")
	return out
}
