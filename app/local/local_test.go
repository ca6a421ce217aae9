package local_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"svc/app/local"
	"svc/app/mapkey"
)

// echo answers with what it was asked.
type echo struct{}

func (echo) Backup(_ context.Context, file string, force bool) error {
	if file == "" || force != (file == "forced") {
		return errors.New("name a file")
	}
	return nil
}

func (echo) CreateAdmin(_ context.Context, email string) (string, error) {
	return "create " + email, nil
}

func (echo) ResetPassword(_ context.Context, email string, twoFactor bool) (string, error) {
	return fmt.Sprint("reset ", email, " ", twoFactor), nil
}

func (echo) VerifyAudit(_ context.Context, anchors string) ([]local.Chain, error) {
	return []local.Chain{{OwnerOrgID: "org_1", Entries: int64(len(anchors))}, {Broken: "here"}}, nil
}

func (echo) AddMapKey(_ context.Context, n mapkey.NewKey) (local.NewMapKey, error) {
	return local.NewMapKey{MapKey: local.MapKey{Name: n.Name, Origins: n.Origins, RateLimit: n.RateLimit}, Key: "whole", SameName: 2}, nil
}

func (echo) MapKeys(context.Context) ([]local.MapKey, error) {
	return []local.MapKey{{ID: "mky_1", KeyStart: "3fa94c1b…"}}, nil
}

func (echo) RevokeMapKey(_ context.Context, who string) (local.RevokedMapKey, error) {
	return local.RevokedMapKey{MapKey: local.MapKey{Name: who}, Already: true}, nil
}

func (echo) EditMapKey(_ context.Context, who string, c mapkey.KeyChanges) (local.EditedMapKey, error) {
	k := c.Apply(mapkey.Key{Name: who, RateLimit: 5, Origins: []string{"https://a.example"}})
	return local.EditedMapKey{MapKey: local.MapKey{Name: k.Name, RateLimit: k.RateLimit, MonthlyQuota: k.MonthlyQuota, Origins: k.Origins}, SameName: 3}, nil
}

func (echo) Clocks(context.Context) (local.Clocks, error) {
	return local.Clocks{Ahead: 7, Known: true}, nil
}

func (echo) MissingFiles(context.Context) (local.MissingFiles, error) {
	return local.MissingFiles{Records: 3, Files: 1, First: []string{"fil_1"}}, nil
}

func TestAskingARunningServer(t *testing.T) {
	dir := t.TempDir()
	if _, err := local.Dial(t.Context(), dir); !errors.Is(err, local.ErrNotRunning) {
		t.Fatalf("without a server: %v", err)
	}
	// A server that was killed leaves its socket.
	if err := os.WriteFile(filepath.Join(dir, "svc.sock"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- local.Serve(ctx, dir, echo{}) }()
	c := dial(t, dir)
	if link, err := c.CreateAdmin(ctx, "a@b.uz"); err != nil || link != "create a@b.uz" {
		t.Errorf("%q, %v", link, err)
	}
	if link, err := c.ResetPassword(ctx, "a@b.uz", true); err != nil || link != "reset a@b.uz true" {
		t.Errorf("%q, %v", link, err)
	}
	if err := c.Backup(ctx, "forced", true); err != nil {
		t.Error(err)
	}
	if err := c.Backup(ctx, "x", false); err != nil {
		t.Error(err)
	}
	if err := c.Backup(ctx, "", false); err == nil || err.Error() != "name a file" {
		t.Errorf("%v", err)
	}
	if m, err := c.MissingFiles(ctx); err != nil || m.String() != "files of conversations: 3, missing: 1: fil_1" {
		t.Errorf("%s, %v", m, err)
	}
	if chains, err := c.VerifyAudit(ctx, "seven77"); err != nil || len(chains) != 2 || chains[0].Entries != 7 || chains[1].Broken != "here" {
		t.Errorf("%v, %v", chains, err)
	}
	if clocks, err := c.Clocks(ctx); err != nil || clocks.Ahead != 7 || !clocks.Known {
		t.Errorf("%v, %v", clocks, err)
	}
	made, err := c.AddMapKey(ctx, mapkey.NewKey{Name: "site", Origins: []string{"https://a.example"}, RateLimit: 7})
	if err != nil || made.Name != "site" || made.Key != "whole" || made.SameName != 2 || made.RateLimit != 7 || len(made.Origins) != 1 {
		t.Errorf("%+v, %v", made, err)
	}
	if keys, err := c.MapKeys(ctx); err != nil || len(keys) != 1 || keys[0].ID != "mky_1" || keys[0].KeyStart != "3fa94c1b…" {
		t.Errorf("%+v, %v", keys, err)
	}
	if gone, err := c.RevokeMapKey(ctx, "site"); err != nil || gone.Name != "site" || !gone.Already {
		t.Errorf("%+v, %v", gone, err)
	}
	quota, none := int64(9), []string{} // what is not named stays, and no origins is not the same as not named
	edited, err := c.EditMapKey(ctx, "site", mapkey.KeyChanges{MonthlyQuota: &quota, Origins: &none})
	if err != nil || edited.Name != "site" || edited.RateLimit != 5 || edited.MonthlyQuota != 9 || len(edited.Origins) != 0 || edited.SameName != 3 {
		t.Errorf("%+v, %v", edited, err)
	}
	if info, err := os.Stat(filepath.Join(dir, "svc.sock")); err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("others may open it: %v, %v", info, err)
	}
	_ = c.Close()
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if _, err := local.Dial(t.Context(), dir); !errors.Is(err, local.ErrNotRunning) {
		t.Errorf("after the server: %v", err)
	}
}

// dial waits for the server to listen.
func dial(t *testing.T, dir string) *local.Client {
	t.Helper()
	for {
		c, err := local.Dial(t.Context(), dir)
		if err == nil {
			return c
		}
		if t.Context().Err() != nil {
			t.Fatal(err)
		}
	}
}

func TestAPathThatNoSocketCanHave(t *testing.T) {
	if err := local.Serve(t.Context(), strings.Repeat("x", 200), echo{}); err == nil || !strings.Contains(err.Error(), "too long") {
		t.Errorf("%v", err)
	}
}
