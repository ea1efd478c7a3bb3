/** Whoever wants to know of requests: metrics. An observer must not throw and must not block. */

/** One request whose answer is out, or whose client left before. */
export interface RequestEvent {
  /** As the client sent it: any method that Node's parser knows. */
  readonly method: string;
  /** The template of the route that answered, for example `/api/v1/ingest/:message_id`; null when none did. */
  readonly route: string | null;
  /** Null when the connection closed before the answer was out. */
  readonly status: number | null;
  readonly durationMs: number;
}

export interface RequestObserver {
  request(event: RequestEvent): void;
}
