package telegram_test

import (
	"context"
	"io"
	"net"
	"testing"
	"time"

	"github.com/gotd/td/telegram/dcs"
	"github.com/gotd/td/tg"

	"svc/messenger"
	"svc/messenger/messengertest"
	"svc/messenger/simulator"
	"svc/messenger/telegram"
)

// A platform that is not there is an error soon, for a connection and for a sign-in: the
// library alone would try for ever.
func TestPlatformThatIsNotThere(t *testing.T) {
	p := start(t, simulator.Options{})
	p.AddPhone(t, messengertest.Phone{Number: number, ID: 700})
	a := messenger.Account{Session: p.Session(t, number), State: messengertest.NewStateStore()}
	for name, serve := range map[string]func(net.Conn){
		"nobody listens": nil,
		"says nothing":   func(c net.Conn) { _, _ = io.Copy(io.Discard, c) },
		"hangs up":       func(net.Conn) {},
		"talks nonsense": func(c net.Conn) { _, _ = io.WriteString(c, "220 mail.example ESMTP ready\r\n") },
	} {
		t.Run(name, func(t *testing.T) {
			o := p.options()
			o.DCs = dcs.List{Options: []tg.DCOption{listen(t, serve)}}
			o.ConnectTimeout, o.CallTimeout = 700*time.Millisecond, 700*time.Millisecond
			d := telegram.New(o)
			ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
			defer cancel()
			for _, in := range []messenger.Inbound{nil, messengertest.NewInbox()} {
				a.Inbound = in
				_, err := d.Connect(ctx, a)
				if e := messenger.As(err); e == nil || e.Fault != messenger.Unreachable {
					t.Errorf("connect: %v", err)
				}
			}
			_, err := d.SendCode(ctx, messenger.Route{}, number)
			if e := messenger.As(err); e == nil || e.Fault != messenger.Unreachable {
				t.Errorf("send code: %v", err)
			}
			if _, err = d.CheckRoute(ctx, messenger.Route{}); err == nil {
				t.Error("the check found a way")
			}
			if ctx.Err() != nil {
				t.Error("it took until the context ended")
			}
		})
	}
}

// listen is an address at which serve answers each connection and hangs up; nil for one
// at which nobody is.
func listen(t testing.TB, serve func(net.Conn)) tg.DCOption {
	t.Helper()
	ln, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp4", "127.0.0.1:0")
	must(t, err)
	at := ln.Addr().(*net.TCPAddr)
	if serve == nil {
		must(t, ln.Close())
	} else {
		t.Cleanup(func() { _ = ln.Close() })
		go func() {
			for {
				c, err := ln.Accept()
				if err != nil {
					return
				}
				go func() {
					serve(c)
					_ = c.Close()
				}()
			}
		}()
	}
	return tg.DCOption{ID: 2, IPAddress: at.IP.String(), Port: at.Port, Static: true}
}

// What the owner sees in the list of sessions never changes, or the session looks stolen.
func TestDeviceIsAlwaysTheSame(t *testing.T) {
	p := start(t, simulator.Options{})
	p.AddPhone(t, messengertest.Phone{Number: number, ID: 700})
	a := messenger.Account{Session: p.Session(t, number), State: messengertest.NewStateStore()}
	for range 3 {
		c, err := p.Driver().Connect(t.Context(), a)
		must(t, err)
		devices := p.Devices(number)
		if len(devices) != 1 || devices[0].Model != "svc" || devices[0].System != "server" || devices[0].App != "1" || devices[0].AppID != 1 {
			t.Errorf("%+v", devices)
		}
		must(t, c.Close())
	}
}
