// Decides what is shown: sign-in, the missing code, or the console; and sign-in over
// the page when the session ended in the middle of something.
import { Button, Center, Loader, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, Suspense, useEffect, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { late } from '../api/part';
import { refresh } from '../api/query';
import { setZone } from '../language/zone';
import { gate } from './gate';
import { loadWelcome } from './welcome';
import { type Me, MeContext, startAnew, useMaybeMe, waitsForCode } from './me';
import { refusedAsSupport } from './support';
import { onOtherTab } from './tabs';

/** Who is signed in needs no sign-in: it is not in the first load. */
const Welcome = late(loadWelcome);
const SignInAgain = late(() => import('./SignInAgain'));

export function Session({ children }: { children: ReactNode }) {
  const { data: me, error, isPending, refetch } = useMaybeMe();
  useEffect(() => onOtherTab(() => void otherTab()), []);
  useEffect(() => setZone(me?.organization?.timezone), [me?.organization?.timezone]);
  if (isPending) return <Waiting />;
  if (error && error.status !== 401 && !me) return <Unreachable onAgain={() => void refetch()} />;
  if (!me || error?.status === 401)
    return (
      <Suspense fallback={<Waiting />}>
        <Welcome onDone={startAnew} />
      </Suspense>
    );
  if (waitsForCode(me))
    return (
      <Suspense fallback={<Waiting />}>
        <Welcome codeOnly onDone={startAnew} />
      </Suspense>
    );
  gate.armed = true;
  return (
    <MeContext value={me}>
      {children}
      <Again me={me} />
    </MeContext>
  );
}

/** Another tab changed the session: whoever is signed in now is shown. */
async function otherTab(): Promise<void> {
  if (gate.closed) gate.open(); // signed in there: what waits here may try again
  refusedAsSupport.forget();
  await refresh('/me');
}

function Waiting() {
  return (
    <Center mih="100vh">
      <Loader aria-label="…" />
    </Center>
  );
}

function Unreachable({ onAgain }: { onAgain: () => void }) {
  const { t } = useTranslation('shell/frame');
  return (
    <Center mih="100vh" component="main">
      <Stack align="center" ta="center" p="md">
        <Title order={1} size="h3">
          {t('unreachable.title')}
        </Title>
        <Text>{t('unreachable.text')}</Text>
        <Button onClick={onAgain}>{t('again')}</Button>
      </Stack>
    </Center>
  );
}

/** Sign-in over the page, loaded when it is needed. */
function Again({ me }: { me: Me }) {
  const closed = useSyncExternalStore(gate.subscribe, gate.snapshot);
  return (
    closed && (
      <Suspense>
        <SignInAgain me={me} />
      </Suspense>
    )
  );
}
