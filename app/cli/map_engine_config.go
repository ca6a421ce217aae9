package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"svc/geo/route"
)

func newMapEngineConfigCommand() *cobra.Command {
	tiles, listen, out := "valhalla_tiles", route.DefaultListen, ""
	cmd := &cobra.Command{
		Use:   "engine-config",
		Short: "Print a ready configuration for the routing engine",
		Long: `Print a complete configuration for Valhalla 3.8 or later, the routing engine
that runs beside the server: its own defaults, the limits raised that legal
requests need, listening on the loopback address only. Build its routing tiles
and start it with the same file, then name it to the server with --routing-url;
'svc doctor' checks a running engine.`,
		Example: `  svc map engine-config --tiles /var/lib/valhalla --out valhalla.json
  valhalla_build_tiles -c valhalla.json uzbekistan.osm.pbf
  valhalla_service valhalla.json
  svc serve --map uzbekistan.svcmap --routing-url http://127.0.0.1:8002`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := checkAddress(listen); err != nil {
				return usageErrorf(cmd, "--listen: %w", err)
			}
			if err := checkPresent(tiles); err != nil {
				return usageErrorf(cmd, "--tiles: %w", err)
			}
			// The engine may be started somewhere else.
			folder, err := filepath.Abs(tiles)
			if err != nil {
				return fmt.Errorf("--tiles: %w", err)
			}
			config, err := route.EngineConfig(folder, listen)
			if err != nil {
				return err
			}
			if out == "" {
				_, err = cmd.OutOrStdout().Write(config)
				return err
			}
			return writeNew(out, config)
		},
	}
	f := cmd.Flags()
	f.StringVar(&tiles, "tiles", tiles, "folder of the engine's routing tiles")
	f.StringVar(&listen, "listen", listen, "where the engine listens, host:port; it has no keys, so keep it on the loopback address")
	f.StringVar(&out, "out", "", "write to this file, which must not exist, instead of standard output")
	_ = cmd.MarkFlagDirname("tiles")
	_ = cmd.MarkFlagFilename("out", "json")
	return cmd
}

// writeNew writes a file that must not exist: it may hold what somebody changed.
func writeNew(path string, data []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s exists; remove it first, or name another file with --out", path)
	}
	if err != nil {
		return err
	}
	if _, err := f.Write(data); err != nil {
		return errors.Join(err, f.Close(), os.Remove(path))
	}
	return f.Close()
}
