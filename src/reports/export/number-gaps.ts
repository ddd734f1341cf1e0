import type { Day } from '../../domain/calendar.ts';
import { type Document, documentCodes, documentNumber } from '../../domain/document.ts';
import type { Store } from '../../domain/settings.ts';
import type { AccountingDeps } from '../deps.ts';
import { seriesOfStores } from '../open-series.ts';
import { isAbout } from '../shop-names.ts';
import type { CsvStyle } from './cells.ts';

export const gapColumns: readonly string[] = ['RUC emisor', 'Tipo', 'Número', 'Hasta', 'Qué pasó', 'Pedido'];

const kinds: Record<string, string> = {
  [documentCodes.factura]: 'factura',
  [documentCodes['nota-credito']]: 'nota de crédito',
};

/** Every number of the month's series that no authorised document has, and why. */
export async function numberGaps(
  { ledger }: Pick<AccountingDeps, 'ledger'>,
  {
    from,
    to,
    stores,
    scope,
    ruc,
  }: { from: Day; to: Day; stores: readonly Store[]; scope: string; ruc?: string | undefined },
  style: CsvStyle,
): Promise<string[][]> {
  const unsettled = (await ledger.days.unsettled({ from, to }))
    .filter((one) => isAbout(one, stores, scope) && (ruc === undefined || one.ruc === ruc))
    .map((one) => [
      style.digits(one.ruc),
      kinds[one.codDoc] ?? one.codDoc,
      documentNumber(one) ?? '',
      '',
      style.text(whatOf(one)),
      style.text(one.orderName),
    ]);
  const unknown: string[][] = [];
  for (const series of seriesOfStores(stores)) {
    if (ruc !== undefined && series.ruc !== ruc) continue;
    for (const gap of await ledger.days.gaps(series, { first: series.first, from, to })) {
      const number = (value: number) =>
        `${series.establecimiento}-${series.puntoEmision}-${String(value).padStart(9, '0')}`;
      unknown.push([
        style.digits(series.ruc),
        kinds[series.codDoc] ?? series.codDoc,
        number(gap.from),
        gap.to === gap.from ? '' : number(gap.to),
        'Este sistema no entregó el número, o su documento ya no está en el registro: compruebe en el portal del SRI si otro sistema lo usó.',
        '',
      ]);
    }
  }
  return [...unsettled, ...unknown];
}

const whats: Partial<Record<Document['state'], string>> = {
  cancelled: 'Se reservó y no se envió: el documento dejó de hacer falta.',
  rejected: 'Lo rechazó el servicio o el SRI; el mismo número sale cuando se corrija.',
  manual: 'Espera a una persona: se envió y no se sabe si existe, o no hay cómo emitirlo.',
};

const whatOf = ({ state }: Document): string =>
  whats[state] ?? 'Está en camino: todavía no se conoce la respuesta.';
