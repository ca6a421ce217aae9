// Package video is the wire of the simulated video network: the five lists that the service
// reads, the exchange of tokens, and the quota of a day, which refused calls cost too.
//
// It has no channels of its own: whoever makes it says what they show (Network), and serves the
// consent page.
package video

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"slices"
	"sync"
	"time"

	"svc/messenger/platform/sim/answer"
)

// What the simulated video network knows of applications.
const (
	Key    = "sim-video-key"
	App    = "sim-video-app"
	Secret = "sim-video-secret"
)

// Prefixes of its hosts.
const (
	Consent = "/video"
	Tokens  = "/video-tokens"
	API     = "/video-api"
)

// dailyUnits is what an application may spend in a day.
const dailyUnits = 10_000

// Network is the world behind the wire. Its methods are safe for concurrent use.
type Network interface {
	// Channels are all channels, with what they show now.
	Channels() []Channel
	// SignedIn is the id of the channel that a token was given to.
	SignedIn(token string) (channel string, ok bool)
	// Exchange uses up the code of a consent page, with the verifier that it is bound to.
	Exchange(code, redirect, verifier string) (Grant, bool)
	// Refresh is the grant of a token, unless the token is not taken any more.
	Refresh(token string) (Grant, bool)
	// Revoke ends the tokens of a channel.
	Revoke(token string)
	// Counted counts a call of a list.
	Counted(list string)
	// Scene is what a scene makes of a call about a channel: "" nothing, the reason of an error
	// of this network, or anything else for no answer.
	Scene(channel string) string
	// Unmodelled answers what the network does not have.
	Unmodelled(w http.ResponseWriter, what string)
}

// Grant is what somebody allowed.
type Grant struct {
	Token  string
	Scopes []string
}

// Channel is a channel with its videos, the newest first.
type Channel struct {
	ID, Username, Name string
	Followers          int
	Videos             []Video
}

// Video is a video with the comments that it shows, in the order in which they came.
type Video struct {
	ID, Title    string
	Short        bool
	At           time.Time
	Views, Likes int64
	NoComments   bool // they are switched off
	Comments     []Comment
}

// Comment is a comment below a video, or an answer to one.
type Comment struct {
	ID, Parent, Text string
	From             string // username of a person, "" for the channel itself
	At               time.Time
	Likes            int64
}

// Server speaks the wire.
type Server struct {
	network Network
	now     func() time.Time

	mu    sync.Mutex
	units map[string]int // by day
}

// New makes a server over the channels of a network.
func New(network Network, now func() time.Time) *Server {
	return &Server{network: network, now: now, units: map[string]int{}}
}

// Mount serves the tokens and the lists, each below its prefix.
func (s *Server) Mount(mux *http.ServeMux) {
	mux.HandleFunc("POST "+Tokens+"/token", s.token)
	mux.HandleFunc("POST "+Tokens+"/revoke", func(w http.ResponseWriter, r *http.Request) {
		s.network.Revoke(r.PostFormValue("token"))
		answer.JSON(w, http.StatusOK, map[string]any{})
	})
	mux.HandleFunc("GET "+API+"/youtube/v3/{list}", s.list)
}

// day is the day of the quota, which ends at midnight Pacific; here without summer time.
func day(t time.Time) string { return t.Add(-8 * time.Hour).UTC().Format(time.DateOnly) }

// spend takes a unit of the quota, if one is left.
func (s *Server) spend() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	today := day(s.now())
	if s.units[today] >= dailyUnits {
		return false
	}
	s.units[today]++
	return true
}

// Units are what was spent of the quota today.
func (s *Server) Units() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.units[day(s.now())]
}

// SetUnits says what was spent of the quota today.
func (s *Server) SetUnits(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.units[day(s.now())] = n
}

// ChannelID is the id of the channel with a name: the same name has the same id.
func ChannelID(name string) string { return id("UC", name, 22) }

// ID is the id of the video with a name.
func ID(name string) string { return id("", name, 11) }

func id(prefix, name string, length int) string {
	sum := sha256.Sum256([]byte(name))
	return prefix + base64.RawURLEncoding.EncodeToString(sum[:])[:length]
}

// answersTo are the answers to a comment.
func (v *Video) answersTo(id string) []Comment {
	return slices.DeleteFunc(slices.Clone(v.Comments), func(c Comment) bool { return c.Parent != id })
}

// find is the first element that fits.
func find[T any](list []T, fits func(*T) bool) *T {
	for i := range list {
		if fits(&list[i]) {
			return &list[i]
		}
	}
	return nil
}
