/** `reviews.defer`: a curator gives an item more time. */
import { z } from 'zod';
import { invalidField } from '../../domain/errors.ts';
import { defineOperation } from '../operation.ts';
import { decide, decisionInput, decisionOutput } from './decide.ts';

const DAY_MS = 86_400_000;
const LONGEST_MS = 30 * DAY_MS;

export const deferReview = defineOperation({
  id: 'reviews.defer',
  access: 'human',
  effect: 'write',
  summary: 'Give an item more time',
  description:
    'The item gets one more day, or time until `until`, at most 30 days. A contest cannot be deferred.',
  refusals: ['forbidden', 'not_found', 'conflict'],
  input: z.object({
    ...decisionInput,
    until: z.iso
      .datetime({ offset: true })
      .nullish()
      .meta({ description: 'A time in the future. Absent: a day from now.' }),
  }),
  output: decisionOutput,
  async run(context, { review_id: id, undo_seconds: undoSeconds, until: asked, version }) {
    const { now } = context;
    const until = asked == null ? new Date(now.getTime() + DAY_MS) : new Date(asked);
    const ms = until.getTime() - now.getTime();
    if (ms <= 0 || ms > LONGEST_MS) throw invalidField('until', 'must be within 30 days to come');
    return decide(context, { id, version, decision: { action: 'defer', until }, undoSeconds });
  },
});
