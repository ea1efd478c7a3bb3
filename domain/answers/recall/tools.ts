/**
 * The tools of a recall: a closed list of reads. No plan can name anything else, whether a model or a rule wrote it.
 */

export const RECALL_TOOLS = [
  'search',
  'search_direct',
  'search_derived',
  'search_dates',
  'source_exact',
  'source_semantic',
  'stable_profile',
  'lineage',
] as const;
export type RecallTool = (typeof RECALL_TOOLS)[number];

/** One read. */
export type ToolCall =
  | {
      readonly tool:
        | 'search'
        | 'search_direct'
        | 'search_derived'
        | 'source_exact'
        | 'source_semantic';
      readonly query: string;
    }
  | {
      readonly tool: 'search_dates';
      readonly query: string;
      /** ISO 8601; null where the period is open. */
      readonly from: string | null;
      readonly until: string | null;
    }
  | { readonly tool: 'stable_profile' }
  /** What the statement was made from. */
  | { readonly tool: 'lineage'; readonly id: string };

/** What a caller lets a recall do beside searching statements. */
export interface RecallPermissions {
  readonly sourceExact: boolean;
  readonly sourceSemantic: boolean;
  readonly stableProfile: boolean;
  readonly lineage: boolean;
}

const NEEDED: Partial<Record<RecallTool, keyof RecallPermissions>> = {
  source_exact: 'sourceExact',
  source_semantic: 'sourceSemantic',
  stable_profile: 'stableProfile',
  lineage: 'lineage',
};

/** Whether the tool may be used at all. */
export function isPermitted(tool: RecallTool, permissions: RecallPermissions): boolean {
  const needed = NEEDED[tool];
  return needed === undefined || permissions[needed];
}

/** The words that a call looks for; empty for one that looks for none. */
export function queryOf(call: ToolCall): string {
  return 'query' in call ? call.query : '';
}

/** Equal for calls that would find the same. */
export function callKey(call: ToolCall): string {
  return JSON.stringify(call).toLowerCase();
}
