/** What a change makes of the members of a circle. */

export interface MemberChange {
  /** The members from now on; null where only `add` and `remove` count. */
  readonly replace: readonly string[] | null;
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

export interface PlannedMembers {
  /** Peers that become members, each once. */
  readonly added: readonly string[];
  /** Members that leave. */
  readonly removed: readonly string[];
  /** How many members there are afterwards. */
  readonly count: number;
}

/** Compares the members that there are with those that the change asks for. What is as asked already changes nothing. */
export function planMembers(current: readonly string[], change: MemberChange): PlannedMembers {
  const before = new Set(current);
  const leaving = new Set(change.remove);
  const wanted = [...(change.replace ?? current), ...change.add].filter((id) => !leaving.has(id));
  const after = new Set(wanted);
  return {
    added: [...after].filter((id) => !before.has(id)),
    removed: [...before].filter((id) => !after.has(id)),
    count: after.size,
  };
}
