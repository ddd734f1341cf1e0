import type { Audit } from './audit.ts';
import type { Closes } from './close-days.ts';
import type { Fault } from './judge.ts';
import type { Played } from './play.ts';
import type { Schedule } from './schedule.ts';
import type { Stage } from './stage.ts';

/** Output of `--json`. The nine figures that must be 0 follow the sales and documents. */
export interface Figures {
  orders: number;
  refunds: number;
  facturas: number;
  creditNotes: number;
  duplicates: number;
  lost: number;
  gaps: number;
  /** Numbers that a lost ledger reserved and never sent; a close names each. */
  gapsNamed: number;
  wrongTotals: number;
  unexplained: number;
  /** Authorised documents missing on their order, or there under another key. */
  notWritten: number;
  /** Unexpected differences of `close`, and figures that differ from what the service stored. */
  closesDiffer: number;
  /** Things a person must do that no alert, reason, explanation or close mentions. */
  silent: number;
  /** Commands of the operator that hung, printed a stack trace, or ended above 2. */
  commandDefects: number;
  /** Problems that disasters left to a person, with a notification. */
  reported: number;
  /** Refunds that came before their factura, which was issued for the rest. */
  netted: number;
  /** Left to a person by plan: buyers without identification, refunds to consumidor final. */
  byPlan: number;
  /** Days closed. */
  closedDays: number;
  kills: number;
  restarts: number;
  /** Shops that accepted calls and answered none for a while. */
  hangs: number;
  /** Processes that ended by themselves (a server was down at their start) and were restarted. */
  collapses: number;
  /** Occurrences of each disaster. */
  disasters: Record<string, number>;
  faults: number;
  faultsByKind: Record<string, number>;
  webhooks: { sent: number; accepted: number; duplicates: number; lost: number };
  /** Of the operator; `refused` ended with a sentence and without success. */
  commands: { ran: number; refused: number };
  accounts: number;
  stores: number;
  seconds: number;
  seed: number;
  schedule: string;
}

/** Gathers the figures of one run; `good` when all that must be 0 is 0 and no document is left without a final state. */
export function toFigures(run: {
  stage: Stage;
  schedule: Schedule;
  played: Played;
  audit: Audit;
  closes: Closes;
  people: { silent: readonly string[]; reported: number };
  seconds: number;
}): { json: Figures; good: boolean } {
  const { stage, schedule, played, audit, closes, people, seconds } = run;
  const of = (fault: Fault) => audit.findings.filter((one) => one.fault === fault).length;
  const isNamed = ({ name }: Audit['gaps'][number]) =>
    played.disasters.has('restored-ledger') && closes.gaps.has(name);
  const gapsNamed = audit.gaps.filter(isNamed).length;
  const zero = {
    duplicates: of('duplicate'),
    lost: of('lost'),
    gaps: audit.gaps.length - gapsNamed,
    wrongTotals: of('wrong-total'),
    unexplained: of('unexplained'),
    notWritten: of('not-written'),
    closesDiffer: closes.differ.length,
    silent: people.silent.length,
    commandDefects: played.operator.defects.length,
  };
  const json: Figures = {
    orders: played.sold.length,
    refunds: played.sold.reduce((count, { refunds }) => count + refunds.length, 0),
    facturas: audit.facturas,
    creditNotes: audit.creditNotes,
    ...zero,
    gapsNamed,
    reported: people.reported,
    netted: audit.netted,
    byPlan: audit.byPlan,
    closedDays: closes.days,
    kills: played.kills,
    restarts: played.restarts,
    hangs: played.hangs,
    collapses: stage.parts.reduce((count, part) => count + part.collapses(), 0),
    disasters: Object.fromEntries([...played.disasters].sort()),
    faults: [...played.struck.values()].reduce((all, count) => all + count, 0),
    faultsByKind: Object.fromEntries([...played.struck].sort()),
    webhooks: played.post.counts(),
    commands: played.operator.counts(),
    accounts: stage.options.accounts,
    stores: schedule.stores,
    seconds: Math.round(seconds * 10) / 10,
    seed: stage.options.seed,
    schedule: schedule.hash,
  };
  return { json, good: Object.values(zero).every((count) => count === 0) && audit.underWay.length === 0 };
}

export function toText(figures: Figures): string {
  return `${Object.entries(figures)
    .map(([name, value]) => `${name.padEnd(14)} ${typeof value === 'object' ? JSON.stringify(value) : value}`)
    .join('\n')}\n`;
}
