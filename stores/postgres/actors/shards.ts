/** Mailboxes of one account. A session stays in the one it was created for. */
export const SHARDS = 8;
