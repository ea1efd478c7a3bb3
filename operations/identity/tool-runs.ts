/** `session.tool_runs`, `session.note_tool_run`: the last runs of tools in a browser session, without what was asked. */
import { z } from 'zod';
import { defineOperation } from '../operation.ts';

/** Runs that a session keeps. */
export const MOST_TOOL_RUNS = 5;

const runFields = {
  tool: z.string().regex(/^[a-z_]{1,64}$/),
  code: z
    .string()
    .regex(/^[a-z_]{1,64}$/)
    .describe('`ok`, or the code of the refusal.'),
  ms: z.int().min(0).max(2_147_483_647),
};

const run = z.object({ ...runFields, at: z.iso.datetime() });

export const readToolRuns = defineOperation({
  id: 'session.tool_runs',
  access: 'human',
  effect: 'read',
  summary: 'Read the last runs of tools in this browser session',
  description:
    'The runs, the latest first, at most five. Empty for a credential that is no browser session.',
  input: z.object({}),
  output: z.object({ items: z.array(run) }),
  async run({ caller, inAccount }) {
    const items = await inAccount(caller.accountId, ({ browserSessions }) =>
      browserSessions.toolRuns(caller.credentialId),
    );
    return { items: [...items] };
  },
});

export const noteToolRun = defineOperation({
  id: 'session.note_tool_run',
  access: 'human',
  effect: 'write',
  summary: 'Note a run of a tool in this browser session',
  description: 'The session keeps the tool, time, code and milliseconds of the last five runs.',
  input: z.object(runFields),
  output: z.object({ noted: z.boolean() }),
  async run({ caller, inAccount, now }, { code, ms, tool }) {
    const noted = await inAccount(caller.accountId, ({ browserSessions }) =>
      browserSessions.noteToolRun(
        caller.credentialId,
        { tool, at: now.toISOString(), code, ms },
        MOST_TOOL_RUNS,
      ),
    );
    return { noted };
  },
});
