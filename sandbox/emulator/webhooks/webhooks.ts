import { randomUUID } from 'node:crypto';
import type { Account } from '../accounts/accounts.ts';
import { isoInEcuador } from '../clock.ts';
import type { StoredDocument } from '../emission/documents.ts';
import { documentReport } from '../emission/reports.ts';
import type { Strike } from '../faults/faults.ts';
import type { World } from '../world.ts';
import type { Delivery } from './deliveries.ts';
import { schedule } from './queue.ts';

/** An event that is held back goes out after this long even when no other comes. */
const longestBehindMs = 60_000;

/** Calls the account's webhook when a document reaches a final state. */
export function announce(world: World, document: StoredDocument): void {
  const account = world.accounts.get(document.apiKey);
  if (!account?.webhook?.activo) return;
  const evento = document.errores.length > 0 ? 'comprobante.error' : 'comprobante.autorizado';
  sendEvent(world, account, evento, documentReport(world, document), { claveacceso: document.claveacceso });
}

/** Sends `webhook.prueba` (assumption A11). */
export function announceTest(world: World, account: Account): void {
  sendEvent(world, account, 'webhook.prueba', {}, { mensaje: 'Entrega de prueba del webhook.' });
}

/**
 * Sends an event to the account's webhook, or to `url`: `evento`, the fields of `body`, `enviado_en` and, where
 * given, `mensaje`. Signed with the secret of the account's webhook.
 */
export function sendEvent(
  world: World,
  account: Account,
  evento: string,
  body: object,
  { claveacceso = null, mensaje, url }: { claveacceso?: string | null; mensaje?: string; url?: string } = {},
): void {
  const { apiKey } = account;
  const strike = world.faults.meet({ evento, apiKey, claveacceso });
  if (strike('dropWebhooks')) return;
  const now = world.clock.now();
  const sent = { evento, ...body, enviado_en: isoInEcuador(now), ...(mensaje ? { mensaje } : {}) };
  const behind = strike('reorderWebhooks') !== undefined;
  const lateMs = strike('delayWebhooksMs')?.ms ?? (behind ? longestBehindMs : 0);
  schedule(world, {
    entrega: randomUUID(),
    apiKey,
    evento,
    claveacceso,
    // JSON.stringify escapes neither "/" nor Unicode, as the specification demands.
    raw: JSON.stringify(sent),
    attempts: 0,
    due: new Date(now.getTime() + lateMs).toISOString(),
    ...(url === undefined ? {} : { url }),
    ...(behind ? { behind } : {}),
    ...spoil(strike),
  });
}

function spoil(strike: Strike): Pick<Delivery, 'spoiled'> {
  const spoiled: NonNullable<Delivery['spoiled']> = {};
  if (strike('duplicateWebhooks')) spoiled.copies = 2;
  if (strike('badSignatureV1')) spoiled.signature = 'V1';
  else if (strike('badSignatureV2')) spoiled.signature = 'V2';
  else if (strike('staleTimestamp')) spoiled.signature = 'stale';
  return Object.keys(spoiled).length > 0 ? { spoiled } : {};
}
