import i18next from 'i18next';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';

/** What the log tells of, in the order of the filter. */
export const things = [
  'campaign',
  'recipient',
  'list',
  'suppression',
  'import',
  'template',
  'attachment',
  'account',
  'proxy',
  'webhook',
  'api_key',
  'organization',
  'member',
  'invitation',
  'user',
  'session',
  'support_session',
  'abuse_report',
  'settings',
  'task',
] as const;

const known = (key: string) => i18next.exists(key, { ns: 'audit' });

export function useThingWord(): (type: string) => string {
  const { t } = useTranslation('audit');
  return useCallback((type) => (known(`thing.${type}`) ? t(`thing.${type}`) : type), [t]);
}

/** "Campaign: started"; an action of a later version as it is. */
export function useActionWord(): (action: string) => string {
  const { t } = useTranslation('audit');
  const thing = useThingWord();
  return useCallback(
    (action) => {
      const whole = `action.${action.replace('.', '_')}`; // of those whose verb says something else elsewhere
      if (known(whole)) return t(whole as never);
      const [type = '', verb = ''] = action.split('.');
      return known(`verb.${verb}`) ? `${thing(type)}: ${t(`verb.${verb}`)}` : action;
    },
    [t, thing],
  );
}
