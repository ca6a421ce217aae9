// Package dimension names what conversations and content are classified by, and what they are
// measured in (contract 15.1).
//
// It promises that the order of each list is that in which people see it. It is pure.
package dimension

import "slices"

// Dimension is something by which conversations, posts or comments are classified: each has
// cases of its own for each business.
type Dimension string

// The dimensions. The topics are of posts and comments, never of conversations.
const (
	PurchaseOutcome Dimension = "PURCHASE_OUTCOME"
	LostReason      Dimension = "LOST_REASON"
	Dissatisfaction Dimension = "DISSATISFACTION"
	Demand          Dimension = "DEMAND"
	ServiceQuality  Dimension = "SERVICE_QUALITY"
	ContentTopic    Dimension = "CONTENT_TOPIC"
	CommentTopic    Dimension = "COMMENT_TOPIC"
)

// OfConversations are those of conversations.
var OfConversations = []Dimension{PurchaseOutcome, LostReason, Dissatisfaction, Demand, ServiceQuality}

// All are all of them; the enums of the API say the same.
var All = append(slices.Clone(OfConversations), ContentTopic, CommentTopic)

// Enum is All for the description of the API.
const Enum = "PURCHASE_OUTCOME,LOST_REASON,DISSATISFACTION,DEMAND,SERVICE_QUALITY,CONTENT_TOPIC,COMMENT_TOPIC"

// Classifies says whether conversations are classified by it.
func (d Dimension) Classifies() bool { return slices.Contains(OfConversations, d) }

// Meaning is what a model is told of it.
func (d Dimension) Meaning() string { return meanings[d] }

var meanings = map[Dimension]string{
	PurchaseOutcome: "how the sale ended, or how far it is",
	LostReason:      "why the customer did not buy; UNCLEAR where they bought or may still buy",
	Dissatisfaction: "what the customer is unhappy with; UNCLEAR where nothing is",
	Demand:          "what the customer wants to have",
	ServiceQuality:  "how the business served the customer",
	ContentTopic:    "what a post is about",
	CommentTopic:    "what a comment is about",
}

// Unclear stands for no case: none fits, or nobody is sure enough.
const Unclear = "UNCLEAR"

// LeastProbability is below which a choice counts as unclear.
const LeastProbability = 0.5

// Score is something that conversations are given a mark for.
type Score string

// The scores.
const (
	Satisfaction   Score = "satisfaction"
	Sentiment      Score = "sentiment"
	PurchaseIntent Score = "purchase_intent"
	Urgency        Score = "urgency"
	Trust          Score = "trust"
)

// Scores lists them.
var Scores = []Score{Satisfaction, Sentiment, PurchaseIntent, Urgency, Trust}

// Bounds are the lowest and the highest mark.
func (s Score) Bounds() (low, high int) {
	switch s {
	case Satisfaction, Sentiment:
		return 1, 5
	case PurchaseIntent:
		return 0, 4
	}
	return 0, 3
}

// Has says whether a mark is within the bounds.
func (s Score) Has(mark int) bool {
	low, high := s.Bounds()
	return mark >= low && mark <= high
}

// Flag is something that may be so in a conversation, as a probability.
type Flag string

// The flags.
const (
	Complaint           Flag = "complaint"
	ChurnRisk           Flag = "churn_risk"
	PriceObjection      Flag = "price_objection"
	CompetitorMentioned Flag = "competitor_mentioned"
	UnansweredQuestion  Flag = "unanswered_question"
)

// Flags lists them.
var Flags = []Flag{Complaint, ChurnRisk, PriceObjection, CompetitorMentioned, UnansweredQuestion}

// LeastTrue is from which probability on a flag counts.
const LeastTrue = 0.6
