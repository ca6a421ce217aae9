import { Button, Checkbox, Group, NumberInput, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Dialog, useAction } from '@shell';
import { useTranslation } from 'react-i18next';
import { type Dimension, dimensions } from './types';

/** Asks for cases to be found in the conversations of a business. */
export function FindDialog({ business, onClose }: { business: string; onClose: () => void }) {
  const { t } = useTranslation(['insight', 'shell']);
  const form = useForm({
    initialValues: { dimensions: [...dimensions] as string[], sample: 200 },
    validate: { dimensions: (v) => (v.length > 0 ? null : t('find.choose')) },
  });
  const find = useAction('post', '/ai/businesses/{id}/cases/generate', {
    form,
    stale: ['/ai/businesses/{id}/cases'],
    done: t('find.asked'),
    then: onClose,
  });
  return (
    <Dialog onClose={onClose} title={t('find.act')}>
      <form
        noValidate
        onSubmit={form.onSubmit(
          (v) => void find.run({ path: { id: business }, body: { dimensions: v.dimensions as Dimension[], sample_size: v.sample } }),
        )}
      >
        <Stack>
          <Text size="sm">{t('find.lead')}</Text>
          <Checkbox.Group label={t('find.dimensions')} {...form.getInputProps('dimensions')}>
            <Stack gap={6} mt={6}>
              {dimensions.map((d) => (
                <Checkbox key={d} value={d} label={t(`dimension.${d}`)} />
              ))}
            </Stack>
          </Checkbox.Group>
          <NumberInput label={t('find.sample')} min={50} max={500} step={50} {...form.getInputProps('sample')} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('shell:cancel')}
            </Button>
            <Button type="submit" loading={find.pending}>
              {t('find.start')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
