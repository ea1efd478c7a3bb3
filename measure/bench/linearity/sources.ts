/**
 * Finds the parts of the product's sources that may be slow on a text: every regular expression literal, and every
 * exported function that takes text. They are read from the sources, so that a new one needs no entry anywhere.
 */
import { ROOT } from '../../root.ts';
import { readdirSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { parse } from 'acorn';
import type { AnyNode, Function as FunctionNode, Pattern, Program } from 'acorn';

export { ROOT };

/** The folders of the service, which a text of a caller may pass through. */
const FOLDERS = [
  'activities',
  'api',
  'cli',
  'console',
  'domain',
  'embedded',
  'engine',
  'operations',
  'runtime',
  'stores',
  'workflows',
] as const;

export interface WrittenPattern {
  /** File and line. */
  readonly at: string;
  readonly source: string;
  readonly flags: string;
}

/** What a parameter takes; `text` is a string, `texts` a list of strings, `carrier` a type of `CARRIERS`. */
export type ParameterKind =
  | 'text'
  | 'texts'
  | 'carrier'
  | 'boolean'
  | 'number'
  | 'optional'
  | 'other';

export interface Parameter {
  readonly name: string;
  readonly kind: ParameterKind;
}

export interface TextFunction {
  /** `domain/text/fold.ts#foldText`. */
  readonly id: string;
  readonly file: string;
  readonly name: string;
  readonly parameters: readonly Parameter[];
}

interface Source {
  readonly file: string;
  /** The text of the file. The program has the same offsets, because types are blanked out, not removed. */
  readonly text: string;
  readonly program: Program;
}

function read(file: string): Source {
  const text = readFileSync(join(ROOT, file), 'utf8');
  const program = parse(stripTypeScriptTypes(text), {
    ecmaVersion: 'latest',
    sourceType: 'module',
  });
  return { file, text, program };
}

function filesOf(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`);
}

/** Every source file of the service, parsed. */
export function readSources(): readonly Source[] {
  return FOLDERS.flatMap(filesOf).toSorted().map(read);
}

function* nodesOf(value: unknown): Generator<AnyNode> {
  if (Array.isArray(value)) for (const item of value) yield* nodesOf(item);
  else if (typeof value === 'object' && value !== null) {
    if ('type' in value) yield value as AnyNode;
    for (const inner of Object.values(value)) yield* nodesOf(inner);
  }
}

function lineOf({ text }: Source, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

/** Regular expression literals. `made-patterns.ts` finds those that `new RegExp` makes. */
export function writtenPatterns(sources: readonly Source[]): readonly WrittenPattern[] {
  return sources.flatMap((source) =>
    [...nodesOf(source.program)].flatMap((node) =>
      node.type === 'Literal' && 'regex' in node && node.regex != null
        ? {
            at: `${source.file}:${lineOf(source, node.start)}`,
            source: node.regex.pattern,
            flags: node.regex.flags,
          }
        : [],
    ),
  );
}

/** Types that hold text of people or models. */
const CARRIERS =
  /\b(?:ExtractionRequest|Candidate|SourceMessage|ChatMessage|AnswerItem|Block|PlacedText|ParsedQuery|QueryPlan|IndexedStatement|AnalysedStatement|MessageUnit|MessageText|Passage|ExtractiveInput)\b/;

const KINDS: readonly (readonly [ParameterKind, RegExp])[] = [
  ['text', /^\w+\s*:\s*string\b(?!\[)/],
  ['texts', /^\w+\s*:\s*(?:readonly string\[\]|string\[\]|Iterable<string>)/],
  ['boolean', /^\w+\s*:\s*boolean\b/],
  ['number', /^\w+\s*:\s*number\b/],
  ['carrier', CARRIERS],
  ['optional', /^\w+\?|=/],
];

function parameterOf(source: Source, pattern: Pattern, end: number): Parameter {
  // The type annotation follows the parameter in the text of the file; in the program it is blank.
  const [written = ''] = source.text.slice(pattern.start, end).split(/\)\s*(?::|=>|\{)/, 1);
  const kind = KINDS.find(([, form]) => form.test(written))?.[0] ?? 'other';
  return { name: /^\w*/.exec(written)?.[0] ?? '', kind };
}

function* exportedFunctions({ program }: Source): Generator<readonly [string, FunctionNode]> {
  for (const statement of program.body) {
    if (statement.type !== 'ExportNamedDeclaration') continue;
    const { declaration } = statement;
    if (declaration?.type === 'FunctionDeclaration') yield [declaration.id.name, declaration];
    if (declaration?.type !== 'VariableDeclaration') continue;
    for (const { id, init } of declaration.declarations) {
      const isFunction =
        init?.type === 'ArrowFunctionExpression' || init?.type === 'FunctionExpression';
      if (isFunction && id.type === 'Identifier') yield [id.name, init];
    }
  }
}

const TAKES_TEXT: ReadonlySet<ParameterKind> = new Set(['text', 'texts', 'carrier']);

/** Exported functions that take text in any parameter. */
export function textFunctions(sources: readonly Source[]): readonly TextFunction[] {
  return sources.flatMap((source) =>
    [...exportedFunctions(source)].flatMap(([name, { params, body }]) => {
      const parameters = params.map((pattern, index) =>
        parameterOf(source, pattern, params[index + 1]?.start ?? body.start),
      );
      const takesText = parameters.some(({ kind }) => TAKES_TEXT.has(kind));
      const id = `${source.file}#${name}`;
      return takesText ? [{ id, file: source.file, name, parameters }] : [];
    }),
  );
}
