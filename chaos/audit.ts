import type { OpenAlert } from '../src/domain/alerts.ts';
import type { Document } from '../src/domain/document.ts';
import { type Evidence, gapsOf, gather } from './evidence.ts';
import { type Finding, judge, nameOf } from './judge.ts';
import type { Played } from './play.ts';
import type { Stage } from './stage.ts';
import { isTold } from './told.ts';

/** Something of a sale that only a person can put right. */
export interface Asked {
  evidence: Evidence;
  /** The sale and what is the matter. */
  what: string;
  /** By an alert or a document's reason. */
  told: boolean;
}

export interface Audit {
  facturas: number;
  creditNotes: number;
  netted: number;
  byPlan: number;
  gaps: string[];
  findings: Finding[];
  /** What the disasters left to a person. */
  asks: Asked[];
  /** Documents whose fate is still open. */
  underWay: Document[];
  alerts: OpenAlert[];
}

const unfinished = new Set<Document['state']>(['ready', 'sending', 'processing', 'uncertain']);

/** Holds everything the shops sold against everything the tax service stored; may run while the product does. */
export async function audit({ sandbox, shops, look }: Stage, { sold }: Played): Promise<Audit> {
  const [ledger, alerts] = await look(
    async ({ documents, alerts }) =>
      [await documents.list({ limit: 1_000_000 }), await alerts.open()] as const,
  );
  const { orders, strangers } = gather(sold, sandbox.documents(), ledger);
  const judged = orders.map((evidence) => {
    const shop = shops[evidence.sold.store];
    if (!shop) throw new Error(`There is no store ${evidence.sold.store}.`);
    return { evidence, ...judge(evidence, shop) };
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
    asks: judged.flatMap(({ evidence, asks }) =>
      asks.map((what) => ({
        evidence,
        what: `${nameOf(evidence.sold)}: ${what}`,
        told: isTold(evidence, alerts),
      })),
    ),
    underWay,
    alerts,
  };
}
