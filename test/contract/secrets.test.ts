/** Secrets in what agents send: what is kept, what is refused, and what a provider is sent. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { setSecretPolicy } from '../../operations/governance/secrets.ts';
import { base64, settledDocument, submitDocument } from '../support/documents.ts';
import { eventually } from '../support/patience.ts';
import { dataOf, type Body, type Service } from '../support/service.ts';
import type { StubOpenAi } from '../support/stub-openai.ts';
import { startStubbedService } from '../support/stubbed-service.ts';
import { refusal } from './answers.ts';

const TOKEN = `ghp_${'a1B2'.repeat(9)}`;
const NAME_TOKEN = `glpat-${'c3D4'.repeat(6)}`;
const EARLIER = 'Otter-9182';
const QUERIED = `sk-proj-${'e5F6'.repeat(8)}`;
const SECRETS = [TOKEN, NAME_TOKEN, EARLIER, QUERIED];

let stub: StubOpenAi;
let service: Service;
let relay: string;

beforeAll(async () => {
  ({ service, stub } = await startStubbedService({ dimensions: 8 }));
  relay = (await service.home.agent('relay')).token;
});
afterAll(() => service?.close());

/** Letters and digits alone: a secret that was folded and cut at its hyphens is still one. */
const bare = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

const received = (path: string): string =>
  JSON.stringify(stub.requests.filter((request) => request.path.endsWith(path)));

describe('an account that keeps observations with secrets', () => {
  test('stores it as received, masks it in statements, and sends none of it to a provider', async () => {
    const speaker = { peer_key: 'ana', peer_name: `Ana ${NAME_TOKEN}` };
    await service.ingestAndWait(relay, { ...speaker, content: `The password is ${EARLIER}.` });
    const content = `I like tea. My token is ${TOKEN} for the boat.`;
    const { status, knowledge } = await service.ingestAndWait(relay, { ...speaker, content });
    expect(status).toMatchObject({ status: 'completed' });
    expect(knowledge.map(({ statement }) => statement)).toEqual([
      'Ana [secret]: I like tea.',
      'Ana [secret]: My token is [secret] for the boat.',
    ]);
    await service.quiet();
    expect((await service.search(relay, { query: `who uses ${QUERIED} for tea` })).status).toBe(
      200,
    );
    await eventually(async () => received('/embeddings').includes('who uses secret for tea'));

    expect(received('/chat/completions')).toContain('[secret]');
    expect(received('/embeddings')).toContain('My token is [secret] for the boat.');
    const all = bare(JSON.stringify(stub.requests));
    expect(SECRETS.filter((secret) => all.includes(bare(secret)))).toEqual([]);
    const stored = await service.rows(
      "select content from messages where content like '%boat%' and role = 'user'",
    );
    expect(stored).toEqual([{ content }]);
    const leaked = await service.rows(
      'select id from knowledge where statement like any($1::text[])',
      [SECRETS.map((secret) => `%${secret}%`)],
    );
    expect(leaked).toEqual([]);
  });
});

describe('a document that holds a secret', () => {
  const submit = (token: string, body: Body) => submitDocument(service, token, body);

  test('is shown with masks to readers and providers, and its stored bytes stay unchanged', async () => {
    const text = `# Keys ${NAME_TOKEN}\n\nThe lighthouse opens with ${TOKEN} at noon.\n`;
    const body = { title: `List ${QUERIED}`, content_base64: base64(text) };
    const { document_version_id: id } = dataOf(await submit(relay, body));
    const version = await settledDocument(service, relay, id);
    expect(version).toMatchObject({
      status: 'completed',
      knowledge: [{ statement: 'The lighthouse opens with [secret] at noon.' }],
    });
    await service.quiet();
    expect(received('/chat/completions')).toContain('The lighthouse opens with [secret] at noon.');
    const all = bare(JSON.stringify(stub.requests));
    expect(SECRETS.filter((secret) => all.includes(bare(secret)))).toEqual([]);
    expect(await submit(relay, body)).toMatchObject({ status: 200 });
  });

  test('is refused where the account refuses secrets; one that cannot be inspected is accepted', async () => {
    const agent = await service.other.agent('archivist');
    await service.operate(setSecretPolicy, { account: 'other', policy: 'refuse' });
    const secret = base64(`Use ${TOKEN}.`);
    const answer = await eventually(async () => {
      const tried = await submit(agent.token, { content_base64: secret });
      return tried.status === 422 && tried;
    });
    expect(refusal(answer)).toEqual([422, 'invalid_request', 'content_base64']);
    expect(answer.text).not.toContain(TOKEN);
    const versions = async (): Promise<unknown> =>
      (
        await service.rows(
          'select count(*)::int as versions from document_versions where account_id = $1',
          [service.other.id],
        )
      )[0];
    const before = await versions();
    const titled = { content_base64: base64('Tea.'), title: `Use ${TOKEN}` };
    expect(refusal(await submit(agent.token, titled))).toEqual([422, 'invalid_request', 'title']);
    for (const [media_type, bytes] of [
      ['text/plain; charset=utf-16le', Buffer.from(`Use ${TOKEN}.`, 'utf16le')],
      ['text/html', Buffer.from([...Buffer.from(`<p>Use ${TOKEN}</p>`), 0xff])],
    ] as const) {
      const content_base64 = bytes.toString('base64');
      expect((await submit(agent.token, { media_type, content_base64 })).status).toBe(422);
    }
    expect(await versions()).toEqual(before);
    expect((await submit(agent.token, { content_base64: base64('I like tea.') })).status).toBe(202);
    const packed = { media_type: 'application/pdf', content_base64: secret };
    expect((await submit(agent.token, packed)).status).toBe(202);
    await service.operate(setSecretPolicy, { account: 'other', policy: 'keep' });
    const keeps = { content_base64: base64(`Use ${TOKEN} twice.`) };
    await eventually(async () => (await submit(agent.token, keeps)).status === 202);
  });
});

describe('an account that refuses secrets', () => {
  test('stores nothing of an observation that holds a secret, and names the field', async () => {
    const agent = await service.other.agent('relay');
    const send = (content: string) =>
      service.ingest(agent.token, { peer_key: 'ben', session_id: 'refused', content });
    const setting = { account: 'other', policy: 'refuse' };
    expect(await service.operate(setSecretPolicy, setting)).toMatchObject({
      changed: true,
      previous_policy: 'keep',
    });
    const answer = await eventually(async () => {
      const tried = await send(`My token is ${TOKEN}.`);
      return tried.status === 422 && tried;
    });
    expect(refusal(answer)).toEqual([422, 'invalid_request', 'content']);
    expect(answer.text).toContain('contains a credential, which this account refuses');
    expect(answer.text).not.toContain(TOKEN);

    const { id: accountId } = service.other;
    const count = async (): Promise<unknown> =>
      (
        await service.rows(
          `select (select count(*)::int from messages where account_id = $1) as messages,
             (select count(*)::int from sessions where account_id = $1) as sessions,
             (select count(*)::int from audit_events where account_id = $1) as events`,
          [accountId],
        )
      )[0];
    const before = await count();
    expect((await send(`password: ${EARLIER}`)).status).toBe(422);
    expect(await count()).toEqual(before);
    expect((await send('I like tea.')).status).toBe(202);
  });

  test('accepts them again once it keeps secrets, and other accounts are not affected', async () => {
    const agent = await service.other.agent('second');
    await service.operate(setSecretPolicy, { account: 'other', policy: 'keep' });
    const send = () => service.ingest(agent.token, { peer_key: 'ben', content: `Use ${TOKEN}.` });
    await eventually(async () => (await send()).status === 202);
    expect((await service.ingest(relay, { content: `Use ${TOKEN}.` })).status).toBe(202);
  });
});
