// Command bench measures the map service against its targets (map contract 15)
// on real data and prints each figure beside them. It is a module
// of its own, so that the peers it measures against stay out of the product.
//
//	go run . [--osm DIR] [--entries 1000000,3000000] [--quick]
//
// Without the extracts of --osm it runs on the Delaware extract that the Go
// module paulmach/osm carries. Figures are never pass or fail: machines differ
// and are noisy. Compare ratios measured in one run.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"svc/geo/index"
	"svc/geo/mapbuild"
)

func main() {
	if len(os.Args) > 2 && os.Args[1] == childArg {
		exit(child(os.Args[2:]))
		return
	}
	osmDir := flag.String("osm", "../../shared/osm", "folder with the real extracts")
	sizes := flag.String("entries", "1000000,3000000", "index sizes to measure, comma-separated")
	quick := flag.Bool("quick", false, "only the extract itself: no repeated data")
	peers := flag.Bool("peers", true, "measure the same queries on bleve and SQLite FTS5 too")
	flag.Parse()
	exit(run(*osmDir, *sizes, *quick, *peers))
}

func exit(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(osmDir, sizes string, quick, peers bool) error {
	dir, err := os.MkdirTemp("", "svc-bench")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	input, err := extract(osmDir)
	if err != nil {
		return err
	}
	fmt.Printf("%s, %d cores, %s\n\n", filepath.Base(input), runtime.GOMAXPROCS(0), runtime.Version())
	base := filepath.Join(dir, "base.svcmap")
	if err := measureBuild(input, base); err != nil {
		return err
	}
	if err := measureTiles(input, base, dir); err != nil {
		return err
	}
	maps := []string{base}
	if !quick {
		repeated, err := repeat(input, dir, sizes)
		if err != nil {
			return err
		}
		maps = append(maps, repeated...)
	}
	for _, m := range maps {
		if err := inChild("queries", m); err != nil {
			return err
		}
	}
	if !peers {
		return nil
	}
	return inChild("peers", base)
}

// extract is the largest real extract at hand.
func extract(osmDir string) (string, error) {
	if env := os.Getenv("SVC_TEST_OSM"); env != "" {
		osmDir = env
	}
	path := filepath.Join(osmDir, "bench-merged-22-areas.osm.pbf")
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	cmd := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/paulmach/osm")
	cmd.Dir = ".."
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("find the Delaware extract: %w", err)
	}
	return filepath.Join(strings.TrimSpace(string(out)), "testdata", "delaware-latest.osm.pbf"), nil
}

// figure prints one line: what, how much, target and stretch.
func figure(what string, value any, target, stretch string) {
	fmt.Printf("  %-58s %12v   target %-10s stretch %s\n", what, value, target, stretch)
}

// measureBuild builds in a process of its own, whose time and memory the
// system accounts for.
func measureBuild(input, out string) error {
	c, err := timed(childCommand("build", input, out))
	if err != nil {
		return err
	}
	info, err := os.Stat(input)
	if err != nil {
		return err
	}
	mb := float64(info.Size()) / 1e6
	fmt.Printf("index of %.1f MB in %.1f s\n", mb, c.wall.Seconds())
	figure("MB of source per core-second", fmt.Sprintf("%.1f", mb/c.cpu.Seconds()), "3", "6")
	figure("peak memory, MB", fmt.Sprintf("%.0f", c.peak), fmt.Sprintf("%.0f", 4*mb+300), fmt.Sprintf("%.0f", 2*mb+300))
	fmt.Println()
	return nil
}

// repeat writes maps of the wanted sizes by repeating the data at offsets.
func repeat(input, dir, sizes string) ([]string, error) {
	var paths []string
	for s := range strings.SplitSeq(sizes, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(s))
		if err != nil {
			return nil, fmt.Errorf("--entries: %w", err)
		}
		path := filepath.Join(dir, fmt.Sprintf("%d.svcmap", n))
		if err := inChild("repeat", input, path, strconv.Itoa(n)); err != nil {
			return nil, err
		}
		paths = append(paths, path)
	}
	return paths, nil
}

// A child measures one thing in a process of its own, so that memory and
// warmth are its own.
const childArg = "child"

func childCommand(args ...string) *exec.Cmd {
	self, err := os.Executable()
	exit(err)
	cmd := exec.Command(self, append([]string{childArg}, args...)...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	return cmd
}

func inChild(args ...string) error { return childCommand(args...).Run() }

func child(args []string) error {
	switch args[0] {
	case "build":
		_, err := mapbuild.Run(context.Background(), mapbuild.Options{Inputs: args[1:2], Out: args[2]})
		return err
	case "tiles":
		return buildTiles(args[1], args[2], args[3])
	case "repeat":
		n, err := strconv.Atoi(args[3])
		if err != nil {
			return err
		}
		return writeRepeated(args[1], args[2], n)
	case "queries":
		return measureQueries(args[1])
	case "peers":
		return measurePeers(args[1])
	}
	return fmt.Errorf("no such child: %s", args[0])
}

func writeRepeated(input, out string, entries int) error {
	m, err := mapbuild.Model(context.Background(), mapbuild.Options{Inputs: []string{input}})
	if err != nil {
		return err
	}
	repeatModel(m, entries)
	f, err := os.Create(out)
	if err != nil {
		return err
	}
	if err := index.Write(f, m, func(int64) {}); err != nil {
		return err
	}
	return f.Close()
}

// residentBytes is the resident memory of this process now.
func residentBytes() float64 {
	data, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(data))
	pages, _ := strconv.ParseFloat(fields[1], 64)
	return pages * float64(os.Getpagesize())
}
