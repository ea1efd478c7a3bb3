/** Which texts a hold reaches: those by or about who asked, in its scope and below, and for some values all others there. */
import { isWithin, type ScopePath } from '../scopes/path.ts';

export const FORGET_SETTINGS = ['own', 'all', 'off'] as const;
/** Which requests act before a person has decided. */
export type ForgetSetting = (typeof FORGET_SETTINGS)[number];

export const HOLD_KINDS = ['own', 'others'] as const;
/** Whether its values are the requester's own. */
export type HoldKind = (typeof HOLD_KINDS)[number];

export const HOLD_STATES = ['open', 'upheld', 'lifted'] as const;
export type HoldState = (typeof HOLD_STATES)[number];

/** A hold by which texts are served now. */
export interface ActingHold {
  readonly id: string;
  readonly scopePath: ScopePath;
  /** Who asked: the id of the peer, and its key (`peerOfKey`); nobody once erased. */
  readonly requesterIds: readonly string[];
  /** Whether more than the requester alone asks for it: a person upheld it, or the setting of the account lets it act. */
  readonly isGeneral: boolean;
}

/** What a hold knows of a value beside its hash. */
export interface ValueTraits {
  /** Names a person or opens a door: an e-mail address, a telephone number, a code. */
  readonly opensDoor: boolean;
  /** More than a plain word: of several words, or with a digit. */
  readonly isSpecific: boolean;
}

/** A peer that is known by its key only. */
export const peerOfKey = (key: string): string => `key:${key}`;

/** Where a text stands. */
export interface JudgedPlace {
  readonly scopePath: ScopePath;
  /** All who said it: ids, or `peerOfKey`. */
  readonly speakerIds: readonly string[];
  /** The people whom it is about, as far as that is known. */
  readonly aboutIds: readonly string[];
}

/** Whether the hold is in force where the text stands. */
export function isInForce({ scopePath }: ActingHold, place: JudgedPlace): boolean {
  return isWithin(place.scopePath, scopePath);
}

/** Whether the text is the requester's: said by the requester alone, or about the requester. */
export function isRequesters(hold: ActingHold, place: JudgedPlace): boolean {
  const isRequester = (id: string): boolean => hold.requesterIds.includes(id);
  const isOnlySpeaker = place.speakerIds.length > 0 && place.speakerIds.every(isRequester);
  return isOnlySpeaker || place.aboutIds.some(isRequester);
}

/**
 * Whether the hold keeps a value out of the text: out of all texts where it is in force if the value opens a door, or is specific and
 * the hold general; any other value only out of the requester's texts, so that nobody can silence others by a plain word.
 */
export function reaches(hold: ActingHold, value: ValueTraits, place: JudgedPlace): boolean {
  if (!isInForce(hold, place)) return false;
  if (value.opensDoor || (hold.isGeneral && value.isSpecific)) return true;
  return isRequesters(hold, place);
}

/** Whether a new hold acts before a person has decided. */
export function actsAtOnce(kind: HoldKind, setting: ForgetSetting): boolean {
  return setting === 'all' || (setting === 'own' && kind === 'own');
}

/** Hours that a person has to decide about a request; then administrators are asked too. What is hidden stays so. */
export const FORGET_DUE_HOURS = 24;
/** Requests of one person that open holds in a day. */
export const MOST_REQUESTS_OF_A_PERSON = 20;
/** Requests that one credential sent, of anybody, that open holds in a day. */
export const MOST_REQUESTS_OF_A_CREDENTIAL = 100;
/** Values of one request. */
export const MOST_VALUES_OF_A_REQUEST = 20;
