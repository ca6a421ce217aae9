package wiring

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"time"

	"svc/app/calendar"
	"svc/app/channel"
	"svc/app/cli"
	"svc/messenger/platform"
	wire "svc/messenger/platform/calendar"
	"svc/messenger/platform/page"
	"svc/messenger/platform/photo"
	"svc/messenger/platform/sim"
	simcalendar "svc/messenger/platform/sim/calendar"
	simvideo "svc/messenger/platform/sim/video"
	"svc/messenger/platform/video"
	"svc/web"
	"svc/web/simworld"
)

// platformsDir is where the simulated networks keep their journal below a data folder.
const platformsDir = "platforms"

// Paths of the service on which browsers reach the simulated networks.
const simulated = "/_sim"

// outside are the photo, the page and the video network and the calendar: the real ones, or simulated ones.
func (s *parts) outside() (o channel.Outside, book calendar.Outside, err error) {
	c := s.Outside
	book = calendar.Outside{Missing: c.MissingGoogle()}
	o = channel.Outside{VerifyToken: c.VerifyToken, Missing: c.Missing(), MissingSignIn: c.MissingGoogle(), HumanAgent: c.HumanAgent, Reviewed: c.Review == "APPROVED"}
	client := &http.Client{Timeout: 40 * time.Second}
	ofPhoto := photo.Options{AppID: c.PhotoAppID, Secret: c.PhotoSecret, Consent: c.PhotoURL, Tokens: c.PhotoAPIURL, Graph: c.PhotoGraphURL, Version: c.GraphVersion, HTTP: client}
	ofPage := page.Options{AppID: c.MetaAppID, Secret: c.MetaSecret, LoginConfig: c.LoginConfig, Consent: c.PageURL, Graph: c.PageGraphURL, Version: c.GraphVersion, HTTP: client}
	ofVideo := video.Options{Key: c.VideoKey, ClientID: c.GoogleClientID, Secret: c.GoogleSecret, Consent: c.GoogleAccountsURL, Token: c.GoogleTokenURL, API: c.VideoURL, HTTP: client}
	ofCalendar := wire.Options{ClientID: c.GoogleClientID, Secret: c.GoogleSecret, Accounts: c.GoogleAccountsURL, Tokens: c.GoogleTokenURL, API: c.CalendarURL, HTTP: client}
	if c.Simulator {
		base := "http://" + c.Address
		consent := base
		if c.Address == "" {
			if base, err = s.simulateNetworks(&o); err != nil {
				return o, book, err
			}
			consent = simulated
		}
		ofPhoto = photo.Options{
			AppID: sim.PhotoApp, Secret: sim.PhotoSecret, Consent: consent + sim.PhotoConsent, Tokens: base + sim.PhotoTokens, Graph: base + sim.PhotoGraph,
			Version: sim.Version, HTTP: client,
		}
		ofPage = page.Options{AppID: sim.PageApp, Secret: sim.PageSecret, Consent: consent + sim.PageConsent, Graph: base + sim.PageGraph, Version: sim.Version, HTTP: client}
		ofVideo = video.Options{
			Key: simvideo.Key, ClientID: simvideo.App, Secret: simvideo.Secret, Consent: consent + simvideo.Consent, Token: base + simvideo.Tokens, API: base + simvideo.API, HTTP: client,
		}
		ofCalendar = wire.Options{
			ClientID: simcalendar.ClientID, Secret: simcalendar.Secret, Accounts: consent + simcalendar.Consent, Tokens: base + simcalendar.Tokens,
			API: base + simcalendar.API, HTTP: client,
		}
		o.Simulated, o.HumanAgent, book.Simulated = true, true, true
		o.FileBase = s.ownAddress
	}
	o.Probe = probe(client)
	o.Networks = []platform.Network{photo.New(ofPhoto), page.New(ofPage), video.New(ofVideo)}
	o.Secrets = []string{ofPage.Secret, ofPhoto.Secret}
	book.Client = wire.New(ofCalendar)
	return o, book, nil
}

// probe sends a webhook as the networks do.
func probe(client *http.Client) func(ctx context.Context, address string, body []byte, signature string) (int, error) {
	return func(ctx context.Context, address string, body []byte, signature string) (int, error) {
		ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
		defer cancel()
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
		if err != nil {
			return 0, err
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("X-Hub-Signature-256", signature)
		resp, err := client.Do(req)
		if err != nil {
			return 0, err
		}
		return resp.StatusCode, resp.Body.Close()
	}
}

// ownAddress is where this process serves, "" before it does.
func (s *parts) ownAddress() string {
	if a := s.address.Load(); a != nil {
		return *a
	}
	return ""
}

// simulateNetworks makes the networks inside this process: their interface on a port of this
// machine, their pages on the service itself, for people who are signed in.
func (s *parts) simulateNetworks(o *channel.Outside) (base string, err error) {
	world, err := sim.New(sim.Options{
		Dir: filepath.Join(s.Data, platformsDir), Demo: true, Log: s.log, Webhook: func() string {
			if at := s.ownAddress(); at != "" {
				return at + "/api/v1/channels/meta/webhook"
			}
			return ""
		},
	})
	if err != nil {
		return "", err
	}
	listener, err := new(net.ListenConfig).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		return "", errors.Join(err, world.Close())
	}
	s.log.Warn("channels: the photo, the page and the video network are a simulator, which reaches nobody; name your application with --meta-app-id or --instagram-app-id for the real ones")
	server := &http.Server{Handler: world.Handler(), ReadHeaderTimeout: 10 * time.Second}
	s.background = append(s.background, web.Background{Name: "platform simulator", Run: func(ctx context.Context) error { return serveUntil(ctx, server, listener, world) }})
	s.world, o.People = world, world
	return "http://" + listener.Addr().String(), nil
}

// serveUntil serves until the context ends.
func serveUntil(ctx context.Context, server *http.Server, listener net.Listener, world *sim.Simulator) error {
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	select {
	case err := <-failed:
		return errors.Join(err, world.Close())
	case <-ctx.Done():
		return errors.Join(server.Close(), world.Close())
	}
}

// simulatePlatforms runs the networks as a process of its own.
func simulatePlatforms(ctx context.Context, c cli.Simulator, log *slog.Logger, stdout io.Writer) error {
	script, err := scriptOf(&c)
	if err != nil {
		return err
	}
	world, err := sim.New(sim.Options{Dir: filepath.Join(c.Data, platformsDir), Demo: true, Log: log, Webhook: func() string { return c.Webhook }})
	if err != nil {
		return err
	}
	if err := world.Script(script); err != nil {
		return errors.Join(err, world.Close())
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", c.Platforms)
	if err != nil {
		return errors.Join(err, world.Close())
	}
	handler, token, err := simworld.Guard(world.Handler(), listener.Addr())
	if err != nil {
		return errors.Join(err, listener.Close(), world.Close())
	}
	address := "http://" + listener.Addr().String()
	log.Info("simulating the photo and the page network", "address", address)
	_, _ = fmt.Fprintf(stdout, "svc serve --platforms simulator --platforms-simulator %s\n", listener.Addr())
	if token != "" {
		_, _ = fmt.Fprintf(stdout, "Its pages: %s/_sim/?token=%s\n", address, token)
	}
	return serveUntil(ctx, &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second}, listener, world)
}

// loopback is an address at which this machine reaches a listener.
func loopback(addr net.Addr) string {
	host, port, err := net.SplitHostPort(addr.String())
	if err != nil {
		return "http://" + addr.String()
	}
	if ip := net.ParseIP(host); ip == nil || ip.IsUnspecified() {
		host = "127.0.0.1"
		if ip != nil && ip.To4() == nil && !strings.Contains(addr.String(), "[::]") {
			host = "::1"
		}
	}
	return "http://" + net.JoinHostPort(host, port)
}
