import { Button, Paper } from '@mantine/core';
import { Empty, Link } from '@shell';
import { IconTargetArrow } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Pipeline } from './types';

/** No lead: why, and what comes next. */
export function Nothing({ pipeline: p }: { pipeline: Pipeline }) {
  const { t } = useTranslation('seller');
  return (
    <Paper p={0}>
      <Empty
        icon={<IconTargetArrow size={32} stroke={1.4} aria-hidden />}
        title={t('leads.empty')}
        text={t(p.data.length === 0 ? 'leads.noBusiness' : 'leads.emptyText')}
        action={<Next pipeline={p} />}
      />
    </Paper>
  );
}

/** The way to the first lead: a business, or customers who write. */
export function Next({ pipeline: p }: { pipeline: Pipeline }) {
  const { t } = useTranslation('seller');
  return p.data.length === 0 ? (
    <Button component={Link} to="/ai/businesses/start">
      {t('leads.start')}
    </Button>
  ) : (
    <Button component={Link} to="/inbox" variant="default">
      {t('leads.inbox')}
    </Button>
  );
}
