import { useDebouncedValue } from '@mantine/hooks';
import { useCan, useGet } from '@shell';
import { personLabel } from './person';

const typing = 250;
const shown = 20;

export interface Option {
  value: string;
  label: string;
}

/** People by what is typed: the beginning of a first or last name, or of a username; the newest while nothing is. */
export function useFound(search: string, chosen: readonly string[] = []): { found: Option[]; waits: boolean; may: boolean } {
  const may = useCan()('recipients:read');
  const [typed] = useDebouncedValue(search.trim().replace(/^@/, ''), typing);
  const q = typed.length > 1 && !chosen.includes(search) ? typed : undefined;
  const { data, isFetching } = useGet('/recipients', { query: { limit: shown, q } }, { keep: true, enabled: may });
  return { found: (data?.data ?? []).map((r) => ({ value: r.id, label: personLabel(r) })), waits: isFetching, may };
}
