import { type Html, html, type Piece } from '../../../domain/html.ts';
import type { KeptClose } from '../../../ledger/closes.ts';
import { creditWords } from '../../../reports/close/credits.ts';
import type { DayClose, Explained } from '../../../reports/close/day-close.ts';
import { readKept } from '../../../reports/close/keep-close.ts';
import { isSigned } from '../../../reports/close/signing.ts';
import { kept, moment } from '../show.ts';
import type { Visit } from '../visit.ts';
import { fatesTable, threeWays } from './tables.ts';
import { closeWords } from './words.ts';

/** A close for a person: the verdict first, then what does not add up, then the figures. */
export function toldClose(visit: Visit, close: DayClose, explained: readonly Explained[] = []): Html {
  const words = closeWords[visit.language];
  const { result, provisional, differences, unanswered, foreign } = close;
  return html`<div class="verdict ${result}" role="status"><span class="sign" aria-hidden="true">${words.signs[result]}</span><p>${words.results[result]}${provisional && ` ${words.provisional}`}</p></div>
${list(
  words.differences,
  differences.map((one) => difference(visit, one)),
)}
${list(
  words.unanswered,
  unanswered.map(({ sentence }) => html`<li>${kept(sentence, 'span')}</li>`),
)}
${list(
  words.roundings,
  (close.roundings ?? []).map((one) => difference(visit, one)),
)}
${list(
  words.credits,
  (close.credits ?? []).map((one) => html`<li>${kept(creditWords(one), 'span')}</li>`),
)}
<section aria-labelledby="suerte"><h2 id="suerte">${words.fates}</h2>${fatesTable(visit, close)}</section>
<section aria-labelledby="tres"><h2 id="tres">${words.three}</h2><p class="soft">${words.threeSays}</p>${threeWays(visit, close)}</section>
${list(
  words.explained,
  explained.map(
    ({ order, reason }) =>
      html`<li>${find(visit, order, words.ofOrder(order))}: ${kept(reason, 'span')}</li>`,
  ),
)}
${list(
  words.foreign,
  foreign.map(
    ({ number, accessKey, total }) =>
      html`<li>${number}${total !== null && html`, USD ${total}`}<div class="key soft">${accessKey}</div></li>`,
  ),
)}`;
}

const list = (title: string, items: readonly Html[]): Piece =>
  items.length > 0 && html`<section><h2>${title}</h2><ul class="said">${items}</ul></section>`;

const find = ({ at }: Visit, text: string, label: Piece): Html =>
  html`<a href="${at(`/buscar?q=${encodeURIComponent(text)}`)}">${label}</a>`;

function difference(visit: Visit, { sentence, order, number }: DayClose['differences'][number]): Html {
  const words = closeWords[visit.language];
  return html`<li>${kept(sentence, 'span')} ${order !== null && find(visit, order, words.seeOrder)} ${number !== null && find(visit, number, words.seeDocument)}</li>`;
}

/** Who signed a kept close, and whether it is still what was signed. */
export function toldSignature(visit: Visit, close: KeptClose): Html {
  const words = closeWords[visit.language];
  const { n, closedAt, hash, publicKey, content, signature } = close;
  const whole = isSigned(content, signature, publicKey) && readKept(close).result === close.result;
  return html`<section aria-labelledby="firma"><h2 id="firma">${words.signature}</h2>
<p${!whole && html` class="notice bad"`}>${whole ? words.signed : words.altered}</p>
<dl class="pairs"><div><dt>${words.number}</dt><dd>${n}</dd></div><div><dt>${words.at}</dt><dd>${moment(closedAt, visit)}</dd></div><div><dt>${words.hash}</dt><dd><span class="key">${hash}</span></dd></div><div><dt>${words.key}</dt><dd><span class="key">${publicKey}</span></dd></div></dl></section>`;
}
