/** Who reads a statement, in words and with names. Every page takes its answer from here, so that no two differ. */
import { audienceOf, type StatementAudience } from '../../domain/governance/audience.ts';
import { ROOT_PATH } from '../../domain/scopes/path.ts';
import type { Sensitivity, TargetLevel } from '../../domain/statements/candidate.ts';
import type { KnowledgeState } from '../../domain/statements/states.ts';
import { html, NOTHING, written, type Markup } from './markup.ts';

/** Whom a statement is about: the viewer, somebody by name, somebody whom the page cannot name, or nobody (null). */
export type About = 'viewer' | 'somebody' | { readonly name: string } | null;

/** Readers and their place; of a past place that is not known the path is null. */
export interface Readers {
  readonly readers: StatementAudience;
  readonly scope_path: string | null;
  /** How many people and agents these are, where the page was told. */
  readonly people?: { readonly count: number; readonly is_capped: boolean } | undefined;
}

/** A statement as far as that decides who reads it. */
export interface ReadStatement {
  readonly state: KnowledgeState;
  readonly sensitivity: Sensitivity;
  readonly target_level: TargetLevel;
  readonly subject_peer_id: string | null;
  readonly has_audience: boolean;
  readonly scope_path: string;
}

function fewReaders(about: About): Markup {
  if (about === 'viewer') return html`you and whoever said it`;
  if (about === 'somebody') return html`the person it is about and whoever said it`;
  if (about === null) return html`only whoever said it`;
  return html`${written(about.name)}, who it is about, and whoever said it`;
}

/** Those who may read a scope. */
export function readersOfScope(path: string | null): Markup {
  if (path === null) return html`everyone who may read its scope`;
  if (path === ROOT_PATH) return html`everyone in the account`;
  return html`everyone who may read ${written(path)}`;
}

function readersIn({ readers, scope_path: path }: Readers, about: About): Markup {
  switch (readers) {
    case 'submitters':
    case 'subject':
      return fewReaders(about);
    case 'addressed':
      return html`those it was said to, and ${fewReaders(about)}`;
    case 'scope':
      return readersOfScope(path);
    case 'everyone':
      return html`${readersOfScope(path)}, and agents that act for nobody`;
    case 'nobody':
      return html`nobody`;
  }
}

function counted({ people }: Readers): Markup {
  if (people === undefined) return NOTHING;
  const { count, is_capped: isCapped } = people;
  if (isCapped) return html` (more than ${count.toLocaleString('en')} readers)`;
  return html` (${count.toLocaleString('en')} ${count === 1 ? 'reader' : 'readers'})`;
}

/** The readers as the middle of a sentence. */
export function readersWords(readers: Readers, about: About): Markup {
  return html`${readersIn(readers, about)}${counted(readers)}`;
}

/** What an answer changes for the readers, as the second half of the words on its button. */
export function readersChange(after: Readers, before: Readers, about: About): Markup {
  const [then, now] = [readersIn(after, about), readersIn(before, about)];
  if (then.toString() === now.toString()) return html`still read by ${readersWords(after, about)}`;
  return html`then read by ${readersWords(after, about)} (now: ${readersWords(before, about)})`;
}

/** The readers of the statement as it is, or with what a decision would change of it. */
export function readersOf(statement: ReadStatement, changes: Partial<ReadStatement> = {}): Readers {
  const after = { ...statement, ...changes };
  const readers = audienceOf({
    state: after.state,
    sensitivity: after.sensitivity,
    level: after.target_level,
    isAboutPeer: after.subject_peer_id !== null,
    hasAudience: after.has_audience,
  });
  return { readers, scope_path: after.scope_path };
}

/** Whom it is about, on a page that knows no names. */
export function aboutOf(
  { subject_peer_id: id }: Pick<ReadStatement, 'subject_peer_id'>,
  viewerPeerId: string | null = null,
): About {
  if (id === null) return null;
  return id === viewerPeerId ? 'viewer' : 'somebody';
}
