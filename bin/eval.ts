/** `npm run eval [-- extraction] [dates] [beam]`: see measure/eval/README.md. */
import { runEvaluation } from '../measure/eval/run.ts';

process.exitCode = await runEvaluation({
  asked: process.argv.slice(2),
  dataFolder: process.env['VOUCH_EVAL_DATA'] ?? '../shared/data',
  say: (line) => process.stdout.write(`${line}\n`),
});
