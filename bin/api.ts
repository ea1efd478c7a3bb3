/** One API process on servers that run elsewhere. */
import { startApi } from '../runtime/processes/api.ts';
import { runProcess } from '../runtime/processes/run.ts';

await runProcess('api', process.env, startApi);
