import { Alert, Button, Group, Paper, Select, Stack, Text, TextInput } from '@mantine/core';
import { type ApiError, Link, useAction, useCan, useGet, useSimulator } from '@shell';
import { IconFlask } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { explained, international } from './flow';
import { type Flow, proxyName } from './name';
import { Refusal } from './Refusal';

interface Props {
  account: string | undefined;
  phone: string;
  onPhone: (phone: string) => void;
  proxy: string | null;
  onProxy: (proxy: string | null) => void;
  /** Why the sign-in before is over. */
  ended: ApiError | undefined;
  onFlow: (flow: Flow, connected?: string) => void;
}

/** Asks for a code; with an account it signs in again, with the same number. */
export function useBegin(account: string | undefined, onFlow: Props['onFlow'], onRefused: (e: ApiError) => void) {
  const o = {
    then: (answer: { state: Flow }) => onFlow(answer.state),
    failed: (e: ApiError) => {
      if (!explained.includes(e.code) && e.code !== 'conflict' && e.code !== 'validation_failed') return false;
      onRefused(e);
      return true;
    },
  };
  const fresh = useAction('post', '/accounts', o);
  const again = useAction('post', '/accounts/{id}/reauth', o);
  return {
    pending: fresh.pending || again.pending,
    begin(phone: string, proxy: string | null) {
      const body = { phone: international(phone), ...(proxy ? { proxy_id: proxy } : {}) };
      if (account) void again.run({ path: { id: account }, body });
      else void fresh.run({ body });
    },
  };
}

export function PhoneStep({ account, phone, onPhone, proxy, onProxy, ended, onFlow }: Props) {
  const { t } = useTranslation(['account', 'shell']);
  const [refused, setRefused] = useState<ApiError | undefined>(ended);
  const [missing, setMissing] = useState(false);
  const { begin, pending } = useBegin(account, onFlow, setRefused);
  const submit = () => {
    setMissing(!international(phone));
    if (!international(phone)) return;
    setRefused(undefined);
    begin(phone, proxy);
  };
  return (
    <Paper maw={560}>
      <form
        noValidate
        onSubmit={(e) => {
          e.preventDefault();
          submit();
        }}
      >
        <Stack>
          {refused && <Refusal error={refused} conflict={t(account ? 'conflict.again' : 'conflict.number')} />}
          <TextInput
            label={t('signin.phone')}
            description={t(account ? 'signin.samePhone' : 'signin.phoneHint')}
            type="tel"
            autoComplete="tel"
            autoFocus
            value={phone}
            placeholder="+998901234567"
            onChange={(e) => onPhone(e.currentTarget.value)}
            error={missing && t('signin.phoneMissing')}
          />
          <FreeProxies value={proxy} onChange={onProxy} />
          <Simulated />
          <Group>
            <Button type="submit" loading={pending}>
              {t('signin.sendCode')}
            </Button>
            <Button variant="default" component={Link} to={account ? `/accounts/${account}` : '/accounts'}>
              {t('shell:cancel')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Paper>
  );
}

/** Every account needs a proxy of its own: those that no other uses. */
function FreeProxies({ value, onChange }: { value: string | null; onChange: (v: string | null) => void }) {
  const { t } = useTranslation(['account', 'shell']);
  const can = useCan();
  const { data } = useGet('/proxies', { query: { limit: 500 } }, { enabled: can('proxies:read') });
  const free = (data?.data ?? []).filter((p) => p.account_id === null && p.status !== 'DISABLED');
  if (free.length === 0) return null;
  return (
    <Select
      label={t('signin.proxy')}
      description={t('signin.proxyHint')}
      placeholder={t('direct')}
      data={free.map((p) => ({ value: p.id, label: `${proxyName(p)} · ${t(`proxyState.${p.status}`)}` }))}
      value={value}
      onChange={onChange}
      clearable
      searchable
      clearButtonProps={{ 'aria-label': t('shell:list.clearSearch') }}
    />
  );
}

/** The codes of the simulator, where it is what messages go through. */
export function Simulated() {
  const { t } = useTranslation('account');
  if (!useSimulator()) return null;
  return (
    <Alert color="grape" icon={<IconFlask aria-hidden />} title={t('simulator.sure')}>
      <Text size="sm">{t('simulator.codes', { example: '+998900000001', code: '12345', second: '+998900009001', password: 'demo' })}</Text>
    </Alert>
  );
}
