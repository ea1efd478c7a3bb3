/**
 * Wakes lingering drains. However many drains of the process wait for work, one question is asked for all of
 * them at a time.
 */
import { mailboxWorkflowId, type Mailbox } from '../domain/actors/names.ts';
import { restAfterLook } from './rest.ts';

export interface MailboxWatcher {
  /** True as soon as the mailbox has work; false after `ms` milliseconds or when `signal` aborts. */
  waitForWork(mailbox: Mailbox, ms: number, signal: AbortSignal): Promise<boolean>;
}

export interface MailboxWatcherOptions {
  /** Of the given mailboxes, the ones with work. */
  withWork(mailboxes: readonly Mailbox[]): Promise<readonly Mailbox[]>;
  /** Told when the question failed; the drains then wait their time out and look for themselves. */
  onError(error: unknown): void;
  readonly intervalMs?: number;
}

interface Waiter {
  readonly mailbox: Mailbox;
  settle(found: boolean): void;
}

const DEFAULT_INTERVAL_MS = 25;
/** After a failed question. */
const ERROR_INTERVAL_MS = 500;

/** One watcher per process. It asks only while a drain waits. */
export function createMailboxWatcher(options: MailboxWatcherOptions): MailboxWatcher {
  const intervalMs = options.intervalMs ?? DEFAULT_INTERVAL_MS;
  const waiters = new Set<Waiter>();
  let asking = false;

  async function ask(): Promise<number> {
    const asked = [...waiters];
    const askedAt = performance.now();
    try {
      const found = await options.withWork(asked.map(({ mailbox }) => mailbox));
      const ids = new Set(found.map(mailboxWorkflowId));
      for (const waiter of asked) {
        if (ids.has(mailboxWorkflowId(waiter.mailbox))) waiter.settle(true);
      }
      return Math.max(intervalMs, restAfterLook(performance.now() - askedAt));
    } catch (error) {
      options.onError(error);
      return Math.max(intervalMs, ERROR_INTERVAL_MS);
    }
  }

  function schedule(ms: number): void {
    asking = true;
    setTimeout(() => {
      if (waiters.size === 0) {
        asking = false;
        return;
      }
      void ask().then(schedule);
    }, ms);
  }

  return {
    waitForWork(mailbox, ms, signal) {
      if (signal.aborted || ms <= 0) return Promise.resolve(false);
      return new Promise((resolve) => {
        const waiter: Waiter = {
          mailbox,
          settle(found) {
            waiters.delete(waiter);
            clearTimeout(timer);
            signal.removeEventListener('abort', giveUp);
            resolve(found);
          },
        };
        const giveUp = (): void => waiter.settle(false);
        const timer = setTimeout(giveUp, ms);
        signal.addEventListener('abort', giveUp, { once: true });
        waiters.add(waiter);
        if (!asking) schedule(intervalMs);
      });
    },
  };
}
