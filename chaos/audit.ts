import { loadConfig } from '../src/config/load.ts';
import type { Document } from '../src/core/document.ts';
import { silentLog } from '../src/core/log.ts';
import { openLedgerReader } from '../src/ledger/read.ts';
import { gapsOf, gather } from './evidence.ts';
import { type Finding, judge } from './judge.ts';
import type { Played } from './play.ts';
import type { Stage } from './stage.ts';

export interface Audit {
  facturas: number;
  creditNotes: number;
  netted: number;
  byPlan: number;
  gaps: string[];
  findings: Finding[];
  /** Documents whose fate is still open. */
  underWay: Document[];
}

const unfinished = new Set<Document['state']>(['ready', 'sending', 'processing', 'uncertain']);

/** Holds everything the shops sold against everything the tax service stored; may run while the product does. */
export async function audit({ sandbox, shops, config }: Stage, { sold }: Played): Promise<Audit> {
  const ledger = await readLedger(config);
  const { orders, strangers } = gather(sold, sandbox.documents(), ledger);
  const judged = orders.map((one) => {
    const shop = shops[one.sold.store];
    if (!shop) throw new Error(`There is no store ${one.sold.store}.`);
    return judge(one, shop);
  });
  const twice = sandbox.audit().duplicates.filter(({ authorised }) => authorised > 1);
  const underWay = ledger.filter(({ state }) => unfinished.has(state));
  return {
    facturas: orders.reduce((count, { facturas }) => count + facturas.length, 0),
    creditNotes: orders.reduce(
      (count, { creditNotes }) => count + [...creditNotes.values()].flat().length,
      0,
    ),
    netted: judged.reduce((count, { netted }) => count + netted, 0),
    byPlan: judged.reduce((count, { byPlan }) => count + byPlan, 0),
    gaps: gapsOf(sandbox, ledger),
    findings: [
      ...judged.flatMap(({ findings }) => findings),
      ...twice.map(
        ({ series, numero }): Finding => ({
          fault: 'duplicate',
          what: `${series} ${numero} was authorised twice`,
        }),
      ),
      ...strangers.map(
        ({ numero, ruc }): Finding => ({ fault: 'unexplained', what: `${ruc} ${numero} belongs to no sale` }),
      ),
    ],
    underWay,
  };
}

/** Beside the running product, changing nothing. */
async function readLedger(path: string): Promise<Document[]> {
  const config = await loadConfig({ path, cwd: process.cwd(), env: {} });
  const reader = openLedgerReader(config.ledger, silentLog);
  try {
    return await reader.documents.list({ limit: 1_000_000 });
  } finally {
    await reader.close();
  }
}
