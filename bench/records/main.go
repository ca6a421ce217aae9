// Command records measures what a write of the messaging service costs beside peers on
// the same work: PocketBase over HTTP, and SQLite as the floor of an import. Each figure
// stands beside its target. It is a module of its own, so that the peers stay out of the
// product and out of the benchmark of the map.
//
//	make build && cd bench/records && go run . [--svc ../../bin/svc] [--rows 100000]
//
// Service and peer are processes of their own on one machine, which answer one client.
// Figures are never pass or fail: compare the ratios of one run.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
)

func main() {
	if len(os.Args) == 4 && os.Args[1] == peerArg {
		exit(servePeer(os.Args[2], os.Args[3]))
		return
	}
	program := flag.String("svc", "../../bin/svc", "the program to measure")
	rows := flag.Int("rows", 100_000, "rows of the import")
	flag.Parse()
	exit(run(context.Background(), *program, *rows))
}

func exit(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "records:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, program string, rows int) error {
	dir, err := os.MkdirTemp("", "svc-records")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	if program, err = filepath.Abs(program); err != nil {
		return err
	}
	service, err := startService(ctx, program, filepath.Join(dir, "svc"))
	if err != nil {
		return err
	}
	defer service.stop()
	peer, err := startPeer(ctx, filepath.Join(dir, "pocketbase"))
	if err != nil {
		return err
	}
	defer peer.stop()
	fmt.Printf("%d cores, %s; requests a second, and milliseconds of one\n\n", runtime.GOMAXPROCS(0), runtime.Version())
	fmt.Printf("%-22s %24s %24s %8s %8s\n", "", "svc", "PocketBase", "ratio", "target")
	for _, w := range works {
		ours, err := w.measure(ctx, service.target)
		if err != nil {
			return fmt.Errorf("svc: %w", err)
		}
		theirs, err := w.measure(ctx, peer.target)
		if err != nil {
			return fmt.Errorf("PocketBase: %w", err)
		}
		fmt.Printf("%-22s %24s %24s %8.1f %8s\n", w.name, ours, theirs, ours.perSecond/theirs.perSecond, w.target)
	}
	return compareImport(ctx, service, dir, rows)
}

// compareImport imports the same people twice, beside SQLite's rows and indexes alone.
func compareImport(ctx context.Context, service *service, dir string, rows int) error {
	people := peopleCSV(rows)
	floor, err := sqliteFloor(ctx, filepath.Join(dir, "floor.db"), rows)
	if err != nil {
		return fmt.Errorf("SQLite: %w", err)
	}
	before, err := service.bytes()
	if err != nil {
		return err
	}
	first, err := service.importPeople(ctx, people)
	if err != nil {
		return err
	}
	after, err := service.bytes()
	if err != nil {
		return err
	}
	again, err := service.importPeople(ctx, people)
	if err != nil {
		return err
	}
	fmt.Printf("\n%d rows: SQLite %.1f s\n", rows, floor.Seconds())
	fmt.Printf("import of new people    %.1f s, %.2f of the floor (target 1.2)\n", first.Seconds(), first.Seconds()/floor.Seconds())
	fmt.Printf("import of the same      %.1f s, %.2f of the floor (target 2)\n", again.Seconds(), again.Seconds()/floor.Seconds())
	fmt.Printf("file                    %d bytes a recipient (target 800)\n", (after-before)/int64(rows))
	return nil
}
