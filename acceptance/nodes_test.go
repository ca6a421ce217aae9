package acceptance

import (
	"fmt"
	"math/rand/v2"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"svc/app/vault/bucket/buckettest"
	"svc/store/kv/postgres/pgtest"
	"svc/store/storetest"
)

// cluster is several servers over one database and one bucket.
type cluster struct {
	t     *testing.T
	nodes []*installation
}

// newCluster makes servers that run these commands; cables, where there are any, lead from
// them to the database. Nothing runs yet, and the first must start before the others.
func newCluster(t *testing.T, sim *simulated, commands ...string) (c *cluster, cables []*cable) {
	t.Helper()
	at, err := url.Parse(pgtest.Address(t))
	if err != nil {
		t.Fatal(err)
	}
	files, key := bucketAddress(buckettest.Start(t)), filepath.Join(t.TempDir(), "master.key")
	c = &cluster{t: t}
	for _, name := range commands {
		cable := newCable(t, at.Host)
		way := *at
		way.Host = cable.addr
		in := install(t)
		in.name, in.args = name, append(sim.args(), "--store", way.String(), "--files", files, "--master-key", key)
		c.nodes, cables = append(c.nodes, in), append(cables, cable)
	}
	return c, cables
}

// messages are what a webhook of these tests hears.
var messages = []string{"message.delivered", "message.failed", "message.skipped", "campaign.completed"}

// campaign starts one to so many people over so many accounts, with a webhook.
func (c *cluster) campaign(boss *caller, r *receiver, accounts, people int) (path string) {
	c.t.Helper()
	boss.acceptPolicy()
	var ids []string
	for i := range accounts {
		ids = append(ids, boss.connect(fmt.Sprint("+99890000001", i), "", ""))
	}
	boss.importDemo(people)
	hook := boss.do("POST", "/webhooks", map[string]any{"url": r.url(), "events": messages}).want(201)
	r.secret(hook.text("signing_secret"))
	return toEverybody(boss, ids)
}

// everythingAddsUp is asked of every node.
func (c *cluster) everythingAddsUp(boss *caller, r *receiver, sim *simulated, campaign string, people int) {
	c.t.Helper()
	for _, in := range c.nodes {
		everyNumberAddsUp(boss.at(in), sim, campaign, people)
	}
	deliveriesAreWhole(boss, r, "/events?type="+strings.Join(messages, "&type="), silence)
	if wroteBack(boss) == 0 {
		c.t.Error("nobody wrote back")
	}
}

// TestThreeNodes kills three real processes over one PostgreSQL server (kill -9), one at a
// time, while a campaign runs, people write back and webhooks are delivered: nobody gets the
// message twice, every number adds up on every node, and every event arrives. The clock of
// one node is five minutes ahead. SVC_TEST_SOAK: 20,000 people and that long, such as 10m.
func TestThreeNodes(t *testing.T) {
	t.Parallel()
	storetest.OnlyInSoak(t)
	const people = 20_000
	lasts, scenes := howLong(t).lasts, hardTimes
	sim := startSimulator(t, scenes)
	c, _ := newCluster(t, sim, "svc", "svc", clockFast)
	c.nodes[0].start()
	boss, r := c.nodes[0].administer(), newReceiver(t)
	for _, in := range c.nodes[1:] {
		in.start()
	}
	campaign := c.campaign(boss, r, 6, people)
	kills, began := 0, time.Now()
	for kills < 2 || time.Since(began) < lasts {
		watched := boss.at(c.nodes[rand.IntN(len(c.nodes))])
		enough, done := sim.count()+5+rand.IntN(people/8), false
		waitFor(t, silence, fmt.Sprint(enough, " messages before kill ", kills+1), func() bool {
			done = watched.do("GET", campaign, nil).want(200).text("status") == "COMPLETED"
			return done || sim.count() >= enough
		})
		if done {
			break
		}
		victim := c.nodes[rand.IntN(len(c.nodes))]
		victim.kill()
		victim.start()
		kills++
	}
	finish(boss, campaign)
	c.everythingAddsUp(boss, r, sim, campaign, people)
	t.Logf("%d people, %d kills, %v", people, kills, time.Since(began).Round(time.Second))
	for _, in := range c.nodes {
		in.stop()
	}
}

// takeover is within how long another node goes on with what one had that was cut off.
const takeover = 25 * time.Second

// TestCutOffNode cuts one node off the database in the middle of a campaign: it stops sending
// within its lease, the other takes over, whose clock is five minutes ahead; and when the
// first comes back nobody gets the message twice.
func TestCutOffNode(t *testing.T) {
	t.Parallel()
	const people = 300
	sim := startSimulator(t, "")
	c, cables := newCluster(t, sim, "svc", clockFast)
	first, second := c.nodes[0], c.nodes[1]
	first.start()
	boss, r := first.administer(), newReceiver(t)
	c.journeysOfPost(boss, cables[0])
	boss.do("PUT", "/admin/settings", map[string]any{"default_min_interval_seconds": 1}).want(200)
	campaign := c.campaign(boss, r, 4, people)
	waitFor(t, silence, "messages of the first node", func() bool { return sim.count() >= 8 })
	second.start() // the accounts are the first one's by now

	c.takenOver(sim, "cut off", func() { cables[0].cut(true) })
	cables[0].cut(false)
	waitFor(t, 3*takeover, "the first to answer again", func() bool {
		reply, err := boss.at(first).try("GET", campaign, nil)
		return err == nil && reply.status == 200
	})
	stop := func(s syscall.Signal) {
		if err := second.cmd.Process.Signal(s); err != nil {
			t.Error(err)
		}
	}
	c.takenOver(sim, "stopped", func() { stop(syscall.SIGSTOP) })
	stop(syscall.SIGCONT)
	once := map[int64]bool{}
	for _, m := range sim.sent() {
		if once[m.Peer] {
			t.Errorf("%d got the message twice", m.Peer)
		}
		once[m.Peer] = true
	}
}

// takenOver lets the node that sends fail, and waits until messages go out again. What was
// claimed before goes out still.
func (c *cluster) takenOver(sim *simulated, how string, fail func()) {
	c.t.Helper()
	const claimed = 2 * time.Second
	fail()
	failed := time.Now()
	var next time.Time
	waitFor(c.t, 3*takeover, "another node to take over", func() bool {
		all := sim.sent()
		i := slices.IndexFunc(all, func(m taken) bool { return m.At.After(failed.Add(claimed)) })
		if i >= 0 {
			next = all[i].At
		}
		return i >= 0
	})
	took := next.Sub(failed)
	if c.t.Logf("%s: taken over after %v", how, took.Round(100*time.Millisecond)); took > takeover {
		c.t.Errorf("%s: taken over after %v, more than %v", how, took, takeover)
	}
	if took < 7*time.Second {
		c.t.Errorf("%s: messages went out %v later: somebody had not waited for the lease", how, took)
	}
}

// mostJourneys bounds how often POST /recipients asks the database, all included: the key,
// rates, the end of transactions that only read, for which nobody waits. The aim is 6 that
// the answer waits for.
const mostJourneys = 20

// journeysOfPost counts them at the cable, without those of a node that does nothing.
func (c *cluster) journeysOfPost(boss *caller, way *cable) {
	c.t.Helper()
	const posts = 40
	count := func(f func(int)) (turns int64, took time.Duration) {
		before, began := way.turns.Load(), time.Now()
		for i := range posts {
			f(i)
		}
		return way.turns.Load() - before, time.Since(began)
	}
	key := boss.newKey("journeys")
	post := func(i int) {
		key.do("POST", "/recipients", map[string]any{"username": "post_" + strconv.Itoa(i), "consent_status": "OPTED_IN"}).want(201)
	}
	post(posts)
	busy, took := count(post)
	tick := time.NewTicker(took / posts)
	defer tick.Stop()
	idle, _ := count(func(int) { <-tick.C })
	each := float64(busy-idle) / posts
	c.t.Logf("POST /recipients: %.1f journeys (%d of %d posts, %d of the node itself in that time), %.1f ms", each, busy, posts, idle, took.Seconds()*1000/posts)
	if each > mostJourneys {
		c.t.Errorf("POST /recipients makes %.1f journeys, more than %d", each, mostJourneys)
	}
}

// TestBackupWithPostgres: the command says what to use in its place.
func TestBackupWithPostgres(t *testing.T) {
	t.Parallel()
	in := install(t)
	if out, err := in.svc("backup", filepath.Join(t.TempDir(), "b.db"), "--store", pgtest.Address(t)); err == nil || !strings.Contains(out, "pg_dump") || !strings.Contains(out, "--files") {
		t.Errorf("%v: %s", err, out)
	}
}
