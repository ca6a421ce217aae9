// What the service tells by codes outside the fields of its answers has words in the three languages.
import { describe, test, expect } from 'vitest';
import { all, block, enums, errorCodes, fields, sources, tags } from './server';
import { haveWords } from './words';
import { eventGroups, typesOf } from '../src/kit/events/types';

describe('what the service tells beside', () => {
  test('refusals', () => haveWords(errorCodes, ['shell', 'shell/codes'], (c) => `errors.${c}`));
  // What a browser makes for passkeys and push, and machines for signing in: no person fills it in.
  const machine =
    /^(attestationObject|auth|authenticatorData|challenge_id|clientDataJSON|credential|grant_type|p256dh|response|transports|userHandle)$/;
  test('fields of requests', () => {
    const filled = fields.filter((f) => !machine.test(f));
    expect(filled.length).toBeGreaterThan(300);
    haveWords(filled, ['shell/codes'], (f) => `name.${f}`);
  });
  const absent = enums['InboxFile.status']!.filter((v) => v !== 'STORED');
  test('files that are not there', () => haveWords(absent, ['inbox'], (v) => `fileState.${v}`));
  test('groups of operations', () => haveWords(tags, ['event'], (x) => `tag.${x.replaceAll('-', '_')}`));
  test('notifications', () => {
    const kinds = all(block(sources('app/notify'), 'var kinds = map[Kind]'), /^\t"([A-Z_]+)":/gm);
    haveWords(kinds, ['notify'], (k) => `kind.${k}.title`);
    haveWords(kinds, ['notify'], (k) => `kind.${k}.text`);
    haveWords(
      kinds.filter((k) => !/^(DRAFT_WAITING|CAMPAIGN_COMPLETED|IMPORT_FINISHED|API_KEY_EXPIRING|SUPPORT_SESSION_STARTED)$/.test(k)),
      ['overview'],
      (k) => `attention.kind.${k}`,
    );
  });
  test('types of events', () => {
    const types = all(sources('app/event'), /^\t\w+\s+Type = "([a-z._]+)"/gm);
    haveWords(types, ['kit'], (x) => `event.type.${x}`);
    haveWords(eventGroups, ['kit'], (g) => `event.group.${g}`);
    expect(eventGroups.flatMap(typesOf).sort()).toEqual(types.sort());
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
