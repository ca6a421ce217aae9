package acceptance

// countsAgree: the figures that are kept are those of the conversations, messages and leads.
func (s *selling) countsAgree(all []talk) {
	s.t.Helper()
	in, out, handoffs := 0, 0, 0
	for i := range all {
		for _, m := range all[i].Messages {
			switch {
			case m.Author == "CUSTOMER":
				in++
			case m.Author == "AI" && m.Status == "SENT":
				out++
			}
		}
		if all[i].Handoff != nil {
			handoffs++
		}
	}
	leads := s.boss.do("GET", "/ai/leads?limit=1", nil).want(200).int("total")
	a := s.boss.do("GET", "/ai/analytics", nil).want(200)
	a.says("conversations.new", len(all)).says("messages.in", in).says("messages.out_ai", out).says("leads.opened", leads).says("handoffs.created", handoffs)
	var pipeline struct {
		Data []struct {
			Stages []struct{ Open, Won, Lost int }
		}
	}
	s.boss.do("GET", "/ai/sales-pipeline", nil).want(200).into(&pipeline)
	counted := 0
	for _, f := range pipeline.Data {
		for _, x := range f.Stages {
			counted += x.Open + x.Won + x.Lost
		}
	}
	if counted != leads {
		s.t.Errorf("the pipeline counts %d leads, there are %d", counted, leads)
	}
}

// stagesAgree: the execution of every reply that was sent says that it was to be, and a lead is in
// the stage of its conversation.
func (s *selling) stagesAgree(all []talk) {
	s.t.Helper()
	type lead struct {
		ID, Stage    string
		Conversation string `json:"conversation_id"`
	}
	leads := map[string]lead{}
	for _, l := range pages[lead](s.boss, "/ai/leads?sort=opened_at") {
		if leads[l.Conversation].ID != "" {
			s.t.Errorf("%s has two leads", l.Conversation)
		}
		leads[l.Conversation] = l
	}
	for i := range all {
		k := &all[i]
		action := map[string]string{}
		for _, r := range s.runs(k.ID) {
			action[r.ID] = r.FinalAction
		}
		for _, m := range k.Messages {
			if m.Author == "AI" && m.Status == "SENT" && m.Execution != "" && action[m.Execution] != "SEND" {
				s.t.Errorf("%s was sent, and its execution says %q", m.ID, action[m.Execution])
			}
		}
		l := leads[k.ID]
		if (k.Lead != nil) != (l.ID != "") || k.Lead != nil && (k.Lead.ID != l.ID || k.Stage == nil || k.Stage.Key != l.Stage) {
			s.t.Errorf("%s is in %v with the lead %v, and the lead says %+v", k.ID, k.Stage, k.Lead, l)
		}
	}
}
