/** One worker process on servers that run elsewhere. */
import { runProcess } from '../runtime/processes/run.ts';
import { startWorker } from '../runtime/processes/worker.ts';

await runProcess('worker', process.env, startWorker);
