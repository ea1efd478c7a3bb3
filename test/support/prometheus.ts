/** Reads Prometheus text strictly: whatever the format does not allow is thrown, naming the line. */

export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface Scrape {
  readonly samples: readonly Sample[];
  /** By metric, as its TYPE line says. */
  readonly types: ReadonlyMap<string, string>;
  /** The sum of all samples of that name whose labels are, among others, these; null when there is none. */
  sum(name: string, labels?: Readonly<Record<string, string>>): number | null;
}

const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*';
const HELP = new RegExp(`^# HELP (${NAME}) .+$`);
const TYPE = new RegExp(`^# TYPE (${NAME}) (counter|gauge|histogram|summary)$`);
/** Values are what Go's ParseFloat takes, which knows NaN in any case; the client writes `Nan`. */
const SAMPLE = new RegExp(
  `^(${NAME})(?:\\{(.*)\\})? ([Nn]a[Nn]|[+-]Inf|[+-]?[0-9.]+(?:e[+-]?[0-9]+)?)$`,
);
const LABEL = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/;
const PART = /_(?:bucket|sum|count)$/;

function labelsOf(text: string, line: string): Record<string, string> {
  const labels: Record<string, string> = {};
  for (let rest = text; rest !== '';) {
    const found = LABEL.exec(rest);
    if (found === null) throw new Error(`labels of: ${line}`);
    const [whole, name = '', value = ''] = found;
    if (name in labels) throw new Error(`label twice in: ${line}`);
    labels[name] = value;
    rest = rest.slice(whole.length);
  }
  return labels;
}

function numberOf(text: string): number {
  if (text.endsWith('Inf')) return text.startsWith('-') ? -Infinity : Infinity;
  return Number(text);
}

function holds(sample: Sample, labels: Readonly<Record<string, string>>): boolean {
  return Object.entries(labels).every(([name, value]) => sample.labels[name] === value);
}

function assertHistogram(name: string, samples: readonly Sample[]): void {
  const series = new Map<string, Sample[]>();
  for (const sample of samples.filter((one) => one.name === `${name}_bucket`)) {
    const { le: _bound, ...labels } = sample.labels;
    const key = JSON.stringify(labels);
    series.set(key, [...(series.get(key) ?? []), sample]);
  }
  for (const [key, buckets] of series) {
    const bounds = buckets.map(({ labels }) => numberOf(labels['le'] ?? ''));
    const counts = buckets.map(({ value }) => value);
    const rises = (list: readonly number[]): boolean =>
      list.every((value, i) => i === 0 || value >= (list[i - 1] ?? 0));
    if (bounds.at(-1) !== Infinity || !rises(bounds) || !rises(counts)) {
      throw new Error(`buckets of ${name} ${key}`);
    }
  }
}

/** Parses one scrape. */
export function parsePrometheus(text: string): Scrape {
  if (!text.endsWith('\n')) throw new Error('the last line is not ended');
  const types = new Map<string, string>();
  const samples: Sample[] = [];
  for (const line of text.split('\n')) {
    if (line === '' || HELP.test(line)) continue;
    const type = TYPE.exec(line);
    if (type !== null) {
      if (types.has(type[1] ?? '')) throw new Error(`type twice: ${line}`);
      types.set(type[1] ?? '', type[2] ?? '');
      continue;
    }
    const sample = SAMPLE.exec(line);
    if (sample === null) throw new Error(`no line of the format: ${line}`);
    const [, name = '', labels = '', value = ''] = sample;
    if (!types.has(name) && !types.has(name.replace(PART, ''))) throw new Error(`untyped: ${line}`);
    samples.push({ name, labels: labelsOf(labels, line), value: numberOf(value) });
  }
  const keys = samples.map(({ name, labels }) => JSON.stringify([name, labels]));
  if (new Set(keys).size < keys.length) throw new Error('a series is there twice');
  for (const [name, type] of types) if (type === 'histogram') assertHistogram(name, samples);
  return {
    samples,
    types,
    sum(name, labels = {}) {
      const found = samples.filter((sample) => sample.name === name && holds(sample, labels));
      return found.length === 0 ? null : found.reduce((sum, { value }) => sum + value, 0);
    },
  };
}
