package messengertest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"svc/messenger"
)

// secrets are an MTProto proxy's three kinds.
var secrets = []string{
	"0123456789abcdef",
	"\xdd0123456789abcdef",
	"\xee0123456789abcdefwww.example.com",
}

var routeCases = []testCase{
	{"working proxies", func(s *stage) {
		s.people()
		for name, p := range s.proxies(Proper) {
			took, err := s.driver.CheckRoute(s.ctx, p.Route())
			if err != nil || took <= 0 {
				s.Errorf("%s: check %s, %v", name, took, err)
			}
			m := NewStateStore()
			_ = m.SaveSession(s.ctx, s.Session(s.T, number))
			c, err := s.driver.Connect(s.ctx, messenger.Account{Session: m.Session(), State: m, Via: p.Route()})
			if err != nil {
				s.Fatalf("%s: connect: %s", name, describe(err))
			}
			if _, err := c.Check(s.ctx); err != nil {
				s.Errorf("%s: %s", name, describe(err))
			}
			_ = c.Close()
			if p.Tunnels() < 2 {
				s.Errorf("%s: %d connections went through the proxy, want both", name, p.Tunnels())
			}
		}
	}},
	{"no proxy", func(s *stage) {
		if _, err := s.driver.CheckRoute(s.ctx, messenger.Route{}); err != nil {
			s.Error(err)
		}
	}},
	{"a sign-in through a proxy", func(s *stage) {
		s.AddPhone(s.T, Phone{Number: number, Code: "54321", ID: owner})
		p := StartProxy(s.T, messenger.SOCKS5, ProxyOptions{Username: "user", Password: "words"})
		step, err := s.driver.SendCode(s.ctx, p.Route(), number)
		if err != nil {
			s.Fatal(describe(err))
		}
		if step, err = s.driver.EnterCode(s.ctx, p.Route(), step.State, "54321"); err != nil || step.Kind != messenger.Completed {
			s.Errorf("%+v, %s", step, describe(err))
		}
		if p.Tunnels() != 2 {
			s.Errorf("%d connections went through the proxy, want 2", p.Tunnels())
		}
	}},
	{"wrong credentials", func(s *stage) {
		for name, p := range s.proxies(Proper) {
			via := p.Route()
			via.Password = "not-the-words"
			via.Secret = strings.ReplaceAll(via.Secret, "3031", "3939") // 01 of the secret
			s.broken(name, via, messenger.StageAuth)
		}
		for name, p := range s.proxies(Proper) {
			if via := p.Route(); via.Kind != messenger.MTProtoProxy {
				via.Username, via.Password = "", ""
				s.broken(name+" without", via, messenger.StageAuth)
			}
		}
	}},
	{"proxies that do not listen", func(s *stage) {
		for name, p := range s.proxies(Dead) {
			s.broken(name, p.Route(), messenger.StageDial)
		}
	}},
	{"proxies that answer something else", func(s *stage) {
		for name, p := range s.proxies(Garbled) {
			want := messenger.StageHandshake
			if p.kind == messenger.MTProtoProxy {
				// Whatever comes is decrypted with the secret.
				want = ""
			}
			s.broken(name, p.Route(), want)
		}
	}},
	{"proxies that hang up", func(s *stage) {
		for name, p := range s.proxies(HangsUp) {
			want := messenger.StageHandshake
			if p.kind == messenger.MTProtoProxy {
				want = messenger.StageAuth
			}
			s.broken(name, p.Route(), want)
		}
	}},
	{"proxies that reach nothing", func(s *stage) {
		for name, p := range s.proxies(CutOff) {
			want := messenger.StageDataCentre
			if p.kind == messenger.MTProtoProxy {
				want = "" // they just hang up
			}
			s.broken(name, p.Route(), want)
		}
	}},
	{"proxies that say nothing", func(s *stage) {
		for name, p := range s.proxies(Hanging) {
			ctx, cancel := context.WithTimeout(s.ctx, 300*time.Millisecond)
			_, err := s.driver.CheckRoute(ctx, p.Route())
			cancel()
			s.stage(name, err, messenger.StageHandshake)
		}
	}},
	{"the service's own network", func(s *stage) {
		for name, p := range s.proxies(Proper) {
			for _, host := range []string{"127.0.0.1", "localhost"} {
				via := p.Route()
				via.Host, via.AllowPrivate = host, false
				s.broken(name+" "+host, via, messenger.StageDial)
			}
			if n := p.Tunnels(); n != 0 {
				s.Errorf("%s: %d connections reached a proxy in the own network", name, n)
			}
		}
	}},
	{"secrets that are none", func(s *stage) {
		p := StartProxy(s.T, messenger.MTProtoProxy, ProxyOptions{DC: s.Address()})
		for _, secret := range []string{"", "00", "zz", strings.Repeat("ab", 17), "ee" + strings.Repeat("ab", 16)} {
			via := p.Route()
			via.Secret = secret
			s.broken("secret "+secret, via, messenger.StageAuth)
		}
	}},
	{"a proxy that dies and comes back", func(s *stage) {
		s.people()
		p := StartProxy(s.T, messenger.SOCKS5, ProxyOptions{Username: "user", Password: "words"})
		m := NewStateStore()
		_ = m.SaveSession(s.ctx, s.Session(s.T, number))
		c, err := s.driver.Connect(s.ctx, messenger.Account{Session: m.Session(), State: m, Via: p.Route()})
		if err != nil {
			s.Fatal(describe(err))
		}
		defer func() { _ = c.Close() }()
		p.Drop()
		s.eventually("a message goes through", func() bool {
			_, err := c.Send(s.ctx, text(messenger.Target{Username: "ali_karim"}, "salom", 1))
			return err == nil
		})
		p.Close()
		s.eventually("the connection is lost", func() bool { return !c.Online() })
		ctx, cancel := context.WithTimeout(s.ctx, 5*time.Second)
		defer cancel()
		_, err = c.Send(ctx, text(messenger.Target{ID: ali}, "yana", 2))
		s.fault(err, messenger.RouteFailed, "")
		s.oneMessage("salom")
	}},
}

// proxies are one of each kind, named.
func (s *stage) proxies(how Manner) map[string]*Proxy {
	s.Helper()
	o := ProxyOptions{Username: "user", Password: "words", DC: s.Address(), Manner: how}
	out := map[string]*Proxy{
		"SOCKS5": StartProxy(s.T, messenger.SOCKS5, o),
		"HTTP":   StartProxy(s.T, messenger.HTTPConnect, o),
	}
	for _, secret := range secrets {
		o.Secret = []byte(secret)
		out[fmt.Sprintf("MTPROTO %x", secret[:1])] = StartProxy(s.T, messenger.MTProtoProxy, o)
	}
	return out
}

// broken asserts that neither a check nor a connection gets through, and that both end
// soon. No want leaves the stage open.
func (s *stage) broken(name string, via messenger.Route, want messenger.Stage) {
	s.Helper()
	begin := time.Now()
	_, err := s.driver.CheckRoute(s.ctx, via)
	s.stage(name, err, want)
	m := NewStateStore()
	s.AddPhone(s.T, Phone{Number: number, ID: owner})
	_ = m.SaveSession(s.ctx, s.Session(s.T, number))
	_, err = s.driver.Connect(s.ctx, messenger.Account{Session: m.Session(), State: m, Via: via})
	if e := messenger.As(err); e == nil || e.Fault != messenger.RouteFailed && (want != "" || e.Fault != messenger.Unreachable) {
		s.Errorf("%s: connect: %s", name, describe(err))
	}
	if took := time.Since(begin); took > 15*time.Second {
		s.Errorf("%s: it took %s", name, took)
	}
	for _, secret := range []string{via.Password, via.Secret} {
		if len(secret) > 2 && strings.Contains(fmt.Sprint(err), secret) {
			s.Errorf("%s: the error holds a secret: %v", name, err)
		}
	}
}

func (s *stage) stage(name string, err error, want messenger.Stage) {
	s.Helper()
	var e *messenger.RouteError
	if !errors.As(err, &e) || want != "" && e.Stage != want {
		s.Errorf("%s: check: %v, want it to fail at %s", name, err, want)
	}
}
