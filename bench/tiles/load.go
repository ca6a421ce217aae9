package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strconv"
	"sync"
	"time"

	"svc/geo/tile"
)

// result is one round against one server.
type result struct {
	requests int
	took     time.Duration
	times    []time.Duration // sorted
}

func (r *result) perSecond() float64 { return float64(r.requests) / r.took.Seconds() }

// at is the time that a share of the requests took at most.
func (r *result) at(share float64) time.Duration {
	return r.times[min(int(share*float64(len(r.times))), len(r.times)-1)].Round(time.Microsecond)
}

// load asks address for tiles over many connections, each one request at a time.
// The client is as small as HTTP allows, because it shares the cores with the
// server that it measures.
func load(address string, paths []string, clients int, length time.Duration) (*result, error) {
	var mu sync.Mutex
	var group sync.WaitGroup
	var failed error
	total := &result{}
	begin := time.Now()
	end := begin.Add(length)
	for n := range clients {
		group.Go(func() {
			times, err := client(address, paths, n, end)
			mu.Lock()
			defer mu.Unlock()
			total.times = append(total.times, times...)
			failed = errors.Join(failed, err)
		})
	}
	group.Wait()
	total.took, total.requests = time.Since(begin), len(total.times)
	slices.Sort(total.times)
	if failed == nil && total.requests == 0 {
		failed = errors.New("no request was answered")
	}
	return total, failed
}

// client is one connection.
func client(address string, paths []string, n int, end time.Time) (times []time.Duration, err error) {
	c, err := net.Dial("tcp", address)
	if err != nil {
		return nil, err
	}
	defer func() { _ = c.Close() }()
	in := bufio.NewReaderSize(c, 64<<10)
	request := []byte{}
	for i := n * 7919; ; i++ {
		begin := time.Now()
		if begin.After(end) && len(times) > 0 {
			return times, nil
		}
		request = append(append(append(request[:0], "GET "...), paths[i%len(paths)]...), " HTTP/1.1\r\nHost: bench\r\nAccept-Encoding: gzip\r\n\r\n"...)
		if _, err := c.Write(request); err != nil {
			return times, err
		}
		if err := readAnswer(in); err != nil {
			return times, fmt.Errorf("%s: %w", paths[i%len(paths)], err)
		}
		times = append(times, time.Since(begin))
	}
}

var lengthHeader = []byte("content-length:")

// readAnswer reads one answer of 200, with a length or in chunks.
func readAnswer(in *bufio.Reader) error {
	length, chunked := -1, false
	for first := true; ; first = false {
		line, err := in.ReadSlice('\n')
		if err != nil {
			return err
		}
		line = bytes.TrimRight(line, "\r\n")
		switch {
		case first && !bytes.HasPrefix(line, []byte("HTTP/1.1 200")):
			return fmt.Errorf("answered %q", line)
		case len(line) == 0 && chunked:
			return readChunks(in)
		case len(line) == 0 && length <= 0:
			return errors.New("an answer without a length")
		case len(line) == 0:
			_, err = in.Discard(length)
			return err
		case bytes.EqualFold(line, []byte("transfer-encoding: chunked")):
			chunked = true
		case len(line) > len(lengthHeader) && bytes.EqualFold(line[:len(lengthHeader)], lengthHeader):
			if length, err = strconv.Atoi(string(bytes.TrimSpace(line[len(lengthHeader):]))); err != nil {
				return err
			}
		}
	}
}

func readChunks(in *bufio.Reader) error {
	for {
		line, err := in.ReadSlice('\n')
		if err != nil {
			return err
		}
		n, err := strconv.ParseUint(string(bytes.TrimSpace(line)), 16, 31)
		if err != nil {
			return err
		}
		if _, err := in.Discard(int(n) + len("\r\n")); err != nil || n == 0 {
			return err
		}
	}
}

// pathsOf are the paths of tiles under a prefix.
func pathsOf(prefix string, ids []tile.ID) []string {
	paths := make([]string, len(ids))
	for i, id := range ids {
		paths[i] = prefix + id.String() + ".mvt"
	}
	return paths
}

// waitFor asks until the server answers.
func waitFor(address, path string) error {
	for begin := time.Now(); ; {
		_, err := load(address, []string{path}, 1, time.Millisecond)
		if err == nil {
			return nil
		}
		var refused *net.OpError
		if time.Since(begin) > 20*time.Second || !errors.As(err, &refused) && !errors.Is(err, io.EOF) {
			return fmt.Errorf("the server at %s does not serve: %w", address, err)
		}
		time.Sleep(20 * time.Millisecond)
	}
}
