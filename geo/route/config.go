package route

import (
	"bytes"
	_ "embed" // the configuration
	"encoding/json"
	"fmt"
	"path/filepath"
)

// engineConfig is a complete configuration of Valhalla 3.8 and later: its own
// defaults, and where this service needs it (map contract 13)
//
//   - service_limits: six contours, three alternates, fifty points by car, taxi
//     and truck, and distances that a country has by motorcycle and in a matrix;
//   - loki.use_connectivity false: with it one pair without a path refuses the
//     whole matrix, where map contract 38 wants a null cell;
//   - httpd: the loopback address, because the engine has no keys, and an end
//     for what nobody waits for any more;
//   - loki.actions: what is asked of it and nothing else.
//
//go:embed valhalla.json
var engineConfig []byte

// DefaultListen is where the printed configuration makes the engine listen.
const DefaultListen = "127.0.0.1:8002"

// EngineConfig is a ready configuration for Valhalla as indented JSON. tiles is
// the folder of its routing tiles, which also is where it looks for an extract
// and the databases that it can be built with; listen is "host:port".
func EngineConfig(tiles, listen string) ([]byte, error) {
	var c map[string]any
	d := json.NewDecoder(bytes.NewReader(engineConfig))
	d.UseNumber() // 1000000000 must not become 1e+09
	if err := d.Decode(&c); err != nil {
		return nil, fmt.Errorf("the configuration inside the program: %w", err)
	}
	part := func(name string) map[string]any { m, _ := c[name].(map[string]any); return m }
	mjolnir := part("mjolnir")
	mjolnir["tile_dir"] = tiles
	for name, file := range map[string]string{
		"tile_extract": "tiles.tar", "traffic_extract": "traffic.tar",
		"admin": "admins.sqlite", "timezone": "timezones.sqlite", "landmarks": "landmarks.sqlite",
		"transit_dir": "transit", "transit_feeds_dir": "transit_feeds",
	} {
		mjolnir[name] = filepath.Join(tiles, file)
	}
	service, _ := part("httpd")["service"].(map[string]any)
	service["listen"] = "tcp://" + listen
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(c); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
