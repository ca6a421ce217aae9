// The frame around every page.
import { ActionIcon, Button, Group, Text } from '@mantine/core';
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
import classes from './Frame.module.css';
import { OrganizationButton, OrganizationName, UserButton } from './MenuButtons';

const UserMenu = late(() => import('./Menus').then((m) => ({ default: m.UserMenu })));
const OrganizationMenu = late(() => import('./Menus').then((m) => ({ default: m.OrganizationMenu })));
const Palette = late(() => import('./Palette'));
const NoOrganization = late(() => import('./NoOrganization'));
const mac = navigator.userAgent.includes('Mac');

export function Frame({ features, children }: { features: readonly Feature[]; children: ReactNode }) {
  const { t } = useTranslation('shell/frame');
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
      <div className={classes.frame}>
        <header className={classes.header}>
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
                rightSection={<kbd className={classes.key}>{mac ? '⌘K' : 'Ctrl K'}</kbd>}
                onClick={openPalette}
              >
                {t('search')}
              </Button>
              <ActionIcon hiddenFrom="sm" size="lg" onClick={openPalette} aria-label={t('search')}>
                <IconSearch size={20} aria-hidden />
              </ActionIcon>
              <Header features={features} />
              <Suspense fallback={<UserButton onClick={() => setUserWanted(true)} />}>
                <UserMenu profile={profile} opened={userWanted} />
              </Suspense>
            </Group>
          </Group>
        </header>
        <div className={classes.side} data-opened={opened || undefined}>
          <div>
            <Navigation features={features} onGo={close} />
          </div>
          <Version />
        </div>
        <main className={classes.main}>
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
        </main>
        <div className={classes.bar}>
          <BottomBar features={features} opened={opened} onMore={toggle} onGo={close} />
        </div>
      </div>
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
  const { t } = useTranslation('shell/frame');
  return (
    <Text size="xs" c="dimmed" px="sm" py={4}>
      svc · <a href="/">{t('map')}</a>
    </Text>
  );
}
