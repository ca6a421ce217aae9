package cli

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"svc/app/cli/files"
	"svc/app/cli/memory"
	"svc/app/cli/outside"
	"svc/app/mail/smtp"
	"svc/store/kv/postgres"
)

// setting is one thing that can be configured. The table below is the only
// place that knows it: flags, environment names, the file's keys and the
// checks are made from it.
type setting struct {
	name  string
	usage string
	value any // the default, which also is the type: string, bool, int or time.Duration
	check func(text string) error
}

// Defaults of the photo hosts: the query interfaces of the public entity
// database and of the public image store.
const (
	defaultPhotoEntityURL = "https://www.wikidata.org/w/api.php"
	defaultPhotoImageURL  = "https://commons.wikimedia.org/w/api.php"
)

var settings = slices.Concat([]setting{
	{"listen", "address to serve on, host:port", "127.0.0.1:8080", checkAddress},
	{"data", "folder for what the server itself writes (database, attachments, photo cache); made when needed", "data", checkPresent},
	{"store", "PostgreSQL database that several servers share, postgres://user:password@host:5432/name; better given in the environment; empty: the file svc.db in the data folder", "", optional(postgres.CheckAddress)},
	{"files", "where attachments and other files lie: a folder that several servers share, or a bucket, s3://ACCESS_KEY:SECRET@s3.example.uz/bucket/prefix; better given in the environment; empty: the data folder", "", files.Check},
	{"map", "index file made by 'svc map build'; without it place endpoints answer 503", "", nil},
	{"map-source", "where 'svc map publish' puts maps for several servers: a folder that they share, or a bucket, s3://ACCESS_KEY:SECRET@s3.example.uz/bucket/prefix; better given in the environment; fetched into the files of --map, --tiles and --terrain; empty: nowhere", "", files.Check},
	{"map-reload", "how often to look whether the index or an archive changed; 0 turns it off, SIGHUP always looks", 5 * time.Second, checkDurationOrOff},
	{"tiles", "tile archive, .pmtiles or .mbtiles; empty: the .pmtiles beside the index file", "", nil},
	{"terrain", "archive of elevation tiles (Terrarium), .pmtiles or .mbtiles; empty: no terrain", "", nil},
	{"layout-fix", "read a search that finds nothing as typed on a Russian keyboard set to Latin", false, nil},
	{"keys", "key file made by 'svc keys add'; without it no key is checked", "", nil},
	{"require-key", "refuse requests without a valid key (needs --keys)", false, nil},
	{"usage", "file that counts requests per key; without it the database of the messaging service does, or nobody, and then no quota holds", "", nil},
	{"key-rate", "requests a minute for a key that has no rate of its own", 600, checkPositive},
	{"usage-flush", "how often counts of the map's use are written", 30 * time.Second, checkDuration},
	{"key-reload", "how often to look whether the key file changed", 5 * time.Second, checkDuration},
	{"photos", "answer /api/photo; --photos=false turns it off", true, nil},
	{"photo-entity-url", "query interface of the entity database that names a place's photo", defaultPhotoEntityURL, checkURL},
	{"photo-image-url", "query interface of the image store that describes and holds the photo", defaultPhotoImageURL, checkURL},
	{"routing-url", "address of the routing engine; empty: no routing", "", optional(checkURL)},
	{"public-url", "address under which people reach this server; empty: taken from each request", "", optional(checkURL)},
	{"messaging", "serve the messaging service; --messaging=false turns it off", true, nil},
	{"master-key", "file with the key of everything sealed, made at first start; empty: master.key in the data folder, unless the key comes from elsewhere", "", nil},
	{"master-key-command", "command for /bin/sh whose output is that key (32 bytes in base64 or hex), instead of a file", "", nil},
	{"allowed-origins", "origins whose pages may change things with a session and read answers (CORS), separated by commas; the public address always may", "", optional(checkOrigins)},
	{"audit-anchors", "file, best on another machine, that gets the end of each audit chain every hour; empty: only the log does", "", nil},
	{"audit-anchor-url", "address that gets the same as a POST of JSON; empty: none", "", optional(checkURL)},
	{"trusted-proxies", "networks of reverse proxies whose X-Forwarded-For, -Proto and -Host are believed, separated by commas", "", optional(checkNetworks)},
	{"connections-per-address", "open connections one client address may have, without proxies and this machine; 0 is no bound", 256, checkNotNegative},
	{"private-webhooks", "let webhooks call private and loopback addresses", false, nil},
	{"messenger-driver", "mtproto, or simulator for a demonstration that reaches nobody; empty: mtproto once there is an application id", "", optional(checkDriver)},
	{"messenger-app-id", "id of your application at the messenger (api_id)", 0, checkNotNegative},
	{"messenger-app-hash", "secret of that application (api_hash); better given in the environment", "", nil},
	{"simulator", "address of a 'svc simulator' of its own, host:port; empty: the simulator runs inside this process", "", optional(checkAddress)},
	{"simulator-key", "public key of that simulator; empty: simulator/public.pem in the data folder", "", nil},
	{"private-proxies", "let messenger accounts use proxies at private and loopback addresses", false, nil},
	{"private-providers", "let AI providers be at private and loopback addresses, with or without https", false, nil},
	{"ai-calls-per-provider", "how many calls one AI provider has at a time on this server; more wait", 32, checkPositive},
	{"private-pages", "let pages of knowledge be at private and loopback addresses, at any port", false, nil},
	{"searxng-url", "address of your SearXNG, for research; its settings need json in search.formats; empty: none", "", optional(checkURL)},
	{"brave-api-key", "key of the Brave Search API, for research where there is no SearXNG; better given in the environment; empty: none", "", nil},
}, outsideSettings(), []setting{
	{"smtp-url", "mail server, smtp://user:password@host:587 (STARTTLS) or smtps://…:465; better given in the environment; needs --public-url and --mail-from; empty: no mail, links are copied", "", optional(smtp.CheckURL)},
	{"mail-from", "sender of mails, svc@example.uz or \"Name <svc@example.uz>\"", "", optional(smtp.CheckFrom)},
	{"session-ttl-hours", "how long a console session lasts, unless an administrator sets it", 336, checkPositive},
	{"inbox-max-file-mb", "how large a file in the inbox may be, unless an administrator sets it", 50, checkPositive},
	{"dev-console", "address of a running Vite (npm run dev in embed/console) that answers for the console; empty: the console of this binary", "", optional(checkURL)},
	{"metrics", "address for Prometheus metrics, host:port; empty: off", "", optional(checkAddress)},
	{"memory-limit", "memory that the process keeps within where it can, such as 512MiB or 2GB, or off; empty: nine tenths of what the container allows, else three quarters of the machine", "", optional(memory.Check)},
})

// outsideSettings are those of outside networks.
func outsideSettings() (out []setting) {
	for _, x := range outside.Settings(checkURL, optional(checkAddress)) {
		out = append(out, setting{x.Name, x.Usage, x.Value, x.Check})
	}
	return out
}

// find returns the setting of that name, or nil.
func find(name string) *setting {
	for i := range settings {
		if settings[i].name == name {
			return &settings[i]
		}
	}
	return nil
}

func settingNames() []string {
	names := make([]string, len(settings))
	for i, s := range settings {
		names[i] = s.name
	}
	return names
}

func envNames() []string {
	names := make([]string, len(settings), len(settings)+1)
	for i := range settings {
		names[i] = settings[i].env()
	}
	return append(names, envPrefix+"CONFIG")
}

// env is the setting's environment variable: map-reload is SVC_MAP_RELOAD. SVC_MASTER_KEY
// is the key itself, so the file has another.
func (s *setting) env() string {
	if s.name == "master-key" {
		return keyVariable + "_FILE"
	}
	return envPrefix + strings.ToUpper(strings.ReplaceAll(s.name, "-", "_"))
}

// addFlags puts one flag a setting on flags.
func addFlags(flags *pflag.FlagSet) { addSomeFlags(flags, settingNames()) }

// addSomeFlags puts the named settings on flags, in the order of the table.
func addSomeFlags(flags *pflag.FlagSet, names []string) {
	for i := range settings {
		s := &settings[i]
		if !slices.Contains(names, s.name) {
			continue
		}
		switch v := s.value.(type) {
		case string:
			flags.String(s.name, v, s.usage)
		case bool:
			flags.Bool(s.name, v, s.usage)
		case int:
			flags.Int(s.name, v, s.usage)
		case time.Duration:
			flags.Duration(s.name, v, s.usage)
		}
	}
}

// valid says in a sentence what is wrong with text as the value of s.
func (s *setting) valid(text string) error {
	switch s.value.(type) {
	case bool:
		if _, err := strconv.ParseBool(text); err != nil {
			return fmt.Errorf("%q is neither true nor false; write one of them", text)
		}
	case int:
		if _, err := strconv.Atoi(text); err != nil {
			return fmt.Errorf("%q is not a whole number", text)
		}
	case time.Duration:
		if _, err := time.ParseDuration(text); err != nil {
			return fmt.Errorf("%q is not a duration; write for example 5s, 2m or 1h30m", text)
		}
	}
	if s.check == nil {
		return nil
	}
	return s.check(text)
}

// The checks below get a text that already reads as the setting's type.

func checkAddress(text string) error {
	host, port, err := net.SplitHostPort(text)
	if err != nil {
		return fmt.Errorf("%q is not an address; write host:port, for example 127.0.0.1:8080", text)
	}
	if n, err := strconv.Atoi(port); err != nil || n < 0 || n > 65535 {
		return fmt.Errorf("%q has no port from 0 to 65535 after the colon", text)
	}
	if strings.ContainsAny(host, " /") {
		return fmt.Errorf("%q is not an address; write host:port without a scheme or a path", text)
	}
	return nil
}

func checkURL(text string) error {
	u, err := url.Parse(text)
	switch {
	case err != nil, u.Scheme != "http" && u.Scheme != "https", u.Hostname() == "":
		// The parser's own words would repeat a password in the address.
		return errors.New("not a web address; write http://host or https://host, with a path if it has one")
	case u.RawQuery != "" || u.Fragment != "":
		return errors.New("the web address must not have a query or a fragment")
	}
	return nil
}

func checkPresent(text string) error {
	if strings.TrimSpace(text) == "" {
		return errors.New("must not be empty")
	}
	return nil
}

func checkPositive(text string) error {
	if n, err := strconv.Atoi(text); err != nil || n <= 0 {
		return fmt.Errorf("%s is not a number above zero", text)
	}
	return nil
}

func checkNotNegative(text string) error {
	if n, err := strconv.Atoi(text); err != nil || n < 0 {
		return fmt.Errorf("%s is below zero", text)
	}
	return nil
}

// The messenger drivers.
const (
	DriverMTProto   = "mtproto"
	DriverSimulator = "simulator"
)

func checkDriver(text string) error {
	if text != DriverMTProto && text != DriverSimulator {
		return fmt.Errorf("%q is no messenger driver; write %s or %s", text, DriverMTProto, DriverSimulator)
	}
	return nil
}

func checkDuration(text string) error {
	if d, err := time.ParseDuration(text); err != nil || d < 100*time.Millisecond {
		return fmt.Errorf("%s is too short; write 100ms or more", text)
	}
	return nil
}

func checkDurationOrOff(text string) error {
	if d, err := time.ParseDuration(text); err == nil && d == 0 {
		return nil
	}
	return checkDuration(text)
}

func checkOrigins(text string) error {
	for _, o := range list(text) {
		u, err := url.Parse(o)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.Path != "" || u.RawQuery != "" {
			return fmt.Errorf("%q is not an origin; write https://host, without a path", o)
		}
	}
	return nil
}

func checkNetworks(text string) error {
	_, err := networks(text)
	return err
}

// networks reads addresses and networks.
func networks(text string) (out []netip.Prefix, err error) {
	for _, n := range list(text) {
		p, err := netip.ParsePrefix(n)
		if at, failed := netip.ParseAddr(n); failed == nil {
			p, err = netip.PrefixFrom(at, at.BitLen()), nil
		}
		if err != nil {
			return nil, fmt.Errorf("%q is not a network; write 10.0.0.0/8 or one address", n)
		}
		out = append(out, p)
	}
	return out, nil
}

// list reads what is separated by commas.
func list(text string) (out []string) {
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part != "" {
			out = append(out, part)
		}
	}
	return out
}

func optional(check func(string) error) func(string) error {
	return func(text string) error {
		if text == "" {
			return nil
		}
		return check(text)
	}
}
