import { Button, Group, Paper, SegmentedControl, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Confirm, Dialog, Failed, Tag, useAction, useCan, useGet } from '@shell';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Ends } from './parts';
import { StageBoard } from './StageBoard';
import { type Business, type Funnel, whole } from './types';

/** The ways from the first message to a sale, each with its stages. */
export default function Funnels({ business: b }: { business: Business }) {
  const { t } = useTranslation('business');
  const may = useCan()('ai:manage');
  const [chosen, setChosen] = useState<string>();
  const [asked, setAsked] = useState<'add' | 'rename' | 'delete'>();
  const close = () => setAsked(undefined);
  const { data, error, refetch } = useGet('/ai/businesses/{id}/funnels', { path: { id: b.id }, query: whole });
  const stale = ['/ai/businesses/{id}/funnels'];
  const make = useAction('patch', '/ai/funnels/{id}', { stale, done: t('saved') });
  const remove = useAction('delete', '/ai/funnels/{id}', { stale, done: t('funnel.removed'), then: close });
  if (!data) return error ? <Failed error={error} onAgain={() => void refetch()} /> : <Skeleton h={240} />;
  const funnel = data.data.find((f) => f.id === chosen) ?? data.data.find((f) => f.is_default) ?? data.data[0];
  return (
    <Stack>
      <Group justify="space-between">
        {data.data.length > 1 ? (
          <SegmentedControl
            value={funnel?.id}
            onChange={setChosen}
            data={data.data.map((f) => ({ value: f.id, label: f.name }))}
            aria-label={t('tab.funnel')}
          />
        ) : (
          <Text fw={600}>{funnel?.name}</Text>
        )}
        {may && (
          <Group gap="xs">
            {funnel && (
              <Button variant="default" onClick={() => setAsked('rename')}>
                {t('funnel.rename')}
              </Button>
            )}
            {funnel && !funnel.is_default && (
              <>
                <Button
                  variant="default"
                  loading={make.pending}
                  onClick={() => void make.run({ path: { id: funnel.id }, body: { is_default: true } })}
                >
                  {t('makeDefault')}
                </Button>
                <Button variant="subtle" color="red" onClick={() => setAsked('delete')}>
                  {t('delete.act')}
                </Button>
              </>
            )}
            <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setAsked('add')}>
              {t('funnel.add')}
            </Button>
          </Group>
        )}
      </Group>
      {funnel?.is_default && data.data.length > 1 && (
        <div>
          <Tag>{t('default')}</Tag>
        </div>
      )}
      <Text size="sm" c="dimmed">
        {t('funnel.lead')}
      </Text>
      {funnel ? <StageBoard key={`${funnel.id} ${funnel.updated_at}`} funnel={funnel} /> : <Paper>{t('funnel.none')}</Paper>}
      {(asked === 'add' || asked === 'rename') && (
        <FunnelDialog business={b.id} funnel={asked === 'rename' ? funnel : undefined} onClose={close} onMade={setChosen} />
      )}
      {asked === 'delete' && funnel && (
        <Confirm
          danger
          title={t('funnel.removeTitle', { name: funnel.name })}
          consequence={t('funnel.removeConsequence')}
          act={t('delete.act')}
          pending={remove.pending}
          onConfirm={() => void remove.run({ path: { id: funnel.id } })}
          onClose={close}
        />
      )}
    </Stack>
  );
}

interface DialogProps {
  business: string;
  funnel?: Funnel;
  onClose: () => void;
  onMade: (id: string) => void;
}

function FunnelDialog({ business, funnel: f, onClose, onMade }: DialogProps) {
  const { t } = useTranslation('business');
  const form = useForm({ initialValues: { name: f?.name ?? '' }, validate: { name: (v) => (v.trim() ? null : t('nameMissing')) } });
  const then = (made: Funnel) => {
    onMade(made.id);
    onClose();
  };
  const o = { form, stale: ['/ai/businesses/{id}/funnels'], done: t('saved'), then };
  const create = useAction('post', '/ai/businesses/{id}/funnels', o);
  const change = useAction('patch', '/ai/funnels/{id}', o);
  const save = form.onSubmit(({ name }) => {
    if (f) void change.run({ path: { id: f.id }, body: { name: name.trim() } });
    else void create.run({ path: { id: business }, body: { name: name.trim() } });
  });
  return (
    <Dialog onClose={onClose} title={f ? t('funnel.rename') : t('funnel.add')}>
      <form onSubmit={save} noValidate>
        <Stack>
          <TextInput label={t('name')} maxLength={120} data-autofocus {...form.getInputProps('name')} />
          <Ends act={f ? t('save') : t('funnel.add')} pending={create.pending || change.pending} onClose={onClose} />
        </Stack>
      </form>
    </Dialog>
  );
}
