/** Predictions in the form of the benchmark's own scorer, one line for a checkpoint. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Evidence } from './evidence.ts';

export interface Prediction {
  readonly checkpointId: string;
  readonly evidence: Evidence;
}

/** A line of `predictions.jsonl`. An abstention says that nothing is remembered, because the service never says that something is withheld. */
export function predictionLine({ checkpointId, evidence }: Prediction): string {
  const { abstained, citations, text } = evidence.answer;
  return JSON.stringify({
    checkpoint_id: checkpointId,
    output: {
      action: abstained ? 'no_memory' : 'answer',
      answer: text,
      answer_structured: {},
      used_record_ids: citations,
      retrieved_memory: evidence.items.map((item) => ({ text: item.text })),
    },
  });
}

/** Writes the predictions of a domain; answers the file. */
export function writePredictions(
  folder: string,
  domain: string,
  predictions: readonly Prediction[],
): string {
  const file = join(folder, domain, 'predictions.jsonl');
  mkdirSync(join(folder, domain), { recursive: true });
  writeFileSync(file, predictions.map((one) => `${predictionLine(one)}\n`).join(''));
  return file;
}
