/** What source searches report to metrics and traces: words of closed lists, never a query or a hit. */
import type {
  SourceFailureClass,
  SourceMode,
  SourceStatus,
} from '../../domain/retrieval/source-status.ts';

/** Must not throw and must not block. */
export interface SourceSearchObserver {
  /** A search that was answered, whatever its status. A search that threw is not reported. */
  answered(search: {
    readonly mode: SourceMode;
    readonly status: SourceStatus;
    readonly failureClass: SourceFailureClass | null;
    readonly durationMs: number;
  }): void;
}
