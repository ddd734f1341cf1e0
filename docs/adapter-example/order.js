import { PayloadError } from 'facturapuente';
import { z } from 'zod';

const amount = z.string().regex(/^\d+\.\d{2}$/);
const refund = z.object({
  id: z.int(),
  fecha: z.iso.datetime(),
  motivo: z.string().nullable(),
  monto: amount,
  lineas: z.array(
    z.object({ linea: z.int(), nombre: z.string(), cantidad: z.string(), neto: amount, iva: amount }),
  ),
});
const order = z.object({
  id: z.int(),
  numero: z.string(),
  estado: z.enum(['pendiente', 'pagado', 'anulado']),
  creado: z.iso.datetime(),
  pagado: z.iso.datetime().nullable(),
  actualizado: z.iso.datetime(),
  total: amount,
  iva: amount,
  cliente: z.object({
    nombre: z.string(),
    identificacion: z.string().nullable(),
    correo: z.string().nullable(),
    telefono: z.string().nullable(),
    direccion: z.string().nullable(),
  }),
  pago: z.string(),
  lineas: z.array(
    z.object({
      id: z.int(),
      sku: z.string().nullable(),
      nombre: z.string(),
      cantidad: z.string(),
      neto: amount,
      iva: amount,
      tarifa: z.string(),
      servicio: z.boolean(),
    }),
  ),
  reembolsos: z.array(refund),
  comprobantes: z.array(z.object({ clave: z.string().nullable() })).default([]),
});

/** The shop's JSON of an order → what is invoiced. Pure; amounts are the shop's own, never priced anew. */
export function readOrder(payload, { url }) {
  const read = parse(order, payload, 'order-unreadable');
  return {
    platform: 'tienda-propia',
    shop: url,
    id: String(read.id),
    name: read.numero,
    settlement: settlementOf(read),
    status: read.estado,
    test: false,
    currency: 'USD',
    presentment: null,
    placedAt: read.creado,
    paidAt: read.pagado,
    updatedAt: read.actualizado,
    lines: read.lineas.map(toLine),
    charges: [],
    total: read.total,
    totalTax: read.iva,
    buyer: toBuyer(read.cliente),
    payments: [{ gateway: read.pago, title: null, amount: read.total }],
    refunds: read.reembolsos.map(toRefund),
    accessKeys: read.comprobantes.flatMap(({ clave }) => clave ?? []),
    note: null,
    attributes: [],
    terms: null,
  };
}

/** Refunds as `plan --refunds` hands them in: one, or a list. */
export function readRefunds(payload) {
  return parse(z.array(refund), [payload].flat(), 'not-an-order', 'una lista de reembolsos').map(toRefund);
}

function settlementOf({ estado, total, reembolsos }) {
  if (estado === 'anulado') return 'cancelled';
  if (estado === 'pendiente') return 'unpaid';
  const cents = (text) => Math.round(Number(text) * 100);
  const back = reembolsos.reduce((sum, { monto }) => sum + cents(monto), 0);
  if (back === 0) return 'paid';
  return back >= cents(total) ? 'refunded' : 'partially-refunded';
}

function toLine({ id, sku, nombre, cantidad, neto, iva, tarifa, servicio }) {
  return {
    id: String(id),
    kind: 'product',
    sku,
    name: nombre,
    quantity: cantidad,
    service: servicio,
    attributes: [],
    productId: null,
    tags: [],
    collections: [],
    subtotal: neto,
    net: neto,
    tax: iva,
    taxes: [{ title: `IVA ${tarifa} %`, rate: tarifa, amount: iva, rateId: null }],
    taxClass: null,
    taxable: null,
  };
}

/** Every identification there is, with where it stood; which one counts is not the adapter's to say. */
function toBuyer({ nombre, identificacion, correo, telefono, direccion }) {
  const id = identificacion?.trim();
  return {
    name: nombre,
    company: null,
    email: correo,
    phone: telefono,
    address: direccion,
    country: 'EC',
    ids: id ? [{ value: id, source: 'cliente.identificacion', type: null }] : [],
  };
}

function toRefund({ id, fecha, motivo, monto, lineas }) {
  return {
    id: String(id),
    at: fecha,
    reason: motivo,
    amount: monto,
    pending: '0.00',
    parts: lineas.map(({ linea, nombre, cantidad, neto, iva }) => ({
      of: `line:${linea}`,
      name: nombre,
      quantity: cantidad,
      net: neto,
      tax: iva,
    })),
    discrepancy: '0.00',
  };
}

/** Names what is wrong and where, never the value: it may be a buyer's. */
function parse(schema, payload, code, what = 'un pedido') {
  const read = schema.safeParse(payload);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const place = issue?.path.join('.') || '(todo)';
  throw new PayloadError(code, { platform: 'Tienda propia', what, problem: `no se entiende «${place}»` });
}
