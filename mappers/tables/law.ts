import type { Day } from '../../src/domain/clock.ts';
import { holidays } from './holidays.ts';
import {
  always,
  annulmentRules,
  bankingLimits,
  type Dated,
  documentRules,
  ficha,
  finalConsumerLimits,
  identificationTable,
  isInForce,
  tipLimit,
} from './limits.ts';
import { paymentForms } from './payment-forms.ts';
import { exciseTable, ivaDays, ivaTable } from './taxes.ts';

/** SRI table 3 (tipos de comprobante). `ours`: facturapuente issues it. */
interface DocumentTypeRow extends Dated {
  code: string;
  name: string;
  ours: boolean;
}

const row = (code: string, name: string, ours = false): DocumentTypeRow => ({
  code,
  name,
  ours,
  ...always,
  source: ficha('tabla 3'),
});

export const documentTypes: readonly DocumentTypeRow[] = [
  row('01', 'Factura', true),
  row('03', 'Liquidación de compra'),
  row('04', 'Nota de crédito', true),
  row('05', 'Nota de débito'),
  row('06', 'Guía de remisión'),
  row('07', 'Comprobante de retención'),
];

export interface LawRow extends Dated {
  code: string;
  message: string;
}

export interface LawTable {
  id: string;
  title: string;
  rows: readonly LawRow[];
}

const tariffs = { percent: 'en porcentaje', unit: 'por unidad', both: 'en porcentaje y por unidad' };

export const lawTables: readonly LawTable[] = [
  {
    id: 'iva',
    title: 'IVA (tabla 17)',
    rows: ivaTable.flatMap((row) =>
      ivaDays(row).map((days) => {
        const only = days.who ?? row.only;
        return reported(days, String(row.code), only === null ? row.name : `${row.name}, solo ${only}`);
      }),
    ),
  },
  {
    id: 'formas-de-pago',
    title: 'Formas de pago (tabla 24)',
    rows: Object.entries(paymentForms)
      .map(([code, row]) => reported(row, code, row.name))
      .toSorted((a, b) => (a.code < b.code ? -1 : 1)),
  },
  {
    id: 'identificaciones',
    title: 'Identificación del comprador (tabla 6)',
    rows: Object.values(identificationTable).map((row) => reported(row, row.code, row.name)),
  },
  {
    id: 'comprobantes',
    title: 'Tipos de comprobante (tabla 3)',
    rows: documentTypes.map((row) =>
      reported(row, row.code, row.ours ? `${row.name} (la emite facturapuente)` : row.name),
    ),
  },
  {
    id: 'ice',
    title: 'ICE e IRBPNR (tabla 18)',
    rows: exciseTable.map((row) => reported(row, row.code, `${row.name} (${tariffs[row.per]})`)),
  },
  {
    id: 'limites',
    title: 'Límites',
    rows: [
      ...finalConsumerLimits.map((row) =>
        reported(row, 'consumidor final', `Hasta USD ${row.limit} con IVA se puede facturar sin identificar`),
      ),
      ...bankingLimits.map((row) =>
        reported(
          row,
          'bancarización',
          `Desde USD ${row.limit} el comprador solo deduce la compra si la pagó por el sistema financiero`,
        ),
      ),
      reported(tipLimit, 'propina', `Hasta el ${tipLimit.percent} % de lo vendido sin impuestos`),
    ],
  },
  {
    id: 'anulacion',
    title: 'Envío, anulación y notas de crédito',
    rows: [
      ...annulmentRules.map((row) =>
        reported(
          row,
          'anulación',
          `La factura se anula en línea hasta el día ${row.dayOfNextMonth} del mes siguiente, o el siguiente día hábil`,
        ),
      ),
      ...documentRules.map((row) => reported(row, row.code, row.name)),
    ],
  },
  {
    id: 'feriados',
    title: 'Feriados nacionales',
    rows: holidays.map((row) => reported(row, row.since ?? '', row.name)),
  },
];

/** `at`: the first day of the change; `only`: a row of one day. */
export interface LawChange {
  table: string;
  at: Day;
  what: 'begins' | 'ends' | 'only';
  row: LawRow;
}

export interface LawOn {
  on: Day;
  inForce: LawTable[];
  next: LawChange[];
}

export function lawOn(on: Day, tables: readonly LawTable[] = lawTables): LawOn {
  const inForce = tables.map((table) => ({ ...table, rows: table.rows.filter((row) => isInForce(row, on)) }));
  const next = tables.flatMap(({ title, rows }) =>
    rows.flatMap((row) => changesAfter(row, on).map((change) => ({ table: title, ...change, row }))),
  );
  return { on, inForce, next: next.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0)) };
}

export function staleTables(
  today: Day,
  tables: readonly LawTable[] = lawTables,
): { title: string; checkedOn: Day }[] {
  const aYearAgo = `${Number(today.slice(0, 4)) - 1}${today.slice(4)}`;
  return tables.flatMap(({ title, rows }) => {
    const [oldest] = rows.map(({ checkedOn }) => checkedOn).sort();
    return oldest !== undefined && oldest < aYearAgo ? [{ title, checkedOn: oldest }] : [];
  });
}

function reported({ since, until, source, checkedOn }: Dated, code: string, message: string): LawRow {
  return { code, message, since, until, source, checkedOn };
}

function changesAfter({ since, until }: Dated, on: Day): Pick<LawChange, 'at' | 'what'>[] {
  if (since !== null && since === until) return since > on ? [{ at: since, what: 'only' }] : [];
  return [
    ...(since !== null && since > on ? [{ at: since, what: 'begins' as const }] : []),
    ...(until !== null && until >= on ? [{ at: dayAfter(until), what: 'ends' as const }] : []),
  ];
}

const dayAfter = (day: Day): Day =>
  new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
