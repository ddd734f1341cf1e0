import type { Account } from '../accounts/accounts.ts';
import { creditsLeft } from '../accounts/wallets.ts';
import type { World } from '../world.ts';

/**
 * Why the account may not emit in ambiente 2, or undefined when it may (spec, "What the service does").
 * One credit per authorised document: those still in process have theirs spoken for.
 */
export function productionClosed(world: World, account: Account): string | undefined {
  if (!account.providerApproved) {
    return 'No puede emitir en producción (ambiente 2): faltan los datos de proveedor aprobados.';
  }
  const pending = world.documents
    .all()
    .filter((d) => d.apiKey === account.apiKey && d.ambiente === 2 && d.estado === 1).length;
  return creditsLeft(account.wallets, world.clock.now()) > pending
    ? undefined
    : 'No tiene créditos disponibles para emitir en producción.';
}
