// Package platformtest holds what every platform.Network must do. It runs against the
// simulator in every test, and by hand against accounts of the real networks.
package platformtest

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"svc/messenger/platform"
)

// World is a network with an account that may be spoken for and a person who wrote to it.
type World struct {
	Network  platform.Network
	Redirect string
	// Code answers the consent page, with all scopes.
	Code func() string
	// Says lets the person write to the account.
	Says func(text string)
	// Person is the id of the person, once they wrote.
	Person func() string
	// Comment lets the person comment and answers the id.
	Comment func(text string) string
	// MaxText is the longest text, of one letter of two bytes.
	MaxText int
	// File is an address of a picture, Missing one of nothing.
	File, Missing string
}

// Run runs the suite.
func Run(t *testing.T, w World) {
	t.Helper()
	ctx := context.Background()
	n := w.Network
	code := w.Code()
	grant, err := n.Exchange(ctx, code, w.Redirect, "")
	if err != nil {
		t.Fatal(err)
	}
	if len(grant.Accounts) == 0 || grant.UserID == "" || len(grant.Scopes) == 0 {
		t.Fatalf("grant %+v", grant)
	}
	if _, err := n.Exchange(ctx, code, w.Redirect, ""); platform.As(err) == nil {
		t.Errorf("a code that was used: %v", err)
	}
	g := grant.Accounts[0]
	a := platform.Access{ExternalID: g.ExternalID, Token: g.Token}
	t.Run("account", func(t *testing.T) { account(t, n, a) })
	if err := n.Subscribe(ctx, a); err != nil {
		t.Fatal(err)
	}
	t.Run("messages", func(t *testing.T) { messages(t, &w, a) })
	t.Run("comments", func(t *testing.T) { comments(t, &w, a) })
	t.Run("history", func(t *testing.T) { history(t, &w, a) })
	bad := platform.Access{ExternalID: a.ExternalID, Token: a.Token + "x"}
	fault(t, n.Alive(ctx, bad), platform.TokenInvalid)
	if err := n.Unsubscribe(ctx, a); err != nil {
		t.Error(err)
	}
	if err := n.Revoke(ctx, grant.UserID, g.UserToken); err != nil {
		t.Error(err)
	}
}

func account(t *testing.T, n platform.Network, a platform.Access) {
	ctx := t.Context()
	if err := n.Alive(ctx, a); err != nil {
		t.Fatal(err)
	}
	if err := n.Subscribe(ctx, a); err != nil {
		t.Fatal(err)
	}
	h, err := n.Check(ctx, a)
	if err != nil || !h.Subscribed || h.Name == "" || len(h.Scopes) == 0 {
		t.Errorf("check %+v, %v", h, err)
	}
	if err := n.Unsubscribe(ctx, a); err != nil {
		t.Fatal(err)
	}
	if h, err = n.Check(ctx, a); err != nil || h.Subscribed {
		t.Errorf("after the end of webhooks: %+v, %v", h, err)
	}
	token, _, err := n.Refresh(ctx, a)
	if err != nil || token == "" {
		t.Error(err)
	}
}

func messages(t *testing.T, w *World, a platform.Access) {
	ctx, n := t.Context(), w.Network
	_, err := n.Send(ctx, a, &platform.Part{ID: "p0", To: "99999999", Text: "Salom"})
	fault(t, err, platform.PersonUnknown)
	w.Says("Salom")
	to := w.Person()
	sent, err := n.Send(ctx, a, &platform.Part{ID: "p1", To: to, Text: strings.Repeat("я", w.MaxText)})
	if err != nil || sent.ID == "" {
		t.Fatalf("sent %+v, %v", sent, err)
	}
	_, err = n.Send(ctx, a, &platform.Part{ID: "p2", To: to, Text: strings.Repeat("я", w.MaxText+1)})
	if e := platform.As(err); e == nil || e.Fault != platform.Refused || e.Code != 100 {
		t.Errorf("a text that is too long: %v", err)
	}
	_, err = n.Send(ctx, a, &platform.Part{ID: "p3", To: to})
	fault(t, err, platform.TextRejected)
	if _, err = n.Send(ctx, a, &platform.Part{ID: "p4", To: to, File: &platform.File{Kind: "image", URL: w.File}}); err != nil {
		t.Error(err)
	}
	_, err = n.Send(ctx, a, &platform.Part{ID: "p5", To: to, File: &platform.File{Kind: "image", URL: w.Missing}})
	fault(t, err, platform.FileRejected)
	for _, f := range []func(context.Context, platform.Access, string) error{n.MarkSeen, n.Typing, n.TakeThread} {
		if err := f(ctx, a, to); err != nil {
			t.Error(err)
		}
	}
	p, err := n.Profile(ctx, a, to)
	if err != nil || p.Name == "" && p.FirstName == "" {
		t.Errorf("profile %+v, %v", p, err)
	}
	var b bytes.Buffer
	if size, err := n.Download(ctx, w.File, &b, 0, 1<<20); err != nil || size == 0 {
		t.Errorf("download of %d bytes: %v", size, err)
	}
	_, err = n.Download(ctx, w.Missing, &b, 0, 1<<20)
	fault(t, err, platform.Gone)
}

func comments(t *testing.T, w *World, a platform.Access) {
	ctx, n := t.Context(), w.Network
	id := w.Comment("narx")
	if sent, err := n.PrivateReply(ctx, a, id, "Narxi 100"); err != nil || sent.ID == "" {
		t.Fatalf("private reply %+v, %v", sent, err)
	}
	_, err := n.PrivateReply(ctx, a, id, "Narxi 100")
	fault(t, err, platform.NotAnswerable)
	if _, err := n.PublicReply(ctx, a, id, "Yozdik"); err != nil {
		t.Error(err)
	}
	_, err = n.PublicReply(ctx, a, "c_missing", "Yozdik")
	fault(t, err, platform.Gone)
}

func history(t *testing.T, w *World, a platform.Access) {
	ctx, n := t.Context(), w.Network
	page, err := n.Threads(ctx, a, "")
	if err != nil || len(page.Data) == 0 {
		t.Fatalf("threads %+v, %v", page, err)
	}
	th, err := n.ThreadWith(ctx, a, w.Person())
	if err != nil {
		t.Fatal(err)
	}
	list, err := n.Messages(ctx, a, th.ID, 20)
	if err != nil || len(list) < 2 {
		t.Fatalf("messages %+v, %v", list, err)
	}
	if first := list[len(list)-1]; first.Echo || first.Text != "Salom" || first.At.IsZero() {
		t.Errorf("the first message is %+v", first)
	}
	_, err = n.ThreadWith(ctx, a, "123")
	fault(t, err, platform.Gone)
}

func fault(t *testing.T, err error, want platform.Fault) {
	t.Helper()
	if e := platform.As(err); e == nil || e.Fault != want {
		t.Errorf("%v, want fault %d", err, want)
	}
}
