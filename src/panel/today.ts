import { isClearable } from '../domain/alerts.ts';
import { ecuadorDay } from '../domain/clock.ts';
import { documentKinds } from '../domain/document.ts';
import { sum, toAmount } from '../domain/money.ts';
import { type Html, html, type Piece } from '../domain/text.ts';
import { alertTexts } from '../messages/alerts.ts';
import { clearAlert, probeAccount } from '../operations/installation.ts';
import { documentButtons, documentLink } from './document-buttons.ts';
import { stateChip } from './document-parts.ts';
import { gatherTasks, type Line, mayAnswer, type TaskList, type Waiting } from './gather.ts';
import { operationButton } from './operations.ts';
import { actionForm, kindName, moment, money, remaining } from './show.ts';
import { retryGroupAction } from './today-actions.ts';
import { todayWords } from './today-words.ts';
import type { PanelPage, Visit } from './visit.ts';

export const todayPage: PanelPage = {
  path: '',
  role: 'read',
  nav: { order: 1, label: todayWords.nav },
  async show(visit) {
    const tasks = await gatherTasks(visit.deps);
    const { lines, waiting, seen } = tasks;
    const few = seen < waiting && html`<p class="soft">${todayWords.more(seen)}</p>`;
    const empty = html`<div class="empty"><h2>${todayWords.nothing.title}</h2><p>${todayWords.nothing.message}</p></div>`;
    const list = html`<h2 class="over">${todayWords.list}</h2>${few}<ol class="cards">${lines.map((line) => lineCard(visit, line))}</ol>`;
    return {
      title: todayWords.title,
      body: html`${await figuresOf(visit, tasks)}${lines.length === 0 ? empty : list}`,
    };
  },
};

async function figuresOf(visit: Visit, { waiting, underWay }: TaskList): Promise<Html> {
  const { deps, now } = visit;
  const { figures } = todayWords;
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
${ambiente === 1 && html`<p class="soft">${figures.test}</p>`}`;
}

function tile(label: string, count: number, more: Html | string, wants = false): Html {
  return html`<div${wants && html` class="wants"`}><dt>${label}</dt><dd><strong>${count}</strong> <span>${more}</span></dd></div>`;
}

function lineCard(visit: Visit, line: Line): Html {
  const { heading, chip, facts, body, acts } = parts(visit, line);
  return html`<li class="card ${line.urgency}"><div class="lead"><h3>${heading}</h3>${chip}</div>
<ul class="facts">${facts.map((fact) => fact !== null && html`<li>${fact}</li>`)}</ul>
${body}<div class="acts">${acts}</div></li>`;
}

interface Parts {
  heading: Piece;
  chip: Piece;
  facts: readonly Piece[];
  body: Piece;
  acts: Piece;
}

function parts(visit: Visit, line: Line): Parts {
  if (line.kind === 'pause') return pauseParts(visit, line);
  if (line.kind === 'series') return seriesParts(visit, line);
  if (line.kind === 'alert') return alertParts(visit, line);
  return line.tasks.length === 1 ? documentParts(visit, line.tasks[0]) : groupParts(visit, line.tasks);
}

const sinceOf = (visit: Visit, instant: string): Piece =>
  instant !== '' && html`${todayWords.since} ${moment(instant, visit)}`;

function pauseParts(visit: Visit, { pause, waiting, since }: Extract<Line, { kind: 'pause' }>): Parts {
  const { what, resolution } = alertTexts(`account-${pause.cause}`);
  const fields = { account: pause.account, ambiente: pause.ambiente === null ? '' : String(pause.ambiente) };
  return {
    heading: todayWords.pause.title(pause.account),
    chip: html`<span class="chip bad">${todayWords.pause.waiting(waiting)}</span>`,
    facts: [todayWords.ambiente[pause.ambiente ?? 'both'], sinceOf(visit, since)],
    body: html`<p>${`${what} ${resolution}`}</p>`,
    acts: operationButton(visit, probeAccount, {
      fields,
      label: todayWords.acts.probe,
      about: pause.account,
    }),
  };
}

function seriesParts(visit: Visit, { series, waiting, since }: Extract<Line, { kind: 'series' }>): Parts {
  return {
    heading: todayWords.series.title(`${series.establecimiento}-${series.puntoEmision}`),
    chip: html`<span class="chip bad">${todayWords.pause.waiting(waiting)}</span>`,
    facts: [`RUC ${series.ruc}`, todayWords.ambiente[series.ambiente], sinceOf(visit, since)],
    body: html`<p>${series.reason}</p><p>${todayWords.series.resolution}</p>`,
    acts: null,
  };
}

const ofDocument = ['document-differs', 'document-annulled', 'unconfirmed', 'dropped-authorized'];

function alertParts(visit: Visit, { alert, urgency }: Extract<Line, { kind: 'alert' }>): Parts {
  const fields = { code: alert.code, subject: alert.subject };
  return {
    heading: alert.what,
    chip: html`<span class="chip ${urgency === 'now' ? 'bad' : 'warn'}">${todayWords.alert}</span>`,
    facts: [sinceOf(visit, alert.since)],
    body: html`<p>${alert.resolution}</p>`,
    acts: html`${ofDocument.includes(alert.code) && documentLink(visit, alert.subject)}${
      isClearable(alert.code) &&
      operationButton(visit, clearAlert, { fields, label: todayWords.acts.clear, plain: true })
    }`,
  };
}

function documentParts(visit: Visit, task: Waiting): Parts {
  const { document, past } = task;
  return {
    heading: html`${todayWords.order(document.orderName)} · ${money(document.charged)}`,
    chip: waitingChip(visit, task),
    facts: [kindName(document), document.storeId, sinceOf(visit, document.updatedAt)],
    body: document.reason === null ? html`<p>${todayWords.noReason}</p>` : html`<p>${document.reason}</p>`,
    acts: documentButtons(visit, document, { past }),
  };
}

function waitingChip({ now }: Visit, task: Waiting): Html {
  const { document, question } = task;
  if (mayAnswer(task, now) && question)
    return html`<span class="chip">${todayWords.left(remaining(question.cutOffAt, now))}</span>`;
  if (document.state === 'held' && question?.passed)
    return html`<span class="chip bad">${todayWords.unanswered}</span>`;
  if (document.state === 'held' && question?.answered)
    return html`<span class="chip">${todayWords.answered}</span>`;
  // Among tasks, `processing` means that SRI refuses it because of its issuer.
  if (document.state === 'processing') return html`<span class="chip bad">${todayWords.refused}</span>`;
  return stateChip(document);
}

function groupParts(visit: Visit, tasks: readonly [Waiting, ...Waiting[]]): Parts {
  const [{ document: first }] = tasks;
  const fields = { documento: first.id };
  return {
    heading: todayWords.group(tasks.length),
    chip: waitingChip(visit, tasks[0]),
    facts: [kindName(first), first.storeId, sinceOf(visit, first.updatedAt)],
    body: html`${first.reason === null ? html`<p>${todayWords.noReason}</p>` : html`<p>${first.reason}</p>`}
<details class="fold"><summary>${todayWords.which}</summary><ul class="rows">${tasks.map(
      ({ document, past }) =>
        html`<li><span>${todayWords.order(document.orderName)} · ${money(document.charged)}</span><span class="acts">${documentButtons(visit, document, { small: true, past })}</span></li>`,
    )}</ul></details>`,
    acts:
      first.state === 'held' &&
      actionForm(visit, retryGroupAction, { fields, label: todayWords.acts.readAllAgain(tasks.length) }),
  };
}
