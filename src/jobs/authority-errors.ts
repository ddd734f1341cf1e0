import type { ErrorCause } from '../domain/move-note.ts';
import type { ServiceMessage } from '../service/inferred.ts';

interface ErrorRow {
  code: number;
  cause: Exclude<ErrorCause, 'document'>;
  /** For the merchant: what to fix, or what is going on. */
  says: string;
}

const renew = 'Suba al servicio una firma electrónica vigente del emisor.';
const ruc = 'Regularice el RUC del emisor en el SRI.';

/**
 * Ficha técnica de comprobantes electrónicos, esquema offline, v2.32 (October 2025), section 11, tables of errors of
 * reception, authorisation and issuer; read on 2026-11-20. Version 2.34 (2026-07-27) is known to us by secondary
 * sources only, which name no other code.
 */
export const authorityErrors: readonly ErrorRow[] = [
  { code: 2, cause: 'issuer', says: `El RUC del emisor no está activo. ${ruc}` },
  {
    code: 10,
    cause: 'issuer',
    says: 'El establecimiento del emisor está clausurado. Pida al SRI que lo reabra.',
  },
  {
    code: 28,
    cause: 'issuer',
    says: 'El emisor no ha aceptado el acuerdo de medios electrónicos. Acéptelo en SRI en línea.',
  },
  {
    code: 37,
    cause: 'issuer',
    says: 'El emisor no tiene autorización para emitir comprobantes electrónicos. Pídala en SRI en línea.',
  },
  { code: 39, cause: 'issuer', says: `La firma electrónica no es válida. ${renew}` },
  { code: 40, cause: 'issuer', says: `El certificado de la firma electrónica tiene un error. ${renew}` },
  { code: 42, cause: 'issuer', says: `El certificado de la firma electrónica fue revocado. ${renew}` },
  { code: 43, cause: 'registered', says: 'El SRI ya tiene registrada esta clave de acceso.' },
  { code: 45, cause: 'number-taken', says: 'El SRI ya tiene registrado este número.' },
  { code: 50, cause: 'authority', says: 'El SRI tuvo un error interno.' },
  {
    code: 56,
    cause: 'issuer',
    says: 'El establecimiento está cerrado en el RUC. Ábralo en el SRI o emita desde otro.',
  },
  {
    code: 57,
    cause: 'issuer',
    says: 'La autorización del emisor está suspendida. Regularícela en el SRI.',
  },
  { code: 63, cause: 'issuer', says: `El RUC del emisor está clausurado. ${ruc}` },
  { code: 65, cause: 'date', says: 'La fecha de emisión ya no es la de hoy.' },
  { code: 70, cause: 'in-process', says: 'El SRI todavía procesa esta clave de acceso.' },
];

const byCode = new Map(authorityErrors.map((row) => [String(row.code), row]));

/** What decides when several are told: what exists already, then what no reprocessing cures. */
const gravity: readonly ErrorCause[] = [
  'in-process',
  'number-taken',
  'registered',
  'document',
  'issuer',
  'authority',
  'date',
];

/** The cause of an error event and, where the table has one, its sentence. Unknown words lie in the document. */
export function causeOf(errors: readonly Pick<ServiceMessage, 'identificador'>[]): {
  cause: ErrorCause;
  says: string | null;
} {
  const rows = errors.map(({ identificador }) => byCode.get(identificador ?? ''));
  const causes = rows.map((row) => row?.cause ?? 'document');
  const cause = gravity.find((one) => causes.includes(one)) ?? 'document';
  return { cause, says: rows.find((row) => row?.cause === cause)?.says ?? null };
}

/** The same of the sentences an attempt keeps, which begin with their code ("39 FIRMA INVALIDA"). */
export const causeOfTold = (sentences: readonly string[]) =>
  causeOf(sentences.map((sentence) => ({ identificador: /^\d+/.exec(sentence)?.[0] ?? null })));
