import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { expand, groups, typesOf } from './eventTypes';

/** What a subscription says in words: "Everything", a group, or single types. */
export function useEventWords(): (patterns: readonly string[]) => string {
  const { t } = useTranslation('hook');
  return useCallback(
    (patterns) => {
      if (patterns.includes('*')) return t('events.all');
      const chosen = expand(patterns);
      const whole = groups.filter((g) => typesOf(g).every((type) => chosen.includes(type)));
      const single = chosen.filter((type) => !whole.some((g) => type.startsWith(`${g}.`)));
      const unknown = patterns.filter((p) => expand([p]).length === 0);
      return [...whole.map((g) => t(`group.${g}`)), ...single.map((type) => t(`type.${type}`)), ...unknown].join(', ');
    },
    [t],
  );
}
