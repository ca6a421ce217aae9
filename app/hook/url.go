package hook

import (
	"cmp"
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"code.dny.dev/ssrf"

	"svc/app/api"
)

const maxURL = 2048

// guardian knows which addresses are public. What a name stands for is checked by
// the Sender, each time it connects.
var guardian = ssrf.New(ssrf.WithAnyPort())

// checkURL refuses an address that deliveries cannot or may not go to
// (contract 45.1).
func (o *Options) checkURL(raw string) error {
	if u, err := url.Parse(raw); err == nil && u.User != nil && u.Hostname() != "" && (u.Scheme == "https" || u.Scheme == "http" && !o.Production) {
		return api.Wrong("url", "must hold no credentials; the signature tells that a delivery is ours")
	}
	return CheckURL("url", raw, "https://example.com/hook", o.Production, o.AllowPrivate)
}

// SameServer says whether two addresses are of one server: scheme, host and port are the same.
// A secret that was given for one address goes to no other server.
func SameServer(a, b string) bool {
	x, err := url.Parse(a)
	y, wrong := url.Parse(b)
	return err == nil && wrong == nil && server(x) == server(y)
}

func server(u *url.URL) string {
	host := strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))
	return u.Scheme + "://" + net.JoinHostPort(host, cmp.Or(u.Port(), map[string]string{"http": "80", "https": "443"}[u.Scheme]))
}

// CheckURL refuses, for a field of a request, an address that the service cannot or may
// not call. https: nothing else is taken. private: it may lie in the service's own
// network.
func CheckURL(field, raw, example string, https, private bool) error {
	u, err := url.Parse(raw)
	switch {
	case len(raw) > maxURL:
		return api.Wrong(field, "must not be longer than %d bytes", maxURL)
	case err != nil || u.Opaque != "" || u.Hostname() == "" || u.Scheme != "http" && u.Scheme != "https":
		return api.Wrong(field, "must be an address such as %s", example)
	case https && u.Scheme != "https":
		return api.Wrong(field, "must begin with https://")
	case u.User != nil:
		return api.Wrong(field, "must hold no credentials")
	case u.Fragment != "" || strings.HasSuffix(raw, "#"):
		return api.Wrong(field, "must have no fragment (#), which is never sent")
	}
	if port := u.Port(); port != "" {
		if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
			return api.Wrong(field, "has a port that is none")
		}
	}
	return checkHost(field, strings.ToLower(strings.TrimSuffix(u.Hostname(), ".")), private)
}

func checkHost(field, host string, private bool) error {
	ip, err := netip.ParseAddr(host)
	switch {
	case err == nil && ip.Zone() != "", err != nil && badName(host):
		return api.Wrong(field, "has a host that is neither a name nor an address")
	case private:
		return nil
	case err == nil && guardian.SafeAddr(ip) != nil, err != nil && privateName(host):
		return api.Wrong(field, "must have a public host; this one is private, reserved or the machine itself")
	}
	return nil
}

// badName says whether a host is no name: an empty or long label, characters that
// no name has, or the old ways of writing an IPv4 address as numbers.
func badName(host string) bool {
	labels := strings.Split(host, ".")
	for _, l := range labels {
		if l == "" || len(l) > 63 || strings.ContainsAny(l, "%:/\\?#@[]<>^|\"'` \t") {
			return true
		}
	}
	last := labels[len(labels)-1]
	_, err := strconv.ParseUint(last, 0, 64)
	return len(host) > 253 || err == nil || last[0] >= '0' && last[0] <= '9'
}

// privateNames never stand for a public address.
var privateNames = []string{"localhost", "local", "localdomain", "internal", "intranet", "lan", "home", "corp", "home.arpa"}

func privateName(host string) bool {
	if !strings.Contains(host, ".") {
		return true
	}
	for _, n := range privateNames {
		if strings.HasSuffix(host, "."+n) {
			return true
		}
	}
	return false
}

// hostOf names an endpoint in the audit log and in notices: the path of an address
// may be a secret.
func hostOf(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return ""
	}
	return u.Host
}
