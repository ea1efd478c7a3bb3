/** A setting: the longest pause between two looks of something. */
import type { Edit } from '../scratch.ts';

export const SETTING: readonly Edit[] = [
  {
    file: 'runtime/config/settings.ts',
    before: '  SERVICE_UNATTENDED: flag',
    insert: `  SERVICE_LONGEST_PAUSE_SECONDS: z.coerce
    .number()
    .min(1)
    .max(60)
    .default(5)
    .describe('The longest pause between two looks, in seconds.'),
`,
  },
  {
    file: 'docker-compose.yml',
    before: '    SERVICE_PARAPHRASE_COSINE: ',
    insert: '    SERVICE_LONGEST_PAUSE_SECONDS: ${SERVICE_LONGEST_PAUSE_SECONDS:-}\n',
  },
];
