/** A readiness report about one peer: from the cards of the chain to what the reader may read of what they ask. */
import { visibleToReadiness } from '../../domain/governance/visibility.ts';
import { GAP_REPORT_IDENTITY } from '../../domain/identities.ts';
import { readableChain, type Caller } from '../../domain/identity/caller.ts';
import { requirementsToCheck, type PlacedCard } from '../../domain/skills/inherit.ts';
import { subjectOf } from '../../engine/retrieval/stable-profile.ts';
import { compareTopics, findStatements } from '../../engine/skills/matching.ts';
import type { CardRow } from '../../stores/postgres/skills/cards.store.ts';
import type { RequestContext } from '../operation.ts';
import type { AuthorisedRead } from '../access/reader.ts';
import { reportOf, type ReportedCard } from './report-output.ts';

/** A card of the chain as a report reads it. */
export type ChainCard = PlacedCard & ReportedCard;

/** The card that would be published: it counts in place of the one in force at its scope. */
export type DraftCard = ChainCard;

const placed = (card: CardRow): ChainCard => ({
  ...card,
  scopeId: card.scope_id,
  scopePath: card.scope_path,
});

/** The cards of a chain, outermost first, as they would be with the draft. */
function withDraft(inForce: readonly ChainCard[], draft: DraftCard | null): readonly ChainCard[] {
  if (draft === null) return inForce;
  const others = inForce.filter(({ scopeId }) => scopeId !== draft.scopeId);
  // Along a chain a longer path is further down.
  return [...others, draft].toSorted((a, b) => a.scopePath.length - b.scopePath.length);
}

/**
 * Compares what the cards of the skill require with what the reader of `read` may read about itself and the scopes. The
 * reader must be a peer.
 */
export async function reportAbout(
  context: RequestContext<Caller>,
  read: AuthorisedRead,
  skill: string,
  draft: DraftCard | null = null,
) {
  const { caller, inAccount, now, text } = context;
  const { openings, reader, scopeIds } = read;
  const peerId = subjectOf(reader);
  if (peerId === null) throw new TypeError('a report is about a peer');
  const at = now.toISOString();
  const visible = visibleToReadiness({ scopeIds, reader, at });
  const paths = readableChain(caller, read.scopePath);
  const { cards, checked, found, unchecked } = await inAccount(
    caller.accountId,
    async (stores) => {
      const inForce = await stores.skillCards.inForce(skill, paths);
      const chain = withDraft(inForce.map(placed), draft);
      const requirements = requirementsToCheck(chain);
      const sought = { peerId, scopeIds, openings, reader, visible, at };
      const statements = await findStatements(stores, sought, requirements.checked);
      return { ...requirements, cards: chain, found: statements };
    },
    { readOnly: true },
  );
  const behalf = { accountId: caller.accountId, signal: context.signal };
  const matches = await compareTopics(text, found, checked, behalf);
  return {
    report_version: GAP_REPORT_IDENTITY,
    skill,
    peer_id: peerId,
    scope_id: read.scopeId,
    scope_path: read.scopePath,
    ...reportOf({ cards, checked, unchecked, matches, at }),
  };
}
