// What an entry of a log changed: each field by its name, before and after.
import { Code, Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { changeWord, fieldWord, valueWord } from '../codes';
import { useFormat } from '../language/format';
import { Pale } from './parts';
import { prefixOf, ThingById } from './Thing';

interface Props {
  changes: Readonly<Record<string, { from?: unknown; to?: unknown }>>;
  label: string;
  /** What an id stands for; the records of this organization without. */
  thing?: (id: string) => ReactNode;
  /** Names of fields that only this page knows. */
  name?: (field: string) => string | undefined;
}

export function Changes({ changes, label, thing, name }: Props) {
  return (
    <Table.ScrollContainer minWidth={420} scrollAreaProps={{ viewportProps: { tabIndex: 0, 'aria-label': label } }}>
      <Table aria-label={label} layout="fixed">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{changeWord('field')}</Table.Th>
            <Table.Th>{changeWord('before')}</Table.Th>
            <Table.Th>{changeWord('after')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {Object.entries(changes).map(([field, c]) => (
            <Table.Tr key={field}>
              <Table.Td>{name?.(field) ?? fieldWord(field) ?? <Code>{field}</Code>}</Table.Td>
              <Table.Td>
                <Value of={c.from} thing={thing} />
              </Table.Td>
              <Table.Td>
                <Value of={c.to} thing={thing} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

function Value({ of, thing }: { of: unknown; thing: Props['thing'] }): ReactNode {
  const f = useFormat();
  if (of === null || of === undefined || of === '') return <Pale>{changeWord('none')}</Pale>;
  if (of === 'hidden') return <Pale>{changeWord('hidden')}</Pale>;
  if (typeof of === 'boolean') return changeWord(of ? 'yes' : 'no');
  if (typeof of === 'number') return f.number(of);
  if (Array.isArray(of))
    return of.length === 0 ? (
      <Pale>{changeWord('none')}</Pale>
    ) : (
      of.map((x, i) => (
        <span key={i}>
          {i > 0 && ', '}
          <Value of={x} thing={thing} />
        </span>
      ))
    );
  if (typeof of !== 'string') return <Code>{JSON.stringify(of)}</Code>;
  if (prefixOf(of)) return thing ? thing(of) : <ThingById id={of} />;
  return (
    <Text span size="sm" style={{ overflowWrap: 'anywhere' }}>
      {moment.test(of) ? f.time(of) : (valueWord(of) ?? of)}
    </Text>
  );
}
