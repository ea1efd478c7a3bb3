/** The process of a service that tests talk to. It ends with the process that started it. */
import { operationsById } from './by-id.ts';
import { startHere, type RunningHere } from './here.ts';
import { failureOf, type Answered, type Ask, type Asked } from './messages.ts';

let running: RunningHere | undefined;

function service(): RunningHere {
  if (running === undefined) throw new Error('the service was not started');
  return running;
}

async function operate(id: string, input: unknown): Promise<unknown> {
  const operation = (await operationsById()).get(id);
  if (operation === undefined) throw new Error(`there is no operation ${id}`);
  return service().operate(operation, input);
}

async function answer(ask: Ask): Promise<unknown> {
  if (ask.do === 'operate') return operate(ask.id, ask.input);
  if (ask.do === 'open-door') return service().openDoor();
  if (ask.do === 'errors') return service().errors();
  if (ask.do === 'close') return running?.close();
  running = await startHere(ask.settings);
  const { url, adminUrl, first } = running;
  return { url, adminUrl, first };
}

function reply(answered: Answered): void {
  process.send?.(answered);
}

process.on('message', ({ call, ask }: Asked) => {
  answer(ask).then(
    (value) => reply({ call, value }),
    (error: unknown) => reply({ call, failure: failureOf(error) }),
  );
});

// The test run is over, or its worker died. What is left of the service ends with the servers of the run.
process.once('disconnect', () => process.exit());
