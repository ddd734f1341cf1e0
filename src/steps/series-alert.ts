import type { Alert } from '../core/alerts.ts';
import type { Series } from '../core/document.ts';

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
