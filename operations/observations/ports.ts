/** What the observation operations reach the world through. */
import type { Reader } from '../../domain/governance/visibility.ts';
import type { KnowledgeRead, KnowledgeRow } from '../../stores/postgres/knowledge-rows.store.ts';
import type {
  NewObservation,
  ObservationStatusRow,
  RecordedObservation,
} from '../../stores/postgres/messages.store.ts';

export interface ObservationServices {
  /** Commits the observation with its extraction job. Nothing else is awaited. */
  record(observation: NewObservation): Promise<RecordedObservation>;
  /** Tells the actors of the mailbox that there is work. Never awaited, never throws. */
  ring(mailbox: {
    readonly accountId: string;
    readonly kind: 'ingest' | 'projection';
    readonly shard: number;
  }): void;
  readStatus(
    accountId: string,
    messageId: string,
    reader: Reader,
  ): Promise<ObservationStatusRow | null>;
  readKnowledge(accountId: string, read: KnowledgeRead): Promise<readonly KnowledgeRow[]>;
  /** Returns once extraction of the message is at its end, `waitMs` are over, or the signal fires. */
  waitUntilSettled(
    accountId: string,
    messageId: string,
    waitMs: number,
    signal: AbortSignal,
  ): Promise<void>;
}
