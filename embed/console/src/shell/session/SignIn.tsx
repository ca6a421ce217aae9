import { Anchor, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { late } from '../api/part';
import { useAction } from '../api/action';
import { call } from '../api/client';
import { useGet } from '../api/query';
import type { ApiError } from '../api/error';
import { sentenceOf } from '../language/problem';
import type { Me } from './me';

const PasswordReset = late(() => import('./PasswordReset').then((m) => ({ default: m.PasswordReset })));
const PasskeyButton = late(() => import('./PasskeyButton').then((m) => ({ default: m.PasskeyButton })));
const CodeInput = late(() => import('./CodeInput').then((m) => ({ default: m.CodeInput })));

interface Props {
  /** Known already: a session that ended is renewed by the same person. */
  email?: string;
  /** The password was accepted before; only the code is missing. */
  codeOnly?: boolean;
  onDone: (me: Me) => void;
}

/** Signing in: e-mail and password, then the two-factor code where it is on. */
export function SignIn({ email = '', codeOnly = false, onDone }: Props) {
  const [step, setStep] = useState<'password' | 'code' | 'reset'>(codeOnly ? 'code' : 'password');
  const [passkey, setPasskey] = useState(codeOnly); // nobody knows after the page was loaded anew
  if (step === 'reset')
    return (
      <Suspense>
        <PasswordReset onBack={() => setStep('password')} />
      </Suspense>
    );
  return step === 'password' ? (
    <PasswordStep
      email={email}
      onDone={onDone}
      onCode={(has) => {
        setPasskey(has);
        setStep('code');
      }}
      onForgotten={() => setStep('reset')}
    />
  ) : (
    <CodeStep passkey={passkey} onDone={onDone} onBack={() => setStep('password')} />
  );
}

function PasswordStep({
  email,
  onDone,
  onCode,
  onForgotten,
}: {
  email: string;
  onDone: (me: Me) => void;
  onCode: (passkey: boolean) => void;
  onForgotten: () => void;
}) {
  const { t } = useTranslation('shell');
  const form = useForm({
    initialValues: { email, password: '' },
    validate: {
      email: (v) => (v.includes('@') ? null : t('signin.emailMissing')),
      password: (v) => (v === '' ? t('signin.passwordMissing') : null),
    },
  });
  const login = useAction('post', '/auth/login', {
    form,
    failed: (e) => refusal(e, (message) => form.setErrors({ password: message })),
    then: (answer) => {
      if ('mfa_required' in answer && answer.mfa_required) onCode(answer.passkey ?? false);
      else onDone(answer as unknown as Me);
    },
  });
  return (
    <form onSubmit={form.onSubmit((v) => void login.run({ body: { email: v.email.trim(), password: v.password } }))} noValidate>
      <Stack>
        <TextInput
          label={t('signin.email')}
          type="email"
          autoComplete="username"
          data-autofocus={email === '' || undefined}
          autoFocus={email === ''}
          {...form.getInputProps('email')}
        />
        <PasswordInput
          label={t('signin.password')}
          autoComplete="current-password"
          data-autofocus={email !== '' || undefined}
          autoFocus={email !== ''}
          visibilityToggleButtonProps={{ 'aria-label': t('signin.showPassword') }}
          {...form.getInputProps('password')}
        />
        <Button type="submit" loading={login.pending} fullWidth>
          {t('signin.submit')}
        </Button>
        <Suspense>
          <PasskeyButton onDone={onDone} onCode={onCode} />
        </Suspense>
        {email === '' && (
          <>
            <ResetLink onAsk={onForgotten} />
            <SignUpLink />
          </>
        )}
      </Stack>
    </form>
  );
}

/** The way to sign-up, unless it is closed. */
export function SignUpLink() {
  const { t } = useTranslation('shell');
  const { data: config } = useGet('/public/config', {});
  if (!config || config.signup === 'closed') return null;
  return (
    <Anchor href="/console/signup" size="sm" ta="center">
      {t('signin.signup')}
    </Anchor>
  );
}

/** The way to a new password, where its link can be mailed. */
export function ResetLink({ onAsk }: { onAsk: () => void }) {
  const { t } = useTranslation('shell');
  const { data: config } = useGet('/public/config', {});
  if (!config?.mail) return null;
  return (
    <Anchor component="button" type="button" size="sm" ta="center" onClick={onAsk}>
      {t('signin.forgotten')}
    </Anchor>
  );
}

/** A recovery code as the API takes it, with its hyphen or without. */
const recoveryCode = /^[A-Za-z2-7]{5}-?[A-Za-z2-7]{5}$/;

export function CodeStep({ passkey, onDone, onBack }: { passkey?: boolean; onDone: (me: Me) => void; onBack: () => void }) {
  const { t } = useTranslation('shell');
  const [lost, setLost] = useState(false);
  const form = useForm({ initialValues: { code: '' } });
  const { code } = form.values;
  const verify = useAction('post', '/auth/mfa/verify', {
    failed: (e) =>
      refusal(e, (message) => {
        form.setValues({ code: '' });
        form.setFieldError('code', message);
      }),
    then: onDone,
  });
  const whole = lost ? recoveryCode.test(code.trim()) : code.length === 6;
  const send = (value: string) => void verify.run({ body: { code: value.trim() } });
  return (
    <form onSubmit={form.onSubmit(() => void (whole && send(code)))}>
      <Stack>
        <Text>{t(lost ? 'signin.recoveryText' : 'signin.codeText')}</Text>
        {lost ? (
          <TextInput
            label={t('signin.recoveryCode')}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={16}
            autoFocus
            {...form.getInputProps('code')}
          />
        ) : (
          <Suspense>
            <CodeInput onComplete={send} {...form.getInputProps('code')} />
          </Suspense>
        )}
        <Button type="submit" loading={verify.pending} disabled={!whole} fullWidth>
          {t('signin.submit')}
        </Button>
        {passkey && (
          <Suspense>
            <PasskeyButton second onDone={onDone} />
          </Suspense>
        )}
        <Anchor
          component="button"
          type="button"
          size="sm"
          onClick={() => {
            setLost(!lost);
            form.reset();
          }}
        >
          {t(lost ? 'signin.useCode' : 'signin.useRecovery')}
        </Anchor>
        <Anchor component="button" type="button" size="sm" onClick={() => void call('post', '/auth/logout', {} as never).finally(onBack)}>
          {t('signin.otherPerson')}
        </Anchor>
      </Stack>
    </form>
  );
}

function refusal(e: ApiError, show: (message: string) => void): boolean {
  if (e.status !== 401 && e.status !== 403 && e.status !== 429) return false;
  show(sentenceOf(e).message);
  return true;
}
