import { z } from 'zod';
import { flag, lenient, readNotice, text } from './inferred.ts';

// The shapes of the account's routes that the specification does not show, as `inferred.ts` has those of the
// documents. Each names its row in docs/assumptions.md.

const number = lenient(
  z
    .union([z.number(), z.string().trim().min(1)])
    .transform(Number)
    .pipe(z.number()),
);
const word = lenient(text).transform((value) => value ?? null);
const amount = number.transform((value) => value ?? null);
const yes = lenient(flag).transform((value) => value ?? null);

/** The wallets beside `creditos_disponibles` (A7). */
export const walletsBody = z.object({
  facturacion: lenient(z.object({ vence_en: word })),
  consultas: lenient(z.object({ saldo: amount, gratis_restantes: amount })),
});

/** Answer of both reprocessing routes (A13); the key itself is the one that was asked for. */
export const reprocessBody = z.object({ estado: word, mensaje: word });

const attempt = z.object({
  entrega: word,
  evento: word,
  claveacceso: word,
  intento: amount,
  estado_http: amount,
  exito: yes,
  error: word,
  enviado_en: word,
});

/** The webhook on read and on save (A12, A19). */
export const webhookBody = z.object({
  url: z.string().nullable(),
  secret: word,
  activo: yes,
  ultimas_entregas: z.array(attempt).catch([]).default([]),
});
export type Attempt = z.output<typeof attempt>;

/** What stands around the data of a registry look-up (A24). */
export const lookUpBody = z.looseObject({
  data: lenient(z.record(z.string(), z.unknown())),
  cache: yes,
  costo: amount,
  gratis_restantes: amount,
});
export const rucData = z.object({
  ruc: word,
  razon_social: word,
  nombre_comercial: word,
  estado: word,
  tipo_contribuyente: word,
  obligado_contabilidad: word,
  actividad: word,
});
export const cedulaData = z.object({ cedula: word, nombre: word });

/** One verification (spec for its creation, A26 for the rest). */
export const verificationBody = z.object({
  id: text,
  estado: z.string().min(1),
  url_verificacion: word,
  costo: amount,
  expira_en: word,
  tipo: word,
  cedula_esperada: word,
  creado_en: word,
  finalizado_en: word,
});
/** The list of them (A26). */
export const verificationsBody = z.object({ verificaciones: z.array(verificationBody) });

/** Public status (A27). */
export const statusBody = z.object({
  estado: z.string().min(1),
  sri: lenient(z.object({ recepcion: word, autorizacion: word })),
  actualizado_en: word,
});

const tier = z.object({ recarga: z.coerce.number(), precio_documento: z.coerce.number() });
/** Public prices (A27). */
export const pricesBody = z.looseObject({
  facturacion: z.array(tier).catch([]).default([]),
  verificaciones: z.record(z.string(), z.coerce.number()).catch({}).default({}),
  consultas: lenient(z.object({ gratis_por_mes: amount, precio: amount })),
});

/** Finds a code such as `beta_privada` under whatever name the refusal carries it (spec, "Errors" 11). */
export function holdsCode(body: unknown, code: string, depth = 3): boolean {
  if (body === code) return true;
  if (typeof body !== 'object' || body === null || depth === 0) return false;
  return Object.values(body).some((part) => holdsCode(part, code, depth - 1));
}

/** The sentence of a failure, whatever it is called. */
export function readMessage(body: unknown): string | null {
  const read = z.object({ message: z.unknown().optional(), mensaje: z.unknown().optional() }).safeParse(body);
  return read.success ? readNotice(read.data.message ?? read.data.mensaje) : null;
}
