import { agrees, type Check, differs } from '../check.ts';
import { saw } from '../expectation.ts';
import { isRecord } from '../service.ts';

/** An empty body is enough to see whether the route is there: it answers like an emission (assumption A22). */
export const otherDocumentChecks: readonly Check[] = (
  [
    ['03', '/api/liquidacion/emision'],
    ['05', '/api/debito/emision'],
    ['06', '/api/guia/emision'],
    ['07', '/api/retencion/emision'],
  ] as const
).map(([tipo, path]) => ({
  id: `supuesto-ruta-${tipo}`,
  section: 'Otros comprobantes',
  row: 'Emission paths for 03, 05, 06 and 07: not shown',
  inferred: 'A22',
  title: `el comprobante ${tipo} se emite en ${path}`,
  async run({ service }) {
    const answer = await service.ask({ method: 'POST', path, json: {} });
    const speaks = isRecord(answer.json) && answer.json.creado === false && answer.status !== 404;
    return speaks ? agrees(`HTTP ${answer.status}`) : differs('creado=false y errors', saw(answer));
  },
}));
