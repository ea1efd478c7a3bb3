/**
 * Whose consent a personal statement needs before it is shared: its subject's (`subject_required`), or none but the
 * account's, which then consents for its people (`auto`).
 */
export const CONSENT_MODES = ['subject_required', 'auto'] as const;
export type ConsentMode = (typeof CONSENT_MODES)[number];
