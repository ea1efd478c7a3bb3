/** A metric: answers to questions, by the verdict. */
import type { Edit } from '../scratch.ts';

export const METRIC: readonly Edit[] = [
  {
    file: 'runtime/telemetry/question-metrics.ts',
    before: '  for (const outcome of ASKING_OUTCOMES)',
    insert: `  const looks = new Counter({
    name: 'vouch_question_looks_total',
    help: 'Looks for a question, however they ended.',
    registers: [registry],
  });
`,
  },
  {
    file: 'runtime/telemetry/question-metrics.ts',
    replace: '  return (outcome) => total.inc({ outcome });',
    insert: '  return (outcome) => {\n    looks.inc();\n    total.inc({ outcome });\n  };',
  },
];
