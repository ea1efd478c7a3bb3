/**
 * Functions that take text and are not measured by `npm run bench:linearity`, each with the reason. The test looks for the words of `guard` in the named file, so
 * that a removed guard does not go unnoticed.
 */
export const BOUNDED: Readonly<Record<string, { readonly why: string; readonly guard: Guard }>> = {
  ...apart('engine/documents/html.ts#readHtml'),
  ...apart('engine/documents/html.ts#readMarkdown'),
  ...apart('engine/documents/parse.ts#parseDocument'),
  ...waits('engine/extraction/model/extract.ts#extractWithModel'),
  ...waits('engine/models/ai-sdk.ts#embed'),
  ...waits('engine/indexes/dense.ts#denseStatements'),
  ...waits('engine/retrieval/query-operators.ts#resolveQueryOperators'),
  ...waits('engine/indexes/embed-texts.ts#embedTexts'),
  ...waits('engine/retrieval/known-words.ts#readKnownWords'),
  ...waits('engine/retrieval/first-transaction.ts#readInFirstTransaction'),
  ...waits('engine/retrieval/prepare.ts#prepare'),
  ...waits('engine/retrieval/prepare.ts#readBefore'),
  ...looks('engine/retrieval/entities.ts#asksForNames', "text !== ''"),
  ...looks('engine/retrieval/prepare.ts#needsReading', "plan.text !== ''"),
  ...looks('engine/retrieval/rank.ts#besideColumns', 'asksByPhraseAlone(plan)'),
  ...waits('engine/source-search/prepare.ts#prepare'),
  ...waits('operations/explain/statement.ts#explainStatement'),
  ...waits('operations/identity/account.ts#resolveAccount'),
  ...waits('operations/identity/pages.ts#narrowedTo'),
  ...waits('operations/retrieval/recall/messages.ts#foundMessages'),
  ...waits('operations/retrieval/recall/statements.ts#foundStatements'),
  ...waits('operations/skills/reporting.ts#reportAbout'),
  'api/middleware/request-pace.ts#paceOfList': {
    why: 'takes the name of a list that a route declares, and nothing of a caller',
    guard: { file: 'api/rest/routes/observations.ts', words: "countedList: 'observations'" },
  },
  'domain/circles/members.ts#planMembers': {
    why: 'takes ids of peers, each of one length, of a circle and of a request, and looks each up once',
    guard: { file: 'domain/circles/members.ts', words: 'const before = new Set(current);' },
  },
  'domain/portability/travelling-table.ts#keyedByIds': {
    why: 'takes names of columns that the code declares',
    guard: { file: 'domain/portability/tables-statements.ts', words: "keyedByIds(['" },
  },
  'engine/portability/line-pages.ts#linePages': {
    why: 'takes the name of a member; of its bytes no line is longer than a bound',
    guard: { file: 'engine/portability/line-pages.ts', words: '> MOST_LINE_BYTES' },
  },
  'engine/portability/manifest.ts#readManifest': {
    why: 'takes bytes, whose number the reading of the archive has bounded, and the name of a migration',
    guard: { file: 'engine/portability/scan.ts', words: 'size > MOST_MANIFEST_BYTES' },
  },
  'api/console/upload.ts#fileForm': {
    why: 'takes names of fields that a route declares, and nothing of a caller',
    guard: { file: 'console/pages/sources/routes.ts', words: 'fileFields: UPLOAD_FIELDS' },
  },
};

interface Guard {
  readonly file: string;
  readonly words: string;
}

function apart(id: string) {
  const why =
    'parsers that others wrote run in a process of their own, which is ended after its time';
  return { [id]: { why, guard: { file: 'engine/documents/parse-apart.ts', words: 'timeoutMs' } } };
}

function looks(id: string, words: string) {
  const why = 'looks whether there is text, or what was read of it before, and reads none of it';
  return { [id]: { why, guard: { file: id.split('#')[0] ?? '', words } } };
}

function waits(id: string) {
  const why = 'asks other services, or calls functions that are measured themselves';
  return { [id]: { why, guard: { file: id.split('#')[0] ?? '', words: 'await' } } };
}
