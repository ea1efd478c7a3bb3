/** The input and the queries of the workflow of a document. */
import { defineQuery } from '@temporalio/workflow';
import type { RunRef } from '../../domain/pipeline/run-kinds.ts';

export interface DocumentTotals {
  readonly chunks: number;
  /** Statements that only earlier versions attested. */
  readonly superseded: number;
}

export interface DocumentStart extends RunRef {
  /** Left by the workflow run before, when there was one: it has parsed the document already. */
  readonly carried?: { readonly totals: DocumentTotals } | null;
}

/** The progress so far. */
export const documentTotals = defineQuery<DocumentTotals>('totals');
