import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type PricedBody, statedRows } from '../../mappers/tax-computation.ts';
import { planFile } from '../../src/cli/plan-file.ts';

/** What became of one document: source id, action, code, money that moved, and `codigo_porcentaje base valor` of each tax. */
export type Outcome = [id: string, action: string, code: string, money: string, ...taxes: string[]];

/** Plans texts as files, as if the factura were authorised; an amount no base adds up to is shown with the document's: "14.37 as 14.36". */
export async function outcomes(platform: string, order: string, refunds?: string): Promise<Outcome[]> {
  const { actions } = JSON.parse(await planned(platform, order, refunds)) as { actions: Planned[] };
  return actions.map(({ key, kind, action, code, charged, document, difference, body }) => {
    const id = kind === 'factura' ? kind : decodeURIComponent(key.split('/').at(-2) ?? '');
    const rows = body ? statedRows(body) : [];
    const taxes = rows.map((row) => `${row.codigo_porcentaje} ${row.base_imponible} ${row.valor}`);
    if (action === 'emit' && difference !== '0.00')
      return [id, action, code, `${charged} as ${document}`, ...taxes];
    if (action === 'emit') expect([id, document]).toEqual([id, charged]);
    return [id, action, code, charged, ...taxes];
  });
}

/** What the command prints, from files as a user has them. */
async function planned(platform: string, order: string, refunds?: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'facturapuente-outcomes-'));
  const file = async (name: string, text: string) => {
    await writeFile(join(folder, name), text);
    return join(folder, name);
  };
  const as = { platform, asIfAuthorized: '001-001-000000123', json: true, explain: false };
  try {
    const beside = refunds === undefined ? {} : { refunds: await file('refunds.json', refunds) };
    return await planFile(await file('order.json', order), { ...as, ...beside });
  } finally {
    await rm(folder, { recursive: true });
  }
}

interface Planned {
  key: string;
  kind: string;
  action: string;
  code: string;
  charged: string;
  document: string | null;
  difference: string | null;
  body: PricedBody | null;
}

export const invoiced = (total: string): Outcome => ['factura', 'nothing', 'already-authorised', total];
export const unnamed = (total: string): Outcome => ['factura', 'hold', 'buyer-id-missing', total];
export const emit = (id: string, money: string, ...taxes: string[]): Outcome => [
  id,
  'emit',
  'refunded',
  money,
  ...taxes,
];
export const netted = (id: string, money: string): Outcome => [id, 'nothing', 'netted', money];
/** Of a factura that is held itself, where it is taken to have left before. */
export const later = (id: string, money: string): Outcome => [id, 'wait', 'factura-unsettled', money];
export const byHand = (id: string, money: string): Outcome => [id, 'manual', 'final-consumer', money];
