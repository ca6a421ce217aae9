import { Sections as Parts } from '@shell';
import { useTranslation } from 'react-i18next';

const sections = [
  { to: '/recipients', key: 'people' },
  { to: '/recipients/lists', key: 'lists' },
  { to: '/recipients/tags', key: 'tags' },
  { to: '/recipients/imports', key: 'imports' },
  { to: '/recipients/suppressions', key: 'suppressions' },
] as const;

/** The parts of "Recipients", on each of them. */
export function Sections() {
  const { t } = useTranslation('recipient');
  return <Parts of={sections.map((s) => ({ to: s.to, label: t(`sections.${s.key}`) }))} />;
}
