/** A value of gate rules: how long a trial lasts. */
import type { Edit } from '../scratch.ts';

export const RULE: readonly Edit[] = [
  {
    file: 'stores/postgres/migrations/9998_trial.sql',
    insert: 'alter table gate_rules add column trial_hours integer;\n',
  },
  {
    file: 'domain/governance/rule-columns.ts',
    before: '  revalidate_after_days: {',
    insert: `  trial_hours: {
    member: 'trialHours',
    type: 'count',
    most: MOST_PENDING_HOURS,
    nullable: true,
    description: 'How long a trial lasts.',
  },
`,
  },
  {
    file: 'domain/governance/presets.ts',
    before: '    revalidateAfterDays: 90,',
    insert: '    trialHours: 24,\n',
  },
  {
    file: 'cli/nouns/rules.ts',
    before: '  revalidate_after_days: [',
    insert: "  trial_hours: ['--trial <hours>', 'how long a trial lasts, or never'],\n",
  },
];
