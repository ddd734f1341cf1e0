import { spendCredit } from '../accounts/wallets.ts';
import { isoInEcuador } from '../clock.ts';
import { receiverOf, type StoredDocument } from '../emission/documents.ts';
import type { Outcome } from '../faults/schema.ts';
import { announce } from '../webhooks/webhooks.ts';
import type { World } from '../world.ts';
import { judge } from './judge.ts';
import { magicOutcome } from './magic.ts';
import { type SriMessage, sriMessage, stateAfterError } from './tables.ts';

/**
 * Hands a stored document to the tax authority. It decides after `authorizeDelayMs` (real time), or as a script
 * (fault `outcome`) or a magic buyer orders, which may take hours of the sandbox's clock, or never happen.
 */
export function sendToAuthority(world: World, document: StoredDocument): void {
  const identificacion = receiverOf(document)?.identificacion ?? '';
  const { apiKey, claveacceso } = document;
  document.tries = (document.tries ?? 0) + 1;
  const ordered =
    world.faults.takeOutcome({ identificacion, apiKey, claveacceso }) ??
    magicOutcome(identificacion, document.tries);
  if (ordered) {
    const { enProcesoMs } = ordered;
    document.ordered = ordered;
    document.decideAt =
      enProcesoMs === undefined ? null : new Date(world.clock.now().getTime() + enProcesoMs).toISOString();
    world.documents.changed(document);
  }
  awaitDecision(world, document);
}

/** Waits for the decision about a document in process; after a restart of the sandbox, once more. */
export function awaitDecision(world: World, document: StoredDocument): void {
  const { ordered, decideAt } = document;
  if (ordered?.resultado === 'en_proceso') return;
  const task = () => decide(world, document, ordered ?? undefined);
  if (decideAt) world.timers.at(Date.parse(decideAt), task);
  else world.timers.after(ordered?.delayMs ?? world.settings.authorizeDelayMs, task);
}

function decide(world: World, document: StoredDocument, ordered: Outcome | undefined): void {
  const judged = judge(world, document);
  const code = ordered?.codigo;
  const messages = code === undefined ? [] : [sriMessage(code, ordered?.informacionAdicional)];
  if (ordered?.resultado === 'error' && messages[0]?.tipo !== 'ADVERTENCIA') {
    refuse(world, document, messages[0] ? messages : [sriMessage(34)]);
  } else if (judged.errores.length > 0) {
    refuse(world, document, judged.errores);
  } else {
    authorise(world, document, [...judged.advertencias, ...messages], ordered?.estado ?? 4);
  }
  announce(world, document);
}

function refuse(world: World, document: StoredDocument, errores: SriMessage[]): void {
  document.estado = stateAfterError(Number(errores[0]?.identificador));
  document.errores = errores;
  decided(world, document);
}

function authorise(world: World, document: StoredDocument, advertencias: SriMessage[], estado: 4 | 9): void {
  document.estado = estado;
  document.errores = [];
  document.advertencias = advertencias;
  document.fechaAutorizacion = isoInEcuador(world.clock.now());
  decided(world, document);
  const account = world.accounts.get(document.apiKey);
  if (account && document.ambiente === 2) {
    spendCredit(account.wallets, world.clock.now());
    world.touch(account);
  }
}

function decided(world: World, document: StoredDocument): void {
  delete document.ordered;
  delete document.decideAt;
  world.documents.changed(document);
}
