import type { z } from 'zod';
import { isRuc } from '../accounts/identifications.ts';
import { isRimpe, isRimpePopular } from '../authority/tables.ts';
import type { GuiaRemisionBody } from './guia-remision.ts';
import type { NotaCreditoBody } from './nota-credito.ts';
import type { OtherBody } from './schema.ts';

/** The checked body, or every sentence the service answers in `errors`. */
export type Checked<T> = { body: T } | { errors: string[] };

type CommonBlocks = Pick<NotaCreditoBody | OtherBody | GuiaRemisionBody, 'emisor' | 'informacion_adicional'>;

/** Field rules first; the rules between fields, and the type's own, only when every field is readable. */
export function checkBody<T extends CommonBlocks>(
  schema: z.ZodType<T>,
  value: unknown,
  today: string,
  ownRules: (body: T) => string[] = () => [],
): Checked<T> {
  const read = schema.safeParse(value, { error: inSpanish });
  if (!read.success) return { errors: read.error.issues.map(sentence) };
  const errors = [...rulesBetweenFields(read.data, today), ...ownRules(read.data)];
  return errors.length > 0 ? { errors } : { body: read.data };
}

/** `emisor.ruc: es obligatorio.`, the field by its path. */
export function sentence(issue: z.core.$ZodIssue): string {
  return `${issue.path.length === 0 ? 'cuerpo' : issue.path.join('.')}: ${issue.message}.`;
}

function rulesBetweenFields({ emisor, informacion_adicional = [] }: CommonBlocks, today: string): string[] {
  const errors: string[] = [];
  if (emisor.fecha_emision !== today) {
    errors.push(
      `emisor.fecha_emision: debe ser la fecha de hoy en Ecuador (${today}); llegó ${emisor.fecha_emision}.`,
    );
  }
  if (!isRuc(emisor.ruc)) errors.push(`emisor.ruc: ${emisor.ruc} no es un RUC válido.`);
  if (isRimpe(emisor) && isRimpePopular(emisor)) {
    errors.push('emisor.regimen_rimpe: solo un régimen RIMPE puede estar activo.');
  }
  if (emisor.agente_retencion && !emisor.numero_resolucion?.trim()) {
    errors.push('emisor.numero_resolucion: es obligatorio para un agente de retención.');
  }
  informacion_adicional.forEach(({ nombre }, index) => {
    if (/^ruc\s+proveedor$/i.test(nombre.trim())) {
      errors.push(
        `informacion_adicional.${index}.nombre: el campo RUC Proveedor lo agrega el servicio; no lo envíe.`,
      );
    }
  });
  return errors;
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'un texto',
  number: 'un número',
  int: 'un número entero',
  boolean: 'verdadero o falso (booleano)',
  array: 'una lista',
  object: 'un objeto',
};

// Given to each parse rather than set globally: zod's configuration belongs to the whole process.
export function inSpanish(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.input === undefined && issue.code !== 'unrecognized_keys') return 'es obligatorio';
  switch (issue.code) {
    case 'invalid_type':
      return `debe ser ${typeNames[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `solo admite ${issue.values.join(', ')}`;
    case 'invalid_union':
      return 'no tiene ninguna de las formas que se admiten';
    case 'invalid_format':
      return 'no tiene el formato esperado';
    case 'too_small':
      if (issue.origin !== 'array')
        return `debe ser ${issue.inclusive ? `${issue.minimum} o más` : `mayor que ${issue.minimum}`}`;
      return `necesita al menos ${issue.minimum} elemento`;
    case 'too_big':
      return issue.origin === 'array'
        ? `admite ${issue.maximum} elementos como máximo`
        : 'es demasiado grande';
    case 'unrecognized_keys':
      return `contiene campos que la especificación no conoce: ${issue.keys.join(', ')}`;
    default:
      return undefined;
  }
}
