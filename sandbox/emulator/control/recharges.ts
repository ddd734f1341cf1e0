import { Router } from 'express';
import { z } from 'zod';
import type { Account } from '../accounts/accounts.ts';
import { leastRecharge, toCents } from '../accounts/prices.ts';
import { creditsLeft, rechargeCredits } from '../accounts/wallets.ts';
import type { World } from '../world.ts';
import { readBody } from './read-body.ts';

/** What a recharge is asked for with. */
export const recharge = z
  .strictObject({
    apiKey: z.string().optional(),
    /** Which account, counted from 0 as they were added; the first one when neither is given. */
    cuenta: z.int().nonnegative().optional(),
    cartera: z.enum(['facturacion', 'consultas', 'general']),
    usd: z.number().max(1_000_000, 'admite 1000000 USD como máximo'),
  })
  .refine(({ apiKey, cuenta }) => apiKey === undefined || cuenta === undefined, 'Indique apiKey o cuenta.')
  .refine(({ cartera, usd }) => usd >= leastRecharge[cartera], {
    path: ['usd'],
    error: ({ input }) => {
      const { cartera } = input as { cartera: keyof typeof leastRecharge };
      return `las recargas de la cartera ${cartera} empiezan en ${leastRecharge[cartera]} USD`;
    },
  });

/**
 * `POST recargas` with `{apiKey | cuenta, cartera, usd}` does what the account panel of the service does: buys
 * documents at the tier's price, or puts money into a wallet. Answers 201 with `cartera` and `creditos`
 * (bought: `comprados`, `vencen`) or `saldo` in USD; 404 for an account that is not there.
 */
export function rechargeRoutes(world: World): Router {
  const router = Router();
  router.post('/recargas', (req, res) => {
    const given = readBody(req, res, recharge);
    if (!given) return;
    const account = accountMeant(world, given);
    if (!account) {
      res.status(404).json({ success: false, message: 'No hay una cuenta así en el sandbox.' });
      return;
    }
    const paid = pay(world, account, given);
    world.touch(account);
    res.status(201).json({ success: true, cartera: given.cartera, ...paid });
  });
  return router;
}

function accountMeant({ accounts }: World, { apiKey, cuenta = 0 }: z.output<typeof recharge>) {
  return apiKey === undefined ? [...accounts.values()][cuenta] : accounts.get(apiKey);
}

/** Puts the money into the wallet; answers what that bought. */
export function pay(world: World, { wallets }: Account, { cartera, usd }: z.output<typeof recharge>) {
  if (cartera !== 'facturacion') {
    wallets[cartera] += toCents(usd);
    return { saldo: wallets[cartera] / 100 };
  }
  const now = world.clock.now();
  const { documentos, vencen } = rechargeCredits(wallets, usd, now);
  return { comprados: documentos, vencen, creditos: creditsLeft(wallets, now) };
}
