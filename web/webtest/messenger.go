package webtest

import (
	"cmp"
	"encoding/json"
	"log/slog"
	"strconv"
	"time"

	"svc/messenger"
	"svc/messenger/simulator"
	"svc/messenger/simulator/simtest"
	"svc/messenger/telegram"
	"svc/web/webtest/fakes"
)

// messenger is the production driver over a simulator of the story's own, which lives
// on when the server restarts. Its world is the demonstration's; the action messenger
// LINE sets a scene (world.Script), messenger-down and messenger-up cut the way to it.
func (s *Server) messenger(logger *slog.Logger) messenger.Driver {
	s.tb.Helper()
	if s.sim == nil {
		line, err := fakes.NewTelephone()
		if err != nil {
			s.tb.Fatal(err)
		}
		s.tb.Cleanup(line.Close)
		sim := simtest.Start(s.tb, simulator.Options{Demo: true, Second: true, Clock: s.Clock.Now, Advertise: line.Addr().String()})
		line.Connect(sim.Addr().String())
		s.sim, s.line = sim, line
	}
	o := simtest.Options(s.sim)
	if err := s.line.Option(&o.DCs.Options[0]); err != nil {
		s.tb.Fatal(err)
	}
	o.People, o.NewSession = s.sim, s.sim.NewSession
	o.SaveDelay = time.Millisecond // whoever settles waits for what arrives
	o.ConnectTimeout = cmp.Or(s.o.Patience, answersWithin)
	o.CallTimeout, o.Clock, o.Log = o.ConnectTimeout, s.Clock.Now, logger
	return listening{Driver: telegram.New(o), of: &s.arrivals, world: s.sim.World()}
}

// answersWithin is how long the messenger may take: a story does not wait for long.
const answersWithin = 20 * time.Second

// accepted is a message as the simulator's own log tells it to a story.
type accepted struct {
	Account string  `json:"account"`
	To      string  `json:"to"`
	Text    string  `json:"text"`
	Photo   *string `json:"photo,omitempty"` // SHA-256 of its content
	File    *string `json:"file,omitempty"`  // of one that is no picture
	Album   int     `json:"album,omitempty"` // which of those that this list shows
}

// accepted compares what the simulator accepted since the story last asked. The log is
// the simulator's, not the service's: what stands in it went over the wire.
func (r *runner) accepted(st *step) (err error) {
	var seen int
	r.until(func() (string, error) {
		all, err := r.server.sim.World().Log()
		if err != nil {
			return "", err
		}
		seen = len(all)
		rows, albums := []accepted{}, map[int64]int{0: 0}
		for _, m := range all[r.read:] {
			if _, known := albums[m.Group]; !known {
				albums[m.Group] = len(albums)
			}
			row := accepted{Account: m.Account, To: strconv.FormatInt(m.Peer, 10), Text: m.Text, Album: albums[m.Group]}
			if p := r.server.person(m.Account, m.Peer); p != "" {
				row.To = "@" + p
			}
			switch {
			case m.Photo:
				row.Photo = &m.File
			case m.File != "":
				row.File = &m.File
			}
			rows = append(rows, row)
		}
		data, err := json.Marshal(rows)
		if err == nil {
			r.compareJSON(st, data)
		}
		return string(data), err
	})
	r.read = seen
	return err
}

// person is the username of somebody to whom an account wrote, "" for none.
func (s *Server) person(account string, id int64) string {
	w := s.sim.World()
	of, err := w.AccountID(account)
	if err != nil {
		return ""
	}
	for _, p := range w.People(of, id) {
		return p.Username
	}
	return ""
}
