import { Code, Table, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { boundsOf, type Document, objectOf, resolve, type SchemaNode, typeOf } from './document';

export interface Field {
  name: string;
  schema: SchemaNode;
  required: boolean;
  description?: string;
  where?: string;
}

const deepest = 3;

/** The fields of an object, those within it too, as in "organization.name". */
export function fieldsOf(d: Document, schema: SchemaNode, prefix = '', depth = 0): Field[] {
  const object = objectOf(d, schema);
  return Object.entries(object?.properties ?? {}).flatMap(([name, s]) => {
    const list = [resolve(d, s).type ?? []].flat().includes('array');
    const field: Field = {
      name: `${prefix}${name}`,
      schema: s,
      required: object?.required?.includes(name) ?? false,
      description: s.description ?? resolve(d, s).description,
    };
    return [field, ...(depth < deepest && objectOf(d, s) ? fieldsOf(d, s, `${prefix}${name}${list ? '[]' : ''}.`, depth + 1) : [])];
  });
}

export function Fields({ document, label, fields }: { document: Document; label: string; fields: readonly Field[] }) {
  const { t } = useTranslation('event');
  return (
    <Table.ScrollContainer minWidth={420} scrollAreaProps={{ viewportProps: { tabIndex: 0, 'aria-label': label } }}>
      <Table aria-label={label} verticalSpacing={4} layout="auto">
        <Table.Tbody>
          {fields.map((f) => {
            const s = resolve(document, f.schema);
            const bounds = boundsOf(s);
            return (
              <Table.Tr key={`${f.where}${f.name}`}>
                <Table.Th scope="row" fw={400} w="38%">
                  <Code style={{ overflowWrap: 'anywhere' }}>{f.name}</Code>
                  {f.required && (
                    <Text span size="xs" c="dimmed">
                      {' '}
                      {t('reference.required')}
                    </Text>
                  )}
                  {f.where && (
                    <Text size="xs" c="dimmed">
                      {f.where}
                    </Text>
                  )}
                </Table.Th>
                <Table.Td>
                  <Text size="sm" c="dimmed">
                    {typeOf(document, f.schema)}
                    {bounds && ` · ${bounds}`}
                  </Text>
                  {s.enum && (
                    <Text size="xs" style={{ overflowWrap: 'anywhere' }}>
                      {s.enum
                        .filter((v) => v !== null)
                        .map(String)
                        .join(', ')}
                    </Text>
                  )}
                  {f.description && <Text size="sm">{f.description}</Text>}
                </Table.Td>
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
