import { referenceField } from '../../mappers/additional-info.ts';
import { type Attempt, type Document, type DocumentState, readReference } from '../core/document.ts';
import type { MoveNote } from '../core/move-note.ts';
import { hasCheckDigit, otherParts, readAccessKey } from '../service/access-key.ts';
import type { FoundDocument } from '../service/answers.ts';
import { askFollowUp, askSync } from './ask.ts';
import { bearerOf } from './bearer.ts';
import { type Comparison, readStored } from './compare-stored.ts';
import type { StepDeps } from './deps.ts';
import { serviceOf } from './issued.ts';
import { factsOf } from './key-names.ts';
import { meetStored } from './older-ledger/meet.ts';
import { applyOutcome } from './outcome.ts';

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

/** Where a document may stand whose key only a person can find; `ready` where it is to leave once more (repeat.ts). */
const open: readonly DocumentState[] = ['ready', 'processing', 'uncertain', 'rejected', 'manual'];

/**
 * Gives a document the access key a person found (architecture: 45 with the key still unknown). The key must be this
 * document's by its own digits, and what the service holds under it must be ours, as for a 409. All moves are
 * compare-and-set, so it may run beside the workers; run twice it ends the same.
 */
export async function takeKey(deps: StepDeps, document: Document, given: GivenKey): Promise<KeyTaken> {
  const { accessKey, vouched } = given;
  if (document.secuencial === null && (document.state === 'held' || document.state === 'manual'))
    return takeLost(deps, document, accessKey);
  const attempts = await deps.ledger.attempts.ofDocument(document.id);
  const wrong = refusedState(document, attempts) ?? wrongKey(document, accessKey);
  if (wrong !== null) return { kind: 'refused', reason: wrong };
  const store = deps.storeOf(document.platform, document.shop);
  if (!store)
    return { kind: 'refused', reason: 'La tienda de este documento ya no está en la configuración.' };
  const { calls } = serviceOf(deps, document, store);
  const answer = await calls(null).consultarComprobante(accessKey);
  if (answer.kind === 'found') {
    const compared =
      answer.state === 'authorized' ? await readStored(calls(null), accessKey, document, attempts) : null;
    if (compared?.agreement === 'foreign' && compared.named && vouched && document.code === 'stored-differs')
      return bear(deps, document, given, answer);
    if (compared?.agreement === 'foreign' && !compared.named) {
      const shown = {
        accessKey,
        stored: compared.stored,
        account: document.account,
        keyHash: document.keyHash,
      };
      if ((await meetStored(deps, shown)) === 'noted') return { kind: 'refused', reason: ofAnotherOrder };
    }
    const reason = notOurs(answer, compared);
    if (reason !== null) return { kind: 'refused', reason };
    const sending = compared?.agreement === 'ours' ? compared.sending : undefined;
    return bear(deps, document, { ...given, vouched: false }, answer, sending);
  }
  if (answer.kind !== 'not-found' && answer.kind !== 'unauthorized')
    return { kind: 'refused', reason: 'El servicio no responde ahora; intente de nuevo en unos minutos.' };
  if (!vouched) return { kind: 'refused', reason: unseen };
  return bear(deps, document, given, foundByHand(accessKey));
}

/**
 * A document without a number may have been issued by what the ledger lost: the XML under the key names its order, which
 * is read and bound to it then (older-ledger/bind.ts).
 */
async function takeLost(deps: StepDeps, document: Document, accessKey: string): Promise<KeyTaken> {
  const store = deps.storeOf(document.platform, document.shop);
  const { account } = document;
  if (!/^\d{49}$/.test(accessKey) || !hasCheckDigit(accessKey) || !store)
    return { kind: 'refused', reason: 'Esa no es una clave de acceso: revise que esté bien copiada.' };
  const { calls, keyHash } = serviceOf(deps, document, store);
  const answer = await calls(null).descargarXml(accessKey);
  if (answer.kind !== 'found') return { kind: 'refused', reason: unseen };
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

function refusedState(
  { state, secuencial, accessKey }: Document,
  attempts: readonly Attempt[],
): string | null {
  if (state === 'authorized') return `El documento ya está autorizado con la clave ${accessKey}.`;
  const neverLeft = secuencial === null || (state === 'ready' && attempts.length === 0);
  if (neverLeft || !open.includes(state))
    return 'El documento no se ha enviado o se está enviando en este momento, y todavía no puede tener una clave de acceso.';
  return null;
}

/** Compares the key's own digits with the document (ficha técnica SRI, tabla 1). */
function wrongKey(document: Document, accessKey: string): string | null {
  if (!/^\d{49}$/.test(accessKey)) return 'Una clave de acceso tiene 49 dígitos, sin espacios.';
  if (!hasCheckDigit(accessKey))
    return 'El dígito verificador de la clave no corresponde: revise que esté bien copiada.';
  const [facts, expected] = [readAccessKey(accessKey), factsOf(document)];
  const names = {
    tipo_comprobante: 'tipo',
    ruc_emisor: 'RUC',
    ambiente: 'ambiente',
    numero: 'número',
  } as const;
  const differ = otherParts(accessKey, expected);
  if (differ.length === 0) return null;
  const told = differ.map((one) => `${names[one]} ${facts[one]} en lugar de ${expected[one]}`);
  return `La clave es de otro documento: ${told.join(', ')}.`;
}

const ofAnotherOrder =
  'Esa clave es de otro pedido de la tienda, que el registro había perdido: se le asigna a ese pedido. Este documento espera su turno.';

function notOurs(found: FoundDocument, compared: Comparison | null): string | null {
  if (found.state === 'error') {
    const words = found.errors.map(({ mensaje }) => mensaje).join('; ') || 'sin motivo';
    return `El SRI no autorizó el documento de esa clave (${words}); solo se acepta la clave de uno autorizado o en proceso.`;
  }
  if (compared === null || compared.agreement === 'ours') return null;
  return compared.agreement === 'foreign'
    ? 'El XML autorizado con esa clave no es de este pedido: la referencia, el comprador o el total son otros. No se cambió nada.'
    : 'El XML autorizado de esa clave no se puede leer ahora, y sin él no se puede comprobar que sea de este pedido; intente de nuevo en unos minutos.';
}

/** The attempt that is in doubt, or whose content is stored, bears the key from now on; who said so stands in the history. */
async function bear(
  deps: StepDeps,
  document: Document,
  { accessKey, by, vouched }: GivenKey,
  found: FoundDocument,
  sending?: Attempt,
): Promise<KeyTaken> {
  const now = deps.clock.now();
  const settled = await deps.ledger.transaction(async (tables) => {
    const note: MoveNote = { cause: 'key given by hand', by, accessKey, checked: !vouched };
    const held = await tables.documents.move(document.id, { from: open, to: 'manual', note, now });
    if (!held) return undefined;
    const attempts = await tables.attempts.ofDocument(document.id);
    // A key on its way that no sending is known to bear is the last one's, so that it is asked about to its end.
    const last = found.state === 'processing' ? attempts.at(-1) : undefined;
    const bearer = sending ?? bearerOf(attempts, accessKey) ?? last;
    if (bearer) await tables.attempts.end(bearer.id, { outcome: 'adopted', accessKey, now });
    if (found.state !== 'processing') return held;
    const patch = { accessKey, code: null, reason: null };
    const going = await tables.documents.move(document.id, {
      from: ['manual'],
      to: 'processing',
      patch,
      note: { accessKey },
      now,
    });
    if (going) await askFollowUp(tables, going, now);
    return going;
  });
  if (!settled)
    return { kind: 'refused', reason: 'El documento cambió de estado mientras tanto; mírelo de nuevo.' };
  if (found.state === 'processing') return { kind: 'processing', checked: true };
  await applyOutcome(deps, settled, found, sending);
  return { kind: 'authorized', checked: !vouched };
}

/** What the service would have said, as far as the person knows. */
function foundByHand(claveacceso: string): FoundDocument {
  const { numero, tipo_comprobante, ruc_emisor, ambiente } = readAccessKey(claveacceso);
  return {
    kind: 'found',
    state: 'authorized',
    claveacceso,
    numero,
    tipo: tipo_comprobante,
    rucEmisor: ruc_emisor,
    ambiente,
    numeroAutorizacion: null,
    fechaAutorizacion: null,
    estadoTexto: null,
    annulled: false,
    enlaces: { xml: null, pdf: null },
    errors: [],
  };
}
