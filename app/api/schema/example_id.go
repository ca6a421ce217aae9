package schema

import "strings"

// exampleID is the end of an id of an example; its time is in May 2026.
const exampleID = "01kqfxa2d0t9v2n8m5c7b3k1hj"

// foreignID is an example of an id that others give, such as a network's.
const foreignID = "1024"

// prefixes are those of ids, by what they name (contract 1.1).
var prefixes = map[string]string{
	"organization": "org", "user": "usr", "creator": "usr", "admin": "usr", "actor": "usr", "reviewer": "usr", "assignee": "usr", "confirmer": "usr",
	"inviter": "usr", "author": "usr", "mention": "usr", "by": "usr", "member": "mem", "invitation": "inv", "session": "ses", "key": "key", "credential": "key",
	"account": "acc", "flow": "flw", "proxy": "prx", "check": "pck", "recipient": "rcp", "list": "lst", "suppression": "sup", "import": "imp",
	"template": "tpl", "attachment": "att", "campaign": "cmp", "series": "ser", "job": "job", "rehearsal": "rhs", "event": "evt", "webhook": "whk",
	"delivery": "dlv", "notification": "ntf", "log": "aud", "support_session": "ssn", "report": "abr", "worker": "wrk",
	"conversation": "cnv", "message": "msg", "reply_to": "msg", "file": "fil", "upload": "upl", "draft": "drf", "handoff": "hnd", "lead": "led",
	"business": "bus", "offer": "ofr", "funnel": "fnl", "identity": "idn", "communication_profile": "cpf", "language_profile": "lpf", "source": "kns",
	"fact": "fct", "memory": "fct", "decision": "dec", "execution": "exe", "agent_execution": "aex", "step": "aex", "prompt": "prm", "version": "prv",
	"budget": "bgt", "research": "rsh", "feedback": "fbk", "dataset": "eds", "item": "edi", "evaluation": "evl", "baseline": "evl", "result": "evr",
	"experiment": "xpm", "variant": "xpv", "action": "cac", "case": "cas", "merged_into": "cas", "narrative": "nar", "backfill": "bkf", "post": "pst",
	"comment": "cmt", "automation": "atm", "private_reply": "prr", "subscription": "mds", "model": "mdl", "provider": "aip", "failing_provider": "aip",
	"connected_account": "cha", "history": "hst", "note": "nte", "view": "svw", "add_to_dataset": "eds",
}

// foreign are things whose ids others give, although one of their words names a thing of ours.
var foreign = map[string]bool{
	"platform_user": true, "platform_message": true, "post_external": true, "external": true, "calendar": true, "client": true, "request": true, "messenger": true,
	"challenge": true, "connector": true,
}

// idOf is an example of an id of a thing: "account", "winner_variant", "eval-datasets".
func idOf(thing string) string {
	thing = singular(strings.ReplaceAll(thing, "-", "_"))
	if foreign[thing] {
		return foreignID
	}
	for rest := thing; rest != ""; {
		if prefix, known := prefixes[rest]; known {
			return prefix + "_" + exampleID
		}
		_, rest, _ = strings.Cut(rest, "_")
	}
	return foreignID
}

func singular(s string) string {
	switch {
	case prefixes[s] != "" || foreign[s]:
		return s
	case strings.HasSuffix(s, "ies"):
		return s[:len(s)-3] + "y"
	case strings.HasSuffix(s, "sses"), strings.HasSuffix(s, "xes"):
		return s[:len(s)-2]
	}
	return strings.TrimSuffix(s, "s")
}

// ThingOf is what the operation of a path is about: the last part of the path that names a
// thing with ids.
func ThingOf(path string) string {
	parts := strings.Split(path, "/")
	for i := len(parts) - 1; i >= 0; i-- {
		if thing := parts[i]; thing != "" && !strings.HasPrefix(thing, "{") && idOf(thing) != foreignID {
			return thing
		}
	}
	return ""
}
