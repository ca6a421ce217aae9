package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"

	"svc/geo/geom"
	"svc/geo/geotest"
	"svc/geo/text"
)

// nominatim is a running server of one extract.
type nominatim struct {
	address string
	server  *exec.Cmd
}

// startNominatim imports an extract, unless its project is there already, and serves it.
func startNominatim(extract, input, dir string) (*nominatim, time.Duration, error) {
	project, err := filepath.Abs(filepath.Join(dir, extract))
	if err != nil {
		return nil, 0, err
	}
	if input, err = filepath.Abs(input); err != nil {
		return nil, 0, err
	}
	done := filepath.Join(project, "imported")
	began := time.Now()
	if _, err := os.Stat(done); err != nil {
		if err := importExtract(project, extract, input); err != nil {
			return nil, 0, err
		}
		if err := os.WriteFile(done, []byte(time.Since(began).String()), 0o644); err != nil {
			return nil, 0, err
		}
	}
	taken, err := os.ReadFile(done)
	if err != nil {
		return nil, 0, err
	}
	imported, err := time.ParseDuration(string(taken))
	if err != nil {
		return nil, 0, err
	}
	n, err := serve(project)
	return n, imported, err
}

// errImport is an extract that Nominatim, or osm2pgsql for it, refuses.
var errImport = errors.New("Nominatim cannot import it")

func importExtract(project, extract, input string) error {
	if err := os.MkdirAll(project, 0o755); err != nil {
		return err
	}
	settings := fmt.Sprintf("NOMINATIM_DATABASE_DSN=%q\nNOMINATIM_IMPORT_STYLE=full\n",
		fmt.Sprintf("pgsql:host=%s;port=%s;user=%s;dbname=nominatim_%s", os.Getenv("PGHOST"), os.Getenv("PGPORT"), os.Getenv("PGUSER"), extract))
	if err := os.WriteFile(filepath.Join(project, ".env"), []byte(settings), 0o644); err != nil {
		return err
	}
	phrases := filepath.Join(project, "phrases.csv")
	if err := writePhrases(phrases); err != nil {
		return err
	}
	for _, args := range [][]string{
		{"import", "--osm-file", input, "--no-updates", "--project-dir", project},
		{"special-phrases", "--import-from-csv", phrases, "--project-dir", project},
	} {
		out, err := exec.Command("nominatim", args...).CombinedOutput()
		if err := os.WriteFile(filepath.Join(project, "import.log"), out, 0o644); err != nil {
			return err
		}
		if err != nil {
			return fmt.Errorf("%w: nominatim %s: %w; the log: %s", errImport, args[0], err, filepath.Join(project, "import.log"))
		}
	}
	return nil
}

func serve(project string) (*nominatim, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	n := &nominatim{address: l.Addr().String()}
	_ = l.Close()
	n.server = exec.Command("nominatim", "serve", "--server", n.address, "--project-dir", project)
	if err := n.server.Start(); err != nil {
		return nil, err
	}
	for range 300 {
		answer, err := http.Get("http://" + n.address + "/status")
		if err == nil {
			_ = answer.Body.Close()
			if answer.StatusCode == http.StatusOK {
				return n, nil
			}
		}
		time.Sleep(100 * time.Millisecond)
	}
	n.stop()
	return nil, errors.New("nominatim serve does not answer after 30 s")
}

func (n *nominatim) stop() {
	_ = n.server.Process.Kill()
	_ = n.server.Wait()
}

// place is an answer of Nominatim.
type place struct {
	Type        string            `json:"osm_type"`
	ID          int64             `json:"osm_id"`
	Lat         string            `json:"lat"`
	Lon         string            `json:"lon"`
	DisplayName string            `json:"display_name"`
	Category    string            `json:"category"`
	Class       string            `json:"type"`
	Address     map[string]string `json:"address"`
	Names       map[string]string `json:"namedetails"`
}

// search asks as svc is asked: the words alone, five answers, Uzbek names where there are any.
func (n *nominatim) search(q string) (out []place, err error) {
	query := url.Values{"q": {q}, "format": {"jsonv2"}, "limit": {strconv.Itoa(geotest.Answers)}, "addressdetails": {"1"}, "namedetails": {"1"}, "accept-language": {geotest.QuestionLang}}
	answer, err := http.Get("http://" + n.address + "/search?" + query.Encode())
	if err != nil {
		return nil, err
	}
	defer func() { _ = answer.Body.Close() }()
	if answer.StatusCode != http.StatusOK {
		return nil, errors.New(answer.Status)
	}
	return out, json.NewDecoder(answer.Body).Decode(&out)
}

// source names the object as svc names sources: a letter and the number.
func (p *place) source() string {
	if p.Type == "" {
		return ""
	}
	return p.Type[:1] + strconv.FormatInt(p.ID, 10)
}

func (p *place) at() geom.Point {
	lat, _ := strconv.ParseFloat(p.Lat, 64)
	lon, _ := strconv.ParseFloat(p.Lon, 64)
	return geom.FromDegrees(lat, lon)
}

// bears reports that one of the names of the answer is among names.
func (p *place) bears(names map[string]bool) bool {
	for _, n := range p.Names {
		if names[text.Canonical(n)] {
			return true
		}
	}
	return false
}

// lines are the lines that svc would write for a postcode, and for a house with each of the
// things that its number may belong to.
func (p *place) lines() (out []string) {
	if p.Class == "postcode" {
		return []string{fmt.Sprintf("place.postcode place %q [%s] {%[1]s} postcode %s @%s,%s", p.Address["postcode"], p.DisplayName, p.source(), p.Lat, p.Lon)}
	}
	number := p.Address["house_number"]
	if number == "" {
		return nil
	}
	town := ""
	for _, key := range []string{"city", "town", "village", "suburb", "municipality", "county"} {
		if p.Address[key] != "" {
			town += ", " + p.Address[key]
		}
	}
	for _, key := range []string{"road", "pedestrian", "square", "quarter", "neighbourhood", "suburb", "hamlet", "place", "village", "town"} {
		if on := p.Address[key]; on != "" {
			name := on + ", " + number
			out = append(out, fmt.Sprintf("address address %q [%s] {%s} address %s @%s,%s", name, name+town, p.Address["postcode"], p.source(), p.Lat, p.Lon))
		}
	}
	return out
}

func (p *place) String() string {
	return fmt.Sprintf("%s=%s %s [%s] @%s,%s", p.Category, p.Class, p.source(), p.DisplayName, p.Lat, p.Lon)
}
