package line

import (
	"net/netip"
	"strconv"
	"strings"

	"code.dny.dev/ssrf"
)

// guardian knows which addresses are public. What a name stands for is checked when
// somebody connects.
var guardian = ssrf.New(ssrf.WithAnyPort())

// Private says whether a host is known to lie in the service's own network, or in
// none: an address that is not public, or a name that never stands for one.
func Private(host string) bool {
	if ip, err := netip.ParseAddr(host); err == nil {
		return guardian.SafeAddr(ip.Unmap()) != nil
	}
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

var privateNames = []string{"localhost", "local", "localdomain", "internal", "intranet", "lan", "home", "corp", "home.arpa"}

// validHost says whether a host is an address without a zone, or a name: not the old
// ways of writing an IPv4 address as numbers.
func validHost(host string) bool {
	if ip, err := netip.ParseAddr(host); err == nil {
		return ip.Zone() == ""
	}
	if len(host) > 253 {
		return false
	}
	labels := strings.Split(host, ".")
	for _, l := range labels {
		if l == "" || len(l) > 63 || strings.ContainsFunc(l, func(r rune) bool {
			return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-' && r != '_'
		}) {
			return false
		}
	}
	last := labels[len(labels)-1]
	_, err := strconv.ParseUint(last, 0, 64)
	return err != nil && (last[0] < '0' || last[0] > '9')
}
