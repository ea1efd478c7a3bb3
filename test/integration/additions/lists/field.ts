/** A field that extraction writes and answers show: how something was said. */
import type { Edit } from '../scratch.ts';

export const FIELD: readonly Edit[] = [
  {
    file: 'stores/postgres/migrations/9997_mood.sql',
    insert: `create type mood as enum ('calm', 'glad', 'cross');
alter table knowledge add column mood mood;
`,
  },
  {
    file: 'domain/statements/said.ts',
    before: "  kind: {\n    type: 'statement_kind',",
    insert: `  mood: {
    type: 'mood',
    words: ['calm', 'glad', 'cross'],
    nullable: true,
    written: 'always',
    shown: 'listed',
    told: 'how it was said, if the words show it; otherwise null.',
    description: 'How it was said. Null if the words do not show it.',
  },
`,
  },
  {
    file: 'engine/extraction/model/prompt.ts',
    replace: /PROMPT_VERSION = '[^']+'/,
    insert: "PROMPT_VERSION = 'vouch-extract-next'",
  },
  {
    file: 'engine/english-extractor/extract.ts',
    before: '    kind: kindOf(assertion.statement, window.from',
    insert: "    mood: assertion.span.includes('tea') ? 'glad' : null,\n",
  },
  {
    file: 'test/unit/extraction-model/prompt.test.ts',
    replace: /PROMPT_VERSION\)\.toBe\('[^']+'\)/,
    insert: "PROMPT_VERSION).toBe('vouch-extract-next')",
  },
  {
    file: 'test/unit/extraction-model/prompt.test.ts',
    before: "    'kind',\n",
    insert: "    'mood',\n",
  },
];
