package event

import (
	"slices"
	"strings"

	"svc/app/api/perm"
)

// Type is what an event reports, as in "campaign.completed".
type Type string

// The types of event (contract 45 and 8.2).
const (
	CampaignScheduled Type = "campaign.scheduled"
	CampaignStarted   Type = "campaign.started"
	CampaignResumed   Type = "campaign.resumed"
	CampaignPaused    Type = "campaign.paused"
	CampaignProgress  Type = "campaign.progress"
	CampaignCompleted Type = "campaign.completed"
	CampaignCancelled Type = "campaign.cancelled"
	CampaignFailed    Type = "campaign.failed"

	MessageDelivered Type = "message.delivered"
	MessageFailed    Type = "message.failed"
	MessageSkipped   Type = "message.skipped"

	RecipientImported       Type = "recipient.imported"
	RecipientImportProgress Type = "recipient.import_progress"
	RecipientOptedOut       Type = "recipient.opted_out"

	AccountConnected    Type = "account.connected"
	AccountRestricted   Type = "account.restricted"
	AccountAuthRequired Type = "account.auth_required"
	AccountDisconnected Type = "account.disconnected"
	AccountPaused       Type = "account.paused"
	AccountResumed      Type = "account.resumed"
	AccountCooldown     Type = "account.cooldown"

	ChannelAccountUpdated        Type = "channels.account.updated"
	ChannelHistoryImported       Type = "channels.history.imported"
	ChannelPrivateReplySent      Type = "channels.private_reply.sent"
	ChannelPrivateReplyFailed    Type = "channels.private_reply.failed"
	ChannelPrivateReplySkipped   Type = "channels.private_reply.skipped"
	ChannelMarketingSubscription Type = "channels.marketing_subscription.updated"

	ConversationMessage         Type = "ai.conversation.message"
	ConversationMessageUpdated  Type = "ai.conversation.message_updated"
	ConversationAttachmentReady Type = "ai.conversation.attachment_ready"
	ConversationState           Type = "ai.conversation.state"
	ConversationOptedOut        Type = "ai.conversation.opted_out"
	ConversationRead            Type = "ai.conversation.read"
	ConversationAssigned        Type = "ai.conversation.assigned"
	ConversationNoted           Type = "ai.conversation.noted"
	HandoffCreated              Type = "ai.handoff.created"
	HandoffUpdated              Type = "ai.handoff.updated"
	TurnCompleted               Type = "ai.turn.completed"
	ReplySent                   Type = "ai.reply.sent"
	ReplyDrafted                Type = "ai.reply.drafted"
	ReplyBlocked                Type = "ai.reply.blocked"
	DraftUpdated                Type = "ai.draft.updated"
	StageChanged                Type = "ai.stage.changed"
	LeadUpdated                 Type = "ai.lead.updated"
	AnalysisUpdated             Type = "ai.analysis.updated"
	NarrativeReady              Type = "ai.insights.narrative_ready"
	NarrativeRefused            Type = "ai.insights.narrative_refused"
	InsightsBackfill            Type = "ai.insights.backfill"
	CasesGenerated              Type = "ai.cases.generated"
	CalendarConnected           Type = "ai.calendar.connected"
	CalendarDisconnected        Type = "ai.calendar.disconnected"
	CalendarActionCreated       Type = "ai.calendar.action_created"
	CalendarActionUpdated       Type = "ai.calendar.action_updated"
	BudgetAlert                 Type = "ai.budget.alert"
	KnowledgeUpdated            Type = "ai.knowledge.updated"
	ResearchUpdated             Type = "ai.research.updated"
	EvaluationUpdated           Type = "ai.evaluation.updated"

	WebhookTest     Type = "webhook.test"
	WebhookDisabled Type = "webhook.disabled"
)

// types lists them all, in the order above.
var types = []Type{
	CampaignScheduled, CampaignStarted, CampaignResumed, CampaignPaused, CampaignProgress, CampaignCompleted, CampaignCancelled, CampaignFailed,
	MessageDelivered, MessageFailed, MessageSkipped,
	RecipientImported, RecipientImportProgress, RecipientOptedOut,
	AccountConnected, AccountRestricted, AccountAuthRequired, AccountDisconnected, AccountPaused, AccountResumed, AccountCooldown,
	ChannelAccountUpdated, ChannelHistoryImported, ChannelPrivateReplySent, ChannelPrivateReplyFailed, ChannelPrivateReplySkipped,
	ChannelMarketingSubscription,
	ConversationMessage, ConversationMessageUpdated, ConversationAttachmentReady, ConversationState, ConversationOptedOut,
	ConversationRead, ConversationAssigned, ConversationNoted,
	HandoffCreated, HandoffUpdated, TurnCompleted, ReplySent, ReplyDrafted, ReplyBlocked, DraftUpdated, StageChanged, LeadUpdated,
	AnalysisUpdated, NarrativeReady, NarrativeRefused, InsightsBackfill, CasesGenerated,
	CalendarConnected, CalendarDisconnected, CalendarActionCreated, CalendarActionUpdated, BudgetAlert, KnowledgeUpdated, ResearchUpdated, EvaluationUpdated,
	WebhookTest, WebhookDisabled,
}

// Types lists all types.
func Types() []Type { return slices.Clone(types) }

// Valid reports whether there is such a type.
func (t Type) Valid() bool { return slices.Contains(types, t) }

// visible says who may see the types of a prefix (contract 2.1).
var visible = []struct {
	prefix string
	perm   perm.Perm
}{
	{"campaign.", perm.CampaignsRead}, {"message.", perm.CampaignsRead}, {"recipient.", perm.RecipientsRead},
	{"account.", perm.AccountsRead}, {"channels.", perm.AccountsRead}, {"ai.", perm.AIRead}, {"webhook.", perm.WebhooksRead},
}

// Perm is what it takes to see events of the type.
func (t Type) Perm() perm.Perm {
	for _, v := range visible {
		if strings.HasPrefix(string(t), v.prefix) {
			return v.perm
		}
	}
	panic("event: nobody may see " + string(t)) // a test visits every type
}

// Match are the types that patterns stand for, in order: a type, or a beginning
// with a * behind it. ok is false when one of them stands for none.
func Match(patterns []string) (out []Type, ok bool) {
	ok = true
	for _, p := range patterns {
		prefix, wild := strings.CutSuffix(p, "*")
		found := false
		for _, t := range types {
			if string(t) == p || wild && strings.HasPrefix(string(t), prefix) {
				out, found = append(out, t), true
			}
		}
		ok = ok && found
	}
	slices.Sort(out)
	return slices.Compact(out), ok
}

// Visible are the types that a caller with these permissions may see.
func Visible(p perm.Set) (out []Type) {
	for _, t := range types {
		if p.Has(t.Perm()) {
			out = append(out, t)
		}
	}
	return out
}

// Sees says whether a caller with these permissions may see an event.
func (e *Stored) Sees(p perm.Set) bool {
	return p.Has(e.Type.Perm()) && !(e.Personal && !p.Has(perm.AccountsManage))
}
