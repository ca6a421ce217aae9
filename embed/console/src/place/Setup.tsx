// What stands between a person and the map: no map on this server, or a key that it
// wants first.
import { Button, Group, Paper, PasswordInput, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Copy, Empty, Failed, useMe } from '@shell';
import type { ApiError } from '@shell/api/error';
import { IconMapOff } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { setMapKey, useMapKey } from './key';

/** Says that there is no map, and to who runs the platform which commands make one. */
export function NoMap() {
  const { t } = useTranslation('place');
  const admin = useMe().user?.is_platform_admin;
  return (
    <Paper>
      <Empty icon={<IconMapOff size={32} stroke={1.4} aria-hidden />} title={t('none.title')} text={t(admin ? 'none.text' : 'none.ask')} />
      {admin && (
        <Stack maw={640} mx="auto" gap="xs" pb="md">
          <Text size="sm">{t('none.build')}</Text>
          <Copy value="svc map build uzbekistan-latest.osm.pbf --out uzbekistan.svcmap" />
          <Text size="sm">{t('none.serve')}</Text>
          <Copy value="svc serve --map uzbekistan.svcmap" />
        </Stack>
      )}
    </Paper>
  );
}

/** Whether a refusal is about the key. */
export const wantsKey = (e: ApiError | null | undefined): boolean => e?.status === 401 || e?.status === 403;

/** Asks for a key of the map; it stays in this tab only. */
export function KeyForm({ problem }: { problem?: ApiError | null }) {
  const { t } = useTranslation('place');
  const had = useMapKey();
  const form = useForm({ initialValues: { key: '' } });
  const key = form.values.key.trim();
  const wrong = problem && had !== '' ? t(problem.status === 403 ? 'key.notHere' : 'key.wrong') : undefined;
  return (
    <Paper maw={560}>
      <form onSubmit={form.onSubmit(() => void (key && setMapKey(key)))}>
        <Stack>
          <PasswordInput
            label={t('key.label')}
            description={t('key.hint')}
            {...form.getInputProps('key')}
            autoComplete="off"
            error={wrong}
            visibilityToggleButtonProps={{ 'aria-label': t('key.show') }}
            maxLength={200}
          />
          <Group>
            <Button type="submit" disabled={key === ''}>
              {t('key.use')}
            </Button>
          </Group>
          <Text size="sm" c="dimmed">
            {t('key.none')}
          </Text>
        </Stack>
      </form>
    </Paper>
  );
}

/** A refusal of the map service: the key form where a key helps, else what happened. */
export function Refused({ error, onAgain }: { error: ApiError; onAgain: () => void }) {
  return wantsKey(error) ? <KeyForm problem={error} /> : <Failed error={error} onAgain={onAgain} />;
}
