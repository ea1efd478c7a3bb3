/** What becomes of an observation whose content holds a credential: kept as it was received, or not taken in. */
export const SECRET_POLICIES = ['keep', 'refuse'] as const;
export type SecretPolicy = (typeof SECRET_POLICIES)[number];
