/** Reads the rows of the fault table, and puts an answer into the same form. */
import { STRATEGIES } from '../../../domain/retrieval/strategies.ts';
import { ASKED, STATEMENTS, type AskedName } from './fault-table.ts';
import type { SearchData } from './scene.ts';

const PROFILES = ['fast', 'balanced', 'thorough', 'minimal'] as const;
const COMPONENTS = [...STRATEGIES, 'candidate_filter'] as const;
const COLUMNS = [
  'profile',
  'asked',
  ...COMPONENTS,
  'contributed',
  'empty',
  'dropped',
  'degraded',
  'nothing',
  'finds',
] as const;
type Column = (typeof COLUMNS)[number];

/** An answer, without times and scores. */
interface Said {
  readonly outcomes: readonly string[];
  readonly contributed: readonly string[];
  readonly empty: readonly string[];
  readonly dropped: readonly string[];
  readonly degraded: boolean;
  readonly degradedComponents: readonly string[];
  readonly queryDependentEmpty: boolean;
  readonly finds: readonly string[];
}

export interface FaultRow {
  readonly profile: (typeof PROFILES)[number];
  readonly asked: AskedName;
  readonly says: Said;
}

const isAsked = (word: string): word is AskedName => word in ASKED;

function words(cell: string): string[] {
  return cell.split(' ').filter((word) => word !== '');
}

/** `ran`, `ran: <reason>`, `dropped: <reason>` or `-`, as an outcome says it; none for a blank cell. */
function outcomeOf(component: string, cell: string): string[] {
  if (cell === '') return [];
  if (cell === '-') return [`${component} not_applicable applicability`];
  const [status = '', reason = 'null'] = cell.split(': ');
  return [`${component} ${status === 'ran' ? 'completed' : status} ${reason}`];
}

function rowOf(line: string): FaultRow {
  const texts = line.split('|').map((text) => text.trim());
  if (texts.length !== COLUMNS.length) throw new Error(`${texts.length} cells in: ${line}`);
  const cell = (column: Column): string => texts[COLUMNS.indexOf(column)] ?? '';
  const profile = PROFILES.find((name) => name === cell('profile'));
  const asked = cell('asked');
  if (profile === undefined || !isAsked(asked)) throw new Error(`not a row: ${line}`);
  return {
    profile,
    asked,
    says: {
      outcomes: [
        ...COMPONENTS.flatMap((component) => outcomeOf(component, cell(component))),
        'reranker not_applicable applicability',
      ],
      contributed: words(cell('contributed')),
      empty: words(cell('empty')),
      dropped: words(cell('dropped')),
      degraded: cell('degraded') !== '',
      degradedComponents: words(cell('degraded')),
      queryDependentEmpty: cell('nothing') === 'true',
      finds: words(cell('finds')).toSorted(),
    },
  };
}

/** The rows of a group, without its head. */
export function rowsOf(table: string): readonly FaultRow[] {
  const lines = table.split('\n').filter((line) => line.includes('|'));
  return lines.filter((line) => !line.startsWith('profile ')).map(rowOf);
}

const NAMES = new Map<string, string>(
  Object.entries(STATEMENTS).map(([name, text]) => [text, name]),
);

/** What an answer says, in the form of a row. */
export function saidBy(answer: SearchData): Said {
  return {
    outcomes: answer.retrieval_outcomes.map(
      ({ component, status, reason_class: reason }) => `${component} ${status} ${reason}`,
    ),
    contributed: answer.contributed_strategies,
    empty: answer.empty_strategies,
    dropped: answer.dropped_strategies,
    degraded: answer.degraded,
    degradedComponents: answer.degraded_components,
    queryDependentEmpty: answer.disagreement.query_dependent_empty,
    finds: answer.candidates
      .map(({ statement }) => NAMES.get(statement ?? '') ?? `unknown: ${statement}`)
      .toSorted(),
  };
}
