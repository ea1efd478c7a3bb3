/** Messages of the ingest actor, besides those of every mailbox actor. */
import { defineSignal } from '@temporalio/workflow';
import { MAILBOX_ACTORS } from '../../domain/actors/names.ts';

/** Observations may wait for extraction. */
export const ring = defineSignal(MAILBOX_ACTORS.ingest.signal);
