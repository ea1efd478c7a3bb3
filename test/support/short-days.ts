/**
 * Contests whose day lasts moments. The rows say when a contest is due, and the workflow sets its timers by what they
 * say. So a test waits for the real timers of both days.
 */

/** Runs SQL as the owner of the schema. */
type Rows = (query: string) => Promise<unknown>;

/** From now on the day of a contest, and the day after its escalation, last `ms` milliseconds in this database. */
export async function shortenContestDays(rows: Rows, ms: number): Promise<void> {
  await rows(`
    create or replace function short_contest_day() returns trigger language plpgsql as $$
    begin
      new.due_at := clock_timestamp() + make_interval(secs => ${ms / 1_000});
      return new;
    end $$`);
  await rows(`
    create or replace trigger short_contest_day before insert or update of escalated_at on review_items
    for each row when (new.kind = 'contest') execute function short_contest_day()`);
}
