package webtest

import (
	"encoding/hex"
	"fmt"
	"strconv"

	"svc/messenger"
	"svc/messenger/messengertest"
)

// manners are how a proxy of a story behaves.
var manners = map[string]messengertest.Manner{
	"proper": messengertest.Proper, "hanging": messengertest.Hanging, "garbled": messengertest.Garbled,
	"hangs-up": messengertest.HangsUp, "cut-off": messengertest.CutOff, "dead": messengertest.Dead,
}

// proxy starts a proxy server of somebody else, or ends it: NAME KIND MANNER
// [USER PASSWORD], or for an MTProto proxy its SECRET in hex. Its port gets a name.
func (r *runner) proxy(action string, words []string) error {
	if action == "proxy-close" {
		p := r.proxies[words[0]]
		if p == nil {
			return fmt.Errorf("there is no proxy of that name")
		}
		p.Close()
		return nil
	}
	if len(words) < 3 || len(words) > 5 {
		return fmt.Errorf("write: proxy NAME KIND MANNER [USER PASSWORD or SECRET]")
	}
	manner, ok := manners[words[2]]
	if !ok {
		return fmt.Errorf("no such manner")
	}
	o := messengertest.ProxyOptions{Manner: manner, DC: r.server.sim.Addr().String()}
	switch len(words) {
	case 4:
		secret, err := hex.DecodeString(words[3])
		if err != nil {
			return err
		}
		o.Secret = secret
	case 5:
		o.Username, o.Password = words[3], words[4]
	}
	p := messengertest.StartProxy(r.t, messenger.RouteKind(words[1]), o)
	r.proxies[words[0]] = p
	port := strconv.Itoa(p.Route().Port)
	name := r.names.name("port", "port "+port)
	r.names.value[name] = port
	r.names.hide(p.Route().Host + ":" + port)
	return nil
}
