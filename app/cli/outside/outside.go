// Package outside has the settings of outside networks: which applications speak, and where
// the networks are.
package outside

import (
	"fmt"
	"slices"
	"strings"

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

	CalendarID, CalendarSecret                        string // of the calendar; the second is a secret
	CalendarConsentURL, CalendarTokenURL, CalendarURL string
}

// Setting is one setting; Value is its default.
type Setting struct {
	Name, Usage string
	Value       any
	Check       func(text string) error
}

// oneOf refuses what is none of the choices.
func oneOf(choices ...string) func(string) error {
	return func(text string) error {
		if text != "" && !slices.Contains(choices, text) {
			return fmt.Errorf("must be one of %s", strings.Join(choices, ", "))
		}
		return nil
	}
}

// Settings are those of this package, in the order in which they are shown. address and hostPort
// check addresses.
func Settings(address, hostPort func(string) error) []Setting {
	return []Setting{
		{"platforms", "photo and page network and calendar: real, or simulator for a demonstration that reaches nobody; empty: real once there is an application id", "", oneOf("real", "simulator")},
		{"platforms-simulator", "address of a 'svc simulator --platforms' of its own, host:port; empty: it runs inside this process", "", hostPort},
		{"meta-app-id", "id of your application at the page network", "", nil},
		{"meta-app-secret", "secret of that application; better given in the environment", "", nil},
		{"instagram-app-id", "id of your application at the photo network", "", nil},
		{"instagram-app-secret", "secret of that application; better given in the environment", "", nil},
		{"meta-verify-token", "word that the networks say when they look whether webhooks arrive; empty: one of this installation, which the console shows", "", nil},
		{"meta-graph-version", "version of the networks' interface; each ends after about two years", "v25.0", nil},
		{"meta-login-config", "configuration of the page network's consent page (config_id), instead of a list of permissions", "", nil},
		{"meta-human-agent", "your application has the permission Human Agent: a person may answer for seven days", false, nil},
		{"meta-app-review", "whether the networks have reviewed your application: PENDING or APPROVED", "PENDING", oneOf("PENDING", "APPROVED")},
		{"facebook-url", "where the page network asks for consent", "https://www.facebook.com", address},
		{"meta-graph-url", "interface of the page network", "https://graph.facebook.com", address},
		{"instagram-url", "where the photo network asks for consent", "https://www.instagram.com", address},
		{"instagram-api-url", "where the photo network gives a first token", "https://api.instagram.com", address},
		{"instagram-graph-url", "interface of the photo network", "https://graph.instagram.com", address},
		{"google-client-id", "id of your application at the calendar; without it no calendar can be connected", "", nil},
		{"google-client-secret", "secret of that application; better given in the environment", "", nil},
		{"google-accounts-url", "where the calendar asks for consent", "https://accounts.google.com", address},
		{"google-token-url", "where the calendar gives tokens", "https://oauth2.googleapis.com", address},
		{"google-calendar-url", "interface of the calendar", "https://www.googleapis.com", address},
	}
}

// Read makes the configuration of values by name.
func Read(text func(name string) string, on func(name string) bool) Config {
	c := Config{
		Address: text("platforms-simulator"), MetaAppID: text("meta-app-id"), MetaSecret: text("meta-app-secret"), PhotoAppID: text("instagram-app-id"), PhotoSecret: text("instagram-app-secret"),
		VerifyToken: text("meta-verify-token"), GraphVersion: text("meta-graph-version"), LoginConfig: text("meta-login-config"),
		HumanAgent: on("meta-human-agent"), Review: text("meta-app-review"), PageURL: text("facebook-url"), PageGraphURL: text("meta-graph-url"),
		PhotoURL: text("instagram-url"), PhotoAPIURL: text("instagram-api-url"), PhotoGraphURL: text("instagram-graph-url"),
		CalendarID: text("google-client-id"), CalendarSecret: text("google-client-secret"), CalendarConsentURL: text("google-accounts-url"),
		CalendarTokenURL: text("google-token-url"), CalendarURL: text("google-calendar-url"),
	}
	kind := text("platforms")
	c.Simulator = kind == "simulator" || kind == "" && c.MetaAppID == "" && c.PhotoAppID == "" && c.CalendarID == ""
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

// MissingCalendar are the settings that the calendar still needs.
func (c *Config) MissingCalendar() (out []string) {
	if c.Simulator {
		return nil
	}
	for _, x := range []struct{ name, value string }{{"google-client-id", c.CalendarID}, {"google-client-secret", c.CalendarSecret}} {
		if x.value == "" {
			out = append(out, x.name)
		}
	}
	return out
}
