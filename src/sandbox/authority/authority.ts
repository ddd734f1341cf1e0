import { isoInEcuador } from '../clock.ts';
import type { StoredDocument } from '../emission/documents.ts';
import { announce } from '../webhooks/webhooks.ts';
import type { World } from '../world.ts';
import { judge } from './judge.ts';
import { type SriMessage, sriMessage, stateAfterError } from './tables.ts';

/** Hands a stored document to the tax authority, which decides after `authorizeDelayMs`. */
export function sendToAuthority(world: World, document: StoredDocument): void {
  const outcome = world.faults.takeOutcome(document.body.comprador?.identificacion ?? '');
  if (outcome?.resultado === 'en_proceso') return;
  world.timers.after(outcome?.delayMs ?? world.settings.authorizeDelayMs, () => {
    const judged = judge(world, document);
    const code = outcome?.codigo;
    const ordered = code === undefined ? [] : [sriMessage(code, outcome?.informacionAdicional)];
    if (outcome?.resultado === 'error' && ordered[0]?.tipo !== 'ADVERTENCIA') {
      refuse(world, document, ordered[0] ? ordered : [sriMessage(34)]);
    } else if (judged.errores.length > 0) {
      refuse(world, document, judged.errores);
    } else {
      authorise(world, document, [...judged.advertencias, ...ordered], outcome?.estado ?? 4);
    }
    announce(world, document);
  });
}

function refuse(world: World, document: StoredDocument, errores: SriMessage[]): void {
  document.estado = stateAfterError(Number(errores[0]?.identificador));
  document.errores = errores;
  world.documents.changed(document);
}

function authorise(world: World, document: StoredDocument, advertencias: SriMessage[], estado: 4 | 9): void {
  document.estado = estado;
  document.errores = [];
  document.advertencias = advertencias;
  document.fechaAutorizacion = isoInEcuador(world.clock.now());
  world.documents.changed(document);
  const account = world.accounts.get(document.apiKey);
  if (account && document.ambiente === 2) {
    account.credits -= 1;
    world.touch(account);
  }
}
