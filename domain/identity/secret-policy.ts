/** The policy for an observation with a credential in its content: the service keeps it unchanged, or refuses it. */
export const SECRET_POLICIES = ['keep', 'refuse'] as const;
export type SecretPolicy = (typeof SECRET_POLICIES)[number];
