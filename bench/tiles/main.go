// Command tiles measures how fast svc serves tiles, beside `go-pmtiles serve` on
// the same archive in the same run (map contract 15), and reads archives back
// with that library, the reference of the format.
//
//	go run ./tiles [--archive FILE] [--seconds 4] [--clients 16]
//	go run ./tiles --check FILE...
//
// Without --archive it makes one of 5,000 tiles of 20 kB. Figures are never pass
// or fail: compare the ratios of one run.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"time"
)

func main() {
	archive := flag.String("archive", "", "PMTiles archive of vector tiles; empty makes one")
	seconds := flag.Float64("seconds", 4, "length of each of the three rounds of a server")
	clients := flag.Int("clients", 16, "connections")
	check := flag.Bool("check", false, "compare our reader with the reference on every tile of the archives named")
	svc := flag.String("svc", "", "the svc binary; empty builds it")
	flag.Parse()
	if err := run(*archive, *svc, *check, flag.Args(), *clients, time.Duration(*seconds*float64(time.Second))); err != nil {
		fmt.Fprintln(os.Stderr, "tiles:", err)
		os.Exit(1)
	}
}

func run(archive, svc string, check bool, files []string, clients int, length time.Duration) error {
	if check {
		if len(files) == 0 {
			return errors.New("name the archives to check")
		}
		for _, f := range files {
			tiles, err := compare(f)
			if err != nil {
				return err
			}
			fmt.Printf("%s: %d tiles are the same for the reference reader\n", f, tiles)
		}
		return nil
	}
	dir, err := os.MkdirTemp("", "svc-bench-tiles")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	return measure(dir, archive, svc, clients, length)
}
