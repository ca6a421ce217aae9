package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"svc/embed/assets"
	"svc/geo/index"
	"svc/geo/tilebuild"
)

// tilemakerExamples is where Debian's package tilemaker keeps the profile that
// it is run with here: OpenMapTiles, zooms 0 to 14, gzip.
const tilemakerExamples = "/usr/share/doc/tilemaker/examples"

// measureTiles builds tiles from the same extract with svc and, where it is
// installed, with tilemaker: same zooms, same cores, one after the other. The
// schemas differ (Shortbread here, OpenMapTiles there), so the ratio tells of
// the orders and not of the tenths.
func measureTiles(input, indexPath, dir string) error {
	info, err := os.Stat(input)
	if err != nil {
		return err
	}
	mb := float64(info.Size()) / 1e6
	out := filepath.Join(dir, "base.pmtiles")
	ours, err := timed(childCommand("tiles", input, indexPath, out))
	if err != nil {
		return err
	}
	fmt.Printf("tiles of %.1f MB, zooms 0 to 14, in %.1f s\n", mb, ours.wall.Seconds())
	figure("MB of source per core-second", fmt.Sprintf("%.1f", mb/ours.cpu.Seconds()), "0.7", "1.2")
	figure("peak memory, MB", fmt.Sprintf("%.0f", ours.peak), fmt.Sprintf("%.0f", 4*mb+300), fmt.Sprintf("%.0f", 2*mb+300))
	theirs, err := tilemaker(input, dir)
	if err != nil {
		fmt.Printf("  tilemaker: not measured, %v\n\n", err)
		return nil
	}
	fmt.Printf("  tilemaker on the same: %.1f s, %.1f core-seconds, %.0f MB: %.1f × our time, %.1f × our core-seconds, %.1f × our memory\n\n",
		theirs.wall.Seconds(), theirs.cpu.Seconds(), theirs.peak,
		theirs.wall.Seconds()/ours.wall.Seconds(), theirs.cpu.Seconds()/ours.cpu.Seconds(), theirs.peak/ours.peak)
	return nil
}

// cost is what a process took.
type cost struct {
	wall, cpu time.Duration
	peak      float64 // MB
}

func timed(cmd *exec.Cmd) (c cost, err error) {
	begin := time.Now()
	if err := cmd.Run(); err != nil {
		return c, err
	}
	state := cmd.ProcessState
	usage := state.SysUsage().(*syscall.Rusage)
	return cost{time.Since(begin), state.UserTime() + state.SystemTime(), float64(usage.Maxrss) * 1024 / 1e6}, nil
}

func tilemaker(input, dir string) (cost, error) {
	program, err := exec.LookPath("tilemaker")
	if err != nil {
		return cost{}, errors.New("it is not installed")
	}
	config, err := tilemakerConfig(dir)
	if err != nil {
		return cost{}, err
	}
	cmd := exec.Command(program, "--input", input, "--output", filepath.Join(dir, "peer.mbtiles"),
		"--config", config, "--process", filepath.Join(tilemakerExamples, "process-openmaptiles.lua"))
	cmd.Dir = dir // without the shapefiles of the sea, which it does without
	return timed(cmd)
}

// tilemakerConfig is the packaged profile; Debian may keep it compressed.
func tilemakerConfig(dir string) (string, error) {
	matches, err := filepath.Glob(filepath.Join(tilemakerExamples, "config-openmaptiles.json*"))
	if err != nil || len(matches) == 0 {
		return "", errors.New("its profile is not in " + tilemakerExamples)
	}
	if !strings.HasSuffix(matches[0], ".gz") {
		return matches[0], nil
	}
	plain := filepath.Join(dir, "config-openmaptiles.json")
	data, err := exec.Command("gzip", "-dc", matches[0]).Output()
	if err != nil {
		return "", err
	}
	return plain, os.WriteFile(plain, data, 0o600)
}

// buildTiles is the child of measureTiles.
func buildTiles(input, indexPath, out string) error {
	x, err := index.Open(indexPath)
	if err != nil {
		return err
	}
	_, err = tilebuild.Run(context.Background(), tilebuild.Options{Inputs: []string{input}, Out: out, Index: x, World: assets.World()})
	return errors.Join(err, x.Close())
}
