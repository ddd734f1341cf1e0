import { referenceField } from '../../mappers/additional-info.ts';
import { type Document, readReference } from '../domain/document.ts';
import type { Refusal } from '../protocol/effects.ts';
import { hasCheckDigit, otherParts, readAccessKey } from '../service/access-key.ts';
import { askSync } from './ask.ts';
import type { StepDeps } from './deps.ts';
import { serviceOf } from './issued.ts';
import { factsOf, isKey } from './key-names.ts';
import { isStill, meetStored } from './older-ledger/meet.ts';
import { happens } from './sending/happen.ts';
import { namedKey } from './sending/state.ts';

/** What became of a key a person gave; `refused` says why in Spanish, and then nothing changed. */
export type KeyTaken =
  | { kind: 'authorized' | 'processing'; checked: boolean }
  | { kind: 'refused'; reason: string };

export interface GivenKey {
  accessKey: string;
  /** Who gives it, for the history. */
  by: string;
  /** That person answers for it where the service does not show the document. */
  vouched: boolean;
}

/**
 * Gives a document the access key a person found (architecture: 45 with the key still unknown). The key must be this
 * document's by its own digits, and what the service holds under it must be ours, as for a 409 (src/protocol/person.ts).
 */
export async function takeKey(deps: StepDeps, document: Document, given: GivenKey): Promise<KeyTaken> {
  const { accessKey, by, vouched } = given;
  const { id } = document;
  const hasLeft = document.accessKey !== null || (await deps.ledger.attempts.ofDocument(id)).length > 0;
  if (!hasLeft && isStill(document)) return takeLost(deps, document, accessKey);
  if (!deps.storeOf(document.platform, document.shop)) return { kind: 'refused', reason: storeGone };
  const event = { kind: 'key-given', key: namedKey(document, accessKey), vouched } as const;
  const ended = await happens(deps, document.id, event, { facts: { by } });
  const { said, talk } = ended;
  if (said?.kind === 'refused')
    return { kind: 'refused', reason: whyNot(ended.document ?? document, accessKey, said.why, talk.words) };
  const what = said?.what === 'processing' ? 'processing' : 'authorized';
  return { kind: what, checked: said?.isVouched !== true };
}

function whyNot(document: Document, accessKey: string, why: Refusal, words: readonly string[] = []): string {
  switch (why) {
    case 'finished':
      return `El documento ya está autorizado con la clave ${document.accessKey}.`;
    case 'not-sent':
      return 'El documento no se ha enviado o se está enviando en este momento, y todavía no puede tener una clave de acceso.';
    case 'key-of-another':
      return wrongKey(document, accessKey);
    case 'service-silent':
      return 'El servicio no responde ahora; intente de nuevo en unos minutos.';
    case 'key-unseen':
      return unseen;
    case 'key-not-authorized':
      return `El SRI no autorizó el documento de esa clave (${words.join('; ') || 'sin motivo'}); solo se acepta la clave de uno autorizado o en proceso.`;
    case 'xml-unreadable':
      return 'El XML autorizado de esa clave no se puede leer ahora, y sin él no se puede comprobar que sea de este pedido; intente de nuevo en unos minutos.';
    case 'key-not-ours':
      return 'El XML autorizado con esa clave no es de este pedido: la referencia, el comprador o el total son otros. No se cambió nada.';
    case 'key-of-another-order':
      return 'Esa clave es de otro pedido de la tienda, que el registro había perdido: se le asigna a ese pedido. Este documento espera su turno.';
    default:
      return 'El documento cambió de estado mientras tanto; mírelo de nuevo.';
  }
}

/**
 * A document that never left may have been issued by what the ledger lost: the XML under the key names its order, which
 * is read and bound to it then (older-ledger/bind.ts).
 */
async function takeLost(deps: StepDeps, document: Document, accessKey: string): Promise<KeyTaken> {
  const store = deps.storeOf(document.platform, document.shop);
  const { account } = document;
  if (!isKey(accessKey) || !hasCheckDigit(accessKey))
    return { kind: 'refused', reason: miscopied(accessKey) };
  if (!store) return { kind: 'refused', reason: storeGone };
  const { calls, keyHash } = serviceOf(deps, document, store);
  const answer = await calls(null).descargarXml(accessKey);
  if (answer.kind !== 'found')
    return {
      kind: 'refused',
      reason:
        'El documento no se ha enviado, y el servicio no muestra ninguno con esa clave a la clave API configurada. De un documento que no se ha enviado solo se acepta la clave que el servicio muestre.',
    };
  const named = readReference(answer.facts.campoAdicional[referenceField]);
  const isOf = named?.kind === document.kind && named.sourceId === document.sourceId;
  const met = isOf
    ? await meetStored(deps, { accessKey, stored: answer.facts, account, keyHash })
    : 'not-ours';
  if (met === 'not-ours')
    return {
      kind: 'refused',
      reason: 'El XML autorizado con esa clave no es de este pedido. No se cambió nada.',
    };
  await askSync(deps.ledger, document, deps.clock.now());
  return { kind: 'processing', checked: true };
}

const unseen =
  'El servicio no muestra ningún documento con esa clave a la clave API configurada. Si usted comprobó en el portal del SRI que está autorizado y es de este pedido, repita la orden con --sin-comprobar.';

const storeGone = 'La tienda de este documento ya no está en la configuración.';

const miscopied = (accessKey: string): string =>
  isKey(accessKey)
    ? 'El dígito verificador de la clave no corresponde: revise que esté bien copiada.'
    : 'Una clave de acceso tiene 49 dígitos, sin espacios.';

/** Compares the key's own digits with the document (ficha técnica SRI, tabla 1). */
function wrongKey(document: Document, accessKey: string): string {
  if (!isKey(accessKey) || !hasCheckDigit(accessKey)) return miscopied(accessKey);
  const [facts, expected] = [readAccessKey(accessKey), factsOf(document)];
  const names = {
    tipo_comprobante: 'tipo',
    ruc_emisor: 'RUC',
    ambiente: 'ambiente',
    numero: 'número',
  } as const;
  const differ = otherParts(accessKey, expected);
  const told = differ.map((one) => `${names[one]} ${facts[one]} en lugar de ${expected[one]}`);
  return `La clave es de otro documento: ${told.join(', ')}.`;
}
