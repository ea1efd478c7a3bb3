/**
 * What of an OpenAPI document would break a client of an earlier one. Additions are no change: paths,
 * optional request fields, members and words of answers, and objects of a new kind in answers.
 *
 * Schemas are compared by their structure, so a rewriting that means the same may be reported; nothing that
 * narrows is missed among the keywords below, and an unknown keyword that differs is reported.
 */
export type Json = Readonly<Record<string, unknown>>;

/** `request`: whatever was sent stays taken. `answer`: whatever was read stays readable. */
type Direction = 'request' | 'answer';

interface Side {
  readonly document: Json;
  readonly schema: Json;
}

const METHODS = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options'];
/** Keywords that say nothing of what is valid. */
const PROSE = new Set([
  'description',
  'title',
  'examples',
  'example',
  'deprecated',
  'default',
  '$id',
]);
const LOWER_BOUNDS = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'];
const UPPER_BOUNDS = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'];
const HANDLED = new Set([
  'x-lenient',
  ...PROSE,
  ...LOWER_BOUNDS,
  ...UPPER_BOUNDS,
  'type',
  'enum',
  'const',
  'anyOf',
  'properties',
  'required',
  'additionalProperties',
  'propertyNames',
  'items',
  '$ref',
]);

const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const json = (value: unknown): Json => (isJson(value) ? value : {});
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

function resolved(document: Json, value: unknown): Json {
  const target = json(value)['$ref'];
  if (typeof target !== 'string') return json(value);
  const found = target
    .split('/')
    .slice(1)
    .reduce<unknown>((at, key) => json(at)[key], document);
  return { ...resolved(document, found), ...json(value), $ref: undefined };
}

function side(document: Json, schema: unknown): Side {
  return { document, schema: resolved(document, schema === true ? {} : schema) };
}

function typesOf(schema: Json): ReadonlySet<unknown> | null {
  const { type } = schema;
  if (type === undefined) return null;
  return new Set(Array.isArray(type) ? type : [type]);
}

/** A closed list of values, or null. */
function valuesOf(schema: Json): readonly unknown[] | null {
  if ('const' in schema) return [schema['const']];
  return Array.isArray(schema['enum']) ? schema['enum'] : null;
}

/** The schema as its alternatives, and `type` lists as one alternative for each. */
function alternatives({ document, schema }: Side): Side[] {
  const { anyOf, ...rest } = schema;
  const branches = Array.isArray(anyOf)
    ? anyOf.map((branch) => ({ ...rest, ...resolved(document, branch) }))
    : [schema];
  return branches.flatMap((branch: Json) =>
    Array.isArray(branch['anyOf'])
      ? alternatives({ document, schema: branch })
      : Array.isArray(branch['type'])
        ? branch['type'].map((type: unknown) => ({ document, schema: { ...branch, type } }))
        : [{ document, schema: branch }],
  );
}

function typeProblem(wide: Json, narrow: Json): string | null {
  const [taken, given] = [typesOf(wide), typesOf(narrow)];
  if (taken === null || wide['x-lenient'] === true) return null;
  if (given === null || narrow['x-lenient'] === true) return 'the type is narrower';
  const fits = [...given].every(
    (type) => taken.has(type) || (type === 'integer' && taken.has('number')),
  );
  return fits ? null : `the type is ${[...given].join()}, not ${[...taken].join()}`;
}

function valuesProblem(wide: Json, narrow: Json, direction: Direction): string | null {
  const [taken, given] = [valuesOf(wide), valuesOf(narrow)];
  if (taken === null) return null;
  if (given === null) return 'the values are no closed list on both sides';
  // Closed lists of answers may grow, a fixed word may not become another.
  const missing = given.filter((value) => !taken.some((known) => same(known, value)));
  if (missing.length === 0) return null;
  const grew =
    direction === 'answer' && 'enum' in wide && taken.every((known) => list(given).includes(known));
  return grew ? null : `the values ${JSON.stringify(missing)} are not shared`;
}

function boundsProblem(wide: Json, narrow: Json): string | null {
  const bound = (schema: Json, name: string): number | null =>
    typeof schema[name] === 'number' ? schema[name] : null;
  const looser = (name: string, sign: 1 | -1): boolean => {
    const [outer, inner] = [bound(wide, name), bound(narrow, name)];
    return outer === null || (inner !== null && sign * inner >= sign * outer);
  };
  const broken = [
    ...LOWER_BOUNDS.filter((name) => !looser(name, 1)),
    ...UPPER_BOUNDS.filter((name) => !looser(name, -1)),
  ];
  return broken.length === 0 ? null : `${broken.join()} is tighter`;
}

function otherProblem(wide: Json, narrow: Json): string | null {
  const differing = Object.keys(wide).filter(
    (key) => !HANDLED.has(key) && wide[key] !== undefined && !same(wide[key], narrow[key]),
  );
  return differing.length === 0 ? null : `${differing.join()} differs`;
}

function membersProblem(wide: Side, narrow: Side, direction: Direction): string | null {
  const [outer, inner] = [json(wide.schema['properties']), json(narrow.schema['properties'])];
  const required = list(narrow.schema['required']);
  const lost = list(wide.schema['required']).find((name) => !required.includes(name));
  if (lost !== undefined) return `${JSON.stringify(lost)} is required on one side only`;
  // Earlier members must still be there; those that only the later document has are additions.
  const earlier = Object.keys(direction === 'request' ? inner : outer);
  for (const name of earlier) {
    if (!(name in outer) || !(name in inner)) return `${name} is gone`;
    const problem = uncovered(
      side(wide.document, outer[name]),
      side(narrow.document, inner[name]),
      direction,
    );
    if (problem !== null) return `${name}: ${problem}`;
  }
  return null;
}

function restProblem(wide: Side, narrow: Side, direction: Direction): string | null {
  for (const key of ['additionalProperties', 'propertyNames', 'items']) {
    const [outer, inner] = [wide.schema[key], narrow.schema[key]];
    if (outer === undefined || same(outer, inner)) continue;
    if (outer === false || inner === undefined) return `${key} is tighter`;
    if (inner === false) continue;
    const problem = uncovered(side(wide.document, outer), side(narrow.document, inner), direction);
    if (problem !== null) return `${key}: ${problem}`;
  }
  return null;
}

function alternativeProblem(wide: Side, narrow: Side, direction: Direction): string | null {
  return (
    typeProblem(wide.schema, narrow.schema) ??
    valuesProblem(wide.schema, narrow.schema, direction) ??
    boundsProblem(wide.schema, narrow.schema) ??
    otherProblem(wide.schema, narrow.schema) ??
    membersProblem(wide, narrow, direction) ??
    restProblem(wide, narrow, direction)
  );
}

/** Members that each have one fixed word, and that are always there. */
function fixedMembers({ document, schema }: Side): ReadonlyMap<string, unknown> {
  const required = list(schema['required']);
  const fixed = Object.entries(json(schema['properties'])).flatMap(
    ([name, member]): [string, unknown][] => {
      const { const: word } = resolved(document, member);
      return word === undefined || !required.includes(name) ? [] : [[name, word]];
    },
  );
  return new Map(fixed);
}

/**
 * Whether an answer has `given` beside all that it had: an object that is told from each earlier one by a member with a
 * fixed word. It is for a client what a new word of a closed list is.
 */
function isNewKind(given: Side, earlier: readonly Side[], later: readonly Side[]): boolean {
  const keepsAll = earlier.every((known) =>
    later.some((now) => alternativeProblem(known, now, 'answer') === null),
  );
  if (!keepsAll) return false;
  return [...fixedMembers(given)].some(([name, word]) =>
    earlier.every((known) => {
      const members = fixedMembers(known);
      return members.has(name) && !same(members.get(name), word);
    }),
  );
}

/** Why some value of `narrow` would not be one of `wide`; null when every one is. */
function uncovered(wide: Side, narrow: Side, direction: Direction): string | null {
  if (same(wide.schema, narrow.schema) && same(wide.document, narrow.document)) return null;
  const [taken, all] = [alternatives(wide), alternatives(narrow)];
  for (const given of all) {
    const problems = taken.map((one) => alternativeProblem(one, given, direction));
    if (problems.includes(null)) continue;
    if (direction === 'answer' && isNewKind(given, taken, all)) continue;
    return problems[0] ?? 'nothing is allowed';
  }
  return null;
}

/** Why a client of `earlier` would break on `later`, as far as this one schema goes; null when it would not. */
export function schemaBreak(earlier: Json, later: Json, direction: Direction): string | null {
  const [before, after] = [side({}, earlier), side({}, later)];
  return direction === 'request'
    ? uncovered(after, before, direction)
    : uncovered(before, after, direction);
}

interface Pair {
  readonly earlier: Json;
  readonly later: Json;
}

function schemaBreaks(documents: Pair, earlier: unknown, later: unknown, direction: Direction) {
  const before = side(documents.earlier, earlier);
  const after = side(documents.later, later);
  const problem =
    direction === 'request'
      ? uncovered(after, before, direction)
      : uncovered(before, after, direction);
  return problem === null ? [] : [problem];
}

function parameterBreaks(documents: Pair, earlier: Json, later: Json): string[] {
  const of = (document: Json, operation: Json) =>
    new Map(
      list(operation['parameters']).map((given) => {
        const parameter = resolved(document, given);
        return [`${String(parameter['in'])} ${String(parameter['name'])}`, parameter];
      }),
    );
  const [before, after] = [of(documents.earlier, earlier), of(documents.later, later)];
  const known = [...before].flatMap(([name, parameter]): string[] => {
    const now = after.get(name);
    if (now === undefined) return [`${name} is gone`];
    return [
      ...(now['required'] === true && parameter['required'] !== true
        ? [`${name} became required`]
        : []),
      ...schemaBreaks(documents, parameter['schema'], now['schema'], 'request').map(
        (problem) => `${name}: ${problem}`,
      ),
    ];
  });
  const added = [...after]
    .filter(([name, parameter]) => !before.has(name) && parameter['required'] === true)
    .map(([name]) => `${name} is new and required`);
  return [...known, ...added];
}

function contentBreaks(documents: Pair, earlier: Json, later: Json, direction: Direction) {
  const [before, after] = [json(earlier['content']), json(later['content'])];
  return Object.entries(before).flatMap(([type, media]): string[] => {
    if (!(type in after)) return [`${type} is gone`];
    const now = json(after[type]);
    return schemaBreaks(documents, json(media)['schema'], now['schema'], direction);
  });
}

function bodyBreaks(documents: Pair, earlier: Json, later: Json): string[] {
  const before = resolved(documents.earlier, earlier['requestBody']);
  const after = resolved(documents.later, later['requestBody']);
  return [
    ...(after['required'] === true && before['required'] !== true ? ['became required'] : []),
    ...contentBreaks(documents, before, after, 'request'),
  ].map((problem) => `request body: ${problem}`);
}

function responseBreaks(documents: Pair, earlier: Json, later: Json): string[] {
  const after = json(later['responses']);
  const statuses = Object.entries(json(earlier['responses']));
  const known = statuses.flatMap(([status, given]): string[] => {
    if (!(status in after)) return [`${status} is gone`];
    const before = resolved(documents.earlier, given);
    const now = resolved(documents.later, after[status]);
    const headers = json(now['headers']);
    return [
      ...Object.keys(json(before['headers']))
        .filter((name) => !(name in headers))
        .map((name) => `${status}: header ${name} is gone`),
      ...contentBreaks(documents, before, now, 'answer').map((problem) => `${status}: ${problem}`),
    ];
  });
  const isSuccess = (status: string): boolean => status.startsWith('2');
  const before = new Set(statuses.map(([status]) => status));
  const added = Object.keys(after).filter((status) => isSuccess(status) && !before.has(status));
  return [...known, ...added.map((status) => `${status} is a new success`)];
}

function operationBreaks(documents: Pair, earlier: Json, later: Json): string[] {
  const security = (document: Json, operation: Json) =>
    operation['security'] ?? document['security'];
  const isOpen = (required: unknown) => list(required).length === 0;
  return [
    ...(same(earlier['operationId'], later['operationId']) ? [] : ['the operationId changed']),
    ...(isOpen(security(documents.earlier, earlier)) && !isOpen(security(documents.later, later))
      ? ['a credential is asked for']
      : []),
    ...parameterBreaks(documents, earlier, later),
    ...bodyBreaks(documents, earlier, later),
    ...responseBreaks(documents, earlier, later),
  ];
}

/** One sentence for each thing of `earlier` that `later` breaks; empty when it only adds. */
export function breakingChanges(earlier: Json, later: Json): string[] {
  const paths = json(later['paths']);
  return Object.entries(json(earlier['paths'])).flatMap(([path, item]) =>
    METHODS.filter((method) => method in json(item)).flatMap((method) => {
      const now = json(paths[path])[method];
      const title = `${method.toUpperCase()} ${path}`;
      if (now === undefined) return [`${title} is gone`];
      return operationBreaks({ earlier, later }, json(json(item)[method]), json(now)).map(
        (problem) => `${title}: ${problem}`,
      );
    }),
  );
}
