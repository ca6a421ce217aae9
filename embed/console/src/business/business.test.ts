import { expect, test } from 'vitest';
import { type Agreed, verdictOf } from './agreement';
import { bookingOf, levels, outcomeOf } from './autonomy';
import { isAlwaysOpen, isClose, weekText, wrongTimes } from './hours';
import { linesOf } from './lines';
import { bodyOf as offerBody, changesOf, draftOf as offerDraft, newOf, wrongOf } from './offer';
import { sampleOf, texts } from './sample';
import { bodyOf, draftOf } from './settings';
import { changeOf, isNothing, keyFor, moved } from './stages';
import { type Communication, languages, type Offer, type Settings, type Stage, scenarios, type Week } from './types';

const closed: Week = { mon: [], tue: [], wed: [], thu: [], fri: [], sat: [], sun: [], exceptions: [] };
const names = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

test('a week is told with days of the same hours together', () => {
  const day = [{ open: '09:00', close: '18:00' }];
  const half = [{ open: '10:00', close: '14:00' }];
  const week: Week = { ...closed, mon: day, tue: day, wed: day, thu: day, fri: day, sat: half };
  expect(weekText(week, names, 'closed')).toBe('Mon–Fri 09:00–18:00; Sat 10:00–14:00; Sun closed');
  expect(weekText({ ...closed, wed: [...half, ...day] }, names, '–')).toBe('Mon–Tue –; Wed 10:00–14:00, 09:00–18:00; Thu–Sun –');
  expect(isAlwaysOpen(closed)).toBe(true);
  expect(isAlwaysOpen(week)).toBe(false);
});

test('times that are none are found, and the end of a day is one', () => {
  expect(isClose('24:00')).toBe(true);
  expect(wrongTimes({ ...closed, mon: [{ open: '09:00', close: '24:00' }] })).toEqual([]);
  const wrong: Week = {
    ...closed,
    tue: [{ open: '24:00', close: '18:00' }],
    sun: [{ open: '9:00', close: '' }],
    exceptions: [
      { date: '2026-03-21', hours: [] },
      { date: '', hours: [] },
    ],
  };
  expect(wrongTimes(wrong)).toEqual(['business_hours.tue', 'business_hours.sun', 'business_hours.exceptions[1]']);
});

test('what happens at each level is that of the contract', () => {
  const of = (level: number, approved: boolean, strict = false) =>
    outcomeOf(level, 'PRICING', { approved_scenarios: approved ? ['PRICING'] : [], strict_scenarios: strict ? ['PRICING'] : [] });
  expect(levels.map((l) => of(l, false))).toEqual(['NONE', 'RECOMMEND', 'DRAFT', 'DRAFT', 'SEND', 'SEND']);
  expect(levels.map((l) => of(l, true))).toEqual(['NONE', 'RECOMMEND', 'DRAFT', 'SEND', 'SEND', 'SEND']);
  expect(levels.map((l) => of(l, true, true))).toEqual(['NONE', 'RECOMMEND', 'DRAFT_EXACT', 'SEND_EXACT', 'SEND_EXACT', 'SEND_EXACT']);
  expect(levels.map(bookingOf)).toEqual(['NONE', 'NONE', 'BOOK_PENDING', 'BOOK_PENDING', 'BOOK_PENDING', 'BOOK']);
  expect(scenarios).toHaveLength(7);
});

const stage = (key: string, more: Partial<Stage> = {}): Stage => ({
  key,
  name: key,
  objective: '',
  allowed_actions: [],
  prohibited_actions: [],
  recommended_questions: [],
  handoff_rules: [],
  order: 0,
  ...more,
});

test('replacing stages says where conversations go', () => {
  const before = ['A', 'B', 'C', 'D'].map((k, order) => stage(k, { order }));
  const c = changeOf(before, [stage('D'), stage('B', { name: 'Bee' }), stage('E')]);
  expect(c.added.map((s) => s.key)).toEqual(['E']);
  expect(c.removed.map((r) => [r.stage.key, r.to?.name])).toEqual([
    ['A', 'D'], // nothing earlier stays: the first one
    ['C', 'Bee'],
  ]);
  expect(c.changed.map((s) => s.key)).toEqual(['B']);
  expect(c.reordered).toBe(true);
  expect(
    isNothing(
      changeOf(
        before,
        before.map((s) => ({ ...s, order: 9 })),
      ),
    ),
  ).toBe(true);
  expect(changeOf(before, moved(before, 0, 3)).reordered).toBe(true);
  expect(changeOf(before, []).removed[0]!.to).toBeUndefined();
});

test('the key of a stage is one that the API takes, and its own', () => {
  const key = /^[A-Z][A-Z0-9_]{1,39}$/;
  for (const name of ['Ready to buy', 'Сделка', '1. Yangi', 'x', 'A'.repeat(90), '', 'Toʻlov']) expect(keyFor(name, []), name).toMatch(key);
  expect(keyFor('Сделка', ['STAGE', 'STAGE_2'])).toBe('STAGE_3');
  expect(keyFor('New', [])).toBe('NEW');
});

test('an offer is sent as what changed, and without a price without a currency', () => {
  const o = offerDraft({ name: 'Rose', price: 12000, price_max: null, currency: 'UZS', type: 'PRODUCT' } as unknown as Offer);
  expect(changesOf(o, { ...o, price: 13000 })).toEqual({ price: 13000 });
  expect(changesOf(o, { ...o, price: '' })).toEqual({ price: null, currency: null });
  expect(changesOf(o, { ...o, name: ' Rose ' })).toEqual({});
  expect(newOf({ ...o, price: '' })).not.toHaveProperty('price');
  expect(offerBody({ ...o, description: '  ' }).description).toBeNull();
  expect(wrongOf({ ...o, name: ' ', price_max: 5 })).toEqual({ name: 'nameMissing', price_max: 'offers.priceOrder' });
  expect(wrongOf({ ...o, price: '', price_max: 5 })).toEqual({ price_max: 'offers.priceBelow' });
  expect(wrongOf(o)).toEqual({});
});

test('settings that were read are sent as they were', () => {
  const rule = { enabled: true, threshold: null, notify_user_ids: [], sentence: null };
  const s = {
    business_id: 'bus_1',
    version: 3,
    updated_at: null,
    max_reply_characters: null,
    follow_up: { limit: 1, delay_minutes: 240, quiet_hours: null },
    handoff_rules: { COMPLAINT: rule, CUSTOM: { ...rule, threshold: 0.7, sentence: 'x' } },
    prohibited_phrases: [' never ', ''],
  } as unknown as Settings;
  const body = bodyOf(draftOf(s));
  expect(body.follow_up).toEqual(s.follow_up);
  expect(body.max_reply_characters).toBeNull();
  expect(body.handoff_rules.COMPLAINT).toEqual(rule);
  expect(body.handoff_rules.CUSTOM).toEqual({ ...rule, threshold: 0.7, sentence: 'x' });
  expect(body.prohibited_phrases).toEqual(['never']);
  expect(body).not.toHaveProperty('version');
  const night = { ...s, follow_up: { ...s.follow_up, quiet_hours: { start: '22:00', end: '08:00' } } };
  expect(bodyOf(draftOf(night)).follow_up).toEqual(night.follow_up);
});

test('every choice of a manner is heard in its sample', () => {
  const plain: Pick<Communication, 'formality' | 'address' | 'emoji' | 'sentence_length' | 'max_questions'> = {
    formality: 'NEUTRAL',
    address: 'POLITE_YOU',
    emoji: 'NONE',
    sentence_length: 'SHORT',
    max_questions: 1,
  };
  const others = [
    { formality: 'FORMAL' },
    { formality: 'FRIENDLY' },
    { address: 'INFORMAL_YOU' },
    { emoji: 'FEW' },
    { emoji: 'MANY' },
    { sentence_length: 'MEDIUM' },
    { sentence_length: 'LONG' },
    { max_questions: 2 },
  ] as const;
  for (const l of languages) {
    const heard = [plain, ...others.map((x) => ({ ...plain, ...x }))].map((s) => sampleOf(s, l));
    expect(new Set(heard).size, l).toBe(heard.length);
    expect(heard[0]).not.toMatch(/\p{Extended_Pictographic}/u);
  }
  expect(JSON.stringify(texts.uz)).not.toMatch(/['‘’`´]/);
});

test('the next level is offered when every topic that was compared enough agrees, and not above what is compared', () => {
  const topic = (enough: boolean, low: number | null) => ({
    scenario: 'PRICING',
    turns: 60,
    compared: enough ? 40 : 3,
    agreement: 0.9,
    interval_95: low === null ? null : [low, 0.97],
    enough,
  });
  const of = (...by_scenario: ReturnType<typeof topic>[]) => ({ turns: 60, compared: 40, agreement: 0.9, by_scenario }) as Agreed;
  expect(verdictOf(3, { turns: 0, compared: 0, agreement: null, by_scenario: [] } as Agreed)).toBe('none');
  expect(verdictOf(2, of(topic(false, 0.4), topic(false, null)))).toBe('few');
  expect(verdictOf(3, of(topic(true, 0.82), topic(false, 0.1)))).toBe('raise');
  expect(verdictOf(3, of(topic(true, 0.82), topic(true, 0.79)))).toBe('wait');
  expect(verdictOf(4, of(topic(true, 0.95)))).toBe('none');
});

test('questions and addresses are one a line', () => {
  expect(linesOf(' a \n\n b?\n')).toEqual(['a', 'b?']);
  expect(linesOf(' \n')).toEqual([]);
});
