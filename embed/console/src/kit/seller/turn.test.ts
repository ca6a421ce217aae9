// What an execution tells of a turn.
import { expect, test } from 'vitest';
import { decidedOf, type Step, triesOf, usedOf } from './turn';

const value = (v: string, confidence = 0.9) => ({
  value: v,
  probability: null,
  confidence,
  threshold: 0.7,
  source: 'LLM',
  trusted: confidence >= 0.7,
});
const step = (s: Partial<Step>) => ({ id: s.kind, status: 'SUCCEEDED', error_code: null, answer: null, ...s }) as Step;

test('fields stand in the order in which people ask, what nobody has thought of last, and the id of the decision is none', () => {
  const decision = { decision_id: 'dec_1', stop: value('no'), mood: value('good'), intent: value('PRICE'), custom: value('no', 0.2) };
  expect(decidedOf(decision).map((d) => [d.field, d.trusted])).toEqual([
    ['intent', true],
    ['stop', true],
    ['custom', false],
    ['mood', true],
  ]);
  expect(decidedOf(null)).toEqual([]);
});

test('what the model says it used is that of its last answer', () => {
  const said = (offers: unknown) =>
    step({ kind: 'GENERATE', answer: JSON.stringify({ used_offer_ids: offers, used_chunk_ids: ['src_1/1/0'] }) });
  expect(usedOf([said(['ofr_1']), said(['ofr_2', 7])])).toEqual({ offers: ['ofr_2'], chunks: ['src_1/1/0'] });
  expect(usedOf([said('ofr_1')]).offers).toEqual([]);
  expect(usedOf([step({ kind: 'GENERATE', answer: 'Salom' })])).toEqual({ offers: [], chunks: [] });
  expect(usedOf([step({ kind: 'GENERATE' })])).toEqual({ offers: [], chunks: [] });
});

test('each try has what refused it', () => {
  const steps = [
    step({ kind: 'GENERATE' }),
    step({ kind: 'VALIDATE', status: 'FAILED', error_code: 'UNGROUNDED_FACT' }),
    step({ kind: 'VALIDATE' }),
  ];
  expect(triesOf(steps).map((x) => x.refused)).toEqual(['UNGROUNDED_FACT', null]);
});
