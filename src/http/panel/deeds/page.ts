import { type Html, html } from '../../../core/html.ts';
import type { KeptDeed } from '../../../ledger/deeds.ts';
import { moment } from '../show.ts';
import type { PanelPage, Visit } from '../visit.ts';
import { deedWords } from './words.ts';

const perPage = 50;

/** `/panel/registro`: who did what, newest first. */
export const deedsPage: PanelPage = {
  path: '/registro',
  role: 'configure',
  nav: { order: 9, label: { es: deedWords.es.nav, en: deedWords.en.nav } },
  async show(visit) {
    const words = deedWords[visit.language];
    const asked = visit.query.get('antes') ?? '';
    const before = /^\d{1,15}$/.test(asked) ? asked : undefined;
    const deeds = await visit.deps.ledger.deeds.list({
      limit: perPage + 1,
      ...(before !== undefined && { before }),
    });
    const shown = deeds.slice(0, perPage);
    const last = deeds.length > perPage ? shown.at(-1) : undefined;
    return {
      title: words.title,
      body: html`<p class="soft">${words.lead}</p>
${shown.length === 0 ? html`<div class="empty"><p>${words.empty}</p></div>` : list(visit, shown)}
<div class="acts">${last && html`<a class="button plain" href="${visit.at(`/registro?antes=${last.id}`)}">${words.older}</a>`}
${before !== undefined && html`<a class="quiet" href="${visit.at('/registro')}">${words.newest}</a>`}</div>`,
    };
  },
};

function list(visit: Visit, deeds: readonly KeptDeed[]): Html {
  return html`<ol class="log">${deeds.map((deed) => row(visit, deed))}</ol>`;
}

function row({ language }: Visit, { at, who, what, subject, outcome }: KeptDeed): Html {
  const { nobody, whats, outcomes, subjectIs } = deedWords[language];
  const bad = outcome === 'refused' || outcome === 'failed';
  // What a sign-in is counted by says nothing to a person.
  const about = what === 'sign-in' ? null : subject;
  return html`<li><span class="soft">${moment(at, language)}</span><span>${who ?? nobody}</span>
<span><strong>${whats[what] ?? what}</strong>${about !== null && html` <span class="soft"><span class="heard">${subjectIs} </span>${about}</span>`}</span>
<span class="chip${bad ? ' bad' : outcome === 'nothing' && ' warn'}">${outcomes[outcome]}</span></li>`;
}
