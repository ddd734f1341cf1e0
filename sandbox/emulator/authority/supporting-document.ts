import { isAuthorised, type StoredDocument, type Tipo } from '../emission/documents.ts';
import type { World } from '../world.ts';
import type { Finding } from './tables.ts';

// What the authority says of the document another one is about: modified, carried along, or withheld on.

/** Those among the types of the ficha (tabla 3) that a sandbox has documents of sale of. */
export const salesDocuments: readonly string[] = ['01', '03', '05'] satisfies Tipo[];

/** Error 67, which the reception gives, for the first `YYYY/MM/DD` that no calendar has. */
export function dateThatIsNone(...dates: (string | undefined)[]): Finding | undefined {
  const none = dates.find((date) => date !== undefined && !isDay(date));
  return none === undefined ? undefined : [67, `La fecha ${none} no existe`];
}

function isDay(date: string): boolean {
  const [year, month, day] = date.split('/').map(Number) as [number, number, number];
  return new Date(Date.UTC(year, month - 1, day)).getUTCMonth() === month - 1;
}

/** The warning 68: this issuer has no authorised document of that type and number (`001-001-000000001`). */
export function unknownDocument(
  world: World,
  { ruc, ambiente }: StoredDocument,
  tipo: string,
  numero: string,
): Finding | undefined {
  const [establecimiento = '', puntoEmision = '', secuencial = ''] = numero.split('-');
  const series = { ruc, ambiente, establecimiento, puntoEmision };
  const known = isSale(tipo) && world.documents.byNumber({ ...series, tipo }, secuencial).some(isAuthorised);
  return known ? undefined : [68, numero];
}

const isSale = (tipo: string): tipo is Tipo => salesDocuments.includes(tipo);
