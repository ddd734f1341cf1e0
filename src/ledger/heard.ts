import type { ClientBase, Pool, PoolClient } from 'pg';

/** `connecting`: there was no connection yet; `asking`: a statement failed. */
export type Heard = 'connecting' | 'asking';

/** An ECONNREFUSED does not say by whom: these came from PostgreSQL, or from the way to it. They stay as they are. */
const heard = new WeakMap<Error, Heard>();

/** When PostgreSQL gave us this error; undefined where somebody else did. */
export function heardOf(error: Error): Heard | undefined {
  return heard.get(error);
}

/** What a new connection of a pool fails with is remembered as PostgreSQL's. */
export function hearPool(pool: Pool): void {
  const connect = pool.connect.bind(pool) as () => Promise<PoolClient>;
  // Nobody here asks for one with a callback; an address that is none throws before there is a promise.
  pool.connect = (async () => {
    try {
      return await connect();
    } catch (error) {
      throw remembered(error, 'connecting');
    }
  }) as typeof pool.connect;
}

/** What a statement of this connection fails with as well. */
export function hearClient(client: ClientBase): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown;
  client.query = ((...args: unknown[]) => {
    const answer = query(...args);
    if (!(answer instanceof Promise)) return answer;
    return answer.catch((error: unknown) => {
      throw remembered(error, 'asking');
    });
  }) as typeof client.query;
}

function remembered(error: unknown, when: Heard): unknown {
  // A connection is opened by statements too: then it was refused.
  if (error instanceof Error && heard.get(error) !== 'connecting') heard.set(error, when);
  return error;
}
