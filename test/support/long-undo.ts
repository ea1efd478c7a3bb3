/** Decisions that can be taken back for hours, so that no machine is too slow to take one back. */

/** From now on every decision that waits does so an hour longer. */
export async function lengthenUndo(
  rows: (query: string) => Promise<readonly unknown[]>,
): Promise<void> {
  await rows(`
    create function wait_an_hour_longer() returns trigger language plpgsql as $$
    begin
      new.due_at := new.due_at + interval '1 hour';
      return new;
    end $$`);
  await rows(`
    create trigger waits_an_hour_longer before insert on scheduled_decisions
      for each row execute function wait_an_hour_longer()`);
}
