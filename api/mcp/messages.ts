/**
 * What a client may post: one message of JSON-RPC, or a batch. Requests are answered; notifications and answers are
 * taken and change nothing, since nothing is remembered between two requests over HTTP.
 */
import {
  JSONRPCMessageSchema,
  isJSONRPCRequest,
  SUPPORTED_PROTOCOL_VERSIONS,
  type JSONRPCRequest,
} from '@modelcontextprotocol/sdk/types.js';
import { invalidField, Refusal } from '../../domain/errors.ts';
import { isJsonObject } from '../json-text.ts';

/** Messages of a batch. Its calls are carried out one after the other. */
export const MOST_BATCH_MESSAGES = 16;

/** Characters of an id: it comes back in the answer. */
const MOST_ID_CHARACTERS = 256;

export interface Posted {
  readonly requests: readonly JSONRPCRequest[];
  readonly isBatch: boolean;
}

function read(message: unknown): JSONRPCRequest | null {
  if (!isJsonObject(message) || !JSONRPCMessageSchema.safeParse(message).success) {
    throw invalidField('', 'must be a JSON-RPC 2.0 message of this protocol');
  }
  if (!isJSONRPCRequest(message)) return null;
  if (String(message.id).length > MOST_ID_CHARACTERS) {
    throw invalidField('id', `must have at most ${MOST_ID_CHARACTERS} characters`);
  }
  return message;
}

/** Throws `invalid_request` for what is no message, and for too many of them. */
export function readPosted(body: unknown): Posted {
  const messages: readonly unknown[] = Array.isArray(body) ? body : [body];
  if (messages.length === 0 || messages.length > MOST_BATCH_MESSAGES) {
    throw invalidField('', `must be a message, or 1 to ${MOST_BATCH_MESSAGES} in a list`);
  }
  const requests = messages.map(read).filter((request) => request !== null);
  return { requests, isBatch: Array.isArray(body) };
}

/** The revision that a client says it speaks must be one that is spoken here; a client may say none. */
export function assertVersion(named: readonly string[] | undefined): void {
  if (named?.every((version) => SUPPORTED_PROTOCOL_VERSIONS.includes(version)) === false) {
    throw new Refusal('unsupported_protocol');
  }
}
