/** A value of gate rules: how old a statement has to be. */
import type { Edit } from '../scratch.ts';

export const RULE: readonly Edit[] = [
  {
    file: 'stores/postgres/migrations/9998_minimum_age.sql',
    insert: 'alter table gate_rules add column minimum_age_hours integer;\n',
  },
  {
    file: 'domain/governance/rule-columns.ts',
    before: '  revalidate_after_days: {',
    insert: `  minimum_age_hours: {
    member: 'minimumAgeHours',
    type: 'count',
    most: MOST_PENDING_HOURS,
    nullable: true,
    description: 'How old a statement has to be.',
  },
`,
  },
  {
    file: 'domain/governance/presets.ts',
    before: '    revalidateAfterDays: 90,',
    insert: '    minimumAgeHours: 24,\n',
  },
  {
    file: 'cli/nouns/rules.ts',
    before: '  revalidate_after_days: [',
    insert: "  minimum_age_hours: ['--minimum-age <hours>', 'how old it has to be, or never'],\n",
  },
];
