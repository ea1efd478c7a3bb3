/**
 * Holds every answer to the OpenAPI document that the service itself serves: status, body and headers. A
 * request that was taken must be one the document allows. What is not declared is a failure.
 */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { CONSOLE_ROUTES } from '../../console/routes.ts';
import type { HttpAnswer, HttpCall } from './http.ts';

type Json = Readonly<Record<string, unknown>>;

const METHODS = ['get', 'put', 'post', 'delete'];
/** Headers that say something to the caller and so must be declared where they are sent. */
const TELLING = ['x-trace-id', 'retry-after', 'www-authenticate', 'allow'];

function json(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {};
}

function escaped(token: string): string {
  return token.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** The first parts of the paths of pages. */
const PAGES = new Set(
  CONSOLE_ROUTES.map(({ path }) => path.split('/')[1] ?? '').filter((part) => part !== ''),
);

function isPage(path: string): boolean {
  return path === '/' || PAGES.has(path.split('/')[1] ?? '');
}

/** The document with objects closed, so that a member of an answer that is not declared shows. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.fromEntries(Object.entries(value).map(([key, it]) => [key, closed(it)]));
  const isObjectSchema = members['type'] === 'object' && 'properties' in members;
  return isObjectSchema ? { ...members, unevaluatedProperties: false } : members;
}

/** The document with lenient fields taking anything, as they say that they do. */
function lenient(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(lenient);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.fromEntries(Object.entries(value).map(([key, it]) => [key, lenient(it)]));
  if (members['x-lenient'] !== true) return members;
  const { type: _type, $ref: _ref, ...rest } = members;
  return rest;
}

class Document {
  readonly #root: Json;
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true, coerceTypes: false });
  readonly #compiled = new Map<string, ValidateFunction>();

  constructor(described: Json) {
    const root = json(lenient(described));
    this.#root = root;
    // One copy of the dialect's formats is shared: the default export is a namespace under ESM.
    (ajvFormats as unknown as { default(ajv: Ajv2020): void }).default(this.#ajv);
    this.#ajv.addSchema(root, 'open');
    this.#ajv.addSchema(json(closed(root)), 'closed');
  }

  /** The object at `pointer`, and the pointer it stands at after references. */
  at(pointer: readonly string[]): { readonly value: Json; readonly pointer: readonly string[] } {
    const value = json(pointer.reduce<unknown>((found, key) => json(found)[key], this.#root));
    const target = value['$ref'];
    return typeof target === 'string' ? this.at(target.split('/').slice(1)) : { value, pointer };
  }

  /** What is wrong with `value` by the schema at `pointer`; null when nothing is. */
  problem(which: 'open' | 'closed', pointer: readonly string[], value: unknown): string | null {
    const $ref = `${which}#/${pointer.map(escaped).join('/')}`;
    const validate = this.#compiled.get($ref) ?? this.#ajv.compile({ $ref });
    this.#compiled.set($ref, validate);
    return validate(value) ? null : this.#ajv.errorsText(validate.errors, { dataVar: 'it' });
  }

  /**
   * The template of the described path that `path` is, or null. Where several match (`/reviews/bulk` is
   * `/reviews/{review_id}` too), one that declares `method` goes first, as routing goes on to it.
   */
  template(path: string, method: string): string | null {
    const wanted = path.split('/');
    const found = Object.keys(json(this.#root['paths'])).filter((template) => {
      const parts = template.split('/');
      return (
        parts.length === wanted.length &&
        parts.every((part, i) => (part.startsWith('{') ? wanted[i] !== '' : part === wanted[i]))
      );
    });
    return found.find((template) => this.methods(template).includes(method)) ?? found[0] ?? null;
  }

  methods(template: string): string[] {
    const item = this.at(['paths', template]).value;
    return METHODS.filter((method) => method in item);
  }
}

function headerProblems(document: Document, pointer: readonly string[], answer: HttpAnswer) {
  const declared = Object.keys(json(document.at(pointer).value['headers']));
  const names = new Set(declared.map((name) => name.toLowerCase()));
  const undeclared = TELLING.filter((name) => name in answer.headers && !names.has(name));
  const wrong = declared.flatMap((name) => {
    const { value: header, pointer: where } = document.at([...pointer, 'headers', name]);
    const text = answer.headers[name.toLowerCase()];
    if (text === undefined) return header['required'] === true ? [`no ${name}`] : [];
    const isInteger = json(header['schema'])['type'] === 'integer';
    const value = isInteger ? Number(text) : text;
    const problem = document.problem('open', [...where, 'schema'], value);
    return problem === null ? [] : [`${name}: ${problem}`];
  });
  return [...undeclared.map((name) => `${name} is not declared`), ...wrong];
}

function bodyProblems(
  document: Document,
  pointer: readonly string[],
  answer: HttpAnswer,
  isHead: boolean,
): string[] {
  const { content } = document.at(pointer).value;
  if (isHead || content === undefined) {
    return answer.bytes.length === 0 ? [] : ['a body is not declared'];
  }
  const type = String(answer.headers['content-type']).split(';', 1)[0] ?? '';
  if (!(type in json(content))) return [`${type} is not declared`];
  const value = type === 'application/json' ? answer.json() : answer.text;
  const problem = document.problem('closed', [...pointer, 'content', type, 'schema'], value);
  return problem === null ? [] : [problem];
}

function answerProblems(
  document: Document,
  pointer: readonly string[],
  answer: HttpAnswer,
  isHead: boolean,
): string[] {
  const { value, pointer: where } = document.at(pointer);
  if (Object.keys(value).length === 0) return ['the status is not declared'];
  return [
    ...headerProblems(document, where, answer),
    ...bodyProblems(document, where, answer, isHead),
  ];
}

/** Who was served without a credential was served what the document calls public. */
function credentialProblems(document: Document, operation: readonly string[], call: HttpCall) {
  const { security } = document.at(operation).value;
  const isPublic = Array.isArray(security) && security.length === 0;
  const hasCredential = call.token !== undefined || 'authorization' in (call.headers ?? {});
  return isPublic || hasCredential ? [] : ['served without a credential'];
}

/** A body that was taken is one that the document allows. */
function requestProblems(document: Document, operation: readonly string[], call: HttpCall) {
  const content = document.at([...operation, 'requestBody', 'content']);
  const type = String(call.headers?.['content-type'] ?? 'application/json').split(';', 1)[0] ?? '';
  if (Object.keys(content.value).length === 0) return [];
  if (!(type in content.value)) return [`the request was taken, and the document has no ${type}`];
  // The parts of a form are no JSON; that a form is taken is all that can be compared.
  if (type !== 'application/json') return [];
  const where = document.at([...operation, 'requestBody', 'content', type]);
  const raw = call.raw === undefined ? undefined : call.raw.toString();
  const sent: unknown = raw === undefined || raw === '' ? call.json : JSON.parse(raw);
  const plain: unknown = sent === undefined ? {} : JSON.parse(JSON.stringify(sent));
  const problem = document.problem('open', [...where.pointer, 'schema'], plain);
  return problem === null ? [] : [`the request was taken, and the document refuses it: ${problem}`];
}

/** Query parameters that were taken are ones that the document allows, and the required ones were sent. */
function parameterProblems(document: Document, operation: readonly string[], call: HttpCall) {
  const { parameters } = document.at(operation).value;
  const query = new URL(call.path, 'http://localhost').searchParams;
  if (!Array.isArray(parameters)) return [];
  return parameters.flatMap((_parameter, i): string[] => {
    const { value, pointer } = document.at([...operation, 'parameters', String(i)]);
    if (value['in'] !== 'query') return [];
    const name = String(value['name']);
    const text = query.get(name);
    if (text === null) return value['required'] === true ? [`${name} was not sent`] : [];
    const { type } = json(value['schema']);
    const one = type === 'integer' || type === 'boolean' ? JSON.parse(text) : text;
    // A list has an entry for each time that its parameter is given.
    const read = type === 'array' ? query.getAll(name) : one;
    const problem = document.problem('open', [...pointer, 'schema'], read);
    return problem === null ? [] : [`query ${name}: ${problem}`];
  });
}

function problemsOf(document: Document, call: HttpCall, answer: HttpAnswer): string[] {
  const path = call.path.split('?', 1)[0] ?? '';
  const sent = (
    call.method ?? (call.json === undefined && call.raw === undefined ? 'GET' : 'POST')
  ).toLowerCase();
  const isHead = sent === 'head';
  const method = isHead ? 'get' : sent;
  const template = document.template(path, method);
  const refusal = (name: string) => ['components', 'responses', name];
  if (template === null) {
    // Pages for people are no part of the interface for programs.
    if (isPage(path)) return [];
    // What the page loads belongs to the page.
    if (path.startsWith('/api/docs/assets/') && answer.status < 400) return [];
    const notFound = answer.status === 404 ? [] : ['the path is not declared'];
    return [...notFound, ...answerProblems(document, refusal('NotFound'), answer, isHead)];
  }
  if (!document.methods(template).includes(method)) {
    const refused = answer.status === 405 ? [] : ['the method is not declared'];
    const allowed = String(answer.headers.allow).toLowerCase().split(', ');
    const unsaid = document.methods(template).filter((declared) => !allowed.includes(declared));
    const allow = unsaid.map((declared) => `Allow does not name ${declared}`);
    return [
      ...refused,
      ...allow,
      ...answerProblems(document, refusal('MethodNotAllowed'), answer, isHead),
    ];
  }
  const operation = ['paths', template, method];
  const response = [...operation, 'responses', String(answer.status)];
  return [
    ...answerProblems(document, response, answer, isHead),
    ...(answer.status < 300
      ? [
          ...credentialProblems(document, operation, call),
          ...requestProblems(document, operation, call),
          ...parameterProblems(document, operation, call),
        ]
      : []),
  ];
}

/** Throws when `answer` to `call` is not as `description`, an OpenAPI document, says. */
export type Check = (call: HttpCall, answer: HttpAnswer) => void;

export function checkAgainst(description: unknown): Check {
  const document = new Document(json(description));
  return (call, answer) => {
    const problems = problemsOf(document, call, answer);
    if (problems.length === 0) return;
    const what = `${call.method ?? ''} ${call.path.split('?', 1)[0]} ${answer.status}`.trim();
    throw new Error(`${what} is not as described: ${problems.join('; ')}\n${answer.text}`);
  };
}
