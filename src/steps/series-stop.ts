import type { Alert } from '../core/alerts.ts';
import { type Document, documentNumber, type Series } from '../core/document.ts';

/** The name of the alert for a series that gives no more numbers; one of trials, a shadow's for one, has its own. */
export function seriesAlert({
  ruc,
  ambiente,
  codDoc,
  establecimiento,
  puntoEmision,
}: Series): Pick<Alert, 'code' | 'subject'> {
  const trial = ambiente === 1 ? ' pruebas' : '';
  return {
    code: 'series-stopped',
    subject: `${ruc} ${codDoc} ${establecimiento}-${puntoEmision}${trial}`,
  };
}

/** Why a series stopped for the number of a document that somebody else's holds. The number can be read back from it. */
export function takenBySomebody(document: Document): string {
  const where = document.ambiente === 1 ? ' en el ambiente 1 (pruebas)' : '';
  return `El número ${documentNumber(document)} ya fue usado${where} por un documento que este sistema no emitió. Indique en la configuración un primer número libre o use otro punto de emisión.`;
}

/** The secuencial a series stopped for, by its reason; null for a stop of another kind. */
export const takenNumber = (reason: string): string | null =>
  /^El número \d{3}-\d{3}-(\d{9}) ya fue usado/.exec(reason)?.[1] ?? null;
