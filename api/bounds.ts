/** The bounds of the requests of a process, on all doors together. */
import { BodyIntake } from './body-intake.ts';
import { BodyRoom } from './body-room.ts';
import type { ApiMiddleware } from './context.ts';
import { LoopTurns } from './loop-turns.ts';
import {
  jsonBody,
  type BodyRules,
  type BodyShape,
  type FileRules,
} from './middleware/json-body.ts';
import { isLargeBody, largeBodies, Places } from './middleware/large-bodies.ts';
import { requestBuckets, type TakeRequest } from './middleware/rate-limit.ts';
import { BODY_PACES, type BodyPaces } from './read-body.ts';
import { RequestPace } from './request-pace.ts';

/** Bytes of a body, unless its route says otherwise. A body of more bytes is a large one. */
export const MOST_JSON_BYTES = 4 * 1_048_576;

/** What all routes of a process share for reading bodies. */
interface Bodies {
  readonly places: Places;
  readonly room: BodyRoom;
  readonly intake: BodyIntake;
  readonly turns: LoopTurns;
  readonly paces: BodyPaces;
}

export interface Bounds {
  /** Null for no limit. */
  readonly limit: TakeRequest | null;
  readonly requests: RequestPace;
  readonly bodies: Bodies;
}

export interface BoundSettings {
  readonly clock: () => Date;
  /** Requests per second and credential; null for no limit. */
  readonly ratePerSecond: number | null;
  readonly bodyPaces?: BodyPaces | undefined;
  /** How fast accounts may ask beside lighter ones; derived from the cores of the machine unless given. */
  readonly requestPace?: RequestPace | undefined;
}

/** Made once for a process: its doors count together. */
export function createBounds(settings: BoundSettings): Bounds {
  const { bodyPaces, clock, ratePerSecond, requestPace } = settings;
  return {
    limit: ratePerSecond === null ? null : requestBuckets(ratePerSecond, clock),
    requests: requestPace ?? new RequestPace(),
    bodies: {
      places: new Places(),
      room: new BodyRoom(),
      intake: new BodyIntake(),
      turns: new LoopTurns(),
      paces: bodyPaces ?? BODY_PACES,
    },
  };
}

/** What a route takes as its body. */
export interface BodyOfRoute {
  readonly shape: BodyShape;
  readonly limitBytes?: number | undefined;
  readonly file?: Pick<FileRules, 'field' | 'mostBytes'> | undefined;
}

/** The middlewares that bound and read the body of a route. */
export function bodyGuards(
  { shape, limitBytes = MOST_JSON_BYTES, file }: BodyOfRoute,
  { places, room, intake, turns, paces }: Bodies,
): ApiMiddleware[] {
  const takesLarge = limitBytes > MOST_JSON_BYTES;
  const rules: BodyRules = {
    limitBytes,
    file: file === undefined ? null : { ...file, mostJsonBytes: MOST_JSON_BYTES },
    paces,
    isLarge: (headers) => takesLarge && isLargeBody(headers, MOST_JSON_BYTES),
    room,
    intake,
    turns,
  };
  return [...(takesLarge ? [largeBodies(places, MOST_JSON_BYTES)] : []), jsonBody(rules, shape)];
}
