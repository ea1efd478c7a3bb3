/** Speaker roles. A role is free text; only a few well-known ones are no evidence. */

/** Turns of these roles are stored, searchable and context, and yield no statement. Compared lower-case. */
export const NON_EVIDENCE_ROLES = [
  'assistant',
  'system',
  'tool',
  // As importers and providers call the turns of machines.
  'ai',
  'bot',
  'developer',
  'function',
  'model',
  'tool_call',
  'tool_result',
] as const;

export const DEFAULT_ROLE = 'user';

/** Whether a message of this role may become a statement. */
export function isEvidenceRole(role: string): boolean {
  return !(NON_EVIDENCE_ROLES as readonly string[]).includes(role.toLowerCase());
}
