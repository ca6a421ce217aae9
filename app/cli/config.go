package cli

import (
	"cmp"
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/spf13/viper"

	"svc/app/cli/memory"
	"svc/app/cli/outside"
	"svc/app/cli/usage"
	"svc/store/masterkey"
)

// envPrefix starts the name of every environment variable of the program.
const envPrefix = "SVC_"

// Config is what `svc serve` was told. Paths and addresses are as written;
// an empty one means "off" as the flag's help says.
type Config struct {
	Listen         string
	Data           string
	Store          string // holds a password; "": a file in Data
	Files          string // holds a secret; "": Data
	Map            string
	MapSource      string        // where maps are published; holds a secret; "": nowhere
	MapReload      time.Duration // 0: never look
	Tiles          string
	Terrain        string
	LayoutFix      bool
	Keys           string
	RequireKey     bool
	Usage          string
	KeyRate        int // requests a minute
	UsageFlush     time.Duration
	KeyReload      time.Duration
	Photos         bool
	PhotoEntityURL string
	PhotoImageURL  string
	RoutingURL     string
	PublicURL      string
	Metrics        string
	// MemoryLimit is in bytes; 0: as the container or the machine allows, memory.NoLimit: none.
	MemoryLimit int64

	Messaging      bool
	MasterKey      masterkey.Source // zero: the file master.key in Data
	AuditAnchors   string           // "": none
	AuditAnchorURL string           // "": none; may hold a secret
	AllowedOrigins []string
	TrustedProxies []netip.Prefix
	// ConnectionsPerAddress bounds the open connections of one client; 0: no bound.
	ConnectionsPerAddress int
	PrivateWebhooks       bool
	MessengerDriver       string // DriverMTProto or DriverSimulator
	MessengerAppID        int
	MessengerHash         string // a secret
	Simulator             string // address of one in another process; "": in this one
	SimulatorKey          string // "": in Data
	PrivateProxies        bool
	PrivateProviders      bool
	AICalls               int // of one provider at a time
	PrivatePages          bool
	SearXNGURL            string // "": none
	BraveAPIKey           string // a secret; "": none
	Outside               outside.Config
	SMTPURL               string // holds a password
	MailFrom              string
	SessionTTLHours       int
	InboxMaxFileMB        int
	DevConsole            string // "": the console of this binary

	// Warnings are sentences about settings that are legal but surely not
	// meant, for the log.
	Warnings []string
}

// configError is every mistake found in the configuration.
type configError struct{ mistakes []mistake }

// Error is one line for one mistake, and a list for several.
func (e *configError) Error() string {
	if len(e.mistakes) == 1 {
		return e.mistakes[0].Error()
	}
	var b strings.Builder
	fmt.Fprintf(&b, "the configuration has %s:", usage.Count(len(e.mistakes), "mistake"))
	for _, m := range e.mistakes {
		b.WriteString("\n  " + m.Error())
	}
	return b.String()
}

// ofFlags says that every mistake stands on the command line.
func (e *configError) ofFlags() bool {
	return !slices.ContainsFunc(e.mistakes, func(m mistake) bool { return !strings.HasPrefix(m.where, "--") })
}

// loaded is a configuration together with where each value came from.
type loaded struct {
	Config
	v       *viper.Viper
	sources map[string]string
	keys    masterkey.Source // what the environment gives of the master key
}

// load merges flags over environment over file. The error is a configError
// when values are wrong, so that all of them are named at once; it is a
// UsageError as well when only flags are.
func load(cmd *cobra.Command, environ []string) (*loaded, error) {
	l, err := merge(cmd.Flags(), environ)
	var wrong *configError
	if errors.As(err, &wrong) && wrong.ofFlags() {
		return nil, &UsageError{Command: cmd.CommandPath(), Err: err}
	}
	return l, err
}

func merge(flags *pflag.FlagSet, environ []string) (*loaded, error) {
	env, warnings := readEnv(environ)
	path, _ := flags.GetString("config")
	if path == "" {
		path = env["config"]
	}
	l := &loaded{v: viper.New(), sources: map[string]string{}, keys: keysOf(environ)}
	var mistakes []mistake
	if path != "" {
		values, wrong, err := readFile(path)
		if err != nil {
			return nil, err
		}
		mistakes = append(mistakes, wrong...)
		l.mergeFile(path, values)
	}
	mistakes = append(mistakes, l.mergeEnv(env)...)
	mistakes = append(mistakes, l.mergeFlags(flags)...)
	if len(mistakes) > 0 {
		return nil, &configError{mistakes}
	}
	l.fill()
	if wrong := l.contradictions(); len(wrong) > 0 {
		return nil, &configError{wrong}
	}
	l.Warnings = slices.Concat(warnings, l.doubts())
	return l, nil
}

func (l *loaded) mergeFile(path string, values map[string]fileValue) {
	merged := map[string]any{}
	for name, value := range values {
		merged[name] = value.text
		l.sources[name] = at(path, value.line)
	}
	l.merge(merged)
}

func (l *loaded) mergeEnv(env map[string]string) []mistake {
	merged := map[string]any{}
	var mistakes []mistake
	for i := range settings {
		s := &settings[i]
		text, ok := env[s.name]
		if !ok {
			continue
		}
		if err := s.valid(text); err != nil {
			mistakes = append(mistakes, mistake{s.env(), err.Error()})
		}
		merged[s.name] = text
		l.sources[s.name] = s.env()
	}
	l.merge(merged)
	return mistakes
}

func (l *loaded) mergeFlags(flags *pflag.FlagSet) []mistake {
	var mistakes []mistake
	for i := range settings {
		s := &settings[i]
		f := flags.Lookup(s.name)
		if f == nil {
			continue
		}
		// Bound even when unchanged: viper then knows the default.
		if err := l.v.BindPFlag(s.name, f); err != nil {
			mistakes = append(mistakes, mistake{"--" + s.name, err.Error()})
		}
		if !f.Changed {
			continue
		}
		l.sources[s.name] = "--" + s.name
		if err := s.valid(f.Value.String()); err != nil {
			mistakes = append(mistakes, mistake{"--" + s.name, err.Error()})
		}
	}
	return mistakes
}

func (l *loaded) merge(values map[string]any) {
	if err := l.v.MergeConfigMap(values); err != nil {
		// Only a bug of this package can get here: the map is flat and textual.
		panic(fmt.Sprintf("cli: merge configuration: %v", err))
	}
}

func (l *loaded) fill() {
	v := l.v
	l.Config = Config{
		Listen:         v.GetString("listen"),
		Data:           v.GetString("data"),
		Store:          v.GetString("store"),
		Files:          v.GetString("files"),
		Map:            v.GetString("map"),
		MapSource:      v.GetString("map-source"),
		MapReload:      v.GetDuration("map-reload"),
		Tiles:          v.GetString("tiles"),
		Terrain:        v.GetString("terrain"),
		LayoutFix:      v.GetBool("layout-fix"),
		Keys:           v.GetString("keys"),
		RequireKey:     v.GetBool("require-key"),
		Usage:          v.GetString("usage"),
		KeyRate:        v.GetInt("key-rate"),
		UsageFlush:     v.GetDuration("usage-flush"),
		KeyReload:      v.GetDuration("key-reload"),
		Photos:         v.GetBool("photos"),
		PhotoEntityURL: v.GetString("photo-entity-url"),
		PhotoImageURL:  v.GetString("photo-image-url"),
		RoutingURL:     v.GetString("routing-url"),
		PublicURL:      v.GetString("public-url"),
		Metrics:        v.GetString("metrics"),

		Messaging:       v.GetBool("messaging"),
		AuditAnchors:    v.GetString("audit-anchors"),
		AuditAnchorURL:  v.GetString("audit-anchor-url"),
		AllowedOrigins:  list(v.GetString("allowed-origins")),
		PrivateWebhooks: v.GetBool("private-webhooks"),
		MessengerDriver: v.GetString("messenger-driver"),
		MessengerAppID:  v.GetInt("messenger-app-id"),
		MessengerHash:   v.GetString("messenger-app-hash"),
		Simulator:       v.GetString("simulator"),
		SimulatorKey:    v.GetString("simulator-key"),
		PrivateProxies:  v.GetBool("private-proxies"),

		PrivateProviders: v.GetBool("private-providers"),
		AICalls:          v.GetInt("ai-calls-per-provider"),
		PrivatePages:     v.GetBool("private-pages"),
		SearXNGURL:       v.GetString("searxng-url"),
		BraveAPIKey:      v.GetString("brave-api-key"),
		SMTPURL:          v.GetString("smtp-url"),
		MailFrom:         v.GetString("mail-from"),
		SessionTTLHours:  v.GetInt("session-ttl-hours"),
		InboxMaxFileMB:   v.GetInt("inbox-max-file-mb"),
		DevConsole:       v.GetString("dev-console"),
	}
	if l.MapSource != "" {
		l.Map = cmp.Or(l.Map, filepath.Join(l.Data, "map", "map.svcmap"))
		l.Terrain = cmp.Or(l.Terrain, filepath.Join(filepath.Dir(l.Map), "terrain.pmtiles"))
	}
	l.Outside = outside.Read(v.GetString, v.GetBool)
	l.MasterKey = l.masterKey()
	l.ConnectionsPerAddress = v.GetInt("connections-per-address")
	l.MemoryLimit, _ = memory.Size(v.GetString("memory-limit"))    // it was checked
	l.TrustedProxies, _ = networks(v.GetString("trusted-proxies")) // it was checked
	if l.MessengerDriver == "" {
		l.MessengerDriver = DriverSimulator
		if l.MessengerAppID != 0 {
			l.MessengerDriver = DriverMTProto
		}
	}
}

// contradictions are settings that need another one.
func (l *loaded) contradictions() (wrong []mistake) {
	wrong = l.keyConflicts()
	if l.SMTPURL == "" {
		return wrong
	}
	for name, value := range map[string]string{"public-url": l.PublicURL, "mail-from": l.MailFrom} {
		if value == "" {
			wrong = append(wrong, mistake{l.sources["smtp-url"], "smtp-url needs " + name + ": links in mails begin with the first, and the second is who they come from"})
		}
	}
	return wrong
}

// doubts are combinations that the contract allows and nobody wants.
func (l *loaded) doubts() []string {
	var out []string
	if l.Map == "" {
		out = append(out, "map is empty: what needs an index answers 503; make one with 'svc map build' and name it with --map FILE")
	}
	if l.RequireKey && l.Keys == "" {
		out = append(out, "require-key is on but keys is empty: without a key file every request passes until a key is made in the console; name one with --keys FILE")
	}
	if l.Usage != "" && l.Keys == "" && !l.Messaging {
		out = append(out, "usage is set but keys is empty: requests are counted per key, so nothing will be counted")
	}
	if l.Messaging && l.MessengerDriver == DriverMTProto && (l.MessengerAppID == 0 || l.MessengerHash == "") {
		out = append(out, "messenger-driver is mtproto but messenger-app-id or messenger-app-hash is empty: nobody can sign in to an account; register an application with the messenger and name both")
	}
	if strings.HasPrefix(l.PublicURL, "https://") && len(l.TrustedProxies) == 0 {
		out = append(out, "public-url is https but trusted-proxies is empty: everybody has the address of the reverse proxy, and shares its rates and bounds; name the proxy with --trusted-proxies, for example 127.0.0.1")
	}
	if l.Metrics != "" && l.Metrics == l.Listen {
		out = append(out, "metrics and listen are the same address: the second of them cannot start")
	}
	return out
}

// plainEnv are the variables that work without the prefix too (contract 20.14).
// With the prefix they win.
var plainEnv = map[string]string{
	"ALLOWED_ORIGINS": "allowed-origins", "SESSION_TTL_HOURS": "session-ttl-hours", "INBOX_MAX_FILE_MB": "inbox-max-file-mb",
}

// readEnv picks the variables of this program out of the environment, keyed
// by setting name. A variable that looks like a misspelt setting is a warning
// and not an error: the environment is shared with other programs.
func readEnv(environ []string) (values map[string]string, warnings []string) {
	values = map[string]string{}
	for _, entry := range environ {
		variable, text, _ := strings.Cut(entry, "=")
		if plain, ok := plainEnv[variable]; ok && values[plain] == "" {
			values[plain] = text
		}
		if variable == keyVariable {
			continue // see keysOf
		}
		if variable == keyVariable+"_FILE" {
			values["master-key"] = text
			continue
		}
		name, ok := strings.CutPrefix(variable, envPrefix)
		if !ok || strings.HasPrefix(name, "TEST_") {
			continue
		}
		name = strings.ToLower(strings.ReplaceAll(name, "_", "-"))
		if name != "config" && find(name) == nil {
			hint := usage.Suggestion(variable, envNames(), "")
			warnings = append(warnings, fmt.Sprintf("environment variable %s sets nothing%s", variable, hint))
			continue
		}
		values[name] = text
	}
	return values, warnings
}

// shown is the value of a setting as a person may see it: the password of a
// web address is hidden.
func (l *loaded) shown(s *setting) string {
	text := l.v.GetString(s.name)
	switch s.value.(type) {
	case time.Duration:
		text = l.v.GetDuration(s.name).String()
	case bool:
		text = strconv.FormatBool(l.v.GetBool(s.name)) // 1 and T are true as well
	}
	if slices.Contains([]string{"messenger-app-hash", "audit-anchor-url", "master-key-command", "brave-api-key", "meta-app-secret", "instagram-app-secret", "meta-verify-token", "google-client-secret", "youtube-api-key"}, s.name) && text != "" {
		return "(hidden)"
	}
	if strings.HasSuffix(s.name, "-url") || s.name == "store" || s.name == "files" || s.name == "map-source" {
		if u, err := url.Parse(text); err == nil {
			return u.Redacted()
		}
	}
	return text
}

// source says where the value of a setting came from.
func (l *loaded) source(name string) string {
	if where, ok := l.sources[name]; ok {
		return where
	}
	return "default"
}
