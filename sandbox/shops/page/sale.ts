import { decode } from 'html-entities';
import { z } from 'zod';
import type { WooCommerceShop } from '../woocommerce/shop.ts';

const text = z.string().min(1);
const written = z.object({
  _facturapuente_estado: text.optional(),
  _facturapuente_numero: text.optional(),
  _facturapuente_clave_acceso: text.optional(),
  _facturapuente_pdf: text.optional(),
  _facturapuente_enlace_comprador: text.optional().catch(undefined),
  _facturapuente_notas_credito: z.array(z.object({ numero: text, clave_acceso: text, pdf: text })).optional(),
});

/** States as the factura has them; the others have no gender. */
const feminine: Readonly<Record<string, string>> = {
  RETENIDO: 'retenida',
  RECHAZADO: 'rechazada',
  DESCARTADO: 'descartada',
};

/** An order of the WooCommerce shop with what facturapuente wrote onto it; null where there is none. */
export function saleOf(woo: WooCommerceShop, id: string) {
  const order = woo.order(id);
  if (!order) return null;
  const meta = written.parse(Object.fromEntries(order.meta_data.map(({ key, value }) => [key, value])));
  const {
    _facturapuente_numero: number,
    _facturapuente_clave_acceso: accessKey,
    _facturapuente_pdf: pdfUrl,
  } = meta;
  const state = meta._facturapuente_estado;
  const [note] = meta._facturapuente_notas_credito ?? [];
  const isRefunded = woo.refunds(id).length > 0;
  const factura =
    number && accessKey && pdfUrl && state === 'AUTORIZADO' ? { number, accessKey, pdfUrl } : null;
  const notes = woo
    .notes(id)
    .map(({ note: words }) => decode(words.replaceAll(/<[^<>]*>/g, '')))
    // WooCommerce notes that it mailed a note.
    .filter((words) => !words.startsWith('Email "'));
  const isCreditStuck =
    note === undefined &&
    notes.some((words) => /^La nota de crédito electrónica de este pedido (está|necesita|fue)/.test(words));
  /** facturapuente notes a document after it wrote the rest. */
  const isNoted = (key: string) => notes.some((words) => words.includes(key));
  return {
    name: id,
    total: String(order.total),
    state: feminine[state ?? ''] ?? state?.toLowerCase() ?? 'en camino',
    factura,
    note: note ? { number: note.numero, pdfUrl: note.pdf } : null,
    notes,
    isRefunded,
    /** The nota de crédito needs a person; the reason is in the notes. */
    isCreditStuck,
    /** Nothing more is written by itself. */
    isSettled: isRefunded
      ? isCreditStuck || (note !== undefined && isNoted(note.clave_acceso))
      : factura === null
        ? state !== undefined
        : isNoted(factura.accessKey),
    buyerUrl: factura ? null : (meta._facturapuente_enlace_comprador ?? null),
  };
}

export type ShownSale = NonNullable<ReturnType<typeof saleOf>>;
