import type { Document } from '../src/core/document.ts';
import type { Sandbox, StoredDocument } from '../src/sandbox/index.ts';
import type { Sold } from './sold.ts';

/** What the tax service holds of one order, and what the product's ledger says of it. */
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
 * Lays the service's authorised documents beside the shops' sales. They are matched by the reference every
 * document carries (`woocommerce/127.0.0.1:4567/factura/12/1`), not by anything the product says of them.
 */
export function gather(
  sold: readonly Sold[],
  stored: readonly StoredDocument[],
  ledger: readonly Document[],
): AllEvidence {
  const byReference = Map.groupBy(stored.filter(isAuthorised), sourceOf);
  const ofLedger = Map.groupBy(ledger, ({ platform, shop, orderId }) => `${platform}/${shop}/${orderId}`);
  const claimed = new Set<StoredDocument>();
  const take = (source: string) => {
    const found = byReference.get(source) ?? [];
    for (const one of found) claimed.add(one);
    return found;
  };
  const orders = sold.map((order): Evidence => {
    const { platform, id, refunds } = order;
    const shop = order.shop.replace(/^https?:\/\//, '');
    return {
      sold: order,
      facturas: take(`${platform}/${shop}/factura/${id}`),
      creditNotes: new Map(
        refunds.map((refund) => [refund.id, take(`${platform}/${shop}/nota-credito/${refund.id}`)]),
      ),
      ledger: ofLedger.get(`${platform}/${order.shop}/${id}`) ?? [],
    };
  });
  const strangers = stored.filter((one) => isAuthorised(one) && !claimed.has(one));
  return { orders, strangers };
}

/** The reference without its last part, the ordinal: two documents for one source are a duplicate whatever it says. */
function sourceOf({ informacionAdicional }: StoredDocument): string {
  const reference = informacionAdicional.find(({ nombre }) => nombre === 'Referencia')?.detalle ?? '';
  return reference.replace(/\/\d+$/, '');
}

/** Numbers of a series the service never saw and the ledger does not explain by a document cancelled with a reason. */
export function gapsOf(sandbox: Pick<Sandbox, 'documents'>, ledger: readonly Document[]): string[] {
  const name = (ruc: string, type: string, establecimiento: string, punto: string) =>
    `${ruc} tipo ${type} ${establecimiento}-${punto}`;
  const seen = Map.groupBy(sandbox.documents(), (one) =>
    name(one.ruc, one.tipo, one.establecimiento, one.puntoEmision),
  );
  const given = Map.groupBy(
    ledger.filter(({ secuencial }) => secuencial !== null),
    (one) => name(one.ruc, one.codDoc, one.establecimiento, one.puntoEmision),
  );
  return [...new Set([...seen.keys(), ...given.keys()])].flatMap((series) => {
    const arrived = new Set((seen.get(series) ?? []).map(({ secuencial }) => Number(secuencial)));
    const documents = new Map((given.get(series) ?? []).map((one) => [Number(one.secuencial), one]));
    const last = Math.max(0, ...arrived, ...documents.keys());
    return Array.from({ length: last }, (_, at) => at + 1)
      .filter((number) => !arrived.has(number))
      .filter((number) => {
        const document = documents.get(number);
        return document?.state !== 'cancelled' || document.reason === null;
      })
      .map((number) => `${series}-${number}: ${documents.get(number)?.state ?? 'nobody knows of it'}`);
  });
}
