import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { expand, subscribable, unknown, useGroupWord, useTypeWord, wholeGroups } from '@kit';

/** What a subscription says in words: "Everything", a group, or single types. */
export function useEventWords(): (patterns: readonly string[]) => string {
  const { t } = useTranslation('hook');
  const typeWord = useTypeWord();
  const groupWord = useGroupWord();
  return useCallback(
    (patterns) => {
      if (patterns.includes('*')) return t('events.all');
      const chosen = expand(patterns);
      const whole = wholeGroups(chosen);
      const covered = whole.flatMap(subscribable);
      const single = chosen.filter((type) => !covered.includes(type));
      return [...whole.map(groupWord), ...single.map(typeWord), ...unknown(patterns)].join(', ');
    },
    [t, typeWord, groupWord],
  );
}
