import { Alert, Button, Group, Paper, Skeleton } from '@mantine/core';
import { Failed, Page, Status, useCan, useGet, valueWord } from '@shell';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { NewOrganization } from './NewOrganization';
import { SettingsSections } from './sections';
import { SettingsForm } from './SettingsForm';

/** What holds for the whole organization. */
export default function Settings() {
  const { t } = useTranslation('org');
  const can = useCan();
  const { data, error, refetch } = useGet('/organization', {});
  const [open, setOpen] = useState(false);
  const another = can('org:manage') && (
    <Button variant="default" leftSection={<IconPlus size={17} aria-hidden />} onClick={() => setOpen(true)}>
      {t('another.act')}
    </Button>
  );
  return (
    <Page
      title={t('settings.title')}
      lead={t('settings.lead')}
      actions={another}
      badge={
        data && (
          <Group gap={6}>
            <Status state={data.status} label={t(`settings.state.${data.status}`)} />
            <Status state="PLAN" label={t('usage.plan', { plan: valueWord(data.plan) ?? data.plan })} />
          </Group>
        )
      }
    >
      <SettingsSections />
      {error && !data && <Failed error={error} onAgain={() => void refetch()} />}
      {data?.status === 'SUSPENDED' && (
        <Alert color="red" mb="md" title={t('settings.suspended')}>
          {data.suspended_reason ?? t('settings.noReason')} {t('settings.suspendedNext')}
        </Alert>
      )}
      {data && !data.ai_enabled && (
        <Alert color="yellow" mb="md">
          {t('settings.aiOff')}
        </Alert>
      )}
      {data ? (
        <SettingsForm organization={data} />
      ) : (
        !error && (
          <Paper>
            <Skeleton h={320} />
          </Paper>
        )
      )}
      {open && <NewOrganization onClose={() => setOpen(false)} />}
    </Page>
  );
}
