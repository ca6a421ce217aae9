package api

import "net/netip"

// Network is what an address counts as wherever something is counted by address (rates,
// waits after wrong passwords, open connections): itself, or the /64 that one household
// has in IPv6. An address of IPv4 written as one of IPv6 is that of IPv4. What is no
// address is itself.
func Network(ip string) string {
	at, err := netip.ParseAddr(ip)
	if err != nil {
		return ip
	}
	at = at.Unmap().WithZone("")
	if at.Is4() {
		return at.String()
	}
	p, err := at.Prefix(64)
	if err != nil {
		return ip
	}
	return p.String()
}
