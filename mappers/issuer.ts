import { toServiceDate } from '../src/domain/calendar.ts';
import type { EmisorBody } from './body.ts';
import type { DocumentContext } from './context.ts';

/** The `emisor` block: the issuer as configured, with this document's series, number and date. */
export function toEmisor(context: DocumentContext): EmisorBody {
  const { ambiente: _ambiente, ...issuer } = context.issuer;
  const known = Object.fromEntries(Object.entries(issuer).filter(([, value]) => value !== undefined));
  return {
    ...(known as typeof issuer),
    codigo_establecimiento: context.series.establecimiento,
    codigo_puntoemision: context.series.puntoEmision,
    ...(context.secuencial === null ? {} : { secuencial: context.secuencial }),
    fecha_emision: toServiceDate(context.today),
  } as EmisorBody;
}
