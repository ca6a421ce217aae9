// What mod+K opens: pages, commands, and people by what is typed.
import 'virtual:mantine-pages.css';
import { Spotlight, spotlight, type SpotlightActionData } from '@mantine/spotlight';
import '@mantine/spotlight/styles.css';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Href } from '../addresses';
import type { Feature } from '../feature';
import { useCan, useMe } from '../session/me';
import { useNavigate } from '../link';

const typing = 200;
const shortest = 2;

export default function Palette({ features, asked }: { features: readonly Feature[]; asked: number }) {
  const { t } = useTranslation(['shell', 'nav']);
  const can = useCan();
  const navigate = useNavigate();
  const org = useMe().organization?.id;
  const [text, setText] = useState('');
  useEffect(() => spotlight.open(), [asked]); // it was loaded for that
  const [settled] = useDebouncedValue(text.trim(), typing);
  const { data: found = [] } = useQuery({
    queryKey: ['palette', org, settled],
    enabled: settled.length >= shortest,
    queryFn: async ({ signal }) =>
      // One kind that cannot be read just now takes nothing from the others.
      Promise.all(features.map(async (f) => ({ of: f, list: (await f.search?.(settled, signal).catch(() => [])) ?? [] }))),
  });
  const go = (to: Href) => () => void navigate({ to });
  const entry = (
    f: Feature,
    e: {
      label: string;
      to: Href;
      icon: Feature['navigation'] extends readonly (infer N)[] | undefined ? (N extends { icon: infer I } ? I : never) : never;
    },
  ): SpotlightActionData => ({
    id: `${f.name}.${e.label}`,
    label: t(`nav:${f.name}.${e.label}` as never),
    leftSection: <e.icon size={18} aria-hidden />,
    onClick: go(e.to),
  });
  const pages = features.flatMap((f) => (f.navigation ?? []).filter((e) => can(e.needs)).map((e) => entry(f, e)));
  const commands = features.flatMap((f) => (f.commands ?? []).filter((e) => can(e.needs)).map((e) => entry(f, e)));
  // What was found, by its kind: as the navigation calls the pages of that part.
  const records = found.map(({ of: f, list }) => ({
    group: f.navigation?.[0] ? t(`nav:${f.name}.${f.navigation[0].label}` as never) : t('shell:palette.people'),
    actions:
      settled === text.trim()
        ? list.map((p) => ({ id: p.id, label: p.label, description: p.description, keywords: settled, onClick: go(p.to) }))
        : [],
  }));
  const groups = [
    ...records,
    { group: t('shell:palette.commands'), actions: commands },
    { group: t('shell:palette.pages'), actions: pages },
  ].filter((g) => g.actions.length > 0);
  return (
    <Spotlight
      actions={groups}
      query={text}
      onQueryChange={setText}
      shortcut={null}
      nothingFound={t('shell:palette.nothing')}
      highlightQuery
      scrollable
      maxHeight={420}
      attributes={{ content: { 'aria-label': t('shell:palette.open') } }}
      searchProps={{
        leftSection: <IconSearch size={18} aria-hidden />,
        placeholder: t('shell:palette.hint'),
        'aria-label': t('shell:palette.open'),
      }}
    />
  );
}
