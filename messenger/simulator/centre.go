package simulator

import (
	"cmp"
	"net"
	"strconv"

	"github.com/gotd/td/tg"
	"github.com/gotd/td/tgerr"

	"svc/messenger/simulator/mtp"
)

// The numbers of the data centres. Clients begin at the first; the second is there when
// Options.Second asks for it, and answers for the numbers that belong to it. Both show
// the same world, but each knows its own keys only, as those of the platform do.
const (
	DataCentre       = 2
	SecondDataCentre = 4
)

// nameless is a data centre as the world notes it: the first is the usual one.
func nameless(dc int) int {
	if dc == DataCentre {
		return 0
	}
	return dc
}

// second is the other data centre: a listener and a wire of its own.
type second struct {
	ln   net.Listener
	wire *mtp.Server
}

// openSecond makes the other data centre listen, next to the first.
func (s *Simulator) openSecond() error {
	host, _, err := net.SplitHostPort(s.Addr().String())
	if err != nil {
		return err
	}
	ln, err := net.Listen("tcp", net.JoinHostPort(host, "0")) //nolint:noctx // it listens at once
	if err != nil {
		return err
	}
	s.second = &second{ln, s.newWire(SecondDataCentre)}
	return nil
}

func (s *Simulator) newWire(dc int) *mtp.Server {
	return mtp.New(mtp.Options{Key: s.key, DC: dc, Handler: handler{s, dc}, Limits: s.o.Limits, Log: s.o.Log})
}

// elsewhere is the answer of a data centre to what belongs to another one, if there is
// another one: it names it.
func (s *Simulator) elsewhere(prefix string, asked, home int) error {
	home = cmp.Or(home, DataCentre)
	if s.second == nil || home == asked || home != DataCentre && home != SecondDataCentre {
		return nil
	}
	return tgerr.New(303, prefix+strconv.Itoa(home))
}

// options are where clients find the data centres: the first at the address at which
// they came to it, unless another one is made known.
func (s *Simulator) options(c *call) []tg.DCOption {
	at := s.Addr().String()
	if c.dc == DataCentre {
		at = c.Session.LocalAddr().String()
	}
	out := s.DCOptions()
	out[0] = option(DataCentre, cmp.Or(s.o.Advertise, at))
	return out
}

// option is an address as clients are told it.
func option(dc int, addr string) tg.DCOption {
	host, port, _ := net.SplitHostPort(addr)
	n, _ := strconv.Atoi(port)
	ip := net.ParseIP(host)
	return tg.DCOption{ID: dc, IPAddress: host, Port: n, Static: true, Ipv6: ip != nil && ip.To4() == nil}
}
