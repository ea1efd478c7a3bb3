/** Codes of the service in words that a person reads: states, levels, sensitivities, refusals. */
import type { AudienceReason, StatementAudience } from '../../domain/governance/audience.ts';
import type { ItemKind, ItemState } from '../../domain/governance/items.ts';
import type { KnowledgeState } from '../../domain/governance/visibility.ts';
import type { Role } from '../../domain/identity/roles.ts';
import type { RefusalCode } from '../../domain/errors.ts';
import type { Problem } from '../page.ts';

export const STATE_WORDS: Readonly<Record<KnowledgeState, { name: string; means: string }>> = {
  proposed: {
    name: 'Proposed',
    means: 'It has been said, and nothing has been decided about it yet.',
  },
  provisional: {
    name: 'Provisional',
    means: 'Only those who said it see it, until somebody confirms it.',
  },
  held: { name: 'Held', means: 'It waits for a person to decide.' },
  active: { name: 'Believed', means: 'It is believed now, and shown to everyone who may see it.' },
  needs_revalidation: {
    name: 'To be checked',
    means: 'It was believed, and somebody should say whether it still holds.',
  },
  stale: {
    name: 'Out of date',
    means: 'It was believed. Nobody said in time that it still holds.',
  },
  contested: { name: 'Contested', means: 'The person it is about disputes it. A curator decides.' },
  superseded: { name: 'Replaced', means: 'A newer statement has taken its place.' },
  expired: { name: 'Expired', means: 'The time for which it was to be believed is over.' },
  rejected: { name: 'Rejected', means: 'Somebody decided that it is not to be believed.' },
  redacted: { name: 'Withdrawn', means: 'The person it is about has taken it away.' },
  retracted: { name: 'Retracted', means: 'Its sources are gone, and its words with them.' },
};

export const LEVEL_WORDS = {
  peer: 'The one person it is about',
  scope: 'The scope',
  account: 'The whole account',
} as const;

export const AUDIENCE_WORDS: Readonly<Record<StatementAudience, string>> = {
  submitters: 'Only those who said it or passed it on, and the person it is about.',
  subject: 'The person it is about, and those who said it.',
  scope: 'Everyone who may read the scope.',
  everyone: 'Everyone who may read the scope, agents that act for nobody included.',
  nobody: 'Nobody.',
};

export const AUDIENCE_BECAUSE: Readonly<Record<AudienceReason, string>> = {
  withdrawn: 'Its words are gone.',
  not_placed: 'It is not believed now. What is not believed stays with those who said it.',
  public: 'It is public.',
  internal: 'It is internal: nothing in it needs to be kept from readers of the scope.',
  about_scope: 'It is about the scope itself, and about no person.',
  shared_level:
    'It is about a person, and was decided to be shared more widely than with that person.',
  about_peer: 'It is about a person, and nobody has decided that it may be shared.',
};

export const KIND_WORDS = {
  fact: 'Fact',
  preference: 'Preference',
  event: 'Event',
  relation: 'Relation',
  skill: 'Skill',
} as const;

export const SENSITIVITY_WORDS = {
  public: 'Public',
  internal: 'Internal',
  personal: 'Personal',
  restricted: 'Restricted',
} as const;

export const EVIDENCE_WORDS: Readonly<Record<string, string>> = {
  direct: 'The person said so',
  indirect: 'Somebody else said so',
};

/** What an item of the review queue asks. */
export const ITEM_WORDS: Readonly<Record<ItemKind, string>> = {
  gate_a_b: 'May it be believed?',
  gate_b: 'May it be shared more widely?',
  revalidation: 'Does it still hold?',
  contest: 'Is it wrong, as its subject says?',
  conflict: 'Which of two holds?',
};

export const ITEM_STATE_WORDS: Readonly<Record<ItemState, string>> = {
  pending: 'waits',
  escalated: 'overdue: administrators are asked too',
  awaiting_consent: 'waits for the consent of its subject',
  deferred: 'put off',
  approved: 'approved',
  rejected: 'rejected',
  merged: 'merged',
  closed: 'closed by itself',
};

export const ROLE_WORDS: Readonly<Record<Role, string>> = {
  reader: 'reader',
  member: 'member',
  curator: 'curator',
  account_admin: 'administrator',
};

/** What the gates, or a person, did. */
export const DECISION_WORDS: Readonly<Record<string, string>> = {
  keep: 'It may be believed',
  reject: 'Rejected',
  defer: 'Left to a person',
  place: 'Placed',
  hold: 'Held for a person',
  provisional: 'Kept for those who said it',
  withhold: 'Withheld',
  await_consent: 'Approved, and its subject is asked',
  approve: 'Approved',
  edit: 'Put into other words',
  merge: 'Merged',
};

/** What the gates, or a person, were asked. */
export const GATE_WORDS: Readonly<Record<string, string>> = {
  gate_a: 'asked: may it be believed?',
  gate_b: 'asked: who may see it?',
  gate_a_b: 'asked: may it be believed, and who may see it?',
};

/** Through which door a decision came. */
export const CHANNEL_WORDS: Readonly<Record<string, string>> = {
  pipeline: 'by the rules',
  human_ui: 'by a person',
  api: 'by a person',
  mcp: 'by a person, through an agent',
  cli: 'by an operator',
};

/** The words of a table for a code; for one that it leaves out the code itself. */
export function wordFor(words: Readonly<Record<string, string>>, code: string): string {
  return Object.hasOwn(words, code) ? (words[code] ?? '') : plainCode(code);
}

/** A code such as `gate_a_b` as words; for codes that no table here names. */
export function plainCode(code: string): string {
  return code.replaceAll('_', ' ');
}

const WORDS: Readonly<Partial<Record<RefusalCode, string>>> = {
  invalid_request: 'Some of what was sent cannot be used. Nothing was changed.',
  forbidden: 'Your role does not permit this. Nothing was changed.',
  not_found: 'There is no such page, or it is not for you.',
  unknown_peer: 'Somebody who is named is not known here. Nothing was changed.',
  method_not_allowed: 'Nothing can be sent to this address in this way. Nothing was changed.',
  conflict:
    'It has changed in the meantime, or this cannot be done in its present state. Look at it as it is now, and decide again.',
  payload_too_large: 'What was sent is too large.',
  unavailable: 'A part of the service does not answer. Nothing was lost. Try again in a moment.',
  human_identity_required: 'This is for people who have signed in.',
};

function waiting(seconds: number | null): string {
  if (seconds === null) return 'a moment';
  return seconds < 120 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
}

/** Why something was refused. It quotes nothing that was sent. */
export function refusalWords({ code, retryAfterSeconds }: Problem): string {
  if (code === 'rate_limited') {
    return `Too many attempts. Wait ${waiting(retryAfterSeconds)}, then try again.`;
  }
  return WORDS[code] ?? 'The service could not do this. Nothing was changed.';
}
