import type { Account } from '../accounts/accounts.ts';
import type { Verification, VerificationEnd } from '../accounts/verifications.ts';
import { sendEvent } from '../webhooks/webhooks.ts';
import type { World } from '../world.ts';

/** One verification as the routes and the event show it (assumption A26). */
export function showVerification({ baseUrl }: World, verification: Verification): Record<string, unknown> {
  // The verification's own webhook is not shown again.
  const { id, estado, costo, expira_en, webhook_url: _, ...rest } = verification;
  return { id, url_verificacion: `${baseUrl}/verificacion/${id}`, estado, costo, expira_en, ...rest };
}

/** Ends a pending verification when its time is up on the sandbox's clock; after a restart, once more. */
export function awaitExpiry(world: World, { apiKey }: Pick<Account, 'apiKey'>, { id }: Verification): void {
  const found = findVerification(world, id, apiKey);
  if (found?.verification.estado !== 'pendiente') return;
  world.timers.at(Date.parse(found.verification.expira_en), () => {
    // Asked again for the account: one added anew under its key has forgotten this verification.
    const still = findVerification(world, id, apiKey);
    if (still?.verification.estado === 'pendiente') expire(world, still.account, still.verification);
  });
}

/** Finds a verification, of one API key or of all. The clock may have passed its end without its timer. */
export function findVerification(
  world: World,
  id: string,
  apiKey?: string,
): { account: Account; verification: Verification } | undefined {
  const accounts = apiKey === undefined ? [...world.accounts.values()] : [world.accounts.get(apiKey)];
  for (const account of accounts) {
    const verification = account?.verifications.find((one) => one.id === id);
    if (!account || !verification) continue;
    expireWhenDue(world, account, verification);
    return { account, verification };
  }
  return undefined;
}

/** Ends what the clock has passed, for readers that come before the timer. */
export function expireWhenDue(world: World, account: Account, verification: Verification): void {
  const isDue = Date.parse(verification.expira_en) <= world.clock.now().getTime();
  if (isDue && verification.estado === 'pendiente') expire(world, account, verification);
}

function expire(world: World, account: Account, verification: Verification): void {
  finish(world, account, verification, 'expirada', verification.expira_en);
}

/** Ends a pending verification at `instant` (ISO, UTC) and calls its own webhook, if it has one. */
export function finish(
  world: World,
  account: Account,
  verification: Verification,
  estado: VerificationEnd,
  instant: string,
): void {
  verification.estado = estado;
  verification.finalizado_en = instant;
  world.touch(account);
  const url = verification.webhook_url;
  if (url === null) return;
  sendEvent(world, account, 'verificacion.finalizada', showVerification(world, verification), { url });
}
