/** The last task of each key; module-wide, because two openings of one shop must wait for each other too. */
const tails = new Map<string, Promise<void>>();

/**
 * Runs tasks of one key one after the other. WooCommerce makes a new row of meta data per parallel PUT
 * (measured on WooCommerce 11.0.1) and takes the same note twice, so writes to one order must queue. In all processes
 * whoever calls sees to that (src/jobs/order-turn.ts); in one process this keeps apart also a run that slept through
 * its turn and the one that took it.
 */
export async function inTurn(key: string, task: () => Promise<void>): Promise<void> {
  const before = tails.get(key) ?? Promise.resolve();
  const mine = before.then(task, task);
  tails.set(key, mine);
  try {
    await mine;
  } finally {
    if (tails.get(key) === mine) tails.delete(key);
  }
}
