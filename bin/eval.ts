/** `npm run eval [-- extraction] [dates] [beam] [search]` and `npm run eval -- rank [variant …]`: see measure/eval/README.md. */
import { runRanking } from '../measure/eval/rank/run.ts';
import { runEvaluation } from '../measure/eval/run.ts';

const [first, ...rest] = process.argv.slice(2);
const options = {
  dataFolder: process.env['VOUCH_EVAL_DATA'] ?? '../shared/data',
  say: (line: string) => process.stdout.write(`${line}\n`),
};
process.exitCode =
  first === 'rank'
    ? runRanking({ ...options, asked: rest })
    : await runEvaluation({ ...options, asked: process.argv.slice(2) });
