/** `npm run eval -- judged`: the built-in extractor's statements against verdicts of a person, without any server. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { ExtractionRequest, SourceMessage } from '../../../domain/statements/candidate.ts';
import { confidenceOf } from '../../../domain/statements/confidence.ts';
import { assertionsOf } from '../../../engine/english-extractor/assertions.ts';
import { precisionOf } from '../../../engine/english-extractor/classify.ts';
import { readLocomo, type LocomoConversation } from '../../data/locomo.ts';
import {
  calibrationError,
  coverage,
  shares,
  VERDICTS,
  type JudgedMessage,
  type JudgedStatement,
} from './figures.ts';

/** Earlier messages of the session that an extractor sees. */
const WINDOW = 5;
const DIGITS = 12;

function readVerdicts<T>(file: string, verdict: z.ZodType<T>): ReadonlyMap<string, T> {
  const text = readFileSync(new URL(file, import.meta.url), 'utf8');
  return new Map(Object.entries(z.record(z.string(), verdict).parse(JSON.parse(text))));
}

const source = (message: LocomoConversation['messages'][number]): SourceMessage => ({
  id: message.dia_id,
  content: message.content,
  role: 'user',
  peerKey: message.speaker,
  peerName: message.speaker,
  occurredAt: new Date(message.occurred_at).toISOString(),
  occurredOffsetMinutes: 0,
});

/** The requests of a conversation, with the id of each message. */
function* requestsOf({
  conversation_id: name,
  messages,
}: LocomoConversation): Generator<readonly [id: string, request: ExtractionRequest]> {
  const participants = Array.from(new Set(messages.map(({ speaker }) => speaker)), (person) => ({
    peerKey: person,
    name: person,
    kind: 'human' as const,
  }));
  for (const [at, message] of messages.entries()) {
    const window = messages
      .slice(Math.max(0, at - WINDOW), at)
      .filter(({ session_id: session }) => session === message.session_id)
      .map(source);
    yield [
      `${name}/${message.dia_id}`,
      { scopePath: '/eval', anchor: source(message), window, participants },
    ];
  }
}

interface Read {
  readonly statements: number;
  readonly judged: readonly JudgedStatement[];
  readonly messages: readonly JudgedMessage[];
}

function read(conversations: readonly LocomoConversation[]): Read {
  const verdicts = readVerdicts('statements.json', z.enum(VERDICTS));
  const facts = readVerdicts('observations.json', z.boolean());
  const judged: JudgedStatement[] = [];
  const messages: JudgedMessage[] = [];
  let statements = 0;
  for (const [id, request] of conversations.flatMap((one) => [...requestsOf(one)])) {
    const found = [...assertionsOf(request)];
    statements += found.length;
    for (const { dated, rule, statement } of found) {
      const digest = createHash('sha256').update(statement).digest('hex').slice(0, DIGITS);
      const verdict = verdicts.get(`${id}/${digest}`);
      const confidence = confidenceOf({ precision: precisionOf(dated, rule) }, 'direct');
      if (verdict !== undefined) judged.push({ verdict, confidence, rule: rule ?? 'kept' });
    }
    const holdsFact = facts.get(id);
    if (holdsFact !== undefined) messages.push({ holdsFact, hasStatement: found.length > 0 });
  }
  return { statements, judged, messages };
}

const percent = (share: number): string => `${(100 * share).toFixed(1).padStart(5)} %`;

/** Prints the figures; 1 when a line of the is not held, 0 otherwise and without data. */
export function runJudged(options: {
  readonly dataFolder: string;
  readonly say: (line: string) => void;
}): number {
  const { dataFolder, say } = options;
  const conversations = readLocomo(dataFolder);
  if (conversations === null) {
    say('judged: skipped, no data');
    return 0;
  }
  const { judged, messages, statements } = read(conversations);
  say(`${judged.length} of ${statements} statements have a verdict`);
  const found = shares(judged);
  for (const verdict of VERDICTS) say(`  ${verdict.padEnd(10)}${percent(found[verdict])}`);
  const covered = coverage(messages);
  say(`${messages.length} messages were read`);
  say(`  with a fact, have a statement    ${percent(covered.withFact)}`);
  say(`  without one, have a statement    ${percent(covered.withoutFact)}`);
  say(`expected calibration error ${percent(calibrationError(judged))}`);
  for (const [rule, bin] of Map.groupBy(judged, (one) => one.rule)) {
    say(
      `  ${rule.padEnd(14)}${String(bin.length).padStart(4)}  facts ${percent(shares(bin).fact)}`,
    );
  }
  const holds =
    found.none <= 0.14 &&
    found.dangling <= 0.08 &&
    found.wrong <= 0.03 &&
    found.others <= 0.03 &&
    covered.withFact >= 0.9 &&
    covered.withoutFact <= 0.2;
  return holds ? 0 : 1;
}
