package webtest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"time"

	"svc/web/webtest/fakes"
)

// outside does what happens on connections of its own: receivers of webhooks, event
// streams. mine is false for other actions. st is what the action must tell.
func (r *runner) outside(name, arg string, st *step) (mine bool, err error) {
	what, rest, _ := strings.Cut(arg, " ")
	switch {
	case name == "receiver" && arg == "":
		r.receiver = &fakes.Receiver{Address: "127.0.0.1:0"}
		if err = r.receiver.Up(); err == nil {
			r.names.hide(r.receiver.Address)
		}
	case name == "receiver" && r.receiver == nil:
		err = fmt.Errorf("there is none yet")
	case name == "receiver" && what == "down":
		r.receiver.Down()
	case name == "receiver" && what == "up":
		err = r.receiver.Up()
	case name == "receiver" && what == "answers":
		err = r.receiver.Answer(rest)
	case name == "receiver" && what == "heard":
		err = r.heard(st)
	case name == "mailed":
		err = r.mailed(st)
	case name == "messenger-log":
		err = r.accepted(st)
	case name == "calendar-log":
		r.until(func() (string, error) {
			text := r.server.nets.Calendar.Ours()
			r.compareText(st, text)
			return text, nil
		})
	case name == "proxy", name == "proxy-close":
		err = r.proxy(name, strings.Fields(arg))
	case name == "stream":
		err = r.openStream(arg)
	case name == "frames":
		err = r.frames(arg, st)
	default:
		return false, nil
	}
	return true, err
}

// hangUp ends the connections of the story's own, however it ended.
func (r *runner) hangUp() {
	r.receiver.Down()
	for _, s := range r.streams {
		s.close()
	}
}

// heard compares what the receiver heard since the story last asked.
func (r *runner) heard(st *step) (err error) {
	var seen int
	r.until(func() (string, error) {
		got := r.receiver.Heard()
		reports := make([]any, len(got))
		for i := range got {
			reports[i] = got[i].Report(r.names.all("whsec"), r.server.Clock.Now())
		}
		seen = len(got)
		var data []byte
		if data, err = json.Marshal(reports); err == nil {
			r.compareJSON(st, data)
		}
		return string(data), err
	})
	r.receiver.Forget(seen)
	return err
}

// frames compares what an event stream sent since the story last asked.
func (r *runner) frames(name string, st *step) error {
	s := r.streams[name]
	if s == nil {
		return fmt.Errorf("there is no stream of that name")
	}
	forget := func() {}
	r.until(func() (text string, err error) {
		text, forget = s.frames()
		r.compareText(st, text)
		return text, nil
	})
	forget()
	return nil
}

// untilRight asks until the answer is as written, or does not change with -update, and
// says whether it is as written: that answer counts, because what comes and goes may be
// another the next time. The last try is left to the caller.
func (r *runner) untilRight(st *step) (right bool) {
	await(func(late bool) (string, bool) {
		if late {
			return "", true
		}
		var names *names
		noted, ok := r.try(func() {
			r.step(st)
			names = r.names
		})
		if ok {
			r.names, right = names, true
		}
		return noted, ok
	})
	return right
}

// until compares until it is as written; the last comparison counts.
func (r *runner) until(compare func() (string, error)) {
	await(func(late bool) (seen string, ok bool) {
		var err error
		if !late {
			if noted, ok := r.try(func() { seen, err = compare() }); !ok && err == nil {
				return seen + noted, false
			}
		}
		_, err = compare()
		return "", err == nil
	})
}

// try does something of which nothing stays: what fails is only noted, and no name is
// given away.
func (r *runner) try(do func()) (noted string, ok bool) {
	names := r.names
	r.names, r.trial, r.noted = names.clone(), true, nil
	do()
	ok = len(r.noted) == 0
	noted = strings.Join(r.noted, "\n")
	r.names, r.trial, r.noted = names, false, nil
	return noted, ok
}

// leave sends a request and goes away when it has become a job.
func (r *runner) leave(st *step, req *http.Request) {
	ctx, cancel := context.WithTimeout(req.Context(), patience)
	ended := make(chan error, 1)
	go func() {
		resp, err := r.server.Client.Do(req.WithContext(ctx))
		if err == nil {
			_ = resp.Body.Close()
			err = fmt.Errorf("it was answered with %d", resp.StatusCode)
		}
		ended <- err
	}()
	tick := time.NewTicker(lookEach)
	defer tick.Stop()
	for waiting := true; waiting; {
		select {
		case err := <-ended:
			r.failed(st, "the client wanted to leave: %v", err)
			cancel()
			return
		case <-tick.C:
			busy, err := r.server.service.busy()
			if err != nil {
				r.failed(st, "%v", err)
			}
			waiting = busy == "" && err == nil
		}
	}
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		r.failed(st, "the client left, and yet: %v", err)
	}
}

// all are the values of a kind of names, in the order of the names.
func (n *names) all(kind string) (out []string) {
	for i := 1; i <= n.next[kind]; i++ {
		out = append(out, n.value[fmt.Sprintf("%s%d", kind, i)])
	}
	return out
}

func (n *names) clone() *names {
	c := *n
	c.of, c.value, c.next = maps.Clone(n.of), maps.Clone(n.value), maps.Clone(n.next)
	return &c
}
