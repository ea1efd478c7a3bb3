/** Sayings about the attributes of a person, commits of them, and what of the statements must not depend on their order. */
import type { AttributeClaim } from '../../../domain/statements/attributes.ts';
import type { PlanContext } from '../../../domain/knowledge/plan.ts';
import { planProposals } from '../../../domain/knowledge/planning.ts';
import type { Proposal, Statement } from '../../../domain/statements/statement.ts';
import { counted, proposal, source } from './fixtures.ts';

export const day = (n: number): string => new Date(Date.UTC(2024, 0, n)).toISOString();

export interface Said {
  readonly n: number;
  readonly value: string;
  readonly mode?: AttributeClaim['mode'];
  readonly about?: string;
  readonly day: number;
  readonly from?: number | null;
  readonly until?: number | null;
  readonly speaker?: string;
  readonly relay?: string;
  readonly scopeId?: string;
  readonly values?: Partial<Proposal>;
}

/** A proposal that Alice has this value of an attribute, since `from` when that is known. */
export function said({ n, value, day: on, from = null, until = null, ...more }: Said): Proposal {
  const { about = 'residence', mode = 'holds', speaker = 'alice', scopeId = 'team' } = more;
  const anchor = source({
    messageId: `m${n}`,
    speakerId: speaker,
    relayId: more.relay ?? 'agent',
    occurredAt: day(on),
    contentHash: `h${n}`,
    scopeId,
  });
  const end = (at: number | null) =>
    at === null ? null : { at: day(at), precision: 'day' as const };
  const base = proposal({}, anchor);
  return {
    ...base,
    scopeId,
    statementHash: `${about} ${mode} ${value}`,
    evidenceLevel: speaker === 'alice' ? 'direct' : 'indirect',
    wording: {
      ...base.wording,
      text: value,
      claim: { about, value, mode },
      relevantFrom: end(from),
      relevantUntil: end(until),
    },
    ...more.values,
  };
}

/** One proposal after the other, each in a commit of its own. */
export function sequentially(proposals: readonly Proposal[], shared: PlanContext): Statement[] {
  const held = new Map<string, Statement>();
  for (const next of proposals) {
    for (const { after } of planProposals([next], [...held.values()], shared).changes) {
      held.set(after.id, after);
    }
  }
  return [...held.values()];
}

/** What must not depend on order: ids are told by what they stand for. */
export function essence(statements: readonly Statement[]): string[] {
  const names = new Map(
    statements.map(({ audience, id, scopeId, statementHash, wording }) => [
      id,
      JSON.stringify([
        statementHash,
        scopeId,
        audience?.id,
        wording.relevantFrom,
        wording.relevantUntil,
      ]),
    ]),
  );
  return statements
    .map(({ id: _id, attestation, supersedesId, update, ...values }) =>
      JSON.stringify({
        ...values,
        update: update && { ...update, byId: names.get(update.byId) },
        supersedes: supersedesId && names.get(supersedesId),
        attestation: counted(attestation),
      }),
    )
    .toSorted();
}
