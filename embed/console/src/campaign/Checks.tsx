import { Alert, Anchor, Button, Checkbox, Collapse, Group, Paper, Skeleton, Stack, Text, Title, UnstyledButton } from '@mantine/core';
import { type Above, type ApiError, Failed, Link, NotFound, Page, useAction, useCan, useFormat, useGet, When } from '@shell';
import {
  IconAlertTriangle,
  IconChartArcs,
  IconChevronDown,
  IconCircleCheck,
  IconCircleX,
  IconRefresh,
  IconRocket,
} from '@tabler/icons-react';
import { useParams } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { finishOf } from './estimate';
import { useFound } from './found';
import { Launch } from './Launch';
import { type Campaign, type Check, type Group as CheckGroup, groupOf, mendAt, type Report } from './model';
import { CampaignState } from './State';

/** Only what is not launched can be checked, what waits for its time, and what failed at it: the checks say why. */
const checkable = (c: Campaign): boolean => c.status === 'DRAFT' || c.status === 'SCHEDULED' || c.status === 'FAILED';

const groups: readonly CheckGroup[] = ['message', 'audience', 'accounts', 'schedule', 'organization'];

/** The checks before a launch: what each found, where it is mended, and the launch itself. */
export default function Checks() {
  const { t } = useTranslation('campaign');
  const { id = '' } = useParams({ strict: false });
  const { data: c, error, refetch } = useGet('/campaigns/{id}', { path: { id } });
  const above: Above[] = [{ label: t('title'), to: '/campaigns' }, ...(c ? [{ label: c.name, to: `/campaigns/${id}` as const }] : [])];
  if (error?.status === 404) return <NotFound />;
  return (
    <Page
      title={t('checks.title')}
      above={above}
      badge={c && <CampaignState campaign={c} />}
      actions={
        c &&
        checkable(c) && (
          <Button
            variant="default"
            component={Link}
            to={`/campaigns/${id}/rehearsal`}
            leftSection={<IconChartArcs size={16} aria-hidden />}
          >
            {t('rehearsal.open')}
          </Button>
        )
      }
    >
      {error && !c && <Failed error={error} onAgain={() => void refetch()} />}
      {!c && !error && <Skeleton h={300} />}
      {c && <Inspected key={id} campaign={c} />}
    </Page>
  );
}

/** Checks when the page opens, and again when asked to. */
function Inspected({ campaign: c }: { campaign: Campaign }) {
  const { t } = useTranslation('campaign');
  const can = useCan();
  const [report, setReport] = useState<Report | null>(null);
  const [failed, setFailed] = useState<ApiError>();
  const [launching, setLaunching] = useState(false);
  const [seen, setSeen] = useState(false);
  const over = !checkable(c) && !launching; // while it is launched the question stays
  const validate = useAction('post', '/campaigns/{id}/validate', {
    then: (r) => {
      setReport(r);
      setSeen(false);
    },
    failed: (e) => (setFailed(e), true),
  });
  useEffect(() => {
    if (!over) void validate.run({ path: { id: c.id } });
  }, [c.id]);
  if (over) return <Over id={c.id} />;
  if (failed)
    return (
      <Failed
        error={failed}
        onAgain={() => {
          setFailed(undefined);
          void validate.run({ path: { id: c.id } });
        }}
      />
    );
  if (!report) return <Skeleton h={300} role="status" aria-busy aria-label={t('checks.running')} />;
  const warnings = report.checks.filter((x) => x.status === 'WARN').length;
  const launchable = c.status === 'DRAFT' && can('campaigns:execute');
  const ready = report.ok && (warnings === 0 || seen);
  return (
    <Stack>
      <Verdict campaign={c} report={report} warnings={warnings} />
      {groups.map((g) => (
        <Section key={g} group={g} checks={report.checks.filter((x) => (groupOf[x.key] ?? 'organization') === g)} id={c.id} />
      ))}
      {launchable && report.ok && warnings > 0 && (
        <Checkbox checked={seen} onChange={(e) => setSeen(e.currentTarget.checked)} label={t('checks.acknowledge', { count: warnings })} />
      )}
      <Group>
        {launchable && (
          <Button disabled={!ready} leftSection={<IconRocket size={17} aria-hidden />} onClick={() => setLaunching(true)}>
            {t('launch.act')}
          </Button>
        )}
        <Button
          variant="default"
          loading={validate.pending}
          leftSection={<IconRefresh size={16} aria-hidden />}
          onClick={() => void validate.run({ path: { id: c.id } })}
        >
          {t('checks.again')}
        </Button>
        <Button variant="subtle" component={Link} to={`/campaigns/${c.id}/edit`}>
          {t('checks.edit')}
        </Button>
        <Text size="sm" c="dimmed">
          {t('checks.at')} <When at={report.checked_at} />
        </Text>
      </Group>
      {launching && (
        <Launch
          campaign={c}
          report={report}
          onRefused={(r) => {
            setLaunching(false);
            if (r) setReport(r);
            else void validate.run({ path: { id: c.id } });
          }}
          onClose={() => setLaunching(false)}
        />
      )}
    </Stack>
  );
}

function Over({ id }: { id: string }) {
  const { t } = useTranslation('campaign');
  return (
    <Text>
      {t('checks.over')}{' '}
      <Anchor component={Link} to={`/campaigns/${id}`} underline="always">
        {t('checks.toCampaign')}
      </Anchor>
    </Text>
  );
}

function Verdict({ campaign: c, report: r, warnings }: { campaign: Campaign; report: Report; warnings: number }) {
  const { t } = useTranslation('campaign');
  const f = useFormat();
  const finish = finishOf(c, r, Date.parse(r.checked_at));
  const failed = r.checks.filter((x) => x.status === 'FAIL').length;
  const color = failed > 0 ? 'red' : warnings > 0 ? 'yellow' : 'green';
  const Icon = failed > 0 ? IconCircleX : warnings > 0 ? IconAlertTriangle : IconCircleCheck;
  return (
    <Alert
      color={color}
      icon={<Icon aria-hidden />}
      aria-live="polite"
      title={
        failed > 0 ? t('checks.failed', { count: failed }) : warnings > 0 ? t('checks.warned', { count: warnings }) : t('checks.passed')
      }
    >
      {t('checks.audience', { sendable: f.number(r.audience.sendable), count: r.audience.matched })}
      {finish && r.audience.sendable > 0 && <> {t('checks.finish', { at: f.time(finish) })}</>}
    </Alert>
  );
}

const icons = { PASS: IconCircleCheck, WARN: IconAlertTriangle, FAIL: IconCircleX } as const;
const colors = { PASS: 'var(--mantine-color-green-7)', WARN: 'var(--mantine-color-yellow-7)', FAIL: 'var(--mantine-color-red-7)' } as const;

/** The checks of one group; those that pass are folded away. */
function Section({ group, checks, id }: { group: CheckGroup; checks: Check[]; id: string }) {
  const { t } = useTranslation('campaign');
  const [all, setAll] = useState(false);
  const found = checks.filter((x) => x.status !== 'PASS');
  const passed = checks.filter((x) => x.status === 'PASS');
  return (
    <Paper>
      <Group justify="space-between" mb={found.length > 0 || all ? 'xs' : 0}>
        <Title order={2}>{t(`group.${group}`)}</Title>
        {passed.length > 0 && (
          <UnstyledButton onClick={() => setAll(!all)} aria-expanded={all} fz="sm">
            <Group gap={4}>
              <IconCircleCheck size={16} color={colors.PASS} aria-hidden />
              {t('checks.fine', { count: passed.length })}
              <IconChevronDown size={14} aria-hidden />
            </Group>
          </UnstyledButton>
        )}
      </Group>
      <Stack gap="sm">
        {found.map((x) => (
          <One key={x.key} check={x} id={id} />
        ))}
        <Collapse expanded={all}>
          <Stack gap="sm">
            {passed.map((x) => (
              <One key={x.key} check={x} id={id} />
            ))}
          </Stack>
        </Collapse>
      </Stack>
    </Paper>
  );
}

function One({ check: x, id }: { check: Check; id: string }) {
  const { t, i18n } = useTranslation('campaign');
  const found = useFound()(x);
  const Icon = icons[x.status];
  const known = i18n.exists(`check.${x.key}.label`, { ns: 'campaign' });
  const does = `check.${x.key}.${x.status}`;
  const mend = x.status === 'PASS' ? undefined : mendAt(x.key, id, x.status);
  return (
    <Group align="flex-start" wrap="nowrap" gap="sm" data-check={x.key} data-verdict={x.status}>
      <Icon size={20} color={colors[x.status]} style={{ flex: 'none', marginTop: 1 }} role="img" aria-label={t(`verdict.${x.status}`)} />
      <div style={{ minWidth: 0, flex: 1 }}>
        <Text size="sm" fw={600}>
          {known ? t(`check.${x.key}.label` as never) : x.label}
        </Text>
        {x.status !== 'PASS' && (
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {found ?? (i18n.exists(does, { ns: 'campaign' }) ? t(does as never) : x.message)}
          </Text>
        )}
      </div>
      {mend && (
        <Button size="compact-sm" variant="default" component={Link} to={mend}>
          {t('checks.mend')}
        </Button>
      )}
    </Group>
  );
}
