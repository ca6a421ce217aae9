// Turning two-factor on: the secret as a picture and as text, a first code, then the
// recovery codes, which are shown once.
import 'virtual:mantine-pages.css';
import { Button, Loader, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction } from '../api/action';
import type { Schema } from '../api/client';
import { Copy } from '../page/Copy';
import { Dialog } from '../page/Dialog';
import { Qr } from '../page/Qr';
import { adoptMe } from './me';
import { CodeInput } from './CodeInput';
import { RecoveryCodes } from './RecoveryCodes';

/** The dialog; asked says that an operation refused without two-factor. */
export default function TwoFactorDialog({ asked, onClose }: { asked?: boolean; onClose: () => void }) {
  const { t } = useTranslation('shell');
  const [done, setDone] = useState<Schema<'SessionMfaEnabled'>>();
  const kept = ({ recovery_codes: _, ...me }: Schema<'SessionMfaEnabled'>) => {
    adoptMe(me);
    onClose();
  };
  return (
    <Dialog onClose={onClose} firm={done !== undefined} title={t(done ? 'twofactor.codes' : 'twofactor.title')}>
      {asked && !done && <Text mb="md">{t('twofactor.asked')}</Text>}
      {done ? <RecoveryCodes codes={done.recovery_codes} onKept={() => kept(done)} /> : <Enrol onDone={setDone} />}
    </Dialog>
  );
}

function Enrol({ onDone }: { onDone: (me: Schema<'SessionMfaEnabled'>) => void }) {
  const { t } = useTranslation('shell');
  const [secret, setSecret] = useState<Schema<'UserEnrolment'>>();
  const form = useForm({ initialValues: { code: '' } });
  const { code } = form.values;
  const setup = useAction('post', '/me/mfa/setup', { then: setSecret });
  const enable = useAction('post', '/me/mfa/enable', {
    done: t('twofactor.done'),
    then: onDone,
    failed: (e) => {
      if (e.status === 401) {
        form.setValues({ code: '' });
        form.setFieldError('code', t('twofactor.wrong'));
      }
      return e.status === 401;
    },
  });
  // Once: a second secret would make the picture that was scanned useless.
  useEffect(() => void setup.run({} as never), []);
  if (!secret) return <Loader />;
  return (
    <form onSubmit={form.onSubmit(() => void enable.run({ body: { code } }))}>
      <Stack>
        <Text size="sm">{t('twofactor.scan')}</Text>
        <Qr text={secret.otpauth_url} label={t('twofactor.picture')} />
        <Text size="sm">{t('twofactor.byHand')}</Text>
        <Copy value={secret.secret} />
        <Text size="sm">{t('twofactor.first')}</Text>
        <CodeInput {...form.getInputProps('code')} />
        <Button type="submit" loading={enable.pending} disabled={code.length < 6}>
          {t('twofactor.turnOn')}
        </Button>
      </Stack>
    </form>
  );
}
