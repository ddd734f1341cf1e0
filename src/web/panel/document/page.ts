import { Buffer } from 'node:buffer';
import type { Document } from '../../../domain/document.ts';
import { type Html, html, type Piece } from '../../../domain/html.ts';
import { parseJson } from '../../../domain/json.ts';
import { mayDo } from '../../../domain/people.ts';
import type { DocumentStory } from '../../../ledger/story.ts';
import type { Action } from '../../../planner/action.ts';
import { actionForm } from '../forms.ts';
import { mailBuyerAction, revokeLinksAction } from '../today/actions.ts';
import { documentButtons } from '../today/buttons.ts';
import type { PanelPage, PanelView, Visit } from '../visit.ts';
import { stateChip } from './chips.ts';
import { documentFacts, documentState, documentTitle } from './facts.ts';
import { pdfPage } from './files.ts';
import { toldAction, toldAttempts, toldHistory, toldWork } from './tell.ts';
import { documentWords } from './words.ts';

/** `/panel/documento/:id`: the whole story of a document. */
export const documentPage: PanelPage = {
  path: '/documento/:id',
  role: 'read',
  async show(visit) {
    const { ledger } = visit.deps;
    const document = await ledger.documents.get(visit.params.id ?? '');
    if (!document) return missing(visit);
    const words = documentWords[visit.language];
    const story = await ledger.stories.of(document);
    const own = story?.documents.find((one) => one.document.id === document.id);
    const actions = (story?.order.decision ?? []) as Action[];
    const action = actions.find(({ key }) => key === document.key);
    const work = (story?.work ?? []).filter(
      ({ documentId }) => documentId === null || documentId === document.id,
    );
    return {
      title: documentTitle(document, visit.language),
      above: html`<p><a href="${visit.at('/buscar')}">${words.back}</a></p>`,
      body: html`<div class="lead"><p>${stateChip(document, visit.language)} ${document.ambiente === 1 && html`<span class="chip plain">${words.test}</span>`}</p></div>
${documentState(visit, document)}
<div class="acts">${actsOf(visit, document, own)}</div>
${documentFacts(visit, document)}
<div class="columns">${section('historia', words.history, toldHistory(visit, own?.history ?? []))}
<div>${section('envios', words.attempts, toldAttempts(visit, own?.attempts ?? []))}
${section('falta', words.pending, toldWork(visit, work))}</div></div>
${section('porque', words.explain, action ? toldAction(visit, action) : html`<p class="soft">${words.noPlan}</p>`)}
${await documentContent(visit, document)}`,
    };
  },
};

export const section = (id: string, title: string, body: Piece): Html =>
  html`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>${body}</section>`;

/** What a person can do about it, wherever it stands. */
function actsOf(visit: Visit, document: Document, past: DocumentStory | undefined): Piece {
  const words = documentWords[visit.language];
  const fields = { documento: document.id };
  if (document.state !== 'authorized') return documentButtons(visit, document, { past });
  return html`${actionForm(visit, mailBuyerAction, { fields, label: words.mail, plain: true })}${actionForm(visit, revokeLinksAction, { fields, label: words.revoke, plain: true })}`;
}

export function missing(visit: Visit): PanelView {
  const words = documentWords[visit.language];
  return {
    title: words.missing,
    status: 404,
    body: html`<p>${words.missingSays}</p><p><a href="${visit.at('/buscar')}">${words.find}</a></p>`,
  };
}

/** What was sent and what was authorised: it names the buyer, so only those who operate see it. */
async function documentContent(visit: Visit, document: Document): Promise<Html> {
  const words = documentWords[visit.language];
  if (!mayDo(visit.role, pdfPage.role)) return html`<p class="soft">${words.hidden}</p>`;
  const { attempts, files } = visit.deps.ledger;
  const [sent, xml] = await Promise.all([attempts.ofDocument(document), files.get(document, 'xml')]);
  const last = sent.at(-1);
  const authorized = document.state === 'authorized';
  const at = (kind: string) => visit.at(`/documento/${document.id}/${kind}`);
  const folded = (title: string, text: string): Piece =>
    html`<details class="fold"><summary>${title}</summary><pre tabindex="0">${text}</pre></details>`;
  return html`${
    authorized &&
    html`<section aria-labelledby="pdf"><h2 id="pdf">${words.pdf}</h2>
<div class="acts"><a class="button plain" href="${at('pdf')}" target="_blank" rel="noopener">${words.openPdf}</a>
<a class="button plain" href="${at('xml')}?guardar">${words.saveXml}</a></div>
<iframe class="onlywide" src="${at('pdf')}#navpanes=0" title="${words.pdf} ${document.accessKey}" loading="lazy"></iframe></section>`
  }
${last && folded(words.body, prettyJson(last.body))}
${xml && folded(words.xml, prettyXml(Buffer.from(xml).toString('utf8')))}`;
}

/** JSON with a line for each field; what is none stays as it is. */
export function prettyJson(text: string): string {
  try {
    return JSON.stringify(parseJson(text), null, 2);
  } catch {
    return text;
  }
}

// A tag or CDATA without end reaches to the end of the text: no alternative is tried twice.
const tokens = /<!\[CDATA\[(?:(?!\]\]>)[\s\S])*(?:\]\]>)?|<[^>]+>?|[^<]+/g;
/** Deeper elements are not indented further. */
const deepest = 20;

/** XML with a line for each element, also that of a document wrapped in CDATA. Only for looking at. */
export function prettyXml(text: string, depth = 0): string {
  const lines: string[] = [];
  let level = depth;
  let open = false;
  const put = (line: string) => lines.push('  '.repeat(Math.min(Math.max(0, level), deepest)) + line);
  for (const [token] of text.matchAll(tokens)) {
    if (token.trim() === '') continue;
    if (token.startsWith('<![CDATA[')) {
      const inner = token.slice(9, -3).trim();
      // A document is wrapped once.
      if (depth > 0 || !inner.startsWith('<')) lines[lines.length - 1] += token;
      else {
        put('<![CDATA[');
        lines.push(prettyXml(inner, level + 1));
        put(']]>');
      }
      open = false;
    } else if (token.startsWith('</')) {
      level -= 1;
      // An element that holds only text stays on one line.
      if (open) lines[lines.length - 1] += token;
      else put(token);
      open = false;
    } else if (token.startsWith('<')) {
      put(token);
      open = !/^<[?!]|\/>$/.test(token);
      if (open) level += 1;
    } else lines[lines.length - 1] += token.trim();
  }
  return lines.join('\n');
}
