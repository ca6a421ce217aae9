package cli

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"svc/app/cli/terminal"
	"svc/app/recipient/sheet"
	"svc/geo/geocode"
	"svc/geo/index"
	"svc/geo/result"
	"svc/geo/search"
)

// maxDecoded is the largest file that is not in UTF-8, in bytes: it is held in memory.
const maxDecoded = 256 << 20

// geocodeOptions are the flags of `svc map geocode`.
type geocodeOptions struct {
	in, out, index, lang string
	columns              []string
	restart, layout      bool
}

func newMapGeocodeCommand(p Parts) *cobra.Command {
	var o geocodeOptions
	cmd := &cobra.Command{
		Use:   "geocode IN.csv --out OUT.csv --map FILE.svcmap",
		Short: "Find the places of a CSV file, row by row",
		Long: `Answer each row of a CSV file with the best place of a map. No server and no key is
needed. The columns are found by their names: q (or address), name, street, housenumber,
city, district, region, country, postcode, in Uzbek and Russian too; lat and lon make
what is near better; lang is the language of the answer. --column FIELD=HEADER names a
column that has another header.

OUT.csv has every column of the input and ` + strings.Join(geocode.FoundColumns, ", ") + `.
The score is the share of the question that the place accounts for, from 0 to 1; the
reason is how it was found (exact, fuzzy, address, street, ...), "nothing" or "empty".

What is done stands in OUT.csv.part: the same command goes on from there after a stop
or a kill, and OUT.csv appears when it is whole. --restart begins again.`,
		Example: `  svc map geocode customers.csv --out places.csv --map uzbekistan.svcmap
  svc map geocode shops.csv --out places.csv --map uzbekistan.svcmap --column q=Manzil --column city=Shahar --lang ru`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usageErrorf(cmd, "name one CSV file, got %d", len(args))
			}
			return nil
		},
		ValidArgsFunction: cobra.FixedCompletions([]string{"csv"}, cobra.ShellCompDirectiveFilterFileExt),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.in = args[0]
			return o.run(cmd, p)
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVar(&o.out, "out", "", "CSV file to write (required)")
	f.StringVar(&o.index, "map", "", "index file, made by 'svc map build' (required)")
	f.StringArrayVar(&o.columns, "column", nil, "column of a field, FIELD=HEADER, may be repeated")
	f.StringVar(&o.lang, "lang", result.Languages[0], "language of the answers: "+strings.Join(result.Languages, ", "))
	f.BoolVar(&o.layout, "layout-fix", false, "read what finds nothing as typed on a Russian keyboard")
	f.BoolVar(&o.restart, "restart", false, "forget what an earlier run has done")
	_ = cmd.MarkFlagFilename("out", "csv")
	_ = cmd.MarkFlagFilename("map", "svcmap")
	return cmd
}

// check answers the columns that were named, or what is wrong with the flags.
func (o *geocodeOptions) check() (map[string]string, error) {
	switch {
	case o.out == "":
		return nil, errors.New("name the file to write with --out FILE.csv")
	case o.index == "":
		return nil, errors.New("name the index file with --map FILE.svcmap; 'svc map build' makes one")
	case !slices.Contains(result.Languages, o.lang):
		return nil, fmt.Errorf("--lang: %q is not one of %s", o.lang, strings.Join(result.Languages, ", "))
	}
	chosen := map[string]string{}
	for _, c := range o.columns {
		field, header, ok := strings.Cut(c, "=")
		if !ok || field == "" || header == "" {
			return nil, fmt.Errorf("--column: %q is not FIELD=HEADER; for example q=Manzil", c)
		}
		chosen[field] = header
	}
	if sameFile(o.in, o.out) {
		return nil, fmt.Errorf("--out %s is the input; choose another name", o.out)
	}
	return chosen, nil
}

func sameFile(a, b string) bool {
	first, err := os.Stat(a)
	if err != nil {
		return false
	}
	second, err := os.Stat(b)
	return err == nil && os.SameFile(first, second)
}

func (o *geocodeOptions) run(cmd *cobra.Command, p Parts) error {
	chosen, err := o.check()
	if err != nil {
		return &UsageError{Command: cmd.CommandPath(), Err: err}
	}
	in, err := os.Open(o.in)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there is no file %s", o.in)
	}
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }() // read only
	if err := canWrite(filepath.Dir(o.out)); err != nil {
		return fmt.Errorf("--out %s: %w", o.out, err)
	}
	x, err := index.Open(o.index)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there is no file %s; 'svc map build' makes index files", o.index)
	}
	if err != nil {
		return err
	}
	defer func() { _ = x.Close() }() // read only
	text, comma, size, err := readable(in)
	if err != nil {
		return fmt.Errorf("%s: %w", o.in, err)
	}
	mark, err := o.mark(in, x, p.Version)
	if err != nil {
		return err
	}
	job := geocode.File{
		In: text, Size: size, Comma: comma, Out: o.out, Columns: chosen, Lang: o.lang, Layout: o.layout, Mark: mark, Restart: o.restart,
		Engine: search.New(x), Progress: terminal.NewProgress(cmd.ErrOrStderr(), time.Now),
	}
	report, err := job.Run(cmd.Context())
	if err != nil {
		return fmt.Errorf("%s: %w", o.in, err)
	}
	return printGeocoded(cmd.OutOrStdout(), o.out, report)
}

// mark stands for everything that the answers depend on.
func (o *geocodeOptions) mark(in *os.File, x *index.Index, version string) (string, error) {
	info, err := in.Stat()
	if err != nil {
		return "", err
	}
	columns := slices.Sorted(slices.Values(o.columns))
	all, err := json.Marshal([]any{
		version, info.Size(), info.ModTime().UnixNano(), x.Meta.BuiltAt, x.Meta.Entries, x.Meta.Bounds, columns, o.lang, o.layout,
	})
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(all)
	return hex.EncodeToString(sum[:]), nil
}

// readable is the text of a file in UTF-8 without its byte-order mark, the character
// between its cells, and its length. A file of another encoding is decoded in memory.
func readable(in *os.File) (text io.Reader, comma rune, size int64, err error) {
	info, err := in.Stat()
	if err != nil {
		return nil, 0, 0, err
	}
	buffered := bufio.NewReaderSize(in, 1<<20)
	begin, err := buffered.Peek(1 << 20)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, bufio.ErrBufferFull) {
		return nil, 0, 0, err
	}
	if len(begin) == 0 {
		return nil, 0, 0, errors.New("the file is empty")
	}
	whole := begin
	for cut := 0; len(begin) == 1<<20 && cut < utf8.UTFMax && !utf8.Valid(whole); cut++ {
		whole = whole[:len(whole)-1] // the last character of the piece may be cut
	}
	size = info.Size()
	if utf8.Valid(whole) && !bytes.ContainsRune(whole, 0) {
		if bytes.HasPrefix(begin, []byte("\ufeff")) {
			_, _ = buffered.Discard(len("\ufeff")) // it was peeked at
		}
		return buffered, sheet.Separator(whole), size, nil
	}
	if size > maxDecoded {
		return nil, 0, 0, fmt.Errorf("it is not in UTF-8, and above %d MB only that is read: save it as UTF-8", maxDecoded>>20)
	}
	content, err := io.ReadAll(buffered)
	if err != nil {
		return nil, 0, 0, err
	}
	decoded, _, err := sheet.Decode(content)
	if err != nil {
		return nil, 0, 0, err
	}
	return bytes.NewReader(decoded), sheet.Separator(decoded), int64(len(decoded)), nil
}

func printGeocoded(w io.Writer, out string, r geocode.Report) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "%s\t%d rows\n", out, r.Rows)
	if r.Resumed > 0 {
		fmt.Fprintf(t, "  of an earlier run\t%d\n", r.Resumed)
	}
	for _, reason := range slices.Sorted(maps.Keys(r.Reasons)) {
		fmt.Fprintf(t, "  %s\t%d\n", reason, r.Reasons[reason])
	}
	fmt.Fprintf(t, "time\t%.1f s, %.0f rows/s\n", r.Seconds, float64(r.Rows-r.Resumed)/max(r.Seconds, 0.001))
	return t.Flush()
}
