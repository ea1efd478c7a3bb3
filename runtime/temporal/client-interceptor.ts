/**
 * The last check before Temporal of everything that converters do not see: ids, names, queues, reasons, search
 * attributes, headers. Temporal stores these in the clear and lists them to every operator.
 */
import type {
  ScheduleClientInterceptor,
  WorkflowClientInterceptor,
  WorkflowExecution,
  WorkflowStartInput,
} from '@temporalio/client';
import { ApplicationFailure, TypedSearchAttributes } from '@temporalio/common';
import {
  isActorId,
  isSearchAttribute,
  isUuid,
  refuse,
} from '../../domain/workflow-history/safe-text.ts';
import { FAILURE_CODES } from '../../domain/workflow-history/vocabulary.ts';

/** Identifiers of this program: workflow types, message names, queues. They never come from a caller. */
const NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;

function refuseUnless(condition: boolean): void {
  if (!condition) throw ApplicationFailure.nonRetryable('NAME_REFUSED', 'NAME_REFUSED');
}

function checkExecution(execution: WorkflowExecution): void {
  refuseUnless(isActorId(execution.workflowId ?? ''));
}

type Labels = WorkflowStartInput['options']['typedSearchAttributes'];

function checkLabels(attributes: Labels): void {
  const pairs =
    attributes instanceof TypedSearchAttributes ? attributes.getAll() : (attributes ?? []);
  for (const { key, value } of pairs) refuseUnless(isSearchAttribute(key.name, value));
}

function checkOptions(workflowType: string, options: WorkflowStartInput['options']): void {
  refuseUnless(NAME.test(workflowType));
  refuseUnless(isActorId(options.workflowId) && NAME.test(options.taskQueue));
  refuseUnless(refuse(options.memo) === null && options.cronSchedule === undefined);
  checkLabels(options.typedSearchAttributes);
}

function checkUpdateId(updateId: string | undefined): void {
  refuseUnless(updateId === undefined || isUuid(updateId));
}

function checkReason(reason: string | undefined): void {
  refuseUnless(reason === undefined || FAILURE_CODES.has(reason));
}

/** No header passes, because none is needed, and trace state and baggage would hold callers' text. */
const headers = {};

/** Throws a failure with the code NAME_REFUSED before the call leaves the process. */
export const clientInterceptor: WorkflowClientInterceptor = {
  async startWithDetails(input, next) {
    checkOptions(input.workflowType, input.options);
    return next({ ...input, headers });
  },
  async signalWithStart(input, next) {
    checkOptions(input.workflowType, input.options);
    refuseUnless(NAME.test(input.signalName));
    return next({ ...input, headers });
  },
  async startUpdateWithStart(input, next) {
    checkOptions(input.workflowType, input.workflowStartOptions);
    refuseUnless(NAME.test(input.updateName));
    checkUpdateId(input.updateOptions.updateId);
    return next({ ...input, workflowStartHeaders: headers, updateHeaders: headers });
  },
  async startUpdate(input, next) {
    checkExecution(input.workflowExecution);
    refuseUnless(NAME.test(input.updateName));
    checkUpdateId(input.options.updateId);
    return next({ ...input, headers });
  },
  async signal(input, next) {
    checkExecution(input.workflowExecution);
    refuseUnless(NAME.test(input.signalName));
    return next({ ...input, headers });
  },
  async query(input, next) {
    checkExecution(input.workflowExecution);
    refuseUnless(NAME.test(input.queryType));
    return next({ ...input, headers });
  },
  async terminate(input, next) {
    checkExecution(input.workflowExecution);
    checkReason(input.reason);
    refuseUnless(refuse(input.details) === null);
    return next(input);
  },
  async cancel(input, next) {
    checkExecution(input.workflowExecution);
    return next(input);
  },
  async describe(input, next) {
    checkExecution(input.workflowExecution);
    return next(input);
  },
};

/** The same check for schedules and for the workflows that they start. */
export const scheduleInterceptor: ScheduleClientInterceptor = {
  async create(input, next) {
    const { action, memo, scheduleId, state, typedSearchAttributes } = input.options;
    refuseUnless(isActorId(scheduleId) && refuse(memo) === null && state?.note === undefined);
    refuseUnless(NAME.test(action.workflowType) && NAME.test(action.taskQueue));
    refuseUnless(isActorId(action.workflowId) && refuse(action.memo) === null);
    checkLabels(typedSearchAttributes);
    checkLabels(action.typedSearchAttributes);
    return next({ ...input, headers });
  },
};
