import { z } from 'zod';
import { camelCased, freeText, word as limitedWord } from '../domain/text.ts';
import { figure, flag, lenient, readNotice, text } from './inferred.ts';

const number = lenient(
  z
    .union([z.number(), freeText.trim().min(1)])
    .transform(Number)
    .pipe(z.number()),
);
const word = lenient(text).transform((value) => value ?? null);
const amount = number.transform((value) => value ?? null);
const yes = lenient(flag).transform((value) => value ?? null);

const balanceState = lenient(
  freeText
    .trim()
    .toLowerCase()
    .pipe(z.enum(['suficiente', 'bajo', 'agotado'])),
);

/** A7. */
export const walletsBody = z.object({
  estado_saldo: balanceState,
  facturacion: lenient(z.object({ vence_en: word, estado_saldo: balanceState })),
  consultas: lenient(z.object({ saldo: amount, gratis_restantes: amount })),
});

const movement = z
  .object({
    /** As the service writes it: an instant, or a day or time of Ecuador. */
    fecha: limitedWord.min(1),
    /** `consumo`, `recarga` or `rollback` (a consumed credit came back); other words pass unchanged. */
    tipo: limitedWord.trim().toLowerCase().min(1),
    /** Credits, with the sign the service gives them. */
    cantidad: figure,
    descripcion: word,
    ambiente: lenient(figure.pipe(z.literal([1, 2]))),
  })
  .transform((read) => ({ ...read, ambiente: read.ambiente ?? null }));
export type CreditMovement = z.output<typeof movement>;

const mostMovements = 1_000;

/** The first list whose every entry can be read (A7); null where there is none. */
export function readMovements(body: Record<string, unknown>): CreditMovement[] | null {
  const lists = listsIn(body);
  if (lists.length > 0 && lists.every((list) => list.length === 0)) return [];
  for (const list of lists.filter(({ length }) => length > 0)) {
    const read = z.array(movement).max(mostMovements).safeParse(list);
    if (read.success) return read.data;
  }
  return null;
}

function listsIn(body: unknown, depth = 3): unknown[][] {
  if (Array.isArray(body)) return [body];
  if (typeof body !== 'object' || body === null || depth === 0) return [];
  return Object.values(body).flatMap((part) => listsIn(part, depth - 1));
}

export const reprocessBody = z.object({ estado: word, mensaje: word });

const attempt = z
  .object({
    entrega: word,
    evento: word,
    claveacceso: word,
    intento: amount,
    estado_http: amount,
    exito: yes,
    error: word,
    enviado_en: word,
  })
  .transform(camelCased);

export const webhookBody = z.object({
  url: freeText.nullable(),
  secret: word,
  activo: yes,
  ultimas_entregas: z.array(attempt).catch([]).default([]),
});
/** Of one delivery (A19); null where the answer does not state it. */
export type DeliveryAttempt = z.output<typeof attempt>;

export const lookUpBody = z.looseObject({
  data: lenient(z.record(freeText, z.unknown())),
  cache: yes,
  costo: amount,
  gratis_restantes: amount,
});
export const rucData = z
  .object({
    ruc: word,
    razon_social: word,
    nombre_comercial: word,
    estado: word,
    tipo_contribuyente: word,
    obligado_contabilidad: word,
    actividad: word,
  })
  .transform(camelCased);
/** Null where the answer does not state it (A24). */
export type RucFacts = z.output<typeof rucData>;
export const cedulaData = z.object({ cedula: word, nombre: word });
/** A24. */
export type CedulaFacts = z.output<typeof cedulaData>;

export const statusBody = z.object({
  estado: freeText.min(1),
  sri: lenient(z.object({ recepcion: word, autorizacion: word })),
  actualizado_en: word,
});

export function readMessage(body: unknown): string | null {
  const read = z.object({ message: z.unknown().optional(), mensaje: z.unknown().optional() }).safeParse(body);
  return read.success ? readNotice(read.data.message ?? read.data.mensaje) : null;
}
