// What a check found, with its values. The API says it in English sentences; those that
// name somebody or something are taken apart here.
import { fieldWord, limitWord, prefixOf, useFormat, wrongWord } from '@shell';
import { useTranslation } from 'react-i18next';
import type { Check } from './model';

/** By check: the sentence as it begins, and the key of its words; its groups are the values. */
export const sentences: Readonly<Record<string, readonly (readonly [RegExp, string])[]>> = {
  plan_limits: [
    [/^The plan allows (?<limit>\d+) \((?<what>\w+)\), and (?<used>\d+) would/, 'planFull'],
    [/^(?<used>\d+) of the (?<limit>\d+) that the plan allows \((?<what>\w+)\)/, 'planNear'],
  ],
  message_content: [
    [/^The text cannot be read: (?<why>.+)$/, 'formatting'],
    [/^The message has neither/, 'nothing'],
  ],
  message_length: [
    [/^For somebody the text has (?<n>\d+) characters, and (?<most>\d+) are/, 'tooLong'],
    [/^The longest text has (?<n>\d+) of (?<most>\d+)/, 'nearlyLong'],
  ],
  template_variables: [
    [/^Nobody in the audience has a value for (?<variables>.+?); correct/, 'noVariable'],
    [/^(?<n>\d+) (?:person has|people have) no value for (?<variables>.+?) and will/, 'someVariable'],
    [/^Everybody reads the text behind \| of (?<variables>.+?), because/, 'onlyDefault'],
  ],
  opt_out_link: [[/^The opt-out link has no address/, 'noAddress']],
  attachments_ready: [[/^These attachments are missing or too large: (?<files>.+?); upload/, 'files']],
  audience_sendable: [[/left out: (?<n>\d+) of (?<most>\d+) can/, 'half']],
  consent_basis: [[/^(?<n>\d+) /, 'noBasis']],
  duplicate_send: [[/^(?<n>\d+) /, 'repeated']],
  accounts_authorized: [[/again: (?<names>.+)\.$/, 'signIn']],
  accounts_healthy: [
    [/reached: (?<names>.+?); mend/, 'ill'],
    [/nothing: (?<names>.+)\.$/, 'paused'],
  ],
  accounts_cooldown: [[/wait: (?<names>.+?); they/, 'cooldown']],
  accounts_in_use: [[/too: (?<names>.+?); they/, 'shared']],
  proxies_reachable: [
    [/cannot be used: (?<names>.+?)(?:; mend it)?\.$/, 'proxyBroken'],
    [/24 hours: (?<names>.+)\.$/, 'proxyStale'],
  ],
  reachability: [[/^(?<n>\d+) /, 'byNumber']],
  schedule: [
    [/^It would end before/, 'endFirst'],
    [/^It begins more than 12 months/, 'tooFar'],
  ],
  sending_window: [
    [/^The sending window is empty/, 'emptyHours'],
    [/does not open between/, 'neverOpen'],
  ],
  capacity: [
    [/never ends/, 'neverEnds'],
    [/need until (?<at>.+? UTC)\./, 'tooLate'],
    [/^It takes about (?<n>\d+) days/, 'long'],
  ],
  quiet_hours: [[/^It would send at (?<time>\d\d:\d\d) \(.+?, (?<zone>[^)]+)\)/, 'atNight']],
};

/** What a check found in words, undefined where the general words of its verdict say it all. */
export function useFound(): (x: Pick<Check, 'key' | 'status' | 'message'>) => string | undefined {
  const { t } = useTranslation('campaign');
  const f = useFormat();
  const value = (name: string, text: string): string => {
    switch (name) {
      case 'n':
      case 'most':
      case 'limit':
      case 'used':
        return f.number(Number(text));
      case 'what':
        return limitWord(text);
      case 'why':
        return wrongWord(text);
      case 'at':
        return f.time(text);
      case 'files':
        return (
          text
            .split(', ')
            .filter((x) => !prefixOf(x))
            .join(', ') ||
          (fieldWord('attachment_ids') ?? '')
        );
      default:
        return text;
    }
  };
  return (x) => {
    for (const [sign, key] of x.status === 'PASS' ? [] : (sentences[x.key] ?? [])) {
      const found = sign.exec(x.message);
      if (!found) continue;
      const { groups = {} } = found;
      const values = Object.fromEntries(Object.entries(groups).map(([k, v]) => [k, value(k, v ?? '')]));
      return t(`found.${key}` as never, { ...values, count: Number(groups.n ?? 0) });
    }
    return undefined;
  };
}
