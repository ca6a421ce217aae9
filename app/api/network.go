package api

import "net/netip"

// Network is what a caller's address counts as in rates and in waits after wrong
// passwords: itself, or the /64 that one household has in IPv6.
func Network(ip string) string {
	at, err := netip.ParseAddr(ip)
	if err != nil || at.Is4() {
		return ip
	}
	p, err := at.Prefix(64)
	if err != nil {
		return ip
	}
	return p.String()
}
