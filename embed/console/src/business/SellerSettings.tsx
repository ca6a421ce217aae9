import {
  Alert,
  Button,
  Checkbox,
  Group,
  NumberInput,
  Paper,
  Radio,
  SimpleGrid,
  Skeleton,
  Slider,
  Stack,
  Switch,
  TagsInput,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMediaQuery } from '@mantine/hooks';
import { Failed, late, Unsaved, useAction, useCan, useGet } from '@shell';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { Agreement } from './Agreement';
import { levels } from './autonomy';
import { Detection } from './Detection';
import { Handoffs } from './Handoffs';
import { Outcomes } from './Outcomes';
import { Wrong } from './parts';
import { texts } from './sample';
import { bodyOf, draftOf } from './settings';
import { type Business, languages, type Settings } from './types';
import { Voice } from './Voice';

const Try = late(() => import('./Try'));

/** Where there is room for the settings and the playground. */
const both = '(min-width: 85em)';

/** How much the seller of a business may do by itself, when, and how it says what it is. */
export default function SellerSettings({ business: b }: { business: Business }) {
  const { data: s, error, refetch } = useGet('/ai/businesses/{id}/seller-settings', { path: { id: b.id } });
  const wide = useMediaQuery(both, undefined, { getInitialValueInEffect: false });
  if (!s) return error ? <Failed error={error} onAgain={() => void refetch()} /> : <Skeleton h={320} />;
  return (
    <div style={wide ? { display: 'grid', gridTemplateColumns: 'minmax(0, 1fr) 420px', gap: 'var(--mantine-spacing-md)' } : undefined}>
      <Form key={s.version} business={b} settings={s} />
      {wide && <Beside business={b} />}
    </div>
  );
}

/** The playground, which follows while the settings are scrolled. */
function Beside({ business: b }: { business: Business }) {
  const { t } = useTranslation('business');
  const top = 'calc(var(--app-shell-header-height, 56px) + var(--mantine-spacing-md))';
  return (
    <Paper
      component="aside"
      aria-label={t('tab.try')}
      pos="sticky"
      top={top}
      mah={`calc(100vh - ${top} - var(--mantine-spacing-md))`}
      style={{ alignSelf: 'start', overflowY: 'auto' }}
      data-beside
    >
      <Title order={2}>{t('tab.try')}</Title>
      <Text size="sm" c="dimmed" mb="xs">
        {t('try.saved')}
      </Text>
      <Suspense fallback={<Skeleton h={200} />}>
        <Try business={b} />
      </Suspense>
    </Paper>
  );
}

/** The fields that show what is wrong with them beside themselves. */
const own = /^(disclosure|handoff_notice|reply_delay_seconds|follow_up|max_reply_characters|prohibited_phrases|confidence_threshold)(\.|$)/;

function Form({ business: b, settings: s }: { business: Business; settings: Settings }) {
  const { t } = useTranslation('business');
  const may = useCan()('ai:manage');
  const form = useForm({
    initialValues: draftOf(s),
    validate: {
      reply_delay_seconds: { max: (v, all) => (v < all.reply_delay_seconds.min ? t('seller.delayOrder') : null) },
    },
  });
  const v = form.values;
  const put = useAction('put', '/ai/businesses/{id}/seller-settings', {
    form,
    stale: ['/ai/businesses/{id}/seller-settings', '/ai/conversations'],
    done: t('saved'),
  });
  const save = form.onSubmit((values) => void put.run({ path: { id: b.id }, body: bodyOf(values) }));
  const number = (field: string, label: string, min: number, max: number, hint?: string) => (
    <NumberInput
      label={label}
      description={hint}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      min={min}
      max={max}
      allowDecimal={false}
      disabled={!may}
      {...form.getInputProps(field)}
    />
  );
  return (
    <form onSubmit={save} noValidate>
      <Unsaved form={form} />
      <Stack>
        <Paper component="section">
          <Stack>
            <Switch
              size="md"
              label={t('seller.active')}
              description={t(v.active ? 'seller.activeOn' : 'seller.activeOff')}
              disabled={!may || b.status === 'ARCHIVED'}
              {...form.getInputProps('active', { type: 'checkbox' })}
            />
            <div>
              <Title order={2} id="autonomy">
                {t('seller.autonomy')}
              </Title>
              <Slider
                mt="sm"
                mb="xl"
                mx="xs"
                min={0}
                max={5}
                step={1}
                disabled={!may}
                thumbLabel={t('seller.autonomy')}
                label={null}
                marks={levels.map((value) => ({ value, label: String(value) }))}
                {...form.getInputProps('autonomy_level')}
                thumbProps={{ 'aria-valuetext': t(`level.${v.autonomy_level as 0}.name`) }}
              />
              <Alert variant="light" role="status" title={`${v.autonomy_level}. ${t(`level.${v.autonomy_level as 0}.name`)}`}>
                {t(`level.${v.autonomy_level as 0}.text`)}
              </Alert>
            </div>
            <Agreement
              business={b.id}
              level={s.autonomy_level}
              shadow={s.shadow.enabled}
              onRaise={may && v.autonomy_level === s.autonomy_level ? (x) => form.setFieldValue('autonomy_level', x) : undefined}
            />
            <Outcomes
              level={v.autonomy_level}
              approved={v.approved_scenarios}
              strict={v.strict_scenarios}
              disabled={!may}
              onApproved={(x) => form.setFieldValue('approved_scenarios', x)}
              onStrict={(x) => form.setFieldValue('strict_scenarios', x)}
            />
            <Switch
              label={t('seller.shadow')}
              description={t('seller.shadowHint')}
              disabled={!may}
              {...form.getInputProps('shadow.enabled', { type: 'checkbox' })}
            />
          </Stack>
        </Paper>
        <Paper component="section">
          <Title order={2} mb="sm">
            {t('seller.times')}
          </Title>
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <Radio.Group label={t('seller.outside')} {...form.getInputProps('outside_hours')}>
              {(['REPLY', 'REPLY_WITH_NOTICE', 'HOLD'] as const).map((x) => (
                <Radio key={x} value={x} label={t(`outside.${x}`)} mt={6} disabled={!may} />
              ))}
            </Radio.Group>
            {number('yield_to_people_minutes', t('seller.yield'), 0, 1440, t('seller.yieldHint'))}
            {number('reply_delay_seconds.min', t('seller.delayMin'), 0, 600)}
            {number('reply_delay_seconds.max', t('seller.delayMax'), 0, 600, t('seller.delayHint'))}
            {number('debounce_seconds', t('seller.debounce'), 0, 60, t('seller.debounceHint'))}
            {number('reply_window_hours', t('seller.window'), 1, 168, t('seller.windowHint'))}
            {number('follow_up.limit', t('seller.followUps'), 0, 5, t('seller.followUpsHint'))}
            {number('follow_up.delay_minutes', t('seller.followUpDelay'), 10, 10_080)}
          </SimpleGrid>
          <Group align="flex-end" mt="sm">
            <Checkbox label={t('seller.quiet')} mb={9} disabled={!may} {...form.getInputProps('follow_up.quiet', { type: 'checkbox' })} />
            {(['start', 'end'] as const).map((x) => (
              <TextInput
                key={x}
                w={90}
                label={t(`seller.quiet_${x}`)}
                type="time"
                disabled={!may || !v.follow_up.quiet}
                {...form.getInputProps(`follow_up.${x}`)}
              />
            ))}
          </Group>
        </Paper>
        <Paper component="section">
          <Title order={2}>{t('seller.honesty')}</Title>
          <Text size="sm" c="dimmed" mb="sm">
            {t('seller.honestyLead')}
          </Text>
          <Radio.Group label={t('seller.disclosureMode')} {...form.getInputProps('disclosure_mode')}>
            {(['WHEN_ASKED', 'FIRST_MESSAGE'] as const).map((x) => (
              <Radio key={x} value={x} label={t(`disclosure.${x}`)} mt={6} disabled={!may} />
            ))}
          </Radio.Group>
          {(['disclosure', 'handoff_notice'] as const).map((field) => (
            <SimpleGrid key={field} cols={{ base: 1, md: 3 }} mt="md">
              {languages
                .filter((l) => b.languages.includes(l))
                .map((l) => (
                  <TextInput
                    key={l}
                    lang={l}
                    label={`${t(`seller.${field}`)}: ${t(`language.${l}`)}`}
                    maxLength={1000}
                    disabled={!may}
                    {...form.getInputProps(`${field}.${l}`)}
                  />
                ))}
            </SimpleGrid>
          ))}
          <Preview business={b} first={v.disclosure_mode === 'FIRST_MESSAGE'} sentence={v.disclosure[b.default_language]} />
        </Paper>
        <Handoffs form={form} disabled={!may} />
        <Paper component="section">
          <Title order={2} mb="sm">
            {t('seller.limits')}
          </Title>
          <Stack>
            <TagsInput
              label={t('seller.prohibited')}
              description={t('seller.prohibitedHint')}
              maxTags={200}
              splitChars={[',', ';', '\n']}
              disabled={!may}
              {...form.getInputProps('prohibited_phrases')}
            />
            <SimpleGrid cols={{ base: 1, sm: 2 }}>
              {number('max_reply_characters', t('seller.longest'), 50, 4096, t('seller.longestHint'))}
              <NumberInput
                label={t('seller.confidence')}
                description={t('seller.confidenceHint')}
                inputWrapperOrder={['label', 'input', 'description', 'error']}
                min={0}
                max={1}
                step={0.05}
                decimalScale={2}
                disabled={!may}
                {...form.getInputProps('confidence_threshold')}
              />
            </SimpleGrid>
          </Stack>
        </Paper>
        <Voice business={b} form={form} disabled={!may} />
        <Detection />
        <Wrong errors={form.errors} shown={(f) => own.test(f)} />
        {may && (
          <Group justify="flex-end">
            <Button type="submit" loading={put.pending}>
              {t('save')}
            </Button>
          </Group>
        )}
      </Stack>
    </form>
  );
}

/** How the first reply begins, in the language of the business. */
function Preview({ business: b, first, sentence }: { business: Business; first: boolean; sentence: string }) {
  const { t } = useTranslation('business');
  const said = texts[b.default_language];
  return (
    <Stack gap={6} mt="md" maw={520} aria-label={t('seller.preview')} role="group" lang={b.default_language}>
      <Text size="sm" c="dimmed">
        {t('seller.preview')}
      </Text>
      <Text size="sm" p="xs" bg="var(--mantine-color-default-hover)" style={{ borderRadius: 8, alignSelf: 'flex-start' }}>
        {first ? said.question : said.asksAI}
      </Text>
      <Text size="sm" p="xs" bg="var(--mantine-primary-color-light)" style={{ borderRadius: 8, alignSelf: 'flex-end' }} data-disclosure>
        {first ? `${sentence} ${said.answer}` : sentence}
      </Text>
    </Stack>
  );
}
