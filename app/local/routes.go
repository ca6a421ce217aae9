package local

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"

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

// routes are the calls. What a call does goes on when the command that asked for it is stopped:
// it ends with ctx, which is that of the server.
func routes(ctx context.Context, a Admin) http.Handler {
	mux := http.NewServeMux()
	handle(mux, "Backup", func(to target) (none, error) { return none{}, a.Backup(ctx, to.File, to.Force) })
	handle(mux, "CreateAdmin", func(email string) (string, error) { return a.CreateAdmin(ctx, email) })
	handle(mux, "ResetPassword", func(who reset) (string, error) { return a.ResetPassword(ctx, who.Email, who.TwoFactor) })
	handle(mux, "VerifyAudit", func(anchors string) ([]Chain, error) { return a.VerifyAudit(ctx, anchors) })
	handle(mux, "Clocks", func(none) (Clocks, error) { return a.Clocks(ctx) })
	handle(mux, "MissingFiles", func(none) (MissingFiles, error) { return a.MissingFiles(ctx) })
	handle(mux, "AddMapKey", func(n mapkey.NewKey) (NewMapKey, error) { return a.AddMapKey(ctx, n) })
	handle(mux, "MapKeys", func(none) ([]MapKey, error) { return a.MapKeys(ctx) })
	handle(mux, "RevokeMapKey", func(who string) (RevokedMapKey, error) { return a.RevokeMapKey(ctx, who) })
	handle(mux, "EditMapKey", func(in editOf) (EditedMapKey, error) { return a.EditMapKey(ctx, in.Who, in.Changes) })
	return mux
}

// maxCall bounds what a call says, in bytes.
const maxCall = 1 << 20

// handle answers a call with JSON: its result, or with status 500 its error as a text.
func handle[In, Out any](mux *http.ServeMux, name string, do func(In) (Out, error)) {
	mux.HandleFunc("POST /"+name, func(w http.ResponseWriter, r *http.Request) {
		var in In
		if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxCall)).Decode(&in); err != nil {
			http.Error(w, "the call cannot be read: "+err.Error(), http.StatusBadRequest)
			return
		}
		out, err := do(in)
		if err != nil {
			w.WriteHeader(http.StatusInternalServerError)
			_, _ = io.WriteString(w, err.Error()) // a command that left is nobody's error
			return
		}
		_ = json.NewEncoder(w).Encode(out)
	})
}

// refusal is the error of a call that the server answered.
func refusal(answer *http.Response) error {
	text, err := io.ReadAll(io.LimitReader(answer.Body, maxCall))
	return errors.Join(errors.New(string(text)), err)
}
