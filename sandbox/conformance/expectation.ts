import { z } from 'zod';
import { agrees, differs, type Finding } from './check.ts';
import { type Answer, isRecord } from './service.ts';

/** An answer the specification shows. */
export interface Expectation {
  /** Spanish, for the report. */
  says: string;
  status: number;
  shape: z.ZodType;
}

const errors = z.array(z.string()).min(1);

/** Spec, "Errors" 1 and 2. */
export const refused: Expectation = {
  says: 'HTTP 200 con creado=false y errors como lista de textos',
  status: 200,
  shape: z.looseObject({ creado: z.literal(false), errors }),
};

/** Spec, "Electronic document": emission response fields; and "States". */
export const emitted: Expectation = {
  says: 'HTTP 200 con creado=true, claveacceso de 49 dígitos, id_comprobante entero y los textos estado y mensaje',
  status: 200,
  shape: z.looseObject({
    creado: z.literal(true),
    claveacceso: z.string().regex(/^\d{49}$/),
    id_comprobante: z.int(),
    estado: z.string(),
    mensaje: z.string(),
  }),
};

/** A public description of a service with this interface: the answer of a nota de crédito (A21). */
export const creditEmitted: Expectation = {
  says: 'HTTP 200 con creado=true, claveacceso de 49 dígitos e id_comprobante entero',
  status: 200,
  shape: z.looseObject({
    creado: z.literal(true),
    claveacceso: z.string().regex(/^\d{49}$/),
    id_comprobante: z.int(),
  }),
};

/** Spec, "Errors" 7. */
export const duplicate: Expectation = {
  says: 'HTTP 409 con creado=false, claveacceso y errors como lista de textos',
  status: 409,
  shape: z.looseObject({ creado: z.literal(false), claveacceso: z.string(), errors }),
};

/** Spec, "Authentication" 3. */
export const badKey: Expectation = {
  says: 'HTTP 401 con success=false y message',
  status: 401,
  shape: z.looseObject({ success: z.literal(false), message: z.string() }),
};
export const badKeyOnEmission: Expectation = {
  says: 'HTTP 401 con creado=false y errors como lista de textos',
  status: 401,
  shape: z.looseObject({ creado: z.literal(false), errors }),
};

/** Spec, "Errors" 3. */
export const companyRefused: Expectation = {
  says: 'HTTP 400 con respuesta=false y errors como objeto de campo a lista de mensajes',
  status: 400,
  shape: z.looseObject({ respuesta: z.literal(false), errors: z.record(z.string(), errors) }),
};
export const companySaved: Expectation = {
  says: 'HTTP 200 con respuesta=true, mensaje y data con id (entero), ruc y razon_social',
  status: 200,
  shape: z.looseObject({
    respuesta: z.literal(true),
    mensaje: z.string(),
    data: z.looseObject({ id: z.int(), ruc: z.string(), razon_social: z.string() }),
  }),
};

/** Fields that must be there, whatever they hold. */
export const fieldsNamed = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, z.unknown().refine((value) => value !== undefined)]));

/** Holds an answer against what the specification shows. */
export function judge(answer: Answer, { says, status, shape }: Expectation): Finding {
  const read = shape.safeParse(answer.json);
  if (answer.status === status && read.success) return agrees();
  const [issue] = read.error?.issues ?? [];
  const where = answer.status === status && issue?.path.length ? ` (falla ${issue.path.join('.')})` : '';
  return differs(says, `${saw(answer)}${where}`);
}

/** Compares an answer the specification does not show with our assumption; reports shapes, never values. */
export function compare(answer: Answer, { says, status, shape }: Expectation): Finding {
  const read = shape.safeParse(answer.json);
  if (answer.status === status && read.success) return agrees(sawShape(answer));
  const [issue] = read.error?.issues ?? [];
  const where = answer.status === status && issue?.path.length ? ` (otro ${issue.path.join('.')})` : '';
  return differs(says, `${sawShape(answer)}${where}`);
}

/** Status and body; the run shortens it. For answers about our own synthetic data only. */
export function saw({ status, json, type, bytes }: Answer): string {
  const hide = (name: string, value: unknown) => (/secret/i.test(name) ? '(oculto)' : value);
  const body =
    json === undefined
      ? `${bytes.length} bytes de ${type || 'tipo desconocido'}`
      : JSON.stringify(json, hide);
  return `HTTP ${status}, ${body}`;
}

/** Status and the names and types of the body, without any value: for answers that may speak of people. */
export function sawShape({ status, json, type }: Answer): string {
  return `HTTP ${status}, ${json === undefined ? type || 'sin cuerpo' : shapeOf(json)}`;
}

/** `{success: boolean, data: {ruc: string}}` */
export function shapeOf(value: unknown, depth = 0): string {
  if (Array.isArray(value)) return value.length === 0 ? '[]' : `[${shapeOf(value[0], depth + 1)}]`;
  if (!isRecord(value)) return value === null ? 'null' : typeof value;
  if (depth > 3) return '{…}';
  const fields = Object.entries(value).map(([name, inner]) => `${name}: ${shapeOf(inner, depth + 1)}`);
  return `{${fields.join(', ')}}`;
}
