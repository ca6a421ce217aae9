// Package webtest runs stories: plain-text files of requests and the answers
// they must get, each against a fresh real server (listener, gate, key file,
// usage file, a map that was built for it).
//
// It promises that a story reads like a conversation, that entry ids, times and
// durations are written in a stable form, and that a wrong answer names the file,
// the line and the place in the JSON. It refuses to guess: the order of JSON
// members counts, a number that is not elided must be equal, and what an answer
// must always obey (X-Request-Id, CORS, HTML characters not escaped, no key in
// the log) is checked at every step without being written.
//
// A story:
//
//	# Comments start with a hash.
//	@keys [{"key":"k1","name":"acme"}]     directives of the server come first
//	@require-key
//
//	> GET /api/place/{n101}?lang=ru        a request: text is escaped as needed,
//	> X-API-Key: k1                        {n101} is the id of node 101's entry
//	| id name details.phone                optional: the members that are compared;
//	                                       !PASS leaves items with that word out
//	< 200
//	< Cache-Control: …                     "…" is any value, "-Name" an absent header
//	{"id": "#n101", "name": "Бахор"}       "…" elides a value, items or members
//
//	! advance 1h                           actions stand between requests
//
// In answers of the messaging service ids, keys and tokens are named: the first
// recipient of a story is "#rcp1", and a request or an action writes {rcp1}.
// {code totp1} is the code that an authenticator app with the secret #totp1 shows
// now, {code totp1 -30s} the one that it showed half a minute ago. {link fil1} is the signed
// address of a file of the inbox. {passkey make token2
// token1} is what the authenticator of the story answers to the challenge #token2, making
// a passkey of the person #token1; {passkey use token3} uses it, {passkey touch token3}
// without verifying the person, {passkey back token3} with a counter that went back.
//
//	! as olga                              from here on the cookies are Olga's
//	> GET /api/v1/recipients/{rcp1}
//
// Directives: @map town|delaware|none, @clock RFC3339, @keys JSON, @require-key,
// @usage, @key-rate N, @photos, @routing BEHAVIOUR, @public-url URL, @messaging,
// @hours (new campaigns have their organization's default sending hours, which they have
// not without it), @messenger-patience DURATION (for its answers, 20 s without), @faults (with operations
// that fail on purpose), @hurry OPERATION DURATION (how long that one may take).
// Actions: advance DURATION, flush, restart, keys JSON, photos-down, engine
// BEHAVIOUR (of FakeEngine), as NAME, settle (until no job is due), setting JSON (of
// the platform), admin EMAIL (makes that person an administrator of the platform),
// again N (the request above N times more, with the same answer in its status), and
// what administrators do: suspend ORG REASON, reactivate ORG, limits ORG JSON,
// disable USER REASON, enable USER, support USER SESSION ORG REASON (for an hour).
// probes lets half an hour pass and again half an hour, until a webhook that fails is given
// up. database-held lets every change wait until database-free.
//
// A body that is typed multipart/form-data is written as lines "name: value", "file"
// naming the file, and behind an empty line what the file holds; makeContents says
// what stands for what nobody wants to read. A page is shown as its words, bytes as
// their number and hash; an answer of several lines is indented. "< left" is a client
// that goes away when its request has become a job.
//
// Some actions tell something, which is written below them as an answer is, and
// waited for: receiver heard, frames NAME, mailed (with @mail and @public-url: the
// mails that were sent since the story last asked). "eventually" stands before a request that
// is asked until it is answered as written. receiver makes a server for webhooks,
// ownerOf address is {host1}; receiver answers PATH STATUS [BODY or HEADER], receiver
// down, receiver up. stream NAME [?QUERY or HEADER] follows the events. beside lists
// what slices do that have no operation yet. messenger LINE sets a scene of the
// simulator that stands for the messenger (package world, Script), messenger-down and
// messenger-up cut and mend the way to it; messenger-log tells what its own log says that
// it accepted since the story last asked. proxy NAME KIND MANNER [USER PASSWORD or SECRET] starts
// a real proxy server on 127.0.0.1, whose port is {port1}; proxy-close NAME ends it.
package webtest

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	inboxfile "svc/app/inbox/file"
	"svc/messenger/messengertest"
	"svc/web/webtest/town"
)

var update = flag.Bool("update", false, "rewrite the answers of stories that differ")

// Stories runs every file that matches the pattern, side by side, and answers
// what they visited.
func Stories(t *testing.T, patterns ...string) *Visits {
	t.Helper()
	return StoriesOn(t, Nodes{}, patterns...)
}

// Nodes are the processes that a story is told to.
type Nodes struct {
	Count    int  // see Options.Nodes
	Postgres bool // see Options.Postgres
}

// StoriesOn is Stories with several processes of the messaging service over one database.
func StoriesOn(t *testing.T, nodes Nodes, patterns ...string) *Visits {
	t.Helper()
	var files []string
	for _, pattern := range patterns {
		some, err := filepath.Glob(pattern)
		if err != nil || len(some) == 0 {
			t.Fatalf("no story matches %s (%v)", pattern, err)
		}
		files = append(files, some...)
	}
	visits, maps := newVisits(), town.NewMaps(t)
	t.Run("stories", func(t *testing.T) {
		for _, file := range files {
			t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
				t.Parallel()
				tell(t, file, nodes, maps, visits)
			})
		}
	})
	return visits
}

// tell runs one file, and with -update writes it again.
func tell(t *testing.T, file string, nodes Nodes, maps *town.Maps, visits *Visits) {
	source, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	s, err := parseStory(string(source))
	if err != nil {
		t.Fatalf("%s:%v", file, err)
	}
	o, err := s.options()
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	o.Map, o.Nodes, o.Postgres = maps.Path(t, o.Map), nodes.Count, nodes.Postgres
	server := Start(t, o)
	r := &runner{t: t, file: file, server: server, visits: visits, keys: o.Keys, names: newNames(server.Clock.Now), streams: map[string]*stream{}, proxies: map[string]*messengertest.Proxy{}}
	r.names.origin = server.origin
	r.names.link = func(id string) (string, error) { return inboxfile.Link(server.service.app.DB, id) }
	t.Cleanup(r.hangUp)
	t.Cleanup(r.inside)
	for i := range s.parts {
		r.part(&s.parts[i])
	}
	r.finish()
	if *update {
		if text := s.String(); text != string(source) {
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
}
