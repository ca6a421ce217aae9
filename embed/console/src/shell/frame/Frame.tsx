// The frame around every page.
import { ActionIcon, AppShell, Button, Group, Kbd, Text } from '@mantine/core';
import { useDisclosure, useWindowEvent } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { type ReactNode, Suspense, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { late } from '../api/part';
import { Events } from '../events/Events';
import type { Feature } from '../feature';
import { keyOf } from '../keys';
import { useMe, useSupport } from '../session/me';
import { Asked } from './Asked';
import { Banners } from './Banners';
import { BottomBar, Navigation } from './Navigation';
import { OrganizationButton, OrganizationName, UserButton } from './MenuButtons';

const UserMenu = late(() => import('./Menus').then((m) => ({ default: m.UserMenu })));
const OrganizationMenu = late(() => import('./Menus').then((m) => ({ default: m.OrganizationMenu })));
const Palette = late(() => import('./Palette'));
const NoOrganization = late(() => import('./NoOrganization'));
const mac = navigator.userAgent.includes('Mac');

export function Frame({ features, children }: { features: readonly Feature[]; children: ReactNode }) {
  const { t } = useTranslation('shell');
  const org = useMe().organization?.id;
  const rules = useMemo(() => features.flatMap((f) => f.events ?? []), [features]);
  const [opened, { toggle, close }] = useDisclosure();
  const [userWanted, setUserWanted] = useState(false); // pressed before the menu was there: it opens when it is
  const [asked, setAsked] = useState(0); // how often the palette was wanted; loaded with the first time
  const openPalette = () => setAsked((n) => n + 1);
  useWindowEvent('keydown', (e) => {
    if ((!e.ctrlKey && !e.metaKey) || e.altKey || e.shiftKey || keyOf(e) !== 'k') return;
    e.preventDefault();
    openPalette();
  });
  const profile = features.find((f) => f.pages.some((p) => p.path === '/profile')) && '/profile';
  return (
    <Events key={org} rules={rules}>
      <a className="skip" href="#page">
        {t('skip')}
      </a>
      <AppShell
        header={{ height: 56 }}
        footer={{ height: { base: 60, sm: 0 } }}
        navbar={{ width: 232, breakpoint: 'sm', collapsed: { mobile: !opened } }}
        padding={0}
      >
        <AppShell.Header px="md">
          <Group h="100%" justify="space-between" wrap="nowrap" gap="xs">
            <Group gap="sm" wrap="nowrap">
              <Organization />
            </Group>
            <Group gap="sm" wrap="nowrap">
              <Button
                variant="default"
                visibleFrom="sm"
                c="dimmed"
                fw={400}
                leftSection={<IconSearch size={16} aria-hidden />}
                rightSection={<Kbd size="xs">{mac ? '⌘K' : 'Ctrl K'}</Kbd>}
                onClick={openPalette}
              >
                {t('palette.open')}
              </Button>
              <ActionIcon hiddenFrom="sm" size="lg" onClick={openPalette} aria-label={t('palette.open')}>
                <IconSearch size={20} aria-hidden />
              </ActionIcon>
              <Header features={features} />
              <Suspense fallback={<UserButton onClick={() => setUserWanted(true)} />}>
                <UserMenu profile={profile} opened={userWanted} />
              </Suspense>
            </Group>
          </Group>
        </AppShell.Header>
        <AppShell.Navbar p="xs">
          <AppShell.Section grow style={{ overflowY: 'auto' }}>
            <Navigation features={features} onGo={close} />
          </AppShell.Section>
          <AppShell.Section>
            <Version />
          </AppShell.Section>
        </AppShell.Navbar>
        <AppShell.Main>
          <Banners />
          <div id="page" tabIndex={-1} style={{ outline: 'none' }}>
            {org ? (
              children
            ) : (
              <Suspense>
                <NoOrganization />
              </Suspense>
            )}
          </div>
        </AppShell.Main>
        <AppShell.Footer hiddenFrom="sm">
          <BottomBar features={features} opened={opened} onMore={toggle} onGo={close} />
        </AppShell.Footer>
      </AppShell>
      {asked > 0 && (
        <Suspense>
          <Palette features={features} asked={asked} />
        </Suspense>
      )}
      <Asked />
    </Events>
  );
}

/** Which organization the pages are about, and the way to the others of somebody who has several. */
function Organization() {
  const { organization, organizations } = useMe();
  const support = useSupport();
  const [wanted, setWanted] = useState(false);
  if (!organization || organizations.length < 2 || support) return <OrganizationName />;
  return (
    <Suspense fallback={<OrganizationButton onClick={() => setWanted(true)} />}>
      <OrganizationMenu opened={wanted} />
    </Suspense>
  );
}

/** What features put at the top; somebody without an organization has none. */
function Header({ features }: { features: readonly Feature[] }) {
  const org = useMe().organization?.id;
  const [parts] = useState(() => features.flatMap((f) => (f.header ? [{ name: f.name, Part: late(f.header) }] : [])));
  if (!org) return null;
  return parts.map(({ name, Part }) => (
    <Suspense key={name}>
      <Part />
    </Suspense>
  ));
}

function Version() {
  const { t } = useTranslation('shell');
  return (
    <Text size="xs" c="dimmed" px="sm" py={4}>
      svc · <a href="/">{t('map')}</a>
    </Text>
  );
}
