/** Reads queries of Prometheus, as far as their names can be compared with the series that there are. */
import { parser } from '@prometheus-io/lezer-promql';
import type { Sample } from '../../support/prometheus.ts';

export interface Matcher {
  readonly label: string;
  readonly operator: '=' | '!=' | '=~' | '!~';
  readonly value: string;
}

export interface Selector {
  readonly metric: string;
  readonly matchers: readonly Matcher[];
}

export interface Query {
  readonly selectors: readonly Selector[];
  /** Labels by which it groups or matches. */
  readonly groupedBy: readonly string[];
}

const MATCHER = /^\s*(\w+)\s*(=~|!~|!=|=)\s*"([^"]*)"\s*$/;

function matcherOf(text: string): Matcher {
  const [, label = '', operator = '', value = ''] = MATCHER.exec(text) ?? [];
  if (operator !== '=' && operator !== '!=' && operator !== '=~' && operator !== '!~') {
    throw new Error(`no matcher: ${text}`);
  }
  return { label, operator, value };
}

/** Throws where the query is not one of Prometheus. */
export function readQuery(text: string): Query {
  const selectors: { metric: string; matchers: Matcher[] }[] = [];
  const groupedBy: string[] = [];
  let inGroup = false;
  parser.parse(text).iterate({
    enter({ from, name, to, type }) {
      const part = text.slice(from, to);
      if (type.isError) throw new Error(`no query of Prometheus at ${from}: ${text}`);
      if (name === 'VectorSelector') selectors.push({ metric: '', matchers: [] });
      const last = selectors.at(-1);
      if (name === 'Identifier' && last !== undefined) last.metric = part;
      if (name.endsWith('LabelMatcher') && last !== undefined) last.matchers.push(matcherOf(part));
      if (name === 'GroupingLabels') inGroup = true;
      if (name === 'LabelName' && inGroup) groupedBy.push(part);
    },
    leave({ name }) {
      if (name === 'GroupingLabels') inGroup = false;
    },
  });
  return { selectors, groupedBy };
}

function accepts({ operator, value }: Matcher, found: string): boolean {
  const isLike = operator.endsWith('~')
    ? new RegExp(`^(?:${value})$`).test(found)
    : found === value;
  return isLike === !operator.startsWith('!');
}

/** The series that the selector picks. A label that a series lacks counts as empty. */
export function seriesOf({ matchers, metric }: Selector, samples: readonly Sample[]): Sample[] {
  return samples.filter(
    ({ labels, name }) =>
      name === metric && matchers.every((one) => accepts(one, labels[one.label] ?? '')),
  );
}
