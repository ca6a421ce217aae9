// Package terminal is what commands draw for people: progress and tables.
package terminal

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"svc/geo/buildkit"
)

// NewProgress shows how far a build is: a bar on a terminal, plain lines
// elsewhere, so that a log stays readable.
func NewProgress(w io.Writer, clock func() time.Time) buildkit.Progress {
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		return &barProgress{w: w}
	}
	return &lineProgress{w: w, clock: clock}
}

// barProgress is one bar a stage; a stage of unknown length has a spinner.
type barProgress struct {
	w   io.Writer
	bar *progressbar.ProgressBar
}

func (p *barProgress) Stage(name string, total int64) {
	p.Done()
	if total <= 0 {
		total = -1
	}
	p.bar = progressbar.NewOptions64(total,
		progressbar.OptionSetWriter(p.w),
		progressbar.OptionSetDescription(fmt.Sprintf("%-24s", name)),
		progressbar.OptionSetWidth(30),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionClearOnFinish(),
		progressbar.OptionSetRenderBlankState(true),
	)
}

func (p *barProgress) Add(n int64) {
	if p.bar != nil {
		_ = p.bar.Add64(n) // a bar that is over its total is no reason to stop a build
	}
}

func (p *barProgress) Done() {
	if p.bar != nil {
		_ = p.bar.Finish()
		p.bar = nil
	}
}

// lineEvery is how often a long stage says how far it is.
const lineEvery = 10 * time.Second

// lineProgress writes a line when a stage ends and, in a long one, every ten
// seconds.
type lineProgress struct {
	w           io.Writer
	clock       func() time.Time
	name        string
	total, done int64
	start, said time.Time
}

func (p *lineProgress) Stage(name string, total int64) {
	p.Done()
	now := p.clock()
	p.name, p.total, p.done, p.start, p.said = name, total, 0, now, now
}

func (p *lineProgress) Add(n int64) {
	p.done += n
	now := p.clock()
	if p.name == "" || p.total <= 0 || now.Sub(p.said) < lineEvery {
		return
	}
	p.said = now
	fmt.Fprintf(p.w, "%s: %d%%\n", p.name, min(100, 100*p.done/p.total))
}

func (p *lineProgress) Done() {
	if p.name != "" {
		fmt.Fprintf(p.w, "%s: done in %s\n", p.name, p.clock().Sub(p.start).Round(10*time.Millisecond))
		p.name = ""
	}
}
