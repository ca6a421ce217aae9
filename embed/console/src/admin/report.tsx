import { Select } from '@mantine/core';
import { type Schema, useGet } from '@shell';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { mostOfAList } from './parts';

export type Report = Schema<'AdminShownReport'>;

/** The people who administer the platform and can sign in. */
export function useAdministrators(): { value: string; label: string }[] {
  const { data } = useGet('/admin/users', { query: { status: 'ACTIVE', limit: mostOfAList } });
  return (data?.data ?? []).filter((u) => u.is_platform_admin).map((u) => ({ value: u.id, label: u.name || u.email }));
}

export function AssigneeChoice({
  value,
  onChange,
  error,
}: {
  value?: string | null;
  onChange: (v: string | null) => void;
  error?: ReactNode;
}) {
  const { t } = useTranslation(['admin', 'shell']);
  return (
    <Select
      label={t('report.assigned')}
      placeholder={t('report.nobody')}
      data={useAdministrators()}
      value={value}
      onChange={onChange}
      error={error}
      clearable
      clearButtonProps={{ 'aria-label': t('shell:list.clearSearch') }}
    />
  );
}
