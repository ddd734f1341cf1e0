import { Buffer } from 'node:buffer';
import type { Document } from '../../../domain/document.ts';
import { type Html, html, type Piece } from '../../../domain/html.ts';
import { parseJson } from '../../../domain/json.ts';
import { mayDo } from '../../../domain/people.ts';
import type { Visit } from '../visit.ts';
import { pdfPage } from './files.ts';
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
