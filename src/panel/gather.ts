import type { OpenAlert } from '../domain/alerts.ts';
import { type Document, documentCodes } from '../domain/document.ts';
import type { AccountPause } from '../domain/job.ts';
import type { Past } from '../jobs/retry.ts';
import type { StoppedSeries, Task } from '../ledger/tasks.ts';
import type { PanelDeps } from './deps.ts';

export type Waiting = Task & { past?: Past };

export type Line = { urgency: 'now' | 'soon' | 'later'; since: string } & (
  | { kind: 'pause'; pause: AccountPause; waiting: number }
  | { kind: 'series'; series: StoppedSeries; waiting: number }
  | { kind: 'documents'; tasks: readonly [Waiting, ...Waiting[]] }
  | { kind: 'alert'; alert: OpenAlert }
);

export interface TaskList {
  lines: Line[];
  waiting: number;
  underWay: number;
  seen: number;
}

const mostSeen = 500;
const groupFrom = 3;

const reported = [
  'document-rejected',
  'document-manual',
  'issuer-refused',
  'buyer-unanswered',
  'series-stopped',
];

const grave = [
  'document-differs',
  'document-annulled',
  'dropped-authorized',
  'ledger-older-than-service',
  'shop-not-connected',
];

export async function gatherTasks({ ledger, clock }: Pick<PanelDeps, 'ledger' | 'clock'>): Promise<TaskList> {
  const { tasks } = ledger;
  const [found, waiting, refused, ready, series, pauses, alerts, open] = await Promise.all([
    tasks.documents(mostSeen),
    tasks.count(),
    tasks.refused(),
    tasks.ready(),
    tasks.stoppedSeries(),
    ledger.pauses.list(),
    ledger.alerts.open(),
    ledger.counts.openDocuments(),
  ]);
  const documents = await withPasts(tasks, found);
  const now = clock.now();
  // The series is no longer stopped, but the order has not been read since.
  const held = documents.filter(
    ({ document }) => document.code === 'series-stopped' && series.some((one) => isOf(document, one)),
  );
  const lines: Line[] = [
    ...pauses.map((pause): Line => {
      const behind = ready.filter(
        ({ account, ambiente }) =>
          account === pause.account && (pause.ambiente === null || pause.ambiente === ambiente),
      );
      const count = behind.reduce((sum, one) => sum + one.count, 0);
      return { kind: 'pause', urgency: 'now', since: pause.since, pause, waiting: count };
    }),
    ...series.map((one): Line => {
      const behind = held.filter(({ document }) => isOf(document, one));
      return { kind: 'series', urgency: 'now', since: one.since ?? '', series: one, waiting: behind.length };
    }),
    ...grouped(documents.filter((task) => !held.includes(task))).map(
      (group): Line => ({
        kind: 'documents',
        urgency: urgencyOf(group[0], now),
        since: group[0].document.updatedAt,
        tasks: group,
      }),
    ),
    ...alerts
      .filter(({ code }) => !reported.includes(code) && !code.startsWith('account-'))
      .map(
        (alert): Line => ({
          kind: 'alert',
          urgency: grave.includes(alert.code) ? 'now' : 'soon',
          since: alert.since,
          alert,
        }),
      ),
  ];
  const underWay = open.filter(({ state }) => !['held', 'rejected', 'manual'].includes(state));
  return {
    lines: lines.sort(byUrgency(now)),
    waiting,
    underWay: underWay.reduce((sum, { count }) => sum + count, 0) - refused,
    seen: documents.length,
  };
}

/** What a person can do depends on whether an attempt may be authorised. */
async function withPasts(tasks: PanelDeps['ledger']['tasks'], found: readonly Task[]): Promise<Waiting[]> {
  const stopped = found.filter(
    ({ document: { state, secuencial } }) => state === 'manual' && secuencial !== null,
  );
  const pasts = await tasks.pasts(stopped.map(({ document }) => document));
  return found.map((task) => {
    const past = pasts.get(task.document.id);
    return past ? { ...task, past } : task;
  });
}

const isOf = (document: Document, { ruc, ambiente, codDoc, establecimiento, puntoEmision }: StoppedSeries) =>
  document.ruc === ruc &&
  document.ambiente === ambiente &&
  documentCodes[document.kind] === codDoc &&
  document.establecimiento === establecimiento &&
  document.puntoEmision === puntoEmision;

function grouped(tasks: readonly Waiting[]): [Waiting, ...Waiting[]][] {
  const groups = new Map<string, [Waiting, ...Waiting[]]>();
  for (const task of tasks) {
    const { storeId, kind, state, code, reason } = task.document;
    const name = JSON.stringify([storeId, kind, state, code, reason]);
    const group = groups.get(name);
    if (group) group.push(task);
    else groups.set(name, [task]);
  }
  return [...groups.values()].flatMap((group) =>
    group.length < groupFrom || group.some(({ question }) => question !== null)
      ? group.map((task): [Waiting] => [task])
      : [group],
  );
}

export const mayAnswer = ({ question }: Task, now: Date): boolean =>
  question !== null &&
  !question.answered &&
  !question.passed &&
  Date.parse(question.cutOffAt) > now.getTime();

const soonMs = 3 * 60 * 60_000;

function urgencyOf(task: Task, now: Date): Line['urgency'] {
  const { question, document } = task;
  if (document.state !== 'held') return 'now';
  if (!mayAnswer(task, now)) return question?.passed ? 'now' : 'soon';
  return Date.parse(question?.cutOffAt ?? '') - now.getTime() < soonMs ? 'soon' : 'later';
}

const ranks = { now: 0, soon: 1, later: 2 } as const;

/** Pauses and series come first, then the earliest deadline, then the oldest. */
function byUrgency(now: Date) {
  const first = (line: Line) => (line.kind === 'pause' || line.kind === 'series' ? 0 : 1);
  const ends = (line: Line) =>
    line.kind === 'documents' && mayAnswer(line.tasks[0], now)
      ? (line.tasks[0].question?.cutOffAt ?? '~')
      : '~';
  return (one: Line, other: Line): number =>
    ranks[one.urgency] - ranks[other.urgency] ||
    first(one) - first(other) ||
    ends(one).localeCompare(ends(other)) ||
    one.since.localeCompare(other.since);
}
