import { Button, Text } from '@mantine/core';
import { IconFingerprint } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../api/client';
import { asApiError } from '../api/error';
import { sentenceOf } from '../language/problem';
import type { Me } from './me';
import { notDone, passkeysWork, signWithPasskey } from './passkey';

interface Props {
  /** In place of a two-factor code, after the password. */
  second?: boolean;
  onDone: (me: Me) => void;
  /** The passkey was only touched, and two-factor is on: a code is needed too. */
  onCode?: (passkey: boolean) => void;
}

/** Signing in with a passkey. Nothing where the browser has none. */
export function PasskeyButton({ second, onDone, onCode }: Props) {
  const { t } = useTranslation('shell');
  const [pending, setPending] = useState(false);
  const [wrong, setWrong] = useState('');
  if (!passkeysWork()) return null;
  const sign = async () => {
    setPending(true);
    setWrong('');
    try {
      if (second) {
        const begun = await call('post', '/auth/passkey/mfa/begin', {} as never);
        onDone(
          await call('post', '/auth/passkey/mfa/finish', {
            body: { challenge_id: begun.challenge_id, credential: await signWithPasskey(begun.public_key) },
          }),
        );
        return;
      }
      const begun = await call('post', '/auth/passkey/begin', {} as never);
      const answer = await call('post', '/auth/passkey/finish', {
        body: { challenge_id: begun.challenge_id, credential: await signWithPasskey(begun.public_key) },
      });
      if ('mfa_required' in answer && answer.mfa_required) onCode?.(answer.passkey ?? false);
      else onDone(answer as unknown as Me);
    } catch (thrown) {
      setWrong(notDone(thrown) ? t('signin.passkeyNotDone') : sentenceOf(asApiError(thrown)).message);
    } finally {
      setPending(false);
    }
  };
  return (
    <>
      <Button
        variant="default"
        fullWidth
        loading={pending}
        onClick={() => void sign()}
        leftSection={<IconFingerprint size={18} aria-hidden />}
      >
        {t(second ? 'signin.passkeySecond' : 'signin.passkey')}
      </Button>
      {wrong && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {wrong}
        </Text>
      )}
    </>
  );
}
