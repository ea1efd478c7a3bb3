/** What is wrong with an archive, an export or an import, in one sentence for the operator. It never quotes content. */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError';
}
