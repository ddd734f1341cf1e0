import { z } from 'zod';
import {
  describedNotaCredito,
  formerNotaCredito,
  type NotaCreditoBody,
  olderNotaCredito,
} from './emission/nota-credito.ts';
import { reportSchema } from './emission/reports.ts';
import { aviso, emitted, notCreated } from './operations/shapes.ts';
import type { DialectName } from './variants.ts';

// The specification leaves the nota de crédito and several answers unshown (docs/assumptions.md). A dialect is one
// way in which a service with this interface fills them in; what the specification shows is the same in the first
// two, and `older` is the interface that came before it.

/** A JSON answer before its dialect and after it. */
export interface Said {
  status: number;
  body: Record<string, unknown>;
}

/** The operation that answers, and the shape of its errors. */
export interface Speaker {
  id: string;
  words: 'emision' | 'empresa' | 'plain';
}

/** Everything one dialect changes. */
export interface Dialect {
  /** The body of `POST /api/credito/emision`. */
  notaCredito: z.ZodType<NotaCreditoBody>;
  /** Whether a nota de crédito's lines may state their totals; otherwise these follow from quantity, price and discount. */
  statedLines: boolean;
  /** What it answers otherwise than the operation says, by operationId and status, for the description. */
  answers: Readonly<Record<string, Readonly<Record<number, z.ZodType>>>>;
  /** The answer as this dialect writes it. */
  say(speaker: Speaker, said: Said): Said;
}

const credit = 'emitir_nota_credito';

/** What a public description of a service with this interface shows; the specification wherever both speak. */
const described: Dialect = {
  notaCredito: describedNotaCredito,
  statedLines: false,
  answers: {
    [credit]: {
      200: z
        .looseObject({ creado: z.literal(true), claveacceso: z.string(), id_comprobante: z.int(), ...aviso })
        .meta({ id: 'NotaCreditoResponse' })
        .or(notCreated),
      500: z
        .looseObject({ respuesta: z.literal(false), error: z.string(), ...aviso })
        .meta({ id: 'NotaCreditoError' }),
    },
  },
  say({ id, words }, { status, body }) {
    if (words !== 'emision') return { status, body };
    const { estado: _estado, mensaje: _mensaje, ...registered } = body;
    if (body.creado === true) return { status, body: id === credit ? registered : body };
    const errors = (body.errors as string[]).map(namesField);
    if (id === credit && status >= 500) {
      return { status, body: { respuesta: false, error: errors.join(' ') } };
    }
    return { status, body: { ...body, errors } };
  },
};

/** `emisor.ruc: es obligatorio.` as the description has such sentences. */
const namesField = (sentence: string) => sentence.replace(/^([\w.]+): (es obligatorio\b)/, 'El campo $1 $2');

/** The shapes this sandbox answered with before a description was known. */
const former: Dialect = {
  notaCredito: formerNotaCredito,
  statedLines: true,
  answers: {},
  say: (_speaker, said) => said,
};

const emissions = [
  'emitir_factura',
  credit,
  'emitir_liquidacion_compra',
  'emitir_nota_debito',
  'emitir_guia_remision',
  'emitir_retencion',
];
const notCreatedBefore = z
  .looseObject({
    creado: z.literal('false'),
    claveacceso: z.string().optional(),
    errors: z.union([z.string(), z.array(z.string()), z.object({ error: z.string() })]),
    ...aviso,
  })
  .meta({ id: 'EmisionErrorAnterior' });
const emittedBefore = z
  .looseObject({ ...emitted.shape, creado: z.literal('true') })
  .meta({ id: 'EmisionResponseAnterior' });
const { claveacceso, xml, pdf, estado: _, autorizado: __, ...sameReport } = reportSchema.shape;

/** The interface that came before: texts for booleans, other names for the same, hardly a status but 200. */
const older: Dialect = {
  notaCredito: olderNotaCredito,
  statedLines: false,
  answers: {
    ...Object.fromEntries(
      emissions.map((id) => {
        const refused = Object.fromEntries([400, 401, 409, 429, 500].map((code) => [code, notCreatedBefore]));
        return [id, { 200: emittedBefore.or(notCreatedBefore), ...refused }];
      }),
    ),
    consultar_comprobante: {
      200: z.looseObject({
        success: z.literal(true),
        clave_acceso: claveacceso,
        ...sameReport,
        enlace_xml: xml,
        enlace_pdf: pdf,
      }),
    },
  },
  say({ id, words }, { status, body }) {
    if (id === 'consultar_comprobante' && status === 200) return { status, body: olderReport(body) };
    if (words !== 'emision') return { status, body };
    if (body.creado === true) return { status, body: { ...body, creado: 'true' } };
    const errors = body.errors as string[];
    const reported = { ...body, creado: 'false', errors: errors.length > 1 ? errors : errors[0] };
    if (status === 409) return { status: 200, body: { ...reported, errors: 'Clave de acceso registrada' } };
    if (status >= 500) return { status, body: { ...reported, errors: { error: errors.join(' ') } } };
    return { status: status === 200 ? 400 : status, body: reported };
  },
};

/** `estado_texto` alone says that a document is authorised. */
function olderReport({ claveacceso, xml, pdf, estado: _estado, autorizado: _auto, ...same }: Said['body']) {
  return { ...same, clave_acceso: claveacceso, enlace_xml: xml, enlace_pdf: pdf };
}

export const dialects: Readonly<Record<DialectName, Dialect>> = { described, former, older };
