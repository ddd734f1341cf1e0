import { isAuthorised, type NotaCreditoDocument, type Tipo } from '../emission/documents.ts';
import { type ModifiedDocument, modifiedDocument } from '../emission/modified-document.ts';
import type { World } from '../world.ts';
import type { Finding } from './tables.ts';

// What the authority looks at in a nota de crédito beside what it looks at in every document. It does not
// refuse one above the balance of the modified document: the ficha has no error for it.

/** Documents of sale that a nota de crédito can modify, among those the ficha lists (tabla 3). */
const modifiable: readonly string[] = ['01', '03', '05'] satisfies Tipo[];

/** A date that cannot be: error 67, which the reception gives. */
export function impossibleDate({ body, fechaEmision }: NotaCreditoDocument): Finding | undefined {
  const { fecha } = modifiedDocument(body);
  const [year, month, day] = fecha.split('/').map(Number) as [number, number, number];
  const real = new Date(Date.UTC(year, month - 1, day));
  if (real.getUTCMonth() !== month - 1) return [67, `La fecha ${fecha} del documento modificado no existe`];
  if (fecha <= fechaEmision) return undefined;
  return [67, `El documento modificado (${fecha}) es posterior a la nota de crédito (${fechaEmision})`];
}

/** A type that cannot be modified: error 64. */
export function unmodifiable({ body }: NotaCreditoDocument): Finding | undefined {
  const { tipo } = modifiedDocument(body);
  if (modifiable.includes(tipo)) return undefined;
  return [64, `Una nota de crédito modifica documentos de tipo ${modifiable.join(', ')}; llegó ${tipo}`];
}

/** The warning 68: nobody has authorised a document of that type and number to this issuer. */
export function unknownModified(world: World, document: NotaCreditoDocument): Finding | undefined {
  const modified = modifiedDocument(document.body);
  const { ruc, ambiente } = document;
  if (!isTipo(modified)) return [68, modified.numero];
  const known = world.documents.byNumber({ ruc, ambiente, ...modified }, modified.secuencial);
  return known.some(isAuthorised) ? undefined : [68, modified.numero];
}

const isTipo = (modified: ModifiedDocument): modified is ModifiedDocument & { tipo: Tipo } =>
  modifiable.includes(modified.tipo);
