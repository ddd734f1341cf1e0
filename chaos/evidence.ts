import type { Sandbox, StoredDocument } from '../sandbox/emulator/index.ts';
import type { Document } from '../src/domain/document.ts';
import { numberOfSku } from './sales.ts';
import type { Sold } from './sold.ts';

/** Documents of one order at the tax service, and the product's ledger entries for it. */
export interface Evidence {
  sold: Sold;
  facturas: StoredDocument[];
  /** Authorised notas de crédito by refund id. */
  creditNotes: Map<string, StoredDocument[]>;
  ledger: Document[];
}

export interface AllEvidence {
  orders: Evidence[];
  /** Authorised documents that belong to no sale of any shop. */
  strangers: StoredDocument[];
}

export const isAuthorised = ({ estado }: StoredDocument): boolean => estado === 4 || estado === 9;

/**
 * Matches the service's authorised documents with the shops' sales: a factura by its product codes, which contain the
 * sale's number; a nota de crédito by the factura it modifies and by its refund. Neither depends on the product's name
 * of a shop, nor on an order id meaning one order.
 */
export function gather(
  sold: readonly Sold[],
  stored: readonly StoredDocument[],
  ledger: readonly Document[],
): AllEvidence {
  const bySale = Map.groupBy(stored.filter(isAuthorised), (one) => saleOf(one, stored, sold));
  const saleOfKey = new Map(stored.map((one) => [one.claveacceso, saleOf(one, stored, sold)]));
  const lastWithId = new Map(sold.map((one) => [idOf(one), one]));
  const ofLedger = Map.groupBy(
    ledger,
    (row) =>
      (row.accessKey === null ? undefined : saleOfKey.get(row.accessKey)) ??
      lastWithId.get(`${row.storeId} ${row.orderId}`)?.number ??
      null,
  );
  const claimed = new Set<StoredDocument>();
  const orders = sold.map((order): Evidence => {
    const documents = bySale.get(order.number) ?? [];
    const facturas = documents.filter(({ tipo }) => tipo === '01');
    const creditNotes = new Map(
      order.refunds.map((refund) => [
        refund.id,
        documents.filter((one) => one.tipo === '04' && referenceOf(one)?.id === refund.id),
      ]),
    );
    for (const one of [...facturas, ...[...creditNotes.values()].flat()]) claimed.add(one);
    return { sold: order, facturas, creditNotes, ledger: ofLedger.get(order.number) ?? [] };
  });
  const strangers = stored.filter((one) => isAuthorised(one) && !claimed.has(one));
  return { orders, strangers };
}

const idOf = ({ storeId, id }: Pick<Sold, 'storeId' | 'id'>): string => `${storeId} ${id}`;

/**
 * The number of the sale a document is about, from its product codes; of a nota de crédito, from its factura's. A factura
 * without codes (shipping alone) is matched by its order id.
 */
export function saleOf(
  document: StoredDocument,
  all: readonly StoredDocument[],
  sold: readonly Sold[],
): number | null {
  if (document.tipo === '04') {
    const { numero_documento_sustento: modified } = document.body.documento_modificado;
    const digits = modified.replaceAll('-', '');
    const factura = all.find(
      ({ tipo, ruc, numero }) =>
        tipo === '01' && ruc === document.ruc && numero.replaceAll('-', '') === digits,
    );
    return factura ? saleOf(factura, all, sold) : null;
  }
  if (document.tipo !== '01') return null;
  for (const { codigo_principal } of document.body.items) {
    const number = numberOfSku(String(codigo_principal ?? ''));
    if (number !== null) return number;
  }
  const order = referenceOf(document)?.id;
  const { ruc, puntoEmision } = document;
  // Shops have orders of one id; those that share a series are of two platforms, whose ids differ.
  const { identificacion } = document.body.comprador;
  const named = sold.filter(
    (one) =>
      one.id === order &&
      one.ruc === ruc &&
      one.puntoEmision === puntoEmision &&
      // A restored shop uses an id twice, for different buyers.
      (one.sale.buyer.id === undefined || one.sale.buyer.id === identificacion),
  );
  return named.length === 1 ? (named[0]?.number ?? null) : null;
}

/** The kind and the id at the end of our reference, before the ordinal (`…/factura/12/1`). */
function referenceOf({ informacionAdicional }: StoredDocument): { kind: string; id: string } | null {
  const reference = informacionAdicional.find(({ nombre }) => nombre === 'Referencia')?.detalle ?? '';
  const [, kind, id] = /\/(factura|nota-credito)\/([^/]+)\/\d+$/.exec(reference) ?? [];
  return kind === undefined || id === undefined ? null : { kind, id };
}

/** A number of a series without a document. */
export interface Gap {
  name: string;
  /** What the ledger has of it. */
  state: string;
}

export const gapName = (gap: { ruc: string; type: string; series: string; number: number }): string =>
  `${gap.ruc} tipo ${gap.type} ${gap.series}-${gap.number}`;

/** Numbers of a series that the service never saw, without a cancelled document or one that waits for a person with a reason. */
export function gapsOf(sandbox: Pick<Sandbox, 'documents'>, ledger: readonly Document[]): Gap[] {
  const name = (ruc: string, type: string, establecimiento: string, punto: string) =>
    [ruc, type, `${establecimiento}-${punto}`].join(' ');
  const seen = Map.groupBy(sandbox.documents(), (one) =>
    name(one.ruc, one.tipo, one.establecimiento, one.puntoEmision),
  );
  const given = Map.groupBy(
    ledger.filter(({ secuencial }) => secuencial !== null),
    (one) => name(one.ruc, one.codDoc, one.establecimiento, one.puntoEmision),
  );
  return [...new Set([...seen.keys(), ...given.keys()])].flatMap((key) => {
    const [ruc = '', type = '', series = ''] = key.split(' ');
    const arrived = new Set((seen.get(key) ?? []).map(({ secuencial }) => Number(secuencial)));
    const documents = new Map((given.get(key) ?? []).map((one) => [Number(one.secuencial), one]));
    const last = Math.max(0, ...arrived, ...documents.keys());
    return Array.from({ length: last }, (_, at) => at + 1)
      .filter((number) => !arrived.has(number))
      .filter((number) => {
        const document = documents.get(number);
        const { state, reason = null } = document ?? {};
        return reason === null || !['cancelled', 'held', 'rejected'].includes(state ?? '');
      })
      .map((number) => ({
        name: gapName({ ruc, type, series, number }),
        state: documents.get(number)?.state ?? 'nobody knows of it',
      }));
  });
}
