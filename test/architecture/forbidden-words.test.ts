/** Words that must not appear, and where they may. */
import { describe, expect, test } from '@jest/globals';
import { readFiles, SOURCE_FOLDERS, type SourceFile } from './source-tree.ts';

interface Ban {
  readonly what: string;
  readonly pattern: RegExp;
  readonly folders: readonly string[];
  readonly except: (path: string) => boolean;
}

/** Prose may name what code may not use; remarks about unfinished work are banned in prose too. */
const COMMENT = /^\s*(\*|\/\/|\/\*)(?!.*\b(TODO|FIXME|XXX|HACK)\b)/;

const nowhere = (): boolean => false;
const within =
  (...prefixes: string[]) =>
  (path: string): boolean =>
    prefixes.some((prefix) => path.startsWith(prefix));

const BANS: readonly Ban[] = [
  {
    what: 'the environment is read only by runtime/config and the entry points',
    pattern: /\bprocess\.env\b/,
    folders: SOURCE_FOLDERS,
    except: within('runtime/config/', 'bin/', 'measure/eval/main.ts', 'measure/stack.ts'),
  },
  {
    what: 'domain has no clock and no randomness',
    pattern: /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\bperformance\.now\(/,
    folders: ['domain', 'workflows'],
    except: nowhere,
  },
  {
    what: 'stores keep no session state: no session-level SET',
    pattern: /`\s*set\s+(?!_config)[a-z_.]+\s*(=|to)\b|set_config\([^)]*,\s*false\s*\)/i,
    folders: ['stores', 'operations', 'engine', 'activities'],
    except: nowhere,
  },
  {
    what: 'nothing prints to the console but the command line and the start',
    pattern: /\bconsole\.(log|error|warn|info|debug)\(/,
    folders: SOURCE_FOLDERS,
    except: nowhere,
  },
  {
    what: 'the log of the SDK takes sentences: workflows and activities do not write to it',
    pattern: /\blog\.(info|warn|error|debug|trace)\(|\bContext\.current\(\)\.log\b/,
    folders: ['workflows', 'activities'],
    except: nowhere,
  },
  {
    what: 'what no converter or interceptor sees is set in one place: search attributes, raw calls',
    pattern: /\bupsertSearchAttributes\b|\bworkflowService\b|\brequestCancelWorkflowExecution\b/,
    folders: SOURCE_FOLDERS,
    except: within('runtime/actors/', 'runtime/container/health.ts'),
  },
  {
    what: 'no unfinished work is left as a remark',
    pattern: /\b(TODO|FIXME|XXX|HACK)\b/,
    folders: [...SOURCE_FOLDERS, 'test'],
    except: (path) => path.endsWith('forbidden-words.test.ts'),
  },
  {
    what: 'no test is skipped or singled out',
    pattern: /\b(test|it|describe)\.(skip|only|todo|failing)\b|\bx(test|it|describe)\(/,
    folders: ['test'],
    except: (path) => path.endsWith('forbidden-words.test.ts'),
  },
  {
    what: 'types are neither any nor asserted away',
    pattern: /:\s*any\b(?! [a-z])|\bas any\b|@ts-ignore|@ts-expect-error/,
    folders: SOURCE_FOLDERS,
    except: nowhere,
  },
];

function offenders(ban: Ban, files: readonly SourceFile[]): string[] {
  return files
    .filter(({ path }) => !ban.except(path))
    .flatMap(({ path, text }) =>
      text
        .split('\n')
        .map((line, index) => ({ line, at: `${path}:${index + 1}` }))
        .filter(({ line }) => !COMMENT.test(line) && ban.pattern.test(line))
        .map(({ at }) => at),
    );
}

describe('the source', () => {
  for (const ban of BANS) {
    test(ban.what, () => {
      expect(offenders(ban, readFiles(ban.folders, '.ts'))).toEqual([]);
    });
  }

  test('a ban finds what it bans', () => {
    const [environment] = BANS;
    if (environment === undefined) throw new Error('no bans');
    const planted = { path: 'domain/x.ts', text: "const a = process.env['HOME'];" };
    expect(offenders(environment, [planted])).toEqual(['domain/x.ts:1']);
  });
});
