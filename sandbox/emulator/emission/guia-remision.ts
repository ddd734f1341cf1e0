import { z } from 'zod';
import {
  comprador,
  date,
  documentNumber,
  emisorConSecuencial,
  namedDetail,
  optionalText,
  text,
} from './blocks.ts';
import { codigoDoc, everyDocument } from './schema.ts';

// The guía de remisión as a public description shows it (assumption A22).

/** The carrier. */
const transportista = comprador
  .extend({ direccion: optionalText(300).optional(), placa: optionalText(20).optional() })
  .meta({ id: 'Transportista' });

const destinatario = comprador
  .extend({
    nombre_sucursal: optionalText(300).optional(),
    codigo_sucursal: optionalText(300).optional(),
  })
  .meta({ id: 'Destinatario' });

const traslado = z
  .strictObject({
    direccion_destino: text(300),
    fecha_inicio_transporte: date.optional().describe('YYYY/MM/DD; the day of issue when left out.'),
    fecha_fin_transporte: date.optional().describe('YYYY/MM/DD; the first day when left out.'),
    punto_partida: optionalText(300).optional().describe('The establishment when left out.'),
    ruta: optionalText(300).optional(),
    motivo_traslado: optionalText(300).optional().describe('The tax authority wants one.'),
    codigo_establecimiento_destino: z.int().min(0).max(999).optional(),
  })
  .meta({ id: 'Traslado' });

/** The document the goods travel with. */
const documentoSustento = z
  .strictObject({
    codigo_documento_sustento: z.int().min(1).max(99).optional().describe('1 for a factura.'),
    numero_documento_sustento: documentNumber.optional(),
    fecha_emision_documento_sustento: date.optional(),
    autorizacion_documento_sustento: z
      .string()
      .regex(/^\d{49}$/, 'debe tener exactamente 49 dígitos')
      .optional(),
    documento_aduanero: optionalText(20).optional(),
  })
  .meta({ id: 'DocumentoSustento' });

const item = z
  .strictObject({
    codigo_principal: text(25),
    codigo_auxiliar: optionalText(25).optional(),
    descripcion: text(300),
    cantidad: z.number(),
    unidad_medida: z.int().optional(),
    detalles_adicionales: z.array(namedDetail).optional(),
  })
  .meta({ id: 'ItemGuiaRemision' });

/** The guía de remisión emission request. */
export const guiaRemisionSchema = z
  .strictObject({
    ...everyDocument,
    emisor: emisorConSecuencial,
    tipo_emision: z.literal(1).optional(),
    transportista,
    destinatario,
    traslado,
    items: z.array(item).min(1),
    documento_sustento: documentoSustento.optional(),
    codigoDoc: codigoDoc('06'),
    proceso: z.enum(['Nuevo', 'Actualizar']).optional().describe('Taken, and changes nothing here.'),
  })
  .meta({ id: 'GuiaRemision' });
export type GuiaRemisionBody = z.infer<typeof guiaRemisionSchema>;
export type GuiaRemisionItem = GuiaRemisionBody['items'][number];

/** The transport as the tax authority writes it, with what the service fills in; dates are `YYYY/MM/DD`. */
export interface Transport {
  partida: string;
  destino: string;
  inicio: string;
  fin: string;
  placa: string;
  motivo: string;
  ruta: string;
  /** Three digits; undefined where none is given. */
  establecimientoDestino: string | undefined;
}

export function transportOf({ emisor, transportista, traslado }: GuiaRemisionBody): Transport {
  const inicio = traslado.fecha_inicio_transporte ?? emisor.fecha_emision;
  return {
    partida: traslado.punto_partida || emisor.direccion_establecimiento,
    destino: traslado.direccion_destino,
    inicio,
    fin: traslado.fecha_fin_transporte ?? inicio,
    placa: transportista.placa ?? '',
    motivo: traslado.motivo_traslado ?? '',
    ruta: traslado.ruta ?? '',
    establecimientoDestino: traslado.codigo_establecimiento_destino?.toString().padStart(3, '0'),
  };
}

/** The document the goods travel with, as the tax authority writes it: type of two digits, number with dashes. */
export function goodsDocument({ documento_sustento: given }: GuiaRemisionBody) {
  const number = given?.numero_documento_sustento;
  const [establecimiento, puntoEmision, secuencial] = [
    number?.slice(0, 3),
    number?.slice(3, 6),
    number?.slice(6),
  ];
  return {
    tipo: given?.codigo_documento_sustento?.toString().padStart(2, '0'),
    numero: number && `${establecimiento}-${puntoEmision}-${secuencial}`,
    autorizacion: given?.autorizacion_documento_sustento,
    fecha: given?.fecha_emision_documento_sustento,
    aduanero: given?.documento_aduanero,
  };
}
