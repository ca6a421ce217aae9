import { Page, useCan } from '@shell';
import { IconPlus } from '@tabler/icons-react';
import { Button, Stack } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { BudgetDialog } from './BudgetDialog';
import { BudgetList } from './BudgetList';
import { CostTable } from './CostTable';
import { EngineSections } from './sections';

/** What the AI may cost, what it has cost, and of whom. */
export default function Budgets() {
  const { t } = useTranslation('engine');
  const can = useCan();
  const [adding, setAdding] = useState(false);
  return (
    <Page
      title={t('sections.budgets')}
      lead={t('budget.lead')}
      actions={
        can('ai:manage') && (
          <Button leftSection={<IconPlus size={17} aria-hidden />} onClick={() => setAdding(true)}>
            {t('budget.add')}
          </Button>
        )
      }
    >
      <EngineSections />
      <Stack>
        <BudgetList />
        <CostTable />
      </Stack>
      {adding && <BudgetDialog onClose={() => setAdding(false)} />}
    </Page>
  );
}
