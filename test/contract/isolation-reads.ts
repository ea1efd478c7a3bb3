/** The cases of isolation about searches, and about what is read of people and of where something came from. */
import type { HttpAnswer } from '../support/http.ts';
import { exactly, withoutTimes } from './answers.ts';
import type { IsolatedNames, IsolationCase } from './isolation-desk.ts';

type ReadNames<Whose extends string> = Pick<
  IsolatedNames<Whose>,
  'scope' | 'peer' | 'statementId' | 'post'
> & {
  readonly messageId: (whose: Whose) => string;
  readonly documentId: (whose: Whose) => string;
  readonly versionId: (whose: Whose) => string;
  /** What is compared of an answer that echoes the path. */
  readonly withoutPath: (answer: HttpAnswer) => unknown;
};

const SEARCH = '/api/v1/search';
const ASK = '/api/v1/ask';
const SOURCES = '/api/v1/source-search';
const PROFILE = '/api/v1/stable-profile';
const LINEAGE = '/api/v1/lineage';
const NOTHING = '01890000-0000-7000-8000-00000000dead';

export function casesOfReads<Whose extends string>(
  names: ReadNames<Whose>,
): Readonly<Record<string, readonly IsolationCase<Whose>[]>> {
  const { documentId, messageId, peer, post, scope, statementId, versionId, withoutPath } = names;
  const asked = (
    what: string,
    path: string,
    json: (whose: Whose) => Record<string, unknown>,
    compare: (answer: HttpAnswer) => unknown = exactly,
  ): IsolationCase<Whose> => ({
    what,
    send: (token, whose) => post(token, path, json(whose)),
    compare,
  });
  const searched = (
    what: string,
    json: (whose: Whose) => Record<string, unknown>,
    compare: (answer: HttpAnswer) => unknown,
  ): IsolationCase<Whose> => {
    const words = { query: 'secret garden', profile: 'thorough' };
    return asked(what, SEARCH, (whose) => ({ ...words, ...json(whose) }), compare);
  };
  return {
    [`POST ${SEARCH}`]: [
      searched('a scope', (whose) => ({ scope_path: scope[whose] }), withoutPath),
      searched(
        'a scope below one',
        (whose) => ({ scope_path: `${scope[whose]}/deep` }),
        withoutPath,
      ),
      searched('a peer', (whose) => ({ peer_key: peer[whose] }), exactly),
      searched(
        'a source message',
        (whose) => ({ source_filters: { source_message_id: messageId(whose) } }),
        withoutTimes,
      ),
      searched(
        'a source document',
        (whose) => ({ source_filters: { source_document_id: documentId(whose) } }),
        withoutTimes,
      ),
      searched(
        'a profile of a peer',
        (whose) => ({ peer_key: peer[whose], include_identity_profile: true }),
        exactly,
      ),
    ],
    [`POST ${ASK}`]: [null, 'high'].flatMap((effort) => {
      const words = { question: 'What of the secret garden?', effort, include_source_recall: true };
      const how = effort ?? 'no effort';
      return [
        asked(
          `a scope, ${how}`,
          ASK,
          (whose) => ({ ...words, scope_path: scope[whose] }),
          withoutPath,
        ),
        asked(
          `a peer, ${how}`,
          ASK,
          (whose) => ({ ...words, peer_key: peer[whose] }),
          withoutTimes,
        ),
        asked(
          `a source message, ${how}`,
          ASK,
          (whose) => ({ ...words, source_filters: { source_message_id: messageId(whose) } }),
          withoutTimes,
        ),
      ];
    }),
    [`POST ${SOURCES}`]: (['semantic', 'exact'] as const).flatMap((mode) => {
      const words = { query: 'secret garden', mode };
      return [
        asked(
          `a scope, ${mode}`,
          SOURCES,
          (whose) => ({ ...words, scope_path: scope[whose] }),
          withoutPath,
        ),
        asked(
          `a scope below one, ${mode}`,
          SOURCES,
          (whose) => ({ ...words, scope_path: `${scope[whose]}/deep` }),
          withoutPath,
        ),
        asked(`a peer, ${mode}`, SOURCES, (whose) => ({ ...words, peer_key: peer[whose] })),
      ];
    }),
    [`POST ${PROFILE}`]: [
      asked('a scope', PROFILE, (whose) => ({ scope_path: scope[whose] })),
      asked('a peer', PROFILE, (whose) => ({ peer_key: peer[whose] })),
    ],
    [`POST ${LINEAGE}`]: [
      asked('a statement', LINEAGE, (whose) => ({ target_id: statementId(whose) })),
      asked('a message', LINEAGE, (whose) => ({
        target_id: messageId(whose),
        target_type: 'message',
      })),
      asked('a version of a document', LINEAGE, (whose) => ({
        target_id: versionId(whose),
        target_type: 'document_version',
      })),
      asked('a scope', LINEAGE, (whose) => ({ target_id: NOTHING, scope_path: scope[whose] })),
      asked('a peer', LINEAGE, (whose) => ({ target_id: NOTHING, peer_key: peer[whose] })),
    ],
  };
}
