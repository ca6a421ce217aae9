package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"time"

	"github.com/pocketbase/pocketbase/apis"
	"github.com/pocketbase/pocketbase/core"
	_ "github.com/pocketbase/pocketbase/migrations" // its own tables
	"github.com/pocketbase/pocketbase/tools/types"
)

// peerArg makes this program the peer: peer ADDRESS FOLDER.
const peerArg = "peer"

const (
	peerEmail    = "olga@example.uz"
	peerPassword = "correct horse battery"
)

// servePeer serves PocketBase with a collection of recipients, until it is killed.
func servePeer(address, dir string) error {
	app := core.NewBaseApp(core.BaseAppConfig{DataDir: dir})
	if err := app.Bootstrap(); err != nil {
		return err
	}
	if err := app.RunAllMigrations(); err != nil {
		return err
	}
	if err := makeCollection(app); err != nil {
		return err
	}
	return apis.Serve(app, apis.ServeConfig{HttpAddr: address})
}

// makeCollection makes recipients as the service has them: unique by organization and
// name, listed by time, found by basis, language and tag, for whoever is signed in.
func makeCollection(app core.App) error {
	users, err := app.FindCollectionByNameOrId("users")
	if err != nil {
		return err
	}
	someone := core.NewRecord(users)
	someone.SetEmail(peerEmail)
	someone.SetPassword(peerPassword)
	if err := app.Save(someone); err != nil {
		return err
	}
	c := core.NewBaseCollection("recipients")
	c.ListRule, c.ViewRule, c.CreateRule = types.Pointer(`@request.auth.id != ""`), types.Pointer(`@request.auth.id != ""`), types.Pointer(`@request.auth.id != ""`)
	for _, name := range []string{"organization", "username", "first_name", "last_name", "language", "consent_status", "source"} {
		c.Fields.Add(&core.TextField{Name: name})
	}
	c.Fields.Add(&core.NumberField{Name: "messenger_id"}, &core.JSONField{Name: "attributes"}, &core.JSONField{Name: "tags"},
		&core.DateField{Name: "consent_timestamp"}, &core.AutodateField{Name: "created", OnCreate: true}, &core.AutodateField{Name: "updated", OnCreate: true, OnUpdate: true})
	c.AddIndex("by_username", true, "organization, username", "username != ''")
	c.AddIndex("by_messenger", true, "organization, messenger_id", "messenger_id != 0")
	c.AddIndex("by_created", false, "organization, created", "")
	c.AddIndex("by_consent", false, "organization, consent_status", "")
	c.AddIndex("by_language", false, "organization, language", "")
	return app.Save(c)
}

// peer is PocketBase in a process of its own.
type peer struct {
	*target
	cmd *exec.Cmd
}

func (p *peer) stop() { stop(p.cmd) }

func startPeer(ctx context.Context, dir string) (*peer, error) {
	address, err := freeAddress()
	if err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	p := &peer{cmd: exec.CommandContext(ctx, self, peerArg, address, dir)}
	p.cmd.Stderr = os.Stderr
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	base := "http://" + address + "/api"
	if err := answers(ctx, base+"/health"); err != nil {
		p.stop()
		return nil, err
	}
	login, err := json.Marshal(map[string]any{"identity": peerEmail, "password": peerPassword})
	if err != nil {
		return nil, err
	}
	data, err := do(ctx, http.DefaultClient, http.MethodPost, base+"/collections/users/auth-with-password", bytes.NewReader(login), "application/json", "", "")
	if err != nil {
		p.stop()
		return nil, err
	}
	var session struct{ Token string }
	if err := json.Unmarshal(data, &session); err != nil {
		return nil, err
	}
	p.target = &target{
		base: base, creates: "/collections/recipients/records", list: "/collections/recipients/records?perPage=50&sort=-created",
		header: "Authorization", tokens: []string{session.Token}, body: func(n int) map[string]any {
			out := recipient(n)
			out["organization"], out["source"], out["consent_timestamp"] = "org_01arz3ndektsv4rrffq69g5fav", "API", time.Now().UTC().Format("2006-01-02 15:04:05.000Z")
			return out
		},
	}
	return p, nil
}

// recipient is the body of one creation.
func recipient(n int) map[string]any {
	return map[string]any{
		"username": fmt.Sprintf("olga_%d", n), "messenger_id": 900_000_000 + n, "first_name": "Дилшод", "last_name": fmt.Sprintf("Surname%d", n%5000),
		"language": []string{"uz", "ru", "en"}[n%3], "consent_status": "OPTED_IN", "tags": []string{fmt.Sprintf("tag%d", n%40)},
		"attributes": map[string]any{"city": "Tashkent"},
	}
}
