/** The question that an answer of a read carries beside its data. One function that every read calls. */
import { z } from 'zod';
import { ASKED_KINDS, type AskedKind } from '../../domain/questions/words.ts';
import type { Caller } from '../../domain/identity/caller.ts';
import type { AskedQuestion } from '../../engine/questions/asking.ts';
import { optionalLabelField } from '../fields/observation.ts';
import type { RequestContext } from '../operation.ts';
import type { AuthorisedRead } from '../access/reader.ts';

/** The session in which is read; a read without it asks nobody. */
export const sessionField = optionalLabelField.meta({
  description:
    'The session that the reader takes part in: the `session_id` of its observations. With it the answer may carry a question for the reader (`pending_validation`). It changes nothing else.',
  wire: { examples: ['standup-2026-03-02'] },
});

const REASONS: Readonly<
  Record<AskedKind, 'not_confirmed_yet' | 'revalidation_due' | 'consent_owed'>
> = {
  confirm: 'not_confirmed_yet',
  revalidate: 'revalidation_due',
  consent_upward: 'consent_owed',
};

export const pendingValidation = z
  .object({
    id: z.uuid().describe('The id of the question in `POST /api/v1/validations/{id}`.'),
    kind: z
      .enum(ASKED_KINDS)
      .describe(
        '`confirm` asks whether a waiting statement is true. `revalidate` asks whether a statement is still true. `consent_upward` asks whether the service may share it in a wider scope.',
      ),
    statement: z.string(),
    asked_because: z.enum(['not_confirmed_yet', 'revalidation_due', 'consent_owed']),
    instruction: z.string().describe('What the agent should do with the question.'),
  })
  .meta({
    id: 'PendingValidation',
    description: 'A question for the reader about a statement about the reader.',
  });

/** The member that answers of reads have while somebody is asked. */
export const pendingMember = {
  pending_validation: pendingValidation
    .optional()
    .describe('A question for the reader. Absent in most answers.'),
};

const HOW =
  'Quote the statement word for word, keep both turns in the session, and report what the person said with this id (`resolve_validation`, or `POST /api/v1/validations/{id}`). Never answer for the person.';

const INSTRUCTIONS: Readonly<Record<AskedKind, (scopePath: string) => string>> = {
  confirm: () => `When it fits, ask the person whether this is true. ${HOW}`,
  revalidate: () => `When it fits, ask the person whether this is still true. ${HOW}`,
  consent_upward: (scopePath) =>
    `When it fits, ask the person whether this may be shared with the readers of ${scopePath}. ${HOW}`,
};

function view({ id, kind, statement, targetScopePath }: AskedQuestion) {
  const instruction = INSTRUCTIONS[kind](targetScopePath ?? '/');
  return { id, kind, statement, asked_because: REASONS[kind], instruction };
}

export interface AskedRead {
  /** Null: nobody is asked. */
  readonly sessionId: string | null;
  /** The instant in the past that was read. Null: what holds now. */
  readonly asOf: string | null;
  readonly query: string;
  /** The id of the operation. */
  readonly operation: string;
}

/**
 * The answer of a read, with the question that goes with it. The service asks only the reader of the read, never a
 * person about another one, and not beside a read of the past. Takes 15 ms at most, and never fails.
 */
export async function withQuestion<T extends object>(
  { caller, now, questions, signal }: RequestContext<Caller>,
  { reader, scopeIds }: Pick<AuthorisedRead, 'reader' | 'scopeIds'>,
  { asOf, operation, query, sessionId }: AskedRead,
  answer: T,
): Promise<T & { pending_validation?: z.input<typeof pendingValidation> }> {
  // A question is not handed out to a client that has disconnected.
  if (sessionId === null || asOf !== null || reader.posture !== 'peer' || signal.aborted)
    return answer;
  const { accountId, credentialId } = caller;
  const { peerId } = reader;
  const asked = await questions.ask({
    accountId,
    credentialId,
    peerId,
    sessionId,
    scopeIds,
    query,
    operation,
    now,
  });
  return asked === null ? answer : { ...answer, pending_validation: view(asked) };
}
