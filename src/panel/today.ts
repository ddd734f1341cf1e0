import { z } from 'zod';
import { isClearable, type OpenAlert } from '../domain/alerts.ts';
import { ecuadorDay } from '../domain/clock.ts';
import { type Document, documentCodes, documentKinds } from '../domain/document.ts';
import type { AccountPause } from '../domain/job.ts';
import { sum, toAmount } from '../domain/money.ts';
import { type Html, html, type Piece } from '../domain/text.ts';
import type { Past } from '../jobs/retry.ts';
import type { StoppedSeries, Task } from '../ledger/tasks.ts';
import { alertTexts } from '../messages/alerts.ts';
import { retry } from '../operations/documents.ts';
import { clearAlert, probeAccount } from '../operations/installation.ts';
import {
  actionForm,
  type Card,
  card,
  chip,
  comeFrom,
  empty,
  fold,
  kindNames,
  moment,
  money,
  orderName,
  plural,
  remaining,
  soft,
  stateChip,
} from './components.ts';
import { documentButtons, documentLink } from './document-buttons.ts';
import { operationButton } from './operations.ts';
import type { PanelAction, PanelDeps, PanelPage, Visit } from './visit.ts';

export const todayPage: PanelPage = {
  path: '',
  role: 'read',
  nav: { order: 1, label: 'Hoy' },
  async show(visit) {
    const tasks = await gatherTasks(visit.deps);
    const { lines, waiting, seen } = tasks;
    const list = html`<h2 class="over">Pendientes</h2>${seen < waiting && soft(words.more(seen))}<ol class="cards">${lines.map((line) => card({ look: line.urgency, ...cardOf(visit, line) }))}</ol>`;
    return {
      title: 'Hoy',
      body: html`${await figuresOf(visit, tasks)}${lines.length === 0 ? empty(words.nothing.message, 'Todo está al día') : list}`,
    };
  },
};

const asked = z.object({ documento: z.string().min(1).max(80) });

export const retryGroupAction: PanelAction = {
  path: '/reintentar-todos',
  role: 'operate',
  async run(visit, form) {
    const { documento } = asked.parse(form);
    const { lines } = await gatherTasks(visit.deps);
    const group = lines.find(
      (line) => line.kind === 'documents' && line.tasks.some(({ document }) => document.id === documento),
    );
    const tasks = group?.kind === 'documents' ? group.tasks : [];
    for (const { document } of tasks) await visit.deps.carryOut(retry, { document: document.id });
    return { to: comeFrom(form), message: words.allDone(tasks.length) };
  },
};

async function figuresOf(visit: Visit, { waiting, underWay }: TaskList): Promise<Html> {
  const { deps, now } = visit;
  const { figures } = words;
  const stores = [...deps.settings.stores.values()];
  const ambiente = stores.some(({ issuer }) => issuer.ambiente === 2) ? 2 : 1;
  const tallies = (await deps.ledger.dayTallies.since(ecuadorDay(now), now)).filter(
    (one) => one.ambiente === ambiente && one.state === 'authorized',
  );
  const authorized = documentKinds.map((kind) => {
    const rows = tallies.filter((one) => one.kind === kind);
    const count = rows.reduce((all, one) => all + one.count, 0);
    return tile(figures[kind], count, money(toAmount(sum(rows.map(({ amount }) => amount)))));
  });
  return html`<dl class="tiles">${authorized}${tile(figures.underWay, underWay, underWay > 0 ? figures.noAction : figures.none)}${tile(figures.waiting, waiting, waiting > 0 ? figures.below : figures.none, waiting > 0)}</dl>
${ambiente === 1 && soft(figures.test)}`;
}

function tile(label: string, count: number, more: Html | string, wants = false): Html {
  return html`<div${wants && html` class="wants"`}><dt>${label}</dt><dd><strong>${count}</strong> <span>${more}</span></dd></div>`;
}

function cardOf(visit: Visit, line: Line): Card {
  if (line.kind === 'pause') return pauseCard(visit, line);
  if (line.kind === 'series') return seriesCard(visit, line);
  if (line.kind === 'alert') return alertCard(visit, line);
  return line.tasks.length === 1 ? documentCard(visit, line.tasks[0]) : groupCard(visit, line.tasks);
}

const sinceOf = (visit: Visit, instant: string): Piece =>
  instant !== '' && html`desde ${moment(instant, visit)}`;

function pauseCard(visit: Visit, { pause, waiting, since }: Extract<Line, { kind: 'pause' }>): Card {
  const { what, resolution } = alertTexts(`account-${pause.cause}`);
  const fields = { account: pause.account, ambiente: pause.ambiente === null ? '' : String(pause.ambiente) };
  return {
    heading: words.paused(pause.account),
    chip: chip(words.behind(waiting), 'bad'),
    facts: [words.ambiente[pause.ambiente ?? 'both'], sinceOf(visit, since)],
    body: html`<p>${`${what} ${resolution}`}</p>`,
    acts: operationButton(visit, probeAccount, {
      fields,
      label: 'Probar la cuenta ahora',
      about: pause.account,
    }),
  };
}

function seriesCard(visit: Visit, { series, waiting, since }: Extract<Line, { kind: 'series' }>): Card {
  return {
    heading: words.series.title(`${series.establecimiento}-${series.puntoEmision}`),
    chip: chip(words.behind(waiting), 'bad'),
    facts: [`RUC ${series.ruc}`, words.ambiente[series.ambiente], sinceOf(visit, since)],
    body: html`<p>${series.reason}</p><p>${words.series.resolution}</p>`,
    acts: null,
  };
}

const ofDocument = ['document-differs', 'document-annulled', 'unconfirmed', 'dropped-authorized'];

function alertCard(visit: Visit, { alert, urgency }: Extract<Line, { kind: 'alert' }>): Card {
  const fields = { code: alert.code, subject: alert.subject };
  return {
    heading: alert.what,
    chip: chip('Aviso', urgency === 'now' ? 'bad' : 'warn'),
    facts: [sinceOf(visit, alert.since)],
    body: html`<p>${alert.resolution}</p>`,
    acts: html`${ofDocument.includes(alert.code) && documentLink(visit, alert.subject)}${
      isClearable(alert.code) &&
      operationButton(visit, clearAlert, { fields, label: 'Ya lo revisé', plain: true })
    }`,
  };
}

function documentCard(visit: Visit, task: Waiting): Card {
  const { document, past } = task;
  return {
    heading: html`${orderName(document)} · ${money(document.charged)}`,
    ...sharedParts(visit, task),
    acts: documentButtons(visit, document, { past }),
  };
}

const sharedParts = (visit: Visit, task: Waiting): Omit<Card, 'heading'> => ({
  chip: waitingChip(visit, task),
  facts: [kindNames[task.document.kind], task.document.storeId, sinceOf(visit, task.document.updatedAt)],
  body: html`<p>${task.document.reason ?? 'Sin motivo registrado.'}</p>`,
});

function waitingChip({ now }: Visit, task: Waiting): Html {
  const { document, question } = task;
  if (mayAnswer(task, now) && question) return chip(words.left(remaining(question.cutOffAt, now)));
  if (document.state === 'held' && question?.passed) return chip('el comprador no respondió', 'bad');
  if (document.state === 'held' && question?.answered) return chip('el comprador ya respondió');
  // Among tasks, `processing` means that SRI refuses it because of its issuer.
  if (document.state === 'processing') return chip('el SRI no la autoriza', 'bad');
  return stateChip(document);
}

function groupCard(visit: Visit, tasks: readonly [Waiting, ...Waiting[]]): Card {
  const [first] = tasks;
  const fields = { documento: first.document.id };
  const shared = sharedParts(visit, first);
  const rows = tasks.map(
    ({ document, past }) =>
      html`<li><span>${orderName(document)} · ${money(document.charged)}</span><span class="acts">${documentButtons(visit, document, { small: true, past })}</span></li>`,
  );
  return {
    heading: words.group(tasks.length),
    ...shared,
    body: html`${shared.body}
${fold('Ver cuáles', html`<ul class="rows">${rows}</ul>`)}`,
    acts:
      first.document.state === 'held' &&
      actionForm(visit, retryGroupAction, { fields, label: words.readAllAgain(tasks.length) }),
  };
}

type Waiting = Task & { past?: Past };

type Line = { urgency: 'now' | 'soon' | 'later'; since: string } & (
  | { kind: 'pause'; pause: AccountPause; waiting: number }
  | { kind: 'series'; series: StoppedSeries; waiting: number }
  | { kind: 'documents'; tasks: readonly [Waiting, ...Waiting[]] }
  | { kind: 'alert'; alert: OpenAlert }
);

interface TaskList {
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

async function gatherTasks({ ledger, clock }: Pick<PanelDeps, 'ledger' | 'clock'>): Promise<TaskList> {
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

const mayAnswer = ({ question }: Task, now: Date): boolean =>
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

const words = {
  figures: {
    factura: 'Facturas autorizadas',
    'nota-credito': 'Notas de crédito',
    underWay: 'En trámite',
    noAction: 'no requieren acción',
    waiting: 'Requieren atención',
    below: 'detalle abajo',
    none: 'ninguno',
    test: 'Todavía se emite en el ambiente de pruebas: estos documentos no tienen validez tributaria.',
  },
  nothing: {
    message:
      'Nada requiere su atención. Cuando un pedido necesite algo que el sistema no puede decidir, aparecerá aquí con el motivo y el botón que lo resuelve.',
  },
  more: (n: number) => `Se muestran los ${n} más antiguos.`,
  left: (left: Html) => html`al comprador le quedan ${left}`,
  group: (n: number) => `${plural(n, 'documento', 'documentos')} por el mismo motivo`,
  paused: (account: string) => `La cuenta ${account} está en pausa`,
  behind: (n: number) => plural(n, 'documento en espera', 'documentos en espera'),
  ambiente: { 1: 'pruebas', 2: 'producción', both: 'pruebas y producción' },
  series: {
    title: (series: string) => `La serie ${series} está detenida`,
    resolution:
      'Revise qué documento usa ese número. Después escriba en la configuración un primer número libre (series.first) y reinicie, o emita desde otro punto de emisión; los documentos retenidos saldrán sin hacer nada más.',
  },
  readAllAgain: (n: number) => `Actualizar los ${n} pedidos desde la tienda`,
  allDone: (n: number) => `Se actualizan ${n} pedidos desde la tienda y se planifican de nuevo.`,
};
