import { z } from 'zod';
import type { Demo } from './run.ts';

const text = z.string().min(1);
const written = z.object({
  _facturapuente_estado: text.optional(),
  _facturapuente_numero: text.optional(),
  _facturapuente_clave_acceso: text.optional(),
  _facturapuente_pdf: text.optional(),
  _facturapuente_enlace_comprador: text.optional().catch(undefined),
  _facturapuente_notas_credito: z.array(z.object({ numero: text, pdf: text })).optional(),
});

/** An order of the WooCommerce shop with what facturapuente wrote onto it; null where there is none. */
export function saleOf({ woo }: Pick<Demo, 'woo'>, id: string) {
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
  return {
    name: id,
    total: String(order.total),
    state: state?.toLowerCase() ?? 'en camino',
    factura,
    note: note ? { number: note.numero, pdfUrl: note.pdf } : null,
    isRefunded,
    /** Nothing more is written by itself. */
    isSettled: isRefunded ? note !== undefined : factura !== null || state !== undefined,
    buyerUrl: factura ? null : (meta._facturapuente_enlace_comprador ?? null),
  };
}
