/** On whose behalf work is done that other accounts' work shares slots with, and until when. */
export interface Behalf {
  readonly accountId: string;
  readonly signal: AbortSignal;
}
