import { Buffer } from 'node:buffer';
import type { Document } from '../../../domain/document.ts';
import { type Html, html, type Piece } from '../../../domain/html.ts';
import { mayDo } from '../../../domain/people.ts';
import type { Visit } from '../visit.ts';
import { pdfPage } from './files.ts';
import { prettyJson, prettyXml } from './pretty.ts';
import { documentWords } from './words.ts';

/** What was sent and what was authorised: it names the buyer, so only those who operate see it. */
export async function documentContent(visit: Visit, document: Document): Promise<Html> {
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
