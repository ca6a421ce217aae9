import { Button, Group, NumberInput, Progress, SegmentedControl, Skeleton, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Dialog, Failed, type Schema, useAction, useFormat, useGet } from '@shell';
import { IconPencil } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { changed, choiceOf, type Choice, limitKeys, type LimitChoices } from './limitFields';
import { Part } from './parts';

type Organization = Schema<'AdminOrganization'>;
type Answer = Schema<'AdminLimits'>;

/** What an organization may have, how much of it is used, and what stands in the place of the plan's. */
export function Limits({ organization: o }: { organization: Organization }) {
  const { t } = useTranslation('admin');
  const { data, error, refetch } = useGet('/admin/organizations/{id}/limits', { path: { id: o.id } });
  const [editing, setEditing] = useState(false);
  return (
    <Part
      title={t('limits.title')}
      lead={t('limits.lead', { plan: t(`plan.${o.plan}`) })}
      action={
        data && (
          <Button variant="default" size="compact-sm" leftSection={<IconPencil size={15} aria-hidden />} onClick={() => setEditing(true)}>
            {t('limits.change')}
          </Button>
        )
      }
    >
      {error && !data && <Failed error={error} onAgain={() => void refetch()} />}
      {!data && !error && <Skeleton h={200} />}
      {data && limitKeys.map((key) => <Line key={key} name={key} limits={data} used={o.usage.used?.[key]} />)}
      {data && editing && <Edit id={o.id} limits={data} onClose={() => setEditing(false)} />}
    </Part>
  );
}

/** From this share on a limit wants an eye. */
const nearly = 80;

function Line({ name, limits, used }: { name: string; limits: Answer; used: number | undefined }) {
  const { t } = useTranslation('admin');
  const say = useSay();
  const limit = limits.effective?.[name];
  const share = typeof limit === 'number' && limit > 0 && used !== undefined ? Math.min(100, (used / limit) * 100) : undefined;
  const own = limits.overrides && name in limits.overrides;
  return (
    <div>
      <Group justify="space-between" gap="xs">
        <Text size="sm">
          {t(`limit.${name}`)}
          {own && (
            <Text span size="xs" c="dimmed">
              {' '}
              · {t('limits.own', { value: say(limits.limits?.[name]) })}
            </Text>
          )}
        </Text>
        <Text size="sm" fw={550}>
          {used === undefined ? say(limit) : t('limits.of', { used: say(used), limit: say(limit) })}
        </Text>
      </Group>
      {share !== undefined && (
        <Progress
          value={share}
          color={share >= 100 ? 'red' : share >= nearly ? 'yellow' : undefined}
          size="sm"
          mt={3}
          aria-label={t(`limit.${name}`)}
        />
      )}
    </div>
  );
}

/** A limit in words. */
function useSay() {
  const { t } = useTranslation('admin');
  const f = useFormat();
  return (v: unknown): string =>
    v === null || v === undefined ? t('limits.unlimited') : typeof v === 'boolean' ? t(v ? 'yes' : 'no') : f.number(Number(v));
}

function Edit({ id, limits, onClose }: { id: string; limits: Answer; onClose: () => void }) {
  const { t } = useTranslation(['admin', 'shell']);
  const say = useSay();
  const before = Object.fromEntries(limitKeys.map((k) => [k, choiceOf(limits.overrides, limits.effective, k)])) as LimitChoices;
  const form = useForm({ initialValues: before });
  const act = useAction('put', '/admin/organizations/{id}/limits', {
    form,
    stale: ['/admin'],
    done: t('saved'),
    then: onClose,
  });
  const choices = form.values;
  const put = (key: string, c: Choice) => form.setFieldValue(key, c);
  const body = changed(before, choices);
  return (
    <Dialog onClose={onClose} title={t('limits.change')} size="lg">
      <form onSubmit={form.onSubmit(() => void act.run({ path: { id }, body: { overrides: body } }))}>
        <Stack gap="sm">
          <Text size="sm">{t('limits.text')}</Text>
          {limitKeys.map((key) => {
            const c = choices[key]!;
            const truth = key === 'api_access';
            const options = truth ? ['plan', 'yes', 'no'] : ['plan', 'none', 'number'];
            return (
              <Group key={key} gap="sm" justify="space-between" role="group" aria-label={t(`limit.${key}`)}>
                <Text size="sm" flex="1 1 180px">
                  {t(`limit.${key}`)}
                </Text>
                <SegmentedControl
                  size="xs"
                  value={c.kind}
                  onChange={(kind) => put(key, { ...c, kind: kind as Choice['kind'] })}
                  aria-label={t(`limit.${key}`)}
                  data={options.map((value) => ({
                    value,
                    label: value === 'plan' ? t('limits.plan', { value: say(limits.limits?.[key]) }) : t(`limits.${value}`),
                  }))}
                />
                <NumberInput
                  w={110}
                  size="xs"
                  min={0}
                  allowDecimal={false}
                  value={c.value}
                  disabled={c.kind !== 'number'}
                  style={{ visibility: truth ? 'hidden' : undefined }}
                  aria-label={t('limits.value', { name: t(`limit.${key}`) })}
                  onChange={(v) => put(key, { ...c, value: v })}
                  error={form.errors[key] ?? form.errors[`overrides.${key}`]}
                />
              </Group>
            );
          })}
          {form.errors.overrides && (
            <Text size="sm" c="var(--mantine-color-error)" role="alert">
              {form.errors.overrides}
            </Text>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('shell:cancel')}
            </Button>
            <Button type="submit" loading={act.pending} disabled={Object.keys(body).length === 0}>
              {t('save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
