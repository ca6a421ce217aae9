import { type Above, type ApiError, Page, showDone, useGet, useNavigate } from '@shell';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { keepFlow, keptFlow, usualCode } from './flow';
import { accountName, type Flow } from './name';
import { PhoneStep } from './PhoneStep';
import { CodeStep, PasswordStep } from './SignInSteps';

/** Signing in to the messenger: number, code, and the two-step password where there is one. With an id, again. */
export default function NewAccount() {
  const { t } = useTranslation('account');
  const { id } = useParams({ strict: false }) as { id?: string };
  const { data: account } = useGet('/accounts/{id}', { path: { id: id ?? '' } }, { enabled: Boolean(id) });
  const above: Above[] = [
    { label: t('title'), to: '/accounts' },
    ...(account ? [{ label: accountName(account), to: `/accounts/${account.id}` as const }] : []),
  ];
  return (
    <Page title={t(id ? 'signin.againTitle' : 'signin.title')} lead={t(id ? 'signin.againLead' : 'signin.lead')} above={above}>
      <SignIn key={id ?? ''} account={id} />
    </Page>
  );
}

function SignIn({ account }: { account: string | undefined }) {
  const { t } = useTranslation('account');
  const navigate = useNavigate();
  const [flow, setFlow] = useState<Flow | null>(() => keptFlow(account));
  // The number stays in memory, for another code; it is written nowhere.
  const [phone, setPhone] = useState(usualCode);
  const [proxy, setProxy] = useState<string | null>(null);
  const [ended, setEnded] = useState<ApiError>();

  const take = (next: Flow, connected?: string) => {
    setEnded(undefined);
    if (connected) {
      keepFlow(null);
      if (!account) showDone(t('signin.done'));
      void navigate({ to: `/accounts/${connected}` });
      return;
    }
    keepFlow({ flow: next, account });
    setFlow(next);
  };
  const end = (why?: ApiError) => {
    keepFlow(null);
    setFlow(null);
    setEnded(why);
  };
  if (!flow)
    return <PhoneStep account={account} phone={phone} onPhone={setPhone} proxy={proxy} onProxy={setProxy} ended={ended} onFlow={take} />;
  if (flow.step === 'PASSWORD_REQUIRED') return <PasswordStep key={flow.flow_id} flow={flow} onFlow={take} onEnd={end} />;
  return <CodeStep key={flow.flow_id} flow={flow} account={account} phone={phone} proxy={proxy} onFlow={take} onEnd={end} />;
}
