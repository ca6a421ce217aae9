import {
  Alert,
  Button,
  Checkbox,
  Group,
  NumberInput,
  Paper,
  PasswordInput,
  Radio,
  Skeleton,
  Stack,
  Switch,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { Failed, Page, Status, Unsaved, useAction, useCan, useFormat, useGet, useHeld, When } from '@shell';
import { IconPlugConnected } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { bodyOf, draftOf, faultOf, type Jev } from './jev';
import { EngineSections } from './sections';
import { Thresholds } from './Thresholds';

const colors = { OK: 'green', FAILING: 'red', OFF: 'gray' } as const;

/** Whether, and on which terms, an outside service decides in the place of a model. */
export default function JevPage() {
  const { t } = useTranslation('engine');
  const { data, error, refetch } = useGet('/ai/jev', {});
  return (
    <Page
      title={t('jev.title')}
      lead={t('jev.lead')}
      badge={data && <Status state={data.status} color={colors[data.status]} label={t(`jev.state.${data.status}`)} />}
    >
      <EngineSections />
      {error && !data && <Failed error={error} onAgain={() => void refetch()} />}
      {!data && !error && <Skeleton h={320} />}
      {data && (
        <Stack maw={760}>
          {data.cooldown_until && (
            <Alert color="red">
              {t('jev.rests')} <When at={data.cooldown_until} exact />
            </Alert>
          )}
          <Form of={data} />
          <Test of={data} />
        </Stack>
      )}
    </Page>
  );
}

function Form({ of: j }: { of: Jev }) {
  const { t } = useTranslation('engine');
  const may = useCan()('ai:manage');
  const form = useForm({
    initialValues: draftOf(j),
    validate: {
      base_url: (v, all) => (all.enabled && !v.trim() ? t('jev.urlMissing') : null),
      sharing_consent: (v, all) => (all.enabled && !v ? t('jev.consentMissing') : null),
    },
  });
  const v = form.values;
  const put = useAction('put', '/ai/jev', { form, stale: ['/ai/jev'], done: t('form.saved') });
  useHeld(form, draftOf(j));
  return (
    <form onSubmit={form.onSubmit((d) => void put.run({ body: bodyOf(d) }))} noValidate>
      <Unsaved form={form} />
      <Stack>
        <Paper component="section" aria-label={t('jev.consent')}>
          <Stack>
            <Text size="sm">{t('jev.shared')}</Text>
            <Checkbox label={t('jev.consent')} disabled={!may} {...form.getInputProps('sharing_consent', { type: 'checkbox' })} />
            <Switch
              size="md"
              label={t('jev.enabled')}
              description={t('jev.enabledHint')}
              disabled={!may}
              {...form.getInputProps('enabled', { type: 'checkbox' })}
            />
          </Stack>
        </Paper>
        <Paper component="section" aria-label={t('jev.service')}>
          <Stack>
            <Title order={2}>{t('jev.service')}</Title>
            <TextInput
              label={t('form.url')}
              placeholder="https://jev.example.com"
              type="url"
              maxLength={500}
              disabled={!may}
              {...form.getInputProps('base_url')}
            />
            <PasswordInput
              label={t('form.key')}
              description={t(j.api_key_set ? 'jev.keyKept' : 'jev.keyNone')}
              autoComplete="off"
              maxLength={500}
              disabled={!may || v.forget_key}
              visibilityToggleButtonProps={{ 'aria-label': t('form.keyShow') }}
              {...form.getInputProps('api_key')}
            />
            {j.api_key_set && (
              <Checkbox label={t('jev.forgetKey')} disabled={!may} {...form.getInputProps('forget_key', { type: 'checkbox' })} />
            )}
            <NumberInput
              label={t('jev.timeout')}
              min={100}
              max={20_000}
              step={100}
              allowDecimal={false}
              disabled={!may}
              {...form.getInputProps('timeout_ms')}
            />
            <Radio.Group label={t('jev.otherwise')} {...form.getInputProps('fallback')}>
              {(['LLM', 'NONE'] as const).map((x) => (
                <Radio key={x} value={x} label={t(`jev.fallback.${x}`)} mt={6} disabled={!may} />
              ))}
            </Radio.Group>
          </Stack>
        </Paper>
        <Thresholds form={form} disabled={!may} />
        {may && (
          <Group>
            <Button type="submit" loading={put.pending} disabled={!form.isDirty()}>
              {t('form.save')}
            </Button>
          </Group>
        )}
      </Stack>
    </form>
  );
}

/** Asks the service about a message that nobody wrote. */
function Test({ of: j }: { of: Jev }) {
  const { t } = useTranslation('engine');
  const f = useFormat();
  const may = useCan()('ai:manage');
  const test = useAction('post', '/ai/jev/test', { stale: ['/ai/jev'] });
  const last = j.last_test;
  const fault = last && !last.ok ? faultOf(last.message) : undefined;
  return (
    <Paper component="section" aria-label={t('test.title')} data-tested={last ? String(last.ok) : undefined}>
      <Title order={2}>{t('test.title')}</Title>
      <Text size="sm" c="dimmed" mb="sm">
        {t('jev.testLead')}
      </Text>
      {may && (
        <Button
          variant="default"
          leftSection={<IconPlugConnected size={17} aria-hidden />}
          loading={test.pending}
          disabled={!j.base_url}
          onClick={() => void test.run({})}
        >
          {t('test.act')}
        </Button>
      )}
      <div role="status">
        {last && (
          <Alert
            mt="sm"
            color={last.ok ? 'green' : 'red'}
            title={last.ok ? t('test.ok', { ms: f.number(last.latency_ms) }) : t('test.failed')}
          >
            {fault && `${t(`jev.fault.${fault.key}`, { status: fault.status })} `}
            {last.model_version && `${t('test.answered', { model: last.model_version })} · `}
            <When at={last.at} />
          </Alert>
        )}
      </div>
    </Paper>
  );
}
