import type { Alert } from '../domain/alerts.ts';
import { type Document, documentNumber, type Series } from '../domain/document.ts';
import { owner } from '../domain/scope.ts';
import type { SeriesStop } from '../ledger/document-tables.ts';

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

/** The stop of a series for the number of a document that somebody else's holds. */
export function takenBySomebody(document: Series & Pick<Document, 'secuencial'>): SeriesStop {
  const where = document.ambiente === 1 ? ' en el ambiente 1 (pruebas)' : '';
  const reason = `El número ${documentNumber(document)} ya fue usado${where} por un documento que este sistema no emitió. Indique en la configuración un primer número libre o use otro punto de emisión.`;
  return { reason, secuencial: document.secuencial };
}

/** The alert of such a stop. */
export const takenAlert = (series: Series, { reason }: SeriesStop): Alert => ({
  ...seriesAlert(series),
  about: owner.series(series),
  what: reason,
  cure: 'Indique en la configuración un primer número libre (series.first) y reinicie, o use otro punto de emisión.',
});
