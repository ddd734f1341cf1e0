import type { Account, DeliveryAttempt } from '../accounts/accounts.ts';
import type { World } from '../world.ts';
import { type AttemptResult, attempt } from './attempt.ts';
import type { Delivery } from './deliveries.ts';

/** Attempts that `ultimas_entregas` shows. */
const keptAttempts = 100;

/** Sends a delivery when it is due, and again until it is taken or its attempts are spent. */
export function schedule(world: World, delivery: Delivery): void {
  const { due } = delivery;
  world.deliveries.keep(delivery);
  if (due === null) return;
  world.timers.at(Date.parse(due), async (signal) => {
    // Rescheduled meanwhile: another timer sends it.
    if (delivery.due === due) await deliver(world, delivery, signal);
  });
}

async function deliver(world: World, delivery: Delivery, signal: AbortSignal): Promise<void> {
  const account = world.accounts.get(delivery.apiKey);
  if (!account) return world.deliveries.forget(delivery.entrega);
  const due = Date.parse(delivery.due ?? '');
  const first = delivery.attempts === 0;
  const { copies = 1, signature } = (first && delivery.spoiled) || {};
  delete delivery.behind;
  let taken = false;
  for (let copy = 0; copy < copies; copy += 1) {
    const result = await attempt(world, account, delivery, signal, signature);
    if (signal.aborted) return;
    if (copy === 0) delivery.attempts += 1;
    record(world, account, delivery, result);
    taken ||= result.exito;
  }
  const wait = taken ? undefined : world.settings.webhookRetryDelaysMs[delivery.attempts - 1];
  // Counted from when this attempt was due, so that one long step makes every attempt that fits into it.
  const from = Math.min(due, world.clock.now().getTime());
  delivery.due = wait === undefined ? null : new Date(from + wait).toISOString();
  schedule(world, delivery);
  if (first) release(world, delivery);
}

/** Sends a stored delivery again, signed now; undefined when there is none. */
export async function repeatDelivery(world: World, entrega: string): Promise<DeliveryAttempt | undefined> {
  const delivery = world.deliveries.byId(entrega);
  const account = delivery && world.accounts.get(delivery.apiKey);
  if (!account) return undefined;
  const signal = world.timers.signal();
  const result = await attempt(world, account, delivery, signal);
  if (signal.aborted) return undefined;
  delivery.attempts += 1;
  world.deliveries.keep(delivery);
  return record(world, account, delivery, result);
}

function record(world: World, account: Account, delivery: Delivery, result: AttemptResult): DeliveryAttempt {
  const { entrega, evento, claveacceso, attempts } = delivery;
  const row = { entrega, evento, claveacceso, intento: attempts, ...result };
  account.deliveries.unshift(row);
  for (const gone of account.deliveries.splice(keptAttempts)) {
    const still = account.deliveries.some((other) => other.entrega === gone.entrega);
    if (!still && world.deliveries.byId(gone.entrega)?.due === null) world.deliveries.forget(gone.entrega);
  }
  world.touch(account);
  world.settings.log(
    `${evento} ${claveacceso ?? ''} intento ${attempts}: ${result.estado_http ?? result.error}`,
  );
  return row;
}

/** Lets those go that waited for this one to go first. */
function release(world: World, { apiKey }: Delivery): void {
  for (const held of world.deliveries.behind(apiKey)) {
    delete held.behind;
    held.due = world.clock.now().toISOString();
    schedule(world, held);
  }
}
