import { z } from 'zod';
import { ecuadorDay, toServiceDate } from '../src/domain/clock.ts';
import { isProviderRuc } from '../src/domain/identification.ts';
import type { Amount, Decimal } from '../src/domain/money.ts';
import type { infoPlaceholders } from '../src/domain/money-policy.ts';
import { type Buyer, countryCode, countryName, type Order, type Refund } from '../src/domain/order.ts';
import { type DocumentContext, type FacturaContext, oneLine, optionalLine } from './hold.ts';
import { fold } from './tax-rules.ts';

/* The bodies in the service's own words, checked as the service checks them (spec, "Electronic document"). */

const text = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^[^\n\r]*$/, 'must be one line');
/** XSD: 14 digits with 2 decimals; quantities and prices with 6 decimals, within the digits a JSON number keeps. */
const decimals = (units: number) => (value: number) => value === Math.round(value * units) / units;
const amount = z.number().min(0).max(999_999_999_999).refine(decimals(100), 'has more than 2 decimals');
const fine = z.number().min(0).max(999_999_999).refine(decimals(1_000_000), 'has more than 6 decimals');

const detail = z.strictObject({ nombre: text(300), detalle: text(300) });

const emisor = z.strictObject({
  nombre_comercial: text(300),
  razon_social: text(300).optional(),
  ruc: z.string().regex(/^\d{10}001$/),
  codigo_establecimiento: z.string().regex(/^\d{3}$/),
  codigo_puntoemision: z.string().regex(/^\d{3}$/),
  direccion_matriz: text(300),
  direccion_establecimiento: text(300),
  obligado_contabilidad: z.enum(['SI', 'NO']),
  contribuyente_especial: text(50).optional(),
  calificacion_artesanal: text(50).optional(),
  exportador_habitual: z.boolean().optional(),
  gran_contribuyente: z.boolean().optional(),
  agente_retencion: z.boolean().optional(),
  regimen_rimpe: z.boolean().optional(),
  regimen_rimpe_popular: z.boolean().optional(),
  numero_resolucion: text(100).optional(),
  secuencial: z
    .string()
    .regex(/^\d{9}$/)
    .optional(),
  fecha_emision: z.string().regex(/^\d{4}\/\d{2}\/\d{2}$/),
});

const comprador = z.strictObject({
  identificacion: text(20),
  tipo_identificacion: z.enum(['04', '05', '06', '07', '08']),
  razon_social: text(300),
  direccion: text(300),
  telefono: text(300).optional(),
  correo: text(300).optional(),
});

const item = z.strictObject({
  codigo_principal: text(25),
  codigo_auxiliar: text(25).optional(),
  descripcion: text(300),
  cantidad: fine.positive(),
  precio_unitario: fine,
  descuento: amount,
  precio_total_sin_impuesto: amount,
  tipoproducto: z.union([z.literal(1), z.literal(2)]),
  tipo_iva: z.number().int(),
  tipo_ice: z.int().min(3000).max(3999).optional(),
  tipo_irbpnr: z.literal(5001).optional(),
  unidad_medida: z.int().optional(),
  detalles_adicionales: z.array(detail).min(1).max(3).optional(),
});

/** As in a public description of the service, or with the fields of a factura's item (A21). */
const creditItem = item.extend({
  precio_total_sin_impuesto: amount.optional(),
  valor_ice: amount.optional(),
});

const total = z.strictObject({
  codigo: z.enum(['2', '3', '5']),
  codigo_porcentaje: z.string(),
  base_imponible: amount,
  tarifa: amount,
  valor: amount,
});

const pago = z.strictObject({
  tipo: z.number().int(),
  total: amount,
  plazo: z.int().min(0).max(99_999).optional(),
  tiempo: text(10).optional(),
});

const informacion_adicional = z
  // The service adds this entry itself and rejects a document that has it (spec, key rules).
  .array(detail.refine(({ nombre }) => !isProviderRuc(nombre), '"RUC Proveedor" is the service’s own entry'))
  .max(14);

export const facturaBody = z.strictObject({
  emisor,
  ambiente: z.union([z.literal(1), z.literal(2)]),
  tipo_emision: z.literal(1),
  comprador,
  items: z.array(item).min(1),
  totales: z.array(total).min(1),
  pagos: z.array(pago),
  informacion_adicional,
  guiaremision: z
    .string()
    .regex(/^\d{3}-\d{3}-\d{9}$/)
    .optional(),
  placa: text(20).optional(),
});

/** Spec, "Credit note (code 04) request"; what it does not show, by assumption A21. */
export const notaCreditoBody = z.strictObject({
  emisor,
  ambiente: z.union([z.literal(1), z.literal(2)]),
  tipo_emision: z.literal(1),
  // Never consumidor final (ficha técnica SRI, tabla 6).
  comprador: comprador.extend({ tipo_identificacion: z.enum(['04', '05', '06', '08']) }),
  items: z.array(creditItem).min(1),
  documento_modificado: z.record(z.string(), z.union([text(300), z.literal(1)])),
  totales: z.array(total).min(1).optional(),
  informacion_adicional,
  codigoDoc: text(300).optional(),
});

export type NotaCreditoBody = z.infer<typeof notaCreditoBody>;
export type FacturaBody = z.infer<typeof facturaBody>;
export type ItemBody = z.infer<typeof item>;
export type CreditItemBody = z.infer<typeof creditItem>;
export type TotalBody = z.infer<typeof total>;
export type PagoBody = z.infer<typeof pago>;
export type EmisorBody = z.infer<typeof emisor>;
export type CompradorBody = z.infer<typeof comprador>;

export const totalRow = (
  codigo: TotalBody['codigo'],
  code: number,
  rate: Amount | Decimal,
  base: Decimal,
  valor: Decimal,
): TotalBody => ({
  codigo,
  codigo_porcentaje: String(code),
  base_imponible: base.toNumber(),
  tarifa: Number(rate),
  valor: valor.toNumber(),
});

export function toComprador(buyer: Buyer, context: FacturaContext): CompradorBody {
  const telefono = telephone(buyer.phone);
  const correo = email(buyer.asked?.answer?.email ?? buyer.email);
  return {
    identificacion: context.recipient.id,
    tipo_identificacion: context.recipient.type,
    razon_social: oneLine(context.recipient.name, 300),
    // The service requires an address; a buyer without one has at least a country.
    direccion:
      optionalLine(buyer.address, 300) ?? oneLine(countryName(countryCode(buyer.country) ?? 'EC'), 300),
    ...(telefono ? { telefono } : {}),
    ...(correo ? { correo } : {}),
  };
}

/** Left out when too long or malformed: a cut address may belong to another person. */
function email(text: string | null): string | undefined {
  const line = optionalLine(text, 301);
  return line !== undefined && line.length <= 300 && isEmail(line) ? line : undefined;
}

const local = String.raw`[^\s@,;.<>()"\[\]]+(?:\.[^\s@,;.<>()"\[\]]+)*`;
const label = String.raw`[\p{L}\d](?:[\p{L}\d-]*[\p{L}\d])?`;
const address = new RegExp(`^${local}@(?:${label}\\.)+${label}$`, 'u');

/** A service that checks the address refuses the whole document for an extra dot. */
export const isEmail = (text: string): boolean => address.test(text);

function telephone(text: string | null): string | undefined {
  const line = optionalLine(text, 300);
  return line !== undefined && /\d/.test(line) ? line : undefined;
}

export function toEmisor(context: DocumentContext): EmisorBody {
  const { ambiente: _ambiente, ...issuer } = context.issuer;
  return {
    ...issuer,
    codigo_establecimiento: context.series.establecimiento,
    codigo_puntoemision: context.series.puntoEmision,
    ...(context.secuencial === null ? {} : { secuencial: context.secuencial }),
    fecha_emision: toServiceDate(context.today),
  };
}

type Info = FacturaBody['informacion_adicional'];

/** Templates without a known value are left out, because empty values are refused (XSD, 1..300). */
export function toAdditionalInfo(
  order: Order,
  context: DocumentContext,
  credit: { refund: Refund; ours: Info } | null = null,
): Info {
  const ours = credit?.ours ?? [];
  const days = {
    saleDay: credit ? null : otherDay(order.paidAt ?? order.placedAt, context),
    refundDay: otherDay(credit?.refund.at ?? null, context),
  };
  const filled = context.policy.additionalInfo.flatMap(({ name, value }): Info => {
    const nombre = optionalLine(name, 300);
    const detalle = optionalLine(fill(value, order, days), 300);
    return nombre && detalle && !isProviderRuc(nombre) ? [{ nombre, detalle }] : [];
  });
  return [
    ...filled.slice(0, 13 - ours.length),
    ...ours,
    { nombre: referenceField, detalle: oneLine(context.reference, 300) },
  ];
}

export const referenceField = 'Referencia';

function otherDay(at: string | null, { today }: DocumentContext): string | null {
  const day = at === null ? today : ecuadorDay(new Date(at));
  return day === today ? null : day.split('-').toReversed().join('/');
}

type Days = Record<'saleDay' | 'refundDay', string | null>;

function fill(template: string, order: Order, days: Days): string | null {
  const values: string[] = [];
  const text = template.replace(/\{([^{}]*)\}/g, (_, name: string) => {
    const value = knownOf(name, order, days)?.trim() ?? '';
    values.push(value);
    return value;
  });
  return values.length > 0 && values.every((value) => value === '') ? null : text;
}

function knownOf(name: string, order: Order, days: Days): string | null {
  if (name.startsWith('attribute.')) return attributeOf(order, [name.slice('attribute.'.length)], () => true);
  const { id, shop, note, buyer, presentment } = order;
  const known: Readonly<Record<(typeof infoPlaceholders)[number], string | null>> = {
    order: order.name,
    id,
    shop,
    note,
    email: buyer.email,
    phone: buyer.phone,
    presentment: presentment && `${presentment.currency} ${presentment.total}`,
    ...days,
  };
  return Object.hasOwn(known, name) ? known[name as keyof typeof known] : null;
}

export function attributeOf(
  order: Order,
  names: readonly string[],
  accepts: (value: string) => boolean,
): string | null {
  const plain = (name: string) =>
    fold(name)
      .replace(/[\s_-]+/g, ' ')
      .trim();
  const wanted = names.map(plain);
  const found = order.attributes.find(
    ({ name, value }) => wanted.includes(plain(name)) && accepts(value.trim()),
  );
  return found?.value.trim() ?? null;
}
