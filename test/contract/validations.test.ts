/** What an answer to a question does: a declared table of transcripts, answers and kinds, over HTTP. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { closeWithoutErrors, dataOf } from '../support/service.ts';
import { refusal } from './answers.ts';
import { askedOf, openAsking, type Asking, type Person } from './questions-scene.ts';

let asking: Asking;

beforeAll(async () => {
  asking = await openAsking();
});
afterAll(() => closeWithoutErrors(asking.service));

const asked = (person: Person): Promise<unknown> => askedOf(asking, person);

type Recorder = 'agent' | 'gateway' | 'person';

interface Transcript {
  readonly name: string;
  readonly quotedBy?: Recorder;
  readonly answeredBy?: Recorder;
  /** What the assistant says instead of the quotation. */
  readonly says?: string;
  readonly answer?: string;
  /** Who answers; absent: the person. */
  readonly answering?: string;
  readonly session?: string;
  readonly turnsBetween?: number;
  readonly isBeforeDelivery?: true;
  readonly shownText?: string;
  readonly isVerified: boolean;
}

/** The declared table: who recorded what, and whether an answer counts. The agent is the one who reports the answer. */
const TRANSCRIPTS: readonly Transcript[] = [
  { name: 'nothing was recorded', isVerified: false },
  {
    name: 'the agent recorded both turns',
    quotedBy: 'agent',
    answeredBy: 'agent',
    isVerified: false,
  },
  {
    name: 'the agent recorded the quotation, and the gateway what the person said next',
    quotedBy: 'agent',
    answeredBy: 'gateway',
    isVerified: false,
  },
  {
    name: 'the agent recorded the quotation, and the person what it said next',
    quotedBy: 'agent',
    answeredBy: 'person',
    isVerified: false,
  },
  {
    name: 'the gateway recorded the quotation, and the agent the answer',
    quotedBy: 'gateway',
    answeredBy: 'agent',
    isVerified: false,
  },
  {
    name: 'the gateway recorded both turns',
    quotedBy: 'gateway',
    answeredBy: 'gateway',
    isVerified: true,
  },
  {
    name: 'the gateway recorded the quotation, and the person the answer',
    quotedBy: 'gateway',
    answeredBy: 'person',
    isVerified: true,
  },
  {
    name: 'the turns are older than the delivery',
    quotedBy: 'gateway',
    answeredBy: 'gateway',
    isBeforeDelivery: true,
    isVerified: false,
  },
  {
    name: 'the turns are of another session',
    quotedBy: 'gateway',
    answeredBy: 'gateway',
    session: 'elsewhere',
    isVerified: false,
  },
  {
    name: 'somebody else answered',
    quotedBy: 'gateway',
    answeredBy: 'gateway',
    answering: 'bystander',
    isVerified: false,
  },
  {
    name: 'the person answered the sixth turn after the quotation',
    quotedBy: 'gateway',
    answeredBy: 'gateway',
    turnsBetween: 5,
    isVerified: true,
  },
  {
    name: 'the person answered the seventh turn after the quotation',
    quotedBy: 'gateway',
    answeredBy: 'gateway',
    turnsBetween: 6,
    isVerified: false,
  },
  {
    name: 'another sentence was quoted',
    quotedBy: 'gateway',
    says: 'Is it true that you own a blue canoe?',
    answeredBy: 'gateway',
    isVerified: false,
  },
  {
    name: 'the person plainly said no',
    quotedBy: 'gateway',
    answeredBy: 'gateway',
    answer: 'No, that was my sister.',
    isVerified: false,
  },
  {
    name: 'the agent showed something else',
    quotedBy: 'gateway',
    answeredBy: 'gateway',
    shownText: 'You like canoes.',
    isVerified: false,
  },
];

function tokenOf(recorder: Recorder, person: Person): string {
  return recorder === 'person' ? person.token : asking.tokens[recorder];
}

async function record(person: Person, transcript: Transcript): Promise<void> {
  const { answer = 'Yes, that is right.', answeredBy, quotedBy, turnsBetween = 0 } = transcript;
  if (quotedBy === undefined || answeredBy === undefined) return;
  const session =
    transcript.session === undefined ? person.session : `${transcript.session}-${person.key}`;
  const { says = `Just to be sure: “${person.statement}” Is that right?` } = transcript;
  const assistant = { role: 'assistant', peer_key: 'assistant' };
  await asking.turn(tokenOf(quotedBy, person), session, { ...assistant, content: says });
  for (let turn = 0; turn < turnsBetween; turn += 1) {
    const said = { ...assistant, content: `One moment, ${turn}.` };
    await asking.turn(asking.tokens.gateway, session, said);
  }
  const peer = transcript.answering ?? person.key;
  const speaker = answeredBy === 'person' ? {} : { peer_key: peer };
  await asking.turn(tokenOf(answeredBy, person), session, { ...speaker, content: answer });
}

describe('an answer to a question', () => {
  test.each(TRANSCRIPTS)('where $name', async (transcript) => {
    const person = await asking.person();
    const before = await asking.row(person.statementId);
    if (transcript.isBeforeDelivery === true) await record(person, transcript);
    const id = await asked(person);
    if (transcript.isBeforeDelivery !== true) await record(person, transcript);
    const shown = transcript.shownText ?? person.statement;
    const answer = await asking.answer(id, { verdict: 'confirm', shown_text: shown });
    const [effect, verification] = transcript.isVerified
      ? ['knowledge_confirmed', 'verified']
      : ['timer_deferred_only', 'unverified_channel'];
    expect(dataOf(answer)).toEqual({ id, verdict: 'confirm', verification, effect });
    const after = await asking.row(person.statementId);
    if (transcript.isVerified) {
      expect(after).toMatchObject({
        state: 'active',
        verification: 'subject_confirmed',
        target_level: 'peer',
      });
    } else expect(after).toEqual(before);
    const [question] = await asking.questions(person.statementId);
    expect(question?.['end_reason']).toBe(transcript.isVerified ? 'knowledge_confirmed' : null);
    expect(refusal(await asking.answer(id, { verdict: 'confirm' }))).toEqual([404, 'not_found']);
  });
});

interface Ending {
  readonly verdict: string;
  readonly isVerified: boolean;
  readonly effect: string;
  readonly state: string;
  readonly end: string | null;
}

const CONFIRMING: readonly Ending[] = [
  {
    verdict: 'confirm',
    isVerified: true,
    effect: 'knowledge_confirmed',
    state: 'active',
    end: 'knowledge_confirmed',
  },
  {
    verdict: 'reject',
    isVerified: true,
    effect: 'knowledge_retracted',
    state: 'redacted',
    end: 'knowledge_retracted',
  },
  {
    verdict: 'reject',
    isVerified: false,
    effect: 'timer_deferred_only',
    state: 'provisional',
    end: null,
  },
  {
    verdict: 'unsure',
    isVerified: false,
    effect: 'timer_deferred_only',
    state: 'provisional',
    end: null,
  },
  {
    verdict: 'skip',
    isVerified: false,
    effect: 'pending_after_skip',
    state: 'provisional',
    end: null,
  },
];

test.each(CONFIRMING)(
  '$verdict, verified $isVerified, of a statement that waits: $effect',
  async ({ effect, end, isVerified, state, verdict }) => {
    const person = await asking.person();
    const id = await asked(person);
    const words = verdict === 'reject' ? 'No, never.' : 'Yes, that is right.';
    if (isVerified) await asking.talk(asking.tokens.gateway, person, words);
    expect(dataOf(await asking.answer(id, { verdict }))).toMatchObject({ effect });
    expect(await asking.row(person.statementId)).toMatchObject({ state });
    const [question] = await asking.questions(person.statementId);
    expect(question?.['end_reason']).toBe(end);
  },
);

test('the yes adds a tenth to the confidence, approves the item, and is recorded as a ruling of the subject', async () => {
  const person = await asking.person();
  const id = await asked(person);
  await asking.service.rows('update knowledge set confidence = 0.6 where id = $1', [
    person.statementId,
  ]);
  await asking.talk(asking.tokens.gateway, person, 'Yes.');
  await asking.answer(id, { verdict: 'confirm' });
  const row = await asking.row(person.statementId);
  expect(row['confidence']).toBeCloseTo(0.7, 5);
  expect(row['revalidate_after']).toBeInstanceOf(Date);
  const items = await asking.service.rows(
    'select kind, state, end_reason from review_items where knowledge_id = $1',
    [person.statementId],
  );
  expect(items).toEqual([{ kind: 'gate_a_b', state: 'approved', end_reason: 'subject_confirmed' }]);
  const events = await asking.service.rows(
    `select e.to_state, p.key from lifecycle_events e join peers p on p.id = e.actor_peer_id
     where e.knowledge_id = $1 and e.reason = 'subject_confirmed'`,
    [person.statementId],
  );
  expect(events).toEqual([{ to_state: 'active', key: person.key }]);
  const audited = await asking.service.rows(
    `select metadata from audit_events where action = 'question.answered' and resource_id = $1`,
    [(await asking.questions(person.statementId))[0]?.['id']],
  );
  expect(audited).toMatchObject([
    { metadata: { verdict: 'confirm', verification: 'verified', effect: 'knowledge_confirmed' } },
  ]);
});

test('a person who signed in answers for itself, by its own word', async () => {
  const person = await asking.person();
  const question = await asking.ask(person, { peer_key: null }, person.token);
  const answer = await asking.answer(question?.['id'], { verdict: 'confirm' }, person.token);
  expect(dataOf(answer)).toMatchObject({ verification: 'verified', effect: 'knowledge_confirmed' });
});

test('of a person who does not want to answer twice a curator is asked', async () => {
  const person = await asking.person();
  expect(dataOf(await asking.answer(await asked(person), { verdict: 'skip' }))).toMatchObject({
    effect: 'pending_after_skip',
  });
  expect(await asking.ask(person)).toBeNull();
  await asking.later(person, 49);
  expect(dataOf(await asking.answer(await asked(person), { verdict: 'skip' }))).toMatchObject({
    effect: 'escalated_to_curator',
  });
  const items = await asking.service.rows(
    'select state from review_items where knowledge_id = $1',
    [person.statementId],
  );
  expect(items).toEqual([{ state: 'escalated' }]);
});
