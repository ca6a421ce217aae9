// Package bucket keeps sealed files in a bucket of an S3-compatible store, which several
// servers share.
//
// It promises what vault.Place asks for: a file appears whole or not at all, since an object is
// put in one request or in parts that are joined at the end. A file is written to a temporary
// file first, so that a request that fails is made again; reading asks for a megabyte at a time.
package bucket

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"net/url"
	"os"
	"path"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"svc/app/vault"
)

// Options say where the bucket is, and who asks.
type Options struct {
	Host              string // with a port, where it is not that of https
	Plain             bool   // over http
	Region            string // "": the store says it
	Bucket            string
	Prefix            string // of the names of all objects, without a slash at its ends; "": none
	AccessKey, Secret string
}

// Form is how an address is written.
const Form = "s3://ACCESS_KEY:SECRET@s3.example.uz/bucket/prefix, with ?region=… where the store wants one and ?plain=true for http"

// Parse reads an address of that Form. Its errors name no secret.
func Parse(address string) (o Options, err error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "s3" || u.Host == "" {
		return o, errors.New("is no address such as " + Form)
	}
	o.Host, o.AccessKey = u.Host, u.User.Username()
	o.Secret, _ = u.User.Password()
	o.Bucket, o.Prefix, _ = strings.Cut(strings.Trim(u.Path, "/"), "/")
	for name, values := range u.Query() {
		switch value := values[0]; {
		case name == "region":
			o.Region = value
		case name == "plain" && (value == "true" || value == "false"):
			o.Plain = value == "true"
		default:
			return o, fmt.Errorf("has %q, which is none of ?region=… and ?plain=true", name)
		}
	}
	switch {
	case o.Bucket == "":
		return o, errors.New("names no bucket; write " + Form)
	case o.AccessKey == "" || o.Secret == "":
		return o, errors.New("has no access key with its secret; write " + Form)
	}
	return o, nil
}

// String is the address without its secret.
func (o Options) String() string {
	return "s3://" + path.Join(o.Host, o.Bucket, o.Prefix)
}

// Bucket is a vault.Root. Safe for concurrent use.
type Bucket struct {
	o      Options
	client *minio.Client
}

const (
	// askWithin bounds a small request, putWithin one that sends a file.
	askWithin = 30 * time.Second
	putWithin = 10 * time.Minute
	// ahead is how much is read at a time, in bytes.
	ahead = 1 << 20
)

// Open makes a bucket known, which must be there: nothing is sent before it is used.
func Open(o Options) (*Bucket, error) {
	client, err := minio.New(o.Host, &minio.Options{
		Creds: credentials.NewStaticV4(o.AccessKey, o.Secret, ""), Secure: !o.Plain, Region: o.Region, BucketLookup: minio.BucketLookupPath,
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", o, err)
	}
	return &Bucket{o, client}, nil
}

// String implements vault.Root.
func (b *Bucket) String() string { return b.o.String() }

// Check implements vault.Root: it puts an object, reads it and removes it. The error says which of them failed.
func (b *Bucket) Check(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, askWithin)
	defer cancel()
	const text = "svc looks whether it can write here"
	key := path.Join(b.o.Prefix, "check")
	if _, err := b.client.PutObject(ctx, b.o.Bucket, key, strings.NewReader(text), int64(len(text)), minio.PutObjectOptions{}); err != nil {
		return fmt.Errorf("%s: put: %w", b.o, err)
	}
	got, err := b.get(ctx, key, minio.GetObjectOptions{}, int64(len(text)))
	if err != nil {
		return fmt.Errorf("%s: get: %w", b.o, err)
	}
	if string(got) != text {
		return fmt.Errorf("%s: an object has another content than it was put with", b.o)
	}
	if err := b.client.RemoveObject(ctx, b.o.Bucket, key, minio.RemoveObjectOptions{}); err != nil {
		return fmt.Errorf("%s: remove: %w", b.o, err)
	}
	return nil
}

// get reads an object, or the part of it that opts ask for, of at most limit bytes.
func (b *Bucket) get(ctx context.Context, key string, opts minio.GetObjectOptions, limit int64) ([]byte, error) {
	o, err := b.client.GetObject(ctx, b.o.Bucket, key, opts)
	if err != nil {
		return nil, err
	}
	defer func() { _ = o.Close() }() // it was only read
	return io.ReadAll(io.LimitReader(o, limit))
}

// Place implements vault.Root.
func (b *Bucket) Place(kind string) vault.Place {
	return &place{b, path.Join(b.o.Prefix, kind) + "/"}
}

// Shared implements vault.Root.
func (b *Bucket) Shared() bool { return true }

// place is a vault.Place: the objects whose names begin with prefix.
type place struct {
	b      *Bucket
	prefix string
}

func (p *place) key(name string) string { return p.prefix + name[:2] + "/" + name }

// away is an error of the store of objects: one about an object that is not there matches
// fs.ErrNotExist, any other vault.ErrAway.
func away(what string, err error) error {
	if code := minio.ToErrorResponse(err).Code; code == "NoSuchKey" {
		return fmt.Errorf("%s: %w", what, fs.ErrNotExist)
	}
	return fmt.Errorf("%w: %s: %w", vault.ErrAway, what, err)
}

// Open implements vault.Place.
func (p *place) Open(name string) (vault.Stored, error) {
	ctx, cancel := context.WithTimeout(context.Background(), askWithin)
	defer cancel()
	key := p.key(name)
	info, err := p.b.client.StatObject(ctx, p.b.o.Bucket, key, minio.StatObjectOptions{})
	if err != nil {
		return nil, away(name, err)
	}
	return &stored{b: p.b, key: key, size: info.Size, tag: info.ETag}, nil
}

// stored is an object that is read, ahead bytes at a time.
type stored struct {
	b    *Bucket
	key  string
	tag  string // of this content: an object that is replaced is not read on
	size int64
	from int64
	held []byte // what stands from there on
}

// Size implements vault.Stored.
func (s *stored) Size() int64 { return s.size }

// Close implements io.Closer.
func (s *stored) Close() error { return nil }

// ReadAt implements io.ReaderAt.
func (s *stored) ReadAt(p []byte, off int64) (n int, err error) {
	for n < len(p) {
		at := off + int64(n)
		if at >= s.size {
			return n, io.EOF
		}
		if at < s.from || at >= s.from+int64(len(s.held)) {
			if err := s.fetch(at); err != nil {
				return n, err
			}
		}
		n += copy(p[n:], s.held[at-s.from:])
	}
	return n, nil
}

func (s *stored) fetch(at int64) error {
	ctx, cancel := context.WithTimeout(context.Background(), askWithin)
	defer cancel()
	end := min(at+ahead, s.size)
	var opts minio.GetObjectOptions
	if err := errors.Join(opts.SetRange(at, end-1), opts.SetMatchETag(s.tag)); err != nil {
		return err
	}
	got, err := s.b.get(ctx, s.key, opts, end-at)
	if err != nil {
		return away(s.key, err)
	}
	if int64(len(got)) != end-at {
		return fmt.Errorf("%w: %s: %d bytes came of %d", vault.ErrAway, s.key, len(got), end-at)
	}
	s.from, s.held = at, got
	return nil
}

// Create implements vault.Place.
func (p *place) Create(name string) (vault.Upload, error) {
	f, err := os.CreateTemp("", "svc-file-*")
	if err != nil {
		return nil, err
	}
	// Without a name nobody else finds it, and it goes with the process.
	if err := os.Remove(f.Name()); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &upload{p: p, key: p.key(name), File: f}, nil
}

// upload is an object before it is put.
type upload struct {
	*os.File
	p    *place
	key  string
	over bool
}

// Commit implements vault.Upload.
func (u *upload) Commit() error {
	if u.over {
		return fs.ErrClosed
	}
	u.over = true
	size, err := u.Seek(0, io.SeekEnd)
	if err != nil {
		return errors.Join(err, u.Close())
	}
	ctx, cancel := context.WithTimeout(context.Background(), putWithin)
	defer cancel()
	_, err = u.p.b.client.PutObject(ctx, u.p.b.o.Bucket, u.key, io.NewSectionReader(u.File, 0, size), size,
		minio.PutObjectOptions{ContentType: "application/octet-stream"})
	if err != nil {
		err = away(u.key, err)
	}
	return errors.Join(err, u.Close())
}

// Abort implements vault.Upload.
func (u *upload) Abort() error {
	if u.over {
		return nil
	}
	u.over = true
	return u.Close()
}

// Remove implements vault.Place.
func (p *place) Remove(name string) error {
	ctx, cancel := context.WithTimeout(context.Background(), askWithin)
	defer cancel()
	err := p.b.client.RemoveObject(ctx, p.b.o.Bucket, p.key(name), minio.RemoveObjectOptions{})
	if err = awayOr(name, err); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

func awayOr(what string, err error) error {
	if err == nil {
		return nil
	}
	return away(what, err)
}

// RemovePartial implements vault.Place: an object that was not put leaves nothing.
func (p *place) RemovePartial(string) error { return nil }

// Files implements vault.Place.
func (p *place) Files() iter.Seq2[vault.Found, error] {
	return func(yield func(vault.Found, error) bool) {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		for o := range p.b.client.ListObjectsIter(ctx, p.b.o.Bucket, minio.ListObjectsOptions{Prefix: p.prefix, Recursive: true}) {
			if o.Err != nil {
				yield(vault.Found{}, away("list", o.Err))
				return
			}
			name := path.Base(o.Key)
			if len(name) < 2 || p.key(name) != o.Key {
				continue // not a file of ours: leave it alone
			}
			if !yield(vault.Found{Name: name, At: o.LastModified}, nil) {
				return
			}
		}
	}
}
