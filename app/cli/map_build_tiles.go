package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"svc/app/cli/terminal"
	"svc/embed/assets"
	"svc/geo/index"
	"svc/geo/mapbuild"
	"svc/geo/tilebuild"
)

// TilesPath is the archive that belongs to an index: NAME.svcmap has
// NAME.pmtiles beside it (map contract 8.7).
func TilesPath(indexPath string) string {
	return strings.TrimSuffix(indexPath, filepath.Ext(indexPath)) + ".pmtiles"
}

// buildTiles makes the tiles beside the index that o just made, and adds what it
// says to the report. The index tells which category and rank a place has, so
// that a click on the map and the search agree.
func buildTiles(cmd *cobra.Command, o mapbuild.Options, report *mapbuild.Report) (err error) {
	out := TilesPath(o.Out)
	x, err := index.Open(o.Out)
	if err != nil {
		return fmt.Errorf("the index is written, its tiles are not: %w", err)
	}
	defer func() { err = errors.Join(err, x.Close()) }()
	start := time.Now()
	tiles, err := tilebuild.Run(cmd.Context(), tilebuild.Options{
		Inputs: o.Inputs, Out: out, Index: x, World: assets.World(), Bounds: o.Bounds, Langs: o.Langs,
		Progress: terminal.NewProgress(cmd.ErrOrStderr(), time.Now), Version: o.Version,
	})
	if err != nil {
		return tilesError(cmd.Context(), o.Out, out, err)
	}
	report.Tiles = tiles
	if err := report.Write(o.Out); err != nil {
		return err
	}
	fmt.Fprintf(cmd.OutOrStdout(), "%s: %d tiles, %s, in %s\n", out, tiles.Tiles, terminal.Bytes(tiles.Bytes), time.Since(start).Round(100*time.Millisecond))
	if !assets.Built() {
		fmt.Fprintf(cmd.OutOrStdout(), "this binary was built without the outline of the world, so the map ends where the extract does; '%s' before the build adds it\n", assets.Command)
	}
	return nil
}

// tilesError says what there is and what there is not.
func tilesError(ctx context.Context, indexPath, out string, err error) error {
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		return fmt.Errorf("the build was interrupted; %s is written, %s is not", indexPath, out)
	}
	return fmt.Errorf("the index %s is written, its tiles are not: %w", indexPath, err)
}
