/** Processor time of processes, in milliseconds, from the accounts that Linux keeps; elsewhere there is none to tell. */
import { readdirSync, readFileSync } from 'node:fs';

const TICK_MS = 1000 / 100;
/** Places in /proc/<pid>/stat, counted from the one behind the name. */
const PARENT = 1;
const USER = 11;
const CHILDREN_USER = 13;

/** Name, parent and times of a process; null when it has ended. */
function accountOf(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const behindName = text.lastIndexOf(')');
    const fields = text
      .slice(behindName + 2)
      .split(' ')
      .map(Number);
    const ms = (from) => ((fields[from] ?? 0) + (fields[from + 1] ?? 0)) * TICK_MS;
    return {
      name: text.slice(text.indexOf('(') + 1, behindName),
      parent: fields[PARENT],
      own: ms(USER),
      ended: ms(CHILDREN_USER),
    };
  } catch {
    return null;
  }
}

const isLinux = process.platform === 'linux';

/** Of this process's children that have ended. */
export function endedChildrenMs() {
  return isLinux ? (accountOf('self')?.ended ?? 0) : 0;
}

/** Of each process that runs below this one, added up by name, with what their own children used before they ended. */
export function runningDescendantsMs() {
  const all = isLinux ? readdirSync('/proc').filter((name) => /^\d+$/.test(name)) : [];
  const accounts = new Map(all.map((pid) => [Number(pid), accountOf(pid)]));
  const isBelow = ({ parent }) =>
    parent === process.pid || (accounts.get(parent) ? isBelow(accounts.get(parent)) : false);
  const sums = {};
  for (const account of accounts.values()) {
    if (account === null || !isBelow(account)) continue;
    sums[account.name] = (sums[account.name] ?? 0) + account.own + account.ended;
  }
  return sums;
}
