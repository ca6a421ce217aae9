package local

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"strings"

	"svc/app/mapkey"
)

// none is for calls without arguments or results.
type none struct{}

// target is where a backup goes.
type target struct {
	File  string
	Force bool
}

// reset is whose password is reset.
type reset struct {
	Email     string
	TwoFactor bool
}

// editOf is which stored key shall have what.
type editOf struct {
	Who     string
	Changes mapkey.KeyChanges
}

// callsOf are the calls by their name. What a call does goes on when the command that asked for
// it is stopped: it ends with ctx, which is that of the server.
func callsOf(ctx context.Context, a Admin) map[string]call {
	return map[string]call{
		"Backup":        callOf(func(to target) (none, error) { return none{}, a.Backup(ctx, to.File, to.Force) }),
		"CreateAdmin":   callOf(func(email string) (string, error) { return a.CreateAdmin(ctx, email) }),
		"ResetPassword": callOf(func(who reset) (string, error) { return a.ResetPassword(ctx, who.Email, who.TwoFactor) }),
		"VerifyAudit":   callOf(func(anchors string) ([]Chain, error) { return a.VerifyAudit(ctx, anchors) }),
		"Clocks":        callOf(func(none) (Clocks, error) { return a.Clocks(ctx) }),
		"MissingFiles":  callOf(func(none) (MissingFiles, error) { return a.MissingFiles(ctx) }),
		"AddMapKey":     callOf(func(n mapkey.NewKey) (NewMapKey, error) { return a.AddMapKey(ctx, n) }),
		"MapKeys":       callOf(func(none) ([]MapKey, error) { return a.MapKeys(ctx) }),
		"RevokeMapKey":  callOf(func(who string) (RevokedMapKey, error) { return a.RevokeMapKey(ctx, who) }),
		"EditMapKey":    callOf(func(in editOf) (EditedMapKey, error) { return a.EditMapKey(ctx, in.Who, in.Changes) }),
	}
}

// call reads its argument as JSON and gives its result.
type call func(argument json.RawMessage) (any, error)

func callOf[In, Out any](do func(In) (Out, error)) call {
	return func(argument json.RawMessage) (any, error) {
		var in In
		if err := json.Unmarshal(argument, &in); err != nil {
			return nil, err
		}
		return do(in)
	}
}

// request and response are those of JSON-RPC 1.0, one after the other on a connection, each with
// one argument. net/rpc speaks it too, but keeps every method of every type of a program.
type request struct {
	Method string             `json:"method"`
	Params [1]json.RawMessage `json:"params"`
	ID     uint64             `json:"id"`
}

type response struct {
	ID     uint64          `json:"id"`
	Result json.RawMessage `json:"result"`
	Error  *string         `json:"error"`
}

// prefix stands before the name of a call.
const prefix = "svc."

// maxCall bounds what a connection says, in bytes.
const maxCall = 1 << 20

// answer answers the calls of a connection until it ends.
func answer(conn net.Conn, calls map[string]call) {
	defer func() { _ = conn.Close() }()
	in, out := json.NewDecoder(io.LimitReader(conn, maxCall)), json.NewEncoder(conn)
	for {
		var ask request
		if err := in.Decode(&ask); err != nil {
			return // the command is done
		}
		if err := out.Encode(ask.answer(calls)); err != nil {
			return // the command left
		}
	}
}

func (ask request) answer(calls map[string]call) response {
	refused := func(why string) response { return response{ID: ask.ID, Error: &why} }
	do := calls[strings.TrimPrefix(ask.Method, prefix)]
	if do == nil {
		return refused("the server does not know the command " + ask.Method + ": it is of another version")
	}
	out, err := do(ask.Params[0])
	if err != nil {
		return refused(err.Error())
	}
	result, err := json.Marshal(out)
	if err != nil {
		return refused(err.Error())
	}
	return response{ID: ask.ID, Result: result}
}
