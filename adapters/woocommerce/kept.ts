import { z } from 'zod';
import type { Credentials } from '../../src/domain/credentials.ts';
import { ShopError } from '../../src/domain/errors.ts';

const keys = z.object({ consumerKey: z.string().min(1), consumerSecret: z.string().min(1) });

/** One try to have the shop hand over keys (wc-auth). */
const attempt = z.object({
  /** SHA-256 of the nonce, hex: what is kept opens nothing. */
  nonce: z.string(),
  until: z.iso.datetime(),
  /**
   * `taken`: the shop brought keys and they are being checked; each nonce is taken once. `unchecked`: the shop did not
   * answer, so they wait in `pending`. `connected`: they opened the shop; `done`: the merchant was told so.
   */
  state: z.enum(['open', 'taken', 'unchecked', 'connected', 'done', 'refused']),
  /** Keys that nothing has proven yet; they take the place of `keys` once the shop has answered to them. */
  pending: keys.nullable().default(null),
  /** The merchant's sentence where it was refused. */
  reason: z.string().nullable(),
});

/** What we keep of one shop, sealed (domain/credentials.ts). */
const keptShape = z.object({
  keys: keys.nullable(),
  /** Of the webhooks, the newest first; the one before it stays good for what is under way. */
  secrets: z.array(z.string().min(32)).max(2),
  attempt: attempt.nullable(),
  /** Our webhooks are to be there, and are looked after. */
  installed: z.boolean(),
});

export type Kept = z.output<typeof keptShape>;
export type Attempt = z.output<typeof attempt>;

const nothing: Kept = { keys: null, secrets: [], attempt: null, installed: false };

export async function readKept(credentials: Credentials, shop: string): Promise<Kept> {
  const found = await credentials.get(shop);
  return found ? keptShape.parse(found.value) : nothing;
}

/** Two processes seldom write at once; one of them is always first. */
const mostTries = 20;

/**
 * Writes what `change` makes of it, over nobody else's write: it is asked again when somebody was faster. null changes
 * nothing. Answers what is kept then. Throws ShopError `turn-taken` when others never stop writing.
 */
export async function changeKept(
  credentials: Credentials,
  shop: string,
  change: (kept: Kept) => Kept | null,
): Promise<Kept> {
  for (let tries = 0; tries < mostTries; tries += 1) {
    const found = await credentials.get(shop);
    const before = found ? keptShape.parse(found.value) : nothing;
    const after = change(before);
    if (after === null) return before;
    if (await credentials.put(shop, after, found?.version ?? null)) return after;
  }
  throw new ShopError(
    'turn-taken',
    'Otro proceso está cambiando el acceso a la tienda; repita en un momento.',
    `What is kept of ${shop} was written by others ${mostTries} times in a row.`,
    { retryable: true },
  );
}
