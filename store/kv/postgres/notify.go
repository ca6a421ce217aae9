package postgres

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"svc/store/kv"
)

// channel is where nodes tell each other what updates published.
const channel = "svc_kv"

const (
	// maxPayload is what the server passes on in one notification, with room to spare.
	maxPayload = 7800
	// maxPayloads is how many notifications one commit makes; more become one that says
	// that messages were lost.
	maxPayloads = 64
	// silence is how long nothing may come before the connection is tried.
	silence = 15 * time.Second
	// poll is how often everything may have changed, with a server that passes no
	// notifications on.
	poll = time.Second
)

// payloads are messages as notifications: the name of the node, a space, and a list of
// topic and payload by turns. A list of nothing says that messages were lost.
func payloads(node string, messages []kv.Message) (out []string) {
	var list []string
	size := 0
	flush := func() {
		b, _ := json.Marshal(list) // texts only
		out, list, size = append(out, node+" "+string(b)), nil, 0
	}
	for _, m := range messages {
		if m.Lost {
			return []string{node + " []"}
		}
		b, _ := json.Marshal([]string{m.Topic, m.Payload})
		if size+len(b) > maxPayload-len(node) {
			flush()
		}
		list, size = append(list, m.Topic, m.Payload), size+len(b)
	}
	if len(list) > 0 {
		flush()
	}
	if len(out) > maxPayloads {
		return []string{node + " []"}
	}
	return out
}

// readPayload is the inverse; what it cannot read counts as lost.
func readPayload(payload string) (node string, messages []kv.Message) {
	node, rest, _ := strings.Cut(payload, " ")
	var list []string
	if err := json.Unmarshal([]byte(rest), &list); err != nil || len(list) == 0 || len(list)%2 != 0 {
		return node, []kv.Message{{Lost: true}}
	}
	for i := 0; i < len(list); i += 2 {
		messages = append(messages, kv.Message{Topic: list[i], Payload: list[i+1]})
	}
	return node, messages
}

// listen hears other nodes from now on until the engine ends.
func (e *Engine) listen(ctx context.Context, address string) error {
	conn, err := listener(ctx, address)
	var said *pgconn.PgError
	if errors.As(err, &said) && (said.Code == "0A000" || said.Code == "42601") { // no LISTEN
		e.background.Go(e.guess)
		return nil
	}
	if err != nil {
		return explain(err)
	}
	e.background.Go(func() {
		for {
			e.hear(conn)
			closeNow(conn)
			for conn = nil; conn == nil; {
				if !pause(e.life, longWait) {
					return
				}
				conn, _ = listener(e.life, address)
			}
			e.deliver([]kv.Message{{Lost: true}}) // what was said meanwhile
		}
	})
	return nil
}

func listener(ctx context.Context, address string) (*pgx.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, silence)
	defer cancel()
	conn, err := pgx.Connect(ctx, address)
	if err != nil {
		return nil, err
	}
	if _, err := conn.Exec(ctx, "listen "+channel); err != nil {
		closeNow(conn)
		return nil, err
	}
	return conn, nil
}

func closeNow(conn *pgx.Conn) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_ = conn.Close(ctx)
}

// hear passes on what other nodes tell until the connection breaks.
func (e *Engine) hear(conn *pgx.Conn) {
	for e.life.Err() == nil {
		ctx, cancel := context.WithTimeout(e.life, silence)
		n, err := conn.WaitForNotification(ctx)
		quiet := ctx.Err() != nil
		cancel()
		switch {
		case err == nil:
			if node, messages := readPayload(n.Payload); node != e.name {
				e.deliver(messages)
			}
		case !quiet || !e.alive(conn):
			return
		}
	}
}

// alive tries a connection that was silent.
func (e *Engine) alive(conn *pgx.Conn) bool {
	ctx, cancel := context.WithTimeout(e.life, silence)
	defer cancel()
	return !conn.IsClosed() && conn.Ping(ctx) == nil
}

// guess tells of changes that nobody announced.
func (e *Engine) guess() {
	for pause(e.life, poll) {
		e.deliver([]kv.Message{{Lost: true}})
	}
}
