import type { ClientBase, QueryConfig } from 'pg';

type Query = (config: QueryConfig) => Promise<unknown>;

/**
 * Statements that a connection has the server parse and plan once, at their first use: an insert of 64 rows names
 * hundreds of parameters, which costs the server a third of its work if each one is read anew (measured, see bench/).
 * Only for statements whose plan cannot depend on their values.
 */
export interface Prepared {
  /** Give it few statements: each stays with every connection. */
  remember(text: string): void;
  /** From now on this connection sends remembered statements by name. */
  teach(client: ClientBase): void;
}

export function openPrepared(): Prepared {
  const names = new Map<string, string>();
  return {
    remember(text) {
      if (!names.has(text)) names.set(text, `facturapuente_${names.size + 1}`);
    },
    teach(client) {
      const query = client.query.bind(client) as Query & typeof client.query;
      const named = (text: unknown, values: unknown[]) => {
        const name = typeof text === 'string' ? names.get(text) : undefined;
        return name === undefined
          ? query(text as string, values)
          : query({ name, text: text as string, values });
      };
      client.query = named as typeof client.query;
    },
  };
}
