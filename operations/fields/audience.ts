/** The field `audience` of what is written: whom it is for, among those who could read it without one. */
import { z } from 'zod';
import { MOST_NAMED, type RequestedAudience } from '../../domain/audiences/requested-audience.ts';
import { lowestRole } from '../../domain/audiences/principals.ts';
import { parseRole, ROLE_WORDS } from '../../domain/identity/roles.ts';
import { labelField } from './observation.ts';

const AUDIENCE =
  'Only these may read it, among those who could read it without an audience; and, as always, its speaker and its relay. An audience only narrows. What the service draws from it has the same audience, and its subject reads that too. An audience that names nobody leaves only these. Absent: everybody who may read it where it was said.';

const names = z.array(labelField).max(MOST_NAMED).nullish();

const distinct = (values: readonly string[]): readonly string[] => [...new Set(values)];

/** Unknown fields are refused: a misspelt one would leave somebody out, or let somebody in. */
const sentAudience = z.strictObject({
  peers: names.meta({
    description: `Keys of peers, at most ${MOST_NAMED}. The service creates those that do not exist.`,
  }),
  roles: z.array(z.enum(ROLE_WORDS)).max(ROLE_WORDS.length).nullish().meta({
    description: 'Everybody who has one of these roles, or a higher one, at the scope.',
  }),
  circles: names.meta({
    description: `Names of circles of the scope or of scopes above it that you may read, at most ${MOST_NAMED}. The nearest circle of a name counts.`,
  }),
});

function requested(
  sent: z.output<typeof sentAudience> | null | undefined,
): RequestedAudience | null {
  if (sent === null || sent === undefined) return null;
  const roles = (sent.roles ?? []).flatMap((word) => parseRole(word) ?? []);
  return {
    peers: distinct(sent.peers ?? []),
    role: lowestRole(roles) ?? null,
    circles: distinct(sent.circles ?? []),
  };
}

/** Null where nothing narrows. */
export const audienceField = sentAudience
  .nullish()
  .transform(requested)
  .meta({ description: AUDIENCE });

/** The same of a document, also as JSON in a text: a form has no other fields. */
export const documentAudienceField = z
  .preprocess((sent, context) => {
    if (typeof sent !== 'string') return sent;
    if (sent.trim() === '') return null;
    try {
      return JSON.parse(sent);
    } catch {
      context.addIssue({ code: 'custom', message: 'must be JSON' });
      return z.NEVER;
    }
  }, sentAudience.nullish().transform(requested))
  .meta({
    description:
      'Only these may read the text, among those who could read it without an audience; and its uploader. As of an observation; in a form as JSON. The same bytes with another audience are a new version.',
    wire: { type: ['object', 'string', 'null'] },
  });

/** What identifies the audience of a request that is sent again. Nothing without one, as before there were any. */
export function audienceIdentity(audience: RequestedAudience | null): readonly unknown[] {
  return audience === null ? [] : [audience.peers, audience.role, audience.circles];
}
