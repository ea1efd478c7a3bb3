/**
 * The failure converter of clients, workers and the workflow bundle: it writes only one code of a closed list for an
 * error. No message, stack, detail or cause leaves the process. Loaded by path, also inside the sandbox.
 */
import {
  ApplicationFailure,
  DefaultFailureConverter,
  type PayloadConverter,
  type ProtoFailure,
} from '@temporalio/common';
import { FAILURE_CODES } from '../../domain/workflow-history/vocabulary.ts';

const INTERNAL = 'INTERNAL';

function codeOf(failure: ProtoFailure): string {
  if (failure.canceledFailureInfo) return 'CANCELLED';
  if (failure.timeoutFailureInfo) return 'TIMEOUT';
  for (const candidate of [failure.applicationFailureInfo?.type, failure.message]) {
    if (typeof candidate === 'string' && FAILURE_CODES.has(candidate)) return candidate;
  }
  return INTERNAL;
}

function strip(failure: ProtoFailure): void {
  const code = codeOf(failure);
  failure.message = code;
  failure.stackTrace = '';
  failure.encodedAttributes = null;
  const { applicationFailureInfo, canceledFailureInfo, timeoutFailureInfo } = failure;
  if (applicationFailureInfo) {
    applicationFailureInfo.type = code;
    applicationFailureInfo.details = null;
  }
  if (canceledFailureInfo) canceledFailureInfo.details = null;
  if (timeoutFailureInfo) timeoutFailureInfo.lastHeartbeatDetails = null;
  if (failure.resetWorkflowFailureInfo)
    failure.resetWorkflowFailureInfo.lastHeartbeatDetails = null;
  // The failure of an activity or child workflow only names the activity or workflow; its cause holds the reason.
  const namesAnother = failure.activityFailureInfo ?? failure.childWorkflowExecutionFailureInfo;
  if (failure.cause && namesAnother) strip(failure.cause);
  else failure.cause = null;
}

class CodesOnlyConverter extends DefaultFailureConverter {
  override errorToFailure(error: unknown, payloads: PayloadConverter): ProtoFailure {
    const plain = ApplicationFailure.nonRetryable(INTERNAL, INTERNAL);
    let failure: ProtoFailure;
    try {
      failure = super.errorToFailure(error instanceof Error ? error : plain, payloads);
    } catch {
      // The payload converter refused a detail of the error.
      failure = super.errorToFailure(plain, payloads);
    }
    strip(failure);
    return failure;
  }
}

export const failureConverter = new CodesOnlyConverter();
