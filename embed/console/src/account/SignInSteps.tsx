import { Button, Group, Paper, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { type ApiError, useAction } from '@shell';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSecondsUntil } from './Countdown';
import { ending, explained, international } from './flow';
import { clock, type Flow } from './name';
import { Simulated, useBegin } from './PhoneStep';
import { Refusal } from './Refusal';

interface Props {
  flow: Flow;
  onFlow: (flow: Flow, connected?: string) => void;
  /** The sign-in is over, or a person left it. */
  onEnd: (why?: ApiError) => void;
}

/** What both steps share: the answer leads on, a wrong try stays here, everything else ends the sign-in. */
function useStep(flow: Flow, onFlow: Props['onFlow'], onEnd: Props['onEnd']) {
  const [wrong, setWrong] = useState<ApiError>();
  const o = {
    stale: ['/accounts', '/proxies', '/dashboard'],
    then: (answer: { state: Flow; account: { id: string } | null }) => onFlow(answer.state, answer.account?.id),
    failed: (e: ApiError) => {
      if (ending.includes(e.code)) onEnd(e);
      else if (e.code === 'phone_code_invalid' || e.code === 'password_hash_invalid') {
        setWrong(e);
        onFlow({ ...flow, attempts_left: Math.max(0, flow.attempts_left - 1) });
      } else if (explained.includes(e.code)) setWrong(e);
      else return false;
      return true;
    },
  };
  return { wrong, setWrong, o };
}

/** The time and the tries that are left; when the time is over, so is the sign-in. */
function Left({ flow, onOver }: { flow: Flow; onOver: () => void }) {
  const { t } = useTranslation('account');
  const seconds = useSecondsUntil(flow.expires_at);
  const over = seconds === 0;
  useEffect(() => {
    if (over) onOver();
  }, [over]);
  return (
    <Text size="sm" c="dimmed" style={{ fontVariantNumeric: 'tabular-nums' }}>
      {t('signin.left', { time: clock(seconds) })} {t('signin.attempts', { count: flow.attempts_left })}
    </Text>
  );
}

interface CodeProps extends Props {
  account: string | undefined;
  /** Known until the page is loaded anew: another code can be asked for without typing it again. */
  phone: string;
  proxy: string | null;
}

export function CodeStep({ flow, account, phone, proxy, onFlow, onEnd }: CodeProps) {
  const { t } = useTranslation(['account', 'shell']);
  const form = useForm({ initialValues: { code: '' } });
  const code = form.values.code.trim();
  const { wrong, setWrong, o } = useStep(flow, onFlow, onEnd);
  const send = useAction('post', '/accounts/login/{flow_id}/code', { ...o, form });
  const resend = useBegin(account, onFlow, setWrong);
  return (
    <Paper maw={560}>
      <form
        onSubmit={form.onSubmit(() => {
          setWrong(undefined);
          void send.run({ path: { flow_id: flow.flow_id }, body: { code } });
        })}
      >
        <Stack>
          {wrong && <Refusal error={wrong} conflict={t('conflict.number')} />}
          <Text>{t(`signin.sent.${flow.code_type ?? 'unknown'}` as never, { phone: flow.phone_masked })}</Text>
          <TextInput
            label={t('signin.code')}
            {...form.getInputProps('code')}
            inputMode="numeric"
            autoComplete="one-time-code"
            autoFocus
            required
            maxLength={32}
            maw={220}
          />
          <Left flow={flow} onOver={() => onEnd()} />
          <Simulated />
          <Group>
            <Button type="submit" loading={send.pending} disabled={!code}>
              {t('signin.check')}
            </Button>
            {international(phone) && (
              <Button variant="default" loading={resend.pending} onClick={() => resend.begin(phone, proxy)}>
                {t('signin.resend')}
              </Button>
            )}
            <Button variant="subtle" onClick={() => onEnd()}>
              {t(phone ? 'shell:cancel' : 'signin.otherNumber')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Paper>
  );
}

export function PasswordStep({ flow, onFlow, onEnd }: Props) {
  const { t } = useTranslation(['account', 'shell']);
  const form = useForm({ initialValues: { password: '' } });
  const { password } = form.values;
  const { wrong, setWrong, o } = useStep(flow, onFlow, onEnd);
  const send = useAction('post', '/accounts/login/{flow_id}/password', { ...o, form });
  return (
    <Paper maw={560}>
      <form
        onSubmit={form.onSubmit(() => {
          setWrong(undefined);
          void send.run({ path: { flow_id: flow.flow_id }, body: { password } });
        })}
      >
        <Stack>
          {wrong && <Refusal error={wrong} conflict={t('conflict.number')} />}
          <Text>{t('signin.passwordText', { phone: flow.phone_masked })}</Text>
          <PasswordInput
            label={t('signin.password')}
            description={flow.password_hint ? t('signin.hint', { hint: flow.password_hint }) : undefined}
            {...form.getInputProps('password')}
            autoFocus
            required
            autoComplete="off"
            maw={340}
            visibilityToggleButtonProps={{ 'aria-label': t('shell:signin.showPassword') }}
          />
          <Left flow={flow} onOver={() => onEnd()} />
          <Simulated />
          <Group>
            <Button type="submit" loading={send.pending} disabled={!password}>
              {t('signin.finish')}
            </Button>
            <Button variant="subtle" onClick={() => onEnd()}>
              {t('shell:cancel')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Paper>
  );
}
