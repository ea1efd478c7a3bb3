/** Builds the plan of a ruling at the desk. */
import { questionOf, SPEAKER_TABLE, type QuestionKind } from '../governance/desk.ts';
import { type ItemOpening, GATE_DUE_HOURS, REVALIDATION_DUE_HOURS } from '../governance/items.ts';
import { placementScope } from './placing.ts';
import type { Actor, Verdict } from './plan.ts';
import { PlanDraft } from './plan-draft.ts';
import {
  stateOf,
  rule,
  type OpenItem,
  type RulingResult,
  type RulingContext,
  type Ruling,
} from './ruling.ts';
import { edited, mayBeReplaced, mayTake, replaced, united, type Edit } from './replacement.ts';
import { isOpen, standingOf, type Statement } from '../statements/statement.ts';

/** What is asked about a placed statement itself, as long as it stands: no other text answers it. */
const STAYS_ASKED: ReadonlySet<QuestionKind> = new Set(['revalidation', 'sensitivity']);

const itemOf = (ruling: Ruling): OpenItem | null => ('item' in ruling ? ruling.item : null);

/** The decisions of people: rulings of a subject or a curator, promotions, edits and merges. */
export class DeskDraft extends PlanDraft {
  /** Judges the ruling on the statement, and carries it out. */
  rule(
    id: string,
    ruling: Ruling,
    consents: RulingContext['consents'],
    actor: Actor | null,
  ): RulingResult {
    const { actual, statement } = this.about(id);
    const isTaken: RulingContext['isTaken'] = ({ audience, scopeId }) =>
      this.isTaken({ ...statement, audience }, scopeId);
    const result = rule(ruling, actual, statement, { ...this.context, consents, isTaken });
    if (result.outcome === 'awaits_consent') this.#awaitConsent(ruling, statement, result, actor);
    if (result.outcome === 'ruled') this.#follow(ruling, statement, result, actor);
    if (result.outcome === 'ruled' && ruling.action === 'redact') this.#redactEdits(id, actor);
    return result;
  }

  /**
   * Rewords the statement: a new proposal goes through the gates. A placed old statement stands until the new one is
   * placed. Any other old statement ends. `approved` also says what the gates would ask a curator. False, and then
   * nothing may be written, where the state does not allow it or another open statement says the same.
   */
  edit(
    id: string,
    edit: Edit,
    item: OpenItem,
    approved: Pick<RulingContext, 'consents'> | null,
    actor: Actor,
  ): boolean {
    const { actual, statement } = this.about(id);
    if (!mayBeReplaced(actual, this.context.now)) return false;
    const proposed = edited(statement, edit, this.context.now);
    const previouslyRefused = this.statements
      .refused(proposed)
      .some(({ scopeId }) => scopeId === proposed.scopeId);
    const verdict = { gate: 'gate_a_b', decision: 'edit', reason: 'curator_edited' } as const;
    const over = this.#replace(statement, item, 'edited', verdict, actor);
    const supersedesId = over?.state === 'superseded' ? id : null;
    // After a curator's edit the old text must not come back as a proposal.
    this.record.inherited.push({ fromId: id, toId: edit.newId, keepsWordings: false });
    this.#propose({ ...proposed, previouslyRefused, supersedesId }, actor);
    if (approved !== null && !this.#approve(edit.newId, item, approved, actor)) return false;
    const after = this.statements.get(edit.newId);
    return (
      after !== undefined &&
      !(isOpen(after) && this.statements.isTaken(after, after.scopeId, after.id))
    );
  }

  /** Merges the statement into another one, which takes over its sources. Returns false if that is not possible. */
  merge(
    id: string,
    merger: { readonly intoId: string; readonly corroboration: number },
    item: OpenItem,
    actor: Actor,
  ): boolean {
    const { actual, statement } = this.about(id);
    const { actual: actualInto, statement: into } = this.about(merger.intoId);
    const { now } = this.context;
    if (!mayBeReplaced(actual, now) || !mayTake(actualInto, actual, now)) return false;
    const verdict = { gate: 'gate_a_b', decision: 'merge', reason: 'curator_merged' } as const;
    const merged = { ...statement, mergedIntoId: into.id };
    this.#replace(statement, item, 'merged', verdict, actor, merged);
    const keepsWordings = statement.state !== 'contested';
    this.record.inherited.push({ fromId: id, toId: into.id, keepsWordings });
    const taking = united(into, statement, merger.corroboration);
    if (standingOf(into.state) === 'unplaced') this.regated(into, taking);
    else if (!this.revalidate(into, taking)) this.keep(into, taking);
    return true;
  }

  /** Asks a curator whether a placed statement may stand in a wider scope. Changes nothing before that. */
  askToMove(id: string, target: Pick<ItemOpening, 'targetScopeId' | 'targetLevel'>): void {
    const statement = this.statements.get(id);
    if (statement === undefined) throw new TypeError('not loaded');
    const question = { kind: 'gate_b', reason: 'promotion', dueHours: GATE_DUE_HOURS } as const;
    this.record.items.open(statement, { ...question, ...target });
  }

  /**
   * A curator asks again whether a placed statement holds. `withholds`: until somebody answers, it is as if it had not been
   * placed. False, and then nothing may be written, where it is not placed.
   */
  reopen(id: string, withholds: boolean, actor: Actor): boolean {
    const { actual, statement } = this.about(id);
    if (standingOf(stateOf(actual, this.context.now)) !== 'placed') return false;
    if (!withholds) {
      this.record.items.open(statement, {
        kind: 'revalidation',
        reason: 'reopened_by_curator',
        dueHours: REVALIDATION_DUE_HOURS,
      });
      return true;
    }
    this.#withhold(statement, statement, 'withheld_by_curator', actor);
    return true;
  }

  /**
   * An attester takes back what it said. If another one says it too, the statement stays, as far as its rule lets it; else it
   * is withheld. False, and then nothing may be written, where its state does not allow it.
   */
  takeBack(id: string, actor: Actor): boolean {
    const { statement } = this.about(id);
    const effect = SPEAKER_TABLE[stateOf(statement, this.context.now)];
    if (effect === undefined) return false;
    const corroboration = Math.max(0, statement.corroboration - 1);
    const left: Statement = { ...statement, corroboration };
    if (corroboration > 0) {
      if (!this.doubt(statement, left)) this.keep(statement, left);
    } else if (effect === 'left') {
      this.keep(statement, { ...left, isWithheld: true, stateBeforeContest: 'held' });
    } else {
      this.#withhold(statement, left, 'withdrawn_by_speaker', actor);
    }
    return true;
  }

  /** Until somebody answers, `changed` is as if it had not been placed. What waits already is asked about anew. */
  #withhold(
    before: Statement,
    changed: Statement,
    reason: 'withheld_by_curator' | 'withdrawn_by_speaker',
    actor: Actor,
  ): void {
    const after: Statement = {
      ...changed,
      state: 'held',
      isWithheld: true,
      verification: 'pending_human',
      heldScopeId: placementScope(this.context, before) ?? before.scopeId,
    };
    if (before.isWithheld) {
      this.keep(before, after);
      return;
    }
    this.record.decide({ gate: 'gate_a_b', decision: 'hold', reason }, before, after, { actor });
    if (before.state !== 'held') {
      this.enter(after, before.state, reason, actor);
      return;
    }
    this.keep(before, after);
    this.record.items.close(before.id, 'gate_a_b', { state: 'closed', reason, by: actor.peerId });
    this.askAbout(after, reason);
  }

  /**
   * The subject denies consent to a place. A proposal returns to peer level and goes through the gates again. A
   * statement that is already there stays at its scope, for its subject and its submitters only. A promotion ends.
   */
  denyConsent(id: string, targetScopeId: string, actor: Actor): void {
    const statement = this.statements.get(id);
    if (statement === undefined) throw new TypeError('not loaded');
    const reason = 'consent_denied';
    const end = { state: 'rejected', reason, by: actor.peerId } as const;
    const narrowed: Statement = { ...statement, targetLevel: 'peer' };
    const standing = standingOf(statement.state);
    this.record.items.close(id, 'gate_b', end);
    if (statement.targetLevel === 'peer') return;
    if (standing === 'unplaced') {
      const { outcome, after } = this.judge(narrowed);
      this.decide(statement, after, outcome);
      if (after.state === statement.state) this.keep(statement, after);
      else this.enter(after, statement.state, reason, actor);
    } else if (standing === 'placed' && statement.scopeId === targetScopeId) {
      const verdict = { gate: 'gate_b', decision: 'reject', reason } as const;
      this.record.decide(verdict, statement, narrowed, { actor });
      this.keep(statement, narrowed);
    }
  }

  /** Puts off the date of a placed statement, to `until` at least; one without a date, or with a later one, stays. */
  putOff(id: string, until: string): void {
    const { statement } = this.about(id);
    const { revalidateAfter, state } = statement;
    if (standingOf(state) !== 'placed' || revalidateAfter === null) return;
    if (revalidateAfter < until) this.keep(statement, { ...statement, revalidateAfter: until });
  }

  /** The statement as it stands, and as its gates left it. */
  protected about(id: string): { readonly actual: Statement; readonly statement: Statement } {
    const statement = this.statements.get(id);
    // A statement that this plan creates stands as its gates left it.
    const actual = this.known.find((each) => each.id === id) ?? statement;
    if (actual === undefined || statement === undefined) throw new TypeError('not loaded');
    return { actual, statement };
  }

  /**
   * Ends the statement for the reason, and its item too. While an edited statement is placed, it stays, and so may its
   * item.
   */
  #replace(
    statement: Statement,
    item: OpenItem,
    reason: 'edited' | 'merged',
    verdict: Verdict,
    actor: Actor,
    changed: Statement = statement,
  ): Statement | null {
    const stays = reason === 'edited' && standingOf(statement.state) === 'placed';
    const after = stays ? statement : replaced(changed);
    const state =
      statement.state === 'contested' ? 'rejected' : reason === 'merged' ? 'merged' : 'closed';
    this.record.decide(verdict, statement, after, { itemId: item.id, actor });
    if (stays && STAYS_ASKED.has(questionOf(item))) {
      this.record.revised.add(statement.id);
      return null;
    }
    const end = { state, reason, by: actor.peerId } as const;
    this.record.items.close(statement.id, item.kind, end, item.conflictId);
    if (stays) return null;
    this.enter(after, statement.state, reason, actor);
    return after;
  }

  #propose(proposed: Statement, actor: Actor): void {
    const { outcome, after } = this.judge(proposed);
    this.decide(proposed, after, outcome);
    this.enter(after, null, 'edited', actor);
  }

  /** Approves a proposal that the gates did not place. Returns false if it must not be placed. */
  #approve(
    id: string,
    { id: itemId }: OpenItem,
    { consents }: Pick<RulingContext, 'consents'>,
    actor: Actor,
  ): boolean {
    const { statement } = this.about(id);
    if (standingOf(statement.state) !== 'unplaced') return statement.state === 'active';
    const { targetLevel } = statement;
    const item: OpenItem = {
      id: itemId,
      kind: 'gate_a_b',
      conflictId: null,
      targetScopeId: null,
      targetLevel,
      proposedSensitivity: null,
    };
    const ruling = { action: 'approve', item, expiresAt: null } as const;
    return this.rule(id, ruling, consents, actor).outcome !== 'refused';
  }

  /** A redaction also ends texts that wait to replace the redacted statement. */
  #redactEdits(id: string, actor: Actor | null): void {
    for (const edit of this.statements.all.values()) {
      if (edit.replacesId !== id || standingOf(edit.state) !== 'unplaced') continue;
      const after: Statement = { ...edit, state: 'redacted', heldScopeId: null };
      this.enter(after, edit.state, 'subject_redacted', actor);
    }
  }

  #awaitConsent(
    ruling: Ruling,
    statement: Statement,
    { targetScopeId }: Extract<RulingResult, { outcome: 'awaits_consent' }>,
    actor: Actor | null,
  ): void {
    const verdict = {
      gate: 'gate_b',
      decision: 'await_consent',
      reason: 'consent_missing',
    } as const;
    const itemId = itemOf(ruling)?.id ?? null;
    this.record.decide(verdict, statement, statement, { itemId, actor });
    this.record.consent(statement, targetScopeId, 'pending');
  }

  #follow(
    ruling: Ruling,
    before: Statement,
    {
      after,
      consentByPolicy,
      itemState,
      reason,
      verdict,
    }: Extract<RulingResult, { outcome: 'ruled' }>,
    actor: Actor | null,
  ): void {
    const item = itemOf(ruling);
    const by = actor?.peerId ?? null;
    if (verdict !== null)
      this.record.decide(verdict, before, after, { itemId: item?.id ?? null, actor });
    if (after.state === before.state) this.keep(before, after);
    else this.enter(after, before.state, reason, actor);
    if (ruling.action === 'confirm' && ruling.asked === true) {
      const kind = standingOf(before.state) === 'unplaced' ? 'gate_a_b' : 'revalidation';
      this.record.items.close(after.id, kind, { state: 'approved', reason, by });
    }
    if (item !== null) {
      this.record.items.close(
        after.id,
        item.kind,
        { state: itemState, reason, by },
        item.conflictId,
      );
    }
    if (after.state !== before.state) this.askAbout(after, reason);
    if (consentByPolicy) this.record.consent(after, after.scopeId, 'granted');
  }
}
