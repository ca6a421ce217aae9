import { describe, expect, test } from 'vitest';
import { curlOf } from './curl';
import { answerOf, boundsOf, type Document, errorsOf, groupsOf, objectOf, operationsOf, search, typeOf } from './document';

const d: Document = {
  paths: {
    '/lists/{id}': {
      patch: {
        operationId: 'lists.update',
        summary: 'Rename a list',
        tags: ['lists'],
        'x-svc-permission': 'recipients:manage',
        parameters: [{ name: 'id', in: 'path', required: true, example: 'lst_1' }],
        requestBody: { content: { 'application/json': { example: { name: "Olga's" } } } },
        responses: { 200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/List' } } } }, 404: {} },
      },
    },
    '/lookup': {
      get: {
        operationId: 'invitations.lookup',
        tags: ['invitations'],
        'x-svc-permission': 'public',
        parameters: [{ name: 'token', in: 'query', required: true }],
        responses: { 200: {} },
      },
    },
    '/admin/x': { get: { operationId: 'admin.x', tags: ['admin'], 'x-svc-permission': 'platform-administrator', responses: { 200: {} } } },
  },
  components: {
    schemas: {
      List: {
        type: 'object',
        properties: { name: { type: 'string', maxLength: 5 }, tags: { type: ['array', 'null'], items: { type: 'string' } } },
      },
    },
  },
};
const [patch, lookup] = operationsOf(d, false);

test('who does not administer the platform sees nothing of it', () => {
  expect(groupsOf(operationsOf(d, false))).toEqual(['invitations', 'lists']);
  expect(groupsOf(operationsOf(d, true))).toContain('admin');
});

test('operations are found by words in any order', () => {
  expect(search(operationsOf(d, true), 'rename PATCH').map((o) => o.operationId)).toEqual(['lists.update']);
  expect(search(operationsOf(d, true), 'nothing like it')).toEqual([]);
});

test('errors of one operation are apart from those of nearly all', () => {
  const errors = [['timeout', 'flow_failed'], ['timeout'], ['timeout'], ['timeout'], ['timeout', 'flow_expired']];
  const many: Document = {
    ...d,
    paths: Object.fromEntries(
      errors.map((e, i) => [`/p${i}`, { get: { operationId: `p${i}`, tags: ['lists'], responses: {}, 'x-svc-errors': e } }]),
    ),
  };
  expect(errorsOf(many, operationsOf(many, true)[0]!)).toEqual({ own: ['flow_failed'], shared: ['timeout'] });
  expect(errorsOf(many, operationsOf(many, true)[1]!)).toEqual({ own: [], shared: ['timeout'] });
});

describe('a request to copy', () => {
  test('quotes what a shell would take apart', () => {
    expect(curlOf(patch!, 'https://a.uz/api/v1')).toBe(
      `curl -X PATCH 'https://a.uz/api/v1/lists/lst_1' \\\n  -H 'Authorization: Bearer svck_YOUR_KEY' \\\n` +
        `  -H 'Content-Type: application/json' \\\n  -d '{"name":"Olga'\\''s"}'`,
    );
  });
  test('needs no key for what is public, and names what must be given', () => {
    expect(curlOf(lookup!, 'https://a.uz/api/v1')).toBe("curl 'https://a.uz/api/v1/lookup?token=TOKEN'");
  });
});

test('an answer is described through its references', () => {
  const answer = answerOf(patch!);
  expect(answer.status).toBe('200');
  expect(Object.keys(objectOf(d, answer.media!.schema!)!.properties!)).toEqual(['name', 'tags']);
  expect(typeOf(d, { type: ['array', 'null'], items: { type: 'string' } })).toBe('array of string | null');
  expect(boundsOf({ type: 'string', maxLength: 5 })).toBe('0…5 chars');
});
