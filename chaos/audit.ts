import type { OpenAlert } from '../src/domain/alerts.ts';
import type { Document } from '../src/domain/document.ts';
import { type Evidence, type Gap, gapsOf, gather } from './evidence.ts';
import { type Finding, judge, nameOf } from './judge.ts';
import type { Played } from './play.ts';
import { isReported } from './reported.ts';
import type { Stage } from './stage.ts';

/** A problem of a sale that only a person can resolve. */
export interface ForPerson {
  evidence: Evidence;
  /** The sale and its problem. */
  what: string;
  /** Whether an alert or a document's reason mentions it. */
  reported: boolean;
}

export interface Audit {
  facturas: number;
  creditNotes: number;
  netted: number;
  byPlan: number;
  gaps: Gap[];
  findings: Finding[];
  /** Problems that disasters left to a person. */
  forPerson: ForPerson[];
  /** Documents without a final state. */
  underWay: Document[];
  alerts: OpenAlert[];
}

const unfinished = new Set<Document['state']>(['ready', 'sending', 'processing', 'uncertain']);

/** Compares everything the shops sold with everything the tax service stored; may run while the product does. */
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
    forPerson: judged.flatMap(({ evidence, forPerson }) =>
      forPerson.map((what) => ({
        evidence,
        what: `${nameOf(evidence.sold)}: ${what}`,
        reported: isReported(evidence, alerts),
      })),
    ),
    underWay,
    alerts,
  };
}
