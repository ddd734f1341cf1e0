import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { decode, encode } from 'html-entities';
import { countingFactura } from '../../src/domain/document.ts';
import { ShopError } from '../../src/domain/errors.ts';
import {
  needsPerson,
  type WriteGuards,
  type WrittenDocument,
  writtenStates,
} from '../../src/domain/platform.ts';
import type { Api, OrderAnswer } from './api.ts';
import { refundIds } from './fetch.ts';
import { accessKeyMeta, creditNotesMeta, orderKeyOf } from './order.ts';
import type { WooMeta } from './payload.ts';

const stateMeta = '_facturapuente_estado';
const buyerLinkMeta = '_facturapuente_enlace_comprador';

/** Every PUT fires our own webhook, and notes are not idempotent (measured on WooCommerce 11.0.1). */
export async function writeBack(
  api: Api,
  orderId: string,
  documents: readonly WrittenDocument[],
  { mayWrite, orderKey = null, isKnownKey }: WriteGuards = {},
) {
  const order = await api.order(orderId);
  if (order === null) return;
  if (orderKey !== null && (orderKeyOf(order) ?? orderKey) !== orderKey) throw reusedId(orderId);
  const missing = missingMeta(order, documents, await hasUnknownKey(order, isKnownKey));
  if (missing.length > 0 && !(await api.putMeta(orderId, missing, mayWrite))) return;

  const wanted = documents.flatMap(toNote);
  if (wanted.length === 0) return;
  const notes = (await api.notes(orderId)) ?? [];
  for (const { mark, ...note } of wanted) {
    if (
      notes.some((there) => there.customer_note === note.customer_note && decode(there.note).includes(mark))
    )
      continue;
    await api.addNote(orderId, { ...note, note: toHtml(note.note) }, mayWrite);
    notes.push(note);
  }
  for (const note of resolved(notes, documents))
    await api.addNote(orderId, { note: toHtml(note), customer_note: false }, mayWrite);
}

/** WooCommerce shows notes as HTML, to the buyer by mail too, and lets links through (measured on WooCommerce 11.0.1). */
const toHtml = (text: string): string => text.replace(/[&<>]/g, (sign) => encode(sign));

/** A shop restored from a backup gives ids again. */
function reusedId(orderId: string): ShopError {
  return new ShopError('order-id-reused', { order: orderId }, { retryable: false });
}

async function hasUnknownKey(
  { meta_data: rows }: OrderAnswer,
  isKnownKey: WriteGuards['isKnownKey'],
): Promise<boolean> {
  if (!rows.some(({ key, value }) => key === stateMeta && value === writtenStates.authorized)) return false;
  for (const { key, value } of rows)
    if (key === accessKeyMeta && typeof value === 'string' && (await isKnownKey?.(value)) === false)
      return true;
  return false;
}

function missingMeta(order: OrderAnswer, documents: readonly WrittenDocument[], keepsFactura: boolean) {
  const rows = (key: string) => order.meta_data.filter((meta) => meta.key === key);
  const factura = countingFactura(documents.filter(({ state }) => state in writtenStates));
  // Parallel writers leave several rows of one key: one correct row is enough, or every run would write.
  const missing: { key: string; value: unknown }[] = Object.entries(
    factura && (factura.state === 'authorized' || !keepsFactura) ? toMeta(factura, rows) : {},
  )
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
  // A renewal or duplicate carries the list of its first order, whose refunds are not its own.
  const own = new Set([...refundIds(order), ...creditNotes.map(({ sourceId }) => sourceId)]);
  const kept = there.filter(
    (old) => own.has(String(old.reembolso)) && !added.some((note) => note.clave_acceso === old.clave_acceso),
  );
  const isWhole = added.length === 0 && kept.length === there.length;
  const list = [...kept, ...added];
  const isWritten = rows(creditNotesMeta).some((row) => isDeepStrictEqual(listed(row), list));
  if (!isWritten && (factura?.state === 'authorized' ? !isWhole : added.length > 0))
    missing.push({ key: creditNotesMeta, value: list });
  return missing;
}

function toMeta(
  factura: WrittenDocument,
  rows: (key: string) => readonly WooMeta[],
): Record<string, string | null> {
  const state = writtenStates[factura.state] ?? null;
  // A dropped document matters only where its state was written before.
  if (factura.state === 'cancelled') return rows(stateMeta).length > 0 ? { [stateMeta]: state } : {};
  const buyerLink = factura.identificationUrl ?? (rows(buyerLinkMeta).length > 0 ? '' : null);
  if (factura.state !== 'authorized') return { [stateMeta]: state, [buyerLinkMeta]: buyerLink };
  return {
    [buyerLinkMeta]: buyerLink,
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

function listed({ value }: WooMeta): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === 'object' && entry !== null) : [];
}

function resolved(
  notes: readonly { note: string; customer_note: boolean }[],
  documents: readonly WrittenDocument[],
): string[] {
  const ours = notes.filter((one) => !one.customer_note).map(({ note }) => decode(note));
  const referencesIn = (begins: string) =>
    ours
      .filter((note) => note.startsWith(begins))
      .flatMap((note) => note.match(/facturapuente-[0-9a-f]{12}/g) ?? []);
  const known = referencesIn('Resuelto: ');
  return (['factura', 'nota-credito'] as const).flatMap((kind) => {
    const own = documents.filter((one) => one.kind === kind && !one.isNotice);
    if (own.some(({ state }) => needsPerson(state)) || !own.some(({ state }) => state === 'authorized'))
      return [];
    const open = referencesIn(`La ${nameOf(kind)} de este pedido `).filter((one) => !known.includes(one));
    if (open.length === 0) return [];
    return `Resuelto: la ${nameOf(kind)} de este pedido ya está autorizada. No haga nada por lo que decía la nota con la referencia ${[...new Set(open)].join(', ')}.`;
  });
}

const nameOf = (kind: WrittenDocument['kind']): string =>
  `${kind === 'factura' ? 'factura' : 'nota de crédito'} electrónica`;

/** The environment is the 24th digit of an access key (SRI, ficha técnica de comprobantes electrónicos, table 1). */
const isOfTests = (accessKey: string): boolean => accessKey[23] === '1';

function toNote(document: WrittenDocument): { mark: string; note: string; customer_note: boolean }[] {
  const { kind, state, isNotice, number, accessKey, pageUrl, pdfUrl, reason, identificationUrl } = document;
  const named = nameOf(kind);
  if (state === 'authorized' && accessKey !== null) {
    const sentences = [
      `Su ${named}${number === null ? '' : ` ${number}`} fue autorizada por el SRI.`,
      ...(isOfTests(accessKey) ? ['Es de prueba: no tiene validez tributaria.'] : []),
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
  if (!needsPerson(state)) return [];
  // The shop cleans the text of notes, so a written reason is recognised by its hash.
  const hash = createHash('sha256').update(`${kind} ${state} ${reason}`).digest('hex').slice(0, 12);
  const mark = `Referencia: facturapuente-${hash}.`;
  const why = reason ?? 'Revise el documento en el panel de facturapuente.';
  const buyerLink = identificationUrl
    ? ` Enlace para que el comprador escriba su identificación: ${identificationUrl}`
    : '';
  const what = isNotice
    ? 'Este pedido necesita revisión manual'
    : `La ${named} de este pedido ${situation[state]}`;
  return [
    {
      mark,
      note: `${what}. ${why} ${mark}${buyerLink}`,
      customer_note: false,
    },
  ];
}
