package houserules

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strings"
	"testing"
)

// replacedName is a name that was given up for a term of the field.
type replacedName struct {
	name   string // with a small or a capital letter at its beginning
	use    string // the term to use
	within string // folders that begin with one of these, separated by spaces; "" is everywhere
}

// replacedNames are what functions, types, fields and variables of the product may not be
// called: riddles and metaphors, and words that have another meaning in the house. Where a word
// is right for something else, the folders say where it is not.
var replacedNames = []replacedName{
	{"happening", "transition, or the type of the event", ""},
	{"everybodyHas", "completed", ""},
	{"halted", "paused", ""},
	{"continued", "resumed", ""},
	{"calledOff", "cancelled", ""},
	{"postponed", "scheduled", ""},
	{"tell", "what it does: notifyOwner, publishStatusChange, recordOutcome", ""},
	{"tells", "what it does: notifies, publishes, records", ""},
	{"told", "what was done: notified, published, recorded, sent", ""},
	{"inHand", "inFlight", ""},
	{"handOf", "inFlight", ""},
	{"hands", "inFlight", ""},
	{"hand", "inFlight", "app/send app/hook app/channel"},
	{"lane", "accountQueue, endpointQueue", "app/send app/hook"},
	{"turn", "dispatchTx; a turn is one answer of the seller", "app/send app/account app/campaign app/hook"},
	{"turns", "keyedMutex; a turn is one answer of the seller", "app/send app/account app/campaign app/hook"},
	{"mission", "outboundMessage", ""},
	{"marks", "subscriptions", "app/social app/channel app/recipient/optout"},
	{"twin", "duplicate", ""},
	{"twice", "duplicate, duplicates", ""},
	{"pulse", "sendProgress", ""},
	{"cast", "rehearsalInput", ""},
	{"entrance", "participant", ""},
	{"enter", "addAudience", "app/campaign"},
	{"glance", "dashboardCounts", ""},
	{"mayHave", "possibleDuplicates", ""},
	{"wording", "textVersion", ""},
	{"reword", "checkTextChange", ""},
	{"beginning", "prefixSearch, first", "app/recipient geo"},
	{"loaded", "preparedBatch", "app/recipient"},
	{"meet", "linkKnownAccounts", "app/recipient"},
	{"settle", "saveAndSuppress", "app/recipient"},
	{"touch", "recordContact", "app/recipient"},
	{"busy", "markSending", "app/recipient"},
	{"crowd", "audienceCounts", ""},
	{"crowdOf", "countAudience", ""},
	{"tend", "cleanup", ""},
	{"tending", "cleanupJob", ""},
	{"forever", "schedulePeriodicJobs", ""},
	{"departure", "pendingLogout", ""},
	{"leaving", "logoutSecret", "app/session app/account messenger"},
	{"memory", "StateStore", "messenger/messengertest messenger/simulator"},
	{"obey", "applyStopWord", ""},
	{"said", "messageContent", "app/inbox/intake"},
	{"take", "storeNew", "app/inbox/intake"},
	{"keep", "storeContent", "app/inbox/intake"},
	{"steering", "adminAction", ""},
	{"must", "reasonRequired", "app/admin"},
	{"may", "reasonOptional", "app/admin"},
	{"known", "cachedIdentity", "app/session"},
	{"shows", "verifySecret", ""},
	{"alongside", "withTxHook", ""},
	{"aside", "indexEntries", "store"},
	{"beside", "indexEntries", "store"},
	{"cell", "entry", "store"},
	{"area", "group", "store"},
	{"drain", "flush", "store"},
	{"place", "recordRef, cursor; a place is what a map finds", "store app/hook messenger/telegram"},
	{"whose", "ownerOrgID, owner", ""},
	{"saying", "withMessage", ""},
	{"because", "withCause", "app/api"},
	{"beside", "withExtra", "app/api"},
	{"own", "sentEcho", "messenger/telegram"},
	{"wanted", "updateFilter", "messenger/telegram"},
	{"cork", "writeCoalescing", ""},
	{"feed", "updates", "messenger/telegram"},
	{"book", "contacts", "messenger/telegram"},
	{"linger", "drainBody", ""},
	{"hangup", "sighup", ""},
	{"outlet", "response", ""},
	{"ours", "isTrustedOrigin", "web"},
	{"shed", "tileSizeLimit", "geo/tilebuild"},
	{"thin", "labelThinning", "geo/tilebuild"},
	{"crew", "workers", ""},
	{"say", "uzbekSentence", "geo/route"},
	{"needs", "engineChecks", "geo/route"},
	{"house", "admin; a house is an address", "app"},
	{"forEverybody", "audienceAll", ""},
	{"forEverbody", "audienceAll", ""},
}

// Names holds that nothing of the product is called by a name that was replaced.
func Names(t *testing.T, sources []Source) {
	t.Helper()
	for _, wrong := range wrongNames(sources) {
		t.Error(wrong)
	}
}

func wrongNames(sources []Source) (wrong []string) {
	for _, s := range sources {
		if s.IsTest() || s.IsHelper() || !isProduct(s.Path) {
			continue
		}
		for _, id := range declaredNames(s.File) {
			if r := replaced(id.Name, s.Dir()); r != nil {
				wrong = append(wrong, fmt.Sprintf("%s: the name %s was replaced: %s", s.At(id), id.Name, r.use))
			}
		}
	}
	return wrong
}

func isProduct(name string) bool {
	first, _, _ := strings.Cut(name, "/")
	return slices.Contains([]string{"app", "ai", "geo", "messenger", "store", "web"}, first)
}

// replaced finds the rule against a name in a folder, nil for none.
func replaced(name, dir string) *replacedName {
	for i := range replacedNames {
		r := &replacedNames[i]
		if len(name) != len(r.name) || name[1:] != r.name[1:] || !strings.EqualFold(name[:1], r.name[:1]) {
			continue
		}
		if r.within == "" || slices.ContainsFunc(strings.Fields(r.within), func(in string) bool { return strings.HasPrefix(dir+"/", in+"/") }) {
			return r
		}
	}
	return nil
}

// declaredNames are the names that a file gives to functions, types, fields, parameters,
// variables and constants, each once for each place that declares it.
func declaredNames(f *ast.File) (out []*ast.Ident) {
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			out = append(out, n.Name)
		case *ast.TypeSpec:
			out = append(out, n.Name)
		case *ast.ValueSpec:
			out = append(out, n.Names...)
		case *ast.Field:
			out = append(out, n.Names...)
		case *ast.AssignStmt:
			if n.Tok == token.DEFINE {
				out = appendIdents(out, n.Lhs...)
			}
		case *ast.RangeStmt:
			if n.Tok == token.DEFINE {
				out = appendIdents(out, n.Key, n.Value)
			}
		}
		return true
	})
	return out
}

func appendIdents(out []*ast.Ident, list ...ast.Expr) []*ast.Ident {
	for _, e := range list {
		if id, ok := e.(*ast.Ident); ok {
			out = append(out, id)
		}
	}
	return out
}
