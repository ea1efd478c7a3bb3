/** `npm run eval -- recall`: what the recall of each effort finds, without any server. */
import { EFFORTS } from '../../../domain/answers/recall/caps.ts';
import { readCorpora } from '../rank/corpus.ts';
import { exitCodeOf, tableOf, type Section } from '../report.ts';
import { recallRows } from './figures.ts';
import { recallAll } from './memory-recall.ts';

export interface RecallOptions {
  /** `--kinds`. */
  readonly asked: readonly string[];
  readonly dataFolder: string;
  readonly say: (line: string) => void;
}

/** The lower end that the difference of `high` must reach. */
const LOWEST: Readonly<Record<string, number>> = { locomo: 0, beam: -2 };

/** Answers the exit code: 0, or 1 when a figure is below its floor. */
export async function runRecall({ asked, dataFolder, say }: RecallOptions): Promise<0 | 1> {
  const { beam, locomo } = readCorpora(dataFolder);
  const sections: Section[] = [];
  const report = (section: Section): void => {
    sections.push(section);
    for (const line of [...tableOf(section), '']) say(line);
  };
  for (const [name, corpus] of Object.entries({ locomo, beam })) {
    if (corpus === null) {
      report({ ability: `recall (${name})`, rows: null });
      continue;
    }
    for (const effort of EFFORTS) {
      const lowest = effort === 'high' ? LOWEST[name] : undefined;
      const rows = recallRows(effort, await recallAll(corpus, effort), lowest);
      report({ ability: `recall (${name}, ${effort})`, rows });
    }
    if (!asked.includes('--kinds')) continue;
    const kinds = new Set(
      corpus.conversations.flatMap(({ questions }) => questions.map(({ kind }) => kind)),
    );
    for (const kind of kinds) {
      const rows = recallRows(kind, await recallAll(corpus, 'high', (one) => one === kind));
      report({ ability: `recall (${name}, high)`, rows });
    }
  }
  return exitCodeOf(sections);
}
