package mapfile

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"svc/app/cli/files"
	"svc/app/cli/terminal"
	"svc/app/cli/usage"
	"svc/app/mapshare"
	"svc/geo/index"
	"svc/geo/tileset"
)

// SourceVariable is the environment variable of the setting --map-source.
const SourceVariable = "SVC_MAP_SOURCE"

// Publish is the command svc map publish. tilesBeside is where the tiles of an index are.
func Publish(rules usage.Rules, tilesBeside func(indexPath string) string) *cobra.Command {
	var to string
	var p published
	cmd := &cobra.Command{
		Use:   "publish --to PLACE --map FILE.svcmap",
		Short: "Give a map to several servers",
		Long: `Check the files of a map, send them to PLACE, and name them as the current ones there.
PLACE is a bucket, or a folder that all servers mount; servers with --map-source PLACE
fetch them within a minute. Files that PLACE has already are not sent again, and what is
not named here stays as it was published before. The tiles beside the index are published
with it.

The secret in an address is seen by other users of this machine while the command
runs: leave --to out and give it in ` + SourceVariable + `.`,
		Example: `  SVC_MAP_SOURCE=s3://KEY:SECRET@s3.example.uz/maps svc map publish --map uzbekistan.svcmap
  svc map publish --to /mnt/maps --map uzbekistan.svcmap --terrain terrain.pmtiles`,
		Args: rules.None,
		RunE: func(cmd *cobra.Command, _ []string) error {
			to = cmp.Or(to, os.Getenv(SourceVariable))
			if to == "" {
				return rules.Usage(cmd, "name the place with --to, or in %s", SourceVariable)
			}
			if p == (published{}) {
				return rules.Usage(cmd, "name what to publish with --map, --tiles or --terrain")
			}
			return p.publish(cmd, to, tilesBeside)
		},
	}
	cmd.Flags().StringVar(&to, "to", "", "bucket or folder to publish in; empty: "+SourceVariable)
	cmd.Flags().StringVar(&p.index, "map", "", "index file made by 'svc map build'")
	cmd.Flags().StringVar(&p.tiles, "tiles", "", "tile archive; empty: the .pmtiles beside the index file, when there is one")
	cmd.Flags().StringVar(&p.terrain, "terrain", "", "archive of elevation tiles (Terrarium)")
	return cmd
}

// published are the files to publish; "" for those that stay as they are.
type published struct{ index, tiles, terrain string }

func (p published) publish(cmd *cobra.Command, to string, tilesBeside func(string) string) error {
	root, err := files.Open(to)
	if err != nil {
		return fmt.Errorf("the place %w", err)
	}
	if p.index != "" && p.tiles == "" {
		if beside := tilesBeside(p.index); exists(beside) {
			p.tiles = beside
		}
	}
	if err := p.check(); err != nil {
		return err
	}
	if err := root.Check(cmd.Context()); err != nil {
		return err
	}
	out := cmd.OutOrStdout()
	paths := map[mapshare.Kind]string{mapshare.Index: p.index, mapshare.Tiles: p.tiles, mapshare.Terrain: p.terrain}
	_, err = mapshare.Publish(cmd.Context(), root, paths, func(kind mapshare.Kind, f mapshare.File, sent bool) {
		how := "sent"
		if !sent {
			how = "was there"
		}
		fmt.Fprintf(out, "%s: %s, %s\n", paths[kind], terminal.Bytes(f.Size), how)
	})
	if err != nil {
		return fmt.Errorf("nothing new is published: %w", err)
	}
	_, err = fmt.Fprintf(out, "published in %s; servers fetch it within a minute\n", root)
	return err
}

// check reads every file whole: what is damaged must not reach a server.
func (p published) check() error {
	if p.index != "" {
		if _, err := index.Inspect(p.index); errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("there is no file %s; 'svc map build' makes index files", p.index)
		} else if err != nil {
			return err
		}
	}
	for path, open := range map[string]func(string) (*tileset.Set, error){p.tiles: tileset.OpenVector, p.terrain: tileset.OpenTerrain} {
		if path == "" {
			continue
		}
		set, err := open(path)
		if err != nil {
			return err
		}
		if err := errors.Join(set.Verify(), set.Close()); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
