import { useCan, useGet } from '@shell';
import { useMemo } from 'react';

export interface Colleague {
  id: string;
  name: string;
}

/** Members who answer customers; nobody to who may not read the team. */
export function useColleagues(enabled = true): Colleague[] {
  const may = useCan()('members:read');
  const { data } = useGet('/members', { query: { limit: 500 } }, { enabled: enabled && may });
  return useMemo(
    () => (data?.data ?? []).filter((m) => m.role !== 'ANALYST').map((m) => ({ id: m.user.id, name: m.user.name || m.user.email })),
    [data],
  );
}
