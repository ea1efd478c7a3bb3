/**
 * Who reads a statement, view by view. The aspects are the values of a cell and what `judge.ts` adds: `audience`, whether the
 * reader is of those who read it once it is placed; `submitted`, whether the reader said it or passed it on; `placed`, whether
 * the gates or a person ever let it be believed; `asked`, the state that a listing names.
 */
import { KNOWLEDGE_STATES } from '../../../../domain/statements/states.ts';
import type { Table } from '../table.ts';

const YES = ['yes'];

/** Who reads a placed statement, whatever its state and scope. */
export const AUDIENCE: Table<'yes' | 'no'> = [
  {
    when: { served: ['no'], submitted: ['no'] },
    answer: 'no',
    from: 'decisions 29: withheld is part of the predicate; speaker and relay read their own text',
  },
  {
    when: { sensitivity: ['public'], addressed: ['to all'] },
    answer: 'yes',
    from: 'decisions 5: the predicate, public',
  },
  { when: { reader: ['nobody'] }, answer: 'no', from: 'interface 4: a credential naming none' },
  { when: { subject: ['reader'] }, answer: 'yes', from: 'decisions 5: the predicate, its subject' },
  { when: { submitted: YES }, answer: 'yes', from: 'decisions 5: the predicate, submitting peer' },
  {
    when: { addressed: ['to others'] },
    answer: 'no',
    from: 'decisions 29: its submitting peers, and those of the audience',
  },
  { when: { sensitivity: ['public'] }, answer: 'yes', from: 'decisions 5: the predicate, public' },
  {
    when: { sensitivity: ['internal'] },
    answer: 'yes',
    from: 'decisions 5: the predicate, internal',
  },
  {
    when: { subject: ['scope'] },
    answer: 'yes',
    from: 'decisions 5: the predicate, about the scope',
  },
  {
    when: { level: ['scope', 'account'] },
    answer: 'yes',
    from: 'decisions 5: the predicate, placed at level scope or account',
  },
  { when: {}, answer: 'no', from: 'decisions 5: the predicate, one of' },
];

export type Shown = 'shown' | 'hidden';

const ELSEWHERE = {
  when: { place: ['elsewhere'] },
  answer: 'hidden',
  from: 'decisions 5: the predicate, in the authorised chain',
} as const;

/** What retrieval finds. */
export const BELIEVED: Table<Shown> = [
  ELSEWHERE,
  { when: { expiry: ['over'] }, answer: 'hidden', from: 'interface 3: expires_at has reached' },
  {
    when: { state: ['active'], audience: YES },
    answer: 'shown',
    from: 'decisions 5: the predicate, its state and expiry allow it',
  },
  {
    when: { state: ['provisional'], submitted: YES },
    answer: 'shown',
    from: 'decisions 5: provisional, submitting peers only',
  },
  { when: {}, answer: 'hidden', from: 'decisions 5: the predicate, its state and expiry allow it' },
];

/** What a listing of one state shows. `active` is the view of retrieval. */
export const LISTED: Table<Shown> = [
  ELSEWHERE,
  {
    when: { state: ['redacted', 'retracted'] },
    answer: 'hidden',
    from: 'decisions 5: redacted and retracted, nobody here',
  },
  {
    when: { isAsked: ['no'] },
    answer: 'hidden',
    from: 'interface 4: an explicit non-active state',
  },
  {
    when: { state: ['proposed', 'provisional', 'held', 'rejected', 'contested'], submitted: YES },
    answer: 'shown',
    from: 'decisions 5: GET knowledge states, submitting peers',
  },
  {
    when: { state: ['provisional'] },
    answer: 'hidden',
    from: 'decisions 5: GET knowledge states, for all but provisional',
  },
  {
    when: {
      place: ['curated'],
      sensitivity: ['restricted'],
      state: ['proposed', 'held', 'rejected', 'contested'],
    },
    answer: 'hidden',
    from: 'decisions 17: curators see restricted rows as queue items only',
  },
  {
    when: {
      place: ['curated'],
      addressed: ['to others'],
      state: ['proposed', 'held', 'rejected', 'contested'],
    },
    answer: 'hidden',
    from: 'decisions 29: its submitting peers, and those of the audience',
  },
  {
    when: {
      place: ['curated'],
      served: ['no'],
      state: ['proposed', 'held', 'rejected', 'contested'],
    },
    answer: 'hidden',
    from: 'decisions 29: withheld is part of the predicate',
  },
  {
    when: { place: ['curated'], state: ['proposed', 'held', 'rejected', 'contested'] },
    answer: 'shown',
    from: 'decisions 5: GET knowledge states, curators of the scope',
  },
  {
    when: { state: ['needs_revalidation', 'stale'], audience: YES },
    answer: 'shown',
    from: 'decisions 5: GET knowledge states, as active',
  },
  {
    when: { state: ['superseded', 'expired'], submitted: YES },
    answer: 'shown',
    from: 'decisions 5: a row that was never placed stays',
  },
  {
    when: { state: ['superseded', 'expired'], placed: YES, audience: YES },
    answer: 'shown',
    from: 'decisions 5: superseded and expired, as active',
  },
  { when: {}, answer: 'hidden', from: 'decisions 5: GET knowledge states' },
];

export type Reference = 'visible' | 'lifecycle_hidden' | 'authorization_hidden';

/** As what a statement stands in the lineage of another one; as a root it has to be visible. */
export const IN_LINEAGE: Table<Reference> = [
  {
    when: { place: ['elsewhere'] },
    answer: 'authorization_hidden',
    from: 'interface 4: lineage, scope and ancestors',
  },
  {
    when: { submitted: ['no'], placed: ['no'] },
    answer: 'authorization_hidden',
    from: 'decisions 19: authorisation is tested before lifecycle',
  },
  {
    when: { submitted: ['no'], audience: ['no'] },
    answer: 'authorization_hidden',
    from: 'decisions 19: authorisation is tested before lifecycle',
  },
  {
    when: { state: ['superseded'] },
    answer: 'visible',
    from: 'decisions 19: superseded are visible',
  },
  {
    when: { expiry: ['over'] },
    answer: 'lifecycle_hidden',
    from: 'interface 3: expires_at has reached',
  },
  {
    when: { state: ['provisional'], submitted: YES },
    answer: 'visible',
    from: 'decisions 19: own provisional are visible',
  },
  {
    when: { state: ['active', 'needs_revalidation', 'stale'] },
    answer: 'visible',
    from: 'decisions 19: stale and needs_revalidation are visible',
  },
  { when: {}, answer: 'lifecycle_hidden', from: 'decisions 19: lineage, what is visible' },
];

/** What a readiness report looks at, of the statements about its peer and about scopes. */
export const IN_READINESS: Table<Shown> = [
  ELSEWHERE,
  {
    when: { state: ['active', 'needs_revalidation', 'stale'], audience: YES },
    answer: 'shown',
    from: 'decisions 5: needs_revalidation and stale, as active',
  },
  {
    when: { state: ['provisional', 'expired'], submitted: YES },
    answer: 'shown',
    from: 'decisions 5: provisional, submitting peers only',
  },
  {
    when: { state: ['expired'], placed: YES, audience: YES },
    answer: 'shown',
    from: 'decisions 5: superseded and expired, as active',
  },
  { when: {}, answer: 'hidden', from: 'decisions 14: readiness, what a search would not tell' },
];

/** What people see of the statements about themselves, in whatever scope. */
export const OWN_RECORD: Table<Shown> = [
  {
    when: { reader: ['nobody'] },
    answer: 'hidden',
    from: 'interface 4: self-governance, human identity only',
  },
  {
    when: { subject: ['other', 'scope'] },
    answer: 'hidden',
    from: 'interface 4: self-governance, subject is always the caller',
  },
  {
    when: { state: ['redacted', 'retracted'] },
    answer: 'hidden',
    from: 'decisions 6: redacted and erased rows are never readable',
  },
  {
    when: { served: ['no'], submitted: ['no'] },
    answer: 'hidden',
    from: 'decisions 29: withheld is part of the predicate; speaker and relay read their own text',
  },
  {
    when: { state: KNOWLEDGE_STATES },
    answer: 'shown',
    from: 'interface 4: the own record, including provisional and held items',
  },
];

/** What an empty search may say to exist, to whoever reads the scopes. */
export const SPOKEN_OF: Table<Shown> = [
  ELSEWHERE,
  { when: { expiry: ['over'] }, answer: 'hidden', from: 'interface 3: expires_at has reached' },
  {
    when: { addressed: ['to the reader', 'to others'] },
    answer: 'hidden',
    from: 'decisions 29: the probe does not count it',
  },
  {
    when: { served: ['no'] },
    answer: 'hidden',
    from: 'decisions 29: withheld is part of the predicate',
  },
  {
    when: { state: ['active', 'provisional'], sensitivity: ['public', 'internal'] },
    answer: 'shown',
    from: 'decisions 2: candidate_filter counts public and internal rows of the chain',
  },
  { when: {}, answer: 'hidden', from: 'decisions 2: hidden and missing are indistinguishable' },
];
