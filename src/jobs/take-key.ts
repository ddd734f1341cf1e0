import { referenceField } from '../../mappers/body.ts';
import { type Document, type DocumentKind, documentCodes, readReference } from '../domain/document.ts';
import { CommandError } from '../domain/errors.ts';
import type { Store } from '../domain/settings.ts';
import type { Documents } from '../ledger/documents.ts';
import type { Refusal } from '../protocol/effects.ts';
import { hasCheckDigit, otherParts, readAccessKey } from '../service/event.ts';
import { type JobDeps, serviceOf } from './deps.ts';
import { enqueueSync } from './enqueue.ts';
import { factsOf, isKey, namedKey } from './load-state.ts';
import { isStill, noteIfLost } from './older-ledger/lost-documents.ts';
import { runProtocol } from './run-protocol.ts';

/** `refused`: nothing changed; the reason is Spanish. */
export type KeyTaken =
  | { kind: 'authorized' | 'processing'; checked: boolean }
  | { kind: 'refused'; reason: string };

export interface GivenKey {
  accessKey: string;
  by: string;
  /** The person confirms it where the service does not show the document. */
  confirmed: boolean;
}

/** The key must name this document, and the service's document under it must be ours, as for a 409. */
export async function takeKey(deps: JobDeps, document: Document, given: GivenKey): Promise<KeyTaken> {
  const { accessKey, by, confirmed } = given;
  const { id } = document;
  const hasLeft = document.accessKey !== null || (await deps.ledger.attempts.ofDocument(id)).length > 0;
  if (!hasLeft && isStill(document)) return takeLost(deps, document, accessKey);
  if (!deps.storeOf(document.platform, document.shop)) return { kind: 'refused', reason: storeGone };
  const event = { kind: 'key-given', key: namedKey(document, accessKey), confirmed } as const;
  const handled = await runProtocol(deps, id, event, { facts: { by } });
  const { reply, exchange } = handled;
  if (reply?.kind === 'refused')
    return {
      kind: 'refused',
      reason: whyNot(handled.document ?? document, accessKey, reply.why, exchange.words),
    };
  const what = reply?.what === 'processing' ? 'processing' : 'authorized';
  return { kind: what, checked: reply?.isConfirmed !== true };
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
      return 'El documento cambió de estado mientras tanto; revíselo de nuevo.';
  }
}

/** A document that was never sent may exist all the same if the ledger is older (older-ledger/bind.ts). */
async function takeLost(deps: JobDeps, document: Document, accessKey: string): Promise<KeyTaken> {
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
  const whose = isOf
    ? await noteIfLost(deps, { accessKey, stored: answer.facts, account, keyHash })
    : 'not-ours';
  if (whose === 'unproven')
    return {
      kind: 'refused',
      reason:
        'La tienda que nombra el XML de esa clave se mudó y todavía no se sabe a dónde. Repita en unos minutos. No se cambió nada.',
    };
  if (whose === 'not-ours')
    return {
      kind: 'refused',
      reason: 'El XML autorizado con esa clave no es de este pedido. No se cambió nada.',
    };
  await enqueueSync(deps.ledger, document, deps.clock.now());
  return { kind: 'processing', checked: true };
}

const unseen =
  'El servicio no muestra ningún documento con esa clave a la clave API configurada. Si usted comprobó en el portal del SRI que está autorizado y es de este pedido, repita la orden con --unverified.';

const storeGone = 'La tienda de este documento ya no está en la configuración.';

const miscopied = (accessKey: string): string =>
  isKey(accessKey)
    ? 'El dígito verificador de la clave no corresponde: revise que esté bien copiada.'
    : 'Una clave de acceso tiene 49 dígitos, sin espacios.';

/** In what the key names another document (ficha técnica SRI, tabla 1). */
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
  const reported = differ.map((one) => `${names[one]} ${facts[one]} en lugar de ${expected[one]}`);
  return `La clave es de otro documento: ${reported.join(', ')}.`;
}

interface DocumentQuery {
  /** Its id, its access key, or its number: 001-001-000000123. */
  name: string;
  store?: string | undefined;
  kind?: DocumentKind | undefined;
}

/** Throws CommandError `not-found` and `ambiguous`. */
export async function findDocument(
  { documents }: { documents: Pick<Documents, 'get' | 'byNumber' | 'byAccessKey'> },
  stores: Iterable<Store>,
  { name, store: only, kind }: DocumentQuery,
): Promise<Document> {
  const [, establecimiento, puntoEmision, secuencial] = /^(\d{3})-(\d{3})-(\d{9})$/.exec(name) ?? [];
  const found = new Map<string, Document>();
  const add = (document: Document | undefined) => document && found.set(document.id, document);
  if (!establecimiento || !puntoEmision || !secuencial)
    add((await documents.get(name)) ?? (isKey(name) ? await documents.byAccessKey(name) : undefined));
  else
    for (const { issuer } of stores)
      for (const codDoc of Object.values(documentCodes)) {
        const series = { ruc: issuer.ruc, ambiente: issuer.ambiente, codDoc, establecimiento, puntoEmision };
        add(await documents.byNumber(series, secuencial));
      }
  const fits = [...found.values()].filter(
    (one) => (only === undefined || one.storeId === only) && (kind === undefined || one.kind === kind),
  );
  const [document, ...others] = fits;
  if (!document) throw new CommandError('not-found', { why: 'document', name });
  if (others.length > 0)
    throw new CommandError('ambiguous', {
      what: `El documento ${name}`,
      found: fits.map(({ storeId, kind }) => `${storeId} (${kind})`).join(', '),
    });
  return document;
}
