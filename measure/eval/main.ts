/**
 * `npm run eval [-- extraction] [dates] [beam] [search] [context]`, `npm run eval -- rank [variant …]`,
 * `npm run eval -- rank-spelling`, `npm run eval -- judged`, `npm run eval -- answers [variant …]` and
 * `npm run eval -- gatemem [--audience=off] …`: see measure/eval/README.md.
 */
import { runAnswers } from './answers/run.ts';
import { runGatemem } from './gatemem/run.ts';
import { runJudged } from './judged/run.ts';
import { runRecall } from './recall/run.ts';
import { runRanking } from './rank/run.ts';
import { runSpelling } from './rank/spelling.ts';
import { runEvaluation } from './run.ts';

const [first, ...rest] = process.argv.slice(2);
const options = {
  dataFolder: process.env['VOUCH_EVAL_DATA'] ?? '../shared/data',
  say: (line: string) => process.stdout.write(`${line}\n`),
};
if (first === 'rank') process.exitCode = runRanking({ ...options, asked: rest });
else if (first === 'rank-spelling') process.exitCode = runSpelling(options);
else if (first === 'answers') process.exitCode = runAnswers({ ...options, asked: rest });
else if (first === 'judged') process.exitCode = runJudged(options);
else if (first === 'recall') process.exitCode = await runRecall({ ...options, asked: rest });
else if (first === 'gatemem') {
  process.exitCode = await runGatemem({ ...options, asked: rest, env: process.env });
} else process.exitCode = await runEvaluation({ ...options, asked: process.argv.slice(2) });
