/** How the configured extractor is batched, as far as its context has room, and the identity of the extraction. */
import {
  describeBatching,
  NO_BATCHING,
  type BatchingParameters,
} from '../../domain/extraction/batching.ts';
import { PIPELINE_IDENTITY } from '../../domain/identities.ts';
import { NO_PROMPT } from '../../domain/models/identity.ts';
import { FIXED_TOKENS } from '../../engine/extraction/model/fit-context.ts';
import { PROMPT_VERSION } from '../../engine/extraction/model/prompt.ts';
import { isRemote } from '../../domain/models/role-config.ts';
import type { ExtractionBuild } from '../../operations/environment/extraction-build.ts';
import type { Config } from '../config/index.ts';

/** Tokens of the messages in one call, by the service's own estimate. */
const MOST_MESSAGE_TOKENS = 12_000;
/** The rest of the context is for the names of the people and the positions of the messages. */
const SHARE_FOR_MESSAGES = 0.9;

/** The built-in extractor is asked about one anchor at a time. */
export function batchingOf({
  settings,
  models,
}: Pick<Config, 'settings' | 'models'>): BatchingParameters {
  const role = models.ingest_extractor;
  if (!isRemote(role)) return NO_BATCHING;
  const input = role.contextTokens - role.maxOutputTokens - FIXED_TOKENS;
  const room = Math.floor(input * SHARE_FOR_MESSAGES);
  if (room <= 0) return NO_BATCHING;
  return {
    anchors: settings.SERVICE_EXTRACTION_BATCH_ANCHORS,
    tokens: Math.min(MOST_MESSAGE_TOKENS, room),
  };
}

/** The identity of this build's extraction: commit, prompt, pipeline and batching. */
export function extractionBuildOf(config: Pick<Config, 'settings' | 'models'>): ExtractionBuild {
  return {
    buildSha: config.settings.SERVICE_BUILD_SHA ?? 'dev',
    promptVersion: isRemote(config.models.ingest_extractor) ? PROMPT_VERSION : NO_PROMPT,
    pipelineVersion: PIPELINE_IDENTITY,
    batching: describeBatching(batchingOf(config)),
  };
}
