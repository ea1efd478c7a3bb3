/** Temporal keeps schedules in workflows of its own, and is late with their answer now and then. */
import { ActorsOverdue } from '../../runtime/actors/actors.ts';
import { eventually } from './patience.ts';

const DEADLINE_EXCEEDED = 4;
const UNAVAILABLE = 14;

function isLate(error: unknown): boolean {
  const code: unknown = Reflect.get(Object(Reflect.get(Object(error), 'cause') ?? error), 'code');
  return code === DEADLINE_EXCEEDED || code === UNAVAILABLE;
}

/** What Temporal answers about a schedule, asked again while it is late. What is asked may be done twice. */
export async function answered<T>(ask: () => Promise<T>): Promise<T> {
  const { value } = await eventually(async () => {
    try {
      return { value: await ask() };
    } catch (error) {
      // The product's own bound may end before the connection's.
      if (isLate(error) || error instanceof ActorsOverdue) return null;
      throw error;
    }
  });
  return value;
}
