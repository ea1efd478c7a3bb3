/** The messages of every mailbox actor besides its ring. */
import { defineQuery, defineUpdate } from '@temporalio/workflow';
import type { CarriedOver, DrainTotals } from '../../domain/actors/mailbox-actor.ts';

export interface MailboxActorStart {
  readonly accountId: string;
  readonly shard: number;
  /** Left by the run before, when there was one. */
  readonly carried: CarriedOver | null;
}

/** Holds further drains back, or lets them run again; a running one ends first. Rings are kept. */
export const setPaused = defineUpdate<{ readonly paused: boolean }, [boolean]>('setPaused');

/** Ends the actor after the running drain and answers what it did. */
export const quiesce = defineUpdate<DrainTotals>('quiesce');

export const totals = defineQuery<DrainTotals>('totals');
