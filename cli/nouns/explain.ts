import { Argument, type Command } from 'commander';
import { UNIT_KINDS } from '../../domain/retrieval/units.ts';
import type { Explanation } from '../../operations/explain/output.ts';
import { explainUnit } from '../../operations/explain/unit.ts';
import { addCommand } from '../command.ts';
import type { CliDependencies } from '../dependencies.ts';
import { pairs, table } from '../text.ts';

type Shown<Part extends 'message' | 'statement' | 'reader'> = NonNullable<Explanation[Part]>;

/** One line where there are no rows. */
function listed(
  what: string,
  headings: readonly string[],
  rows: readonly (readonly (string | null)[])[],
): string {
  return rows.length === 0 ? `no ${what}` : table(headings, rows);
}

function placeText(message: Shown<'message'>): string {
  const { document } = message;
  return pairs({
    accepted: message.accepted_at,
    scope: message.scope_path,
    session: message.session_id,
    speaker: message.speaker_key,
    relay: message.relay_key,
    role: message.role,
    ...(document === null
      ? {}
      : { document: `${document.id}, version ${document.version}, chunk ${document.chunk}` }),
  });
}

function waitText({ budget, mailbox }: Shown<'message'>): string {
  return pairs({
    'mailbox paused': mailbox?.paused ?? false,
    'drain awake': mailbox?.awake ?? false,
    'last rung': mailbox?.last_rung_at ?? null,
    budget: budget?.scope_root ?? null,
    'budget closed': budget?.closed_at ?? null,
    'budget ends': budget?.deadline_at ?? null,
  });
}

function messageLines({ message }: Explanation): readonly string[] {
  if (message === null) return [];
  const { extraction, statement_counts: counts, statements } = message;
  return [
    placeText(message),
    extraction === null ? 'no extraction job' : extractionText(extraction),
    waitText(message),
    [
      `statements  ${counts.map(({ count, state }) => `${count} ${state}`).join(', ') || 'none'}`,
      ...statements.map(({ id, state }) => `  ${id}  ${state}`),
    ].join('\n'),
  ];
}

function extractionText(extraction: NonNullable<Shown<'message'>['extraction']>): string {
  return pairs({
    extraction: extraction.status,
    attempts: extraction.attempts,
    'last error class': extraction.last_error_class,
    'held by a drain': extraction.held,
    'next look': extraction.next_look_at,
    'blocked until': extraction.blocked_until,
    failed: extraction.failed_at,
    completed: extraction.completed_at,
    candidates: extraction.candidates,
  });
}

function statementLines({ statement }: Explanation): readonly string[] {
  if (statement === null) return [];
  const { consents, decisions, items } = statement;
  return [
    pairs({
      recorded: statement.recorded_at,
      state: statement.state,
      verification: statement.verification,
      scope: statement.scope_path,
      level: statement.target_level,
      'held for': statement.held_scope_path,
      sensitivity: statement.sensitivity,
      'about peer': statement.subject_key,
      confidence: statement.confidence,
      corroboration: statement.corroboration,
      'sources, submitters': `${statement.sources}, ${statement.submitters}`,
      'true from': statement.relevant_from,
      'true until': statement.relevant_until,
      expires: statement.expires_at,
      'confirmation due': statement.revalidate_after,
      'merged into': statement.merged_into_id,
      'newer statement': statement.newer_id,
    }),
    listed(
      'decisions',
      ['decision', 'of', 'reason', 'channel', 'rule of', 'at'],
      decisions.map((one) => [
        one.decision,
        one.gate,
        one.reason,
        one.channel,
        one.rule_scope_path,
        one.decided_at,
      ]),
    ),
    listed(
      'open items',
      ['open item', 'state', 'reason', 'open since', 'due'],
      items.map((one) => [one.kind, one.state, one.reason, one.open_since, one.due_at]),
    ),
    listed(
      'consents',
      ['consent', 'for', 'asked', 'decided'],
      consents.map((one) => [one.status, one.target_scope_path, one.requested_at, one.decided_at]),
    ),
  ];
}

function readerText(reader: Shown<'reader'>): string {
  return pairs({
    reader: reader.peer_key,
    'role at the scope': reader.role,
    'may read it now': reader.readable,
    ...(reader.was_there === null
      ? { 'conditions that fail': reader.failed_conditions.join(', ') || null }
      : { 'was there': reader.was_there }),
  });
}

function writeText(mark: Explanation['indexes'][number]['mark']): string {
  if (mark === null) return 'none waits';
  return mark.overdue ? `${mark.state}, overdue` : mark.state;
}

const indexText = ({ indexes }: Explanation): string =>
  table(
    ['index', 'unit', 'write', 'waiting since', 'attempts', 'next look', 'awaits vector'],
    indexes.map(({ awaits_vector: awaitsVector, index, mark, presence }) => [
      index,
      presence,
      writeText(mark),
      mark?.waiting_since ?? null,
      mark?.attempts ?? null,
      mark?.next_look_at ?? null,
      awaitsVector,
    ]),
  );

function obstacleLines({ obstacles }: Explanation): readonly string[] {
  return obstacles.map(({ cause, from, means, of, remedy }, at) =>
    [
      `${at + 1}. ${cause}${of === null ? '' : ` (${of})`}, keeps it from ${from.replace('_', ' ')}`,
      `   ${means}`,
      `   ${remedy}`,
    ].join('\n'),
  );
}

function textOf(output: Explanation): string {
  const { id, reader, unit } = output;
  const obstacles = obstacleLines(output);
  return [
    `${unit} ${id}`,
    ...messageLines(output),
    ...statementLines(output),
    indexText(output),
    ...(reader === null ? [] : [readerText(reader)]),
    ...(obstacles.length === 0 ? ['Nothing keeps it from being found.'] : obstacles),
  ].join('\n\n');
}

function complaintOf({ found, obstacles }: Explanation): string | null {
  const [first] = obstacles;
  return found || first === undefined ? null : `It is not found: ${first.cause}.`;
}

/** `vouch explain message|statement`. Exit code 1 when something keeps it from being found. */
export function addExplain(noun: Command, dependencies: CliDependencies): void {
  for (const unit of UNIT_KINDS) {
    addCommand(noun, dependencies, {
      name: unit,
      summary: `say why a search does not return a ${unit}; exit code 1 when something keeps it from being found`,
      operation: explainUnit,
      servers: ['meilisearch', 'qdrant'],
      options: (command) => {
        command
          .addArgument(new Argument('<id>', `the id of the ${unit}`))
          .option('--reader <key>', 'the key of the peer whose search does not return it');
      },
      input: (options, [id]) => ({ unit, id, reader: options['reader'] }),
      text: textOf,
      complaint: complaintOf,
    });
  }
}
