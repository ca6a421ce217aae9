// Every code that the service can tell a person has words in the three languages.
import { describe, expect, test } from 'vitest';
import { all, block, enums, errorCodes, sources, tags } from './server';
import { haveWords } from './words';

describe('the fields of the API that tell by codes', () => {
  // Which words each of them has: the folder, and the beginning of the keys.
  const shown: Record<string, readonly (readonly [folder: string, prefix: string])[]> = {
    'AccountChecked.status': [['account', 'state']],
    'AccountShown.status': [
      ['account', 'state'],
      ['campaign', 'accountState'],
    ],
    'AccountShown.connection': [['account', 'connection']],
    'AccountShownActivity.kind': [['account', 'activity']],
    'AccountShownCheck.stage': [['account', 'stage']],
    'AccountShownFlow.code_type': [['account', 'signin.sent']],
    'AccountShownProxy.status': [['account', 'proxyState']],
    'AccountShownProxy.type': [['account', 'proxyType']],
    'AdminAccount.connection': [['admin', 'account.connected']],
    'AdminAccount.status': [['admin', 'state.account']],
    'AdminProxy.status': [['admin', 'state.proxy']],
    'AdminBill.plan': [['admin', 'plan']],
    'AdminPutSettingsPutSettingsInBody.default_plan': [['admin', 'plan']],
    'AdminCampaign.pause_reason': [['admin', 'pause']],
    'AdminCampaign.status': [['admin', 'state.campaign']],
    'AdminShownReport.category': [['admin', 'report.category']],
    'AdminShownReport.source': [['admin', 'report.source']],
    'AdminShownReport.status': [['admin', 'state.report']],
    'AdminMembership.role': [['shell', 'role']],
    'AdminMessenger.driver': [['admin', 'system.drivers']],
    'AdminOrganization.status': [['admin', 'state.organization']],
    'AdminQueue.name': [
      ['admin', 'queue'],
      ['admin', 'queueLead'],
      ['admin', 'queueStops'],
    ],
    'AdminTask.state': [['admin', 'state.task']],
    'AdminUser.status': [['admin', 'state.user']],
    'AdminWorker.kind': [['admin', 'worker.kinds']],
    'AdminWorker.status': [['admin', 'state.worker']],
    'InboxDraft.kind': [['inbox', 'draft.kind']],
    'BackfillShown.channel': [['insight', 'channel']],
    'BackfillShown.status': [['insight', 'past.state']],
    'BoardNarrative.status': [['insight', 'prose.state']],
    'BoardShown.board': [['insight', 'boards']],
    'AnalysisShownChoice.dimension': [
      ['inbox', 'analysis.dimension'],
      ['insight', 'dimension'],
      ['insight', 'dimensionHint'],
    ],
    'BusinessShown.status': [['business', 'state']],
    'BusinessShownOffer.type': [['business', 'type']],
    'BusinessShownOffer.availability': [['business', 'availability']],
    'BusinessStage.allowed_actions': [['business', 'action']],
    'BusinessShownSettings.approved_scenarios': [['business', 'scenario']],
    'BusinessStage.prohibited_actions': [['business', 'action']],
    'BusinessShownSettings.strict_scenarios': [['business', 'scenario']],
    'BusinessShownSettings.disclosure_mode': [['business', 'disclosure']],
    'BusinessShownSettings.outside_hours': [['business', 'outside']],
    'BusinessCommunication.formality': [['business', 'manner']],
    'BusinessCommunication.address': [['business', 'manner']],
    'BusinessCommunication.emoji': [['business', 'manner']],
    'BusinessCommunication.sentence_length': [['business', 'manner']],
    'BusinessLanguageProfile.script': [['business', 'script']],
    'SourceShown.type': [['business', 'sourceType']],
    'SourceShown.status': [['business', 'sourceState']],
    'KnowledgeFound.matched': [['business', 'matched']],
    'BusinessLanguageProfile.mixing': [['business', 'mixing']],
    'CampaignShown.pause_reason': [
      ['campaign', 'pause'],
      ['campaign', 'pauseNext'],
      ['campaign', 'pauseShort'],
    ],
    'CampaignShown.status': [['campaign', 'state']],
    'CampaignShown.waiting_reason': [
      ['campaign', 'waiting'],
      ['campaign', 'waitingShort'],
    ],
    'CampaignCheck.status': [['campaign', 'verdict']],
    'CampaignDuplicateBody.only': [['campaign', 'duplicate']],
    'CampaignRepeat.frequency': [
      ['campaign', 'rule'],
      ['campaign', 'repeat'],
    ],
    'ContentAttachment.kind': [['kit', 'kinds']],
    'ContentMessage.format': [
      ['kit', 'formats'],
      ['kit', 'formatHint'],
      ['content', 'formats'],
    ],
    'HookAttempt.error': [
      ['hook', 'error'],
      ['hook', 'fix'],
    ],
    'HookShownDelivery.error': [
      ['hook', 'error'],
      ['hook', 'fix'],
    ],
    'HookShownDelivery.status': [
      ['hook', 'deliveries.state'],
      ['hook', 'deliveries.about'],
    ],
    'InboxConversation.ai_state': [['inbox', 'aiState']],
    'InboxFile.kind': [['inbox', 'file']],
    'InboxView.sort': [['inbox', 'sort']],
    'InboxViewsCreateAddViewInBody.sort': [['inbox', 'sort']],
    'MeSubscribePushAddInBody.topics': [['session', 'push.topic']],
    'PushShown.topics': [['session', 'push.topic']],
    'InboxHandoff.priority': [['inbox', 'handoff.priority']],
    'InboxHandoff.trigger': [['inbox', 'handoff.trigger']],
    'InboxLastMessage.kind': [['inbox', 'kind']],
    'InboxMessage.author': [['inbox', 'author']],
    'InboxMessage.status': [['inbox', 'status']],
    'InboxReaction.by': [['inbox', 'reacted']],
    'InboxReply.basis': [['inbox', 'basis']],
    'InboxReply.code': [['inbox', 'refused']],
    'AiComposeComposeInBody.task': [['kit', 'compose.tasks']],
    'EngineComposeNotice.code': [['kit', 'compose.warning']],
    'EvaluationShown.status': [['quality', 'evaluationState']],
    'EvaluationShownResult.versus': [['quality', 'versus']],
    'AiCreateEvaluationCreateInBody.graders': [['quality', 'grader']],
    'AiCreateExperimentCreateInBody.metric': [['quality', 'metric']],
    'AiCreateFeedbackCreateInBody.labels': [['kit', 'feedback.label']],
    'AiCreateFeedbackCreateInBody.target': [['quality', 'target']],
    'AiReviewFeedbackReviewInBody.decision': [['quality', 'review']],
    'DatasetShownItem.source': [['quality', 'source']],
    'ExperimentShown.metric': [['quality', 'metric']],
    'ExperimentShown.too_early': [['quality', 'tooEarly']],
    'FeedbackReview.status': [['quality', 'review']],
    'FeedbackShown.target': [['quality', 'target']],
    'EngineShownBudget.on_limit': [
      ['engine', 'onLimit'],
      ['engine', 'onLimitShort'],
    ],
    'EngineShownBudget.period': [['engine', 'period']],
    'EngineShownExecution.agent': [['engine', 'agent']],
    'EngineShownExecution.final_action': [['engine', 'action']],
    'EngineShownExecution.mode': [['engine', 'mode']],
    'EngineShownExecution.status': [['engine', 'run']],
    'EngineShownModel.provider_kind': [['engine', 'kind']],
    'EngineShownModel.source': [['engine', 'source']],
    'EngineShownProvider.kind': [['engine', 'kind']],
    'EngineShownProvider.last_error_code': [
      ['engine', 'fault'],
      ['engine', 'fix'],
    ],
    'EngineShownProvider.status': [['engine', 'state']],
    'EngineShownStep.kind': [['engine', 'step']],
    'EngineShownStep.status': [['engine', 'stepState']],
    'EngineTested.error_code': [
      ['engine', 'fault'],
      ['engine', 'fix'],
    ],
    'ManagedMapKey.source': [['admin', 'mapKeys.source']],
    'ManagedNewMapKey.source': [['admin', 'mapKeys.source']],
    'OrgShownInvitation.role': [
      ['shell', 'role'],
      ['org', 'roles.about'],
    ],
    'OrgShownInvitation.status': [['org', 'invitations.state']],
    'OrgShownOrganization.status': [['org', 'settings.state']],
    'RecipientHistory.kind': [
      ['recipient', 'history'],
      ['inbox', 'history'],
    ],
    'RecipientShownImport.status': [['recipient', 'import.status']],
    'RecipientShownRecipient.consent_status': [
      ['recipient', 'consent'],
      ['inbox', 'consent'],
    ],
    'RecipientShownRecipient.source': [['recipient', 'source']],
    'RecipientShownSuppression.source': [['recipient', 'suppression.source']],
    'RecipientsBulkBulkInBody.action': [
      ['recipient', 'bulk'],
      ['audit', 'verb'],
    ],
    'SendRow.skip_reason': [
      ['campaign', 'skip'],
      ['shell/codes', 'code'],
    ],
    'SendRow.status': [['campaign', 'outcome']],
    'SendShown.kind': [['campaign', 'kind']],
    'SendShown.status': [
      ['campaign', 'job'],
      ['account', 'job'],
    ],
    'SessionPayload.role': [['shell', 'role']],
    'SessionShownKey.status': [['session', 'keys.state']],
    'SessionShownSupport.status': [
      ['org', 'support.state'],
      ['admin', 'state.support'],
    ],
    'SheetIssue.kind': [['recipient', 'import.kind']],
    'UserShownUser.mail_notifications': [['session', 'mail']],
    'RecipientWarning.code': [['recipient', 'warning']],
    'SheetWarning.code': [['recipient', 'import.warning']],
  };
  // What no page shows as it is, and why.
  const silent: Record<string, string> = {
    'AccountShownFlow.step': 'decides which step is shown',
    'BusinessStage.handoff_rules': 'those of settings; MANUAL is what a person does',
    'PricelistIssue.kind': 'an invalid one is told by its field',
    'DecideValue.source': 'no page shows decisions yet',
    'Decision.source': 'no page shows decisions yet',
    'JevPutPutInBody.fallback': 'no page sets the outside service yet',
    'JevShown.fallback': 'no page sets the outside service yet',
    'JevShown.status': 'no page sets the outside service yet',
    'PlaygroundFactIn.key': 'no page of the playground yet',
    'PlaygroundRun.scenario': 'no page of the playground yet',
    'AdminAlert.severity': 'is a colour and an icon',
    'CampaignAskedRehearsal.status': 'decides what is shown',
    'CampaignShownRehearsal.status': 'decides what is shown',
    'CampaignRepeatPart.audience': 'is a switch',
    'CampaignRepeatPart.day_of_month': 'is a choice',
    'CampaignRepeatPart.weekdays': 'Intl names the days',
    'CampaignWindowPart.weekdays': 'Intl names the days',
    'CampaignRepeat.audience': 'is a switch',
    'CampaignRepeat.day_of_month': 'is a choice',
    'CampaignRepeat.weekdays': 'Intl names the days',
    'CampaignWindow.weekdays': 'Intl names the days',
    'ContentPreview.length_unit': 'is one',
    'HookShown.disabled_reason': 'decides what is shown',
    'HookShown.status': 'is told by health',
    'MarkupEntity.type': 'is how a text looks',
    'ProxiesBulkBulkInBody.action': 'has its own buttons',
    'ProxiesImportImportInBody.type_default': 'has its own names',
    'RecipientImportBody.default_consent': 'has its own choice',
    'RecipientImportForm.default_consent': 'has its own choice',
    'SessionLoginOut.kind': 'is asked, not shown',
    'SessionPayload.kind': 'is asked, not shown',
    'SessionMfaEnabled.kind': 'is asked, not shown',
    'SessionPresented.type': 'is what browsers write',
    'CampaignDuplicateBody.audience': 'no dialog asks for it yet',
    'CampaignFollowUp.audience': 'no page names the campaign that a follow-up goes back to yet',
    'RecipientImportReport.encoding': 'is the name of the encoding itself',
    'PricelistReport.encoding': 'is the name of the encoding itself',
    'CampaignAudienceIn.match': 'no page has conditions yet',
    'CampaignAudiencePatch.match': 'no page has conditions yet',
    'CampaignShownAudience.match': 'no page has conditions yet',
    'RecipientCondition.op': 'no page has conditions yet',
    'OrgHours.weekdays': 'Intl names the days',
    'OrgHoursIn.weekdays': 'Intl names the days',
    'OrgHoursInPart.weekdays': 'Intl names the days',
    'InboxAccount.channel': 'the account says it; there is one network yet',
    'InboxConversation.channel': 'the account says it; there is one network yet',
    'ViewFilter.channel': 'there is one network yet',
    'ViewFilter.lead_quality': 'leads come with the seller',
    'InboxOpened.channel': 'the account says it; there is one network yet',
    'InboxConversation.personal_source': 'that it is personal is shown, not whence',
    'InboxOpened.personal_source': 'that it is personal is shown, not whence',
    'InboxFile.status': 'one that is stored is shown itself; the others are held below',
    'InboxDraft.status': 'only one that waits is shown',
    'AnalysisKnown.analysis_mode': 'only that it is off is shown',
    'AnalysisShown.analysis_mode': 'only that it is off is shown',
    'AnalysisKnownLead.quality': 'the pages of leads show it',
    'AnalysisKnownLead.status': 'the pages of leads show it',
    'AnalysisShown.phase': 'that it is stale is shown, not the phase',
    'AnalysisShownChoice.source': 'who chose is named',
    'BackfillShown.source': 'the account of an import is named',
    'BoardMetric.unit': 'is how a figure is written',
    'BoardNarrative.locale': 'is the language of the text',
    'BoardShown.locale': 'is the language of the text',
    'InsightsNarrativeCreateInBody.locale': 'is the language of the text',
    'CasesCreateCreateInBody.dimension': 'topics come with social content; the others are shown',
    'CasesGenerateGenerateInBody.dimensions': 'those of conversations, which are shown',
    'CasesGeneration.dimensions': 'those of conversations, which are shown',
    'CasesShown.dimension': 'topics come with social content; the others are shown',
    'CasesShown.source': 'that a case was found is shown',
    'LeadShown.interest': 'the pages of leads come next',
    'LeadShown.quality': 'the pages of leads come next',
    'LeadShown.status': 'the pages of leads come next',
    'MemoryShown.key': 'the pages of memory come next',
    'InboxLead.quality': 'leads come with the seller',
    'InboxLead.status': 'leads come with the seller',
    'InboxMessage.direction': 'is the side on which a message stands',
    'InboxMessage.send_basis': 'is told before a reply is written',
    'InboxReply.max_length_unit': 'is how the counter counts',
    'AiCreatePromptCreatePromptInBody.agent': 'the pages of AI come next',
    'DatasetFact.key': 'never asked for and never shown',
    'JudgeCheck.name': 'not shown yet',
    'JudgeCheck.verdict': 'not shown yet',
    'EngineCosts.group_by': 'the pages of AI come next',
    'EngineShownConfig.source': 'the pages of AI come next',
    'EngineShownPrompt.agent': 'the pages of AI come next',
    'EngineShownVersion.status': 'the pages of AI come next',
    'KnowledgeFound.matched': 'the pages of knowledge come next',
    'KnowledgeFound.type': 'the pages of knowledge come next',
    'KnowledgeUpdateUpdateInBody.status': 'the pages of knowledge come next',
    'SourceCreateBody.type': 'the pages of knowledge come next',
    'SourceDetail.status': 'the pages of knowledge come next',
    'SourceDetail.type': 'the pages of knowledge come next',
    'SourceShown.status': 'the pages of knowledge come next',
    'SourceShown.type': 'the pages of knowledge come next',
    'SettingPublic.messenger': 'no page reads it; the banner asks the report of the system',
    'SettingPublic.signup': 'decides whether sign-in has a link',
  };
  const asShown = (name: string, values: readonly string[]): string | undefined =>
    Object.keys(shown).find(
      (k) => k === name || (k.split('.')[1] === name.split('.').at(-1) && values.every((v) => enums[k]?.includes(v))),
    );

  test.each(Object.entries(shown))('%s', (name, places) => {
    expect(Object.keys(enums)).toContain(name);
    for (const [folder, prefix] of places)
      haveWords(enums[name]!, [folder], (v) => (prefix === 'bulk' ? `bulk.${v}.act` : `${prefix}.${v}`));
  });

  test('none is left out', () => {
    const forgotten = Object.entries(enums)
      .filter(([name, values]) => !(name in silent) && asShown(name, values) === undefined)
      .map(([name]) => name);
    expect(forgotten.filter((name) => !/language/.test(name))).toEqual([]);
  });
});

describe('what the service tells beside', () => {
  test('refusals', () => haveWords(errorCodes, ['shell', 'shell/codes'], (c) => `errors.${c}`));
  const absent = enums['InboxFile.status']!.filter((v) => v !== 'STORED');
  test('files that are not there', () => haveWords(absent, ['inbox'], (v) => `fileState.${v}`));
  test('groups of operations', () => haveWords(tags, ['event'], (x) => `tag.${x.replaceAll('-', '_')}`));
  test('notifications', () => {
    // Those of parts that are not shown yet.
    const later = /^(CALENDAR|CHANNEL)_/;
    const kinds = all(block(sources('app/notify'), 'var kinds = map[Kind]'), /^\t"([A-Z_]+)":/gm).filter((k) => !later.test(k));
    haveWords(kinds, ['notify'], (k) => `kind.${k}.title`);
    haveWords(kinds, ['notify'], (k) => `kind.${k}.text`);
    haveWords(
      kinds.filter((k) => !/^(DRAFT_WAITING|CAMPAIGN_COMPLETED|IMPORT_FINISHED|API_KEY_EXPIRING|SUPPORT_SESSION_STARTED)$/.test(k)),
      ['overview'],
      (k) => `attention.kind.${k}`,
    );
  });
  test('types of events', () => {
    const types = all(sources('app/event'), /^\t\w+\s+Type = "([a-z._]+)"/gm).filter((x) => !/^(ai|channels)\./.test(x));
    haveWords(types, ['event'], (x) => `type.${x}`);
    haveWords(
      types.filter((x) => x !== 'webhook.test'),
      ['hook'],
      (x) => `type.${x}`,
    );
  });
  test('actions of the log', () => {
    const code = sources('app');
    const types = all(code, /audit\.On\("([a-z_]+)"/g);
    const tables = block(code, 'var consequences = map[Event]') + block(code, 'var actions = map[Event]string');
    const lines = code
      .split('\n')
      .filter((l) => /audit\.Write|\bnote\(tx|archived\(c, in|action :=/.test(l))
      .join('\n');
    const marks = all(sources('app/audit'), /^const \w+ = "([a-z_]+\.[a-z_]+)"/gm); // entries that the log writes about itself
    expect(marks.length).toBeGreaterThan(0);
    haveWords(marks, ['admin'], (a) => `action.${a.replaceAll('.', '_')}`);
    const actions = [...all(lines + tables, /"([a-z_]+\.[a-z_]+)"/g), ...marks];
    expect(actions.length).toBeGreaterThan(60);
    haveWords(
      actions.map((a) => a.split('.')[1]!),
      ['audit'],
      (v) => `verb.${v}`,
    );
    haveWords([...types, ...actions.map((a) => a.split('.')[0]!)], ['audit'], (x) => `thing.${x}`);
    haveWords(types, ['admin'], (x) => `resource.${x}`);
    const platform = all(code, /(?:WriteTo\(tx, store\.Platform, c|note\(tx, c), "([a-z_]+\.[a-z_]+)"/g);
    haveWords(platform, ['admin'], (a) => `action.${a.replaceAll('.', '_')}`);
  });
  test('checks of a campaign, each verdict that it can come to', () => {
    const code = sources('app/campaign');
    const checks = [...block(code, 'var checks = []check{').matchAll(/\{"([a-z_]+)", "[^"]+", (\w+)\}/g)].map(
      (m) => [m[1]!, m[2]!] as const,
    );
    haveWords(
      checks.map(([key]) => key),
      ['campaign'],
      (k) => `check.${k}.label`,
    );
    const verdicts = checks.flatMap(([key, ask]) =>
      ['WARN', 'FAIL']
        .filter((v) => new RegExp(`\\b${v === 'WARN' ? 'Warn' : 'Fail'},`).test(block(code, `func ${ask}(`)))
        .map((v) => `${key}.${v}`),
    );
    expect(verdicts.length).toBeGreaterThan(30);
    haveWords(verdicts, ['campaign'], (v) => `check.${v}`);
  });
  test('why a person is not reached', () => {
    const code = sources('app/campaign', 'app/recipient');
    haveWords(all(code, /(?:because\(|Reason\{|^\t)"([A-Z_]{4,})"(?:\)|,|:\s+"[A-Z])/gm), ['shell/codes'], (c) => `code.${c}`);
  });
  test('what became of a message, and why an account stopped', () => {
    const code = sources('messenger/telegram');
    const own = all(code, /^\tcode\w+\s+= "([A-Z_]+)"/gm);
    const meanings = [...block(code, 'var meanings = map[string]meaning').matchAll(/^\t"([A-Z_]+)":\s+\{messenger\.(\w+), ""\}/gm)]
      .filter((m) => m[2] !== 'ContentRefused')
      .map((m) => m[1]!);
    haveWords(
      [...own, ...meanings, ...all(sources('app/send', 'app/account'), /(?:internalError|code\w*) = "([A-Z_]+)"/g)],
      ['shell/codes'],
      (c) => `code.${c}`,
    );
  });
  test('alerts and tasks of the platform', () => {
    haveWords(all(sources('app/admin'), /add\([^"\n]+, "([A-Z_]+)", (?:Critical|Warning|Info)/g), ['admin'], (k) => `alert.${k}`);
    haveWords(all(sources('app'), /Kind\(\) string\s*\{ return "([a-z._]+)" \}/g), ['admin'], (k) => `taskType.${k.replaceAll('.', '_')}`);
  });
  test('limits and permissions', () => {
    const limits = all(sources('app/org'), /^\tLimit\w+\s+LimitKey = "([a-z_]+)"/gm);
    haveWords(limits, ['shell/codes'], (k) => `limit.${k}`);
    haveWords(
      all(sources('app/api/perm'), /\w+: "([a-z]+:[a-z]+)"/g).filter((p) => !p.startsWith('ai:')),
      ['org'],
      (p) => `permission.${p.replace(':', '.')}`,
    );
  });
});
