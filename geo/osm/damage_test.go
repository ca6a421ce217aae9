package osm_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"svc/geo/osm"
	"svc/geo/osm/osmtest"
)

// msg builds small protobuf messages by hand.
type msg []byte

func (m msg) num(field int, v uint64) msg {
	return binary.AppendUvarint(binary.AppendUvarint(m, uint64(field)<<3), v)
}

func (m msg) bytes(field int, b ...byte) msg {
	m = binary.AppendUvarint(binary.AppendUvarint(m, uint64(field)<<3|2), uint64(len(b)))
	return append(m, b...)
}

// fileWith gives a file whose only data blob is body.
func fileWith(t testing.TB, body []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	w := osmtest.NewWriter(&out, osmtest.Options{})
	w.Blob("OSMData", body)
	if err := w.Err(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// blockWith gives the message Blob of a block with the strings "", "k" and one group.
func blockWith(t testing.TB, group msg) []byte {
	t.Helper()
	table := msg(nil).bytes(1).bytes(1, 'k')
	body, err := osmtest.Pack(osmtest.Raw, msg(nil).bytes(1, table...).bytes(2, group...))
	if err != nil {
		t.Fatal(err)
	}
	return body
}

// openAndRead opens a file and reads all of it.
func openAndRead(data []byte) error {
	f, err := openBytes(data)
	if err != nil {
		return err
	}
	_, err = read(f, all)
	return err
}

// Every way to be broken has its sentence, with the file and the place.
func TestDamagedFiles(t *testing.T) {
	good := written(t, osmtest.Options{Compression: osmtest.Zlib}, sample(20))
	packed := func(c osmtest.Compression) []byte {
		body, err := osmtest.Pack(c, osmtest.EncodeBlock(osmtest.Options{}, sample(200)))
		if err != nil {
			t.Fatal(err)
		}
		return body
	}
	// relabel replaces the declared size in front of the data.
	relabel := func(body []byte, size uint64) []byte {
		_, n := binary.Uvarint(body[1:])
		return append(msg(nil).num(2, size), body[1+n:]...)
	}
	cut := func(body []byte) []byte { // half of the data, in a well-formed blob
		_, n := binary.Uvarint(body[1:])
		rest := body[1+n:]
		_, m := binary.Uvarint(rest[1:])
		data := rest[1+m:]
		return append(bytes.Clone(body[:1+n]), msg(nil).bytes(int(rest[0]>>3), data[:len(data)/2]...)...)
	}
	flip := func(body []byte) []byte {
		body = bytes.Clone(body)
		body[len(body)-2] ^= 1 // in the checksum of zlib
		return body
	}
	block := func(group msg) []byte { return fileWith(t, blockWith(t, group)) }
	header := func(opts osmtest.Options) []byte { return written(t, opts, osm.Block{}) }
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"empty":            {nil, "the file is empty"},
		"xml":              {[]byte("<?xml version='1.0'?><osm/>"), "XML or a web page"},
		"gzip":             {[]byte("\x1f\x8b\x08\x00\x00\x00\x00"), "packed with gzip"},
		"bzip2":            {[]byte("BZh91AY&SY"), "packed with bzip2"},
		"zip":              {[]byte("PK\x03\x04\x00\x00"), "zip archive"},
		"text":             {[]byte("hello, world"), "not an OpenStreetMap extract"},
		"two bytes":        {[]byte{0, 0}, "not an OpenStreetMap extract"},
		"zeros":            {make([]byte, 100), "allowed is 1 to 65536"},
		"no header":        {good[bytes.Index(good, []byte("OSMData"))-6:], "does not begin with an OSMHeader"},
		"glued":            {append(bytes.Clone(good), good...), "second header block"},
		"rest":             {append(bytes.Clone(good), 1), "ends in the middle of a block"},
		"noise at the end": {append(bytes.Clone(good), bytes.Repeat([]byte{0xff}, 9)...), "no block begins here"},
		"history":          {header(osmtest.Options{Required: []string{"HistoricalInformation"}}), "history of its objects"},
		"feature":          {header(osmtest.Options{Required: []string{"Sparkles"}}), `requires the feature "Sparkles"`},

		"no data":         {fileWith(t, nil), "empty or uses a compression"},
		"unknown packing": {fileWith(t, msg(nil).num(2, 3).bytes(9, 1, 2, 3)), "empty or uses a compression"},
		"lzma":            {fileWith(t, msg(nil).num(2, 3).bytes(4, 1, 2, 3)), "compressed with lzma"},
		"bzip2 block":     {fileWith(t, msg(nil).num(2, 3).bytes(5, 1, 2, 3)), "compressed with bzip2"},
		"no size":         {fileWith(t, msg(nil).bytes(3, 1, 2, 3)), "gives -1 as its uncompressed size"},
		"negative size":   {fileWith(t, relabel(packed(osmtest.Zlib), 1<<64-5)), "gives -5 as its uncompressed size"},
		"huge size":       {fileWith(t, relabel(packed(osmtest.Zlib), 1<<25+1)), "as its uncompressed size"},
		"zlib noise":      {fileWith(t, msg(nil).num(2, 3).bytes(3, 1, 2, 3)), "zlib data is broken"},
		"zlib checksum":   {fileWith(t, flip(packed(osmtest.Zlib))), "zlib data is broken"},
		"zlib cut":        {fileWith(t, cut(packed(osmtest.Zlib))), "zlib data is broken"},
		"zlib longer":     {fileWith(t, relabel(packed(osmtest.Zlib), 1000)), "more than the 1000 bytes"},
		"zlib shorter":    {fileWith(t, relabel(packed(osmtest.Zlib), 1000000)), "but declares 1000000"},
		"zstd cut":        {fileWith(t, cut(packed(osmtest.Zstd))), "zstd data is broken"},
		"zstd longer":     {fileWith(t, relabel(packed(osmtest.Zstd), 1000)), "more than the 1000 bytes"},
		"zstd shorter":    {fileWith(t, relabel(packed(osmtest.Zstd), 1000000)), "but declares 1000000"},
		"lz4 noise":       {fileWith(t, msg(nil).num(2, 3).bytes(6, 0xff, 2, 3)), "lz4 data does not unpack"},
		"lz4 longer":      {fileWith(t, relabel(packed(osmtest.LZ4), 1000)), "lz4 data does not unpack"},
		"lz4 shorter":     {fileWith(t, relabel(packed(osmtest.LZ4), 1000000)), "but declares 1000000"},

		"key out of range":   {block(msg(nil).bytes(3, msg(nil).num(1, 1).bytes(2, 9).bytes(3, 1)...)), "string 9 is asked for, the block has 2"},
		"value out of range": {block(msg(nil).bytes(3, msg(nil).num(1, 1).bytes(2, 1).bytes(3, 2)...)), "string 2 is asked for, the block has 2"},
		"role out of range":  {block(msg(nil).bytes(4, msg(nil).bytes(8, 7).bytes(9, 2).bytes(10, 0)...)), "string 7 is asked for"},
		"dense out of range": {block(msg(nil).bytes(2, msg(nil).bytes(1, 2).bytes(8, 2).bytes(9, 2).bytes(10, 5, 5, 0)...)), "string 5 is asked for"},
		"key without value":  {block(msg(nil).bytes(3, msg(nil).bytes(2, 1, 1).bytes(3, 1)...)), "2 keys but 1 values"},
		"dense half a tag":   {block(msg(nil).bytes(2, msg(nil).bytes(1, 2).bytes(8, 2).bytes(9, 2).bytes(10, 1)...)), "cut off"},
		"dense extra tags":   {block(msg(nil).bytes(2, msg(nil).bytes(1, 2).bytes(8, 2).bytes(9, 2).bytes(10, 1, 1, 0, 1, 1, 0)...)), "more than its 1 nodes"},
		"dense lengths":      {block(msg(nil).bytes(2, msg(nil).bytes(1, 2, 2).bytes(8, 2).bytes(9, 2, 2)...)), "2 node ids but 1 latitudes and 2 longitudes"},
		"member lengths":     {block(msg(nil).bytes(4, msg(nil).bytes(8, 0).bytes(9, 2, 2).bytes(10, 0, 0)...)), "2 members but 1 roles and 2 types"},
		"member type":        {block(msg(nil).bytes(4, msg(nil).bytes(8, 0).bytes(9, 2).bytes(10, 3)...)), "unknown type 3"},
		"open refs":          {block(msg(nil).bytes(3, msg(nil).bytes(8, 2, 0x80)...)), "cut off"},
		"outside":            {block(msg(nil).bytes(1, msg(nil).num(1, 4).num(8, 900_000_001*2)...)), "node 2 lies outside the world"},
		"dense outside":      {block(msg(nil).bytes(2, msg(nil).bytes(1, 2).bytes(8, 2).bytes(9, 0xff, 0xff, 0xff, 0xff, 0xff, 1)...)), "node 1 lies outside the world"},
		"wire type":          {block(msg{3 << 3 & 0xf8, 0x80}), "cut off"},
		"group of protobuf":  {block(msg{1<<3 | 3}), "unknown wire type 3"},
		"field zero":         {block(msg{0, 0}), "impossible number 0"},
		"too long":           {block(msg{3<<3 | 2, 100, 1}), "does not fit in the 1 bytes"},
		"fixed cut":          {block(msg{9<<3 | 1, 1, 2}), "ends past its message"},
		"fixed list":         {block(msg(nil).bytes(3, 8<<3|5, 0, 0, 0, 0)), "a list of numbers has the wire type 5"},
		"granularity":        {fileWith(t, msg(nil).bytes(1, msg(nil).num(17, 0)...)), "granularity is 0"},
		"blob size":          {append(bytes.Clone(good), blobHeader(1<<64-1)...), "gives -1 as its size"},
		"blob too big":       {append(bytes.Clone(good), blobHeader(1<<25+1)...), "as its size"},
		"too many objects":   {fileWith(t, blockWith(t, bytes.Repeat(msg{3<<3 | 2, 0}, 5<<20))), "more objects than this program accepts"},
	} {
		t.Run(name, func(t *testing.T) {
			err := openAndRead(c.data)
			if err == nil {
				t.Fatal("read without an error")
			}
			var format *osm.FormatError
			if !errors.As(err, &format) || !strings.HasPrefix(err.Error(), "test.osm.pbf: at byte ") || format.Advice == "" {
				t.Errorf("no place or advice: %v", err)
			}
			if !strings.Contains(err.Error(), c.want) {
				t.Errorf("got  %v\nwant …%s…", err, c.want)
			}
		})
	}
}

// blobHeader gives length and header of an OSMData blob of the given size.
func blobHeader(size uint64) []byte {
	h := msg(nil).bytes(1, []byte("OSMData")...).num(3, size)
	return append(binary.BigEndian.AppendUint32(nil, uint32(len(h))), h...)
}

// The offset of an error is that of the block at fault.
func TestErrorOffset(t *testing.T) {
	data := written(t, osmtest.Options{PerBlob: 5}, sample(20))
	starts := osm.BlobStarts(mustOpen(t, data))
	bad := starts[2]
	// The last byte of a raw block ends its last number: leave that open.
	data[starts[3]-1] = 0x80
	var format *osm.FormatError
	if err := openAndRead(data); !errors.As(err, &format) || format.Offset != bad {
		t.Errorf("got %v, want the byte %d", err, bad)
	}
}

// A file cut at any byte around a border is refused, or holds whole blobs.
func TestTruncated(t *testing.T) {
	data := written(t, osmtest.Options{PerBlob: 5, Compression: osmtest.Zlib}, sample(20))
	starts := append(osm.BlobStarts(mustOpen(t, data)), int64(len(data)))
	borders := map[int64]bool{}
	for _, s := range starts {
		borders[s] = true
	}
	for n := range int64(len(data)) {
		err := openAndRead(data[:n])
		if borders[n] != (err == nil) {
			t.Fatalf("cut to %d of %d bytes (a border: %t): %v", n, len(data), borders[n], err)
		}
	}
}

// A file that shrinks while it is open gives an error that says so.
func TestShrinks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.osm.pbf")
	data := written(t, osmtest.Options{}, sample(20))
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := osm.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := os.Truncate(path, f.Size()-10); err != nil {
		t.Fatal(err)
	}
	if _, err := read(f, all); err == nil || !strings.Contains(err.Error(), "became shorter") {
		t.Errorf("got %v", err)
	}
}

func TestOpenRefuses(t *testing.T) {
	dir := t.TempDir()
	if _, err := osm.Open(dir); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("a folder: %v", err)
	}
	if _, err := osm.Open(filepath.Join(dir, "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
}

// Flipped bits never make the reader panic or hang.
func TestBitFlips(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, opts := range []osmtest.Options{
		{Sorted: true, PerBlob: 7}, {Dense: true, PerBlob: 7, Sorted: true},
		{Compression: osmtest.Zlib, Dense: true, PerBlob: 7}, {Compression: osmtest.Zstd, PerBlob: 7}, {Compression: osmtest.LZ4, PerBlob: 7},
	} {
		data := written(t, opts, sample(30))
		failed := 0
		for range 1500 {
			bad := bytes.Clone(data)
			for range 1 + rng.IntN(3) {
				bad[rng.IntN(len(bad))] ^= 1 << rng.IntN(8)
			}
			f, err := openBytes(bad)
			for _, k := range []osm.Kinds{osm.Relations, osm.Nodes, osm.Ways} {
				if err == nil {
					_, err = read(f, k)
				}
			}
			if err != nil {
				failed++
			}
		}
		if failed < 300 {
			t.Errorf("%+v: only %d of 1500 damaged files were noticed", opts, failed)
		}
	}
}
