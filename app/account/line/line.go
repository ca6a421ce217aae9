// Package line reads proxies as people write them, one a line: host and port with or
// without credentials, addresses with a scheme, links of the messenger's own app.
//
// It promises that what it answers is whole and within bounds: a host that is a name
// or an address, a port, a secret that decodes. It refuses anything else with one
// sentence that repeats no secret. It opens no connection.
package line

import (
	"encoding/base64"
	"encoding/hex"
	"errors"
	"net/url"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"svc/messenger"
)

// MaxLine is how long a line may be, in bytes.
const MaxLine = 2048

// maxText is how long a name or a password may be: SOCKS5 carries no more.
const maxText = 255

// Proxy is a proxy as somebody wrote it.
type Proxy struct {
	Type               messenger.RouteKind
	Host               string
	Port               int
	Username, Password string
	Secret             string // MTProto: as written
}

// What is wrong with a line. No sentence holds a part of the line.
var (
	errLong     = errors.New("the line is longer than 2,048 bytes")
	errShape    = errors.New("write host:port, host:port:user:password, scheme://user:password@host:port or a tg://proxy link")
	errType     = errors.New("the type is not known; it is SOCKS5, HTTP or MTPROTO")
	errTLS      = errors.New("proxies that speak TLS (https://) are not supported; write http:// for HTTP CONNECT")
	errHost     = errors.New("the host is neither a name nor an address")
	errPort     = errors.New("the port must be a number from 1 to 65535")
	errText     = errors.New("the user name and the password may have 255 bytes each, without control characters")
	errNoUser   = errors.New("a password needs a user name")
	errNoSecret = errors.New("an MTProto proxy needs its secret")
	errSecret   = errors.New("the secret must be 16 bytes, 17 that begin with dd, or ee with a domain, in hex or base64")
	errSurplus  = errors.New("only an MTProto proxy has a secret, and it has neither user name nor password")
)

// Parse reads one line. Where it names no type, fallback is it: SOCKS5 when that is
// "". The error is a sentence for the person who wrote the line.
func Parse(text string, fallback messenger.RouteKind) (Proxy, error) {
	text = strings.TrimSpace(text)
	if len(text) > MaxLine {
		return Proxy{}, errLong
	}
	if fallback == "" {
		fallback = messenger.SOCKS5
	}
	p, err := parse(text, fallback)
	if err != nil {
		return Proxy{}, err
	}
	return Check(p)
}

func parse(text string, fallback messenger.RouteKind) (Proxy, error) {
	scheme, _, has := strings.Cut(text, "://")
	switch {
	case has && strings.EqualFold(scheme, "tg"):
		return link(text)
	case has && !isLink(text):
		return address(text)
	case isLink(text):
		return link(text)
	case strings.Contains(text, "@"):
		return withCredentials(text, fallback)
	}
	return colons(text, fallback)
}

// linkHosts are where links of the messenger's app point to.
var linkHosts = []string{"t.me/", "www.t.me/", "telegram.me/", "telegram.dog/"}

func isLink(text string) bool {
	rest := strings.ToLower(text)
	rest = strings.TrimPrefix(strings.TrimPrefix(rest, "https://"), "http://")
	for _, h := range linkHosts {
		if strings.HasPrefix(rest, h) {
			return true
		}
	}
	return false
}

// link reads tg://proxy?server=&port=&secret=, tg://socks?…&user=&pass=, and the same
// behind https://t.me/.
func link(text string) (p Proxy, err error) {
	rest := text
	if i := strings.Index(rest, "://"); i >= 0 {
		rest = rest[i+len("://"):]
	}
	kind, query, _ := strings.Cut(rest, "?")
	if i := strings.LastIndex(strings.TrimSuffix(kind, "/"), "/"); i >= 0 {
		kind = kind[i+1:]
	}
	// A + in a secret is one: these links are not forms.
	q, err := url.ParseQuery(strings.ReplaceAll(query, "+", "%2B"))
	if err != nil {
		return p, errShape
	}
	switch strings.ToLower(strings.Trim(kind, "/")) {
	case "proxy":
		p.Type, p.Secret = messenger.MTProtoProxy, q.Get("secret")
	case "socks":
		p.Type, p.Username, p.Password = messenger.SOCKS5, q.Get("user"), q.Get("pass")
	case "http":
		p.Type, p.Username, p.Password = messenger.HTTPConnect, q.Get("user"), q.Get("pass")
	default:
		return p, errShape
	}
	p.Host = q.Get("server")
	p.Port, err = port(q.Get("port"))
	return p, err
}

// schemes are the types by the scheme of an address.
var schemes = map[string]messenger.RouteKind{
	"socks5": messenger.SOCKS5, "socks5h": messenger.SOCKS5, "socks": messenger.SOCKS5,
	"http": messenger.HTTPConnect, "mtproto": messenger.MTProtoProxy, "mtproxy": messenger.MTProtoProxy,
}

// address reads scheme://user:password@host:port; of an MTProto proxy the user is
// the secret.
func address(text string) (p Proxy, err error) {
	scheme, rest, _ := strings.Cut(text, "://")
	kind, known := schemes[strings.ToLower(scheme)]
	switch {
	case strings.EqualFold(scheme, "https"):
		return p, errTLS
	case !known:
		return p, errType
	}
	rest = strings.TrimSuffix(rest, "/")
	if !strings.Contains(rest, "@") {
		return colons(rest, kind)
	}
	return withCredentials(rest, kind)
}

// withCredentials reads user:password@host:port.
func withCredentials(text string, kind messenger.RouteKind) (p Proxy, err error) {
	at := strings.LastIndex(text, "@")
	user, password, _ := strings.Cut(text[:at], ":")
	if user, err = url.PathUnescape(user); err != nil {
		return p, errShape
	}
	if password, err = url.PathUnescape(password); err != nil {
		return p, errShape
	}
	if p, err = colons(text[at+1:], kind); err != nil {
		return p, err
	}
	if p.Username != "" || p.Secret != "" {
		return p, errShape
	}
	if kind == messenger.MTProtoProxy {
		if p.Secret = user; password != "" {
			return p, errSurplus
		}
		return p, nil
	}
	p.Username, p.Password = user, password
	return p, nil
}

// colons reads host:port, host:port:user:password and, of an MTProto proxy,
// host:port:secret. An IPv6 address stands in brackets. A password may have colons.
func colons(text string, kind messenger.RouteKind) (p Proxy, err error) {
	p.Type = kind
	var rest string
	if strings.HasPrefix(text, "[") {
		end := strings.Index(text, "]")
		if end < 0 || !strings.HasPrefix(text[end+1:], ":") {
			return p, errShape
		}
		p.Host, rest = text[1:end], text[end+2:]
	} else {
		var ok bool
		if p.Host, rest, ok = strings.Cut(text, ":"); !ok {
			return p, errShape
		}
	}
	number, rest, more := strings.Cut(rest, ":")
	if p.Port, err = port(number); err != nil || !more {
		return p, err
	}
	if kind == messenger.MTProtoProxy {
		p.Secret = rest
		return p, nil
	}
	var ok bool
	if p.Username, p.Password, ok = strings.Cut(rest, ":"); !ok {
		return p, errShape
	}
	return p, nil
}

func port(text string) (int, error) {
	n, err := strconv.ParseUint(text, 10, 16)
	if err != nil || n == 0 {
		return 0, errPort
	}
	return int(n), nil
}

// Check answers a proxy in its one form, or says what is wrong with it.
func Check(p Proxy) (Proxy, error) {
	p.Host = strings.ToLower(strings.TrimSuffix(strings.TrimSpace(p.Host), "."))
	switch {
	case !validHost(p.Host):
		return p, errHost
	case p.Port < 1 || p.Port > 65535:
		return p, errPort
	case !validText(p.Username) || !validText(p.Password):
		return p, errText
	}
	switch p.Type {
	case messenger.SOCKS5, messenger.HTTPConnect:
		switch {
		case p.Secret != "":
			return p, errSurplus
		case p.Username == "" && p.Password != "":
			return p, errNoUser
		}
	case messenger.MTProtoProxy:
		switch {
		case p.Username != "" || p.Password != "":
			return p, errSurplus
		case p.Secret == "":
			return p, errNoSecret
		case !validSecret(p.Secret):
			return p, errSecret
		}
	default:
		return p, errType
	}
	return p, nil
}

func validText(s string) bool {
	return len(s) <= maxText && utf8.ValidString(s) && !strings.ContainsFunc(s, unicode.IsControl)
}

// validSecret says whether a secret is one that MTProto proxies have: 16 bytes, dd
// and 16, or ee, 16 and the domain that is imitated.
func validSecret(s string) bool {
	if len(s) > 600 {
		return false
	}
	b, err := hex.DecodeString(s)
	if err != nil {
		s = strings.NewReplacer("+", "-", "/", "_").Replace(strings.TrimRight(s, "="))
		if b, err = base64.RawURLEncoding.DecodeString(s); err != nil {
			return false
		}
	}
	switch {
	case len(b) == 16:
		return true
	case len(b) == 17:
		return b[0] == 0xdd
	case len(b) > 17 && b[0] == 0xee:
		return validHost(strings.ToLower(string(b[17:])))
	}
	return false
}

// Field is the field of a proxy that an error of Check is about.
func Field(err error) string {
	switch {
	case errors.Is(err, errType):
		return "type"
	case errors.Is(err, errPort):
		return "port"
	case errors.Is(err, errText), errors.Is(err, errNoUser):
		return "username"
	case errors.Is(err, errNoSecret), errors.Is(err, errSecret), errors.Is(err, errSurplus):
		return "secret"
	}
	return "host"
}
