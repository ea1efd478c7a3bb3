/**
 * Opens the holds that a request asks for: one for the values that are the requester's own, which acts at once, and one for all
 * others, about which a person decides first. What the requester said, and what is said about the requester, is served without the
 * values in the same transaction; all other texts follow in a pass.
 */
import { findHeld, hintOfKey, valuesInClear } from '../../domain/forgetting/find.ts';
import {
  actsAtOnce,
  HOLD_KINDS,
  MOST_REQUESTS_OF_A_CREDENTIAL,
  MOST_REQUESTS_OF_A_PERSON,
  MOST_VALUES_OF_A_REQUEST,
  type ForgetSetting,
  type HoldKind,
} from '../../domain/forgetting/holds.ts';
import { foldedTokens, keysOf, MOST_TOKENS_OF_VALUE } from '../../domain/forgetting/tokens.ts';
import type { ScopePath } from '../../domain/scopes/path.ts';
import type { Withdrawal } from '../../domain/extraction/withdrawal.ts';
import type { HoldsStore, OwnTexts } from '../../stores/postgres/forgetting/holds.store.ts';
import { valuesDescribed } from '../english-extractor/described-values.ts';
import type { HoldKeys } from './hold-keys.ts';
import { hashOfValue, hintsBy } from './judges.ts';

/** A message whose speaker asks that something be forgotten. */
export interface ForgetRequest {
  readonly messageId: string;
  readonly requesterId: string;
  readonly scopeId: string;
  readonly scopePath: ScopePath;
  readonly content: string;
  readonly withdrawals: readonly Withdrawal[];
}

export interface OpeningDeps {
  readonly keysOf: (accountId: string) => HoldKeys;
  readonly newId: () => string;
}

/** A value of the request by one of its keys, and what is known of where it stood before. */
interface AskedValue {
  readonly key: string;
  readonly opensDoor: boolean;
  readonly kind: HoldKind;
  /** When the requester is known to have said it first, or somebody about the requester; null: neither. */
  readonly firstSaidAt: string | null;
  readonly isStated: boolean;
}

function keysAsked({ content, withdrawals }: ForgetRequest): ReadonlyMap<string, boolean> {
  const asked = new Map<string, boolean>();
  for (const { end, opensDoor, start } of withdrawals.slice(0, MOST_VALUES_OF_A_REQUEST)) {
    const value = content.slice(start, end);
    const tokens = foldedTokens(value);
    if (tokens.length === 0 || tokens.length > MOST_TOKENS_OF_VALUE) continue;
    for (const key of keysOf(value, tokens)) {
      asked.set(key, opensDoor || asked.get(key) === true);
    }
  }
  return asked;
}

/** The keys of what the request means without naming it, as the requester said it before. */
function keysDescribed({ content }: ForgetRequest, texts: OwnTexts): readonly string[] {
  const said = [...texts.messages, ...texts.statements].map(({ text }) => text);
  return valuesDescribed(content, said).flatMap((value) => keysOf(value, foldedTokens(value)));
}

interface Found {
  /** The texts that hold some of the values. */
  readonly ids: readonly string[];
  /** When each value was said first. */
  readonly firstSaidAt: ReadonlyMap<string, string>;
}

function lookedThrough(texts: OwnTexts['messages'], keys: readonly string[]): Found {
  const values = valuesInClear(keys);
  const ids: string[] = [];
  const firstSaidAt = new Map<string, string>();
  for (const { id, said_at: at, text } of texts) {
    const found = findHeld(text, values).flatMap(({ holdIds }) => holdIds);
    if (found.length > 0) ids.push(id);
    for (const key of found) {
      const before = firstSaidAt.get(key);
      if (before === undefined || at < before) firstSaidAt.set(key, at);
    }
  }
  return { ids, firstSaidAt };
}

/** Which values are the requester's own: what is said of the requester, and codes and the like that the requester said before. */
function valuesOf(
  asked: ReadonlyMap<string, boolean>,
  ofStatements: Found,
  ofMessages: Found,
): readonly AskedValue[] {
  return [...asked].map(([key, opensDoor]) => {
    const stated = ofStatements.firstSaidAt.get(key) ?? null;
    const said = ofMessages.firstSaidAt.get(key) ?? null;
    const isOwn = stated !== null || (opensDoor && said !== null);
    const times = [stated, said].filter((at) => at !== null).toSorted();
    return {
      key,
      opensDoor,
      kind: isOwn ? 'own' : 'others',
      firstSaidAt: times[0] ?? null,
      isStated: stated !== null,
    };
  });
}

/** More than a plain word. */
const isSpecific = (key: string): boolean => key.includes(' ') || /\d/u.test(key);

const PIPELINE = { kind: 'pipeline' } as const;

/** The key of the hints of the account's values, made with its first hold. */
function hintKeyOf(keys: HoldKeys, sealed: Uint8Array | null) {
  if (sealed !== null) return { key: keys.opened('hints', sealed), sealed: null };
  return keys.fresh('hints');
}

async function isWithinLimits(
  holds: HoldsStore,
  { requesterId }: ForgetRequest,
  credentialId: string,
): Promise<boolean> {
  const { ofCredential, ofRequester } = await holds.openedInADay(requesterId, credentialId);
  return ofRequester < MOST_REQUESTS_OF_A_PERSON && ofCredential < MOST_REQUESTS_OF_A_CREDENTIAL;
}

interface Opening {
  readonly request: ForgetRequest;
  readonly credentialId: string;
  readonly keys: HoldKeys;
  readonly hintOf: (word: string) => number;
  readonly newId: () => string;
  readonly acts: ForgetSetting;
}

/** Opens the hold for the values of one kind; answers whether it acts. */
async function openHold(
  holds: HoldsStore,
  { acts, credentialId, hintOf, keys, newId, request }: Opening,
  kind: HoldKind,
  values: readonly AskedValue[],
): Promise<boolean> {
  const id = newId();
  const { key, sealed } = keys.fresh(id);
  const isActing = values.length > 0 && actsAtOnce(kind, acts);
  await holds.open({
    id,
    scopeId: request.scopeId,
    requesterId: request.requesterId,
    messageId: request.messageId,
    credentialId,
    kind,
    isActing,
    sealedKey: sealed,
    values: values.map(({ key: value, ...known }) => ({
      hash: hashOfValue(key, value),
      hint: hintOfKey(value, hintOf),
      isSpecific: isSpecific(value),
      ...known,
    })),
  });
  await holds.record('opened', PIPELINE, { id, kind, values: values.length });
  return isActing;
}

/** Opens the holds of one request. The book is locked. Nothing for one that has its holds, or beyond the limits of a day. */
export async function openHoldsOf(
  holds: HoldsStore,
  accountId: string,
  request: ForgetRequest,
  { keysOf: keysOfAccount, newId }: OpeningDeps,
): Promise<void> {
  const sent = await holds.requestOf(request.messageId);
  if (sent === null || (await holds.isOpened(request.messageId))) return;
  const named = keysAsked(request);
  const { credential_id: credentialId } = sent;
  if (!(await isWithinLimits(holds, request, credentialId))) {
    await holds.record('refused', PIPELINE, { id: null, kind: null, values: named.size });
    return;
  }
  const own = await holds.ownTexts(request.requesterId, request.scopePath);
  const before = own.messages.filter(({ id }) => id !== request.messageId);
  const described = keysDescribed(request, { ...own, messages: before });
  const asked = new Map([...described.map((key) => [key, true] as const), ...named]);
  const ofMessages = lookedThrough(before, [...asked.keys()]);
  const ofStatements = lookedThrough(own.statements, [...asked.keys()]);
  const values = valuesOf(asked, ofStatements, ofMessages);

  const keys = keysOfAccount(accountId);
  const { acts, sealedHintKey } = await holds.book();
  const hint = hintKeyOf(keys, sealedHintKey);
  const opening = { request, credentialId, keys, hintOf: hintsBy(hint.key), newId, acts };
  let isActing = false;
  for (const kind of HOLD_KINDS) {
    const ofKind = values.filter((value) => value.kind === kind);
    // A request that names nothing is a question for a person all the same.
    if (ofKind.length === 0 && (kind === 'own' || values.length > 0)) continue;
    const acting = await openHold(holds, opening, kind, ofKind);
    isActing ||= acting;
  }
  // Before anything is looked up by it: the key of the hints is part of the book.
  await holds.change(hint.sealed);
  if (!isActing) return;
  await holds.enterPass(sent.trace_id);
  await holds.serve([...ofMessages.ids, request.messageId], ofStatements.ids);
}
