import type { Mailbox } from '../../../domain/actors/names.ts';
import type { MailboxesStore } from '../../../stores/postgres/actors/mailboxes.store.ts';

/** Of these mailboxes, the ones that a drain looks at. */
export async function awakeAmong(
  store: Pick<MailboxesStore, 'looks'>,
  mailboxes: readonly Mailbox[],
): Promise<Mailbox[]> {
  const looks = await store.looks(mailboxes);
  return looks.filter(({ awake }) => awake).map(({ mailbox }) => mailbox);
}
