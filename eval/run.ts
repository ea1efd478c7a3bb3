/** One run of the evaluation: starts a service of its own, measures the abilities asked for, prints their tables. */
import { randomBytes } from 'node:crypto';
import { createClient } from '../bench/client.ts';
import { measureDates } from './abilities/dates.ts';
import { measureExtractionAbility } from './abilities/extraction.ts';
import { measureBeam, measureDateExpressions } from './abilities/limits.ts';
import { exitCodeOf, tableOf, type Section } from './report.ts';
import { contentAcceptor, type AcceptContent } from './service/accept.ts';
import type { Bench } from './service/conversation.ts';
import { startMeasuredService } from './service/stack.ts';

type Measure = (bench: Bench, accept: AcceptContent) => Promise<Section>;

const ABILITIES: Readonly<Record<string, readonly Measure[]>> = {
  extraction: [measureExtractionAbility],
  dates: [measureDates],
  beam: [measureBeam, measureDateExpressions],
};

export interface EvaluationOptions {
  /** Abilities by name; none means all. */
  readonly asked: readonly string[];
  readonly dataFolder: string;
  readonly say: (line: string) => void;
}

/** Answers the exit code: 0, 1 when a figure is below its floor, 2 for a name that is none. */
export async function runEvaluation(options: EvaluationOptions): Promise<0 | 1 | 2> {
  const { asked, dataFolder, say } = options;
  const names = asked.length === 0 ? Object.keys(ABILITIES) : asked;
  if (names.some((name) => ABILITIES[name] === undefined)) {
    say(`usage: npm run eval [-- ${Object.keys(ABILITIES).join('] [')}]`);
    return 2;
  }
  const service = await startMeasuredService();
  const bench: Bench = {
    client: createClient(service.access),
    run: randomBytes(4).toString('hex'),
    dataFolder,
  };
  const sections: Section[] = [];
  try {
    for (const measure of names.flatMap((name) => ABILITIES[name] ?? [])) {
      const section = await measure(bench, contentAcceptor(service.access));
      sections.push(section);
      for (const line of tableOf(section)) say(line);
      say('');
    }
  } finally {
    await service.stop();
  }
  return exitCodeOf(sections);
}
