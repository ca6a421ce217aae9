import { Alert, Button, Group, NumberInput, PasswordInput, Select, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { type ApiError, Dialog, useAction } from '@shell';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { explained } from '../flow';
import { type Proxy, proxyTypes } from '../name';
import { Refusal } from '../Refusal';
import { useFound } from './useProxyCheck';

interface Values {
  type: Proxy['type'];
  name: string;
  host: string;
  port: number | string;
  username: string;
  password: string;
  secret: string;
}

const valuesOf = (p: Proxy | undefined): Values => ({
  type: p?.type ?? 'SOCKS5',
  name: p?.name ?? '',
  host: p?.host ?? '',
  port: p?.port ?? '',
  username: p?.username ?? '',
  password: '',
  secret: '',
});

/** What differs; a password or secret that was left empty stays as it is. */
export function proxyChanges(p: Proxy, v: Values) {
  return {
    ...(v.name.trim() === (p.name ?? '') ? {} : { name: v.name.trim() || null }),
    ...(v.host.trim() === p.host ? {} : { host: v.host.trim() }),
    ...(Number(v.port) === p.port ? {} : { port: Number(v.port) }),
    ...(v.username.trim() === (p.username ?? '') ? {} : { username: v.username.trim() || null }),
    ...(v.password ? { password: v.password } : {}),
    ...(v.secret.trim() ? { secret: v.secret.trim() } : {}),
  };
}

/** Adds a proxy, or changes one; it is checked at once either way. */
export function ProxyForm({ proxy, onClose }: { proxy?: Proxy; onClose: () => void }) {
  const { t } = useTranslation(['account', 'shell']);
  const found = useFound();
  const [refused, setRefused] = useState<ApiError>();
  const form = useForm<Values>({
    initialValues: valuesOf(proxy),
    validate: {
      host: (s) => (s.trim() ? null : t('proxy.hostMissing')),
      port: (n) => (Number.isInteger(Number(n)) && Number(n) >= 1 && Number(n) <= 65535 ? null : t('proxy.portWrong')),
      secret: (s, v) => (v.type === 'MTPROTO' && !proxy && !s.trim() ? t('proxy.secretMissing') : null),
    },
  });
  const o = {
    form,
    stale: ['/proxies', '/accounts'],
    then: (p: Proxy) => {
      found(p);
      onClose();
    },
    failed: (e: ApiError) => (explained.includes(e.code) || e.code === 'conflict') && (setRefused(e), true),
  };
  const add = useAction('post', '/proxies', o);
  const change = useAction('patch', '/proxies/{id}', o);
  const submit = (v: Values) => {
    setRefused(undefined);
    if (proxy) return void change.run({ path: { id: proxy.id }, body: proxyChanges(proxy, v) });
    const own =
      v.type === 'MTPROTO'
        ? { secret: v.secret.trim() }
        : { ...(v.username.trim() ? { username: v.username.trim() } : {}), ...(v.password ? { password: v.password } : {}) };
    return void add.run({
      body: { type: v.type, host: v.host.trim(), port: Number(v.port), ...(v.name.trim() ? { name: v.name.trim() } : {}), ...own },
    });
  };
  const mt = form.values.type === 'MTPROTO';
  const toggle = { 'aria-label': t('shell:signin.showPassword') };
  return (
    <Dialog onClose={onClose} title={t(proxy ? 'proxy.editTitle' : 'proxy.addTitle')}>
      <form noValidate onSubmit={form.onSubmit(submit)}>
        <Stack>
          {refused && <Refusal error={refused} conflict={t('conflict.proxy')} />}
          {proxy?.account_id && <Alert color="yellow">{t('proxy.editInUse')}</Alert>}
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <Select
              label={t('proxy.type')}
              data={proxyTypes.map((value) => ({ value, label: t(`proxyType.${value}`) }))}
              allowDeselect={false}
              disabled={Boolean(proxy)}
              {...form.getInputProps('type')}
            />
            <TextInput label={t('proxy.name')} maxLength={120} {...form.getInputProps('name')} />
            <TextInput
              label={t('proxy.host')}
              placeholder="proxy.example.uz"
              autoCapitalize="off"
              spellCheck={false}
              data-autofocus
              {...form.getInputProps('host')}
            />
            <NumberInput label={t('proxy.port')} placeholder="1080" hideControls allowDecimal={false} {...form.getInputProps('port')} />
            {!mt && (
              <TextInput
                label={t('proxy.username')}
                autoCapitalize="off"
                autoComplete="off"
                spellCheck={false}
                {...form.getInputProps('username')}
              />
            )}
            {!mt && (
              <PasswordInput
                label={t('proxy.password')}
                description={proxy?.has_password ? t('proxy.kept') : undefined}
                autoComplete="new-password"
                visibilityToggleButtonProps={toggle}
                {...form.getInputProps('password')}
              />
            )}
            {mt && (
              <PasswordInput
                label={t('proxy.secret')}
                description={t(proxy?.has_secret ? 'proxy.kept' : 'proxy.secretHint')}
                autoComplete="off"
                visibilityToggleButtonProps={toggle}
                {...form.getInputProps('secret')}
              />
            )}
          </SimpleGrid>
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('shell:cancel')}
            </Button>
            <Button type="submit" loading={add.pending || change.pending}>
              {t(proxy ? 'proxy.save' : 'proxy.addCheck')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
