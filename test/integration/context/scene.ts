/** A search scene with a builder of context cards whose model a test plays, and contexts read from it. */
import type { z } from 'zod';
import type { Caller } from '../../../domain/identity/caller.ts';
import { createCardBuilder } from '../../../engine/context-cards/builder.ts';
import type { SummaryGateway } from '../../../engine/context-cards/summaries.ts';
import { execute } from '../../../operations/execute.ts';
import { readContext } from '../../../operations/retrieval/context.ts';
import type { contextOutput } from '../../../operations/retrieval/context-output.ts';
import { createInAccount, createRefusingInAccount } from '../../../stores/postgres/in-account.ts';
import { ContextCardAccountsStore } from '../../../stores/postgres/context-cards/accounts.store.ts';
import { readingContext, openSearchScene, type SearchScene } from '../search/scene.ts';

export type ContextData = z.output<typeof contextOutput>;

/** What the model of a test answers; it is given the statements. Throwing is a failure of the provider. */
export type PlayedModel = (statements: readonly string[]) => string | Promise<string>;

export interface ContextScene extends SearchScene {
  /** How many summaries were asked for. */
  calls: number;
  /** Null: the role has no model. `built-in`: the deterministic provider. */
  model: PlayedModel | 'built-in' | null;
  /** What failed in a pass. */
  readonly failures: unknown[];
  /** Builds and summarises all that is marked, without the wait in which changes are gathered. */
  settle(): Promise<{ written: number; removed: number; built: number }>;
  context(caller: Caller, body?: Record<string, unknown>): Promise<ContextData>;
}

function playedBy(scene: () => ContextScene): SummaryGateway {
  const identity = (provider: string, model: string | null) => ({
    provider,
    model,
    version: model === null ? null : '1',
    dimensions: null,
  });
  return {
    describe: () => {
      const { model } = scene();
      const described =
        model === null
          ? identity('none', null)
          : model === 'built-in'
            ? identity('deterministic', 'built-in')
            : identity('openai-compatible', 'played');
      return { dream_reasoner: described };
    },
    inProcess: async (_role: string, _call: unknown, work: () => unknown) => {
      scene().calls += 1;
      return work();
    },
    mask: async (texts: readonly string[]) => texts,
    generation: () => ({
      contextTokens: 32_768,
      maxOutputTokens: 8_192,
      ask: async (
        question: { messages: { content: string }[] },
        judge: (text: string) => unknown,
      ) => {
        scene().calls += 1;
        const { model } = scene();
        const sent = JSON.parse(question.messages[0]?.content ?? '{}') as { statements: string[] };
        if (typeof model !== 'function') throw new TypeError('no model is played');
        const summary = await model(sent.statements);
        return Object.assign({ usage: {} }, judge(JSON.stringify({ summary })));
      },
    }),
  } as unknown as SummaryGateway;
}

/** A search scene in which contexts are built and read. */
export async function openContextScene(): Promise<ContextScene> {
  const base = await openSearchScene();
  const failures: unknown[] = [];
  const cardBuilder = createCardBuilder({
    accounts: new ContextCardAccountsStore(base.pool),
    inAccount: createInAccount(base.pool),
    gateway: playedBy(() => scene),
    now: () => new Date(),
    onFailure: (error) => failures.push(error),
  });
  const scene: ContextScene = {
    ...base,
    calls: 0,
    model: null,
    failures,
    async settle() {
      const { signal } = new AbortController();
      const sum = { written: 0, removed: 0, built: 0 };
      for (;;) {
        const folding = await cardBuilder.build(signal);
        await base.sql(`update projection_work set available_at = clock_timestamp()`);
        const done = await cardBuilder.build(signal);
        for (const each of [folding, done]) {
          sum.written += each.written;
          sum.removed += each.removed;
          sum.built += each.built;
        }
        const [left] = await base.sql(
          `select (select count(*) from projection_marks) + (select count(*) from projection_work) as n`,
        );
        if (Number(left?.['n']) === 0 || failures.length > 0) break;
      }
      await base.sql(
        `update projections set summary_due_at = clock_timestamp() where summary_due_at is not null`,
      );
      await cardBuilder.summarise(signal);
      return sum;
    },
    context: (caller, body = {}) => {
      const context = readingContext(
        { inAccount: createRefusingInAccount(base.pool) },
        base.retrieval,
        caller,
      );
      const asking = { questions: { ask: async () => null } };
      return execute(readContext, { ...context, ...asking }, body);
    },
  };
  return scene;
}
