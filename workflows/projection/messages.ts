/** Messages of the projection actor, besides those of every mailbox actor. */
import { defineSignal } from '@temporalio/workflow';
import { MAILBOX_ACTORS } from '../../domain/actors/names.ts';

/** Something changed that an index does not show yet. */
export const dirty = defineSignal(MAILBOX_ACTORS.projection.signal);
