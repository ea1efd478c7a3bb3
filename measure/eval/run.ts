/**
 * One run of the evaluation: reads the data of the chosen abilities, starts a service of its own if there is any data,
 * measures, and prints the tables.
 */
import { ask } from './abilities/ask.ts';
import { contextWords } from './abilities/context.ts';
import { dates } from './abilities/dates.ts';
import { extraction } from './abilities/extraction.ts';
import { dateExpressions, longChats } from './abilities/limits.ts';
import { searchOrder } from './abilities/search-order.ts';
import { searchAssistant, searchLanguages, searchPeers } from './abilities/search.ts';
import { searchSpelling } from './abilities/search-spelling.ts';
import { exitCodeOf, tableOf, type Section } from './report.ts';
import type { Ability } from './service/conversation.ts';
import { withService } from './service/with-service.ts';

const ABILITIES: Readonly<Record<string, readonly Ability[]>> = {
  extraction: [extraction],
  dates: [dates],
  beam: [longChats, dateExpressions],
  search: [searchPeers, searchAssistant, searchLanguages, searchSpelling],
  ask: [ask],
};

/** Parts of abilities that can be asked for alone. */
const PARTS: Readonly<Record<string, readonly Ability[]>> = {
  context: [contextWords],
  'search-locomo': [searchPeers],
  'search-beam': [searchAssistant],
  'search-xquad': [searchLanguages],
  'search-spelling': [searchSpelling],
  'search-order': [searchOrder],
};

export interface EvaluationOptions {
  /** Abilities by name; none means all. */
  readonly asked: readonly string[];
  readonly dataFolder: string;
  readonly say: (line: string) => void;
}

/** Answers the exit code: 0, 1 when a figure is below its floor, 2 for an unknown ability. */
export async function runEvaluation({
  asked,
  dataFolder,
  say,
}: EvaluationOptions): Promise<0 | 1 | 2> {
  const names = asked.length === 0 ? Object.keys(ABILITIES) : asked;
  const known = { ...ABILITIES, ...PARTS };
  if (names.some((name) => known[name] === undefined)) {
    say(`usage: npm run eval [-- ${Object.keys(known).join('] [')}]`);
    return 2;
  }
  const sections: Section[] = [];
  const report = (section: Section): void => {
    sections.push(section);
    for (const line of tableOf(section)) say(line);
    say('');
  };
  const prepared = names
    .flatMap((name) => known[name] ?? [])
    .map((ability) => ({ ability: ability.title, measure: ability.prepare(dataFolder) }));
  for (const { ability, measure } of prepared) {
    if (measure === null) report({ ability, rows: null });
  }
  const measurable = prepared.filter(({ measure }) => measure !== null);
  if (measurable.length === 0) return exitCodeOf(sections);
  await withService(async (bench) => {
    for (const { ability, measure } of measurable) {
      if (measure !== null) report({ ability, rows: await measure(bench) });
    }
  });
  return exitCodeOf(sections);
}
