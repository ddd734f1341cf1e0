import type { NotaCreditoDocument } from '../emission/documents.ts';
import { modifiedDocument } from '../emission/modified-document.ts';
import type { World } from '../world.ts';
import { dateThatIsNone, salesDocuments, unknownDocument } from './supporting-document.ts';
import type { Finding } from './tables.ts';

// What the authority looks at in a nota de crédito beside what it looks at in every document. It does not
// refuse one above the balance of the modified document: the ficha has no error for it.

/** A date that cannot be: error 67, which the reception gives. */
export function impossibleDate({ body, fechaEmision }: NotaCreditoDocument): Finding | undefined {
  const { fecha } = modifiedDocument(body);
  const none = dateThatIsNone(fecha);
  if (none || fecha <= fechaEmision) return none;
  return [67, `El documento modificado (${fecha}) es posterior a la nota de crédito (${fechaEmision})`];
}

/** A type that cannot be modified: error 64. */
export function unmodifiable({ body }: NotaCreditoDocument): Finding | undefined {
  const { tipo } = modifiedDocument(body);
  if (salesDocuments.includes(tipo)) return undefined;
  return [64, `Una nota de crédito modifica documentos de tipo ${salesDocuments.join(', ')}; llegó ${tipo}`];
}

/** The warning 68: this issuer has no authorised document of that type and number. */
export function unknownModified(world: World, document: NotaCreditoDocument): Finding | undefined {
  const { tipo, numero } = modifiedDocument(document.body);
  return unknownDocument(world, document, tipo, numero);
}
