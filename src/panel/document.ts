import { Buffer } from 'node:buffer';
import type { Document } from '../domain/document.ts';
import { parseJson } from '../domain/loose.ts';
import { mayDo } from '../domain/settings.ts';
import { type Html, html, type Piece } from '../domain/text.ts';
import { fileTypes } from '../http/document-links.ts';
import type { FileKind } from '../ledger/schema.ts';
import type { DocumentTimeline } from '../ledger/timeline.ts';
import { askBuyer, revokeLinks } from '../operations/documents.ts';
import type { Action } from '../planner/action.ts';
import { documentButtons } from './document-buttons.ts';
import {
  documentFacts,
  documentPath,
  documentState,
  documentTitle,
  showAction,
  showAttempts,
  showHistory,
  showJobs,
  stateChip,
} from './document-parts.ts';
import { documentWords } from './document-words.ts';
import { operationButton } from './operations.ts';
import type { PanelPage, PanelView, Visit } from './visit.ts';

export const documentPage: PanelPage = {
  path: '/documento/:id',
  role: 'read',
  async show(visit) {
    const { ledger } = visit.deps;
    const document = await ledger.documents.get(visit.params.id ?? '');
    if (!document) return missing(visit);
    const timeline = await ledger.timelines.of(document);
    const own = timeline?.documents.find((one) => one.document.id === document.id);
    const actions = (timeline?.order.decision ?? []) as Action[];
    const action = actions.find(({ key }) => key === document.key);
    const jobs = (timeline?.jobs ?? []).filter(
      ({ documentId }) => documentId === null || documentId === document.id,
    );
    return {
      title: documentTitle(document),
      above: html`<p><a href="${visit.at('/buscar')}">${documentWords.back}</a></p>`,
      body: html`<div class="lead"><p>${stateChip(document)} ${document.ambiente === 1 && html`<span class="chip plain">${documentWords.test}</span>`}</p></div>
${documentState(visit, document)}
<div class="acts">${actsOf(visit, document, own)}</div>
${documentFacts(visit, document)}
<div class="columns">${section('historia', documentWords.history, showHistory(visit, own?.history ?? []))}
<div>${section('envios', documentWords.attempts, showAttempts(visit, own?.attempts ?? []))}
${section('falta', documentWords.pending, showJobs(visit, jobs))}</div></div>
${section('porque', documentWords.explain, action ? showAction(action) : html`<p class="soft">${documentWords.noPlan}</p>`)}
${await documentContent(visit, document)}`,
    };
  },
};

export const section = (id: string, title: string, body: Piece): Html =>
  html`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>${body}</section>`;

function actsOf(visit: Visit, document: Document, past: DocumentTimeline | undefined): Piece {
  const fields = { document: document.id };
  if (document.state !== 'authorized') return documentButtons(visit, document, { past });
  return html`${operationButton(visit, askBuyer, { fields, label: documentWords.mail, plain: true })}${operationButton(visit, revokeLinks, { fields, label: documentWords.revoke, plain: true })}`;
}

export function missing(visit: Visit): PanelView {
  return {
    title: documentWords.missing,
    status: 404,
    body: html`<p>${documentWords.missingSays}</p><p><a href="${visit.at('/buscar')}">${documentWords.find}</a></p>`,
  };
}

/** It names the buyer: only for people who operate. */
async function documentContent(visit: Visit, document: Document): Promise<Html> {
  if (!mayDo(visit.role, pdfPage.role)) return html`<p class="soft">${documentWords.hidden}</p>`;
  const { attempts, files } = visit.deps.ledger;
  const [sent, xml] = await Promise.all([attempts.ofDocument(document), files.get(document, 'xml')]);
  const last = sent.at(-1);
  const authorized = document.state === 'authorized';
  const at = (kind: string) => visit.at(`${documentPath(document.id)}/${kind}`);
  const folded = (title: string, text: string): Piece =>
    html`<details class="fold"><summary>${title}</summary><pre tabindex="0">${text}</pre></details>`;
  return html`${
    authorized &&
    html`<section aria-labelledby="pdf"><h2 id="pdf">${documentWords.pdf}</h2>
<div class="acts"><a class="button plain" href="${at('pdf')}" target="_blank" rel="noopener">${documentWords.openPdf}</a>
<a class="button plain" href="${at('xml')}?guardar">${documentWords.saveXml}</a></div>
<iframe class="onlywide" src="${at('pdf')}#navpanes=0" title="${documentWords.pdf} ${document.accessKey}" loading="lazy"></iframe></section>`
  }
${last && folded(documentWords.body, prettyJson(last.body))}
${xml && folded(documentWords.xml, prettyXml(Buffer.from(xml).toString('utf8')))}`;
}

export function prettyJson(text: string): string {
  try {
    return JSON.stringify(parseJson(text), null, 2);
  } catch {
    return text;
  }
}

// An unclosed tag or CDATA reaches to the end of the text, so that the pattern never backtracks.
const tokens = /<!\[CDATA\[(?:(?!\]\]>)[\s\S])*(?:\]\]>)?|<[^>]+>?|[^<]+/g;
const deepest = 20;

/** It also indents XML inside CDATA; for display only. */
export function prettyXml(text: string, depth = 0): string {
  const lines: string[] = [];
  let level = depth;
  let open = false;
  const put = (line: string) => lines.push('  '.repeat(Math.min(Math.max(0, level), deepest)) + line);
  for (const [token] of text.matchAll(tokens)) {
    if (token.trim() === '') continue;
    if (token.startsWith('<![CDATA[')) {
      const inner = token.slice(9, -3).trim();
      if (depth > 0 || !inner.startsWith('<')) lines[lines.length - 1] += token;
      else {
        put('<![CDATA[');
        lines.push(prettyXml(inner, level + 1));
        put(']]>');
      }
      open = false;
    } else if (token.startsWith('</')) {
      level -= 1;
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

/** The files name the buyer: only for people who operate. */
const filePage = (kind: FileKind): PanelPage => ({
  path: `/documento/:id/${kind}`,
  role: 'operate',
  async show({ deps, params, query }) {
    const document = await deps.ledger.documents.get(params.id ?? '');
    const key = document?.state === 'authorized' ? document.accessKey : null;
    const bytes = document && key !== null ? await deps.file(document, key, kind) : null;
    // Plain text: the document's page shows it in an iframe.
    if (!bytes || key === null)
      return {
        bytes: Buffer.from(documentWords.away),
        type: 'text/plain; charset=utf-8',
        name: 'aviso.txt',
      };
    return { bytes, type: fileTypes[kind], name: `${key}.${kind}`, download: query.get('guardar') !== null };
  },
});

export const pdfPage = filePage('pdf');
export const xmlPage = filePage('xml');
