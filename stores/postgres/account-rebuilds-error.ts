/** The account came out of an archive, and its indexes are not written yet: it answers nobody. */
export class AccountRebuildsError extends Error {
  override readonly name = 'AccountRebuildsError';
}
