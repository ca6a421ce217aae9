// Package sim is a server that speaks the wire of the photo, the page and the video network and of
// the outside calendar and reaches
// nobody: the production clients run against it unchanged, in demonstrations and in tests.
//
// It promises what the networks promise and enforces what they enforce: proofs, scopes,
// windows, lengths, one answer to a comment, used codes. It signs and escapes webhooks as they
// do, repeats those that are not taken, and writes a line of its journal before each answer, so
// that a restart finds the same world. Scenes (scene.go; those that wait for their moment: package rule) make it fail on purpose. What it does
// not model it counts (State.Unmodelled).
//
// Each host of the networks is a prefix: /photo, /page and /video have the consent pages,
// /photo-api and /video-tokens give tokens, /photo-graph, /page-graph and /video-api the rest. /_sim/ is the world itself, for
// people: whoever serves it asks for a sign-in.
package sim

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"math/big"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	"svc/messenger/platform"
	"svc/messenger/platform/sim/calendar"
	"svc/messenger/platform/sim/rule"
	"svc/messenger/platform/sim/video"
)

// Secrets of the applications that the simulator knows.
const (
	PageApp     = "sim-page-app"
	PageSecret  = "sim-page-secret"
	PhotoApp    = "sim-photo-app"
	PhotoSecret = "sim-photo-secret"
	Version     = "v25.0"
)

// Prefixes of the hosts.
const (
	PhotoConsent = "/photo"
	PhotoTokens  = "/photo-api"
	PhotoGraph   = "/photo-graph"
	PageConsent  = "/page"
	PageGraph    = "/page-graph"
	World        = "/_sim"
)

// Options of New.
type Options struct {
	// Dir is where the journal is kept, "" for none.
	Dir string
	// Webhook is the address that webhooks go to, asked for each of them; "": nowhere.
	Webhook func() string
	// Public is how browsers reach the pages of the simulator: a path of the service.
	Public string
	// Demo makes accounts and people who write and comment by themselves.
	Demo bool
	Now  func() time.Time
	HTTP *http.Client
	Log  *slog.Logger
}

// Simulator is the networks.
type Simulator struct {
	o Options
	// Calendar is the outside calendar.
	Calendar *calendar.World
	// Video is the wire of the video network.
	Video *video.Server

	mu       sync.Mutex
	accounts []*account
	people   map[string]*person // by network and username
	codes    map[string]*code
	seq      int64
	calls    map[string]int
	missing  map[string]int // what is not modelled
	journal  *os.File
	pending  int // webhooks that are on their way
	closed   bool
	only     platform.Name // the network of scenes, "" for all
	rules    rule.Rules
	quit     chan struct{}
}

type account struct {
	network    platform.Name
	username   string
	name       string
	id, scoped string
	followers  int
	humanAgent bool
	demo       bool
	gen        int // of its token
	tokenFault int // subcode of why the token is not taken, 0: it is
	dropped    []string
	fields     []string // subscribed
	tasks      []string
	usage      int
	regain     int
	threads    map[string]*thread // by person id
	posts      []*post
	uploads    map[string]upload
	queue      []delivery // webhooks, oldest first
	sending    bool
	granted    []string
	replies    []time.Time
	unpublish  bool
	otherApp   map[string]bool // threads that another application controls
	noMetrics  []string        // names of metrics that are refused
}

type upload struct {
	kind, mime string
	size       int
}

type person struct {
	network   platform.Name
	username  string
	name      string
	blocks    bool
	noProfile bool
	demo      bool
}

type thread struct {
	id       string
	person   *person
	messages []*message
	lastIn   time.Time
	read     time.Time
}

type message struct {
	MID      string    `json:"mid"`
	Out      bool      `json:"out,omitempty"`
	Text     string    `json:"text,omitempty"`
	Files    []file    `json:"files,omitempty"`
	At       time.Time `json:"at"`
	Metadata string    `json:"metadata,omitempty"`
	App      string    `json:"app,omitempty"`
	ReplyTo  string    `json:"reply_to,omitempty"`
	Tag      string    `json:"tag,omitempty"`
	Deleted  bool      `json:"deleted,omitempty"`
	Edits    int       `json:"edits,omitempty"`
	Reaction string    `json:"reaction,omitempty"`
	Comment  string    `json:"comment,omitempty"` // that it answers in private
}

type file struct {
	Kind string `json:"kind"`
	URL  string `json:"url,omitempty"`
	Size int    `json:"size,omitempty"`
	Type string `json:"type,omitempty"`
}

type post struct {
	ID         string
	Kind       string // "" is platform.KindPost
	Text       string
	At         time.Time
	Comments   []*comment
	Figures    figures
	NoComments bool // they are switched off
	Deleted    bool
}

type comment struct {
	ID, Parent, Text string
	From             *person
	FromAccount      bool
	At               time.Time
	Answered         bool // in private
	Deleted          bool
	Hidden           bool
	Likes            int64
}

// code is what a consent page gave.
type code struct {
	network  platform.Name
	redirect string
	// challenge is that of PKCE, "" when the code is bound to none.
	challenge string
	accounts  []*account
	scopes    []string
	at        time.Time
	used      bool
}

// New makes the simulator. Close it.
func New(o Options) (*Simulator, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.HTTP == nil {
		o.HTTP = &http.Client{Timeout: 75 * time.Second}
	}
	if o.Webhook == nil {
		o.Webhook = func() string { return "" }
	}
	s := &Simulator{
		o: o, people: map[string]*person{}, codes: map[string]*code{}, calls: map[string]int{}, missing: map[string]int{}, quit: make(chan struct{}),
	}
	s.Video = video.New(videoNetwork{s}, o.Now)
	if o.Demo {
		s.demoWorld()
	}
	var err error
	if s.Calendar, err = calendar.New(calendar.Options{Dir: o.Dir, Demo: o.Demo, Now: o.Now, Log: o.Log}); err != nil {
		return nil, err
	}
	return s, s.openJournal()
}

// Close ends what the simulator does by itself.
func (s *Simulator) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil
	}
	s.closed = true
	close(s.quit)
	err := s.Calendar.Close()
	if s.journal == nil {
		return err
	}
	return errors.Join(err, s.journal.Close())
}

// Idle says whether no webhook is on its way.
func (s *Simulator) Idle() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.pending == 0
}

func (t *thread) add(m *message) {
	t.messages = append(t.messages, m)
	if !m.Out && m.At.After(t.lastIn) {
		t.lastIn = m.At
	}
}

// number makes an id of digits of a name: the same name has the same id.
func number(prefix, name string) string {
	sum := sha256.Sum256([]byte(name))
	n := new(big.Int).SetBytes(sum[:6])
	return prefix + fmt.Sprintf("%014d", n.Uint64()%100_000_000_000_000)
}

func (s *Simulator) account(network platform.Name, username string) *account {
	for _, a := range s.accounts {
		if a.network == network && a.username == username {
			return a
		}
	}
	return nil
}

func (s *Simulator) accountID(network platform.Name, id string) *account {
	for _, a := range s.accounts {
		if a.network == network && a.id == id {
			return a
		}
	}
	return nil
}

func (s *Simulator) addAccount(network platform.Name, username, name string) *account {
	a := &account{
		network: network, username: username, name: name, threads: map[string]*thread{}, uploads: map[string]upload{},
		otherApp: map[string]bool{}, tasks: []string{"MESSAGING", "MODERATE", "CREATE_CONTENT"},
	}
	switch network {
	case platform.Photo:
		a.id, a.scoped = number("178414", "photo "+username), number("249", "scoped "+username)
	case platform.Video:
		a.id = video.ChannelID("video " + username)
		a.scoped = a.id
	default:
		a.id = number("1", "page "+username)
		a.scoped = a.id
	}
	s.accounts = append(s.accounts, a)
	return a
}

func (s *Simulator) person(network platform.Name, username string) *person {
	key := string(network) + " " + username
	p := s.people[key]
	if p == nil {
		p = &person{network: network, username: username, name: username}
		s.people[key] = p
	}
	return p
}

// idOf is what an account knows a person by.
func idOf(a *account, p *person) string { return number("7", a.id+" "+p.username) }

// userID is the person who connects accounts of a network.
func userID(network platform.Name) string { return number("10", "owner "+string(network)) }

func (s *Simulator) thread(a *account, p *person) *thread {
	id := idOf(a, p)
	t := a.threads[id]
	if t == nil {
		t = &thread{id: "t_" + id, person: p}
		a.threads[id] = t
	}
	return t
}

// next makes an id of a message.
func (s *Simulator) next(prefix string) string {
	s.seq++
	sum := sha256.Sum256([]byte(fmt.Sprintf("%s %d %d", prefix, s.seq, s.o.Now().UnixNano())))
	return prefix + hex.EncodeToString(sum[:12])
}

// token of an account: it stays right over a restart, and until it is revoked.
func (a *account) token() string {
	return fmt.Sprintf("sim.%s.%s.%d.%s", strings.ToLower(string(a.network)), a.id, a.gen, mac(fmt.Sprintf("%s %s %d", a.network, a.id, a.gen)))
}

func mac(s string) string {
	h := hmac.New(sha256.New, []byte(PageSecret))
	_, _ = h.Write([]byte(s))
	return hex.EncodeToString(h.Sum(nil)[:12])
}

// userToken of the person who connects pages.
func userToken() string { return "sim.user." + mac("user") }

// byToken finds the account of a token, with why it is not taken.
func (s *Simulator) byToken(token string) (a *account, why *fault) {
	parts := strings.Split(token, ".")
	if len(parts) != 5 || parts[0] != "sim" {
		return nil, &fault{code: 190, text: "Invalid OAuth access token - Cannot parse access token"}
	}
	for _, x := range s.accounts {
		if strings.EqualFold(string(x.network), parts[1]) && x.id == parts[2] {
			a = x
		}
	}
	switch {
	case a == nil:
		return nil, &fault{code: 190, text: "Invalid OAuth access token"}
	case a.tokenFault != 0:
		return a, &fault{code: 190, sub: a.tokenFault, text: "Error validating access token"}
	case token != a.token():
		return a, &fault{code: 190, sub: 460, text: "Error validating access token: the session was changed"}
	}
	return a, nil
}

// fault is an error as the networks answer it.
type fault struct {
	status, code, sub int
	text              string
	transient         bool
}
