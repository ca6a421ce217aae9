import { Code, Paper, SimpleGrid, Table, Text, Title } from '@mantine/core';
import { eventGroups, typesOf, useGroupWord, useTypeWord } from '@kit';
import { Page } from '@shell';
import { useTranslation } from 'react-i18next';
import { EventSections } from './sections';

/** What each type of event means. */
export default function Types() {
  const { t } = useTranslation('event');
  const word = useTypeWord();
  const groupWord = useGroupWord();
  return (
    <Page title={t('types.title')} lead={t('types.lead')}>
      <EventSections />
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        {eventGroups.map((g) => (
          <Paper key={g} component="section">
            <Title order={2} mb="xs">
              {groupWord(g)}
            </Title>
            <Table verticalSpacing={5} aria-label={groupWord(g)}>
              <Table.Tbody>
                {typesOf(g).map((type) => (
                  <Table.Tr key={type}>
                    <Table.Th scope="row" fw={400} w={{ base: '55%', xs: 230 }}>
                      <Code style={{ overflowWrap: 'anywhere' }}>{type}</Code>
                    </Table.Th>
                    <Table.Td>
                      <Text size="sm">{word(type)}</Text>
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Paper>
        ))}
      </SimpleGrid>
    </Page>
  );
}
