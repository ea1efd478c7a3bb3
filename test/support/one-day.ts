/** For tests of what is counted by UTC day: one that a midnight interrupts is played again. */
import { utcDay } from '../../domain/models/costs.ts';

/**
 * A body that is played once more if it fails after a UTC midnight has passed since it began. It must make all that it looks
 * at itself, or in `begin`, which comes before the second play: before the first the file's own `beforeEach` has run.
 */
export function onOneDay<Given extends readonly unknown[]>(
  body: (...given: Given) => Promise<void>,
  begin: () => Promise<void> = async () => undefined,
  today: () => string = () => utcDay(new Date()),
): (...given: Given) => Promise<void> {
  return async (...given) => {
    const day = today();
    try {
      await body(...given);
    } catch (error) {
      if (today() === day) throw error;
      await begin();
      await body(...given);
    }
  };
}
