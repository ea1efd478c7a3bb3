/** The words that pages show for codes of the service: states, levels, sensitivities, refusals. */
import type { AudienceReason } from '../../domain/governance/audience.ts';
import { questionOf, type QuestionKind } from '../../domain/governance/desk.ts';
import type { ItemKind, ItemState } from '../../domain/governance/items.ts';
import type { Sensitivity } from '../../domain/statements/candidate.ts';
import type { KnowledgeState } from '../../domain/statements/states.ts';
import type { Role } from '../../domain/identity/roles.ts';
import type { RefusalCode } from '../../domain/errors.ts';
import type { Problem } from './page.ts';

export const STATE_WORDS: Readonly<Record<KnowledgeState, { name: string; means: string }>> = {
  proposed: {
    name: 'Proposed',
    means: 'Somebody said it. Nobody has decided about it yet.',
  },
  provisional: {
    name: 'Provisional',
    means:
      'Only the people who said or relayed it see it, until its subject confirms it or a curator approves it.',
  },
  held: { name: 'Held', means: 'It waits for a person to decide.' },
  active: {
    name: 'Believed',
    means: 'The service believes it now and shows it to everyone who may see it.',
  },
  needs_revalidation: {
    name: 'To be checked',
    means: 'It was believed. A person should say whether it is still true.',
  },
  stale: {
    name: 'Out of date',
    means: 'It was believed. Nobody confirmed in time that it is still true.',
  },
  contested: { name: 'Contested', means: 'The person it is about disputes it. A curator decides.' },
  superseded: { name: 'Replaced', means: 'A newer statement has taken its place.' },
  expired: { name: 'Expired', means: 'The time for which the service believed it is over.' },
  rejected: { name: 'Rejected', means: 'A person or a gate decided against it.' },
  redacted: { name: 'Withdrawn', means: 'The person it is about withdrew it.' },
  retracted: { name: 'Retracted', means: 'The service erased its sources and its text.' },
};

export const LEVEL_WORDS = {
  peer: 'The one person it is about',
  scope: 'The scope',
  account: 'The whole account',
} as const;

export const AUDIENCE_BECAUSE: Readonly<Record<AudienceReason, string>> = {
  withdrawn: 'Its words are gone.',
  not_placed: 'It is not believed now. Such a statement stays with whoever said it.',
  addressed: 'It was said to some people only, and what is drawn from it stays with them.',
  public: 'It is for everybody.',
  internal: 'It is no private matter: every reader of the scope may know it.',
  about_scope: 'It is about the scope, not about a person.',
  shared_level: 'It is about a person, and somebody decided to share it.',
  about_peer: 'It is about a person, and nobody has decided to share it.',
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

/** The question of an item of the review queue. */
const QUESTIONS: Readonly<Record<QuestionKind, string>> = {
  gate_a_b: 'May it be believed?',
  gate_b: 'May it be shared more widely?',
  revalidation: 'Is it still true?',
  contest: 'Is it wrong, as its subject says?',
  conflict: 'Which of the two is true?',
  sensitivity: 'Is it more private than it was thought to be?',
};

/** An item of an answer, as far as that decides what it asks. */
export interface AskedItem {
  readonly kind: ItemKind;
  readonly proposed_sensitivity: Sensitivity | null;
  readonly conflict_knowledge_id?: string | null;
}

/** What the item asks. */
export function questionIn(item: AskedItem): QuestionKind {
  const {
    conflict_knowledge_id: conflictId,
    kind,
    proposed_sensitivity: proposedSensitivity,
  } = item;
  return questionOf({ kind, proposedSensitivity, conflictId: conflictId ?? null });
}

/** The question in words. */
export const questionWords = (item: AskedItem): string => QUESTIONS[questionIn(item)];

export const ITEM_STATE_WORDS: Readonly<Record<ItemState, string>> = {
  pending: 'waits',
  escalated: 'is overdue and administrators see it too',
  awaiting_consent: 'waits for the consent of its subject',
  deferred: 'is deferred',
  approved: 'approved',
  rejected: 'rejected',
  merged: 'merged',
  closed: 'closed without a decision',
};

export const ROLE_WORDS: Readonly<Record<Role, string>> = {
  reader: 'reader',
  member: 'member',
  curator: 'curator',
  account_admin: 'administrator',
};

/** Decisions of the gates or of a person. */
export const DECISION_WORDS: Readonly<Record<string, string>> = {
  keep: 'It may be believed',
  reject: 'Rejected',
  defer: 'Left to a person',
  place: 'Placed',
  hold: 'Held for a person',
  provisional: 'Kept for the people who said it',
  withhold: 'Withheld',
  await_consent: 'Approved: waits for the consent of its subject',
  approve: 'Approved',
  edit: 'Reworded',
  merge: 'Merged',
};

/** Questions to the gates or to a person. */
export const GATE_WORDS: Readonly<Record<string, string>> = {
  gate_a: 'asked: may it be believed?',
  gate_b: 'asked: who may see it?',
  gate_a_b: 'asked: may it be believed, and who may see it?',
};

/** The door through which a decision came. */
export const CHANNEL_WORDS: Readonly<Record<string, string>> = {
  pipeline: 'by the rules',
  human_ui: 'by a person',
  api: 'by a person',
  mcp: 'by a person, through an agent',
  cli: 'by an operator',
};

/** The words of a table for a code. If the table lacks the code, the code itself. */
export function wordFor(words: Readonly<Record<string, string>>, code: string): string {
  return Object.hasOwn(words, code) ? (words[code] ?? '') : plainCode(code);
}

/** A code such as `gate_a_b` as words; for codes that no table here names. */
export function plainCode(code: string): string {
  return code.replaceAll('_', ' ');
}

const WORDS: Readonly<Partial<Record<RefusalCode, string>>> = {
  invalid_request: 'Some fields are missing or invalid. Nothing was changed.',
  forbidden: 'Your role does not permit this. Nothing was changed.',
  not_found: 'This page does not exist, or you may not see it.',
  unknown_peer: 'This account has no peer with that key. Nothing was changed.',
  method_not_allowed: 'This address does not take that request. Nothing was changed.',
  conflict:
    'It has changed since you opened the page, or its present state does not permit this. Look at it again, then decide.',
  payload_too_large: 'The text or file is too large. Nothing was changed.',
  unavailable: 'A part of the service does not answer. Nothing was lost. Try again in a moment.',
  human_identity_required: 'Only people who signed in may do this.',
};

function waiting(seconds: number | null): string {
  if (seconds === null) return 'a moment';
  return seconds < 120 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
}

/** The reason for a refusal, for the person. It quotes nothing from the request. */
export function refusalWords({ code, retryAfterSeconds }: Problem): string {
  if (code === 'rate_limited') {
    return `Too many attempts. Wait ${waiting(retryAfterSeconds)}, then try again.`;
  }
  return WORDS[code] ?? 'The service could not do this. Nothing was changed.';
}
