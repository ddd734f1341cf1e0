import { z } from 'zod';
import type { Document } from '../../../domain/document.ts';
import { type Html, html, type Piece } from '../../../domain/html.ts';
import type { KeptDeed } from '../../../ledger/deeds.ts';
import { moment } from '../show.ts';
import { storyPath } from '../today/buttons.ts';
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
${shown.length === 0 ? html`<div class="empty"><p>${words.empty}</p></div>` : await list(visit, shown)}
<div class="acts">${last && html`<a class="button plain" href="${visit.at(`/registro?antes=${last.id}`)}">${words.older}</a>`}
${before !== undefined && html`<a class="quiet" href="${visit.at('/registro')}">${words.newest}</a>`}</div>`,
    };
  },
};

async function list(visit: Visit, deeds: readonly KeptDeed[]): Promise<Html> {
  const { documents } = visit.deps.ledger;
  const subjects = new Set(
    deeds.flatMap(({ facts, subject }) => (attemptsIn(facts) || !subject ? [] : [subject])),
  );
  const found = await Promise.all(
    [...subjects].map(async (subject) => [subject, await documents.get(subject)] as const),
  );
  const about = new Map(found.map(([subject, document]) => [subject, aboutOf(visit, subject, document)]));
  return html`<ol class="log">${deeds.map((deed) => row(visit, deed, about))}</ol>`;
}

/** A document by its order, with the way to its story; anything else as it is written down. */
function aboutOf(visit: Visit, subject: string, document: Document | undefined): Piece {
  if (!document) return subject;
  const name = deedWords[visit.language].order(document.orderName);
  const path = storyPath(document.id);
  return path === null ? name : html`<a href="${visit.at(path)}">${name}</a>`;
}

function row(visit: Visit, deed: KeptDeed, abouts: ReadonlyMap<string, Piece>): Html {
  const { at, who, what, subject, outcome, facts } = deed;
  const { nobody, whats, outcomes, subjectIs, attempts } = deedWords[visit.language];
  const bad = outcome === 'refused' || outcome === 'failed';
  // What failed sign-ins are counted by says nothing to a person.
  const failed = attemptsIn(facts);
  const about = failed ? attempts(failed.attempts, failed.from.join(', ')) : abouts.get(subject ?? '');
  return html`<li><span class="soft">${moment(at, visit)}</span><span>${who ?? nobody}</span>
<span><strong>${whats[deedOf(deed)] ?? what}</strong>${about && html` <span class="soft">${!failed && html`<span class="heard">${subjectIs} </span>`}${about}</span>`}</span>
<span class="chip${bad ? ' bad' : outcome === 'nothing' && ' warn'}">${outcomes[outcome]}</span></li>`;
}

const failedSignIns = z.object({ attempts: z.number(), from: z.array(z.string().max(64)) });

/** Of an entry that stands for many failed sign-ins. */
const attemptsIn = (facts: unknown) => failedSignIns.safeParse(facts).data ?? null;

/** What was done, by its code: to answer for a new number is more than to try again. */
function deedOf({ what, facts }: KeptDeed): string {
  return (facts as { newNumber?: boolean } | null)?.newNumber ? 'new-number' : what;
}
