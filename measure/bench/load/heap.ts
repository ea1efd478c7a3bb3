/** Reads the memory that a running Node process needs, through its inspector: most of its memory may be garbage. */
import { z } from 'zod';
import { withInspector } from './inspector.ts';

const evaluated = z.object({ result: z.object({ value: z.string() }) });
const usage = z.object({ heapUsed: z.number(), external: z.number() });

/** In MiB, right after a collection. */
export interface HeapReading {
  /** Objects of the main thread. */
  readonly heapUsed: number;
  /** Memory outside the heap that these objects hold, mostly buffers. */
  readonly external: number;
}

/** Collects the garbage of the process, then reads its memory. Throws when another process has the inspector's port. */
export function collectedHeap(pid: number): Promise<HeapReading> {
  return withInspector(pid, async (ask) => {
    await ask('HeapProfiler.collectGarbage');
    const expression = 'JSON.stringify(process.memoryUsage())';
    const answer = evaluated.parse(await ask('Runtime.evaluate', { expression }));
    const read = usage.parse(JSON.parse(answer.result.value));
    return { heapUsed: read.heapUsed / 1_048_576, external: read.external / 1_048_576 };
  });
}
