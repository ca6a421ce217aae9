import { Paper, Table, Text, VisuallyHidden } from '@mantine/core';
import { Page, useMe } from '@shell';
import { IconCheck } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { type Column, matrix, roles } from './roles';
import { TeamSections } from './sections';

const columns: readonly Column[] = [...roles, 'API_CLIENT'];

/** What each role may do. */
export default function Roles() {
  const { t } = useTranslation(['org', 'shell']);
  const { role: mine } = useMe();
  return (
    <Page title={t('roles.title')} lead={t('roles.lead')}>
      <TeamSections />
      <Paper p={0}>
        <Table.ScrollContainer minWidth={820} scrollAreaProps={{ viewportProps: { tabIndex: 0, 'aria-label': t('roles.title') } }}>
          <Table aria-label={t('roles.title')} verticalSpacing={6}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('roles.may')}</Table.Th>
                {columns.map((r) => (
                  <Table.Th key={r} ta="center" data-mine={r === mine || undefined}>
                    {t(`shell:role.${r}`)}
                    {r === mine && (
                      <Text size="xs" c="dimmed">
                        {t('roles.yours')}
                      </Text>
                    )}
                  </Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {matrix.map(([permission, has]) => (
                <Table.Tr key={permission} data-permission={permission}>
                  <Table.Th scope="row" fw={400}>
                    {t(`permission.${permission.replace(':', '.')}`)}
                  </Table.Th>
                  {columns.map((r) => (
                    <Table.Td
                      key={r}
                      ta="center"
                      data-role={r}
                      data-has={has.includes(r)}
                      bg={r === mine ? 'var(--mantine-primary-color-light)' : undefined}
                    >
                      {has.includes(r) ? (
                        <>
                          <IconCheck size={17} aria-hidden />
                          <VisuallyHidden>{t('roles.yes')}</VisuallyHidden>
                        </>
                      ) : (
                        <VisuallyHidden>{t('roles.no')}</VisuallyHidden>
                      )}
                    </Table.Td>
                  ))}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      </Paper>
      <Text size="sm" c="dimmed" mt="sm">
        {t('roles.owners')}
      </Text>
    </Page>
  );
}
