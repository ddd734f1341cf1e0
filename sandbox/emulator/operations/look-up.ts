import type { Account } from '../accounts/accounts.ts';
import { queryPrice } from '../accounts/prices.ts';
import type { Found } from '../accounts/registry.ts';
import { canQuery, freeQueriesLeft, payQuery } from '../accounts/wallets.ts';
import { failure } from '../http/answers.ts';
import type { Reply } from '../operation.ts';
import type { World } from '../world.ts';

/** One of the two registries and the number it is asked about (assumption A24). */
export interface Registry {
  id: 'ruc' | 'cedula';
  possible(number: string): boolean;
  /** As the answer to an impossible number says it. */
  rule: string;
  lookUp(number: string): Found<object>;
}

const cacheMs = 24 * 60 * 60 * 1000;

/**
 * Answers one look-up: from the account's last 24 hours for nothing, else from the registry. Only what returns
 * data is counted or charged (spec, "Behavior of the queries routes").
 */
export function answerLookUp(world: World, account: Account, registry: Registry, number: string): Reply {
  const now = world.clock.now();
  const { wallets } = account;
  const refused = (status: number, sentence: string) =>
    failure('plain', status, sentence, { inferred: true });
  if (!registry.possible(number)) {
    return refused(400, `El número no es ${words[registry.id]} posible: tiene ${registry.rule}.`);
  }
  const cache = isCached(account, registry, number, now);
  if (!cache && !canQuery(wallets, now)) {
    const price = queryPrice.toFixed(2);
    const sentence = `No le quedan consultas gratuitas este mes y la cartera de consultas no alcanza para otra (${price} USD); recárguela.`;
    return refused(402, sentence);
  }
  const found = registry.lookUp(number);
  if (found === 'down') {
    return refused(502, 'El registro no responde; intente más tarde. La consulta no se cobró.');
  }
  if (found === 'unknown') {
    return refused(200, `No se encontró ${words[registry.id]} con ese número. La consulta no se cobró.`);
  }
  const costo = cache ? 0 : payQuery(wallets, now);
  if (!cache) remember(world, account, registry, number, now);
  const gratis_restantes = freeQueriesLeft(wallets, now);
  return { status: 200, body: { success: true, data: found.data, cache, costo, gratis_restantes } };
}

const words = { ruc: 'un RUC', cedula: 'una cédula' } as const;

// A clock set back puts answers into the future; those are asked for again.
function isFresh(at: string, now: Date): boolean {
  const age = now.getTime() - Date.parse(at);
  return age >= 0 && age < cacheMs;
}

function isCached({ lookUps }: Account, { id }: Registry, number: string, now: Date): boolean {
  const at = lookUps[`${id}:${number}`];
  return at !== undefined && isFresh(at, now);
}

function remember(world: World, account: Account, { id }: Registry, number: string, now: Date): void {
  const fresh = Object.entries(account.lookUps).filter(([, at]) => isFresh(at, now));
  account.lookUps = { ...Object.fromEntries(fresh), [`${id}:${number}`]: now.toISOString() };
  world.touch(account);
}
