/** A service with people who are spoken of, curators, and statements that wait for them. */
import { dataOf, rowsOf, startService, type Body, type Service } from '../support/service.ts';
import type { HttpAnswer } from '../support/http.ts';

export interface Desk {
  readonly service: Service;
  /** Tokens, by who they are for. `alice` is a person known through the agent `relay`. */
  readonly tokens: Readonly<
    Record<'relay' | 'alice' | 'bob' | 'curator' | 'curator elsewhere' | 'root curator', string>
  >;
  /** Lets alice say something through the agent, and answers the statement's id. */
  said(content: string): Promise<string>;
  own(action: string, id: string, body?: Body, token?: string): Promise<HttpAnswer>;
  /** The open items about alice's statement, as the curator of its scope lists them. */
  itemsOf(id: string): Promise<readonly Body[]>;
  decide(itemId: unknown, action: string, body: Body, token?: string): Promise<HttpAnswer>;
  /** A statement as the database has it. */
  row(id: string): Promise<Body>;
}

export async function openDesk(): Promise<Desk> {
  const service = await startService();
  const { home } = service;
  const relay = (await home.agent('relay')).token;
  let said = 0;
  const tellOf = async (content: string): Promise<string> => {
    said += 1;
    const told = await service.ingestAndWait(relay, {
      peer_key: 'alice',
      session_id: `desk-${said}`,
      content,
    });
    return String(told.knowledge[0]?.['id']);
  };
  await tellOf('I own a red canoe.');
  const tokens = {
    relay,
    alice: await home.person('alice', { peer: 'alice', role: 'reader' }),
    bob: await home.person('bob', { role: 'reader' }),
    curator: await home.person('curator', { role: 'curator', scope: '/team' }),
    'curator elsewhere': await home.person('away', { role: 'curator', scope: '/else' }),
    'root curator': await home.person('root', { role: 'curator' }),
  };
  const call = (path: string, token: string, body?: Body) =>
    service.call(
      body === undefined ? { path, token } : { path, token, method: 'POST', json: body },
    );
  const governance = '/api/v1/governance';
  return {
    service,
    tokens,
    said: tellOf,
    own: (action, id, body = {}, token = tokens.alice) =>
      call(`/api/v1/self/knowledge/${id}/${action}`, token, body),
    async itemsOf(id) {
      const answer = await call(`${governance}/reviews?limit=100`, tokens.curator);
      const { items } = dataOf(answer);
      if (!Array.isArray(items)) throw new Error(answer.text);
      return items.map(Object).filter(({ knowledge }) => Object(knowledge).id === id);
    },
    decide: (itemId, action, body, token = tokens.curator) =>
      call(`${governance}/reviews/${String(itemId)}/${action}`, token, body),
    async row(id) {
      const [row] = await service.rows('select * from knowledge where id = $1', [id]);
      return row ?? {};
    },
  };
}

export { dataOf, rowsOf };
