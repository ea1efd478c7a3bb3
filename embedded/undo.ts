export type UndoStack = ReturnType<typeof undoStack>;

/**
 * Steps that undo a start, in reverse order; each runs even if one before it failed. `run` runs every step once and
 * throws the first failure at the end. A second call waits for the first.
 */
export function undoStack() {
  const steps: (() => void | Promise<void>)[] = [];
  let running: Promise<void> | undefined;
  const runAll = async () => {
    const failures: unknown[] = [];
    for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
      try {
        await step();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  };
  return {
    push: (step: () => void | Promise<void>) => void steps.push(step),
    run: () => (running ??= runAll()),
  };
}
