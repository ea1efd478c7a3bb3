/** What leaves the gateway: no provider is sent a recognised secret, and no statement holds one. */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Candidate, ExtractionRequest } from '../../../domain/statements/candidate.ts';
import { formatApiKey } from '../../../runtime/identity/secret-text.ts';
import type { StubOpenAi } from '../../support/stub-openai.ts';
import { startStubOpenAi } from '../../support/stub-openai.ts';
import { ANCHOR_ID, CANDIDATE, ITEM, NO_ROLES, REQUEST } from './fixtures.ts';
import { callContext, gatewayOf, remoteRole } from './fixtures.ts';
import { recordingLedger } from './recording-ledger.ts';

const KEY = formatApiKey(ANCHOR_ID, new Uint8Array(32).fill(7));
const PASSWORD = 'Kayak-4711';
const TOKEN = `ghp_${'a1B2'.repeat(9)}`;
const SECRETS = [KEY, PASSWORD, TOKEN];

/** A secret in every text of a request that people write. */
const LEAKY: ExtractionRequest = {
  scopePath: REQUEST.scopePath,
  anchor: {
    ...REQUEST.anchor,
    content: `I live in Lisbon. My "password" is: ${PASSWORD}\nI own a red kayak.`,
    peerName: `Inês ${KEY}`,
  },
  window: REQUEST.window.map((message) => ({ ...message, content: `Use ${TOKEN}, please.` })),
  participants: REQUEST.participants.map((peer) => ({ ...peer, name: `${peer.name} ${KEY}` })),
};

let stub: StubOpenAi;
beforeEach(async () => {
  stub = await startStubOpenAi();
});
afterEach(() => stub.close());

const received = (): string => JSON.stringify(stub.requests);
const heard = (): string[] => SECRETS.filter((secret) => received().includes(secret));

function gateway() {
  return gatewayOf({
    ledger: recordingLedger().ledger,
    roles: {
      ...NO_ROLES,
      ingest_extractor: remoteRole(stub.baseUrl),
      dream_reasoner: remoteRole(stub.baseUrl),
      embedder: remoteRole(stub.baseUrl, { dimensions: 8 }),
    },
  });
}

test('an extraction shows a model masks, and its statements quote masks', async () => {
  const { candidates } = await gateway().extract(LEAKY, callContext());
  expect(heard()).toEqual([]);
  expect(received()).toContain('[secret]');
  expect(candidates.map(({ statement }) => statement)).toEqual([
    'Inês [secret]: I live in Lisbon.',
    'Inês [secret]: My "password" is: [secret]',
    'Inês [secret]: I own a red kayak.',
  ]);
});

test('a chunk of a document is shown under masked title and headings, by people with masked names', async () => {
  const chunk = {
    ...LEAKY,
    anchor: { ...LEAKY.anchor, role: 'document' },
    window: [],
    document: { title: `Keys: ${TOKEN}`, headings: ['Rooms', `password: ${PASSWORD}`] },
  };
  stub.script({ kind: 'statements', statements: [] });
  await gateway().extract(chunk, callContext());
  expect(heard()).toEqual([]);
  const asked = String(Object(stub.requests[0]?.body['messages'])[1].content);
  expect(JSON.parse(asked)).toMatchObject({
    document: { title: 'Keys: [secret]', headings: ['Rooms', 'password: [secret]'] },
    people: [{ name: 'Inês [secret]' }, {}, {}],
    anchor_messages: [{ text: expect.stringContaining('[secret]'), window: [] }],
  });
  expect(asked).not.toContain('speaker');
});

test('a peer key or path that holds a secret is sent as a mask, and is restored in the answer', async () => {
  const leaky = {
    ...REQUEST,
    scopePath: `/harbour/${TOKEN}`,
    anchor: { ...REQUEST.anchor, peerKey: KEY },
    participants: REQUEST.participants.map((peer) =>
      peer.peerKey === REQUEST.anchor.peerKey ? { ...peer, peerKey: KEY } : peer,
    ),
  };
  const { candidates } = await gateway().extract(leaky, callContext());
  expect(heard()).toEqual([]);
  expect(stub.requests).toHaveLength(1);
  expect(candidates.map(({ subjectRef }) => subjectRef)).toEqual([KEY, KEY]);
});

test('a repair request shows masks too, also for a secret that the model made up', async () => {
  stub.script({
    kind: 'statements',
    statements: [{ ...ITEM, supporting_span: 'not in the text', statement: `It is ${TOKEN}.` }],
  });
  await gateway().extract(LEAKY, callContext());
  expect(stub.requests).toHaveLength(2);
  expect(heard()).toEqual([]);
});

test('a secret in a statement that a model makes up is masked', async () => {
  stub.script({
    kind: 'statements',
    statements: [{ ...ITEM, statement: `Inês lives in Lisbon with ${TOKEN}.` }],
  });
  const { candidates } = await gateway().extract(REQUEST, callContext());
  expect(candidates.map(({ statement }) => statement)).toEqual([
    'Inês lives in Lisbon with [secret].',
  ]);
});

test('the built-in extractor sees masks as well', async () => {
  const seen: ExtractionRequest[] = [];
  const deterministicExtract = (request: ExtractionRequest): readonly Candidate[] => {
    seen.push(request);
    return [CANDIDATE];
  };
  const builtIn = { provider: 'deterministic', model: 'rules', modelVersion: '1' } as const;
  await gatewayOf({
    ledger: recordingLedger().ledger,
    roles: { ...NO_ROLES, ingest_extractor: { ...builtIn, dimensions: null } },
    deterministicExtract,
  }).extract(LEAKY, callContext());
  const text = JSON.stringify(seen);
  expect(SECRETS.filter((secret) => text.includes(secret))).toEqual([]);
  expect(seen[0]?.anchor.content).toBe(
    'I live in Lisbon. My "password" is: [secret]\nI own a red kayak.',
  );
});

test('texts are embedded with masks, in their order', async () => {
  const texts = [`the key ${KEY}`, 'tea', `my password is ${PASSWORD}`];
  await gateway().embed(texts, callContext());
  expect(heard()).toEqual([]);
  expect(stub.requests[0]?.body['input']).toEqual([
    'the key [secret]',
    'tea',
    'my password is [secret]',
  ]);
});

test('the questions of every other role are masked, and their JSON documents keep their structure', async () => {
  const document = {
    note: `say "password: ${PASSWORD}"`,
    list: [1, null, `${TOKEN}\n`, { 'password:': true, next: 'tea' }],
  };
  const question = {
    instructions: 'Answer.',
    messages: [
      { role: 'user', content: JSON.stringify(document) },
      { role: 'assistant', content: `[not json ${TOKEN}` },
      { role: 'user', content: 'nothing [of note]' },
    ] as const,
    object: null,
    promptVersion: 'p-1',
    repairIndex: 0,
  };
  const model = gateway().generation('dream_reasoner', callContext());
  await model.ask(question, (text) => ({ value: text, errorClass: null }));
  expect(heard()).toEqual([]);
  const messages = Object(stub.requests[0]?.body['messages']);
  const contents = [1, 2, 3].map((index) => String(messages[index].content));
  expect(JSON.parse(contents[0] ?? '')).toEqual({
    note: 'say "password: [secret]"',
    list: [1, null, '[secret]\n', { 'password:': true, next: 'tea' }],
  });
  expect(contents.slice(1)).toEqual(['[not json [secret]', 'nothing [of note]']);
});
