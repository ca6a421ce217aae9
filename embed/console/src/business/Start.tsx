import { Button, Group, Paper, Stack, Text, Timeline } from '@mantine/core';
import { type Href, Link, Page, useCan, useGet } from '@shell';
import { SellerSections } from '@kit';
import { IconBuildingStore, IconMessages, IconSparkles, IconTags } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { NewBusiness } from './Businesses';
import { whole } from './types';

/** Four steps from nothing to a seller that answers; what was done is known, whoever did it. */
export default function Start() {
  const { t } = useTranslation('business');
  const may = useCan()('ai:manage');
  const [adding, setAdding] = useState(false);
  const businesses = useGet('/ai/businesses', { query: { limit: 1, status: 'ACTIVE', sort: 'created_at' } });
  const b = businesses.data?.data[0];
  const path = { id: b?.id ?? '' };
  const offers = useGet('/ai/businesses/{id}/offers', { path, query: { limit: 1 } }, { enabled: !!b });
  const providers = useGet('/ai/providers', { query: whole });
  const settings = useGet('/ai/businesses/{id}/seller-settings', { path }, { enabled: !!b });
  const mapped = useGet('/ai/businesses/{id}/accounts', { path }, { enabled: !!b });
  const real = (providers.data?.data ?? []).some((p) => !p.demo && p.status !== 'DISABLED');
  const answers = !!settings.data?.active && (mapped.data?.accounts ?? []).some((a) => a.ai_enabled);
  // The demo model is there from the beginning: the third step is done when the second is.
  const done = [!!b, (offers.data?.total ?? 0) > 0, (offers.data?.total ?? 0) > 0 && !!providers.data, answers];
  const at = done.indexOf(false) < 0 ? done.length : done.indexOf(false);
  const of = (tab: string) => ({ to: `/ai/businesses/${b?.id ?? ''}` as Href, search: { tab } as never });
  const to = (label: string, link: { to: Href; search?: never }, first = true) => (
    <Button component={Link} {...link} variant={first ? 'filled' : 'default'}>
      {label}
    </Button>
  );
  return (
    <Page title={t('sections.start')} lead={t('start.lead')}>
      <SellerSections />
      <Paper maw={760}>
        <Timeline active={at - 1} bulletSize={34} lineWidth={2}>
          <Timeline.Item bullet={<IconBuildingStore size={18} aria-hidden />} title={t('start.business')}>
            <Part text={b ? t('start.businessDone', { name: b.name }) : t('start.businessText')}>
              {b
                ? to(t('start.look'), { to: `/ai/businesses/${b.id}` }, false)
                : may && <Button onClick={() => setAdding(true)}>{t('add')}</Button>}
            </Part>
          </Timeline.Item>
          <Timeline.Item bullet={<IconTags size={18} aria-hidden />} title={t('start.offers')}>
            <Part text={done[1] ? t('offers.count', { count: offers.data?.total ?? 0 }) : t('start.offersText')}>
              {b && to(done[1] ? t('start.look') : t('offers.add'), of('offers'), !done[1])}
            </Part>
          </Timeline.Item>
          <Timeline.Item bullet={<IconSparkles size={18} aria-hidden />} title={t('start.provider')}>
            <Part text={t(real ? 'start.providerReal' : 'start.providerDemo')}>
              {to(t(real ? 'start.look' : 'start.providerAdd'), { to: '/ai/providers' }, false)}
            </Part>
          </Timeline.Item>
          <Timeline.Item bullet={<IconMessages size={18} aria-hidden />} title={t('start.try')}>
            <Part text={t(answers ? 'start.tryDone' : 'start.tryText')}>
              {b && (
                <>
                  {to(t('try.act'), of('try'), false)}
                  {to(t('tab.seller'), of('seller'), !settings.data?.active)}
                  {to(t('tab.accounts'), of('accounts'), !!settings.data?.active && !answers)}
                  {to(t('start.inbox'), { to: '/inbox' }, answers)}
                </>
              )}
            </Part>
          </Timeline.Item>
        </Timeline>
      </Paper>
      {adding && <NewBusiness onClose={() => setAdding(false)} onMade={() => undefined} />}
    </Page>
  );
}

function Part({ text, children }: { text: string; children?: ReactNode }) {
  return (
    <Stack gap="xs" mt={4}>
      <Text size="sm">{text}</Text>
      {children && <Group gap="xs">{children}</Group>}
    </Stack>
  );
}
