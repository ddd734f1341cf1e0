import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { decode } from 'html-entities';
import { countingFactura, type DocumentState } from '../../src/domain/document.ts';
import { ShopError } from '../../src/domain/errors.ts';
import type { WrittenDocument } from '../../src/domain/platform.ts';
import type { Api, Note, OrderAnswer } from './api.ts';
import { refundIds } from './fetch.ts';
import { accessKeyMeta, creditNotesMeta, orderKeyOf } from './order.ts';
import type { WooMeta } from './payload.ts';

const stateMeta = '_facturapuente_estado';
/** Where the buyer of a held order says whom the factura is to name; emptied once nobody is asked. */
const askingMeta = '_facturapuente_enlace_comprador';

/** What merchants read in `_facturapuente_estado`; states on their way are not written. */
const stateWords: Partial<Record<DocumentState, string>> = {
  authorized: 'AUTORIZADO',
  held: 'RETENIDO',
  manual: 'REVISIÓN MANUAL',
  rejected: 'RECHAZADO',
  cancelled: 'DESCARTADO',
};

/**
 * Leaves on the order what became of its documents: meta data in one PUT, and one note per document. Reads
 * before it writes, because every PUT wakes our own webhook and notes know no idempotency (measured on WooCommerce 11.0.1): a
 * repeat, also after a write whose answer was lost, adds nothing. The order's status is never touched.
 */
export async function writeBack(
  api: Api,
  orderId: string,
  documents: readonly WrittenDocument[],
  mayWrite?: () => Promise<void>,
  orderKey: string | null = null,
) {
  const order = await api.order(orderId);
  if (order === null) return;
  if (orderKey !== null && (orderKeyOf(order) ?? orderKey) !== orderKey) throw anotherOrder(orderId);
  const missing = missingMeta(order, documents);
  if (missing.length > 0 && !(await api.putMeta(orderId, missing, mayWrite))) return;

  const wanted = documents.flatMap(toNote);
  if (wanted.length === 0) return;
  const notes = (await api.notes(orderId)) ?? [];
  for (const { mark, ...note } of wanted) {
    if (notes.some((there) => isOurs(there, mark, note.customer_note))) continue;
    await api.addNote(orderId, note, mayWrite);
    notes.push(note);
  }
}

/** A shop that was restored from a backup gives ids again. */
function anotherOrder(orderId: string): ShopError {
  return new ShopError(
    'order-id-reused',
    `La tienda tiene ahora otro pedido con el id ${orderId}: no se escribe nada en él.`,
    `WooCommerce, writing onto order ${orderId}: its order_key is another one than that of the order read before; nothing was written.`,
    { retryable: false },
  );
}

function missingMeta(order: OrderAnswer, documents: readonly WrittenDocument[]) {
  const rows = (key: string) => order.meta_data.filter((meta) => meta.key === key);
  const factura = countingFactura(documents.filter(({ state }) => state in stateWords));
  // Parallel writers leave several rows of one key; one right row is enough, else we would write for ever.
  const missing: { key: string; value: unknown }[] = Object.entries(factura ? toMeta(factura, rows) : {})
    .filter(([, value]) => value !== null)
    .filter(([key, value]) => !rows(key).some((row) => row.value === value))
    .map(([key, value]) => ({ key, value }));

  const creditNotes = documents.filter(
    ({ kind, state }) => kind === 'nota-credito' && state === 'authorized',
  );
  const there = rows(creditNotesMeta).flatMap(listed);
  const added = creditNotes
    .map(toListed)
    .filter((note) => !there.some((old) => isDeepStrictEqual(old, note)));
  // A renewal or duplicate carries those of the order it was made from: their refunds are none of this one's.
  const own = new Set([...refundIds(order), ...creditNotes.map(({ sourceId }) => sourceId)]);
  const kept = there.filter(
    (old) => own.has(String(old.reembolso)) && !added.some((note) => note.clave_acceso === old.clave_acceso),
  );
  const isWhole = added.length === 0 && kept.length === there.length;
  const list = [...kept, ...added];
  // As above: one right row is enough.
  const stands = rows(creditNotesMeta).some((row) => isDeepStrictEqual(listed(row), list));
  if (!stands && (factura?.state === 'authorized' ? !isWhole : added.length > 0))
    missing.push({ key: creditNotesMeta, value: list });
  return missing;
}

/** An order has one factura, so its facts stand under plain keys; null values are not written. */
function toMeta(
  factura: WrittenDocument,
  rows: (key: string) => readonly WooMeta[],
): Record<string, string | null> {
  const state = stateWords[factura.state] ?? null;
  if (factura.besideUnknownKey && rows(stateMeta).some(({ value }) => value === stateWords.authorized))
    return {};
  // Dropping a document nobody has heard of is no news.
  if (factura.state === 'cancelled') return rows(stateMeta).length > 0 ? { [stateMeta]: state } : {};
  const asking = factura.identificationUrl ?? (rows(askingMeta).length > 0 ? '' : null);
  if (factura.state !== 'authorized') return { [stateMeta]: state, [askingMeta]: asking };
  return {
    [askingMeta]: asking,
    [accessKeyMeta]: factura.accessKey,
    _facturapuente_numero: factura.number,
    [stateMeta]: state,
    _facturapuente_pdf: factura.pdfUrl,
    _facturapuente_xml: factura.xmlUrl,
    _facturapuente_autorizado_en: factura.authorizedAt,
  };
}

function toListed(note: WrittenDocument): Record<string, string> {
  const facts = {
    reembolso: note.sourceId,
    clave_acceso: note.accessKey,
    numero: note.number,
    pdf: note.pdfUrl,
    xml: note.xmlUrl,
    autorizado_en: note.authorizedAt,
  };
  return Object.fromEntries(
    Object.entries(facts).filter((fact): fact is [string, string] => fact[1] !== null),
  );
}

/** An order can have several notas de crédito; they stand together in one row, as a list. */
function listed({ value }: WooMeta): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === 'object' && entry !== null) : [];
}

/** The note for a document, and the words by which we know it again. */
function toNote(document: WrittenDocument): { mark: string; note: string; customer_note: boolean }[] {
  const { kind, state, number, accessKey, pageUrl, pdfUrl, reason, identificationUrl } = document;
  const named = `${kind === 'factura' ? 'factura' : 'nota de crédito'} electrónica`;
  if (state === 'authorized' && accessKey !== null) {
    const sentences = [
      `Su ${named}${number === null ? '' : ` ${number}`} fue autorizada por el SRI.`,
      `Su clave de acceso es ${accessKey}.`,
      ...(reason === null ? [] : [reason]),
      ...(pageUrl
        ? [`Puede verla y descargarla en este enlace: ${pageUrl}`]
        : pdfUrl === null
          ? []
          : [`Puede descargar el PDF en este enlace: ${pdfUrl}`]),
    ];
    return [{ mark: accessKey, note: sentences.join(' '), customer_note: true }];
  }
  const situation = { held: 'está retenida', manual: 'necesita revisión manual', rejected: 'fue rechazada' };
  if (state !== 'held' && state !== 'manual' && state !== 'rejected') return [];
  // The shop cleans the text of notes, so the reason is known again by its hash.
  const hash = createHash('sha256').update(`${kind} ${state} ${reason}`).digest('hex').slice(0, 12);
  const mark = `Referencia: facturapuente-${hash}.`;
  const why = reason ?? 'Revise el documento en el panel de facturapuente.';
  const asking = identificationUrl
    ? ` Enlace para que el comprador escriba su identificación: ${identificationUrl}`
    : '';
  return [
    {
      mark,
      note: `La ${named} de este pedido ${situation[state]}. ${why} ${mark}${asking}`,
      customer_note: false,
    },
  ];
}

function isOurs(there: Note, mark: string, customerNote: boolean): boolean {
  return there.customer_note === customerNote && decode(there.note).includes(mark);
}
