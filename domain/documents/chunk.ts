/** What tells the chunks of documents from other messages. */

/** The role of chunks. They are evidence, but no peer spoke them. Callers may use the word too: it proves nothing. */
export const CHUNK_ROLE = 'document';
