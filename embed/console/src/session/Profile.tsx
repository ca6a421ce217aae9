import { Button, Grid, Group, Paper, Select, Stack, Text, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { currentLanguage, currentZone, Page, useAction, useGet, useMe, useSupport } from '@shell';
import { type Language, languageNames, languages, setLanguage } from '@shell/language/i18n';
import { adoptMe } from '@shell/session/me';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ChangeEmail } from './ChangeEmail';
import { Devices } from './Devices';
import { Passkeys } from './Passkeys';
import { Password } from './Password';
import { Sessions } from './Sessions';
import { TwoFactorCard } from './TwoFactorCard';

/** Who I am here, how I sign in, and where I am signed in. */
export default function Profile() {
  const { t } = useTranslation('session');
  return (
    <Page title={t('profile.title')} lead={t('profile.lead')}>
      <Grid>
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Stack>
            <Person />
            <TwoFactorCard />
            <Passkeys />
            <Password />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Stack>
            <Sessions />
            <Devices />
          </Stack>
        </Grid.Col>
      </Grid>
    </Page>
  );
}

function Person() {
  const { t } = useTranslation('session');
  const { user } = useMe();
  const support = useSupport();
  const [changing, setChanging] = useState(false);
  const form = useForm({ initialValues: { name: user?.name ?? '' } });
  const save = useAction('patch', '/me', { form, done: t('saved'), then: adoptMe });
  const zone = currentZone() ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <Paper component="section">
      <Title order={2} mb="sm">
        {t('profile.person')}
      </Title>
      <form onSubmit={form.onSubmit((v) => void save.run({ body: { name: v.name.trim() || null } }))}>
        <Stack gap="sm">
          <TextInput label={t('profile.name')} maxLength={120} autoComplete="name" disabled={support} {...form.getInputProps('name')} />
          <Group align="flex-end" gap="xs">
            <TextInput
              flex={1}
              miw={200}
              label={t('profile.email')}
              description={t('email.hint')}
              value={user?.email ?? ''}
              readOnly
              variant="filled"
            />
            {!support && (
              <Button variant="default" onClick={() => setChanging(true)}>
                {t('email.change')}
              </Button>
            )}
          </Group>
          <Select
            label={t('profile.language')}
            data={languages.map((l) => ({ value: l, label: languageNames[l] }))}
            value={currentLanguage()}
            allowDeselect={false}
            onChange={(l) => l && void setLanguage(l as Language)}
          />
          <Text size="sm" c="dimmed">
            {t('profile.zone', { zone })}
          </Text>
          <MailChoice />
          {!support && (
            <div>
              <Button type="submit" loading={save.pending} disabled={!form.isDirty()}>
                {t('save')}
              </Button>
            </div>
          )}
        </Stack>
      </form>
      {changing && <ChangeEmail onClose={() => setChanging(false)} />}
    </Paper>
  );
}

/** Which notifications come by mail; nothing where the service sends none. */
function MailChoice() {
  const { t } = useTranslation('session');
  const { user } = useMe();
  const support = useSupport();
  const { data: config } = useGet('/public/config', {});
  const save = useAction('patch', '/me', { done: t('saved'), then: adoptMe });
  if (!config?.mail || !user) return null;
  return (
    <Select
      label={t('mail.label')}
      description={t('mail.hint')}
      value={user.mail_notifications}
      allowDeselect={false}
      disabled={support || save.pending}
      data={(['OFF', 'IMPORTANT', 'ALL'] as const).map((v) => ({ value: v, label: t(`mail.${v}`) }))}
      onChange={(v) => v && void save.run({ body: { mail_notifications: v as 'OFF' } })}
    />
  );
}
