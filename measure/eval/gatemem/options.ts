/** The options of `npm run eval -- gatemem`. */

export interface GatememOptions {
  /** Whether turns are sent with their audiences. */
  readonly audience: boolean;
  /** Whether messages that only ask are evidence. The tool of models leaves them out. */
  readonly questions: boolean;
  /** Which requests to forget act before a person has decided: nobody decides in a run. */
  readonly forgetting: 'own' | 'all' | 'off';
  /** Episodes of each domain, from the first on. */
  readonly episodes: number;
  /** One domain; null for all. */
  readonly domain: string | null;
  /** Where `predictions.jsonl` of each domain is written. */
  readonly predictions: string;
}

export const USAGE =
  'usage: npm run eval -- gatemem [--audience=on|off] [--questions=on|off] [--forgetting=own|all|off] [--episodes=N] [--domain=<name>] [--predictions=<folder>]';

const DEFAULTS: GatememOptions = {
  audience: true,
  questions: false,
  forgetting: 'all',
  episodes: Number.POSITIVE_INFINITY,
  domain: null,
  predictions: 'build/gatemem',
};

function withForgetting(options: GatememOptions, value: string): GatememOptions | null {
  const isKnown = value === 'own' || value === 'all' || value === 'off';
  return isKnown ? { ...options, forgetting: value } : null;
}

function withOption(options: GatememOptions, argument: string): GatememOptions | null {
  const [name, value = ''] = argument.split('=', 2);
  if (value === '') return null;
  if (name === '--forgetting') return withForgetting(options, value);
  if (value === 'on' || value === 'off') {
    if (name === '--audience') return { ...options, audience: value === 'on' };
    if (name === '--questions') return { ...options, questions: value === 'on' };
  }
  if (name === '--episodes' && /^[1-9]\d*$/u.test(value)) {
    return { ...options, episodes: Number(value) };
  }
  if (name === '--domain') return { ...options, domain: value };
  return name === '--predictions' ? { ...options, predictions: value } : null;
}

/** Null when an argument is none of the options. */
export function optionsOf(asked: readonly string[]): GatememOptions | null {
  return asked.reduce<GatememOptions | null>(
    (options, argument) => options && withOption(options, argument),
    DEFAULTS,
  );
}
