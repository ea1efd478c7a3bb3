/** A service with people who are spoken of, agents that read for them, and questions that come with the reads. */
import type { HttpAnswer } from '../support/http.ts';
import { startService, type Body, type Service } from '../support/service.ts';

export interface Person {
  readonly key: string;
  /** The session that the person talks in. */
  readonly session: string;
  /** Of the person itself, signed in. */
  readonly token: string;
  readonly statementId: string;
  readonly statement: string;
}

export interface Said {
  readonly role?: string;
  /** Absent: whoever the credential stands for. */
  readonly peer_key?: string;
  readonly content: string;
}

export interface Asking {
  readonly service: Service;
  /** `agent` reads for people and reports answers; `gateway` keeps the transcripts of the sessions. */
  readonly tokens: Readonly<Record<'agent' | 'gateway' | 'curator' | 'outsider', string>>;
  /** A person who says something about itself through the agent, which waits to be confirmed. */
  person(content?: string): Promise<Person>;
  /** The question that came with a search by the agent, for the person and in its session unless told. */
  ask(person: Person, over?: Body, token?: string): Promise<Body | null>;
  /** A turn of a session. */
  turn(token: string, session: string, said: Said): Promise<void>;
  /** The statement quoted and answered, as `token` records it. */
  talk(token: string, person: Person, answer: string): Promise<void>;
  answer(id: unknown, body: Body, token?: string): Promise<HttpAnswer>;
  /** Lets hours pass for all that the person was asked. */
  later(person: Person, hours: number): Promise<void>;
  row(id: string): Promise<Body>;
  questions(statementId: string): Promise<readonly Body[]>;
}

/** The question of an answer. */
export function questionOf(answer: HttpAnswer): Body | null {
  const { pending_validation: question } = Object(answer.json());
  return question === undefined ? null : Object(question);
}

export async function openAsking(): Promise<Asking> {
  const service = await startService({ SERVICE_ERASURE_SETTLE_SECONDS: '1' });
  const { home } = service;
  const tokens = {
    agent: (await home.agent('agent')).token,
    gateway: (await home.agent('gateway')).token,
    outsider: (await home.agent('outsider')).token,
    curator: await home.person('curator', { role: 'curator' }),
  };
  let people = 0;
  const turn: Asking['turn'] = async (token, session, said) => {
    const answer = await service.ingest(token, { session_id: session, role: 'user', ...said });
    if (answer.status !== 202) throw new Error(answer.text);
  };
  return {
    service,
    tokens,
    turn,
    async person(content = 'I own a red canoe.') {
      people += 1;
      // Nobody else in the database has that key.
      const key = `${home.key}-${people}`;
      const session = `talk-${people}`;
      const told = await service.ingestAndWait(tokens.agent, {
        peer_key: key,
        session_id: session,
        content,
      });
      const [row] = told.knowledge;
      if (row === undefined) throw new Error(`nothing was drawn from: ${content}`);
      const token = await home.person(key, { peer: key });
      const statement = String(row['statement']);
      return { key, session, token, statementId: String(row['id']), statement };
    },
    async ask({ key, session }, over = {}, token = tokens.agent) {
      const body = { query: 'canoe', peer_key: key, session_id: session, ...over };
      return questionOf(await service.search(token, body));
    },
    async talk(token, { key, session, statement }, answer) {
      const content = `Just to be sure: “${statement}” Is that right?`;
      await turn(token, session, { role: 'assistant', peer_key: 'assistant', content });
      await turn(token, session, { peer_key: key, content: answer });
    },
    answer: (id, body, token = tokens.agent) =>
      service.call({
        method: 'POST',
        path: `/api/v1/validations/${String(id)}`,
        token,
        json: body,
      }),
    async later({ key }, hours) {
      await service.rows(
        `with q as (
           update questions set last_delivered_at = last_delivered_at - make_interval(hours => $2)
           where peer_id = (select id from peers where key = $1)
         ) update question_deliveries set delivered_at = delivered_at - make_interval(hours => $2)
         where peer_id = (select id from peers where key = $1)`,
        [key, hours],
      );
    },
    async row(id) {
      const [row] = await service.rows('select * from knowledge where id = $1', [id]);
      return row ?? {};
    },
    questions: (id) =>
      service.rows('select * from questions where knowledge_id = $1 order by opened_at, id', [id]),
  };
}

/** The id of the question that a search by the agent comes with. */
export async function askedOf(asking: Asking, person: Person): Promise<unknown> {
  const question = await asking.ask(person);
  if (question === null) throw new Error('nobody was asked');
  return question['id'];
}
