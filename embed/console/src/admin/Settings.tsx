import { Alert, Button, Fieldset, Group, NumberInput, Select, Skeleton, Stack, Switch, Textarea, TextInput } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { Confirm, Failed, Page, type Schema, useAction, useFormat, useGet, useHeld } from '@shell';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { plans } from './choices';
import { administrators } from './Guard';
import { boundsOf, changes, check, farReaching, groups, kindOf, type SettingKey } from './settingFields';

type Values = Schema<'Settings'>;
type Form = UseFormReturnType<Values>;

function Settings() {
  const { t } = useTranslation('admin');
  const { data, error, refetch } = useGet('/admin/settings', {});
  return (
    <Page title={t('setting.title')} lead={t('setting.lead')}>
      {error && !data && <Failed error={error} onAgain={() => void refetch()} />}
      {!data && !error && <Skeleton h={320} />}
      {data && <Editor before={data} />}
    </Page>
  );
}

function Editor({ before }: { before: Values }) {
  const { t } = useTranslation('admin');
  const f = useFormat();
  const [asking, setAsking] = useState(false);
  const held = { ...before, maintenance_message: before.maintenance_message ?? '' };
  const form = useForm<Values>({
    initialValues: held,
    validate: (v) =>
      Object.fromEntries(
        Object.entries(check(v)).map(([k, [low, high]]) => [
          k,
          high === undefined ? t('setting.empty') : t('setting.between', { low: f.number(low), high: f.number(high) }),
        ]),
      ),
  });
  useHeld(form, held);
  const body = changes(before, form.values);
  const far = farReaching(before, form.values);
  const save = useAction('put', '/admin/settings', {
    form,
    stale: ['/admin', '/public/config'],
    done: t('saved'),
    then: () => setAsking(false),
  });
  const send = () => void save.run({ body });
  return (
    <form noValidate onSubmit={form.onSubmit(() => (far.length > 0 ? setAsking(true) : send()))}>
      <Stack maw={760}>
        {groups.map(([group, keys]) => (
          <Fieldset key={group} legend={t(`setting.group.${group}`)}>
            <Stack gap="md">
              {keys.map((key) => (
                <Field key={key} name={key} form={form} />
              ))}
            </Stack>
          </Fieldset>
        ))}
        <Group pos="sticky" bottom={0} py="sm" bg="var(--svc-canvas)" style={{ zIndex: 2 }}>
          <Button type="submit" loading={save.pending} disabled={Object.keys(body).length === 0}>
            {t('save')}
          </Button>
          <Button variant="default" disabled={Object.keys(body).length === 0} onClick={() => form.reset()}>
            {t('setting.undo')}
          </Button>
        </Group>
      </Stack>
      {asking && (
        <Confirm
          danger
          title={t('setting.askTitle')}
          act={t('save')}
          pending={save.pending}
          onClose={() => setAsking(false)}
          onConfirm={send}
          consequence={
            <Stack gap="xs">
              {far.map((key) => (
                <Alert key={key} color="yellow" py={8}>
                  {t(`setting.far.${key}`)}
                </Alert>
              ))}
            </Stack>
          }
        />
      )}
    </form>
  );
}

function Field({ name, form }: { name: SettingKey; form: Form }) {
  const { t } = useTranslation('admin');
  const f = useFormat();
  const label = t(`setting.${name}.label`);
  const hint = t(`setting.${name}.hint`);
  const bounds = boundsOf(form.values, name);
  switch (kindOf(name)) {
    case 'switch':
      return <Switch label={label} description={hint} {...form.getInputProps(name, { type: 'checkbox' })} />;
    case 'plan':
      return (
        <Select
          label={label}
          description={hint}
          maw={280}
          data={plans.map((value) => ({ value, label: t(`plan.${value}`) }))}
          allowDeselect={false}
          {...form.getInputProps(name)}
        />
      );
    case 'text':
      return <TextInput label={label} description={hint} maxLength={bounds?.[1]} {...form.getInputProps(name)} />;
    case 'long':
      return <Textarea label={label} description={hint} autosize minRows={3} maxRows={16} {...form.getInputProps(name)} />;
    default:
      return (
        <NumberInput
          label={label}
          description={
            <>
              {hint} {bounds && t('setting.between', { low: f.number(bounds[0]), high: f.number(bounds[1]) })}
            </>
          }
          maw={420}
          allowDecimal={false}
          {...form.getInputProps(name)}
        />
      );
  }
}

export default administrators(Settings);
