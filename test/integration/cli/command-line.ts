/** Runs `vouch` in this process, on the database of a scene. */
import { expect } from '@jest/globals';
import { runCli } from '../../../cli/program.ts';
import { onlyThese, type Scene } from '../identity/scene.ts';
import { readPromiseFiles } from '../../../stores/promises/read-file.ts';

export interface CommandOutcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface CommandLine {
  readonly vouch: (args: readonly string[], stdin?: string) => Promise<CommandOutcome>;
  /** The one JSON value that the command prints with `--json`, and nothing beside it. */
  readonly json: (args: readonly string[], stdin?: string) => Promise<Record<string, unknown>>;
  /** The line of a refusal, with exit code 1 and nothing printed. */
  readonly refused: (args: readonly string[]) => Promise<string>;
}

/** `sceneOf` is asked with each command: a suite opens its scene before its tests. */
export function commandLine(sceneOf: () => Scene): CommandLine {
  const vouch: CommandLine['vouch'] = async (args, stdin = '') => {
    const scene = sceneOf();
    const written = { out: '', err: '' };
    const code = await runCli(args, {
      stdin: (async function* read() {
        yield stdin;
      })(),
      out: (text) => {
        written.out += text;
      },
      err: (text) => {
        written.err += text;
      },
      now: () => new Date(scene.clock),
      signal: new AbortController().signal,
      promiseLines: readPromiseFiles,
      receiptKeyPem: () => Promise.resolve(''),
      open: async () => ({ environment: onlyThese(scene.environment), close: async () => {} }),
    });
    return { code, ...written };
  };
  return {
    vouch,
    async json(args, stdin) {
      const outcome = await vouch([...args, '--json'], stdin);
      expect(outcome).toMatchObject({ code: 0, err: '' });
      return JSON.parse(outcome.out);
    },
    async refused(args) {
      const outcome = await vouch(args);
      expect(outcome).toMatchObject({ code: 1, out: '' });
      expect(outcome.err).toMatch(/^vouch: [^\n]+\n$/);
      return outcome.err;
    },
  };
}
