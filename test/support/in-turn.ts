/** Makes calls that are made side by side one after the other, as one database connection takes them. */
export function inTurn<A extends readonly unknown[], T>(
  call: (...args: A) => Promise<T>,
): (...args: A) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (...args) => {
    const answer = last.then(() => call(...args));
    last = answer.catch(() => undefined);
    return answer;
  };
}
