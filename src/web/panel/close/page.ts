import { z } from 'zod';
import { type Day, ecuadorDay } from '../../../domain/calendar.ts';
import type { CommandAnswer } from '../../../domain/commands.ts';
import { type Html, html } from '../../../domain/html.ts';
import { mayDo } from '../../../domain/people.ts';
import type { CloseAnswer } from '../../../reports/close/closing.ts';
import { readKept } from '../../../reports/close/keep-close.ts';
import { actionForm } from '../forms.ts';
import { moment } from '../show.ts';
import type { PanelAction, PanelAnswer, PanelPage, Visit } from '../visit.ts';
import { monthForm } from './month.ts';
import { toldClose, toldSignature } from './tell.ts';
import { closeWords } from './words.ts';

const dayMs = 24 * 3_600_000;
const given = z.object({ dia: z.iso.date() });
/** Longer than a small day takes; the close of a large one goes on, and is there when the page is opened again. */
const patienceMs = 10_000;

/**
 * `/panel/cierre`: the close of a day, yesterday's unless another is asked for. The panel closes all stores of the person
 * together; closes of single ones are listed.
 */
export const closePage: PanelPage = {
  path: '/cierre',
  role: 'read',
  nav: { order: 5, label: { es: closeWords.es.nav, en: closeWords.en.nav } },
  async show(visit) {
    const words = closeWords[visit.language];
    const day = dayOf(visit);
    const { closes } = visit.deps.ledger;
    const [close, recent] = await Promise.all([closes.ofDay(day), closes.recent(14)]);
    const shown = close
      ? html`${toldClose(visit, readKept(close))}${toldSignature(visit, close)}`
      : html`<div class="empty"><p>${words.notYet}</p></div>`;
    return {
      title: words.title,
      body: html`${chooser(visit, day)}${shown}<div class="acts">${buttons(visit, day, close !== undefined)}</div><p class="soft">${words.how}</p>
${monthForm(visit, day.slice(0, 7))}
<section aria-labelledby="anteriores"><h2 id="anteriores">${words.recent}</h2>${
        recent.length === 0
          ? html`<p class="soft">${words.noneRecent}</p>`
          : html`<ul class="said">${recent.map(
              (one) =>
                html`<li><a href="${visit.at(`/cierre?dia=${one.day}`)}">${one.day}</a> ${one.scope !== visit.deps.closeLabel && one.scope} <span class="chip${one.result === 'green' ? '' : one.result === 'red' ? ' bad' : ' warn'}">${words.results[readKept(one).result]}</span> <span class="soft">${moment(one.closedAt, visit)}</span></li>`,
            )}</ul>`
      }</section>`,
    };
  },
};

function dayOf({ query, now }: Visit): Day {
  const asked = given.safeParse({ dia: query.get('dia') });
  return asked.data?.dia ?? ecuadorDay(new Date(now.getTime() - dayMs));
}

function chooser({ language, at, now }: Visit, day: Day): Html {
  const words = closeWords[language];
  return html`<form class="find" method="get" action="${at('/cierre')}"><label for="dia">${words.day}</label>
<div class="one"><input type="date" id="dia" name="dia" value="${day}" max="${ecuadorDay(now)}" required><button type="submit" class="plain">${words.see}</button></div></form>`;
}

function buttons(visit: Visit, day: Day, closed: boolean): Html {
  const words = closeWords[visit.language];
  if (!mayDo(visit.role, keepAction.role)) return html`<p class="soft">${words.notAllowed}</p>`;
  const fields = { dia: day };
  return html`${actionForm(visit, keepAction, { fields, label: closed ? words.again : words.save, plain: closed })}${actionForm(visit, checkAction, { fields, label: words.check, plain: true })}`;
}

/** The close of a day, or null while it goes on. */
async function run(visit: Visit, day: Day, save: boolean): Promise<CommandAnswer | null> {
  const { commands, log } = visit.deps;
  const closing = commands.run('close', { day, save, by: visit.by }).then((answer) => answer ?? null);
  closing.catch((error: Error) => log.warn({ err: error, day }, 'A close asked for in the panel failed'));
  let timer: NodeJS.Timeout | undefined;
  const enough = new Promise<null>((done) => {
    timer = setTimeout(() => done(null), patienceMs);
  });
  return Promise.race([closing, enough]).finally(() => clearTimeout(timer));
}

/** Signs and keeps the close of a day. */
export const keepAction: PanelAction = {
  path: '/cierre/guardar',
  role: 'operate',
  async run(visit, form): Promise<PanelAnswer> {
    const { dia } = given.parse(form);
    const answer = await run(visit, dia, true);
    return {
      to: `/cierre?dia=${dia}`,
      says: answer?.says ?? closeWords.es.running,
      done: answer?.done ?? false,
    };
  },
};

/** Looks how a day stands, and keeps nothing. */
export const checkAction: PanelAction = {
  path: '/cierre/revisar',
  role: 'operate',
  async run(visit, form): Promise<PanelAnswer> {
    const { dia } = given.parse(form);
    const answer = await run(visit, dia, false);
    if (!answer?.done)
      return { to: `/cierre?dia=${dia}`, says: answer?.says ?? closeWords.es.running, done: false };
    const { close, explained } = answer.data as CloseAnswer;
    const words = closeWords[visit.language];
    return {
      title: words.title,
      body: html`${chooser(visit, dia)}<p class="soft">${words.unsaved}</p>${toldClose(visit, close, explained)}<div class="acts">${buttons(visit, dia, false)}</div>`,
    };
  },
};

export const closeActions: readonly PanelAction[] = [keepAction, checkAction];
