// The words for codes of the seller that several parts of the console show. Whoever asks uses the words of the kit.
import i18next from 'i18next';
import { reasons } from './reasons';

const word = (key: string, code: string): string =>
  i18next.exists(key, { ns: 'kit' }) ? (i18next.t(key as never, { ns: 'kit' }) as string) : code;

/** What a check of replies has against one; the code of a check that nobody has thought of. */
export const checkWord = (code: string): string => word(`check.${code}`, code);

/** What a message is about. */
export const scenarioWord = (scenario: string): string => word(`scenario.${scenario || 'OTHER'}`, scenario);

/** What the seller does next; a step in words stays as it is. */
export const actionWord = (action: string): string => word(`action.${action}`, action);

/** A field of the decision, and the value that was found for it; a stage is the key that the funnel gives it. */
export const fieldOfDecision = (field: string): string => word(`field.${field}`, field);
export const valueOfDecision = (field: string, value: string): string =>
  field === 'scenario'
    ? scenarioWord(value)
    : field === 'next_action'
      ? actionWord(value)
      : field === 'sales_stage'
        ? value
        : word(`value.${value}`, value);

/** What a fact about a customer is about. */
export const factWord = (key: string): string => word(`memory.${key}`, key);

/** Why a person is needed, as the service says it; what a model says of a conversation stays as it is. */
export function reasonWord(reason: string): string {
  for (const [sign, key] of reasons) {
    const found = sign.exec(reason);
    if (found) return i18next.t(`reason.${key}` as never, { ns: 'kit', ...found.groups });
  }
  return reason;
}
