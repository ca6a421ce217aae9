package webtest

import (
	"fmt"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	book "svc/app/calendar"
	"svc/app/channel"
	"svc/messenger/platform"
	wire "svc/messenger/platform/calendar"
	"svc/messenger/platform/graph"
	"svc/messenger/platform/page"
	"svc/messenger/platform/photo"
	"svc/messenger/platform/sim"
	"svc/messenger/platform/sim/calendar"
	simvideo "svc/messenger/platform/sim/video"
	"svc/messenger/platform/video"
)

// networks are the simulated photo and page network of a story.
type networks struct {
	*sim.Simulator
	server *httptest.Server
	photo  *photo.Client
	page   *page.Client
	book   *wire.Client
	video  *video.Client
}

// openNetworks makes the world of the networks; it outlives restarts of the service.
func (s *Server) openNetworks() {
	world, err := sim.New(sim.Options{
		Dir: filepath.Join(s.dir, "platforms"), Now: s.Clock.Now, Webhook: func() string { return s.URL + "/api/v1/channels/meta/webhook" },
	})
	if err != nil {
		s.tb.Fatal(err)
	}
	n := &networks{Simulator: world, server: httptest.NewServer(world.Handler())}
	base := n.server.URL
	n.photo = photo.New(photo.Options{
		AppID: sim.PhotoApp, Secret: sim.PhotoSecret, Consent: "/_sim" + sim.PhotoConsent, Tokens: base + sim.PhotoTokens, Graph: base + sim.PhotoGraph,
		Version: sim.Version, HTTP: n.server.Client(), Now: s.Clock.Now,
	})
	n.page = page.New(page.Options{
		AppID: sim.PageApp, Secret: sim.PageSecret, Consent: "/_sim" + sim.PageConsent, Graph: base + sim.PageGraph, Version: sim.Version,
		HTTP: n.server.Client(), Now: s.Clock.Now,
	})
	n.book = wire.New(wire.Options{
		ClientID: calendar.ClientID, Secret: calendar.Secret, Accounts: "/_sim" + calendar.Consent, Tokens: base + calendar.Tokens, API: base + calendar.API,
		HTTP: n.server.Client(), Now: s.Clock.Now,
	})
	n.video = video.New(video.Options{Key: simvideo.Key, ClientID: simvideo.App, Secret: simvideo.Secret, Consent: "/_sim" + simvideo.Consent,
		Token: base + simvideo.Tokens, API: base + simvideo.API, HTTP: n.server.Client(), Now: s.Clock.Now})
	s.nets = n
}

// outsideCalendar is the calendar that the service of a story can reach.
func (s *Server) outsideCalendar() book.Outside {
	if s.nets == nil {
		return book.Outside{}
	}
	return book.Outside{Client: s.nets.book, Simulated: true}
}

// outsideNetworks are what the service of a story can reach.
func (s *Server) outsideNetworks() channel.Outside {
	if s.nets == nil {
		return channel.Outside{}
	}
	return channel.Outside{
		Networks: []platform.Network{s.nets.photo, s.nets.page, s.nets.video}, Secrets: []string{sim.PageSecret, sim.PhotoSecret}, HumanAgent: true, Simulated: true,
		FileBase: func() string { return s.URL }, People: s.nets,
	}
}

func (n *networks) close(s *Server) {
	if n == nil {
		return
	}
	if err := n.Close(); err != nil {
		s.tb.Error(err)
	}
	n.server.Close()
	for what, times := range n.State().Unmodelled {
		s.tb.Errorf("the simulated networks do not have %s (%d times)", what, times)
	}
}

// idle waits until every webhook has arrived.
func (n *networks) idle() {
	for deadline := time.Now().Add(settleWithin); !n.Idle() && time.Now().Before(deadline); {
		<-time.After(time.Millisecond)
	}
}

// allow answers a consent page: NETWORK CODE ACCOUNT,ACCOUNT [without PART].
func (s *Server) allow(arg string) error {
	w := strings.Fields(arg)
	if w[0] == "calendar" { // CODE CHALLENGE [without PART]
		return s.nets.Calendar.AllowWords(s.origin()+"/api/v1/ai/calendar/oauth/callback", w[1:])
	}
	if len(w) != 3 && len(w) != 5 {
		return fmt.Errorf("write NETWORK CODE ACCOUNT,ACCOUNT [without PART]")
	}
	client := map[string]platform.Network{"photo": s.nets.photo, "page": s.nets.page, "video": s.nets.video}[w[0]]
	path := "/api/v1/channels/" + map[string]string{"photo": "instagram", "page": "facebook", "video": "youtube"}[w[0]] + "/callback"
	var scopes []string
	for _, x := range client.Scopes() {
		if len(w) != 5 || !strings.Contains(x, w[4]) {
			scopes = append(scopes, x)
		}
	}
	return s.nets.AllowAs(w[1], client.Name(), s.origin()+path, strings.Split(w[2], ","), scopes)
}

var (
	signedBody    = regexp.MustCompile(`\{signed (page|photo|wrong)\}`)
	signedRequest = regexp.MustCompile(`\{signed-request (page|photo|wrong) ([A-Za-z0-9-]+) ([0-9a-z]+)\}`)
)

func secretOf(kind string) string {
	return map[string]string{"page": sim.PageSecret, "photo": sim.PhotoSecret}[kind] + map[string]string{"wrong": "wrong"}[kind]
}

// signRequests fills in {signed-request page HMAC-SHA256 USER}, as the networks sign for people.
func (s *Server) signRequests(text string) string {
	return signedRequest.ReplaceAllStringFunc(text, func(ref string) string {
		m := signedRequest.FindStringSubmatch(ref)
		return graph.MakeSigned(m[3], m[2], secretOf(m[1]), s.Clock.Now())
	})
}

// signBody fills in {signed page} in a header, for the body of the request.
func signBody(value, body string) string {
	return signedBody.ReplaceAllStringFunc(value, func(ref string) string {
		return graph.Sign([]byte(body), secretOf(signedBody.FindStringSubmatch(ref)[1]))
	})
}
