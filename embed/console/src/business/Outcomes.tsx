import { Checkbox, Table, Text } from '@mantine/core';
import { Status } from '@shell';
import { useTranslation } from 'react-i18next';
import { asksApproval, bookingOf, outcomeOf } from './autonomy';
import { type Scenario, scenarios } from './types';

interface Props {
  level: number;
  approved: readonly Scenario[];
  strict: readonly Scenario[];
  disabled?: boolean;
  onApproved: (v: Scenario[]) => void;
  onStrict: (v: Scenario[]) => void;
}

const colours = { NONE: 'OFF', RECOMMEND: 'OFF', DRAFT: 'WARN', DRAFT_EXACT: 'WARN', SEND: 'ACTIVE', SEND_EXACT: 'ACTIVE' } as const;

/** What happens in each scenario at the level that is chosen, in words. */
export function Outcomes({ level, approved, strict, disabled, onApproved, onStrict }: Props) {
  const { t } = useTranslation('business');
  const with_ = (list: readonly Scenario[], s: Scenario, on: boolean) => scenarios.filter((x) => (x === s ? on : list.includes(x)));
  const settings = { approved_scenarios: [...approved], strict_scenarios: [...strict] };
  return (
    <>
      <Table.ScrollContainer minWidth={560} scrollAreaProps={{ viewportProps: { tabIndex: 0, 'aria-label': t('seller.scenarios') } }}>
        <Table verticalSpacing="xs" aria-label={t('seller.scenarios')}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('seller.scenario')}</Table.Th>
              <Table.Th>{t('seller.happens')}</Table.Th>
              <Table.Th w={110}>{t('seller.approved')}</Table.Th>
              <Table.Th w={110}>{t('seller.strict')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {scenarios.map((s) => {
              const outcome = outcomeOf(level, s, settings) as keyof typeof colours;
              return (
                <Table.Tr key={s} data-scenario={s} data-outcome={outcome}>
                  <Table.Td>{t(`scenario.${s}`)}</Table.Td>
                  <Table.Td>
                    <Status state={colours[outcome]} label={t(`outcome.${outcome}`)} />
                    {s === 'BOOKING' && (
                      <Text size="xs" c="dimmed">
                        {t(`booked.${bookingOf(level)}`)}
                      </Text>
                    )}
                  </Table.Td>
                  <Table.Td>
                    <Checkbox
                      aria-label={`${t('seller.approved')}: ${t(`scenario.${s}`)}`}
                      checked={approved.includes(s)}
                      disabled={disabled}
                      onChange={(e) => onApproved(with_(approved, s, e.currentTarget.checked))}
                    />
                  </Table.Td>
                  <Table.Td>
                    <Checkbox
                      aria-label={`${t('seller.strict')}: ${t(`scenario.${s}`)}`}
                      checked={strict.includes(s)}
                      disabled={disabled}
                      onChange={(e) => onStrict(with_(strict, s, e.currentTarget.checked))}
                    />
                  </Table.Td>
                </Table.Tr>
              );
            })}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <Text size="sm" c="dimmed">
        {asksApproval(level) ? t('seller.approvedHint') : t('seller.approvedLater')} {t('seller.strictHint')}
      </Text>
    </>
  );
}
