package wiring

import (
	"bufio"
	"context"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"svc/app/cli"
)

func scenes(t *testing.T, text string) cli.Simulator {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "scenes.txt")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return cli.Simulator{Data: dir, Platforms: "127.0.0.1:0", Script: file}
}

func TestNetworksPlayTheScenesOfTheirScript(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	out, printed := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		err := simulatePlatforms(ctx, scenes(t, "account photo @scripted followers 3\n"), slog.New(slog.DiscardHandler), printed)
		_ = printed.CloseWithError(io.EOF)
		ended <- err
	}()
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err, <-ended)
	}
	address := line[strings.LastIndex(line, " ")+1:]
	resp, err := http.Get("http://" + strings.TrimSpace(address) + "/_sim/state")
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	if err != nil || !strings.Contains(string(body), `"scripted"`) {
		t.Errorf("%v: the account of the script is not in %s", err, body)
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func TestNetworksRefuseAScriptThatIsNone(t *testing.T) {
	for _, c := range []cli.Simulator{scenes(t, "nobody does this\n"), {Data: t.TempDir(), Platforms: "127.0.0.1:0", Script: "missing.txt"}} {
		if err := simulatePlatforms(t.Context(), c, slog.New(slog.DiscardHandler), io.Discard); err == nil {
			t.Errorf("%+v runs", c)
		}
	}
}
