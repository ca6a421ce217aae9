package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"svc/app/cli/terminal"
	"svc/geo/mapbuild"
)

func newMapBuildCommand(p Parts) *cobra.Command {
	var out, bounds string
	var langs []string
	var noTiles bool
	cmd := &cobra.Command{
		Use:   "build IN.osm.pbf [MORE.osm.pbf ...] --out FILE.svcmap",
		Short: "Build an index and vector tiles from OpenStreetMap extracts",
		Long: `Build a map from one or several OpenStreetMap extracts (.osm.pbf): the index
FILE.svcmap, the vector tiles FILE.pmtiles beside it, and FILE.report.json: what
was found, what was left out and why.

Each file appears under its name only when it is complete, so a running server
that serves the same names swaps to them without an interruption.`,
		Example: `  svc map build uzbekistan.osm.pbf --out uzbekistan.svcmap
  svc map build north.osm.pbf south.osm.pbf --out both.svcmap --langs uz,ru,en
  svc map build region.osm.pbf --out city.svcmap --bounds 69.1,41.2,69.4,41.4
  svc map build uzbekistan.osm.pbf --out uzbekistan.svcmap --no-tiles`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usageErrorf(cmd, "name at least one .osm.pbf file")
			}
			return nil
		},
		ValidArgsFunction: cobra.FixedCompletions(nil, cobra.ShellCompDirectiveDefault),
		RunE: func(cmd *cobra.Command, args []string) error {
			o, err := buildOptions(args, out, langs, bounds)
			if err != nil {
				return &UsageError{Command: cmd.CommandPath(), Err: err}
			}
			if err := checkFiles(args, out); err != nil {
				return err
			}
			o.Version = p.Version
			o.Progress = terminal.NewProgress(cmd.ErrOrStderr(), time.Now)
			start := time.Now()
			report, err := mapbuild.Run(cmd.Context(), o)
			if err != nil {
				return buildError(cmd.Context(), out, err)
			}
			if err := printReport(cmd.OutOrStdout(), out, report, time.Since(start)); err != nil || noTiles {
				return err
			}
			return buildTiles(cmd, o, report)
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVar(&out, "out", "", "index file to write (required)")
	f.StringSliceVar(&langs, "langs", nil, "name variants to keep, for example uz,ru,en; empty keeps all")
	f.StringVar(&bounds, "bounds", "", "keep only what lies in minlon,minlat,maxlon,maxlat (degrees)")
	f.BoolVar(&noTiles, "no-tiles", false, "build the index only")
	_ = cmd.MarkFlagFilename("out", "svcmap")
	return cmd
}

var language = regexp.MustCompile(`^[A-Za-z]{2,8}(-[A-Za-z0-9]{2,8})*$`)

// buildOptions checks the arguments of `svc map build`.
func buildOptions(inputs []string, out string, langs []string, bounds string) (mapbuild.Options, error) {
	o := mapbuild.Options{Inputs: inputs, Out: out}
	if out == "" {
		return o, errors.New("name the file to write with --out FILE.svcmap")
	}
	if outInfo, err := os.Stat(out); err == nil {
		if outInfo.IsDir() {
			return o, fmt.Errorf("--out %s is a folder; name a file", out)
		}
		for _, in := range inputs {
			if info, err := os.Stat(in); err == nil && os.SameFile(info, outInfo) {
				return o, fmt.Errorf("--out %s is one of the inputs; choose another name", out)
			}
		}
	}
	for _, l := range langs {
		if l = strings.TrimSpace(l); !language.MatchString(l) {
			return o, fmt.Errorf("--langs: %q is not a language code; write for example uz,ru,en,uz-Cyrl", l)
		}
		o.Langs = append(o.Langs, l)
	}
	if bounds != "" {
		b, err := parseBounds(bounds)
		if err != nil {
			return o, fmt.Errorf("--bounds: %w", err)
		}
		o.Bounds = &b
	}
	return o, nil
}

// checkFiles finds before the work begins what would stop it at its end.
func checkFiles(inputs []string, out string) error {
	for _, in := range inputs {
		if _, err := os.Stat(in); errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("there is no file %s", in)
		}
	}
	if err := canWrite(filepath.Dir(out)); err != nil {
		return fmt.Errorf("--out %s: %w", out, err)
	}
	return nil
}

// canWrite says in a sentence why no file can be made in dir.
func canWrite(dir string) error {
	f, err := os.CreateTemp(dir, ".svc-*.tmp")
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("there is no folder %s; make it first", dir)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("this user may not write into the folder %s", dir)
	case err != nil:
		return fmt.Errorf("the folder %s cannot be written to: %w", dir, err)
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// parseBounds reads "minlon,minlat,maxlon,maxlat" in degrees.
func parseBounds(text string) (b [4]float64, err error) {
	parts := strings.Split(text, ",")
	if len(parts) != len(b) {
		return b, fmt.Errorf("%q are not four numbers minlon,minlat,maxlon,maxlat", text)
	}
	for i, part := range parts {
		b[i], err = strconv.ParseFloat(strings.TrimSpace(part), 64)
		if err != nil || math.IsNaN(b[i]) {
			return b, fmt.Errorf("%q is not a number of degrees", part)
		}
	}
	switch {
	case math.Abs(b[0]) > 180 || math.Abs(b[2]) > 180 || math.Abs(b[1]) > 90 || math.Abs(b[3]) > 90:
		return b, fmt.Errorf("%q leaves the earth; longitude comes first, then latitude", text)
	case b[0] >= b[2] || b[1] >= b[3]:
		return b, fmt.Errorf("%q is empty; the order is minlon,minlat,maxlon,maxlat", text)
	}
	return b, nil
}

// printReport is the last word of a build: what there is now and what to look at.
func printReport(w io.Writer, out string, r *mapbuild.Report, took time.Duration) error {
	kinds := slices.Sorted(maps.Keys(r.Kinds))
	parts := make([]string, len(kinds))
	for i, kind := range kinds {
		parts[i] = fmt.Sprintf("%d %s", r.Kinds[kind], kind)
	}
	fmt.Fprintf(w, "%s: %d entries (%s), %s, in %s\n", out, r.Entries, strings.Join(parts, ", "), terminal.Bytes(r.Bytes), took.Round(100*time.Millisecond))
	if n := r.BrokenTotal; n > 0 {
		fmt.Fprintf(w, "the report beside it names %s incomplete in the extract, which is usual at its edges\n", boundaries(n))
	}
	return nil
}

func boundaries(n int) string {
	if n == 1 {
		return "1 boundary that is"
	}
	return fmt.Sprintf("%d boundaries that are", n)
}

// buildError says what an interrupted build left behind, which is nothing.
func buildError(ctx context.Context, out string, err error) error {
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		return fmt.Errorf("the build was interrupted; %s was not written", out)
	}
	return err
}
