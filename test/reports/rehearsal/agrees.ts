import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { planFile } from '../../../src/cli/plan-file.ts';
import type { PastDocument } from '../../../src/reports/rehearsal/figures.ts';

interface PlannedAction {
  key: string;
  kind: string;
  action: string;
  code: string;
  reason: string;
  charged: string;
  document: string | null;
  difference: string | null;
}

/** A document as both sides tell it. */
export type Line = [
  kind: string,
  sourceId: string,
  action: string,
  code: string,
  charged: string,
  document: string | null,
  difference: string | null,
];

export const lineOf = (one: PastDocument): Line => [
  one.kind,
  one.sourceId,
  one.action,
  one.code,
  one.charged,
  one.document,
  one.difference,
];

const planned = ({ key, kind, action, code, charged, document, difference }: PlannedAction): Line => [
  kind,
  decodeURIComponent(key.split('/').at(-2) ?? ''),
  action,
  code,
  charged,
  document,
  difference,
];

/**
 * What the `plan` command says of an order: of the sale before anything was given back (`sold`, the platform's JSON
 * without refunds), and of its refunds once that factura is authorised.
 */
export async function planOf(files: {
  config: string;
  sold: unknown;
  order: unknown;
  refunds: unknown;
}): Promise<Line[]> {
  const folder = await mkdtemp(join(tmpdir(), 'facturapuente-rehearsal-'));
  const write = async (name: string, json: unknown) => {
    await writeFile(join(folder, name), JSON.stringify(json));
    return join(folder, name);
  };
  const flags = { config: files.config, store: 'tienda', json: true, explain: false };
  const read = (text: string) => (JSON.parse(text) as { actions: PlannedAction[] }).actions;
  try {
    const [sale] = read(await planFile(await write('sold.json', files.sold), flags));
    const asIf = {
      ...flags,
      asIfAuthorized: '001-001-000000001',
      refunds: await write('r.json', files.refunds),
    };
    const after = read(await planFile(await write('order.json', files.order), asIf));
    const credits = after.filter(({ kind }) => kind === 'nota-credito');
    return [...(sale ? [sale] : []), ...credits].map(planned);
  } finally {
    await rm(folder, { recursive: true });
  }
}
